"""Processes of other users that attack a socket until their time is over."""
from __future__ import annotations

import mmap
import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path

from .attack import CannotRun

#: User IDs without accounts. Some attackers give the first of them a stanza.
FIRST_USER = 61001


class Tally:
    """The counters of the strangers, in memory that they share with the attacker."""

    SLOTS = 256

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, 8 * self.SLOTS)

    def set(self, slot: int, value: int) -> None:
        struct.pack_into("=Q", self._map, 8 * slot, value)

    @property
    def sum(self) -> int:
        return sum(struct.unpack_from(f"={self.SLOTS}Q", self._map))


class Stranger:
    """One stranger. The daemon may refuse or disconnect it at any time, which is not a failure."""

    def __init__(self, path: Path, slot: int, tally: Tally, seconds: float) -> None:
        self.path = str(path)
        self.slot = slot
        self.until = time.monotonic() + seconds
        self.done = 0
        self._tally = tally

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    def did(self, times: int = 1) -> None:
        self.done += times
        self._tally.set(self.slot, self.done)

    def connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(self.path)
        connection.settimeout(5)
        return connection


Work = Callable[[Stranger], None]


def start(path: Path, works: list[tuple[int, Work]], seconds: float,
          changing: bool = False) -> tuple[list[int], Tally]:
    """Starts each task in a process of its user. With `changing`, the process has this group, and changes its user again and
    again."""
    if os.getuid() != 0:
        raise CannotRun("only root can be strangers of several users")
    tally = Tally()
    children = []
    for slot, (user, work) in enumerate(works):
        child = os.fork()
        if child:
            children.append(child)
            continue
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.setgroups([])
            os.setgid(user)
            if not changing:
                os.setuid(user)
            stranger = Stranger(path, slot, tally, seconds)
            while stranger.goes_on:
                try:
                    work(stranger)
                except OSError:
                    time.sleep(0.002)
        finally:
            os._exit(0)
    return children, tally


def end(children: list[int], within: float) -> None:
    """Waits for them to end, and kills those that do not."""
    deadline = time.monotonic() + within
    left = list(children)
    while left and time.monotonic() < deadline:
        left = [child for child in left if os.waitpid(child, os.WNOHANG)[0] == 0]
        time.sleep(0.01)
    for child in left:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
