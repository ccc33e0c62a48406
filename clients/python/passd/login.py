"""A login as an app sees it: what to show, how it ended, and how both are read from what the daemon sends."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .protocol import MVPD

Choose = Callable[[list[MVPD]], "str | None | Awaitable[str | None]"]
Show = Callable[["Login"], object]

# What every machine takes for itself.
_LOCAL = re.compile(
    r"[a-z][a-z0-9+.-]*://([^/?#]*@)?(([^/?#:@]*\.)?localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]*)?([/?#]|\Z)", re.I)


@dataclass(frozen=True)
class Login:
    """What the viewer needs: `code` is typed at `url`, which also contains it and fits into a QR code.

    Some services have no `url`; the app then says where the code is to be typed.
    """

    state: str
    code: str | None
    url: str | None
    # When the code ends, in milliseconds since 1970.
    expires: int | None
    # The QR code, if the option `qr` asks for it and the daemon makes them.
    qr: Any = None

    @property
    def is_local(self) -> bool:
        """Whether `url` leads to the box alone, as that of a sandbox may: a phone cannot open it."""
        return self.url is not None and _LOCAL.match(self.url) is not None

    @property
    def seconds_left(self) -> float | None:
        return None if self.expires is None else max(0.0, self.expires / 1000 - time.time())


@dataclass(frozen=True)
class Outcome:
    """How a login ended: authenticated, cancelled, expired, denied or failed."""

    outcome: str
    reason: str | None = None
    error_code: str = ""
    # What the daemon sent, with what later versions add.
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def authenticated(self) -> bool:
        return self.outcome == "authenticated"

    @property
    def display(self) -> str | None:
        """What to tell the viewer, if the daemon says so."""
        text = self.params.get("display")
        return text if isinstance(text, str) else None


def read_login(progress: Mapping[str, Any]) -> Login:
    expires = progress.get("expires")
    return Login(
        str(progress.get("state")), progress.get("code"), progress.get("url"),
        expires if isinstance(expires, int) else None, progress.get("qr"),
    )


def read_outcome(params: Mapping[str, Any]) -> Outcome | None:
    """How one's own login ended; None if this `setAuthenticationStatus` tells something else."""
    if "outcome" not in params:
        return None
    reason = params.get("cause", params.get("reason"))
    return Outcome(str(params["outcome"]), reason, str(params.get("errorCode", "")), dict(params))


class Watch:
    """What has happened to the open login since it was last looked at."""

    def __init__(self) -> None:
        self.login: Login | None = None
        self.outcome: Outcome | None = None
        self.providers: list[MVPD] | None = None
        self.is_lost = False
        self.is_open = False
        # Is called with the answer if nobody waits for the login any more.
        self.left: Callable[[], None] | None = None
        self._changed = asyncio.Event()

    def heard(self, name: str, params: Mapping[str, Any]) -> None:
        if name == "setAuthenticationStatus":
            self.outcome = self.outcome or read_outcome(params)
        elif name == "displayProviderDialog":
            self.providers = list(params.get("providers", []))
        else:
            return
        self._changed.set()

    def answered(self, result: Any) -> None:
        """An answer has come. If the login is open with it, what was heard before told of an earlier one, or the same."""
        if isinstance(result, dict):
            self.is_open = result.get("state") != "authenticated"
        if self.is_open:
            self.outcome = self.providers = None
        if self.left is not None:
            self.left()

    def lost(self) -> None:
        self.is_lost = True
        self._changed.set()

    async def change(self) -> None:
        """Waits for news; a code that the daemon does not end is ended here."""
        expires = None if self.login is None else self.login.expires
        try:
            async with asyncio.timeout(None if expires is None else expires / 1000 - time.time() + 15):
                while self.outcome is None and self.providers is None and not self.is_lost:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self.outcome = Outcome("expired")
