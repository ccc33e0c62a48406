"""Runs as long as Kodi. Gets the events of logins and logouts, including those of other apps on the box."""

from __future__ import annotations

import passd_kodi  # first

import threading
from collections.abc import Mapping
from typing import Any

import passd
import xbmc
import xbmcaddon
import xbmcgui

from resources.lib.box import connect
from resources.lib.quiet import SIGNING_OUT, is_engaged
from resources.lib.texts import Text

ADDON = xbmcaddon.Addon()
ENDS = {"revoked": Text.REVOKED, "expired": Text.LOGIN_EXPIRED, "reconnected": Text.NOT_SIGNED_IN}


def heard(status: Mapping[str, Any]) -> None:
    reason = status.get("reason")
    if reason is None:
        return
    if status["status"] != 1:
        stop_playing()
    home = xbmcgui.Window(10000)
    is_own = home.getProperty(SIGNING_OUT) != ""
    home.clearProperty(SIGNING_OUT)
    otherwise = Text.SIGNED_OUT if is_own else Text.SIGNED_OUT_ELSEWHERE
    text = Text.SIGNED_IN_BY_OTHER if status["status"] == 1 else ENDS.get(reason, otherwise)
    xbmcgui.Dialog().notification(ADDON.getAddonInfo("name"), text(), ADDON.getAddonInfo("icon"), 8000, False)
    refresh()


def stop_playing() -> None:
    """Stops this add-on's playback when the login ends."""
    player = xbmc.Player()
    if player.isPlaying() and player.getPlayingFile().startswith(ADDON.getSetting("server") + "/"):
        player.stop()


is_stale = threading.Event()


def refresh(_: object = None) -> None:
    is_stale.set()


def refresh_if_stale() -> None:
    """Lists the channels again when they are on the screen and Kodi is not busy."""
    if is_stale.is_set() and xbmc.getInfoLabel("Container.PluginName") == ADDON.getAddonInfo("id") and not is_engaged():
        is_stale.clear()
        xbmc.executebuiltin("Container.Refresh")


def listen(monitor: xbmc.Monitor, is_late: bool) -> None:
    """Runs until Kodi ends, or the session ends permanently. The library reconnects by itself."""
    with connect() as tv:
        if is_late:
            refresh()
        tv.on("setAuthenticationStatus", heard)
        tv.on("disconnected", refresh)
        tv.on("reconnected", refresh)
        while tv.ending is None and not monitor.waitForAbort(1):
            refresh_if_stale()


def main() -> None:
    monitor = xbmc.Monitor()
    last = None
    while not monitor.abortRequested():
        try:
            listen(monitor, is_late=last is not None)
        except passd.PassdError as error:
            if error.code != last:
                xbmc.log(f"passd: {error}", xbmc.LOGWARNING)
            last = error.code
        refresh_if_stale()
        monitor.waitForAbort(3)


main()
