#!/usr/bin/env python3
"""Compares costs of passd with budgets.txt. These costs do not depend on the machine, such as system calls per call. Prints a
table in Markdown, and exits with 1 if a budget is exceeded. Does not measure times. Takes some forty seconds."""
from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Tests/Hostile")]

from measuring import counts  # noqa: E402
from measuring.box import service  # noqa: E402
from measuring.calls import CHECK, HELLO, SET_REQUESTOR, talk_with  # noqa: E402
from measuring.connections import memory_of_a_client  # noqa: E402
from measuring.figures import PASSD, number  # noqa: E402
from measuring.idle import Idle  # noqa: E402
from measuring.load import Load  # noqa: E402
from measuring.programs import CannotRun, Programs, need  # noqa: E402
from measuring.starts import SIZES, stripped_size  # noqa: E402

#: Idle clients. passd lets a user open 256 connections at once.
CLIENTS = 200
IDLE_SECONDS = 10
DAEMONS = 5


@dataclass(frozen=True)
class Budget:
    max: float
    goal: str
    unit: str

    @staticmethod
    def read(file: Path) -> dict[str, Budget]:
        found = {}
        for place, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            try:
                name, limit, goal, *unit = words
                found[name] = Budget(float(limit), goal.replace("-", "–"), " ".join(unit))
            except ValueError:
                raise CannotRun(f"{file.name}:{place}: expected NAME BUDGET GOAL [UNIT]") from None
        return found


def idle_client(programs: Programs, folder: Path, found: Any) -> float:
    """The memory of a client after a check, while the daemon keeps all data for the client. A page of memory is large compared
    with this figure, so it is the median of several daemons."""
    values = []
    with counts.counted_box(programs, folder, found) as (box, counter):
        box.signed_in()

        def load(count: int) -> Load:
            box.await_room(count)
            talk = talk_with(box, HELLO, first=(SET_REQUESTOR, CHECK))
            return Load(programs.tools, talk, clients=count, seconds=0, warm=0, opening=1)

        for _ in range(DAEMONS):
            box.stop()
            box.start(environment=counter.environment)
            values.append(memory_of_a_client(box.system, CLIENTS, load))
    return statistics.median(values)


def measure(programs: Programs, folder: Path) -> Iterator[tuple[str, float]]:
    with service(programs, folder) as found:
        yield "system-calls-of-a-warm-call", sum(counts.system_calls(programs, folder / "trace", found).values())
        with counts.counted_box(programs, folder / "count", found) as (box, counter):
            for action, change in counts.changes(box, counter).items():
                yield f"syncs-of-{action.replace(' ', '-')}", change.syncs
            box.signed_in()
            yield "switches-of-a-warm-call", counts.switches(box)
            yield "allocations-of-a-warm-call", counts.allocations(box, counter)
        yield "private-memory-of-an-idle-client", idle_client(programs, folder / "clients", found)
        idle = Idle(programs, folder, found, IDLE_SECONDS)
        idle.measure()
        for state, row in idle.wakeups.items():
            yield f"wakeups-a-minute-{state.removesuffix(' of 200 clients').replace(' ', '-')}", row.figures[PASSD][0]
        yield "bytes-written-while-idle", idle.writes.figures[PASSD][0]
        yield "private-memory-logged-in", idle.private["logged in"].figures[PASSD][0]
    for name in SIZES:
        yield f"size-of-{name}", stripped_size(programs.passd / name) / (1 << 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", help="where the release build of passd, passd-cli and pass-sandbox is")
    parser.add_argument("--budgets", type=Path, default=HERE / "budgets.txt", help="the file with the budgets")
    arguments = parser.parse_args()
    try:
        budgets = Budget.read(arguments.budgets)
        need("make", "cc", "strace", "strip")
        programs = Programs.find(arguments.programs)
        if not programs.are_optimised:
            raise CannotRun(f"the budgets are those of a release build, and {programs.passd} is none; see `make release`")
        with tempfile.TemporaryDirectory(prefix="budgets-") as folder:
            found = dict(measure(programs, Path(folder)))
        if odd := sorted(set(found) ^ set(budgets)):
            raise CannotRun(f"{arguments.budgets.name} and what is measured differ: {', '.join(odd)}")
    except (CannotRun, RuntimeError) as error:
        sys.exit(f"error: {error}")
    print("| | found | budget | goal | unit | |\n|---|---|---|---|---|---|")
    broken = []
    for name, budget in budgets.items():
        holds = found[name] <= budget.max
        broken += [] if holds else [name]
        print(f"| {name.replace('-', ' ')} | {number(found[name])} | {budget.max:g} | {budget.goal} | {budget.unit} | "
              f"{'' if holds else 'BROKEN'} |")
    if broken:
        sys.exit(f"\nbroken: {', '.join(broken)}. Reduce the figure, or raise the budget in "
                 f"{arguments.budgets.name} and say why in the commit.")


if __name__ == "__main__":
    main()
