"""Errors in words for viewers. The errors themselves go to Kodi's log."""

from __future__ import annotations

import re
from typing import NamedTuple

import passd
import xbmc

from .texts import Text

# The codes of service faults in passd(7), and of connection faults in the library.
SERVICE_AWAY = re.compile(r"CFG404|CFG429|CFG5..|N500|P100|REG500|SEC420|Z120|Z500")
DAEMON_AWAY = re.compile(r"DISCONNECTED|TIMED_OUT|UNREACHABLE")
NOT_PERMITTED = re.compile(r"DENIED|FORBIDDEN|CFG400|SEC403")


class Words(NamedTuple):
    """A message for the viewer. `is_final`: another attempt cannot succeed. A title has room for forty letters."""

    title: str
    hint: str
    is_final: bool = False


def words(error: passd.PassdError) -> Words:
    xbmc.log(f"passd: {error}", xbmc.LOGWARNING)
    if SERVICE_AWAY.fullmatch(error.code):
        result = Words(Text.SERVICE_AWAY(), Text.SERVICE_AWAY_HINT())
    elif DAEMON_AWAY.fullmatch(error.code):
        result = Words(Text.DAEMON_AWAY(), Text.DAEMON_AWAY_HINT())
    elif NOT_PERMITTED.fullmatch(error.code):
        result = Words(Text.NOT_PERMITTED(), Text.NOT_PERMITTED_HINT(), is_final=True)
    else:
        result = Words(Text.TROUBLE(), Text.TROUBLE_HINT())
    display = error.data.get("display")
    return result._replace(hint=display) if isinstance(display, str) else result
