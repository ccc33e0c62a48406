"""Warm calls: their latency, throughput and cost for the server, and the latency of a quiet client beside busy ones."""
from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .box import APP, Box
from .figures import BUS, ECHO, PASSD, REDIS, Goal, Row
from .load import Load, Talk, result, run_tool
from .machine import cores
from .peers import Bus, Echo, Redis
from .process import Process
from .programs import Programs

SET_REQUESTOR = f'{{"jsonrpc":"2.0","id":"bench","method":"setRequestor","params":{{"requestorID":"{APP}"}}}}\\n'
CHECK = '{"jsonrpc":"2.0","id":"bench","method":"checkAuthentication","params":{}}\\n'
HELLO = '{"jsonrpc":"2.0","id":"bench","method":"passd.hello","params":{}}\\n'
ANSWER, WRONG = '"id":"bench"', '"error":'


def talk_with(box: Box, request: str = CHECK, *, first: tuple[str, ...] = (SET_REQUESTOR,)) -> Talk:
    return Talk(box.socket, request, ANSWER, WRONG, first)


def answer_of(box: Box) -> bytes:
    """All bytes that passd writes for one warm call, including callbacks."""
    with box.client() as client:
        client.call("setRequestor", {"requestorID": APP})
        client.call("checkAuthentication")
        client.socket.sendall(CHECK.replace("\\n", "\n").encode())
        found = b""
        while ANSWER.encode() not in found or not found.endswith(b"\n"):
            client.socket.settimeout(10)
            found += client.socket.recv(1 << 16)
        return found


@dataclass
class Field:
    """The servers of a run, all started, without clients."""

    programs: Programs
    box: Box
    echo: Echo
    redis: Redis
    bus: Bus

    @staticmethod
    def start(programs: Programs, folder: Path, box: Box) -> Field:
        talk, answer = talk_with(box), answer_of(box)
        started: list[Echo | Redis | Bus] = []
        try:
            started.append(echo := Echo(programs, folder / "echo", talk, answer))
            started.append(redis := Redis(folder / "redis", talk, answer))
            started.append(bus := Bus(programs, folder / "bus", CHECK.replace("\\n", ""), answer))
        except BaseException:
            for each in started:
                each.close()
            raise
        return Field(programs, box, echo, redis, bus)

    def close(self) -> None:
        for each in (self.echo, self.redis, self.bus):
            each.close()

    @property
    def talks(self) -> dict[str, tuple[Talk, Process]]:
        return {ECHO: (self.echo.talk, self.echo.system), REDIS: (self.redis.talk, self.redis.system),
                PASSD: (talk_with(self.box), self.box.system)}

    def load(self, server: str, *, cores: set[int] | None = None, **options: object) -> Load:
        talk, _ = self.talks[server]
        if server == PASSD:
            self.box.await_room(int(str(options.get("clients", 1))))
        return Load(self.programs.tools, talk, cores=cores, **options)


class Calls:
    def __init__(self, field: Field, seconds: float) -> None:
        self.field = field
        self.seconds = seconds
        one_core = "1 client, one core"
        self.latency = Row(f"{one_core}: p50", "µs", beside=ECHO, goal=Goal("≤ 1.5 × echo", max=1.5, of_ratio=True))
        self.alone = Row(f"{one_core}: server's CPU a call", "µs", goal=Goal("≤ 12", max=12))
        self.switches = Row(f"{one_core}: switches a call", "", goal=Goal("≤ 1", max=1.05))
        as_redis = Goal("≥ 0.8 × Redis", min=0.8, of_ratio=True)
        self.rates = {16: Row("16 clients", "calls/s", beside=REDIS, goal=as_redis),
                      200: Row("200 clients", "calls/s", beside=REDIS, goal=as_redis)}
        self.cost = Row("200 clients: server's CPU a call", "µs", beside=REDIS)
        self.quiet = {
            "alone": Row("a quiet client's p99: alone", "ms", beside=REDIS),
            "deep": Row("– beside one 64 deep", "ms", beside=REDIS, goal=Goal("≤ 2", max=2)),
            "many": Row("– beside 200 clients", "ms", beside=REDIS, goal=Goal("≤ 2", max=2))}

    @property
    def rows(self) -> list[Row]:
        return [self.latency, self.alone, self.switches, *self.rates.values(), self.cost, *self.quiet.values()]

    def round(self, number: int) -> None:
        """All servers and cases in a random order."""
        jobs: list[Callable[[], None]] = [self.measure_bus]
        for server in (ECHO, REDIS, PASSD):
            jobs += [lambda server=server: self.measure_one(server), lambda server=server: self.measure_many(server, 16),
                     lambda server=server: self.measure_many(server, 200),
                     *(lambda server=server, case=case: self.measure_quiet(server, case) for case in self.quiet)]
        random.Random(number).shuffle(jobs)
        for job in jobs:
            job()

    def measure_one(self, server: str) -> None:
        core = {cores()[-1]}
        system = self.field.talks[server][1]
        with system.pinned(core), self.field.load(server, cores=core, seconds=self.seconds) as load:
            switches, worked = system.switches(), system.processor_time()
            found = load.run()
            self.latency.add(server, found.p50)
            self.alone.add(server, (system.processor_time() - worked) / found.count * 1e6)
            self.switches.add(server, (system.switches() - switches) / found.count)

    def measure_bus(self) -> None:
        core = {cores()[-1]}
        bus = self.field.bus
        first, second = bus.systems
        with first.pinned(core), second.pinned(core):
            line = run_tool(self.field.programs.tools / "bus", "ask", bus.request, str(self.seconds),
                            environment=bus.environment, cores=core)
        self.latency.add(BUS, result(line).p50)

    def measure_many(self, server: str, clients: int) -> None:
        system = self.field.talks[server][1]
        with self.field.load(server, clients=clients, seconds=self.seconds) as load:
            worked = system.processor_time()
            found = load.run()
            self.rates[clients].add(server, found.rate)
            if clients == 200:
                self.cost.add(server, (system.processor_time() - worked) / found.count * 1e6)

    def measure_quiet(self, server: str, case: str) -> None:
        """One client that calls every millisecond. It has a process of its own. Other clients call without a pause."""
        loud = {"alone": {}, "deep": {"clients": 1, "depth": 64}, "many": {"clients": 200}}[case]
        with self.field.load(server, seconds=self.seconds, pause=0.001) as quiet:
            if not loud:
                found = quiet.run()
            else:
                with self.field.load(server, seconds=self.seconds + 0.3, warm=0.05, **loud) as others:
                    others.begin()
                    found = quiet.run()
                    others.result()
        self.quiet[case].add(server, found.p99 / 1000)
