#!/usr/bin/env python3
"""Clients of pass-sandbox that misbehave: half requests, slow bytes, rubbish, huge headers and bodies, unread answers,
endless connections, and guesses of codes. Beside them, a good client measures how long its answers take."""
from __future__ import annotations

import contextlib
import http.client
import random
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass

from lib import process
from lib.attack import Attack, run
from lib.sandbox import CABLE, USER, Sandbox

#: The KiB that guests may add. A connection may have 64 KiB of headers and 64 KiB of a body, and there are 512 connections.
MAX_MEMORY = 96 * 1024
#: The seconds that a good client may wait for its answer. If there are too many connections, its connection may be closed.
MAX_WAIT = 2.0


class Guests:
    """A number of connections of one kind, until the time is over."""

    def __init__(self, port: int, seconds: float, seed: str) -> None:
        self.port = port
        self.until = time.monotonic() + seconds
        self.random = random.Random(seed)
        self.done = 0

    @property
    def go_on(self) -> bool:
        return time.monotonic() < self.until

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)

    def did(self) -> None:
        self.done += 1


def say(guests: Guests, data: bytes) -> None:
    with guests.connect() as connection:
        connection.settimeout(0.5)
        connection.sendall(data)
        connection.recv(1 << 16)


def half_requests(guests: Guests) -> None:
    """Opens as many connections as allowed, and begins a request on each."""
    connections = []
    try:
        for _ in range(70):
            connections.append(guests.connect())
            connections[-1].sendall(
                b"POST /o/client/register HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + b"x" * 50_000)
            guests.did()
        while guests.go_on:
            time.sleep(0.1)
    finally:
        for connection in connections:
            connection.close()


def slow_bytes(guests: Guests) -> None:
    connections = []
    try:
        connections = [guests.connect() for _ in range(70)]
        for byte in b"GET /sandbox/clock HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 1000:
            if not guests.go_on:
                return
            for connection in connections:
                connection.sendall(bytes([byte]))
                guests.did()
            time.sleep(0.05)
    finally:
        for connection in connections:
            connection.close()


def rubbish(guests: Guests) -> None:
    lines = [
        guests.random.randbytes(3000), b"GET\r\n\r\n", b"\0" * 5000, b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01" * 50,
        b"GET /%00%2F..%5C HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /" + b"a/" * 30_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /?" + b"a=b&" * 15_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n", b"GET / HTTP/1.1\r\nX: " + b"z" * 200_000 + b"\r\n\r\n",
        b"POST /o/client/token HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /o/client/token HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /o/client/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"POST /o/client/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 50_000,
        b"POST /o/client/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 60000\r\n\r\n" + b"[" * 60_000,
        b"POST /o/client/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 60000\r\n\r\n" + b"a=%ff&" * 10_000,
        b"GET /sandbox/journal HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ]
    while guests.go_on:
        # The server may wait for more data, or close the connection.
        with contextlib.suppress(OSError):
            say(guests, guests.random.choice(lines))
        guests.did()


def never_read(guests: Guests) -> None:
    line = b"GET /api/v2/CH01/configuration HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    while guests.go_on:
        with guests.connect() as connection, contextlib.suppress(OSError):
            connection.settimeout(1)
            while guests.go_on:
                connection.sendall(line * 50)
                guests.did()


def connects(guests: Guests) -> None:
    while guests.go_on:
        with guests.connect():
            guests.did()


@dataclass(frozen=True)
class Crowd:
    name: str
    work: Callable[[Guests], None]
    threads: int


CROWDS = [Crowd("half requests", half_requests, 8), Crowd("slow bytes", slow_bytes, 4), Crowd("rubbish", rubbish, 4),
          Crowd("never read", never_read, 4), Crowd("connects", connects, 3)]


class GoodClient(threading.Thread):
    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.waits: list[float] = []
        self.refused = 0
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(0.02):
            began = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
            try:
                connection.request("GET", "/sandbox/clock")
                connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                self.refused += 1
            finally:
                connection.close()
            self.waits.append(time.monotonic() - began)


def endure(attack: Attack, sandbox: Sandbox, crowd: Crowd, seconds: float) -> None:
    before = process.read(sandbox.process.pid)
    good = GoodClient(sandbox.port)
    guests = [Guests(sandbox.port, seconds, f"{attack.seed} {number}") for number in range(crowd.threads)]

    def work(each: Guests) -> None:
        while each.go_on:
            try:
                crowd.work(each)
            except OSError:
                time.sleep(0.01)

    threads = [threading.Thread(target=work, args=(each,)) for each in guests]
    for thread in (good, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    good.ends.set()
    good.join()
    attack.did(f"{crowd.name}:", sum(each.done for each in guests))
    if sandbox.process.poll() is not None:
        attack.broken("sandbox dead", f"{crowd.name}: {sandbox.process.returncode}")
        return
    peak = process.highest_memory(sandbox.process.pid)
    time.sleep(0.5)
    after = process.read(sandbox.process.pid)
    waits = sorted(good.waits) or [0.0]
    attack.note(
        f"{crowd.name}: a good client's {len(waits)} requests waited {waits[len(waits) // 2] * 1000:.1f} ms (median), "
        f"{waits[-1] * 1000:.1f} ms (longest), {good.refused} had no answer; memory {before.memory // 1024} MiB "
        f"before, {peak // 1024} at most; descriptors {before.descriptors} and {after.descriptors}")
    if waits[-1] > MAX_WAIT:
        attack.broken("good client waits", f"{crowd.name}: {waits[-1] * 1000:.0f} ms")
    # A new connection may be evicted for others. The client then connects again.
    if good.refused > len(waits) // 2:
        attack.broken("good client has no answer", f"{crowd.name}: {good.refused} of {len(waits)}")
    if peak - before.memory > MAX_MEMORY:
        attack.broken("memory", f"{crowd.name}: {(peak - before.memory) // 1024} MiB more than before")
    if after.descriptors > before.descriptors + 5:
        attack.broken("descriptors stay", f"{crowd.name}: {before.descriptors} before, {after.descriptors} after")


def guess_codes(attack: Attack, sandbox: Sandbox) -> None:
    """After some guesses of codes at the activation page, further guesses must be blocked, in every form."""
    for name, path, form in (
        ("codes", "/activate", {"code": "{}", "mvpd": CABLE}),
        ("codes in the address", "/activate?code={}", None),
        ("codes of a login's address", "/api/v2/authenticate/CH01/{}", None),
    ):
        stopped = False
        for number in range(400):
            guess = f"{number:07d}".translate(str.maketrans("0123456789", "BCDFGHJKLM"))
            connection = http.client.HTTPConnection("127.0.0.1", sandbox.port, timeout=15)
            try:
                if form:
                    body = urllib.parse.urlencode({key: value.format(guess) for key, value in form.items()})
                    connection.request("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})
                else:
                    connection.request("GET", path.format(guess))
                status = connection.getresponse().status
            finally:
                connection.close()
            attack.did("guesses")
            if status in (403, 429, 503):
                stopped = True
                break
        if not stopped:
            attack.broken("unlimited guesses", f"{name}: 400 and still {status}, user {USER}")


def body(attack: Attack) -> None:
    seconds = max(2.0, attack.seconds / (len(CROWDS) + 1) - 1)
    for crowd in CROWDS:
        sandbox = Sandbox(attack)
        try:
            endure(attack, sandbox, crowd, seconds)
        finally:
            sandbox.close()
    sandbox = Sandbox(attack, throttles=True)
    try:
        guess_codes(attack, sandbox)
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("guests", body, slice_seconds=22, full_seconds=900)
