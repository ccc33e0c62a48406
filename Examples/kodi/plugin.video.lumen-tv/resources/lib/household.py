"""TV provider: who is signed in on this TV, and which apps use the login. The viewer signs in and out for all apps. The stanza
that permits Kodi needs `may = household observe entitlement`."""

from __future__ import annotations

import threading
import time
from typing import Any

import passd
import passd_kodi
import xbmc
import xbmcaddon
import xbmcgui

from .box import connect
from .problems import Problem
from .texts import Text


def show() -> None:
    """Shows the list until the viewer leaves it. After each change on the box, shows it again."""
    with connect("") as tv:
        changed, is_open = threading.Event(), threading.Event()

        def heard(_: object) -> None:
            changed.set()
            if is_open.is_set():
                xbmc.executebuiltin("Dialog.Close(selectdialog)")

        tv.on("event", heard)
        tv.on("disconnected", heard)
        while True:
            changed.clear()
            household = ask(tv)
            is_signed_in = any(login["kind"] not in ("temporary", "degraded") for login in household["logins"])
            last = Text.SIGN_OUT_EVERYWHERE() if is_signed_in else Text.SIGN_IN()
            lines = [*describe(household), xbmcgui.ListItem(last)]
            passd_kodi.wait_until_idle()
            is_open.set()
            index = -1 if changed.is_set() else xbmcgui.Dialog().select(Text.TV_PROVIDER(), lines, useDetails=True)
            is_open.clear()
            if changed.is_set():
                continue
            if index < 0:
                return
            if index == len(lines) - 1:
                change(tv, is_signed_in)


def ask(tv: passd.BlockingClient) -> dict[str, Any]:
    try:
        # After a reconnect, there is no subscription.
        tv.subscribe(types=["authentication", "login.opened", "login.closed"], within=3)
        household: dict[str, Any] = tv.call("passd.household", within=3)
        return household
    except passd.PassdError as error:
        if error.code == "DENIED":
            raise Problem(Text.TV_PROVIDER(), Text.NOT_SET_UP()) from error
        raise


def describe(household: dict[str, Any]) -> list[xbmcgui.ListItem]:
    lines = [] if household["signedIn"] else [make_line(Text.NOT_SIGNED_IN(), Text.FOR_ALL_APPS())]
    for login in household["logins"]:
        provider, until = login["provider"], login["until"]
        is_soon = until / 1000 < time.time() + 86400
        lines.append(make_line(provider["displayName"], Text.SIGNED_IN_UNTIL(moment(until, is_soon)), provider["logoURL"]))
        for app in login["apps"]:
            used = Text.USED(moment(app["lastUsed"], True)) if "lastUsed" in app else Text.NOT_USED()
            lines.append(make_line(app.get("title", app["name"]), used, "DefaultAddonVideo.png"))
    return lines + [make_line(code.get("title", code["app"]), Text.WAITS()) for code in household["openCodes"]]


def make_line(label: str, more: str, icon: str = "") -> xbmcgui.ListItem:
    line = xbmcgui.ListItem(label, more)
    # Kodi cannot draw SVG.
    line.setArt({"icon": icon if icon and not icon.lower().split("?")[0].endswith(".svg") else "DefaultUser.png"})
    return line


def moment(milliseconds: int, has_time: bool = False) -> str:
    """A day, and perhaps a time, in the form of Kodi's region."""
    form = xbmc.getRegion("dateshort") + (" " + xbmc.getRegion("time").replace(":%S", "") if has_time else "")
    return time.strftime(form, time.localtime(milliseconds / 1000))


def change(tv: passd.BlockingClient, is_signed_in: bool) -> None:
    if not is_signed_in:
        tv.set_requestor(xbmcaddon.Addon().getSetting("requestor"))
        passd_kodi.sign_in(tv)
    elif xbmcgui.Dialog().yesno(
            Text.ASK_SIGN_OUT(), Text.ASK_SIGN_OUT_HINT(), nolabel=Text.STAY(), yeslabel=Text.SIGN_OUT_EVERYWHERE()):
        tell_end(tv.call("passd.signOut"))


def tell_end(result: dict[str, Any]) -> None:
    """Says what the sign-out has not done. If it has done everything, the list shows that."""
    if result.get("durable") is False:
        more = Text.NOT_STORED()
    elif "onPlatform" in result:
        more = Text.ON_PLATFORM(", ".join(result["onPlatform"]))
    elif "untold" in result:
        more = Text.UNTOLD()
    else:
        return
    xbmcgui.Dialog().ok(Text.TV_PROVIDER(), more)
