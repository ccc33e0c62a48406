"""The numbers of the texts in strings.po, which has all texts except the provider's own words."""

from __future__ import annotations

import enum

import xbmcaddon


class Text(enum.IntEnum):
    SIGN_IN = 30000
    SIGN_OUT = 30001
    SIGNED_IN_WITH = 30002
    SIGNED_IN = 30003
    RELOAD = 30004

    FREE = 30010
    MAY_WATCH = 30011
    SIGN_IN_TO_WATCH = 30012
    UNAVAILABLE = 30013
    UNKNOWN = 30014

    CHOOSE = 30020
    CODE_TITLE = 30021
    SCAN = 30022
    OPEN = 30023
    OPEN_WITHOUT_PICTURE = 30024
    NO_ADDRESS = 30025
    TYPE = 30026
    LEFT = 30027
    CANCEL = 30028
    OPEN_HERE = 30029
    SCAN_ONLY = 30019

    AGAIN = 30030
    NEW_CODE = 30031
    BACK = 30032
    REFUSED = 30033
    BLACKED_OUT = 30034
    EXPIRED = 30035
    EXPIRED_HINT = 30036
    NOT_SIGNED_IN = 30037
    DENIED_HINT = 30038
    FAILED_HINT = 30039
    SERVICE_AWAY = 30040
    SERVICE_AWAY_HINT = 30041
    DAEMON_AWAY = 30042
    DAEMON_AWAY_HINT = 30043
    TOKEN_REFUSED = 30044
    NOT_PERMITTED_HINT = 30045
    SERVER_AWAY = 30046
    NOT_PERMITTED = 30047
    TROUBLE = 30048
    TROUBLE_HINT = 30049

    ASK_SIGN_OUT = 30050
    ASK_SIGN_OUT_HINT = 30051
    STAY = 30052
    SIGNED_OUT = 30053
    REVOKED = 30054
    LOGIN_EXPIRED = 30055
    SIGNED_IN_BY_OTHER = 30056

    def __call__(self, *values: str) -> str:
        return xbmcaddon.Addon().getLocalizedString(self.value).format(*values)
