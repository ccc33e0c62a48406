"""What /proc says about a process: its memory, its wakeups, its processor time."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Memory:
    """In KiB."""

    resident: int
    #: What was written to, and is in memory for this process alone. Pages of the program are not counted: they are shared
    #: by all processes that run it, and need not stay in memory.
    private: int
    proportional: int


@dataclass(frozen=True)
class Process:
    pid: int

    def fields(self, file: str, *fields: str) -> list[int]:
        """Numbers of a file of /proc that has a name and a number in each line."""
        lines = Path(f"/proc/{self.pid}/{file}").read_text().splitlines()
        found = dict(line.split(":", 1) for line in lines if ":" in line)
        return [int(found[field].split()[0]) for field in fields]

    def memory(self) -> Memory:
        return Memory(*self.fields("smaps_rollup", "Rss", "Private_Dirty", "Pss"))

    def threads(self) -> list[int]:
        return [int(thread) for thread in os.listdir(f"/proc/{self.pid}/task")]

    def wakeups(self) -> dict[int, int]:
        """How often each of its threads has waited for something."""
        found = {}
        for thread in self.threads():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found[thread] = self.fields(f"task/{thread}/status", "voluntary_ctxt_switches")[0]
        return found

    def switches(self) -> int:
        """How often its threads, of those that are there now, have made way for another one, by themselves or not."""
        total = 0
        for thread in self.threads():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += sum(self.fields(
                    f"task/{thread}/status", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
        return total

    def processor_time(self) -> float:
        """Of all threads, also of those that have ended, in seconds."""
        return time.clock_gettime_ns((~self.pid << 3) | 2) / 1e9

    def await_quiet(self) -> None:
        """Until it has done next to nothing for half a second (Redis looks around ten times a second), and does not wait for a
        processor either."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            before = self.processor_time()
            time.sleep(0.5)
            if self.processor_time() < before + 0.002 and not any(self._is_runnable(thread) for thread in self.threads()):
                return
        raise RuntimeError("the process does not come to rest")

    def _is_runnable(self, thread: int) -> bool:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return Path(f"/proc/{self.pid}/task/{thread}/stat").read_text().rsplit(")", 1)[1].split()[0] == "R"
        return False

    @contextlib.contextmanager
    def pinned(self, cores: set[int]) -> Iterator[None]:
        """All threads, and those that they start, run on these cores only."""
        self._pin(cores)
        try:
            yield
        finally:
            self._pin(os.sched_getaffinity(0))

    def _pin(self, cores: set[int]) -> None:
        for thread in self.threads():
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(thread, cores)


class WakeupCounter:
    """Counts the wakeups of a process from now on. A thread that ends takes its count along, so it is to be updated now and
    then."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.last = process.wakeups()
        self.total = 0

    def update(self) -> int:
        now = self.process.wakeups()
        self.total += sum(count - self.last.get(thread, 0) for thread, count in now.items())
        self.last = now
        return self.total
