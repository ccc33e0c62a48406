"""An idle minute in every state of a box: wakeups, writes, memory."""
from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lib.sandbox import RESOURCE

from .box import Box
from .calls import talk_with
from .figures import PASSD, Goal, Row
from .load import Load
from .process import Memory, WakeupCounter
from .programs import Programs


def sign_in(box: Box) -> None:
    box.signed_in()


def load(box: Box) -> None:
    box.signed_in()
    box.await_room(200)
    with Load(box.programs.tools, talk_with(box), clients=200, seconds=1) as clients:
        clients.run()


def play(box: Box) -> None:
    with box.app() as client:
        box.sign_in(client)
        if not client.call("getAuthorization", {"resource": RESOURCE}).get("token"):
            raise RuntimeError("no play")


STATES: dict[str, Callable[[Box], None]] = {
    "fresh": lambda box: None, "logged in": sign_in, "after load of 200 clients": load, "after a play": play}


class Idle:
    """All states in the same minute, each in its own box. There is no watchdog, so the daemon has no work at all."""

    def __init__(self, programs: Programs, folder: Path, service: Any, seconds: float) -> None:
        self.programs = programs
        self.folder = folder
        self.service = service
        self.seconds = seconds
        none = Goal("0", max=0)
        self.wakeups = {state: Row(f"wakeups in an idle minute: {state}", "", goal=none) for state in STATES}
        self.writes = Row("writes of files meanwhile, in all states", "", goal=none)
        self.resident = {"fresh": Row("RSS before the first request to the service", "MiB", goal=Goal("≤ 20", max=20)),
                         "logged in": Row("– after a login", "MiB", goal=Goal("≤ 24", max=24))}
        self.private = {"fresh": Row("private before the first request to the service", "MiB", goal=Goal("≤ 4", max=4)),
                        "logged in": Row("– after a login", "MiB", goal=Goal("≤ 4", max=4)),
                        "after load of 200 clients": Row("– after load of 200 clients", "MiB")}

    @property
    def rows(self) -> list[Row]:
        return [*self.wakeups.values(), self.writes, *self.resident.values(), *self.private.values()]

    def measure(self, beside: Mapping[str, Memory] | None = None) -> None:
        with contextlib.ExitStack() as stack:
            boxes = {}
            for number, (state, prepare) in enumerate(STATES.items()):
                box = stack.enter_context(Box(self.programs, self.folder / f"idle{number}", self.service))
                box.start(environment=box.readable)
                prepare(box)
                boxes[state] = box
            # Waits for the work after the last answers. Within 31 seconds of a load, passd has returned all memory.
            time.sleep(35)
            for state, box in boxes.items():
                memory = box.system.memory()
                if state in self.resident:
                    self.resident[state].add(PASSD, memory.resident / 1024)
                if state in self.private:
                    self.private[state].add(PASSD, memory.private / 1024)
            for server, memory in (beside or {}).items():
                self.resident["logged in"].add(server, memory.resident / 1024)
                self.private["logged in"].add(server, memory.private / 1024)
            counters = {state: WakeupCounter(box.system) for state, box in boxes.items()}
            written = sum(box.system.fields("io", "write_bytes")[0] for box in boxes.values())
            began = time.monotonic()
            while (elapsed := time.monotonic() - began) < self.seconds:
                time.sleep(min(5, self.seconds - elapsed))
                for counter in counters.values():
                    counter.update()
            minutes = (time.monotonic() - began) / 60
            for state, counter in counters.items():
                self.wakeups[state].add(PASSD, counter.total / minutes)
            self.writes.add(PASSD, sum(box.system.fields("io", "write_bytes")[0] for box in boxes.values()) - written)
