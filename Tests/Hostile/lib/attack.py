"""The common parts of every attacker: arguments, a time limit, counts of attempts and failures, and a summary line."""
from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
REPOSITORY = HERE.parent.parent


class CannotRun(Exception):
    """The attacker cannot run on this machine. This does not count as success."""


class Attack:
    """One run of an attacker. It reports failures at once, but only the first few of each kind in full."""

    TOLD_OF_EACH_KIND = 5

    def __init__(self, name: str, arguments: argparse.Namespace, seconds: float, folder: Path) -> None:
        self.name = name
        self.seed: int = arguments.seed
        self.full: bool = arguments.full
        self.count: int | None = arguments.count
        self.programs = Path(arguments.programs).resolve()
        self.folder = folder
        self.random = random.Random(f"{name} {self.seed}")
        self.tried: Counter[str] = Counter()
        self.figures: dict[str, str] = {}
        self.broke: Counter[str] = Counter()
        self.began = time.monotonic()
        self.seconds = seconds

    @property
    def left(self) -> float:
        """Seconds until the time limit."""
        return self.began + self.seconds - time.monotonic()

    def has(self, share: float) -> bool:
        """Whether less than this share of the time limit has passed."""
        return time.monotonic() - self.began < self.seconds * share

    def did(self, what: str, times: int = 1) -> None:
        self.tried[what] += times

    def broken(self, kind: str, what: str) -> None:
        self.broke[kind] += 1
        if self.broke[kind] <= self.TOLD_OF_EACH_KIND:
            print(f"{self.name}: BROKEN: {kind}: {what}", flush=True)

    def note(self, what: str) -> None:
        print(f"{self.name}: {what}", flush=True)

    def summary(self) -> str:
        tried = ", ".join(f"{what} {count}" for what, count in sorted(self.tried.items())) or "nothing"
        figures = "".join(f"; {what} {figure}" for what, figure in self.figures.items())
        broke = ", ".join(f"{kind} {count}" for kind, count in sorted(self.broke.items())) or "nothing"
        took = time.monotonic() - self.began
        return f"{self.name}: seed {self.seed}, {took:.0f} s; tried: {tried}{figures}; broke: {broke}"


def run(name: str, body: Callable[[Attack], None], *, slice_seconds: float, full_seconds: float) -> None:
    """Runs an attacker as a program. The exit code is 0 if nothing failed, 1 if something failed, 2 if the attacker could not
    run."""
    parser = argparse.ArgumentParser(prog=name, description=sys.modules["__main__"].__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--slice", action="store_true", help="a short run, the default")
    size.add_argument("--full", action="store_true", help="the long run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="another time box")
    parser.add_argument("--count", type=int, help="end after this number of attempts, if the attacker counts them")
    parser.add_argument("--programs", default=str(REPOSITORY / ".build/debug"), help="where passd and the others are")
    parser.add_argument("--keep", action="store_true", help="leave the working directory")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # The folder is in memory if possible, because thousands of starts sync their stores.
    base = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix=f"hostile-{name}-", dir=base))
    # Peers of other users connect to the sockets in this folder.
    folder.chmod(0o755)
    # With a given count there is no time limit.
    box = 24 * 3600 if arguments.count else full_seconds if arguments.full else slice_seconds
    seconds = arguments.seconds or box
    attack = Attack(name, arguments, seconds, folder)
    status = 2
    # If a thread failed, it did not make all its attempts.
    threading.excepthook = lambda failure: attack.broken("attacker failed", repr(failure.exc_value))
    try:
        body(attack)
        status = 1 if attack.broke else 0
    except CannotRun as reason:
        attack.note(f"IT DID NOT RUN: {reason}")
    finally:
        print(attack.summary(), flush=True)
        if arguments.keep:
            attack.note(f"left in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(status)
