"""One connection to the daemon: messages, waiting calls, and limits for both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import errors
from .errors import PassdError

Framing = Literal["lines", "headers"]


@dataclass(frozen=True)
class Limits:
    """The limits of this library's memory. Sizes are in bytes."""

    message: int = 16 << 20
    output: int = 4 << 20
    calls: int = 256
    callbacks: int = 1000


class FrameReader:
    """Splits bytes into messages, in the framing of the connection."""

    HEADER = 4096

    def __init__(self, framing: Framing, limit: int) -> None:
        self._framing = framing
        self._limit = limit
        self._bytes = bytearray()
        self._searched = 0
        self._length: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._bytes += data
        while (message := self._line() if self._framing == "lines" else self._body()) is not None:
            if message:
                yield message

    def _line(self) -> bytes | None:
        end = self._bytes.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._bytes)
            self._check(self._searched)
            return None
        self._check(end)
        line = bytes(self._bytes[:end]).strip()
        del self._bytes[: end + 1]
        self._searched = 0
        return line

    def _body(self) -> bytes | None:
        if self._length is None:
            end = self._bytes.find(b"\r\n\r\n", 0, self.HEADER + 4)
            if end < 0:
                if len(self._bytes) > self.HEADER:
                    raise ValueError("a header is too long")
                return None
            self._length = self._content_length(self._bytes[:end].decode("ascii"))
            self._check(self._length)
            del self._bytes[: end + 4]
        if len(self._bytes) < self._length:
            return None
        body = bytes(self._bytes[: self._length])
        del self._bytes[: self._length]
        self._length = None
        return body

    @staticmethod
    def _content_length(header: str) -> int:
        for line in header.split("\r\n"):
            name, _, value = line.partition(":")
            if name.strip().lower() == "content-length" and value.strip().isdigit():
                return int(value)
        raise ValueError("a header without Content-Length")

    def _check(self, size: int) -> None:
        if size > self._limit:
            raise ValueError(f"a message of more than {self._limit} bytes")


def frame(message: Mapping[str, Any], framing: Framing) -> bytes:
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    return body + b"\n" if framing == "lines" else b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Connection:
    """A connection. Calls may overlap. When the connection ends, all waiting calls fail with the reason."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, framing: Framing, limits: Limits,
        deliver: Callable[[str, dict[str, Any]], None],
    ) -> None:
        self._writer = writer
        self._framing = framing
        self._limits = limits
        self._deliver = deliver
        self._waiting: dict[int, tuple[asyncio.Future[Any], Callable[[Any], None] | None]] = {}
        # Functions for answers whose callers no longer wait.
        self._late: dict[int, Callable[[Any], None]] = {}
        self._last_id = 0
        self.ending: PassdError | None = None
        self.ended = asyncio.Event()
        self._reading = asyncio.create_task(self._read(reader))

    @classmethod
    async def open(
        cls, path: str, framing: Framing, limits: Limits, deliver: Callable[[str, dict[str, Any]], None], within: float
    ) -> Connection:
        try:
            async with asyncio.timeout(within):
                reader, writer = await asyncio.open_unix_connection(path)
        except OSError as error:
            raise errors.unreachable(path, error) from error
        except ValueError as error:  # a path that is too long, or has a zero byte
            raise errors.unreachable(path, OSError(str(error))) from error
        return cls(reader, writer, framing, limits, deliver)

    async def call(
        self, method: str, params: Mapping[str, Any], within: float, answered: Callable[[Any], None] | None = None
    ) -> Any:
        """Makes a call. `answered` gets the result at once, before later callbacks. If the caller has stopped waiting,
        `answered` is still called, and gets None instead of an error. If the connection ends first, `answered` gets the
        reason."""
        if self.ending is not None:
            raise self.ending.again()
        if len(self._waiting) >= self._limits.calls:
            raise errors.overloaded(self._limits.calls)
        self._last_id += 1
        number = self._last_id
        message = frame({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, self._framing)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer, answered
        try:
            self._write(message)
            async with asyncio.timeout(within):
                return await answer
        except TimeoutError as error:
            if isinstance(error, PassdError):
                raise
            raise errors.timed_out(within) from None
        finally:
            if self._waiting.pop(number, None) is not None and answered is not None:
                self._late[number] = answered

    def owes(self, answered: Callable[[Any], None]) -> bool:
        """Whether an answer is pending although its caller no longer waits."""
        return answered in self._late.values()

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        if self.ending is None:
            self._write(frame({"jsonrpc": "2.0", "method": method, "params": params}, self._framing))

    def _write(self, message: bytes) -> None:
        if self._writer.transport.get_write_buffer_size() > self._limits.output:
            self.end(errors.lost(f"it does not read, and more than {self._limits.output} bytes are waiting"))
        else:
            self._writer.write(message)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        frames = FrameReader(self._framing, self._limits.message)
        try:
            while data := await reader.read(1 << 16):
                for message in frames.feed(data):
                    self._handle(read_json(message))
                    if self.ending is not None:
                        return
            self.end(errors.lost("passd closed it"))
        except OSError as error:
            self.end(errors.lost(error.strerror or str(error)))
        except ValueError as error:
            self.end(errors.not_understood(str(error)))

    def _handle(self, message: Any) -> None:
        if isinstance(message, list):
            for each in message:
                self._handle(each)
            return
        if not isinstance(message, dict):
            raise ValueError("a message is not an object")
        if isinstance(method := message.get("method"), str):
            params = message.get("params")
            self._deliver(method, params if isinstance(params, dict) else {})
        elif message.get("id") is None and "error" in message:
            self.end(errors.refusal(message["error"]))  # the whole connection is refused
        elif isinstance(number := message.get("id"), int):
            answer, answered = self._waiting.pop(number, (None, None))
            if answer is None or answer.done():  # the caller no longer waits
                answered = answered or self._late.pop(number, None)
                if answered is not None:
                    answered(message.get("result"))
            elif "error" in message:
                answer.set_exception(errors.refusal(message["error"]))
            else:
                if answered is not None:
                    answered(message.get("result"))
                answer.set_result(message.get("result"))

    def end(self, reason: PassdError) -> None:
        if self.ending is not None:
            return
        self.ending = reason
        self._writer.close()
        self._reading.cancel()
        unanswered = [answered for _, answered in self._waiting.values() if answered is not None] + list(self._late.values())
        for answer, _ in self._waiting.values():
            if not answer.done():
                answer.set_exception(reason.again())
        self._waiting.clear()
        self._late.clear()
        for answered in unanswered:
            answered(reason)
        self.ended.set()


# The max numbers of levels and values of a message. They are limited, because even a short value takes memory.
LEVELS, VALUES = 64, 1 << 18


def read_json(text: bytes) -> Any:
    _check(text)
    return json.loads(text, parse_constant=_refuse_constant)


def _check(text: bytes) -> None:
    """Counts levels and values without making them. The parser reports invalid JSON."""
    opened = text.count(b"[") + text.count(b"{")
    if opened <= LEVELS and opened + text.count(b",") < VALUES:
        return
    strings = text.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
    bare = b"0".join(strings[::2]).translate(None, b" \t\r\n")
    opened = bare.count(b"[") + bare.count(b"{")
    if 1 + bare.count(b",") + opened - bare.count(b"[]") - bare.count(b"{}") > VALUES:
        raise ValueError("it has too many values")
    levels = 0
    for bracket in bare.translate(None, _NO_BRACKETS):
        levels += 1 if bracket in b"[{" else -1
        if levels > LEVELS:
            raise ValueError("it has too many levels")


_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")
