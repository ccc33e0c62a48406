"""Lumen TV in Kodi: the channels, playing one of them, signing in and out. Kodi starts this for each of these."""

from __future__ import annotations

import resources.lib.interpreter  # first

import sys
import urllib.parse

import passd
import xbmc
import xbmcgui
import xbmcplugin

from resources.lib.box import connect, stream
from resources.lib.channels import CHANNELS, Channel
from resources.lib.problems import Problem, problem, told
from resources.lib.sign_in import sign_in
from resources.lib.texts import Text

BASE = sys.argv[0]


def list_channels(handle: int) -> None:
    marks: dict[str, Text] = {}
    try:
        with connect() as tv:
            if tv.signed_in:
                marks = ask_marks(tv)
                provider = tv.get_selected_provider().get("provider")
                name = Text.SIGNED_IN() if provider is None else Text.SIGNED_IN_WITH(provider["displayName"])
                account = name, "sign-out"
            else:
                marks = {channel.id: Text.SIGN_IN_TO_WATCH for channel in CHANNELS}
                account = Text.SIGN_IN(), "sign-in"
    except passd.PassdError as error:
        account = Text.RELOAD(problem(error).title), "reload"
    for channel in CHANNELS:
        mark = Text.FREE if channel.is_free else marks.get(channel.id, Text.UNKNOWN)
        # Kodi waits with a dialog of its own for what it is to play, so the viewer signs in before that.
        query = {"sign-in-and-play": channel.id} if mark == Text.SIGN_IN_TO_WATCH else {"play": channel.id}
        add(handle, f"{channel.name} · {mark()}", query, channel=channel, account=account)
    add(handle, account[0], {"do": account[1]})
    xbmcplugin.endOfDirectory(handle, cacheToDisc=False)


def ask_marks(tv: passd.BlockingClient) -> dict[str, Text]:
    """What the provider permits. It is a hint; whether something may be watched is asked when it is played."""
    hints = tv.preauthorize([channel.id for channel in CHANNELS if not channel.is_free])
    return {hint["id"]: Text.MAY_WATCH if hint["authorized"] else Text.UNAVAILABLE for hint in hints["decisions"]}


def add(
    handle: int, label: str, query: dict[str, str], channel: Channel | None = None, account: tuple[str, str] | None = None
) -> None:
    item = xbmcgui.ListItem(label, offscreen=True)
    if channel is None:
        item.setArt({"icon": "DefaultUser.png"})
    else:
        item.setArt({"icon": "DefaultTVShows.png"})
        if "play" in query:
            item.setProperty("IsPlayable", "true")
        tag = item.getVideoInfoTag()
        tag.setTitle(channel.name)
        tag.setPlot(channel.now)
    if account is not None:
        item.addContextMenuItems([(account[0], f"RunPlugin({BASE}?do={account[1]})")])
    xbmcplugin.addDirectoryItem(handle, f"{BASE}?{urllib.parse.urlencode(query)}", item, isFolder=False)


def play(handle: int, channel: Channel) -> None:
    address = told(lambda: find_stream(channel))
    item = xbmcgui.ListItem(channel.name, path=address or "", offscreen=True)
    item.setContentLookup(False)
    xbmcplugin.setResolvedUrl(handle, address is not None, item)


def play_now(channel: Channel) -> None:
    address = told(lambda: find_stream(channel))
    if address is not None:
        item = xbmcgui.ListItem(channel.name, path=address, offscreen=True)
        item.getVideoInfoTag().setTitle(channel.name)
        xbmc.Player().play(address, item)


def find_stream(channel: Channel) -> str:
    if channel.is_free:
        return stream(channel, None)
    with connect({"qr": "matrix"}) as tv:
        play = None
        while play is None or play.get("pending"):
            # What is pending waits for a login: the one that this session has heard of has ended.
            if play is not None or not tv.signed_in:
                sign_in(tv)
            play = tv.get_authorization(channel.id)
    if play["authorized"]:
        return stream(channel, play["token"])
    xbmc.log(f"passd: {play.get('log')}", xbmc.LOGINFO)
    is_for_a_while = play.get("errorCode") != "USER_NOT_AUTHORIZED_ERROR" or \
        play.get("error", {}).get("code") == "authorization_denied_by_degradation_rule"
    title = Text.BLACKED_OUT if is_for_a_while else Text.REFUSED
    raise Problem(title(channel.name), play.get("display", ""), Text.AGAIN if is_for_a_while else None)


def start_sign_in() -> bool:
    with connect({"qr": "matrix"}) as tv:
        if not tv.signed_in:
            sign_in(tv)
    return True


def sign_out() -> None:
    if xbmcgui.Dialog().yesno(Text.ASK_SIGN_OUT(), Text.ASK_SIGN_OUT_HINT(), nolabel=Text.STAY(), yeslabel=Text.SIGN_OUT()):
        with connect() as tv:
            tv.logout()


def main() -> None:
    handle, query = int(sys.argv[1]), dict(urllib.parse.parse_qsl(sys.argv[2].removeprefix("?")))
    match query:
        case {"play": channel}:
            play(handle, next(each for each in CHANNELS if each.id == channel))
        case {"sign-in-and-play": channel}:
            play_now(next(each for each in CHANNELS if each.id == channel))
        # The list changes when the service of this add-on hears of it.
        case {"do": "sign-in"}:
            told(start_sign_in)
        case {"do": "sign-out"}:
            told(sign_out)
        case {"do": "reload"}:
            xbmc.executebuiltin("Container.Refresh")
        case _:
            list_channels(handle)


main()
