#!/usr/bin/env python3
"""Damages the files of the store: every block and sector is zeroed, filled, flipped, cut off, swapped with another block, or
taken from an earlier version of the file. Also plants files that another program may have prepared: endless stores, and special
files. A start must find all logins or report the lost logins. It must not report a loss that did not happen, and must finish in
time."""
from __future__ import annotations

import random
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lib.attack import Attack, run
from lib.box import Box, Look, log_in
from lib.plants import Plant, plants
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import REQUESTORS, Sandbox

#: The warning that logins are gone: all logins, or the named number of rows.
GONE = "vault-gone"
NAMED = re.compile(r"These rows could not be read: .*?\bprofile: (\d+)")
#: Warnings that data may be gone. After damage to pages, to an index or to the log, passd cannot know what was there. Missing
#: changes may be other data than logins.
POSSIBLE = ("vault-damaged", "vault-older")
#: Seconds that a start may take.
START_TIMEOUT = 15.0
#: Kilobytes of memory that a start may take.
MEMORY = 200 << 10


@dataclass(frozen=True)
class Bend:
    """One way to damage a file."""

    file: str
    what: str
    size: int
    at: int
    other: int = 0

    def __str__(self) -> str:
        place = f"{self.file} at {self.at}, {self.size} bytes"
        return f"{self.what}: {place}" + (f", with {self.other}" if self.what == "swapped" else "")

    def apply(self, folder: Path, earlier: Path) -> bool:
        """Whether this changes the file."""
        path = folder / self.file
        content = bytearray(path.read_bytes())
        before = bytes(content)
        piece = slice(self.at, min(self.at + self.size, len(content)))
        length = piece.stop - piece.start
        if self.what == "zeroed":
            content[piece] = bytes(length)
        elif self.what == "filled":
            content[piece] = random.Random(f"{self}").randbytes(length)
        elif self.what == "flipped":
            place = piece.start + random.Random(f"{self}").randrange(length)
            content[place] ^= 1 << random.Random(f"{self} bit").randrange(8)
        elif self.what == "cut":
            del content[self.at :]
        elif self.what == "swapped":
            second = slice(self.other, self.other + length)
            if second.stop > len(content):
                return False
            content[piece], content[second] = content[second], content[piece]
        elif self.what == "older":
            old = earlier / self.file
            if not old.exists() or len(old.read_bytes()) < piece.stop:
                return False
            content[piece] = old.read_bytes()[piece]
        path.write_bytes(content)
        return bytes(content) != before


def whole_file_bends(files: list[Path]) -> Iterator[Bend]:
    for path in files:
        yield Bend(path.name, "removed", path.stat().st_size, 0)
        yield Bend(path.name, "emptied", path.stat().st_size, 0)


def bends(files: list[Path], chance: random.Random) -> Iterator[Bend]:
    for path in files:
        length = path.stat().st_size
        for size in (4096, 512):
            for at in range(0, length, size):
                for what in ("zeroed", "filled", "flipped", "cut", "older"):
                    yield Bend(path.name, what, size, at)
                if length >= 2 * size:
                    yield Bend(path.name, "swapped", size, at, chance.randrange(0, length // size) * size)


class Template:
    """A store to damage. Either the log is left as after a kill, or its contents are in the database as after a normal stop."""

    def __init__(self, attack: Attack, sandbox: Sandbox, name: str, *, is_killed: bool) -> None:
        self.name = name
        # passd must not ask the service about logins here, because the answer would restore lost logins.
        self.box = Box(attack, name.replace(" ", "-"), sandbox.origin, sandbox.statement())
        self.earlier = self.make(is_killed, REQUESTORS[:6])
        self.latest = self.make(is_killed, REQUESTORS[6:])
        with self.box.running():
            self.logins = self.box.look().logins
        if len(self.logins) != len(REQUESTORS):
            raise RuntimeError(f"{name}: {len(self.logins)} logins")
        self.files = sorted(path for path in self.latest.iterdir() if path.is_file() and path.stat().st_size)

    def make(self, is_killed: bool, requestors: list[str]) -> Path:
        with self.box.running() as daemon:
            for requestor in requestors:
                with self.box.client() as client:
                    if not log_in(client, requestor):
                        raise RuntimeError("a login of a pass was not acknowledged")
            if is_killed:
                daemon.kill()
            else:
                daemon.stop()
        return self.box.copy_state(self.box.folder / f"copy-{requestors[0]}")


class Bending:
    def __init__(self, attack: Attack, template: Template) -> None:
        self.attack = attack
        self.template = template
        self.slowest = (0.0, "")

    def start(self, bend: Bend) -> None:
        box = self.template.box
        box.restore_state(self.template.latest)
        if bend.what == "removed":
            (box.state / bend.file).unlink()
        elif bend.what == "emptied":
            (box.state / bend.file).write_bytes(b"")
        elif not bend.apply(box.state, self.template.earlier):
            return
        where = f"{self.template.name}, {bend}"
        self.attack.did(bend.what)
        began = time.monotonic()
        daemon = box.start()
        try:
            if not daemon.wait_ready(START_TIMEOUT):
                kind = "start hangs" if daemon.is_alive() else "start fails"
                self.attack.broken(kind, f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return
            took = time.monotonic() - began
            self.judge(box.look(), where)
            if took > START_TIMEOUT / 3:
                self.attack.broken("slow start", f"{where}: {took:.1f} s")
        except (Gone, Late, Refusal) as error:
            self.attack.broken("daemon dead", f"{where}: {error} {daemon.crash() or ''}")
        finally:
            daemon.kill()

    def start_planted(self, plant: Plant) -> None:
        box = self.template.box
        box.restore_state(self.template.latest)
        plant.put(box.state)
        where = f"{self.template.name}, {plant.what}"
        self.attack.did("planted")
        began = time.monotonic()
        daemon = box.start()
        try:
            if not daemon.wait_ready(START_TIMEOUT):
                kind = "start hangs" if daemon.is_alive() else "start fails"
                self.attack.broken(kind, f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return
            took = time.monotonic() - began
            self.slowest = max(self.slowest, (took, plant.what))
            look = box.look()
            if took > START_TIMEOUT / 3:
                self.attack.broken("slow start", f"{where}: {took:.1f} s")
            peak = int(next(line.split()[1] for line in Path(f"/proc/{daemon.pid}/status").read_text("utf-8").splitlines()
                            if line.startswith("VmHWM")))
            if peak > MEMORY:
                self.attack.broken("too much memory", f"{where}: {peak} KiB")
            lost = self.template.logins - look.logins
            if lost and (not plant.may_lose or not look.tells_of_store):
                self.attack.broken("silent loss" if plant.may_lose else "needless loss",
                                   f"{where}: {len(lost)} logins, {look.warnings}")
            if plant.must_tell and not look.tells_of_store:
                self.attack.broken("says nothing", f"{where}: {look.warnings}")
        except (Gone, Late, Refusal) as error:
            self.attack.broken("daemon dead", f"{where}: {error} {daemon.crash() or ''}")
        finally:
            daemon.kill()

    def judge(self, look: Look, where: str) -> None:
        lost = self.template.logins - look.logins
        named = sum(int(found) for message in look.warnings.values() for found in NAMED.findall(message))
        everything = GONE in look.warnings
        is_possible = any(code in look.warnings for code in POSSIBLE)
        if look.logins - self.template.logins:
            self.attack.broken("unexpected logins", f"{where}: {sorted(look.logins - self.template.logins)}")
        if named > len(lost) or (everything and look.logins):
            self.attack.broken("reports a loss that did not happen", f"{where}: {len(lost)} are lost, {look.warnings}")
        if not lost:
            self.attack.did("starts that found everything" + (", with a possible warning" if is_possible else ""))
            return
        if everything or is_possible or named == len(lost):
            self.attack.did("starts that reported the loss")
            return
        # The identity has not changed, so this warning would mislead the operator.
        kind = "loss for a wrong reason" if "device-identity" in look.warnings else "silent loss"
        self.attack.broken(kind, f"{where}: {len(lost)} of {len(self.template.logins)} logins, and only "
                           f"{sorted(look.warnings)}")


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    try:
        templates = [Template(attack, sandbox, "after a kill", is_killed=True),
                     Template(attack, sandbox, "after a normal stop", is_killed=False)]
        planting = Bending(attack, templates[1])
        planted = list(plants())
        if not attack.full:
            # All stores, and some of the many special files and names.
            stores = [plant for plant in planted if " for passd." not in plant.what]
            planted = stores + attack.random.sample([plant for plant in planted if plant not in stores], 20)
        for plant in planted:
            planting.start_planted(plant)
        attack.figures["slowest start of a planted store"] = f"{planting.slowest[0]:.1f} s ({planting.slowest[1]})"
        work: list[tuple[Bending, Bend]] = []
        for template in templates:
            bending = Bending(attack, template)
            for bend in whole_file_bends(template.files):
                bending.start(bend)
            work += [(bending, bend) for bend in bends(template.files, attack.random)]
        # A slice takes some of the cases. A full run takes all of them, in any order.
        attack.random.shuffle(work)
        for done, (bending, bend) in enumerate(work):
            if attack.left < 0 or (attack.count and done >= attack.count):
                break
            bending.start(bend)
        attack.figures["bends there are"] = str(len(work))
        for template in templates:
            shutil.rmtree(template.latest)
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("bent", body, slice_seconds=40, full_seconds=3600)
