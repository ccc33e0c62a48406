"""Figures that do not depend on the machine: system calls, allocations and switches per call, and the disk writes of a change
of the store."""
from __future__ import annotations

import collections
import contextlib
import re
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .box import APP, Box
from .calls import CHECK, SET_REQUESTOR, talk_with
from .figures import PASSD, Goal, Row
from .load import Load
from .machine import cores
from .programs import Programs

CALLS = 500


@dataclass(frozen=True)
class Counter:
    """The counter in a daemon; see load/counter.c."""

    library: Path
    file: Path

    @staticmethod
    def create(programs: Programs, folder: Path) -> Counter:
        file = folder / "counts"
        file.write_bytes(bytes(16))
        return Counter(programs.tools / "counter.so", file)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self.library), "COUNTER_FILE": str(self.file)}

    @property
    def allocations(self) -> int:
        return int(struct.unpack("=QQ", self.file.read_bytes())[0])

    @property
    def syncs(self) -> int:
        return int(struct.unpack("=QQ", self.file.read_bytes())[1])


class Trace:
    """The output of strace for a program. strace itself starts the program, so it needs no permission to attach to it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.read_until = 0

    @property
    def command(self) -> list[str]:
        # With -D, the program stays a child of this process. Only the names of calls are recorded.
        return ["strace", "-f", "-D", "-qq", "-s", "0", "-e", "signal=none", "-o", str(self.file)]

    def since_last(self) -> collections.Counter[str]:
        """The number of each system call since the last call of this method."""
        with self.file.open("rb") as file:
            file.seek(self.read_until)
            text = file.read()
        end = text.rfind(b"\n") + 1
        self.read_until += end
        return collections.Counter(name.decode() for name in re.findall(rb"^\d+ +(\w+)\(", text[:end], re.MULTILINE))


def warm_load(box: Box, *, core: set[int] | None = None) -> Load:
    """One client that has already made calls."""
    box.await_room(1)
    return Load(box.programs.tools, talk_with(box, first=(SET_REQUESTOR, CHECK)), cores=core, calls=CALLS, warm=0.1)


def system_calls(programs: Programs, folder: Path, service: Any) -> dict[str, float]:
    """The system calls of a warm call, by name."""
    folder.mkdir(mode=0o755)
    trace = Trace(folder / "trace")
    with Box(programs, folder / "traced", service) as box:
        box.start(before=trace.command)
        box.signed_in()
        with warm_load(box) as load:
            # Waits for the work after the login and the first calls.
            while trace.since_last():
                time.sleep(0.5)
            load.run()
            time.sleep(0.3)
            found = trace.since_last()
    return {name: count / CALLS for name, count in found.most_common() if count >= CALLS / 50}


def switches(box: Box) -> float:
    """The switches of a warm call, with server and client on one core, so that no other core must be woken."""
    core = {cores()[-1]}
    with box.system.pinned(core), warm_load(box, core=core) as load:
        before = box.system.switches()
        load.run()
        return (box.system.switches() - before) / CALLS


def allocations(box: Box, counter: Counter) -> float:
    with warm_load(box) as load:
        before = counter.allocations
        load.run()
        return (counter.allocations - before) / CALLS


@contextlib.contextmanager
def counted_box(programs: Programs, folder: Path, service: Any) -> Any:
    folder.mkdir(mode=0o755)
    counter = Counter.create(programs, folder)
    with Box(programs, folder / "box", service) as box:
        box.start(environment=counter.environment)
        yield box, counter


@dataclass(frozen=True)
class Change:
    """The disk writes of a change of the store."""

    syncs: int
    kib: float


def changes(box: Box, counter: Counter) -> dict[str, Change]:
    """The first setup of an app, a login and a logout. Afterwards nobody is signed in on the box."""
    found = {}

    def count(name: str, action: Any) -> None:
        syncs, written = counter.syncs, box.system.fields("io", "write_bytes")[0]
        action()
        # Work after the answer belongs to the action.
        time.sleep(0.3)
        found[name] = Change(counter.syncs - syncs, (box.system.fields("io", "write_bytes")[0] - written) / 1024)

    with box.client() as client:
        count("a registration", lambda: client.call("setRequestor", {"requestorID": APP}))
        count("a login", lambda: box.sign_in(client))
        count("a logout", lambda: client.call("logout"))
    return found


def rows(programs: Programs, folder: Path, service: Any) -> list[Row]:
    calls = system_calls(programs, folder / "trace", service)
    shown = ", ".join(f"{count:.2g} {name}" for name, count in calls.items())
    found = [Row("a warm call: system calls", "", {PASSD: [sum(calls.values())]}, goal=Goal("≤ 4", max=4), note=shown)]
    with counted_box(programs, folder / "count", service) as (box, counter):
        by_action = changes(box, counter)
        box.signed_in()
        found.append(Row("– allocations", "", {PASSD: [allocations(box, counter)]}))
    few = Goal("≤ 2", max=2)
    found += [Row(f"syncs: {action}", "", {PASSD: [change.syncs]}, goal=few) for action, change in by_action.items()]
    found += [Row(f"written: {action}", "KiB", {PASSD: [change.kib]}) for action, change in by_action.items()]
    return found
