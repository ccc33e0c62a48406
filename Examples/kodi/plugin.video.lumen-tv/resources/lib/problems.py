"""Problems that the viewer is told, and may try again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import passd
import passd_kodi
import xbmcgui

from .texts import Text

Result = TypeVar("Result")


class Problem(Exception):
    """A message for the viewer. `again` is the text of a button that tries once more. A title has room for forty letters, so no
    title contains a name."""

    def __init__(self, title: str, hint: str, again: Text | None = None) -> None:
        super().__init__(title, hint)
        self.title, self.hint, self.again = title, hint, again


class Cancelled(Exception):
    """The viewer has gone back, so there is no message."""


def told(attempt: Callable[[], Result]) -> Result | None:
    """The result of an attempt, which the viewer may repeat; None if it failed and the viewer was told."""
    while True:
        try:
            return attempt()
        except Cancelled:
            return None
        except Problem as error:
            trouble = error
        except passd.PassdError as error:
            title, hint, is_final = passd_kodi.words(error)
            trouble = Problem(title, hint, None if is_final else Text.AGAIN)
        if trouble.again is None:
            xbmcgui.Dialog().ok(trouble.title, trouble.hint)
            return None
        if not xbmcgui.Dialog().yesno(trouble.title, trouble.hint, nolabel=Text.BACK(), yeslabel=trouble.again(),
                                      defaultbutton=xbmcgui.DLG_YESNO_YES_BTN):
            return None
