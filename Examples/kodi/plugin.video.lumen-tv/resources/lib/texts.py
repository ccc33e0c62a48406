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

    AGAIN = 30030
    BACK = 30032
    REFUSED = 30033
    BLACKED_OUT = 30034
    TOKEN_REFUSED = 30044
    SERVER_AWAY = 30046

    ASK_SIGN_OUT = 30050
    ASK_SIGN_OUT_HINT = 30051
    STAY = 30052
    SIGNED_OUT = 30053
    REVOKED = 30054
    LOGIN_EXPIRED = 30055
    SIGNED_IN_BY_OTHER = 30056
    SIGNED_OUT_ELSEWHERE = 30057

    TV_PROVIDER = 30060
    NOT_SIGNED_IN = 30061
    FOR_ALL_APPS = 30062
    SIGNED_IN_UNTIL = 30063
    USED = 30065
    NOT_USED = 30066
    WAITS = 30067
    SIGN_OUT_EVERYWHERE = 30068
    NOT_SET_UP = 30069
    UNTOLD = 30078
    NOT_STORED = 30079
    ON_PLATFORM = 30080

    def __call__(self, *values: str) -> str:
        return xbmcaddon.Addon().getLocalizedString(self.value).format(*values)
