"""Many clients: their connection time, the cost of a further connection, and the memory of idle clients."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .box import Box
from .calls import CHECK, HELLO, SET_REQUESTOR, Field, talk_with
from .figures import ECHO, PASSD, REDIS, Goal, Row
from .load import Load, Talk, reconnecting
from .machine import cores
from .peers import Echo, Redis
from .process import Process
from .programs import Programs

#: Only root has enough users, because passd lets a user open 256 connections at once.
IS_ROOT = os.getuid() == 0
MANY, IDLE = (10_000, 1_000) if IS_ROOT else (200, 200)
#: The users of the many clients, and of the clients beside them.
THE_MANY, THE_OTHERS = Box.CROWD[:40], Box.CROWD[40:]
CALLS = 250


class Connections:
    def __init__(self, programs: Programs, folder: Path, service: Any, field: Field) -> None:
        self.programs = programs
        self.folder = folder
        self.service = service
        self.field = field
        note = "" if IS_ROOT else "only as root can there be 10,000"
        self.connect = Row(f"{MANY:,} clients connect, with one call each", "s", beside=REDIS, note=note)
        self.growth = Row("– the last tenth of them, to the first", "×")
        as_redis = Goal("≤ 2 × Redis", max=2, of_ratio=True)
        self.reconnect = Row("connect, one call, close, one core: p50", "µs", beside=REDIS, goal=as_redis)
        self.beside_many = Row(f"– beside {MANY:,} clients", "µs", beside=REDIS)
        self.constant = Row("– to the former", "×", goal=Goal("constant", max=1.25))
        self.idle = {
            "connected": Row("an idle client's private memory: connected", "KiB"),
            "requestor": Row("– with a requestor", "KiB"),
            "check": Row("– after a check", "KiB", goal=Goal("≤ 2", max=2))}

    @property
    def rows(self) -> list[Row]:
        return [self.connect, self.growth, self.reconnect, self.beside_many, self.constant, *self.idle.values()]

    def round(self) -> None:
        number = len(self.connect.figures.get(PASSD, []))
        with Box(self.programs, self.folder / f"crowd{number}", self.service, has_crowd=IS_ROOT) as box:
            box.start()
            self._crowd(box)
            for state, first in {"connected": (), "requestor": (SET_REQUESTOR,), "check": (SET_REQUESTOR, CHECK)}.items():
                # Starts a new daemon, because an old daemon would reuse the memory of earlier clients.
                box.stop()
                box.start(environment=box.readable)
                if first:
                    box.signed_in()
                self._idle(PASSD, self.idle[state], box, talk_with(box, HELLO, first=first))
        talk = talk_with(box)
        silent = Talk(talk.socket, talk.request, talk.answer, talk.wrong)
        # The shared servers already had clients.
        start: dict[str, Callable[[], Echo | Redis]] = {
            ECHO: lambda: Echo(self.programs, self.folder / f"echo-{number}", silent, b"x\n"),
            REDIS: lambda: Redis(self.folder / f"redis-{number}", silent, b"x")}
        for server, make in start.items():
            with contextlib.closing(make()) as peer:
                self._idle(server, self.idle["connected"], peer, peer.talk)

    def _crowd(self, box: Box) -> None:
        """Every server with many clients, and with one client that connects and disconnects."""
        tools = self.programs.tools
        for server in (ECHO, REDIS, PASSD):
            is_ours = server == PASSD
            talk = talk_with(box, HELLO, first=(HELLO,)) if is_ours else self.field.talks[server][0]
            alone = Talk(talk.socket, talk.request, talk.answer, talk.wrong)
            many, others = (THE_MANY, THE_OTHERS) if is_ours and IS_ROOT else (None, None)
            if is_ours and not IS_ROOT:
                box.await_room(CALLS)
            before = self._reconnecting(server, box, alone, others)
            if is_ours and not IS_ROOT:
                box.await_room(MANY)
            with Load(tools, talk, clients=MANY, users=many, seconds=0, warm=0) as load:
                self.connect.add(server, load.opened["seconds"])
                self.growth.add(server, load.opened["last_tenth_to_first"])
                if is_ours and not IS_ROOT:
                    box.await_room(CALLS)
                beside = self._reconnecting(server, box, alone, others)
            self.reconnect.add(server, before)
            self.beside_many.add(server, beside)
            self.constant.add(server, beside / before)

    def _reconnecting(self, server: str, box: Box, talk: Talk, users: range | None) -> float:
        """Runs on one core, like the latency of a call."""
        core = {cores()[-1]}
        system = box.system if server == PASSD else self.field.talks[server][1]
        with system.pinned(core):
            return reconnecting(self.programs.tools, talk, CALLS, cores=core, users=users).p50

    def _idle(self, server: str, row: Row, asked: Box | Echo | Redis, talk: Talk) -> None:
        def load(count: int) -> Load:
            users = THE_MANY if isinstance(asked, Box) and IS_ROOT else None
            if isinstance(asked, Box) and not IS_ROOT:
                asked.await_room(count)
            return Load(self.programs.tools, talk, clients=count, users=users, seconds=0, warm=0, opening=1)

        row.add(server, memory_of_a_client(asked.system, IDLE, load))


def memory_of_a_client(system: Process, count: int, load: Callable[[int], Load]) -> float:
    """The memory of an idle client in KiB. Fifty other clients connect first, and use free memory from earlier work. Clients
    must connect one after the other. If many connect at once, the daemon does not release all memory that it used for this."""
    with load(50):
        # For the first clients, the daemon also sends requests to the service.
        system.await_quiet()
        before = system.memory().private
        with load(count):
            system.await_quiet()
            return (system.memory().private - before) / count
