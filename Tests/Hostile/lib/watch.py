"""The service manager's side of a daemon: whether it is ready, and when it last fed the watchdog. This has its own thread, so
that a busy attacker causes no gaps."""
from __future__ import annotations

import select
import socket
import threading
import time
from pathlib import Path


class Watch:
    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        path.chmod(0o777)
        self._end_to_hear, self._end_to_say = socket.socketpair()
        self.is_ready = threading.Event()
        self.status = ""
        self.feeds = 0
        self._fed = time.monotonic()
        self._longest = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            readable, _, _ = select.select([self.socket, self._end_to_hear], [], [])
            if self._end_to_hear in readable:
                return
            for line in self.socket.recv(1 << 16).split(b"\n"):
                if line == b"READY=1":
                    self._fed = time.monotonic()
                    self.is_ready.set()
                elif line == b"WATCHDOG=1":
                    now = time.monotonic()
                    self._longest = max(self._longest, now - self._fed)
                    self._fed = now
                    self.feeds += 1
                elif line.startswith(b"STATUS="):
                    self.status = line[7:].decode("utf-8", "replace")

    @property
    def longest_gap(self) -> float:
        return max(self._longest, time.monotonic() - self._fed)

    def forgive(self) -> None:
        """Starts over, without the earlier gaps."""
        self._longest, self._fed = 0.0, time.monotonic()

    def close(self) -> None:
        if not self._thread.is_alive():
            return
        self._end_to_say.send(b"e")
        self._thread.join()
        for each in (self.socket, self._end_to_hear, self._end_to_say):
            each.close()
