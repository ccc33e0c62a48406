"""The library between a program and its libc (shim.c), which is built once for a run, and its orders."""
from __future__ import annotations

import errno
import mmap
import os
import struct
import subprocess
import time
from pathlib import Path

from .attack import Attack, CannotRun

WRITE, SYNC, CUT, RENAME, REMOVE, CREATE, MODE, OPEN, READ = (1 << bit for bit in range(9))
CHANGES = WRITE | SYNC | CUT | RENAME | REMOVE | CREATE | MODE
NAMES = {1 << bit: name for bit, name in enumerate(
    ("write", "sync", "cut", "rename", "remove", "create", "mode", "open", "read"))}

_LAYOUT = struct.Struct("=IIQQQQIIQqIIqq")


def build(attack: Attack) -> Path:
    library = attack.folder / "shim.so"
    source = Path(__file__).with_name("shim.c")
    try:
        made = subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library), str(source), "-ldl"],
            capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotRun("there is no gcc") from None
    if made.returncode:
        raise CannotRun(f"the shim cannot be built: {made.stderr[:500]}")
    return library


class Orders:
    """The orders for the shim of one program, and its report."""

    def __init__(self, library: Path, path: Path, under: Path, *, speed: int = 0) -> None:
        self._library = library
        self._path = path
        self._under = under
        path.write_bytes(bytes(4096))
        path.chmod(0o666)
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 4096)
        self._speed = speed
        self._began = (time.clock_gettime_ns(time.CLOCK_BOOTTIME), time.clock_gettime_ns(time.CLOCK_REALTIME))
        self.wall = 0.0
        self.disarm()

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self._library), "HOSTILE_ORDERS": str(self._path), "HOSTILE_UNDER": str(self._under)}

    def _write(
        self, kinds: int, armed: bool, kill_at: int = 0, fail_from: int = 0, fail_until: int = 0, error: int = 0,
        torn: bool = False,
    ) -> None:
        # The armed flag is written last.
        packed = _LAYOUT.pack(kinds, 0, 0, kill_at, fail_from, fail_until, error, torn, 0, int(self.wall * 1e9), 0,
                              self._speed, *self._began)
        self._map[4:8] = bytes(4)
        self._map[: len(packed)] = packed
        if armed:
            self._map[4:8] = struct.pack("=I", 1)

    def disarm(self) -> None:
        self._write(0, False)

    def watch(self, kinds: int = CHANGES) -> None:
        """Only counts calls."""
        self._write(kinds, True)

    def kill_at(self, number: int, *, kinds: int = CHANGES, torn: bool = False) -> None:
        self._write(kinds, True, kill_at=number, torn=torn)

    def fail(self, error: int, *, kinds: int, at: int = 1, times: int | None = None, torn: bool = False) -> None:
        """Lets calls fail from this number on, `times` times or always."""
        until = at + times if times else (1 << 63)
        self._write(kinds, True, fail_from=at, fail_until=until, error=error, torn=torn)

    def set_wall(self, seconds: float) -> None:
        """Shifts the wall clock at once."""
        self.wall = seconds
        self._map[56:64] = struct.pack("=q", int(seconds * 1e9))

    @property
    def count(self) -> int:
        return int(_LAYOUT.unpack_from(self._map)[2])

    @property
    def failed(self) -> int:
        return int(_LAYOUT.unpack_from(self._map)[8])

    @property
    def struck(self) -> str:
        """The call at which the program was killed, or the call that failed."""
        return NAMES.get(_LAYOUT.unpack_from(self._map)[10], "nothing")

    def close(self) -> None:
        self._map.close()
        os.unlink(self._path)


def name_of(error: int) -> str:
    return errno.errorcode.get(error, str(error))
