"""A proxy between a daemon and the service that stores the daemon's requests. The requests can then be sent again without the
daemon."""
from __future__ import annotations

import contextlib
import select
import socket
import threading


def whole_message(data: bytes) -> int:
    """The length of the HTTP message at the beginning, or 0 if its end has not arrived."""
    head = data.find(b"\r\n\r\n")
    if head < 0:
        return 0
    length = 0
    for line in data[:head].split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return head + 4 + length if len(data) >= head + 4 + length else 0


class Recorder:
    def __init__(self, port: int) -> None:
        self._service = port
        self._lock = threading.Lock()
        self._requests: list[bytes] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def take(self) -> list[bytes]:
        """The requests since the last call of this method."""
        with self._lock:
            found, self._requests = self._requests, []
            return found

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                threading.Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near: socket.socket) -> None:
        pending = b""
        with contextlib.suppress(OSError), near, socket.create_connection(("127.0.0.1", self._service)) as far:
            while True:
                for readable in select.select([near, far], [], [])[0]:
                    data = readable.recv(1 << 16)
                    if not data:
                        return
                    (far if readable is near else near).sendall(data)
                    if readable is near:
                        pending += data
                        while size := whole_message(pending):
                            with self._lock:
                                self._requests.append(pending[:size])
                            pending = pending[size:]

    def close(self) -> None:
        # Wakes the thread that waits in accept.
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._thread.join(5)


class Question:
    """One request that is sent repeatedly over one connection."""

    def __init__(self, port: int, request: bytes) -> None:
        self.request = request.replace(b"Expect: 100-continue\r\n", b"")
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self) -> bytes:
        self.socket.sendall(self.request)
        answer = b""
        while not (size := whole_message(answer)):
            data = self.socket.recv(1 << 16)
            if not data:
                raise RuntimeError("the service has closed the connection")
            answer += data
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"the service says {answer[:200]!r}")
        return answer[:size]

    def __enter__(self) -> Question:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()
