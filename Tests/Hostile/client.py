#!/usr/bin/env python3
"""A daemon that sends bad data to passd-cli: garbage, floods, control characters, deep and huge answers, half messages, or
nothing. The command line must end by itself and in time, and must write no control characters to a terminal."""
from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lib.attack import Attack, run

#: The timeout that passd-cli gets, and the time after which it is killed. Both are in seconds.
TIMEOUT, KILL_AFTER = 2, 40.0
VERBS = [
    ["login", "--provider", "Cable", "--no-wait"], ["login", "--provider", "Cable"], ["logout"], ["providers"],
    ["check"], ["authorize", "show"], ["preauthorize", "show", "other"], ["metadata", "zip"],
    ["metadata", "authentication"],
    ["profiles"], ["status"], ["sessions"], ["config", "show"], ["complete", "providers"], ["tokens"],
    ["forget", "--all"], ["doctor"],
    ["policy", "explain", "logout"], ["metrics"], ["why"], ["bugreport", "--records", "5", "--output", "-"],
    ["export", "-"], ["import", "--yes", "-"], ["reload"], ["call", "passd.hello"],
    ["call", "checkAuthentication"], ["describe"],
    ["describe", "logout"], ["watch"],
]
#: Characters that a terminal does not show but interprets: controls of both sets, except line ends and tabs, and characters
#: that change the direction or break lines.
STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: passd-cli's own colours are allowed.
OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[ABCDGJK]|\r")

NASTY = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202egnp.exe\u2028next\x00"
Answering = Callable[[dict[str, Any]], Iterator[bytes]]


def result_of(method: str, text: str, number: object) -> dict[str, Any]:
    """An answer that fits the method, with the same text in all possible places."""
    identity = {"uid": 0, "gid": 0, "pid": 1, "unit": text, "app": text}
    provider = {"id": text, "displayName": text, "logoURL": text}
    trouble = {"status": 403, "code": text, "action": text, "message": text, "details": text, "trace": text}
    answers: dict[str, Any] = {
        "passd.hello": {"protocol": 1, "version": text, "features": [text], "identity": identity},
        "passd.whoami": {"identity": identity, "may": ["entitlement", "observe", "admin"], "requestors": ["CH01"],
                         "rule": text},
        "setRequestor": {"status": 1, "requestorID": text, "authenticated": True, "provider": text},
        "checkAuthentication": {"status": 1, "authenticated": True, "errorCode": "", "provider": text,
                                "expires": number, "type": text},
        "getAuthentication": {"state": "selectProvider", "providers": [provider]},
        "setSelectedProvider": {"state": "secondScreen", "code": text, "url": f"http://x/{text}", "expires": number},
        "checkAuthorization": {"authorized": True, "resource": text, "token": text, "expires": number,
                               "error": trouble},
        "preauthorize": {"decisions": [{"id": text, "authorized": False, "error": trouble}], "status": trouble},
        "getMetadata": {"key": "METADATA_USER_META", "metadata": {text: [text, number]}, "encrypted": False,
                        "arguments": {}},
        "logout": {"status": 0, "actions": [{"provider": text, "action": "browser", "url": text}]},
        "listProviders": {"providers": [provider]},
        "listProfiles": {"profiles": [{"provider": text, "type": text, "issuer": text, "notBefore": number,
                                       "notAfter": number, "attributes": {text: text}}]},
        "passd.status": {
            "version": text, "uptime": number, "readiness": "ready", "openCodes": number, "sessions": number,
            "backend": {"origin": text, "protocol": "v2", "reachable": True}, "clock": {"offset": number},
            "store": {"health": text, "path": text}, "warnings": [{"code": text, "message": text, "remedy": text}]},
        "passd.sessions": {"sessions": [{"session": number, "identity": identity, "since": number, "requestorID": text,
                                         "client": text, "provider": text, "providerName": text,
                                         "pendingCalls": number, "open": [text]}]},
        "passd.suggestions": {"requestors": [text], "providers": [text], "resources": [text]},
        "passd.configuration": {
            "settings": [{"section": text, "key": text, "value": text, "default": text, "origin": text,
                          "isChanged": True, "effect": text, "inFiles": {"value": text, "origin": text}}],
            "apps": [{"name": text, "title": text, "origin": text, "requestors": [text], "statement": text,
                      "allow": [text], "may": [text], "origins": {text: text, "allow": text}}], "differences": [text]},
        "passd.decisions": {"decisions": [
            {"time": number, "kind": text, "outcome": text, "decidedBy": text, "app": text, "requestorID": text,
             "provider": text, "resource": text, "by": text, "source": text, "code": text, "trace": text, "text": text,
             "message": text, "reason": text, "remedy": text}]},
        "passd.export": {"backup": text, "logins": number, "apps": number},
        "passd.import": {"logins": number, "restarts": True},
        "passd.tokens": {"tokens": [{"requestorID": text, "provider": text, "kind": text, "resource": text,
                                     "expires": number}]},
        "passd.forget": {"forgotten": number}, "passd.reload": {"applied": False, "problems": [text]},
        "passd.metrics": {"contentType": text, "text": text},
        "passd.policyExplain": {"allowed": True, "rule": text, "app": text},
        "passd.doctor": {"checks": [{"name": text, "outcome": "warn", "message": text, "remedy": text}]},
        "passd.subscribe": {"seq": number, "snapshot": {text: text}},
        "rpc.discover": {"openrpc": text, "info": {"title": text}, "methods": [
            {"name": name, "summary": text, "params": [], "result": {"name": text, "schema": {}}}
            for name in ("logout", text)]},
    }
    return dict(answers.get(method, {}))


def line(call: dict[str, Any], result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": call.get("id"), "result": result}).encode() + b"\n"


def fitting(text: str, number: object = 1) -> Answering:
    def answer(call: dict[str, Any]) -> Iterator[bytes]:
        yield line(call, result_of(call["method"], text, number))
        if call["method"] == "passd.subscribe":
            for kind in ("session.opened", "authentication", "hint", "requestor.failed", "warning", text):
                yield json.dumps({"jsonrpc": "2.0", "method": "event", "params": {
                    "seq": number, "type": kind, "time": number,
                    "data": {"requestorID": text, "provider": text, "reason": text, "expires": number,
                             "identity": {"uid": number, "pid": number, "app": text},
                             "warning": {"message": text, "remedy": text}, text: [{text: text}]}}}).encode() + b"\n"

    return answer


def refusing(text: str) -> Answering:
    def answer(call: dict[str, Any]) -> Iterator[bytes]:
        details = {"code": text, "remedy": text, "trace": text, "details": text}
        error = {"code": -32011, "message": text, "data": details}
        yield json.dumps({"jsonrpc": "2.0", "id": call.get("id"), "error": error}).encode() + b"\n"

    return answer


def raw(*pieces: bytes) -> Answering:
    return lambda _: iter(pieces)


def deep(call: dict[str, Any]) -> Iterator[bytes]:
    start = b'{"jsonrpc":"2.0","id":%s,"result":' % json.dumps(call.get("id")).encode()
    yield start + b"[" * 100_000 + b"]" * 100_000 + b"}\n"


def slow(call: dict[str, Any]) -> Iterator[bytes]:
    for byte in line(call, result_of(call["method"], "x", 1)):
        time.sleep(0.05)
        yield bytes([byte])


def flood(call: dict[str, Any]) -> Iterator[bytes]:
    event = b'{"jsonrpc":"2.0","method":"event","params":{"seq":1,"type":"warning","time":1,"data":{}}}\n' * 500
    for _ in range(400):
        yield event


LIES: dict[str, Answering] = {
    "steering text": fitting(NASTY), "steering error": refusing(NASTY), "honest": fitting("x"),
    "empty text": fitting(""), "huge text": fitting("x" * 200_000), "percent": fitting("%s%n%@"),
    "highest number": fitting("x", 2**63 - 1), "lowest number": fitting("x", -(2**63)),
    "number beyond": fitting("x", 2**64), "fraction": fitting("x", 1e300), "text for a number": fitting("x", "soon"),
    "nothing for a number": fitting("x", None), "wide characters": fitting("\U0001f469\u200d\U0001f680\u0301" * 300),
    "no JSON": raw(b"<html>\n"), "noise": raw(bytes(range(256)) * 40 + b"\n"), "silence": raw(),
    "half": raw(b'{"jsonrpc'),
    "endless line": raw(*([b"x" * 65536] * 200)), "blank lines": raw(b"\n" * 500_000), "deep": deep,
    "slow": slow, "flood": flood, "other answers": raw(b'{"jsonrpc":"2.0","id":777,"result":{}}\n' * 1000),
    "empty result": lambda call: iter([line(call, {})]), "no result": lambda call: iter([line(call, None)]),
    "list for a result": lambda call: iter([line(call, [[]])]),
}


class Liar:
    """Listens on both sockets of a daemon and sends prepared answers."""

    def __init__(self, folder: Path, answering: Answering) -> None:
        folder.mkdir()
        self.path = folder / "passd.sock"
        self.answering = answering
        self._listeners = [self.listen(self.path), self.listen(folder / "admin.sock")]

    def listen(self, path: Path) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(path))
        listener.listen(8)
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()
        return listener

    def accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as lines:
                connection.settimeout(20)
                for text in lines:
                    for piece in self.answering(json.loads(text)):
                        connection.sendall(piece)
        except (OSError, ValueError):
            pass

    def close(self) -> None:
        for listener in self._listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def ask(attack: Attack, liar: Liar, words: list[str]) -> tuple[int | None, bytes]:
    """Runs passd-cli on a terminal. Returns the exit status, or nothing if it had to be killed, and the terminal's output."""
    outside, inside = pty.openpty()
    child = subprocess.Popen(
        [str(attack.programs / "passd-cli"), "--socket", str(liar.path), "--requestor", "CH01",
         "--timeout", str(TIMEOUT), *words],
        stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"})
    os.close(inside)
    said = bytearray()
    deadline = time.monotonic() + KILL_AFTER
    # A verb that watches or waits for a viewer runs until it is interrupted.
    is_patient = "watch" in words or "login" in words
    interrupts_at = time.monotonic() + TIMEOUT + 1.5
    try:
        while time.monotonic() < deadline:
            if select.select([outside], [], [], 0.1)[0]:
                try:
                    said += os.read(outside, 1 << 16)
                except OSError:
                    break
            elif child.poll() is not None:
                break
            if is_patient and time.monotonic() > interrupts_at and child.poll() is None:
                child.send_signal(signal.SIGINT)
                is_patient = False
        try:
            status: int | None = child.wait(1)
        except subprocess.TimeoutExpired:
            status = None
        return status, bytes(said[:4_000_000])
    finally:
        child.kill()
        child.wait()
        os.close(outside)


def judge(attack: Attack, where: str, status: int | None, said: bytes) -> None:
    if status is None:
        attack.broken("does not end", where)
    # An interrupt may come before passd-cli handles signals.
    elif status < 0 and status != -signal.SIGINT:
        attack.broken("ended by a signal", f"{where}: {-status}: {said[-300:]!r}")
    text = OWN.sub("", said.decode("utf-8", "replace"))
    if found := STEERING.search(text):
        place = text[max(0, found.start() - 40) : found.end() + 20]
        attack.broken("control characters on the terminal", f"{where}: {place!r}")


def body(attack: Attack) -> None:
    work = [(name, [*format, *verb]) for name in LIES for verb in VERBS for format in ([], ["--json"])]
    attack.random.shuffle(work)
    # Cases that found a fault earlier come first.
    work.sort(key=lambda each: not each[0].startswith("steering"))
    queue = iter(list(enumerate(work)))
    attack.figures["questions there are"] = str(len(work))
    lock = threading.Lock()

    def some() -> None:
        while attack.left > 0:
            with lock:
                item = next(queue, None)
            if not item:
                return
            number, (name, words) = item
            liar = Liar(attack.folder / f"liar{number}", LIES[name])
            try:
                judge(attack, f"{' '.join(words)}, {name}", *ask(attack, liar, words))
            finally:
                liar.close()
            attack.did(name)

    # The workers wait most of the time.
    threads = [threading.Thread(target=some) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    run("client", body, slice_seconds=25, full_seconds=600)
