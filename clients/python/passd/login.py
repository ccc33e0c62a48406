"""A login as an app sees it. Reads codes and outcomes from the daemon's messages."""

from __future__ import annotations

import asyncio
import contextlib
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import PassdError
from .protocol import MVPD

Choose = Callable[[list[MVPD]], "str | None | Awaitable[str | None]"]
Show = Callable[["Login"], object]

# Names for loopback. On a phone, they mean the phone itself.
_LOCAL = re.compile(
    r"[a-z][a-z0-9+.-]*://([^/?#]*@)?(([^/?#:@]*\.)?localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?([/?#]|\Z)", re.I)


@dataclass(frozen=True)
class Login:
    """The data for the viewer. `link`, shown as a QR code, leads directly to the provider. `code` is typed at `url`.

    `link` or `url` may be missing. `qr` is the QR code of `link`, or else of `url`, which then contains the code.
    """

    state: str
    code: str | None
    url: str | None
    # The end of the code, in milliseconds since 1970.
    expires: int | None
    # The QR code, if the option `qr` asks for it and the daemon can make one.
    qr: Any = None
    link: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether `link`, or else `url`, works only on the box, so that no phone can open it. A sandbox may have such
        addresses."""
        return _LOCAL.match(self.link or self.url or "") is not None

    @property
    def seconds_left(self) -> int | None:
        """Whole seconds until the code ends, for a countdown."""
        return None if self.expires is None else max(0, math.ceil(self.expires / 1000 - time.time()))


@dataclass(frozen=True)
class Outcome:
    """The outcome of a login: authenticated, cancelled, expired, denied or failed."""

    outcome: str
    reason: str | None = None
    error_code: str = ""
    # The params from the daemon, with members of later versions.
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def authenticated(self) -> bool:
        return self.outcome == "authenticated"

    @property
    def display(self) -> str | None:
        """A sentence for the viewer, if the daemon sent one."""
        text = self.params.get("display")
        return text if isinstance(text, str) else None


def read_login(progress: Mapping[str, Any]) -> Login:
    return Login(
        str(progress.get("state")), _text(progress.get("code")), _text(progress.get("url")),
        _whole(progress.get("expires")), progress.get("qr"), _text(progress.get("link")),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: Any) -> int | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return int(value) if is_number and -1e15 < value < 1e15 else None


def read_outcome(params: Mapping[str, Any]) -> Outcome | None:
    """The outcome of this session's login; None if this `setAuthenticationStatus` reports something else."""
    outcome = _text(params.get("outcome"))
    if outcome is None:
        return None
    reason = _text(params.get("cause")) or _text(params.get("reason"))
    return Outcome(outcome, reason, _text(params.get("errorCode")) or "", dict(params))


class Watch:
    """Events of the open login that were not handled yet."""

    def __init__(self, is_forced: bool) -> None:
        self._is_forced = is_forced
        self.login: Login | None = None
        self.outcome: Outcome | None = None
        self.providers: list[MVPD] | None = None
        self.is_lost = False
        # Whether the daemon has this login, as far as this library knows.
        self.is_open = False
        # Set when the login ends while no call is open that would notice the end.
        self.over = asyncio.Event()
        self._is_choosing = False
        # Whether a step waits to be repeated. If so, the daemon has no login to cancel.
        self.waits = False
        # Called with the answer if the login was abandoned.
        self.left: Callable[[], None] | None = None
        self._changed = asyncio.Event()

    def heard(self, name: str, params: Mapping[str, Any]) -> None:
        if name == "setAuthenticationStatus":
            self.outcome = self.outcome or read_outcome(params)
            if self.outcome is not None and self._is_choosing:
                self.over.set()
        elif name == "displayProviderDialog":
            providers = params.get("providers")
            self.providers = providers if isinstance(providers, list) else []
        else:
            return
        self._changed.set()

    def answered(self, result: Any) -> None:
        """Handles an answer. If it opens the login, earlier callbacks are dropped: they are old, or the answer repeats them."""
        state = _text(result.get("state")) if isinstance(result, dict) else None
        if isinstance(result, PassdError):
            self.is_open = True  # the daemon may have opened it before the connection ended
        elif state is not None:
            self.is_open = state != "authenticated"
        if self.is_open and state is not None:
            self.outcome = self.providers = None
        if self.left is not None:
            self.left()

    def lost(self) -> None:
        self.is_lost = True
        self._changed.set()

    def signed_in(self) -> None:
        """Notes after a reconnect that the viewer has signed in meanwhile, so there is nothing to choose."""
        if self._is_choosing and not self._is_forced:
            self.outcome = self.outcome or Outcome("authenticated", "reconnected")
            self.over.set()

    def cancelled(self) -> None:
        """Notes that the app cancelled the login while there was no connection, or while a step waited to be repeated."""
        self.outcome = self.outcome or Outcome("cancelled")
        self.over.set()

    def ended(self) -> None:
        """Notes that the session has ended."""
        self.lost()
        if self._is_choosing:
            self.over.set()

    @contextlib.contextmanager
    def choosing(self) -> Iterator[None]:
        """Marks the time in which the viewer chooses. In this time, the end of the login sets `over`."""
        self._is_choosing = True
        try:
            yield
        finally:
            self._is_choosing = False

    async def change(self) -> None:
        """Waits for an event. Ends an expired code that the daemon does not end."""
        expires = None if self.login is None else self.login.expires
        try:
            async with asyncio.timeout(None if expires is None else expires / 1000 - time.time() + 15):
                while self.outcome is None and self.providers is None and not self.is_lost:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self.outcome = Outcome("expired")
