#!/usr/bin/env python3
"""Measures passd beside a C echo, Redis and a D-Bus service, in one run and in turn. Prints a table in Markdown with the goals.
README.md explains how each figure is measured."""
from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Tests/Hostile")]

from measuring import actions, counts, machine  # noqa: E402
from measuring.box import Box, service  # noqa: E402
from measuring.calls import Calls, Field  # noqa: E402
from measuring.connections import Connections  # noqa: E402
from measuring.figures import ECHO, REDIS, Row, table  # noqa: E402
from measuring.growth import Growth  # noqa: E402
from measuring.idle import Idle  # noqa: E402
from measuring.plays import FanOut, Plays  # noqa: E402
from measuring.programs import CannotRun, Programs, need  # noqa: E402
from measuring.starts import Starts, size_rows  # noqa: E402

#: If other programs use more of the processors, they disturb the times.
BUSY = 0.05


@dataclass(frozen=True)
class Size:
    rounds: int
    #: The size of one measurement.
    seconds: float
    plays: int
    idle: float


FULL, QUICK = Size(rounds=7, seconds=2, plays=100, idle=60), Size(rounds=2, seconds=0.4, plays=30, idle=10)


def progress(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def measure(programs: Programs, folder: Path, size: Size) -> tuple[list[Row], list[actions.Action]]:
    """Each round measures every figure once, so that a slow minute affects all figures."""
    with contextlib.ExitStack() as stack:
        found = stack.enter_context(service(programs, folder))
        progress("requests, system calls, syncs")
        taken = actions.measure(programs, folder, found)
        counted = counts.rows(programs, folder, found)
        box = stack.enter_context(Box(programs, folder / "box", found))
        box.start()
        box.signed_in()
        field = Field.start(programs, folder, box)
        stack.callback(field.close)
        beside = {ECHO: field.echo.system.memory(), REDIS: field.redis.system.memory()}
        calls = Calls(field, size.seconds)
        connections = Connections(programs, folder, found, field)
        growth = stack.enter_context(Growth(programs, folder, found, size.seconds))
        plays = stack.enter_context(Plays(programs, folder, found, size.plays))
        fan_out = FanOut(field, rounds=20)
        starts = Starts(programs, folder, found, field)
        for number in range(size.rounds):
            progress(f"round {number + 1} of {size.rounds}")
            calls.round(number)
            connections.round()
            growth.round()
            plays.round()
            fan_out.round()
            starts.round(number)
        progress(f"idle for {size.idle:.0f} s")
        idle = Idle(programs, folder, found, size.idle)
        idle.measure(beside)
        return [*calls.rows, *counted, *connections.rows, *growth.rows, *plays.rows, fan_out.row, *starts.rows, *idle.rows,
                *size_rows(programs)], taken


def report(rows: list[Row], taken: list[actions.Action], programs: Programs, size: Size, busy: float) -> str:
    build = "release build" if programs.are_optimised else "debug build, so times and memory mean little"
    crowd = f"other programs took {busy:.0%} of the processors" + (", so times mean little" if busy > BUSY else "")
    return f"""# passd beside Redis, D-Bus and a C echo

{machine.describe()}; passd {machine.commit()}, {build}; {size.rounds} rounds; {crowd}.
`Benchmarks/bench.py` printed the tables. [The README](../README.md) says how each figure is measured. Each figure is the median
of the rounds, with the smallest and the largest figure in parentheses if they differ.

{table(rows)}

## Requests to the service

{actions.table(taken)}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", help="where passd and pass-sandbox are; the release build, or else the debug build")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds: two minutes")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables there as well")
    arguments = parser.parse_args()
    try:
        need("make", "cc", "pkg-config", "redis-server", "dbus-daemon", "strace", "strip")
        programs = Programs.find(arguments.programs, with_bus=True)
    except CannotRun as error:
        sys.exit(f"error: {error}")
    size = QUICK if arguments.quick else FULL
    busy = machine.busy_share()
    if busy > BUSY:
        progress(f"other programs take {busy:.0%} of the processors; times will mean little")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        # Clients of other users must be able to open the folder.
        os.chmod(folder, 0o755)
        rows, taken = measure(programs, Path(folder), size)
    text = report(rows, taken, programs, size, max(busy, machine.busy_share()))
    print(text, end="")
    if arguments.write:
        arguments.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
