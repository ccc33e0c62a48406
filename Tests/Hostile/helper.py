#!/usr/bin/env python3
"""Sign-on programs of the daemon (`platform-identity`, `service-token`, `partner`) that hang, die, flood, print garbage, leave
children behind, or refuse to end. Only the sign-on with this program may fail. Other calls must be answered. Memory,
descriptors and watchdog must stay normal. After the program has ended, none of its processes may keep running."""
from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

from lib import process
from lib.attack import Attack, run
from lib.box import Box, Daemon, log_in
from lib.programs import PRELUDE, Program, programs
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import RESOURCE, Sandbox

#: A program has five seconds, and a call may wait for three programs.
TIMEOUT = 35.0
WATCHDOG = 6.0
MAX_MEMORY = 48 * 1024


class Case:
    def __init__(self, attack: Attack, sandbox: Sandbox, number: int, program: Program, protocol: str) -> None:
        self.attack = attack
        self.name = f"{program.name}, over {protocol}"
        path = attack.folder / f"program{number}"
        path.write_text(PRELUDE + program.text + "\n", encoding="utf-8")
        path.chmod(0o755)
        self.path = path
        settings = "".join(f"{setting} = command:{path}\n" for setting in program.settings)
        if "partner" in program.settings:
            settings += "partner-name = Hearth\npartner-device-type = hearth-box\n"
        self.box = Box(attack, f"helper{number}", sandbox.origin, sandbox.statement(), watchdog=WATCHDOG,
                       protocol=protocol, more=f"[sign-on]\n{settings}")

    def go(self) -> None:
        try:
            with self.box.running() as daemon:
                self.attack.did(f"programs over {self.box.protocol}")
                self.live(daemon)
                self.judge(daemon)
                # Otherwise the daemon has not used the program.
                if "sign" in daemon.log():
                    self.attack.did("programs that the log names")
                status = daemon.stop(20)
                if status != 0:
                    self.attack.broken("does not end", f"{self.name}: {status}")
                self.look_for_leftovers()
        except Gone as error:
            self.attack.broken("daemon gone", f"{self.name}: {error}")
        finally:
            for pid in self.leftovers():
                os.kill(pid, signal.SIGKILL)

    def live(self, daemon: Daemon) -> None:
        self.before = process.read(daemon.pid)
        other = threading.Thread(target=self.stay_quick)
        other.start()
        try:
            for requestor in ("CH01", "CH02"):
                with self.box.client(timeout=TIMEOUT) as client:
                    try:
                        if not log_in(client, requestor):
                            self.attack.broken("no login", f"{self.name}: {requestor}")
                        if not client.call("checkAuthorization", {"resource": RESOURCE})["authorized"]:
                            self.attack.broken("no play", f"{self.name}: {requestor}")
                    except (Late, Refusal) as error:
                        self.attack.broken("a call fails", f"{self.name}: {requestor}: {error}")
            self.ask_for_a_dialog()
            with self.box.admin(timeout=TIMEOUT) as admin:
                try:
                    admin.call("passd.doctor")
                except (Late, Refusal) as error:
                    self.attack.broken("doctor fails", f"{self.name}: {error}")
        finally:
            other.join()

    def ask_for_a_dialog(self) -> None:
        """A login in which the partner may show the viewer a dialog. This may take minutes, and an app may leave."""
        with self.box.client(timeout=8) as client, contextlib.suppress(Late, Refusal):
            client.call("setRequestor", {"requestorID": "CH03"})
            client.call("getAuthentication")

    def stay_quick(self) -> None:
        """A client whose calls do not need the program."""
        longest = 0.0
        until = time.monotonic() + 6
        try:
            with self.box.client(timeout=TIMEOUT) as client:
                while time.monotonic() < until:
                    began = time.monotonic()
                    client.call("passd.whoami")
                    longest = max(longest, time.monotonic() - began)
                    time.sleep(0.01)
        except (Gone, Late, Refusal) as error:
            self.attack.broken("others disturbed", f"{self.name}: {error}")
        if longest > 1.0:
            self.attack.broken("others wait", f"{self.name}: {longest * 1000:.0f} ms")

    def judge(self, daemon: Daemon) -> None:
        if daemon.watch.longest_gap > WATCHDOG:
            self.attack.broken("watchdog missed", f"{self.name}: {daemon.watch.longest_gap:.1f} s")
        grown = process.highest_memory(daemon.pid) - self.before.memory
        if grown > MAX_MEMORY:
            self.attack.broken("memory", f"{self.name}: {grown // 1024} MiB more")
        after = process.read(daemon.pid)
        # A helper that keeps running has its pipes and a pidfd. libcurl is loaded with the first request, and has a pair of its
        # own and connections to the service.
        if after.descriptors > self.before.descriptors + 12:
            self.attack.broken("descriptors", f"{self.name}: {self.before} before, {after} after")
        if any(mark in daemon.log() for mark in ("\x1b", "\x00", "\x07", "\u202e")):
            self.attack.broken("control characters in the log", self.name)

    def leftovers(self) -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if str(self.path).encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                        found.append(int(entry.name))
                except OSError:
                    pass
        return found

    def look_for_leftovers(self) -> None:
        if "another session" in self.name:
            return
        deadline = time.monotonic() + 2
        while (left := self.leftovers()) and time.monotonic() < deadline:
            time.sleep(0.05)
        if left:
            self.attack.broken("left running", f"{self.name}: {len(left)} processes")


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    cases = [(program, protocol) for program in programs()
             for protocol in (["v2", "v1"] * 5 if attack.full else attack.random.choices(["v2", "v1"], [2, 1]))]
    attack.random.shuffle(cases)
    lock = threading.Lock()
    queue = iter([(number, *case) for number, case in enumerate(cases)])

    def work() -> None:
        while attack.left > 0:
            with lock:
                item = next(queue, None)
            if not item:
                return
            Case(attack, sandbox, *item).go()

    try:
        # The workers wait most of the time.
        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("helper", body, slice_seconds=45, full_seconds=1200)
