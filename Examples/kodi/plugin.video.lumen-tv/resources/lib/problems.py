"""Errors in words for viewers. The errors themselves go to Kodi's log."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import passd
import xbmc
import xbmcgui

from .texts import Text

Result = TypeVar("Result")

# The codes of service faults in passd(7), and of connection faults in the library.
SERVICE_AWAY = re.compile(r"CFG404|CFG429|CFG5..|N500|P100|REG500|SEC420|Z120|Z500")
DAEMON_AWAY = re.compile(r"DISCONNECTED|TIMED_OUT|UNREACHABLE")
NOT_PERMITTED = re.compile(r"DENIED|FORBIDDEN|CFG400|SEC403")


class Problem(Exception):
    """A message for the viewer. `again` is the text of a button that tries once more. A title has room for forty letters, so no
    title contains a name."""

    def __init__(self, title: str, hint: str, again: Text | None = None) -> None:
        super().__init__(title, hint)
        self.title, self.hint, self.again = title, hint, again


class Cancelled(Exception):
    """The viewer has gone back, so there is no message."""


def problem(error: passd.PassdError) -> Problem:
    xbmc.log(f"passd: {error}", xbmc.LOGWARNING)
    display = error.data.get("display")
    if SERVICE_AWAY.fullmatch(error.code):
        title, hint, again = Text.SERVICE_AWAY(), Text.SERVICE_AWAY_HINT(), True
    elif DAEMON_AWAY.fullmatch(error.code):
        title, hint, again = Text.DAEMON_AWAY(), Text.DAEMON_AWAY_HINT(), True
    elif NOT_PERMITTED.fullmatch(error.code):
        title, hint, again = Text.NOT_PERMITTED(), Text.NOT_PERMITTED_HINT(), False
    else:
        title, hint, again = Text.TROUBLE(), Text.TROUBLE_HINT(), True
    return Problem(title, display if isinstance(display, str) else hint, Text.AGAIN if again else None)


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
            trouble = problem(error)
        if trouble.again is None:
            xbmcgui.Dialog().ok(trouble.title, trouble.hint)
            return None
        if not xbmcgui.Dialog().yesno(trouble.title, trouble.hint, nolabel=Text.BACK(), yeslabel=trouble.again(),
                                      defaultbutton=xbmcgui.DLG_YESNO_YES_BTN):
            return None
