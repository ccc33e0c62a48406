"""Lumen TV in Kodi: the channels, playing, signing in and out. Kodi starts this script for each of these actions."""

from __future__ import annotations

import passd_kodi  # first

import sys
import urllib.parse
from collections.abc import Callable

import passd
import xbmc
import xbmcaddon
import xbmcgui
import xbmcplugin

from resources.lib.box import connect, stream
from resources.lib import household
from resources.lib.channels import CHANNELS, Channel
from resources.lib.problems import Cancelled, Problem, told
from resources.lib.quiet import SIGNING_OUT, starting
from resources.lib.texts import Text

ADDON = xbmcaddon.Addon()
BASE = sys.argv[0]


def list_channels(handle: int) -> None:
    marks: dict[str, Text] = {}
    try:
        with connect() as tv:
            if tv.signed_in:
                marks = ask_marks(tv)
                provider = tv.get_selected_provider().get("provider")
                name = Text.SIGNED_IN() if provider is None else Text.SIGNED_IN_WITH(provider["displayName"])
                account = name, "account"
            else:
                marks = {channel.id: Text.SIGN_IN_TO_WATCH for channel in CHANNELS}
                account = Text.SIGN_IN(), "account"
    except passd.PassdError as error:
        account = Text.RELOAD(passd_kodi.words(error).title), "reload"
    # An item keeps its address when its name changes, because Kodi finds the viewer's place by the address.
    for channel in CHANNELS:
        mark = Text.FREE if channel.is_free else marks.get(channel.id, Text.UNKNOWN)
        item = make_item(f"{channel.name} · {mark()}", "DefaultTVShows.png", account)
        tag = item.getVideoInfoTag()
        tag.setTitle(channel.name)
        tag.setPlot(channel.now)
        xbmcplugin.addDirectoryItem(handle, f"{BASE}?play={channel.id}", item)
    xbmcplugin.addDirectoryItem(handle, f"{BASE}?do={account[1]}", make_item(account[0], "DefaultUser.png"))
    xbmcplugin.addSortMethod(handle, xbmcplugin.SORT_METHOD_UNSORTED, "%L")
    xbmcplugin.setPluginCategory(handle, ADDON.getAddonInfo("name"))
    xbmcplugin.endOfDirectory(handle, cacheToDisc=False)


def ask_marks(tv: passd.BlockingClient) -> dict[str, Text]:
    """The resources that the provider would probably permit. A play asks again."""
    hints = tv.preauthorize([channel.id for channel in CHANNELS if not channel.is_free])
    return {hint["id"]: Text.MAY_WATCH if hint["authorized"] else Text.UNAVAILABLE for hint in hints["decisions"]}


def make_item(label: str, icon: str, account: tuple[str, str] | None = None) -> xbmcgui.ListItem:
    item = xbmcgui.ListItem(label, offscreen=True)
    item.setArt({"icon": icon, "fanart": ADDON.getAddonInfo("fanart")})
    if account is not None:
        item.addContextMenuItems([(account[0], f"RunPlugin({BASE}?do={account[1]})"),
                                  (Text.TV_PROVIDER(), f"RunPlugin({BASE}?do=household)")])
    return item


def play(handle: int, channel: Channel) -> None:
    """Plays a channel. `handle` is not negative if Kodi itself waits for the play, for example of a favourite."""
    is_awaited, has_to_ask = handle >= 0, False

    def ask(tv: passd.BlockingClient) -> None:
        """Signs in, but not while Kodi waits for this script, because its "busy" sign then covers other windows."""
        nonlocal has_to_ask
        if is_awaited:
            has_to_ask = True
            raise Cancelled
        if not passd_kodi.sign_in(tv, channel=channel.name):
            raise Cancelled

    address = told(lambda: find_stream(channel, ask))
    item = xbmcgui.ListItem(channel.name, path=address or "", offscreen=True)
    item.setContentLookup(False)
    item.getVideoInfoTag().setTitle(channel.name)
    if is_awaited:
        xbmcplugin.setResolvedUrl(handle, address is not None, item)
    elif address is not None:
        passd_kodi.wait_until_idle()
        xbmc.Player().play(address, item)
    if has_to_ask:
        xbmc.executebuiltin(f"RunPlugin({BASE}?play={channel.id})")


def find_stream(channel: Channel, ask: Callable[[passd.BlockingClient], None]) -> str:
    if channel.is_free:
        return stream(channel, None)
    with connect() as tv:
        play = tv.get_authorization(channel.id) if tv.signed_in else None
        # If the login has ended in the meantime, the answer says so. If the answer is `pending`, the play waits for a login.
        while play is None or play.get("pending") or play.get("errorCode") == "USER_NOT_AUTHENTICATED_ERROR":
            ask(tv)
            play = tv.get_authorization(channel.id)
    if play["authorized"]:
        return stream(channel, play["token"])
    xbmc.log(f"passd: {play.get('log')}", xbmc.LOGINFO)
    is_for_a_while = play.get("errorCode") != "USER_NOT_AUTHORIZED_ERROR" or \
        play.get("error", {}).get("code") == "authorization_denied_by_degradation_rule"
    what = Text.BLACKED_OUT() if is_for_a_while else Text.REFUSED()
    raise Problem(channel.name, f"{what}\n{play.get('display', '')}", Text.AGAIN if is_for_a_while else None)


def change_account() -> None:
    with connect() as tv:
        if not tv.signed_in:
            passd_kodi.sign_in(tv)
        elif xbmcgui.Dialog().yesno(
                Text.ASK_SIGN_OUT(), Text.ASK_SIGN_OUT_HINT(), nolabel=Text.STAY(), yeslabel=Text.SIGN_OUT()):
            home = xbmcgui.Window(10000)
            home.setProperty(SIGNING_OUT, "yes")
            try:
                tv.logout()
            except passd.PassdError:
                home.clearProperty(SIGNING_OUT)
                raise


def main() -> None:
    handle, query = int(sys.argv[1]), dict(urllib.parse.parse_qsl(sys.argv[2].removeprefix("?")))
    match query:
        case {"play": channel}:
            with starting():
                play(handle, next(each for each in CHANNELS if each.id == channel))
        case {"do": "account"}:
            told(change_account)  # the service of this add-on then gets an event and updates the list
        case {"do": "household"}:
            told(household.show)
        case {"do": "reload"}:
            xbmc.executebuiltin("Container.Refresh")
        case _:
            list_channels(handle)


main()
