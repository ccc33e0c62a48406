"""The types as an app sees them. mypy --strict reads this file; it is never run."""

from typing import assert_type

import passd
from passd.protocol import MVPD, CheckAuthenticationResult, GetAuthorizationResult


def choose(providers: list[MVPD]) -> str | None:
    return providers[0]["id"] if providers else None


async def choose_later(providers: list[MVPD]) -> str | None:
    return choose(providers)


async def app() -> str | None:
    async with passd.Client("LUMENTV", limits=passd.Limits(calls=3)) as tv:
        leave = tv.on("setAuthenticationStatus", lambda status: print(status["status"], status["errorCode"]))
        tv.on("displayProviderDialog", lambda params: choose(params["providers"]))
        tv.on("reconnected", print)
        tv.on("setAuthenticatedStatus", print)  # type: ignore[call-overload]  # there is no such callback
        leave()
        outcome = await tv.sign_in(choose=choose_later, show=lambda login: print(login.code, login.seconds_left))
        assert_type(outcome.authenticated, bool)
        play = await tv.get_authorization("news", data={"a": "b"}, within=3)
        assert_type(play, GetAuthorizationResult)
        await tv.set_selected_provider(None)
        async for callback in tv.callbacks():
            print(callback.name)
        return play.get("token")


def blocking_app() -> CheckAuthenticationResult:
    try:
        with passd.BlockingClient("LUMENTV", options={"visitorID": "v"}) as tv:
            tv.sign_in(choose=choose, show=lambda login: print(login.url))
            for callback in tv.callbacks():
                print(callback.params)
            return tv.check_authentication()
    except passd.Refused as error:
        assert_type(error.number, int | None)
        raise
