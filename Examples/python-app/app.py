#!/usr/bin/env python3
"""Signs in, lists what may be watched, plays it, and signs in again after a logout. usage: app.py [PROVIDER]"""

import asyncio
import os
import sys

import passd

CHANNELS = ["lumen-sports-1", "lumen-movies", "lumen-trailers"]


async def choose(providers):
    print(*(f"{provider['id']}  {provider['displayName']}" for provider in providers), sep="\n")
    return (await asyncio.to_thread(input, "Your provider: ")).strip() or None


def show(login):
    device = "this machine" if login.is_local else "your phone"
    print(f"Open {login.link or login.url or 'the activation page'} on {device}. Code: {login.code}", flush=True)


async def main(provider=None):
    statement = os.environ.get("STATEMENT")  # not needed if the box has a stanza for this app
    async with passd.Client("LUMENTV", software_statement=statement, name="python-app") as tv:
        while True:
            outcome = await tv.sign_in(provider=provider, choose=choose, show=show)
            if not outcome.authenticated:
                sys.exit(outcome.display or "Not signed in.")
            callbacks = tv.callbacks()
            for item in (await tv.check_preauthorized_resources(CHANNELS))["resources"]:
                play = await tv.check_authorization(item)
                print(f"{item}:", f"token {play['token'][:9]}" if play["authorized"] else play["display"], flush=True)
            async for callback in callbacks:  # raises the reason if the session ends
                if callback.name == "setAuthenticationStatus" and not callback.params["status"]:
                    break
            callbacks.close()
            print("Signed out.", flush=True)


asyncio.run(main(*sys.argv[1:2]))
