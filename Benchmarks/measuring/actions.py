"""The requests to the service that each action of a viewer causes."""
from __future__ import annotations

import collections
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib import viewer
from lib.sandbox import RESOURCE

from .box import APP, SECOND, Box
from .programs import Programs

#: The beginnings of paths that the viewer's browser does not request.
API = ("/api/", "/o/client/")


@dataclass(frozen=True)
class Action:
    name: str
    requests: list[str]
    #: The smallest number of requests that the protocol allows.
    minimum: int
    why: str


def journal(service: Any) -> list[str]:
    """The daemon's requests since the last call, without those of the viewer's browser."""
    # Requests after the answer belong to the action.
    time.sleep(0.5)
    found = viewer.control(service.port, "journal")["requests"]
    viewer.control(service.port, "journal", method="DELETE")
    which = re.compile(r"/(Cable|CH[0-9]+|(?<=code/)[A-Z0-9]+)(?=/|$)")
    return [f"{each['method']} {which.sub('/…', each['path'])}" for each in found if each["path"].startswith(API)]


def measure(programs: Programs, folder: Path, service: Any) -> list[Action]:
    """One box that does all actions. Its logins end in the app's own browser, so there is no polling."""
    found: list[Action] = []

    def record(name: str, minimum: int, why: str, action: Callable[[], Any]) -> None:
        action()
        found.append(Action(name, journal(service), minimum, why))

    with Box(programs, folder / "actions", service) as box:
        journal(service)
        record("the daemon starts, for the first time", 0, "", box.start)
        client = box.client()
        record("an app starts, for the first time", 3, "registration, token, who is signed in",
               lambda: client.call("setRequestor", box.setup(APP)))
        record("a viewer signs in", 3, "providers, code, who has signed in", lambda: box.sign_in(client))
        record("is the viewer signed in?", 0, "", lambda: client.call("checkAuthentication"))
        record("the first play", 2, "decision and media token, metadata that it may have changed",
               lambda: client.call("getAuthorization", {"resource": RESOURCE}))
        record("the same again", 1, "a media token is for one play",
               lambda: client.call("getAuthorization", {"resource": RESOURCE}))
        record("what may be played?", 1, "", lambda: client.call("checkPreauthorizedResources", {"resources": [RESOURCE]}))
        record("the same again", 0, "the answer is kept",
               lambda: client.call("checkPreauthorizedResources", {"resources": [RESOURCE]}))
        other = box.client()
        record("a second app starts, for the first time", 3, "as the first one",
               lambda: other.call("setRequestor", box.setup(SECOND)))
        other.close()
        client.close()
        box.stop()
        record("the daemon starts again", 0, "", box.start)
        client = box.client()
        record("the app starts again", 1, "who is signed in, after the answer",
               lambda: client.call("setRequestor", box.setup(APP)))
        record("the first play", 2, "as above", lambda: client.call("getAuthorization", {"resource": RESOURCE}))
        record("a logout", 1, "", lambda: client.call("logout"))
        client.close()
    return found


def table(actions: list[Action]) -> str:
    lines = ["| what a viewer does | requests | the fewest | which |", "|---|---|---|---|"]
    for action in actions:
        counted = collections.Counter(action.requests)
        which = ", ".join(f"`{name}`{f' ({count} times)' if count > 1 else ''}" for name, count in counted.items())
        minimum = f"{action.minimum}{f': {action.why}' if action.why else ''}"
        lines.append(f"| {action.name} | {len(action.requests)} | {minimum} | {which} |")
    return "\n".join(lines)
