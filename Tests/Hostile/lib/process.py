"""Facts about a process from /proc: memory, descriptors, threads."""
from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Reading:
    memory: int  # in KiB of RAM
    descriptors: int
    threads: int
    #: The part without pages of files, such as the program's code; in KiB.
    anonymous: int

    def __str__(self) -> str:
        return f"{self.memory / 1024:.0f} MiB, {self.descriptors} descriptors, {self.threads} threads"


def read(pid: int) -> Reading:
    fields: dict[str, str] = {}
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.strip()
    return Reading(
        memory=int(fields.get("VmRSS", "0 kB").split()[0]),
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),
        threads=int(fields.get("Threads", "0")),
        anonymous=int(fields.get("RssAnon", "0 kB").split()[0]),
    )


def thread_names(pid: int) -> list[str]:
    names: list[str] = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            names.append(Path(f"/proc/{pid}/task/{task}/comm").read_text(encoding="utf-8").strip())
    return sorted(names)


def unix_sockets(pid: int) -> int:
    """The number of its descriptors that may belong to clients. Connections to the service change independently."""
    table = Path(f"/proc/{pid}/net/unix").read_text(encoding="utf-8").splitlines()[1:]
    sockets = {f"socket:[{line.split()[6]}]" for line in table}
    folder = Path(f"/proc/{pid}/fd")
    count = 0
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            count += os.readlink(folder / name) in sockets
    return count


def highest_memory(pid: int) -> int:
    """The peak in RAM, in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def slope(points: list[tuple[float, float]]) -> float:
    """The slope of the best fitting line (least squares)."""
    count = len(points)
    if count < 2:
        return 0.0
    middle_x = sum(x for x, _ in points) / count
    middle_y = sum(y for _, y in points) / count
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0.0
