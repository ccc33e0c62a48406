#!/usr/bin/env python3
"""Logouts while other apps log in and out. The service answers late. If an older answer arrives later, it must not undo an
acknowledged logout, and must not end an acknowledged login."""
from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

from lib.attack import Attack, run
from lib.box import Box, log_in_with_viewer
from lib.mean import Answer, Exchange, MeanServer
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import Sandbox

TIMEOUT = 20.0
APPS = ("CH01", "CH02", "CH03", "CH04")


@dataclass
class Schedule:
    """The start times of the actions, and the delays of the service's answers by kind; in seconds."""

    logout: float
    others: list[tuple[float, str, str]] = field(default_factory=list)
    delays: dict[str, float] = field(default_factory=dict)
    #: The delay before the service receives the requests.
    held: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        others = ", ".join(f"{what} {requestor} at {at * 1000:.0f} ms" for at, what, requestor in self.others)
        delays = ", ".join(f"{kind} {late * 1000:.0f} ms" for kind, late in self.delays.items())
        held = ", ".join(f"{kind} {late * 1000:.0f} ms" for kind, late in self.held.items())
        return (f"logout of CH01 at {self.logout * 1000:.0f} ms; {others}; answers late: {delays}; "
                f"questions late: {held}")


class Races:
    def __init__(self, attack: Attack, sandbox: Sandbox, number: int) -> None:
        self.attack = attack
        self.random = random.Random(f"races {attack.seed} {number}")
        self.sandbox = sandbox
        #: The older interface reads a login and the viewer's metadata in two calls.
        self.is_older = number >= 4
        self.logins = ("tokens/authn", "tokens/usermetadata") if self.is_older else ("profiles",)
        #: Whether a logout ends all logins of the box, or only those of the app's requestor.
        self.ends_all = number % 2 == 0
        self.server = MeanServer(sandbox.port)
        self.box = Box(attack, f"race{number}", self.server.origin, sandbox.statement(),
                       protocol="v1" if self.is_older else "v2",
                       more="[sign-on]\nplatform-identity = none\n"
                            f"logout-scope = {'device' if self.ends_all else 'requestor'}\n")
        self.schedule = Schedule(0)

    def late(self, exchange: Exchange) -> Answer:
        """The service makes the answer when it gets the request. The answer arrives later."""
        return Answer([(self.schedule.delays.get(exchange.what, 0.0), exchange.raw())])

    def go(self) -> None:
        while self.attack.left > 0:
            with self.box.running() as daemon:
                for _ in range(20):
                    if self.attack.left < 0:
                        break
                    try:
                        self.once(self.choose())
                    except (Gone, Late) as error:
                        self.attack.broken("no answer", f"{self.schedule}: {error} {daemon.crash() or ''}")
                        break

    def choose(self) -> Schedule:
        chance = self.random
        logout = chance.uniform(0, 0.1)
        others = [(chance.uniform(0, 0.2), chance.choice(("start", "login")), chance.choice(APPS))
                  for _ in range(chance.randrange(0, 3))]
        # Another program of the app acts during the logout or shortly before.
        others.append((max(0.0, logout + chance.uniform(-0.03, 0.15)), "start", "CH01"))
        delays = {kind: chance.choice((0.0, 0.03, 0.1, 0.25)) for kind in (*self.logins, "logout", "configuration")}
        held = {kind: chance.choice((0.0, 0.05, 0.2)) for kind in (*self.logins, "logout")}
        return Schedule(logout, sorted(others), delays, held)

    def once(self, schedule: Schedule) -> None:
        self.server.meanness = None
        for requestor in APPS[:3]:
            with self.box.client(timeout=TIMEOUT) as client:
                if not log_in_with_viewer(client, self.sandbox, requestor):
                    raise Gone(f"{requestor} could not log in")
        self.schedule = schedule
        #: Requestors that log in again after the logout began. They may be signed in.
        again: set[str] = set()
        failures: list[str] = []
        leaver = self.box.client(timeout=TIMEOUT)
        leaver.call("setRequestor", {"requestorID": "CH01"})
        self.server.meanness, self.server.held = self.late, schedule.held
        began = time.monotonic()

        def logout() -> None:
            with leaver:
                self.wait(began, schedule.logout)
                leaver.call("logout")

        def other(at: float, what: str, requestor: str) -> None:
            self.wait(began, at)
            try:
                with self.box.client(timeout=TIMEOUT) as client:
                    if what == "login":
                        again.add(requestor)
                        log_in_with_viewer(client, self.sandbox, requestor)
                    else:
                        client.call("setRequestor", {"requestorID": requestor})
            except Refusal:
                pass
            except (Gone, Late) as error:
                failures.append(f"{what} {requestor}: {error}")

        threads = [threading.Thread(target=other, args=each) for each in schedule.others]
        for thread in threads:
            thread.start()
        try:
            logout()
        except Refusal as error:
            failures.append(f"logout: {error}")
        for thread in threads:
            thread.join()
        self.server.meanness, self.server.held = None, {}
        self.attack.did("races over v1" if self.is_older else "races")
        for failure in failures:
            self.attack.broken("no answer", f"{schedule}: {failure}")
        # All answers have arrived by now.
        time.sleep(0.1)
        self.judge(schedule, again)

    def wait(self, began: float, at: float) -> None:
        time.sleep(max(0.0, began + at - time.monotonic()))

    def judge(self, schedule: Schedule, again: set[str]) -> None:
        """If the logout ends a requestor's login, the requestor may be signed in only with a newer login. All others must be
        signed in."""
        stored = {requestor for requestor, _ in self.box.look().logins}
        told = set()
        for requestor in APPS:
            with self.box.client(timeout=TIMEOUT) as client:
                if client.call("setRequestor", {"requestorID": requestor})["authenticated"]:
                    told.add(requestor)
        meant = set(APPS) if self.ends_all else {"CH01"}
        if undone := (stored | told) & meant - again:
            self.attack.broken("acknowledged logout undone", f"{schedule}: {sorted(undone)}")
        if ended := set(APPS[:3]) - meant - (stored & told):
            self.attack.broken("login ended", f"{schedule}: {sorted(ended)}")
        with self.box.admin(timeout=TIMEOUT) as admin:
            admin.call("passd.logoutAll")


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    try:
        races = [Races(attack, sandbox, number) for number in range(6)]
        threads = [threading.Thread(target=each.go) for each in races]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for each in races:
            each.server.close()
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("races", body, slice_seconds=25, full_seconds=1800)
