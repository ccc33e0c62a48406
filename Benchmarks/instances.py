#!/usr/bin/env python3
"""Measures a hundred instances of passd on one host: their starts, their memory, and their wakeups in an idle minute. The
instances are plain processes without a service manager. Each has its own directories, and all share a pass-sandbox. Prints
tables in Markdown. Takes some three minutes."""
from __future__ import annotations

import argparse
import os
import resource
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "Tests/Hostile"))

from lib.box import code_in  # noqa: E402
from lib.rpc import Client  # noqa: E402
from lib.sandbox import CABLE, REQUESTORS  # noqa: E402
from measuring.process import Process, WakeupCounter  # noqa: E402
from startup import Service  # noqa: E402

APP = REQUESTORS[0]
#: The watchdog of the service manager, which wakes an idle daemon.
WATCHDOG = {"WATCHDOG_USEC": "30000000"}


class Instance:
    def __init__(self, programs: Path, folder: Path, number: int, service: Service) -> None:
        self.programs = programs
        self.service = service
        self.name = f"box{number:03d}"
        self.folder = folder / self.name
        (self.folder / "apps.d").mkdir(parents=True)
        (self.folder / "app.jwt").write_text(service.statement(APP), encoding="utf-8")
        (self.folder / "apps.d/app.conf").write_text(
            f"[app app]\nrequestors = {APP}\nsoftware-statement = file:{self.folder}/app.jwt\n"
            f"allow = user:{os.getuid()}\n", encoding="utf-8")
        (self.folder / "passd.conf").write_text(
            f"[daemon]\nsocket = {self.folder}/passd.sock\n[backend]\norigin = http://127.0.0.1:{service.port}\n"
            f"redirect-url = app://back\n[storage]\ndirectory = {self.folder}/state\n", encoding="utf-8")
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(self.folder / "notices"))
        self.process: subprocess.Popen[bytes] | None = None
        self.app: Client | None = None
        self.began = 0.0

    def start(self) -> None:
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [self.programs / "passd", "--instance", self.name, "--config", self.folder / "passd.conf"],
            env={**os.environ, **WATCHDOG, "NOTIFY_SOCKET": str(self.folder / "notices")}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=(self.folder / "stderr").open("ab"))

    def stop(self) -> None:
        if self.app:
            self.app.close()
            self.app = None
        if self.process:
            self.process.send_signal(signal.SIGTERM)

    def ended(self) -> None:
        if self.process:
            self.process.wait(60)
            self.process = None

    def sign_in(self) -> None:
        """A viewer signs in, and the app stays connected."""
        self.app = Client(self.folder / "passd.sock", timeout=60)
        self.app.call("setOptions", {"flow": "browser"})
        self.app.call("setRequestor", {"requestorID": APP})
        self.app.call("getAuthentication")
        url = self.app.call("setSelectedProvider", {"providerID": CABLE})["url"]
        self.service.log_in(code_in(url))
        if not self.app.call("handleExternalURL", {"url": "app://back"})["authenticated"]:
            raise RuntimeError(f"{self.name}: the viewer is not signed in")

    @property
    def system(self) -> Process:
        assert self.process
        return Process(self.process.pid)


def await_ready(instances: list[Instance]) -> list[float]:
    """Returns the time until each instance was ready, in milliseconds."""
    took: list[float] = []
    waiting = {instance.notices.fileno(): instance for instance in instances}
    deadline = time.monotonic() + 120
    while waiting:
        readable, _, _ = select.select(list(waiting), [], [], max(0, deadline - time.monotonic()))
        if not readable:
            slow = next(iter(waiting.values()))
            raise RuntimeError(f"{slow.name} is not ready: {(slow.folder / 'stderr').read_text()[-500:]}")
        for number in readable:
            if b"READY=1" in waiting[number].notices.recv(4096).splitlines():
                took.append((time.monotonic() - waiting[number].began) * 1000)
                del waiting[number]
    return took


def start(instances: list[Instance]) -> tuple[float, list[float]]:
    """Starts all instances at once. Returns the time of all together and of each, in milliseconds."""
    for instance in instances:
        while select.select([instance.notices], [], [], 0)[0]:
            instance.notices.recv(4096)
    began = time.monotonic()
    for instance in instances:
        instance.start()
    took = await_ready(instances)
    return (time.monotonic() - began) * 1000, took


def stop(instances: list[Instance]) -> None:
    for instance in instances:
        instance.stop()
    for instance in instances:
        instance.ended()


class Listening:
    """Reads the daemons' messages to the service manager, so that no daemon blocks."""

    def __init__(self, instances: list[Instance]) -> None:
        self.instances = instances
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.listen)

    def listen(self) -> None:
        sockets = [instance.notices for instance in self.instances]
        while not self.is_over.is_set():
            for readable in select.select(sockets, [], [], 1)[0]:
                readable.recv(4096)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self.thread.join()


@dataclass(frozen=True)
class Quiet:
    """The costs of idle instances: medians for one, and sums for all."""

    pss: list[int]
    private: list[int]
    resident: list[int]
    tasks: list[int]
    wakeups: list[float]
    processor: list[float]

    @staticmethod
    def look(instances: list[Instance], seconds: float) -> Quiet:
        time.sleep(5)
        counts = [WakeupCounter(instance.system) for instance in instances]
        worked, began = [each.system.processor_time() for each in instances], time.monotonic()
        while (elapsed := time.monotonic() - began) < seconds:
            # The count of a thread is lost when the thread ends.
            time.sleep(min(5, seconds - elapsed))
            for count in counts:
                count.update()
        minutes = (time.monotonic() - began) / 60
        memory = [each.system.memory() for each in instances]
        return Quiet(
            pss=[each.proportional for each in memory], private=[each.private for each in memory],
            resident=[each.resident for each in memory], tasks=[len(each.system.threads()) for each in instances],
            wakeups=[count.total / minutes for count in counts],
            processor=[(each.system.processor_time() - earlier) / minutes * 1000
                       for each, earlier in zip(instances, worked)])

    def row(self, state: str) -> str:
        of_one = [statistics.median(values) for values in (self.pss, self.private, self.resident)]
        return (f"| {state} | {' | '.join(f'{kib / 1024:.1f}' for kib in of_one)} | {sum(self.pss) / 1024:.0f} | "
                f"{statistics.median(self.tasks):.0f} | {statistics.median(self.wakeups):.0f} | {sum(self.wakeups):.0f} | "
                f"{statistics.median(self.processor):.1f} | {sum(self.processor):.0f} |")


def start_row(what: str, together: float | None, each: list[float]) -> str:
    return (f"| {what} | {statistics.median(each):.0f} | {max(each):.0f} | "
            f"{'–' if together is None else f'{together:.0f}'} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", help="where passd and pass-sandbox are; the release build, or else the debug build")
    parser.add_argument("--count", type=int, default=100, help="how many instances (default 100)")
    parser.add_argument("--seconds", type=float, default=60, help="how long they are left alone (default 60)")
    arguments = parser.parse_args()
    built = [REPOSITORY / ".build" / kind for kind in ("release", "debug")]
    given = Path(arguments.programs).resolve() if arguments.programs else None
    programs = given or next((folder for folder in built if (folder / "passd").exists()), built[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    instances: list[Instance] = []
    with tempfile.TemporaryDirectory(prefix="instances-") as folder:
        service = Service(programs, Path(folder), throttles=False)
        try:
            instances = [Instance(programs, Path(folder), number, service) for number in range(arguments.count)]
            alone = []
            for _ in range(5):
                alone += start(instances[:1])[1]
                stop(instances[:1])
            print("| start of | median, ms | slowest, ms | all together, ms |\n|---|---|---|---|")
            print(start_row("one alone, five times", None, alone))
            print(start_row(f"{arguments.count} at once, for the first time", *start(instances)), flush=True)
            with Listening(instances):
                signed_out = Quiet.look(instances, arguments.seconds)
                for instance in instances:
                    instance.sign_in()
                signed_in = Quiet.look(instances, arguments.seconds)
            stop(instances)
            print(start_row(f"{arguments.count} at once, with a login each", *start(instances)))
            print("\n| idle | PSS, MiB | private, MiB | RSS, MiB | PSS of all, MiB | threads | wakeups a minute | of all | "
                  "processor time a minute, ms | of all |\n|---|---|---|---|---|---|---|---|---|---|")
            print(signed_out.row("nobody signed in"))
            print(signed_in.row("a viewer signed in, an app connected"))
        finally:
            stop(instances)
            service.close()


if __name__ == "__main__":
    main()
