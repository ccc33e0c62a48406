"""What add-ons for Kodi need besides passd's library: a dialog for signing in, and words for errors.

Import this module before asyncio and passd.
"""

from __future__ import annotations

from . import interpreter as interpreter  # first
from .dialogs import sign_in as sign_in
from .problems import Words as Words, words as words
from .quiet import BUSY as BUSY, wait_until_idle as wait_until_idle
