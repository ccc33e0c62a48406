"""Signs the viewer in: the list of providers, then the code and its QR code, until the phone has done its part.

The library waits for the viewer in a thread of its own, and what it wants to show comes through a queue, as a dialog of Kodi
occupies the thread that opens it.
"""

from __future__ import annotations

import os
import queue
import re
import struct
import tempfile
import threading
import zlib

import passd
import xbmcaddon
import xbmcgui
import xbmcvfs
from passd.protocol import MVPD

from .problems import Cancelled, Problem
from .texts import Text

CANCEL = 100


def choose(providers: list[MVPD]) -> str | None:
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
    """A code on the screen. The dialog closes when the login has ended, or when the viewer goes back: then without a result."""

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
        if self.follower is None:  # it is called again when another window was above
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
        """Draws the time that is left, and newer codes, until the login ends."""
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
        address = re.sub(r"^https?://|\?.*", "", self.login.url or "") or Text.NO_ADDRESS()
        self.setProperty("address", address)
        self.setProperty("code", self.login.code or "")
        self.draw_picture((self.login.qr or {}).get("matrix"))
        self.draw_time()

    def draw_picture(self, matrix: list[str] | None) -> None:
        """Kodi shows files only. Each code has another one, as Kodi remembers pictures by their names."""
        self.forget_picture()
        if matrix is not None:
            file, self.picture = tempfile.mkstemp(".png", "lumen-", xbmcvfs.translatePath("special://temp/"))
            with open(file, "wb") as made:
                made.write(png(matrix))
        self.setProperty("picture", self.picture or "")

    def draw_time(self) -> None:
        left = self.login.seconds_left
        if left is not None:
            minutes, seconds = divmod(round(left), 60)
            self.setProperty("left", Text.LEFT(f"{minutes}:{seconds:02}"))

    def forget_picture(self) -> None:
        if self.picture is not None:
            os.unlink(self.picture)
            self.picture = None


def png(matrix: list[str]) -> bytes:
    """The picture of a QR code, with a light margin."""
    margin, scale = 4, 10
    side = len(matrix) + 2 * margin
    rows = ["0" * side] * margin + ["0" * margin + row + "0" * margin for row in matrix] + ["0" * side] * margin
    lines = b"".join(
        (b"\0" + b"".join((b"\0\0\0" if module == "1" else b"\xff\xff\xff") * scale for module in row)) * scale for row in rows)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">2I5B", side * scale, side * scale, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
