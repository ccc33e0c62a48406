"""passd's client library: asks whether the viewer is signed in, signs the viewer in, and asks what may be played.

`Client` is for asyncio, `BlockingClient` for everything else; both have the same methods.
"""

from . import protocol
from .blocking import BlockingClient
from .client import Backoff, Callback, Callbacks, Client, find_socket
from .errors import Disconnected, Overloaded, PassdError, Refused, TimedOut
from .login import Login, Outcome
from .wire import Framing, Limits

__all__ = [
    "Backoff", "BlockingClient", "Callback", "Callbacks", "Client", "Disconnected", "Framing", "Limits", "Login",
    "Outcome", "Overloaded", "PassdError", "Refused", "TimedOut", "find_socket", "protocol",
]
