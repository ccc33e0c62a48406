"""A short description of the machine for a table, without names and paths."""
from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path

from .programs import REPOSITORY


def cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def describe() -> str:
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith(("model name", "Model", "Processor"))), platform.machine())
    kib = int(Path("/proc/meminfo").read_text().split("MemTotal:")[1].split()[0])
    is_virtual = "hypervisor" in Path("/proc/cpuinfo").read_text()
    kernel = ".".join(platform.release().split("-")[0].split(".")[:3])
    count = len(cores())
    return (f"{model}, {count} core{'s' if count > 1 else ''}{' (a virtual machine)' if is_virtual else ''}, "
            f"{kib / (1 << 20):.0f} GiB, Linux {kernel}")


def commit() -> str:
    found = subprocess.run(
        ["git", "-C", REPOSITORY, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def busy_share(seconds: float = 2) -> float:
    """The share of all processors that other programs use now."""
    def read() -> tuple[int, int]:
        times = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return sum(times), times[3] + times[4]

    all_before, idle_before = read()
    time.sleep(seconds)
    all_after, idle_after = read()
    return 1 - (idle_after - idle_before) / max(1, all_after - all_before)
