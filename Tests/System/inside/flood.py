#!/usr/bin/env python3
"""Apps and strangers that flood every limit of the daemon at once, as root, with Tests/Hostile/lib in /box/hostile.

flood.py catalogue FILE     prints this catalogue of the sandbox, with the channels of the apps that flood
flood.py stanzas STATEMENT  prints the stanzas of these apps
flood.py login              logs them in
flood.py run SECONDS        floods until every limit has been reached, and HOLD seconds more; ends with 1 if that takes longer
                            than SECONDS
"""
from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, "/box/hostile")
from lib import abuse, box, rpc, sandbox, strangers  # noqa: E402

SOCKET, ADMIN_SOCKET = Path("/run/passd/passd.sock"), Path("/run/passd/admin.sock")
#: The seconds during which all limits stay reached.
HOLD = 20.0
#: Two users with waiting calls, one with partial messages, one that reads nothing, and one that subscribes and reconnects.
WAITER, OTHER_WAITER, HOARDER, DEAF, WATCHER = APPS = range(strangers.FIRST_USER, strangers.FIRST_USER + 5)
REQUESTORS = dict(zip(APPS, ("CH18", "CH17", "CH16", "CH15", "CH14")))
FIRST_STRANGER = strangers.FIRST_USER + 10
#: The limits of rpc.md §2 for the connections of a user and of all strangers.
CONNECTIONS, STRANGERS = 64, 256
#: The number of calls that must wait at the same time. Two users may have 512 calls. But a call ends after fifteen seconds, and
#: on a busy host this machine does not read so many calls within this time.
CALLS = 256


def hold(stranger: strangers.Stranger, text: Callable[[int], bytes], reads: bool = False) -> None:
    """Keeps the largest number of connections open, and replaces connections that the daemon closes. Sends a text on each
    connection. The text depends on the number of connections so far. Works slowly, because more speed would only load this
    machine."""
    unsent: dict[socket.socket, bytes] = {}
    while stranger.goes_on:
        while len(unsent) < CONNECTIONS:
            unsent[stranger.connect()] = text(stranger.done)
            stranger.did()
        for connection, rest in list(unsent.items()):
            try:
                if reads:
                    abuse.drain(connection)
                connection.setblocking(False)
                # A blank has no effect, but fails if the connection is closed.
                unsent[connection] = rest[connection.send(rest or b" "):]
            except BlockingIOError:
                pass
            except OSError:
                del unsent[connection]
                connection.close()
        time.sleep(1)


def waits(stranger: strangers.Stranger) -> None:
    """Many calls on each connection. They need more requests to the service than its limit allows in hours."""
    start = abuse.message("setRequestor", {"requestorID": REQUESTORS[os.getuid()]})
    hold(stranger, lambda number: start + b"".join(
        abuse.message("checkAuthorization", {"resource": f"{number}.{call}"}) for call in range(64)), reads=True)


def begins(stranger: strangers.Stranger) -> None:
    """An almost complete message on each connection. Together they exceed a user's memory limit."""
    hold(stranger, lambda number: b'{"id":"' + b"m" * (900_000 if number < CONNECTIONS else 0))


def reads_nothing(stranger: strangers.Stranger) -> None:
    """Two unread answers fill the kernel's buffer. An app requests more than its user's memory limit. Strangers send requests
    only on some connections, which the daemon closes after ten seconds."""
    question = abuse.message("rpc.discover", {})
    greedy = CONNECTIONS if os.getuid() < FIRST_STRANGER else 5
    hold(stranger, lambda number: question * (12 if number < greedy else 2))


#: The waiting calls come first, so that as many as possible are read before the first of them end.
WAITING: list[tuple[int, strangers.Work]] = [(WAITER, waits), (OTHER_WAITER, waits)]
#: Users that reach their memory limit.
HOARDING: list[tuple[int, strangers.Work]] = [(HOARDER, begins)]
#: Users that reach other limits.
TAKING: list[tuple[int, strangers.Work]] = [
    (DEAF, reads_nothing),
    *((FIRST_STRANGER + number, reads_nothing) for number in range(4)),
]
#: Users that keep the daemon busy.
BUSY: list[tuple[int, strangers.Work]] = [
    (WATCHER, abuse.requestor_floods),
    (WATCHER, abuse.deaf_subscribers),
    (WATCHER, abuse.connects_to_the_limit),
    (HOARDER, begins),
    (FIRST_STRANGER + 4, abuse.connects_to_the_limit),
]


def catalogue(path: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    more = sandbox.catalogue()
    # The logins that need no viewer.
    providers = {provider["id"]: provider for provider in more["providers"] if "tempPass" in provider}
    whole["programmers"] += more["programmers"]
    whole["providers"] += providers.values()
    whole["integrations"] += [each for each in more["integrations"] if each["provider"] in providers]
    whole["apps"] += more["apps"]
    return whole


def stanzas(statement: str) -> str:
    return "".join(
        f"[app flood-{requestor.lower()}]\nrequestors = {requestor}\nallow = user:{user}\nmay = entitlement observe\n"
        f"software-statement = file:{statement}\n" for user, requestor in REQUESTORS.items())


def log_in() -> None:
    for user in (WAITER, OTHER_WAITER, WATCHER):
        os.seteuid(user)
        with rpc.Client(SOCKET, timeout=60) as client:
            if not box.log_in(client, REQUESTORS[user]):
                sys.exit(f"nobody is signed in for {REQUESTORS[user]}")
        os.seteuid(0)


class Levels:
    """The highest numbers so far, as the operator sees them."""

    def __init__(self) -> None:
        self.connections = 0
        self.requests = 0

    def read(self, operator: rpc.Client) -> None:
        lines = operator.call("passd.metrics", {"format": "text"})["text"].splitlines()
        figures = dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
        self.connections = max(self.connections, int(figures["passd_sessions"]))
        self.requests = max(self.requests, int(figures["passd_queued_requests"]))

    def await_until(self, deadline: float, operator: rpc.Client, is_reached: Callable[[Levels], bool]) -> bool:
        while not is_reached(self):
            if time.monotonic() > deadline:
                return False
            time.sleep(1)
            self.read(operator)
        return True

    def __str__(self) -> str:
        return f"{self.connections} connections, {self.requests} requests that wait"


def run(seconds: float) -> None:
    abuse.OWN_REQUESTORS = REQUESTORS
    began = time.monotonic()
    levels = Levels()
    children, tally = strangers.start(SOCKET, WAITING, seconds + HOLD)
    with rpc.Client(ADMIN_SOCKET, timeout=60) as operator:
        is_reached = levels.await_until(began + seconds, operator, lambda levels: levels.requests >= CALLS)
        print(f"after {time.monotonic() - began:.0f} s: {levels}", flush=True)
        hoard, hoard_tally = strangers.start(SOCKET, HOARDING, seconds + HOLD)
        others, other_tally = strangers.start(SOCKET, TAKING, seconds + HOLD)
        children += hoard + others
        is_reached &= levels.await_until(
            began + seconds, operator, lambda levels: levels.connections >= 4 * CONNECTIONS + STRANGERS)
        print(f"after {time.monotonic() - began:.0f} s: {levels}", flush=True)
        # A connection was replaced after the daemon closed it: that user has reached its memory limit.
        is_reached &= levels.await_until(began + seconds, operator, lambda _: hoard_tally.sum > CONNECTIONS)
        print(f"after {time.monotonic() - began:.0f} s: {hoard_tally.sum} connections of the hoarder", flush=True)
        print("every limit is reached" if is_reached else "NOT every limit is reached", flush=True)
        busy, busy_tally = strangers.start(SOCKET, BUSY, HOLD)
        strangers.end(busy, HOLD + 5)
        levels.read(operator)
    strangers.end(children, 0)
    done = sum(each.sum for each in (tally, hoard_tally, other_tally, busy_tally))
    users = {user for user, _ in WAITING + HOARDING + TAKING + BUSY}
    print(f"{levels}, of {len(users)} users, who have done {done} things")
    sys.exit(0 if is_reached else 1)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["catalogue", path]:
            print(json.dumps(catalogue(path)))
        case ["stanzas", statement]:
            print(stanzas(statement), end="")
        case ["login"]:
            log_in()
        case ["run", seconds]:
            run(float(seconds))
        case _:
            sys.exit(__doc__)
