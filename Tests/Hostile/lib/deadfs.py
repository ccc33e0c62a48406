"""A FUSE file system with one file, `program`, that stops answering on command."""
from __future__ import annotations

import contextlib
import ctypes
import os
import select
import stat
import struct
import threading
from pathlib import Path

_HEADER = struct.Struct("=IIQQIIII")
_ATTR = struct.Struct("=QQQQQQIIIIIIIIII")
_LOOKUP, _FORGET, _GETATTR, _OPEN, _READ, _INIT, _OPENDIR, _INTERRUPT, _BATCH_FORGET = 1, 2, 3, 14, 15, 26, 27, 36, 42
_ROOT, _FILE = 1, 2
_MAX_WRITE = 128 << 10


class DeadFileSystem:
    """A context manager that mounts the file system. Raises OSError if this machine cannot mount FUSE."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder = folder
        self.program = folder / "program"
        self._content = program.read_bytes()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._is_dead = threading.Event()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._device = -1

    def __enter__(self) -> DeadFileSystem:
        self._device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self._device},rootmode=40000,user_id=0,group_id=0,allow_other"
        if self._libc.mount(b"dead", str(self.folder).encode(), b"fuse.dead", 0, options.encode()) != 0:
            reason = ctypes.get_errno()
            os.close(self._device)
            raise OSError(reason, os.strerror(reason))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._libc.umount2(str(self.folder).encode(), 2)

    def end(self) -> None:
        """Ends the file system. Waiting callers get an error."""
        if not self._ends.is_set():
            self._ends.set()
            self._thread.join()
            os.close(self._device)

    def die(self) -> None:
        """Stops answering."""
        self._is_dead.set()

    def revive(self) -> None:
        """Answers again, including the requests that came meanwhile."""
        self._is_dead.clear()

    def _attr(self, node: int) -> bytes:
        mode, size = (stat.S_IFDIR | 0o755, 0) if node == _ROOT else (stat.S_IFREG | 0o755, len(self._content))
        return _ATTR.pack(node, size, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

    def _serve(self) -> None:
        while not self._ends.is_set():
            # Once a request has been read, even a killed process cannot abandon it.
            if self._is_dead.wait(0) or not select.select([self._device], [], [], 0.1)[0]:
                self._ends.wait(0.01)
                continue
            try:
                request = os.read(self._device, _MAX_WRITE + 4096)
            except OSError:
                return
            _, opcode, unique, node, *_ = _HEADER.unpack_from(request)
            if opcode in (_FORGET, _BATCH_FORGET, _INTERRUPT):
                continue
            error, answer = self._answer(opcode, node, request[_HEADER.size:])
            with contextlib.suppress(OSError):
                os.write(self._device, struct.pack("=IiQ", 16 + len(answer), -error, unique) + answer)

    def _answer(self, opcode: int, node: int, body: bytes) -> tuple[int, bytes]:
        """Forbids caching, so that each request arrives here."""
        if opcode == _INIT:
            return 0, struct.pack("=IIIIHHI", 7, 19, 0, 0, 16, 12, _MAX_WRITE)
        if opcode == _LOOKUP:
            if body.rstrip(b"\0") != b"program":
                return 2, b""
            return 0, struct.pack("=QQQQII", _FILE, 0, 0, 0, 0, 0) + self._attr(_FILE)
        if opcode == _GETATTR:
            return 0, struct.pack("=QII", 0, 0, 0) + self._attr(node)
        if opcode in (_OPEN, _OPENDIR):
            return 0, struct.pack("=QII", 0, 0, 0)
        if opcode == _READ:
            _, offset, size = struct.unpack_from("=QQI", body)
            return 0, self._content[offset : offset + size]
        return 38, b""
