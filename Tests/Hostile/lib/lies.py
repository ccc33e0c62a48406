"""Wrong answers of a service ("lies"). Each lie is a function that changes a correct answer."""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .mean import OLDER_PARTS, PARTS, Answer, Exchange, Meanness

#: The daemon's requests in the newer and in the older interface.
KINDS = {"v2": list(PARTS), "v1": ["register", "token", *OLDER_PARTS]}
#: The requests whose answers have the viewer's attributes.
ATTRIBUTES_IN = {"v2": "profiles", "v1": "tokens/usermetadata"}


@dataclass(frozen=True)
class Lie:
    name: str
    #: The request that gets this lie as its answer, or "all".
    kind: str
    tell: Meanness
    #: Whether the answer to a POST is lost. The daemon must not repeat such a POST.
    loses_answers: bool = False

    #: Whether only one answer is a lie. If all answers say the same, passd must accept it.
    is_told_once: bool = False

    def meanness(self) -> Meanness:
        told = 0

        def tell(exchange: Exchange) -> Answer | None:
            nonlocal told
            if self.kind == "tokens/authz" and exchange.what == "authorize":
                return unexplained(exchange)
            if self.kind not in ("all", exchange.what) or (told and self.is_told_once):
                return None
            told += 1
            return self.tell(exchange)

        return tell


def dice(seed: int, exchange: Exchange, more: object = "") -> random.Random:
    """Returns the same value for the same request, independent of other requests at the time."""
    return random.Random(f"{seed} {exchange.method} {exchange.path} {more}")


def with_headers(exchange: Exchange, *headers: tuple[str, str], without: str = "") -> Exchange:
    kept = [each for each in exchange.headers if each[0].lower() != without.lower()]
    return replace(exchange, headers=kept + list(headers))


def with_body(exchange: Exchange, body: bytes) -> Exchange:
    return replace(with_headers(exchange, without="Content-Length"), body=body)


def said(exchange: Exchange) -> Answer:
    return Answer.of(exchange.raw())


def unexplained(exchange: Exchange) -> Answer:
    """A refusal without a reason. In the older interface, passd then asks for the reason."""
    body = b'{"status": 403, "message": "User not authorized"}'
    return said(with_body(replace(exchange, status=403, reason="Forbidden"), body))


# Values that may replace a member, as JSON text.
VALUES = [
    "null", "true", "-1", "0", "1e300", "-1e300", "1e999", "NaN", "0.1", "1" * 4000, "253402300800000",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
    '""', '"\\u0000"', '"\\ud800"', '"\\u001b]0;x\\u0007\\u202e"', '"../../etc/passwd"', '"http://[::1"',
    '"javascript:alert(1)"',
    '"' + "x" * 70_000 + '"', '"' + "\\u00e9" * 40_000 + '"', '{"value": "' + "y" * 66_000 + '"}',
    "[]", "{}", "[[]]", "[" * 70 + "]" * 70, "[" * 20_000 + "]" * 20_000,
]
#: Attributes of a viewer that do not fit into a row of the store.
LARGE = ['"' + "x" * 70_000 + '"', "[" * 70 + "1" + "]" * 70, '"' + "\\u0000" * 20_000 + '"',
         "{" + '"a":{' * 66 + "}" * 67]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from places(each, (*at, index))


MARK = "@@the place@@"


def replaced(value: Any, at: tuple[Any, ...]) -> Any:
    if not at:
        return MARK
    if isinstance(value, dict):
        return {key: replaced(each, at[1:]) if key == at[0] else each for key, each in value.items()}
    return [replaced(each, at[1:]) if index == at[0] else each for index, each in enumerate(value)]


def bent_value(seed: int, text: str) -> Meanness:
    """Sets a random member of the answer to this value."""

    def tell(exchange: Exchange) -> Answer | None:
        try:
            value = json.loads(exchange.body)
        except ValueError:
            return None
        at = dice(seed, exchange, text).choice(list(places(value)))
        return said(with_body(exchange, json.dumps(replaced(value, at)).replace(f'"{MARK}"', text).encode()))

    return tell


def large_attributes(text: str) -> Meanness:
    """Makes the viewer's metadata too large for a row of the store."""

    def tell(exchange: Exchange) -> Answer | None:
        try:
            value = json.loads(exchange.body)
        except ValueError:
            return None
        if not isinstance(value, dict):
            return None
        if "data" in value:
            value["data"] = {**value["data"], "nasty": MARK}
            return said(with_body(exchange, json.dumps(value).replace(f'"{MARK}"', text).encode()))
        profiles = value.get("profiles")
        if not profiles:
            return None
        for profile in profiles.values():
            profile["attributes"] = {**profile.get("attributes", {}), "nasty": {"value": MARK, "state": "plain"}}
        return said(with_body(exchange, json.dumps(value).replace(f'"{MARK}"', text).encode()))

    return tell


def body_lies(seed: int) -> Iterator[tuple[str, Meanness]]:
    yield "cut body", lambda exchange: said(
        with_body(exchange, exchange.body[: dice(seed, exchange).randrange(len(exchange.body) + 1)]))
    yield "empty body", lambda exchange: said(with_body(exchange, b""))
    yield "huge body", lambda exchange: said(with_body(exchange, b'{"x": "' + b"x" * 20_000_000 + b'"}'))
    yield "deep body", lambda exchange: said(with_body(exchange, b"[" * 500_000))
    yield "deep objects", lambda exchange: said(with_body(exchange, b'{"a":' * 100_000 + b"1" + b"}" * 100_000))
    yield "no JSON", lambda exchange: said(with_body(exchange, b"<html>nothing</html>"))
    yield "noise", lambda exchange: said(with_body(exchange, dice(seed, exchange).randbytes(5000)))
    yield "bad UTF-8", lambda exchange: said(with_body(exchange, exchange.body.replace(b'":"', b'":"\xff\xc0\x80')))
    yield "byte order mark", lambda exchange: said(with_body(exchange, b"\xef\xbb\xbf" + exchange.body))
    yield "UTF-16", lambda exchange: said(
        with_body(exchange, exchange.body.decode("utf-8", "replace").encode("utf-16")))
    yield "twice", lambda exchange: said(with_body(exchange, exchange.body * 2))
    yield "same members again", lambda exchange: said(
        with_body(exchange, b"{" + b'"profiles":{},' * 20_000 + b'"x":1}'))
    yield "many members", lambda exchange: said(
        with_body(exchange, json.dumps({f"m{number}": number for number in range(50_000)}).encode()))
    for text in VALUES:
        yield f"value {text[:24]}", bent_value(seed, text)
    for text in LARGE:
        yield f"attributes {text[:12]}", large_attributes(text)


DATES = ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
         "tomorrow", "", "Mon, 22 Nov 2027 12:00:00 GMT", "Sun, 22 Nov 2020 12:00:00 GMT"]


def header_lies() -> Iterator[tuple[str, Meanness]]:
    def header(name: str, value: str, without: str = "") -> Meanness:
        return lambda exchange: said(with_headers(exchange, (name, value), without=without))

    yield "huge header", header("X-Huge", "x" * 200_000)
    yield "many headers", lambda exchange: said(
        with_headers(exchange, *((f"X-{number}", "x" * 100) for number in range(3000))))
    yield "no content type", lambda exchange: said(with_headers(exchange, without="Content-Type"))
    yield "other content type", header("Content-Type", "text/html", "Content-Type")
    yield "two content types", header("Content-Type", "text/html")
    yield "gzip that is none", header("Content-Encoding", "gzip")
    yield "unknown encoding", header("Content-Encoding", "zstd, br, gzip")
    yield "length too large", header("Content-Length", "100000000", "Content-Length")
    yield "length too small", header("Content-Length", "3", "Content-Length")
    yield "length negative", header("Content-Length", "-1", "Content-Length")
    yield "length beyond", header("Content-Length", "99999999999999999999", "Content-Length")
    yield "two lengths", header("Content-Length", "7")
    yield "cookies", header("Set-Cookie", "a=" + "b" * 4000)
    yield "not HTTP", lambda _: Answer.of(b"SSH-2.0-OpenSSH_9.2\r\n")
    yield "HTTP/0.9", lambda exchange: Answer.of(exchange.body)
    yield "no end of headers", lambda _: Answer.of(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000)
    yield "endless 100", lambda exchange: Answer.of(b"HTTP/1.1 100 Continue\r\n\r\n" * 500 + exchange.raw())
    yield "NUL in header", lambda exchange: Answer.of(exchange.raw().replace(b"\r\n", b"\r\nX: a\0b\r\n", 1))
    yield "escape in header", header("X-Request-Id", "\x1b[31mred\x1b]0;title\x07")
    for date in DATES:
        yield f"date {date[:16]}", header("Date", date, "Date")
    for wait in ("99999999999999999999", "-5", "soon", "1e300", "86400"):
        def refused(exchange: Exchange, wait: str = wait) -> Answer:
            return said(with_headers(replace(exchange, status=503, reason="Busy"), ("Retry-After", wait)))

        yield f"503, again after {wait[:8]}", refused


def status_lies() -> Iterator[tuple[str, Meanness]]:
    for status in (100, 199, 204, 206, 300, 304, 400, 402, 403, 404, 405, 409, 410, 418, 429, 500, 503, 511, 599, 600,
                   999):
        def answered(exchange: Exchange, status: int = status) -> Answer:
            return said(replace(exchange, status=status, reason="So"))

        yield f"status {status}", answered
    for place in ("/", "http://127.0.0.1:1/", "https://127.0.0.1:1/", "file:///etc/passwd", "ftp://127.0.0.1/x",
                  "//127.0.0.1:1/x", "http://user:secret@127.0.0.1:1/", "x" * 100_000, ""):
        for status in (301, 307):
            def moved(exchange: Exchange, place: str = place, status: int = status) -> Answer:
                return said(with_headers(replace(exchange, status=status, reason="Moved"), ("Location", place)))

            yield f"{status} to {place[:20]}", moved
    yield "loop", lambda exchange: said(
        with_headers(replace(exchange, status=302, reason="Found"), ("Location", exchange.path)))


def slow_lies() -> Iterator[tuple[str, Meanness]]:
    def dripping(exchange: Exchange) -> Answer:
        raw = exchange.raw()
        return Answer([(0.05, raw[at : at + 1]) for at in range(len(raw))])

    yield "slow bytes", dripping
    yield "silence", lambda _: Answer([(4.0, b"")])
    yield "silence in the middle", lambda exchange: Answer([(0.0, exchange.raw()[:-3]), (4.0, exchange.raw()[-3:])])


def reset_after(seed: int, turn: int) -> Meanness:
    """Resets the connection after a random number of bytes."""

    def tell(exchange: Exchange) -> Answer:
        raw = exchange.raw()
        return Answer([(0.0, raw[: dice(seed, exchange, turn).randrange(len(raw) + 1)])], is_reset=True)

    return tell


def all_lies(seed: int, protocol: str = "v2") -> list[Lie]:
    """All lies in random order. Each is used once, for some request, before any is used again."""
    every = KINDS[protocol]
    lies = []
    for name, tell in (*body_lies(seed), *header_lies(), *status_lies()):
        kinds = [ATTRIBUTES_IN[protocol]] if name.startswith("attributes") else every
        lies += [Lie(name, kind, tell, is_told_once=name.startswith("date")) for kind in kinds]
    for name, tell in slow_lies():
        lies += [Lie(name, kind, tell, loses_answers=True) for kind in every]
    for turn in range(12):
        lies += [Lie("reset", kind, reset_after(seed, turn), loses_answers=True) for kind in every]
    random.Random(seed).shuffle(lies)
    told: dict[str, int] = {}
    turns = []
    for number, lie in enumerate(lies):
        told[lie.name] = told.get(lie.name, 0) + 1
        turns.append((told[lie.name], number))
    return [lies[number] for _, number in sorted(turns)]
