"""Signs the viewer in: the list of providers, then the code and its QR code, until the phone has done its part.

The library waits for the viewer in a separate thread. It passes codes and lists through a queue, because a dialog of Kodi
blocks the thread that opens it.
"""

from __future__ import annotations

import base64
import contextlib
import os
import queue
import re
import tempfile
import threading
import unicodedata
from typing import cast

import passd
import xbmc
import xbmcaddon
import xbmcgui
import xbmcvfs
from passd.protocol import MVPD

from .problems import words
from .quiet import wait_until_idle
from .texts import ID, Text

CANCEL = 100
PICTURE = 101
ANOTHER = 102
#: The number of providers from which a list has a search.
SEARCH_FROM = 20
#: Seconds for which the screen says that the viewer is signed in.
DONE_FOR = 1.5
#: Errors after which another attempt cannot succeed, apart from those for viewers.
FINAL = {"INVALID_PARAMS", "INVALID_REQUEST", "METHOD_NOT_FOUND", "FLOW_CONFLICT", "CLOSED"}

News = passd.Login | passd.Outcome | passd.PassdError


def sign_in(tv: passd.BlockingClient, *, channel: str | None = None, provider: str | None = None) -> bool:
    """Signs the viewer in. Returns False if the viewer has left the screens. The screens name `channel`. If `provider` is the ID
    of a provider, the viewer need not choose. Raises an error if no attempt can succeed, for example if the app is not permitted.

    Do not call this while Kodi waits for the script, because Kodi's "busy" sign then covers the screens.
    """
    while True:
        attempt = Attempt(tv, channel, provider)
        result = attempt.run()
        provider = attempt.provider and attempt.provider["id"]
        if attempt.wants_another:
            provider = None
            continue
        if isinstance(result, passd.PassdError):
            title, hint, is_final = words(result)
            if is_final or result.code in FINAL:
                raise result
            label = Text.AGAIN
        elif result.authenticated:
            return True
        elif result.outcome == "cancelled":
            return False
        elif result.outcome == "expired":
            title, hint, label = Text.EXPIRED(), Text.EXPIRED_HINT(), Text.NEW_CODE
        else:
            default = Text.DENIED_HINT if result.outcome == "denied" else Text.FAILED_HINT
            title, hint, label = Text.NOT_SIGNED_IN(), result.display or default(), Text.AGAIN
        wait_until_idle()
        answer = xbmcgui.Dialog().yesnocustom(title, hint, Text.ANOTHER(), nolabel=Text.BACK(), yeslabel=label(),
                                              defaultbutton=xbmcgui.DLG_YESNO_YES_BTN)
        if answer not in (1, 2):
            return False
        if answer == 2:
            provider = None


def plain(text: str) -> str:
    """The text for a search: small letters without accents, and one space between words."""
    letters = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return " ".join(re.findall(r"[^\W_]+", letters.lower()))


def grouped(code: str) -> str:
    """The code in groups that are easy to compare: `2QF 8FH2`."""
    return " ".join([code[:3], *(code[start:start + 4] for start in range(3, len(code), 4))])


def choose(providers: list[MVPD]) -> MVPD | None:
    wait_until_idle()
    # Kodi cannot draw SVG.
    logos = {each["id"]: each["logoURL"] for each in providers if not each["logoURL"].lower().split("?")[0].endswith(".svg")}
    has_search, typed = len(providers) >= SEARCH_FROM, ""
    while True:
        found = [each for each in providers if f" {plain(typed)}" in f" {plain(each['displayName'])}"]
        items = [xbmcgui.ListItem(Text.SEARCH(typed))] if has_search else []
        for each in found:
            item = xbmcgui.ListItem(each["displayName"])
            item.setArt({"icon": logos.get(each["id"]) or "DefaultUser.png"})
            items.append(item)
        index = xbmcgui.Dialog().select(Text.CHOOSE(), items, useDetails=any(logos.values()))
        if index < 0 and typed == "":
            return None
        if index < 0:
            typed = ""
        elif has_search and index == 0:
            typed = xbmcgui.Dialog().input(Text.SEARCH_TITLE(), typed)
        else:
            return found[index - has_search]


class Attempt:
    """One login. `provider` is the viewer's choice, and `wants_another` says that the viewer wants another provider."""

    def __init__(self, tv: passd.BlockingClient, channel: str | None, wanted: str | None) -> None:
        self.tv, self.channel, self.wanted = tv, channel, wanted
        self.news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self.provider: MVPD | None = None
        self.wants_another = self.is_away = False

    def run(self) -> passd.Outcome | passd.PassdError:
        worker = threading.Thread(target=self.work, name="sign-in")
        leave = [self.tv.on("disconnected", lambda _: self.set_away(True)),
                 self.tv.on("reconnected", lambda _: self.set_away(False))]
        worker.start()
        try:
            first = self.news.get()
            return self.show_codes(first) if isinstance(first, passd.Login) else first
        finally:
            worker.join()
            for each in leave:
                each()

    def set_away(self, is_away: bool) -> None:
        self.is_away = is_away

    def work(self) -> None:
        try:
            # Without the options, there is no QR code, and passd's sentences are in English.
            self.tv.set_options(qr="png", language=xbmc.getLanguage(xbmc.ISO_639_1) or "en")
            self.news.put(self.tv.sign_in(choose=self.choose, show=self.news.put))
        except passd.PassdError as error:
            self.news.put(error)

    def choose(self, providers: list[MVPD]) -> str | None:
        wanted = next((each for each in providers if each["id"] == self.wanted), None)
        self.provider = wanted or choose(providers)
        return self.provider and self.provider["id"]

    def show_codes(self, login: passd.Login) -> passd.Outcome | passd.PassdError:
        dialog = SignInDialog(self, login)
        try:
            wait_until_idle()
            dialog.doModal()
        finally:
            dialog.end()
        if dialog.result is None:
            # Without passd, the library has already ended the login.
            with contextlib.suppress(passd.PassdError):
                self.tv.set_selected_provider(None, within=2)
        while dialog.result is None:
            if not isinstance(item := self.news.get(), passd.Login):
                dialog.result = item
        return dialog.result

    @property
    def about(self) -> str:
        """What the login is for."""
        parts = []
        if self.channel is not None:
            parts.append(Text.TO_WATCH(self.channel))
        if self.provider is not None:
            parts.append(Text.PROVIDER(self.provider["displayName"]))
        return "  ·  ".join(parts)


class SignInDialog(xbmcgui.WindowXMLDialog):
    """A code on the screen. The dialog closes when the login has ended. If the viewer goes back, it closes without a result."""

    def __new__(cls, *_: object) -> SignInDialog:
        return super().__new__(cls, "passd-sign-in.xml", xbmcaddon.Addon(ID).getAddonInfo("path"), "Default", "1080i")

    def __init__(self, attempt: Attempt, login: passd.Login) -> None:
        super().__init__()
        self.attempt, self.login = attempt, login
        self.result: passd.Outcome | passd.PassdError | None = None
        self.has_ended = threading.Event()
        self.follower: threading.Thread | None = None
        self.picture: str | None = None

    def onInit(self) -> None:
        if self.follower is None:  # Kodi calls this again when a window above closes
            self.draw()
            self.follower = threading.Thread(target=self.follow, name="code")
            self.follower.start()

    def onAction(self, action: xbmcgui.Action) -> None:
        if action.getId() in (xbmcgui.ACTION_PREVIOUS_MENU, xbmcgui.ACTION_NAV_BACK, xbmcgui.ACTION_STOP):
            self.close()

    def onClick(self, controlId: int) -> None:
        if controlId in (CANCEL, ANOTHER):
            self.attempt.wants_another = controlId == ANOTHER and self.result is None
            self.close()

    def follow(self) -> None:
        """Draws the remaining time, and newer codes, until the login ends."""
        while not self.has_ended.is_set():
            self.draw_time()
            self.setProperty("away", Text.AWAY() if self.attempt.is_away else "")
            try:
                item = self.attempt.news.get(timeout=0.25)
            except queue.Empty:
                continue
            if not isinstance(item, passd.Login):
                self.result = item
                if isinstance(item, passd.Outcome) and item.authenticated:
                    self.setProperty("title", Text.DONE())
                    self.setProperty("done", "yes")
                    self.has_ended.wait(DONE_FOR)
                return self.close()
            self.login = item
            self.draw()

    def end(self) -> None:
        self.has_ended.set()
        if self.follower is not None:
            self.follower.join()
        self.forget_picture()

    def draw(self) -> None:
        link, page = self.login.link, self.login.url
        # A link leads directly to the provider. If there is a link, but no page, the viewer has nothing to type.
        is_typed = page is not None or link is None
        # The address of a sandbox may work only on this machine, so that no phone can open it.
        is_here = self.login.is_local
        picture = None if is_here else (self.login.qr or {}).get("png")
        is_scanned_only = picture is not None and not is_typed
        address = re.sub(r"^https?://|\?.*", "", page or "") or Text.NO_ADDRESS() if is_typed else link or ""
        if is_here:
            open_this = Text.OPEN_HERE()
        else:
            open_this = Text.OPEN_WITHOUT_PICTURE() if picture is None else Text.OPEN()
        self.setProperty("about", self.attempt.about)
        self.setProperty("address", "" if is_scanned_only else address)
        self.setProperty("code", grouped(self.login.code or ""))
        self.setProperty("typed", "yes" if is_typed else "")
        self.setProperty("title", Text.CODE_TITLE_HERE() if is_here else Text.CODE_TITLE())
        self.setProperty("scan", "" if picture is None else Text.SCAN_ONLY() if is_scanned_only else Text.SCAN())
        self.setProperty("open", "" if is_scanned_only else open_this)
        self.draw_picture(picture)
        self.draw_time()

    def draw_picture(self, png: str | None) -> None:
        """Draws the QR code. Kodi shows only files. In a folder that it has read before, it does not see new files of other
        programs. So Kodi itself writes this file. Kodi must not cache the picture."""
        self.forget_picture()
        if png is not None:
            file, self.picture = tempfile.mkstemp(".png", "passd-", xbmcvfs.translatePath("special://temp/"))
            os.close(file)
            with xbmcvfs.File(self.picture, "w") as made:
                made.write(bytearray(base64.b64decode(png)))
            cast(xbmcgui.ControlImage, self.getControl(PICTURE)).setImage(self.picture, False)
        self.setProperty("picture", self.picture or "")

    def draw_time(self) -> None:
        left = self.login.seconds_left
        if left is not None:
            minutes, seconds = divmod(left, 60)
            self.setProperty("left", Text.LEFT(f"{minutes}:{seconds:02}"))

    def forget_picture(self) -> None:
        if self.picture is not None:
            xbmcvfs.delete(self.picture)
            self.picture = None
