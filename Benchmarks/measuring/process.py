"""Figures of a process from /proc: memory, wakeups, processor time."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Memory:
    """The memory in KiB."""

    resident: int
    #: The written memory of this process alone. It does not include pages of the program file. All processes of the program
    #: share these pages, and the kernel may drop them.
    private: int
    proportional: int


@dataclass(frozen=True)
class Process:
    pid: int

    def fields(self, file: str, *fields: str) -> list[int]:
        """The numbers of a file of /proc with a name and a number in each line."""
        lines = Path(f"/proc/{self.pid}/{file}").read_text().splitlines()
        found = dict(line.split(":", 1) for line in lines if ":" in line)
        return [int(found[field].split()[0]) for field in fields]

    def memory(self) -> Memory:
        return Memory(*self.fields("smaps_rollup", "Rss", "Private_Dirty", "Pss"))

    def threads(self) -> list[int]:
        return [int(thread) for thread in os.listdir(f"/proc/{self.pid}/task")]

    def wakeups(self) -> dict[int, int]:
        """The number of times that its threads have waited."""
        found = {}
        for thread in self.threads():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found[thread] = self.fields(f"task/{thread}/status", "voluntary_ctxt_switches")[0]
        return found

    def switches(self) -> int:
        """The context switches of its present threads, voluntary or not."""
        total = 0
        for thread in self.threads():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += sum(self.fields(
                    f"task/{thread}/status", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
        return total

    def processor_time(self) -> float:
        """The processor time of all threads, including ended ones, in seconds."""
        return time.clock_gettime_ns((~self.pid << 3) | 2) / 1e9

    def await_quiet(self) -> None:
        """Waits until the process is almost idle for half a second, and does not wait for a processor. Redis, for example,
        wakes up ten times a second."""
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
        """Runs all threads, and the threads that they start, only on these cores."""
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
    """Counts the wakeups of a process from now on. The count of a thread is lost when the thread ends, so `update` must be
    called from time to time."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.last = process.wakeups()
        self.total = 0

    def update(self) -> int:
        now = self.process.wakeups()
        self.total += sum(count - self.last.get(thread, 0) for thread, count in now.items())
        self.last = now
        return self.total
