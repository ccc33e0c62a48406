#!/usr/bin/env python3
"""Long lives at high speed. There are two boxes, one for each interface. Their clocks and the clock of the service run 120
times faster. Meanwhile, apps log in, play and log out, the configuration is reloaded, the service has outages, and clients are
killed. At the end, both boxes must have as much memory and as many descriptors as after the warm-up."""
from __future__ import annotations

import contextlib
import random
import signal
import threading
import time
from collections.abc import Mapping
from typing import Any

from lib import process, shim
from lib.attack import Attack, run
from lib.box import Box, Daemon, choose_pass
from lib.mean import MeanServer
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import CABLE, REQUESTORS, RESOURCE, Sandbox

SPEED = 120
#: A daemon needs some time until all its parts have been used once.
WARM_UP = 0.35
#: A line is fitted through all readings. It may rise by this many KiB and descriptors over the whole run. The daemon keeps
#: connections to seven services, so the number of descriptors changes a little at any time.
MAX_MEMORY = 5 * 1024
MAX_DESCRIPTORS = 8.0
MAX_READINGS = 20_000
WATCHDOG = 6.0
#: The seconds that a busy disk may need to answer a reload.
BUSY_DISK = 10.0
#: The number of services that an app may name besides the box's own.
SERVICES = 6
OUTAGES: list[dict[str, Any]] = [
    {"status": 503}, {"status": 500}, {"status": 429}, {"status": 401}, {"drop": True}, {"truncate": True},
    {"malformed": True}, {"delay": "1s"}, {"contentType": "text/html"}]
#: Pending outages. If there are more outages than requests that they can affect, they are cancelled.
MAX_FAULTS = 20
#: The paths that outages affect.
PATHS = {"v2": ["/api/v2/**"], "v1": ["/api/v1/**", "/reggie/v1/**"]}


class Life:
    """The life of one box, over one of the interfaces."""

    def __init__(self, attack: Attack, sandbox: Sandbox, box: Box, daemon: Daemon, services: list[str]) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.box = box
        self.daemon = daemon
        self.random = random.Random(f"longlife {attack.seed} {box.protocol}")
        self.services_there_are = services
        self.readings: list[tuple[float, process.Reading]] = []
        self.logins: set[tuple[str, str]] = set()

        self.actions = [
            self.log_in, self.log_in, self.play, self.play, self.play, self.menu, self.services, self.log_out,
            self.viewer, self.reload, self.outage, self.killed_client, self.operator, self.watch]

    def do_something(self) -> None:
        action = self.random.choice(self.actions)
        try:
            action()
            self.attack.did(action.__name__.replace("_", " "))
        except Refusal:
            # This is correct during an outage.
            self.attack.did("refusals")
        except (Gone, Late) as error:
            self.broken("no answer", f"{action.__name__}: {error} {self.daemon.crash() or ''}")
        self.attack.did(f"actions over {self.box.protocol}")
        if self.attack.has(WARM_UP):
            self.daemon.watch.forgive()
        elif self.daemon.is_alive():
            self.readings.append((time.monotonic(), process.read(self.daemon.pid)))
            if len(self.readings) > MAX_READINGS:
                del self.readings[::2]

    def broken(self, kind: str, what: str) -> None:
        self.attack.broken(kind, f"over {self.box.protocol}: {what}")

    def requestor(self) -> str:
        return self.random.choice(REQUESTORS[:12])

    def log_in(self) -> None:
        with self.box.client() as client:
            requestor = self.requestor()
            client.call("setRequestor", {"requestorID": requestor})
            choose_pass(client, requestor)

    def viewer(self) -> None:
        """A code on the screen, a viewer with a phone, and the daemon's polls until it learns of the login."""
        with self.box.client() as client:
            client.call("setRequestor", {"requestorID": REQUESTORS[self.random.randrange(12, 18)]})
            client.call("getAuthentication", {"forceAuthentication": True})
            answer = client.call("setSelectedProvider", {"providerID": CABLE})
            if "code" in answer and self.random.random() < 0.7:
                with contextlib.suppress(OSError, RuntimeError):
                    self.sandbox.log_in(answer["code"])
                with contextlib.suppress(Late):
                    client.message(time.monotonic() + 0.5)

    def play(self) -> None:
        with self.box.client(headers=True) as client:
            client.call("setRequestor", {"requestorID": self.requestor()})
            client.call("checkAuthorization", {"resource": RESOURCE})

    def services(self) -> None:
        """Names the same services in another order, then fewer of them, repeatedly."""
        with self.box.client() as client:
            chosen = self.random.sample(self.services_there_are, self.random.randrange(2, SERVICES + 1))
            client.call("setRequestor", {"requestorID": self.requestor(), "serviceProviders": chosen})

    def menu(self) -> None:
        with self.box.client() as client:
            client.call("setRequestor", {"requestorID": self.requestor()})
            client.call("preauthorize", {"resources": [RESOURCE, "none", f"other{self.random.randrange(1000)}"]})
            client.call("listProviders")
            client.call("listProfiles")

    def log_out(self) -> None:
        with self.box.client() as client:
            client.call("setRequestor", {"requestorID": self.requestor()})
            client.call("logout")

    def reload(self) -> None:
        if self.random.random() < 0.5:
            self.daemon.process.send_signal(signal.SIGHUP)
        with self.box.admin() as admin:
            # A file system has one second to answer. At this speed, a second is 8 ms, and a busy disk needs longer. So the
            # reload is tried again. The attacker `deadmount` tests the limit.
            deadline = time.monotonic() + BUSY_DISK
            answer = admin.call("passd.reload")
            while time.monotonic() < deadline and any(
                    problem.endswith("its file system does not answer") for problem in answer["problems"]):
                time.sleep(0.05)
                answer = admin.call("passd.reload")
            if not answer["applied"]:
                self.broken("reload refused", f"of a configuration that has not changed: {answer['problems']}")

    def outage(self) -> None:
        fault = {"count": self.random.randrange(1, 8), **self.random.choice(OUTAGES)}
        faults = [{"match": f"* {path}", **fault} for path in PATHS[self.box.protocol]]
        scripted = self.sandbox.control("faults", {"faults": faults})["faults"]
        if scripted > MAX_FAULTS:
            self.sandbox.control("faults", method="DELETE")

    def killed_client(self) -> None:
        client = self.box.client()
        client.call("setRequestor", {"requestorID": self.requestor()})
        client.send("checkAuthorization", {"resource": RESOURCE})
        client.socket.send(b'{"jsonrpc":')
        client.close()

    def operator(self) -> None:
        with self.box.admin() as admin:
            for method in ("passd.status", "passd.sessions", "passd.tokens", "passd.metrics", "passd.doctor",
                           "passd.decisions", "passd.configuration"):
                admin.call(method)

    def watch(self) -> None:
        with self.box.admin() as admin:
            admin.call("passd.subscribe")
            self.play()

    def judge(self) -> None:
        if not self.daemon.is_alive():
            self.broken("daemon dead", self.daemon.crash() or str(self.daemon.process.returncode))
            return
        if len(self.readings) < 50:
            self.broken("too few readings", str(len(self.readings)))
            return
        took = self.readings[-1][0] - self.readings[0][0]
        memory = process.slope([(at, reading.memory) for at, reading in self.readings]) * took
        descriptors = process.slope([(at, reading.descriptors) for at, reading in self.readings]) * took
        first, last = self.readings[0][1], self.readings[-1][1]
        self.attack.figures[f"over {self.box.protocol} after warm-up"] = f"({first}), at the end ({last})"
        self.attack.figures[f"rise over {self.box.protocol}"] = f"{memory:.0f} KiB, {descriptors:.1f} descriptors"
        if memory > MAX_MEMORY:
            self.broken("memory rises", f"by {memory:.0f} KiB in {took * SPEED / 3600:.1f} hours")
        if descriptors > MAX_DESCRIPTORS:
            self.broken("descriptors rise", f"by {descriptors:.1f} in {took * SPEED / 3600:.1f} hours")
        if self.daemon.watch.longest_gap > WATCHDOG:
            self.broken("watchdog missed", f"nothing for {self.daemon.watch.longest_gap:.1f} s")

    def end(self) -> None:
        if self.daemon.is_alive():
            self.logins = self.box.look().logins
            if self.daemon.stop() != 0:
                self.broken("does not end", f"{self.daemon.process.returncode}")

    def begin_again(self, environment: Mapping[str, str]) -> None:
        with self.box.running(environment=environment):
            if self.box.look().logins != self.logins:
                self.broken("login lost", "by a restart at the end of its life")


def live(lives: list[Life]) -> None:
    chance = random.Random(f"longlife {lives[0].attack.seed}")
    while lives[0].attack.left > 0 and all(life.daemon.is_alive() for life in lives):
        chance.choice(lives).do_something()


def body(attack: Attack) -> None:
    library = shim.build(attack)
    orders = shim.Orders(library, attack.folder / "orders", attack.folder / "nothing", speed=SPEED)
    sandbox = Sandbox(attack, environment=orders.environment)
    # The same service at several addresses.
    others = [MeanServer(sandbox.port) for _ in range(SERVICES)]
    origins = [other.origin for other in others]
    try:
        boxes = [Box(attack, f"life {protocol}", sandbox.origin, sandbox.statement(), watchdog=WATCHDOG * SPEED,
                     protocol=protocol, backend=f"service-providers = {' '.join(origins)}\n") for protocol in PATHS]
        with contextlib.ExitStack() as stack:
            daemons = [stack.enter_context(box.running(environment=orders.environment)) for box in boxes]
            lives = [Life(attack, sandbox, *life, origins) for life in zip(boxes, daemons, strict=True)]
            # In a slice, other attackers run at the same time, so the two boxes take turns.
            threads = [threading.Thread(target=live, args=(group,))
                       for group in ([[life] for life in lives] if attack.full else [lives])]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            attack.figures["simulated hours"] = f"{(time.monotonic() - attack.began) * SPEED / 3600:.1f}"
            for life in lives:
                life.judge()
            for life in lives:
                life.end()
        for life in lives:
            if not attack.broke:
                life.begin_again(orders.environment)
    finally:
        for other in others:
            other.close()
        sandbox.close()


if __name__ == "__main__":
    # Seventy-two hours and a little more.
    run("longlife", body, slice_seconds=40, full_seconds=73 * 3600 / SPEED)
