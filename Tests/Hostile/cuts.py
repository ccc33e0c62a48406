#!/usr/bin/env python3
"""Simulates power cuts. A cut is a kill that also loses some or all unsynced data, as may happen on a file system with a
journal. Each kind of commit is done once, and its system calls are recorded. Then the power is cut after each of these calls.
Another box has many kills and cuts while apps log in, play and log out. All acknowledged changes must be there afterwards."""
from __future__ import annotations

import copy
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kills import STEPS, UPGRADES, AnyMoment, Model, Step, any_protocol, examine, login
from lib import disk, mounts
from lib.attack import Attack, CannotRun, run
from lib.box import Box, Daemon, log_in
from lib.mounts import Ext4
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import Sandbox


def acknowledged_at(events: list[disk.Event], began: int, ended: int) -> int:
    """The number of events before the last answer that was sent by this time."""
    said = [number for number, event in enumerate(events)
            if began <= event.end <= ended and event.kind == disk.SAID and b'"jsonrpc"' in event.data
            and b'"id":' in event.data]
    return said[-1] if said else sum(1 for event in events if event.end <= ended)


@dataclass(frozen=True)
class Trouble:
    """A store that the next start must repair. The power is cut during the repair."""

    name: str
    spoil: Callable[[Box, random.Random], None]
    #: The operator's action before the next start.
    help: Callable[[Box], None] = lambda _: None


def bend(box: Box, chance: random.Random) -> None:
    file = box.state / "passd.db"
    content = bytearray(file.read_bytes())
    page = chance.randrange(1, len(content) // disk.PAGE)
    content[page * disk.PAGE : (page + 1) * disk.PAGE] = bytes(disk.PAGE)
    file.write_bytes(content)


def take_key(box: Box, _: random.Random) -> None:
    (box.state / "passd.key").rename(box.folder / "passd.key")


def bring_key(box: Box) -> None:
    if box.state.exists():
        shutil.copy(box.folder / "passd.key", box.state / "passd.key")


def live_without_key(box: Box, chance: random.Random) -> None:
    take_key(box, chance)
    with box.running():
        pass
    bring_key(box)


TROUBLES = [
    Trouble("bent store", bend),
    Trouble("key gone", take_key, bring_key),
    Trouble("key back", live_without_key),
]


class EveryCall:
    """For each kind of commit, the power is cut after its first call, after its second, and so on."""

    def __init__(self, attack: Attack, sandbox: Sandbox, library: Path) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.library = library
        self.statement = sandbox.statement()

    def go(self, share: float) -> None:
        steps = (*STEPS, *UPGRADES)
        for number, step in enumerate(steps):
            if not self.attack.has(share):
                self.attack.note(f"no time for the cuts of {step.name}")
            else:
                self.step(number, step)
        for number, trouble in enumerate(TROUBLES):
            if not self.attack.has(share):
                self.attack.note(f"no time for the cuts of a {trouble.name}")
            else:
                self.trouble(len(steps) + number, trouble)

    def box(self, number: int, configuration: str = "") -> tuple[Box, disk.Record]:
        box = Box(self.attack, f"cut{number}", self.sandbox.origin, self.statement, protocol=any_protocol(self.attack),
                  more=f"[sign-on]\nplatform-identity = device-key\n{configuration}")
        return box, disk.Record(self.library, box.folder / "record", box.state)

    def step(self, number: int, step: Step) -> None:
        box, record = self.box(number, step.configuration)
        begins, acknowledged = self.live(box, step, record)
        events = self.checked(box, record, step.name)
        for at, way, seed in self.cuts(begins, acknowledged, len(events), number):
            self.cut(box, record, events[:at], way, seed)
            self.attack.did(f"cuts of {step.name}")
            examine(self.attack, box, step.model(at > acknowledged), f"{step.name} over {box.protocol}, cut after call "
                    f"{at} of {begins} to {len(events)} (acknowledged after {acknowledged}), {way}, {seed}",
                    step.upgrade, at > acknowledged)
        self.second_life(box, record, step, events, begins, number)

    def second_life(
        self, box: Box, record: disk.Record, step: Step, events: list[disk.Event], begins: int, number: int,
    ) -> None:
        """Kills the daemon just before a sync, starts it again, reads its answers, and then cuts the power."""
        moments = [at for at in range(begins, len(events)) if events[at].kind == disk.SYNCED]
        if not self.attack.full:
            moments = self.attack.random.sample(moments, min(1, len(moments)))
        before = record.fresh()
        for at in moments:
            power = copy.deepcopy(before)
            for event in events[:at]:
                power.apply(event)
            chance = random.Random(f"{self.attack.seed} {number} {at} again")
            disk.put(box.state, power.cut("all kept", chance))
            power.find_again()
            record.begin()
            with box.running(environment=record.environment) as daemon:
                if step.can_be_repeated:
                    step.act(box, daemon)
                shown = box.look().logins
                self.wait_until_quiet(record, daemon)
            for event in record.events():
                power.apply(event)
            for way in disk.WAYS if self.attack.full else ("all lost", "some pages"):
                disk.put(box.state, copy.deepcopy(power).cut(way, chance))
                self.attack.did("cuts")
                self.attack.did("cuts of a second run")
                examine(self.attack, box, Model(shown, set()),
                        f"{step.name} over {box.protocol}, killed after call {at}, started, {way}", step.upgrade,
                        step.can_be_repeated or step.at_start)

    def trouble(self, number: int, trouble: Trouble) -> None:
        """The start after a cut must find everything that the repair saved."""
        box, record = self.box(number)
        self.fill(box, ("CH01", "CH02", "CH03"))
        trouble.spoil(box, random.Random(f"{self.attack.seed} {number}"))
        record.begin()
        with box.running(environment=record.environment) as daemon:
            saved = {login(each) for each in ("CH01", "CH02", "CH03")}
            if trouble.name == "bent store":
                saved = box.look().logins
            self.wait_until_quiet(record, daemon)
        events = self.checked(box, record, trouble.name)
        for at, way, seed in self.cuts(0, len(events) - 1, len(events), number):
            self.cut(box, record, events[:at], way, seed)
            trouble.help(box)
            self.attack.did(f"cuts of {trouble.name}")
            where = f"{trouble.name}, cut after call {at} of {len(events)}, {way}, {seed}"
            try:
                with box.running():
                    look = box.look()
                if saved - look.logins:
                    self.attack.broken("login lost in a repair", f"{where}: {sorted(saved - look.logins)}, "
                                       f"{sorted(look.warnings)}")
            except (Gone, Late, Refusal) as error:
                self.attack.broken("start fails after a cut", f"{where}: {error}")

    def cut(self, box: Box, record: disk.Record, events: list[disk.Event], way: str, seed: str) -> None:
        power = record.fresh()
        for event in events:
            power.apply(event)
        disk.put(box.state, power.cut(way, random.Random(seed)))
        self.attack.did("cuts")

    def fill(self, box: Box, requestors: tuple[str, ...]) -> None:
        with box.running():
            for requestor in requestors:
                with box.client() as client:
                    if not log_in(client, requestor):
                        raise Gone("a login of a pass was not acknowledged")

    def live(self, box: Box, step: Step, record: disk.Record) -> tuple[int, int]:
        """Runs the step. Returns how many events came before its start, and how many came before its acknowledgement."""
        step.prepare(box, self.sandbox, record.environment)
        if step.upgrade:
            record.begin()
        began = record.size
        with box.running(environment=record.environment) as daemon:
            if not step.at_start:
                began = record.size
            step.act(box, daemon)
            ended = record.size
            self.wait_until_quiet(record, daemon)
        events = record.events()
        return sum(1 for event in events if event.end <= began), acknowledged_at(events, began, ended)

    def checked(self, box: Box, record: disk.Record, name: str) -> list[disk.Event]:
        """Checks that the record is complete. Otherwise the cuts would prove nothing."""
        events = record.events()
        everything = record.fresh()
        for event in events:
            if event.kind == disk.GAP:
                self.attack.broken("record has a gap", f"{name}: {event.data.decode()}")
            everything.apply(event)
        if found := disk.differences(box.state, everything.cut("all kept", self.attack.random)):
            self.attack.broken("record is wrong", f"{name}: {found}")
        return events

    def wait_until_quiet(self, record: disk.Record, daemon: Daemon) -> None:
        size, since = record.size, time.monotonic()
        while daemon.is_alive() and time.monotonic() - since < 0.15:
            time.sleep(0.02)
            if record.size != size:
                size, since = record.size, time.monotonic()

    def cuts(self, begins: int, acknowledged: int, end: int, number: int) -> list[tuple[int, str, str]]:
        """The number of events before the cut, the kind of cut, and the random seed."""
        name = f"{self.attack.seed} {number}"
        if self.attack.full:
            return [(at, way, f"{name} {at} {turn}") for at in range(begins, end + 1)
                    for way in disk.WAYS if way != "all kept"
                    for turn in range(4 if way.startswith("some") else 1)]
        chance = self.attack.random
        # Right after the acknowledgement, and at any time.
        moments = [min(end, acknowledged + 1), end, *(chance.randint(begins, end) for _ in range(2))]
        ways = ["all lost", *chance.sample(disk.WAYS, 3)]
        return [(at, way, f"{name} {at}") for at, way in zip(moments, ways, strict=True)]


class AnyCut(AnyMoment):
    """Some of the kills also lose the data that were not synced since the last cut, over several runs of the daemon."""

    def __init__(self, attack: Attack, sandbox: Sandbox, protocol: str, library: Path) -> None:
        super().__init__(attack, sandbox, f"cuts {protocol}", protocol)
        self.record = disk.Record(library, self.box.folder / "record", self.box.state)
        self.environment = self.record.environment

    def after_kill(self) -> None:
        if self.random.random() < 0.5:
            return
        power = self.record.fresh()
        for event in self.record.events():
            power.apply(event)
        disk.put(self.box.state, power.cut(self.random.choice(disk.WAYS), self.random))
        self.record.begin()
        self.attack.did("cuts")
        self.attack.did("cuts at random")

    def begin_anew(self) -> None:
        super().begin_anew()
        self.record.begin()


class AnyCutOnExt4(AnyMoment):
    """A kill that keeps only the data on the disk. The journal of the real file system then repairs the data."""

    def __init__(self, attack: Attack, sandbox: Sandbox, protocol: str) -> None:
        super().__init__(attack, sandbox, f"ext4 {protocol}", protocol)
        self.mount = Ext4(self.box.state)

    def after_kill(self) -> None:
        self.mount.cut_power()
        self.attack.did("cuts")
        self.attack.did("cuts on ext4")


def on_ext4(attack: Attack, sandbox: Sandbox, lives: int) -> None:
    try:
        mounts.keep_apart()
        for protocol, share in (("v1", lives // 3), ("v2", lives - lives // 3)):
            cuts = AnyCutOnExt4(attack, sandbox, protocol)
            try:
                cuts.go(share)
            finally:
                cuts.mount.end()
    except CannotRun as reason:
        attack.note(f"NOT TRIED on ext4: {reason}")
        attack.did("not tried on ext4")


def body(attack: Attack) -> None:
    library = disk.build(attack)
    sandbox = Sandbox(attack)
    try:
        EveryCall(attack, sandbox, library).go(0.75)
        lives = attack.count or (2000 if attack.full else 50)
        AnyCut(attack, sandbox, "v1", library).go(lives // 3)
        AnyCut(attack, sandbox, "v2", library).go(lives - lives // 3)
        on_ext4(attack, sandbox, lives // 2)
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("cuts", body, slice_seconds=60, full_seconds=7200)
