"""The errors of the library. Each has a stable code, a sentence about the cause, and a remedy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


class PassdError(Exception):
    """The error of a call. Show `message` and `remedy` to people, and act on `code`."""

    def __init__(
        self, code: str, message: str, remedy: str, *, number: int | None = None, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(code, message, remedy)
        self.code = code
        self.message = message
        self.remedy = remedy
        # The number of JSON-RPC, if the daemon sent this error.
        self.number = number
        # The daemon's other data: `details`, `action`, `trace`, `display` and members of later versions.
        self.data: dict[str, Any] = dict(data or {})

    def __str__(self) -> str:
        return f"{self.message} {self.remedy} ({self.code})"

    @property
    def details(self) -> Any:
        return self.data.get("details")

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before a repetition, if the daemon sent them."""
        seconds = self.data.get("retryAfter")
        return float(seconds) if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) else None

    def again(self) -> PassdError:
        """A copy of the error, to be raised again."""
        return type(self)(self.code, self.message, self.remedy, number=self.number, data=self.data)


class Refused(PassdError):
    """The daemon answered with an error."""


class Disconnected(PassdError, ConnectionError):
    """There is no connection: UNREACHABLE, FORBIDDEN, DISCONNECTED, NOT_UNDERSTOOD or CLOSED."""


class TimedOut(PassdError, TimeoutError):
    """The daemon did not answer in time. It may still execute the call."""


class Overloaded(PassdError):
    """A limit of this library was reached: OVERLOADED or OVERRUN."""


def refusal(error: Any) -> Refused:
    """An error that the daemon sent. Missing members get defaults."""
    error = error if isinstance(error, dict) else {}
    data = error.get("data")
    data = data if isinstance(data, dict) else {}
    number = error.get("code")
    return Refused(
        _text(data.get("code"), "INTERNAL_ERROR"), _text(error.get("message"), "The daemon refused the call."),
        _text(data.get("remedy"), "See the journal of passd."), data=data,
        number=number if isinstance(number, int) and not isinstance(number, bool) else -32603,
    )


def _text(value: Any, otherwise: str) -> str:
    return value if isinstance(value, str) else otherwise


def _closed_directory(path: str) -> str | None:
    """The first directory of the socket's path that this process may not enter."""
    for end, letter in enumerate(path):
        directory = path[:end] or "/"
        if letter == "/" and not os.access(directory, os.X_OK, effective_ids=True):
            return directory
    return None


def unreachable(path: str, error: OSError) -> Disconnected:
    if isinstance(error, PermissionError):
        closed = _closed_directory(path)
        if closed is not None:
            return Disconnected(
                "FORBIDDEN", f"This user may not enter {closed}, so {path} cannot be reached.",
                "Run this as the owner of the directory: a developer's box serves no other user. "
                f"Another daemon may serve other users after chmod o+x {closed}.",
            )
        return Disconnected(
            "FORBIDDEN", f"This user may not connect to {path}.",
            "Join the group that the socket belongs to, or run this as root.",
        )
    reason = "it did not accept the connection in time" if isinstance(error, TimeoutError) else error.strerror or str(error)
    return Disconnected(
        "UNREACHABLE", f"passd cannot be reached at {path}: {reason}.",
        "Start passd, or set PASSD_SOCKET to the path of its socket.",
    )


def lost(reason: str) -> Disconnected:
    return Disconnected(
        "DISCONNECTED", f"The connection to passd was lost: {reason}.",
        "Try again; the journal of passd, or passd.log of a developer's box, says why it ended.",
    )


def not_restored(within: float, trouble: PassdError | None) -> Disconnected:
    """The error of a call that waited too long for a connection. `trouble` is the error of the last attempt to connect."""
    reason = f"it could not be restored within {within:g} s"
    return lost(reason if trouble is None else f"{reason} ({trouble.message.removesuffix('.')})")


def not_understood(reason: str) -> Disconnected:
    return Disconnected(
        "NOT_UNDERSTOOD", f"What passd sent cannot be used: {reason}.",
        "Check that this program and passd are from the same release.",
    )


def closed() -> Disconnected:
    return Disconnected("CLOSED", "This program closed the session.", "Open a new session.")


def not_opened() -> Disconnected:
    return Disconnected("CLOSED", "This session was not opened.", "Open it first.")


def timed_out(seconds: float) -> TimedOut:
    return TimedOut("TIMED_OUT", f"passd did not answer within {seconds:g} s.", "Try again, or allow more time.")


def no_provider() -> PassdError:
    return PassdError(
        "INVALID_PARAMS", "No provider was given for the login.", "Name a provider, or give choose.")


def overloaded(limit: int) -> Overloaded:
    return Overloaded("OVERLOADED", f"{limit} calls are waiting for an answer already.", "Try again later.")


def overrun(limit: int) -> Overloaded:
    return Overloaded("OVERRUN", f"More than {limit} callbacks were not read.", "Read callbacks faster.")
