"""Waits until Kodi is not busy. A dialog that opens while Kodi 20 is busy stays below its "busy" sign."""

from __future__ import annotations

import xbmc

BUSY = "Window.IsActive(busydialog) | Window.IsActive(busydialognocancel)"


def wait_until_idle() -> None:
    monitor = xbmc.Monitor()
    while xbmc.getCondVisibility(BUSY) and not monitor.waitForAbort(0.1):
        pass
