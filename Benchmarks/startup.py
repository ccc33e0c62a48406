#!/usr/bin/env python3
"""Measures how long a viewer waits for a play and for a code, alone and while four other apps start for the first time. Also
measures how long the TV takes after a login on a phone. Starts a pass-sandbox and a passd for each case, and prints two tables
in Markdown."""
from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "Tests/Hostile"))

from lib import viewer  # noqa: E402
from lib.box import code_in  # noqa: E402
from lib.rpc import Client, Refusal  # noqa: E402
from lib.sandbox import CABLE, PASSWORD, REQUESTORS, RESOURCE, USER, catalogue  # noqa: E402

#: The app of the signed-in viewer, an open app, a new app, and the apps that start together.
PLAYER, OPEN, NEW, *STARTERS = REQUESTORS[:7]
#: The seconds after which the rate limits of the service and of the daemon are at their start values again.
REFILL = 12
#: The last page of a login on a phone. The page is registered with the service, but not opened here.
LAST_PAGE = "http://localhost/done"


class Service:
    """A sandbox with the limits of the contract."""

    def __init__(self, programs: Path, folder: Path, *, one_time: bool = False, throttles: bool = True) -> None:
        world = catalogue()
        world["settings"]["throttle"] = {"rate": 1, "burst": 10, "oneTimeBurst": one_time}
        # One software statement for each app, and one for all of them.
        app = world["apps"][0]
        world["apps"] = [{**app, "id": "app-all"}, *(
            {**app, "id": f"app-{requestor}", "serviceProviders": [requestor]} for requestor in REQUESTORS)]
        path = folder / "catalogue.json"
        path.write_text(json.dumps(world), encoding="utf-8")
        self.process = subprocess.Popen(
            [programs / "pass-sandbox", "serve", "--listen", "127.0.0.1:0", "--catalog", path, "--seed", "1",
             *([] if throttles else ["--no-throttle"])],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout
        self.port = int(self.process.stdout.readline().decode().strip().rsplit(":", 1)[1].rstrip("/"))

    def log_in(self, code: str) -> None:
        viewer.log_in(self.port, code, CABLE, USER, PASSWORD)

    def scan(self, link: str, last: str) -> None:
        viewer.scan(self.port, link, last, USER, PASSWORD)

    def requests(self) -> int:
        """The number of the daemon's requests since the last call, without those of the viewer's browser."""
        found = viewer.control(self.port, "journal")["requests"]
        viewer.control(self.port, "journal", method="DELETE")
        pages = ("/api/v2/authenticate/", "/api/v1/authenticate")
        return sum(each["path"].startswith(("/api/", "/reggie/", "/o/client/")) and not each["path"].startswith(pages)
                   for each in found)

    def statement(self, requestor: str) -> str:
        return str(viewer.control(self.port, "statement", {"app": f"app-{requestor}"})["statement"])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


class Box:
    def __init__(self, programs: Path, folder: Path, service: Service, protocol: str) -> None:
        self.programs = programs
        self.folder = folder
        self.service = service
        self.socket = folder / "passd.sock"
        self.configuration = folder / "passd.conf"
        self.process: subprocess.Popen[bytes] | None = None
        (folder / "identity").write_text(hashlib.md5(str(folder).encode()).hexdigest() + "\n", encoding="utf-8")
        (folder / "apps.d").mkdir()
        for requestor in REQUESTORS[:7]:
            (folder / f"{requestor}.jwt").write_text(service.statement(requestor), encoding="utf-8")
        stanza = f"[app all]\nrequestors = {' '.join(REQUESTORS)}\nallow = user:{os.getuid()}\nmay = entitlement\n"
        (folder / "apps.d/apps.conf").write_text(stanza, encoding="utf-8")
        self.configuration.write_text(
            f"[daemon]\nsocket = {self.socket}\n[backend]\norigin = http://127.0.0.1:{service.port}\n"
            f"protocol = {protocol}\nredirect-url = app://back\nfinish-url = {LAST_PAGE}\ndomain-name = localhost\n[device]\nidentity = file:{folder}/identity\n"
            f"[storage]\ndirectory = {folder}/state\n[sign-on]\nplatform-identity = none\n", encoding="utf-8")

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.programs / "passd", "--config", self.configuration], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=(self.folder / "stderr").open("ab"))
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with contextlib.suppress(Exception), self.client() as client:
                client.call("passd.whoami")
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "stderr").read_text()[-500:])

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)
            self.process = None

    def client(self) -> Client:
        return Client(self.socket, timeout=60)

    def setup(self, requestor: str) -> dict[str, Any]:
        return {"requestorID": requestor, "softwareStatement": (self.folder / f"{requestor}.jwt").read_text()}

    def visit(self, requestor: str) -> None:
        with contextlib.suppress(Refusal), self.client() as client:
            client.call("setRequestor", self.setup(requestor))

    def visits(self, requestors: list[str]) -> list[threading.Thread]:
        """Apps that start together."""
        threads = [threading.Thread(target=self.visit, args=(requestor,)) for requestor in requestors]
        for thread in threads:
            thread.start()
        return threads


def play(client: Client) -> None:
    answer = client.call("getAuthorization", {"resource": RESOURCE})
    if "token" not in json.dumps(answer):
        raise RuntimeError(f"no play: {answer}")


def code(client: Client) -> None:
    answer = client.call("getAuthentication")
    if answer["state"] == "selectProvider":
        answer = client.call("setSelectedProvider", {"providerID": CABLE})
    if answer["state"] != "secondScreen":
        raise RuntimeError(f"no code: {answer}")


@dataclass(frozen=True)
class Case:
    """A row of the table, measured alone and while four apps start."""

    protocol: str
    burst: str
    box: str
    action: str


PLAY, OPEN_CODE, NEW_CODE = "a play", "a code in an open app", "a code in a new app"
CASES = [
    Case(protocol, burst, box, action)
    for protocol in ("v2", "v1") for burst in ("refills", "one-time") for box in ("restarted", "running")
    for action in (PLAY, OPEN_CODE, NEW_CODE)]


def sign_in(box: Box) -> None:
    with box.client() as client:
        client.call("setOptions", {"flow": "browser"})
        client.call("setRequestor", box.setup(PLAYER))
        client.call("getAuthentication")
        url = client.call("setSelectedProvider", {"providerID": CABLE})["url"]
        box.service.log_in(code_in(url))
        if not client.call("handleExternalURL", {"url": "app://back"})["authenticated"]:
            raise RuntimeError("the viewer is not signed in")


def prepare(box: Box, case: Case) -> None:
    """A viewer is signed in with one app, a second app is registered, and the rate limits are at their start values."""
    box.start()
    sign_in(box)
    box.visit(OPEN)
    time.sleep(REFILL)
    if case.box == "restarted":
        box.stop()
        box.start()
    else:
        time.sleep(REFILL)


def measure(programs: Path, case: Case, *, with_starts: bool) -> float:
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="startup-", dir=base) as folder:
        service = Service(programs, Path(folder), one_time=case.burst == "one-time")
        box = Box(programs, Path(folder), service, case.protocol)
        try:
            prepare(box, case)
            with box.client() as client:
                if case.action != NEW_CODE:
                    client.call("setRequestor", box.setup(PLAYER if case.action == PLAY else OPEN))
                    time.sleep(REFILL)
                starts = box.visits(STARTERS) if with_starts else []
                time.sleep(0.5)
                began = time.monotonic()
                if case.action == NEW_CODE:
                    # The next call waits for this call.
                    client.send("setRequestor", box.setup(NEW))
                if case.action == PLAY:
                    play(client)
                else:
                    code(client)
                took = time.monotonic() - began
                for thread in starts:
                    thread.join()
                return took
        finally:
            box.stop()
            service.close()


@dataclass(frozen=True)
class Scanned:
    """One login on a phone."""

    #: The seconds from the phone's last page to the callback in the app.
    seconds: float
    #: The number of requests from the app's call that starts the login to that callback.
    requests: int


def scan(programs: Path, protocol: str, seed: int) -> Scanned:
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="scan-", dir=base) as folder:
        service = Service(programs, Path(folder))
        box = Box(programs, Path(folder), service, protocol)
        try:
            box.start()
            with box.client() as client:
                client.call("setRequestor", box.setup(PLAYER))
                service.requests()
                client.call("getAuthentication")
                link = client.call("setSelectedProvider", {"providerID": CABLE})["link"]
                # Viewers need different times, and polls come every three seconds.
                time.sleep(random.Random(seed).uniform(6, 12))
                service.scan(link, LAST_PAGE)
                done = time.monotonic()
                await_login(client, done + 30)
                return Scanned(time.monotonic() - done, service.requests())
        finally:
            box.stop()
            service.close()


def await_login(client: Client, deadline: float) -> None:
    while True:
        message = client.callbacks.pop(0) if client.callbacks else client.message(deadline, "the login")
        if message.get("method") == "setAuthenticationStatus" and message["params"]["status"] == 1:
            return


def scans(programs: Path, count: int, together: int) -> None:
    print("\n| protocol | logins | phone done to TV done: median, s | p95, s | longest, s | requests | viewer's steps |")
    print("|---|---|---|---|---|---|---|")
    for protocol in ("v2", "v1"):
        with ThreadPoolExecutor(together) as pool:
            found = list(pool.map(lambda number: scan(programs, protocol, number), range(count)))
        seconds = sorted(each.seconds for each in found)
        p95 = seconds[max(0, -(-95 * len(seconds) // 100) - 1)]
        requests = statistics.median(each.requests for each in found)
        print(f"| {protocol} | {count} | {statistics.median(seconds):.2f} | {p95:.2f} | {seconds[-1]:.2f} | {requests:.0f} | "
              "scan, user and password |", flush=True)


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", help="where passd and pass-sandbox are; the release build, or else the debug build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scans", type=int, default=60, help="how many logins on a phone, over each protocol")
    parser.add_argument("--together", type=int, default=12, help="how many boxes are measured at the same time")
    arguments = parser.parse_args()
    built = [REPOSITORY / ".build" / kind for kind in ("release", "debug")]
    given = Path(arguments.programs).resolve() if arguments.programs else None
    programs = given or next((folder for folder in built if (folder / "passd").exists()), built[0])
    found: dict[tuple[Case, bool], list[float]] = {}
    jobs = []
    for number in range(arguments.rounds):
        one_round = [(case, starts) for case in CASES for starts in (False, True)]
        # The order is random. With the same order every time, a slow minute would always affect the same cases.
        random.Random(number).shuffle(one_round)
        jobs += one_round

    def run(job: tuple[Case, bool]) -> None:
        case, starts = job
        # Boxes that start at the same time would disturb each other.
        time.sleep(random.uniform(0, 3))
        try:
            took = measure(programs, case, with_starts=starts)
        except Exception as error:
            print(f"{case}, with starts {starts}: {error!r}", file=sys.stderr, flush=True)
            raise
        found.setdefault(job, []).append(took)

    with ThreadPoolExecutor(arguments.together) as pool:
        list(pool.map(run, jobs))
    if arguments.rounds:
        starts_table(found)
    scans(programs, arguments.scans, arguments.together)


def starts_table(found: dict[tuple[Case, bool], list[float]]) -> None:
    print("| protocol | service's burst | box | viewer waits for | alone, s | while four apps start, s | difference, s |")
    print("|---|---|---|---|---|---|---|")
    for case in CASES:
        alone, starting = found[case, False], found[case, True]
        difference = statistics.median(starting) - statistics.median(alone)
        print(f"| {case.protocol} | {case.burst} | {case.box} | {case.action} | {spread(alone)} | {spread(starting)} | "
              f"{difference:+.2f} |")


if __name__ == "__main__":
    main()
