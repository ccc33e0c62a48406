"""Runs the load generator."""
from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Talk:
    """The messages of clients to a server."""

    socket: Path
    request: str
    answer: str
    wrong: str
    first: tuple[str, ...] = ()

    def options(self) -> list[str]:
        first = [part for text in self.first for part in ("--first", text)]
        return [str(self.socket), "--request", self.request, "--answer", self.answer, "--wrong", self.wrong, *first]


@dataclass(frozen=True)
class Result:
    """Results of a load. Times are in microseconds."""

    count: int
    seconds: float
    rate: float
    mean: float
    p50: float
    p90: float
    p99: float
    p999: float
    max: float


def result(line: str) -> Result:
    return Result(**json.loads(line))


class Load:
    """Clients that are connected, have made some calls, and wait for the start."""

    def __init__(
        self, tools: Path, talk: Talk, *, cores: set[int] | None = None, users: range | None = None, **options: Any,
    ) -> None:
        arguments = [f"--{name}={value}" for name, value in options.items()]
        if users:
            arguments.append(f"--users={users.start}:{len(users)}")
        self.process = subprocess.Popen(
            [tools / "load", *talk.options(), *arguments, "--stay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)  # noqa: PLW1509
        try:
            self.opened: dict[str, float] = json.loads(self._line())
            # Now the clients have made some calls.
            self._line()
        except BaseException:
            self.close()
            raise

    def _line(self) -> str:
        assert self.process.stdout and self.process.stderr
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise RuntimeError(f"load: {self.process.stderr.read().strip()}")
        return line

    def begin(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def result(self) -> Result:
        return result(self._line())

    def run(self) -> Result:
        self.begin()
        return self.result()

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Load:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run_tool(program: Path, *arguments: str, environment: dict[str, str] | None = None, cores: set[int] | None = None) -> str:
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **(environment or {})},
        preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None)  # noqa: PLW1509
    if done.returncode:
        raise RuntimeError(f"{program.name}: {done.stderr.strip()}")
    return done.stdout


def reconnecting(tools: Path, talk: Talk, calls: int, *, cores: set[int] | None = None, users: range | None = None) -> Result:
    """Connections that are closed after one call, one after the other."""
    asked = [f"--users={users.start}:{len(users)}"] if users else []
    return result(run_tool(tools / "load", *talk.options(), "--reconnect", f"--calls={calls}", *asked, cores=cores))
