"""Kodi 20 does one thing at a time: it ends, or shows for ever that it is busy, if it is to list and to play at once, and a
dialog that opens while it is busy stays below the sign of that."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import xbmc
import xbmcgui

BUSY = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"
STARTING = "lumen-tv.starting"
IS_ENGAGED = f"{BUSY} | System.HasActiveModalDialog | Player.HasMedia | !String.IsEmpty(Window(home).Property({STARTING}))"


def wait_until_idle() -> None:
    monitor = xbmc.Monitor()
    while xbmc.getCondVisibility(BUSY) and not monitor.waitForAbort(0.1):
        pass


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Lets the service of this add-on know that something is about to play."""
    home = xbmcgui.Window(10000)
    home.setProperty(STARTING, "yes")
    try:
        yield
    finally:
        home.clearProperty(STARTING)


def is_engaged() -> bool:
    return xbmc.getCondVisibility(IS_ENGAGED)
