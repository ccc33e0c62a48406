"""A client of the daemon's socket, in both framings. All waits have a timeout."""
from __future__ import annotations

import json
import socket
import struct
import time
from pathlib import Path
from typing import Any


class Refusal(Exception):
    """The daemon's error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error.get('code')} {error.get('data', {}).get('code')}: {error.get('message')}")
        self.code: int = error.get("code", 0)
        self.name: str = (error.get("data") or {}).get("code", "")


class Gone(Exception):
    """The connection ended."""


class Late(Exception):
    """No answer in time."""


class Client:
    """One connection. Waits for answers by their number, and stores all other messages as callbacks."""

    def __init__(self, path: Path | str, *, headers: bool = False, timeout: float = 15) -> None:
        self.headers = headers
        self.timeout = timeout
        self.callbacks: list[dict[str, Any]] = []
        self._buffer = bytearray()
        self._next = 0
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Waits if the queue of the socket is full. With Python's own timeout, connect would fail at once.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(timeout) + 1, 0))
        try:
            self.socket.connect(str(path))
            self.socket.settimeout(timeout)
        except OSError as error:
            self.socket.close()
            raise Gone(f"cannot connect: {error}") from None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Sends a call without waiting. Returns the number of its answer."""
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method, "params": params or {}}
        body = json.dumps(message, separators=(",", ":")).encode()
        if self.headers:
            body = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        else:
            body += b"\n"
        try:
            self.socket.settimeout(self.timeout)
            self.socket.sendall(body)
        except TimeoutError:
            raise Late(f"{method} could not be sent") from None
        except OSError as error:
            raise Gone(str(error)) from None
        return self._next

    def call(self, method: str, params: dict[str, Any] | None = None, timeout: float | None = None) -> Any:
        return self.answer(self.send(method, params), timeout, method)

    def answer(self, number: int, timeout: float | None = None, what: str = "") -> Any:
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        while True:
            message = self.message(deadline, what)
            if message.get("id") != number or "method" in message:
                self.callbacks.append(message)
                continue
            if "error" in message:
                raise Refusal(message["error"])
            return message.get("result")

    def message(self, deadline: float, what: str = "") -> dict[str, Any]:
        while True:
            found = self._take()
            if found is not None:
                message: dict[str, Any] = json.loads(found)
                return message
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late(f"no answer to {what}")
            self.socket.settimeout(left)
            try:
                chunk = self.socket.recv(1 << 16)
            except TimeoutError:
                continue
            except OSError as error:
                raise Gone(str(error)) from None
            if not chunk:
                raise Gone("closed")
            self._buffer += chunk

    def _take(self) -> bytes | None:
        if not self.headers:
            end = self._buffer.find(b"\n")
            if end < 0:
                return None
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            return line
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        length = int(bytes(self._buffer[:end]).split(b":")[1].split(b"\r\n")[0])
        if len(self._buffer) < end + 4 + length:
            return None
        body = bytes(self._buffer[end + 4 : end + 4 + length])
        del self._buffer[: end + 4 + length]
        return body
