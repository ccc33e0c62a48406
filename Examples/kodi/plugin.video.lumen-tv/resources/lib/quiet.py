"""Keeps Kodi 20 from doing two things at once. If Kodi lists and plays at the same time, it crashes or shows its "busy" sign
forever."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import xbmc
import xbmcgui
from passd_kodi import BUSY

STARTING = "lumen-tv.starting"
#: The viewer signs out in this add-on.
SIGNING_OUT = "lumen-tv.signing-out"
IS_ENGAGED = f"{BUSY} | System.HasActiveModalDialog | Player.HasMedia | !String.IsEmpty(Window(home).Property({STARTING}))"


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Tells the service of this add-on that a playback is about to start."""
    home = xbmcgui.Window(10000)
    home.setProperty(STARTING, "yes")
    try:
        yield
    finally:
        home.clearProperty(STARTING)


def is_engaged() -> bool:
    return xbmc.getCondVisibility(IS_ENGAGED)
