"""Signs the viewer in: the list of providers, then the code and its QR code, until the phone has done its part.

The library waits for the viewer in a separate thread. It passes codes and lists through a queue, because a dialog of Kodi
blocks the thread that opens it.
"""

from __future__ import annotations

import base64
import os
import queue
import re
import tempfile
import threading
from typing import cast

import passd
import xbmcaddon
import xbmcgui
import xbmcvfs
from passd.protocol import MVPD

from .problems import Cancelled, Problem
from .quiet import wait_until_idle
from .texts import Text

CANCEL = 100
PICTURE = 101


def choose(providers: list[MVPD]) -> str | None:
    wait_until_idle()
    chosen = xbmcgui.Dialog().select(Text.CHOOSE(), [each["displayName"] for each in providers])
    return None if chosen < 0 else providers[chosen]["id"]


def sign_in(tv: passd.BlockingClient) -> None:
    """Returns once the viewer is signed in."""
    news: queue.SimpleQueue[passd.Login | passd.Outcome | passd.PassdError] = queue.SimpleQueue()

    def work() -> None:
        try:
            news.put(tv.sign_in(choose=choose, show=news.put))
        except passd.PassdError as error:
            news.put(error)

    worker = threading.Thread(target=work, name="sign-in")
    worker.start()
    try:
        first = news.get()
        result = show_codes(tv, first, news) if isinstance(first, passd.Login) else first
    finally:
        worker.join()
    if isinstance(result, passd.PassdError):
        raise result
    match result.outcome:
        case "authenticated":
            return
        case "cancelled":
            raise Cancelled
        case "expired":
            raise Problem(Text.EXPIRED(), result.display or Text.EXPIRED_HINT(), Text.NEW_CODE)
        case outcome:
            hint = Text.DENIED_HINT if outcome == "denied" else Text.FAILED_HINT
            raise Problem(Text.NOT_SIGNED_IN(), result.display or hint(), Text.AGAIN)


def show_codes(
    tv: passd.BlockingClient, login: passd.Login,
    news: queue.SimpleQueue[passd.Login | passd.Outcome | passd.PassdError],
) -> passd.Outcome | passd.PassdError:
    dialog = CodeDialog(login, news)
    try:
        wait_until_idle()
        dialog.doModal()
    finally:
        dialog.end()
    if dialog.result is None:
        tv.set_selected_provider(None)
    while dialog.result is None:
        if not isinstance(item := news.get(), passd.Login):
            dialog.result = item
    return dialog.result


class CodeDialog(xbmcgui.WindowXMLDialog):
    """A code on the screen. The dialog closes when the login has ended. If the viewer goes back, it closes without a result."""

    def __new__(cls, *_: object) -> CodeDialog:
        path = xbmcaddon.Addon().getAddonInfo("path")
        return super().__new__(cls, "lumen-code.xml", path, "Default", "1080i")

    def __init__(
        self, login: passd.Login, news: queue.SimpleQueue[passd.Login | passd.Outcome | passd.PassdError]
    ) -> None:
        super().__init__()
        self.login, self.news = login, news
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
        if controlId == CANCEL:
            self.close()

    def follow(self) -> None:
        """Draws the remaining time, and newer codes, until the login ends."""
        while not self.has_ended.is_set():
            self.draw_time()
            try:
                item = self.news.get(timeout=0.25)
            except queue.Empty:
                continue
            if not isinstance(item, passd.Login):
                self.result = item
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
        self.setProperty("address", "" if is_scanned_only else address)
        self.setProperty("code", self.login.code or "")
        self.setProperty("typed", "yes" if is_typed else "")
        self.setProperty("title", Text.SIGN_IN() if is_here else Text.CODE_TITLE())
        self.setProperty("scan", "" if picture is None else Text.SCAN_ONLY() if is_scanned_only else Text.SCAN())
        self.setProperty("open", "" if is_scanned_only else open_this)
        self.draw_picture(picture)
        self.draw_time()

    def draw_picture(self, png: str | None) -> None:
        """Draws the QR code. Kodi shows only files. In a folder that it has read before, it does not see new files of other
        programs. So Kodi itself writes this file. Kodi must not cache the picture."""
        self.forget_picture()
        if png is not None:
            file, self.picture = tempfile.mkstemp(".png", "lumen-", xbmcvfs.translatePath("special://temp/"))
            os.close(file)
            with xbmcvfs.File(self.picture, "w") as made:
                made.write(bytearray(base64.b64decode(png)))
            cast(xbmcgui.ControlImage, self.getControl(PICTURE)).setImage(self.picture, False)
        self.setProperty("picture", self.picture or "")

    def draw_time(self) -> None:
        left = self.login.seconds_left
        if left is not None:
            minutes, seconds = divmod(round(left), 60)
            self.setProperty("left", Text.LEFT(f"{minutes}:{seconds:02}"))

    def forget_picture(self) -> None:
        if self.picture is not None:
            xbmcvfs.delete(self.picture)
            self.picture = None
