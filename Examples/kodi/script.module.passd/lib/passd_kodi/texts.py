"""The numbers of the texts in strings.po, as clients/sentences.json has them."""

from __future__ import annotations

import enum

import xbmcaddon

ID = "script.module.passd"


class Text(enum.IntEnum):
    CHOOSE = 32000
    SEARCH = 32001
    TO_WATCH = 32002
    PROVIDER = 32003
    SEARCH_TITLE = 32004

    CODE_TITLE = 32010
    CODE_TITLE_HERE = 32011
    SCAN = 32012
    SCAN_ONLY = 32013
    OPEN = 32014
    OPEN_WITHOUT_PICTURE = 32015
    OPEN_HERE = 32016
    NO_ADDRESS = 32017
    LEFT = 32019

    ANOTHER = 32021
    NEW_CODE = 32022
    AGAIN = 32023
    BACK = 32024

    EXPIRED = 32030
    EXPIRED_HINT = 32031
    NOT_SIGNED_IN = 32032
    DENIED_HINT = 32033
    FAILED_HINT = 32034
    SERVICE_AWAY = 32035
    SERVICE_AWAY_HINT = 32036
    DAEMON_AWAY = 32037
    DAEMON_AWAY_HINT = 32038
    NOT_PERMITTED = 32039
    NOT_PERMITTED_HINT = 32040
    TROUBLE = 32041
    TROUBLE_HINT = 32042
    AWAY = 32043
    DONE = 32044

    def __call__(self, *values: str) -> str:
        return xbmcaddon.Addon(ID).getLocalizedString(self.value).format(*values)
