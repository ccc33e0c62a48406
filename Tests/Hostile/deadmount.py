#!/usr/bin/env python3
"""Peers whose program is on a file system that no longer answers, and is one that a rule of the policy names. Ruling 55."""
from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

from crowds import LONGEST_WAIT, Caller, milliseconds
from lib.attack import Attack, CannotRun, run
from lib.box import Box, Daemon, log_in
from lib.deadfs import DeadFileSystem
from lib.sandbox import Sandbox
from lib.strangers import FIRST_USER

WATCHDOG = 4.0
#: Seconds that such a peer may wait itself: the daemon gives its file system one.
ITS_WAIT = 3.0
PEERS = 4


def start_peer(program: Path, box: Box) -> subprocess.Popen[bytes]:
    """It has connected to nothing yet."""
    peer = subprocess.Popen([program, box.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=FIRST_USER,
                            group=FIRST_USER, extra_groups=[])
    assert peer.stdout
    if peer.stdout.readline() != b"ready\n":
        raise CannotRun(f"the peer does not start: {peer.wait()}")
    return peer


def whoami(attack: Attack, peer: subprocess.Popen[bytes], what: str) -> list[str]:
    """Lets it connect. The requestors that it is told it has."""
    began = time.monotonic()
    try:
        output, _ = peer.communicate(b"x", timeout=20)
    except subprocess.TimeoutExpired:
        peer.kill()
        attack.broken("no answer", what)
        return []
    waited = time.monotonic() - began
    attack.figures[what] = milliseconds(waited)
    if waited > ITS_WAIT:
        attack.broken("its wait", f"{what}: {milliseconds(waited)}")
    if peer.returncode != 0:
        attack.broken("peer failed", f"{what}: status {peer.returncode}")
        return []
    requestors: list[str] = json.loads(output)["result"]["requestors"]
    return requestors


def endure(attack: Attack, box: Box, files: DeadFileSystem, daemon: Daemon) -> None:
    alive = start_peer(files.program, box)
    if whoami(attack, alive, "a peer whose file system answers") != ["CH18"]:
        attack.broken("not recognized", "the program that the rule names")
    peers = [start_peer(files.program, box) for _ in range(PEERS)]
    with box.client() as client:
        log_in(client, "CH01")
        good = Caller(client)
        daemon.watch.forgive()
        good.start()
        files.die()
        for number, peer in enumerate(peers):
            attack.did("peers on a dead file system")
            if whoami(attack, peer, f"peer {number} of a dead file system"):
                attack.broken("recognized", "a program that could not be looked at")
        time.sleep(WATCHDOG)
        good.finish()
    attack.figures["a good client"] = good.figures
    if good.failed or good.longest > LONGEST_WAIT:
        attack.broken("good client waits", good.failed or milliseconds(good.longest))
    if daemon.watch.longest_gap > WATCHDOG:
        attack.broken("watchdog missed", f"nothing for {daemon.watch.longest_gap:.1f} s")
    if not daemon.is_alive():
        attack.broken("daemon dead", daemon.crash() or "")


def body(attack: Attack) -> None:
    if os.getuid() != 0:
        raise CannotRun("only root can mount file systems")
    program = attack.folder / "deadpeer"
    source = Path(__file__).parent / "lib/deadpeer.c"
    subprocess.run(["gcc", "-O1", "-static", "-o", program, source], check=True)
    folder = attack.folder / "dead"
    folder.mkdir()
    try:
        with DeadFileSystem(folder, program) as files:
            sandbox = Sandbox(attack)
            try:
                stanza = (f"[app dead]\nrequestors = CH18\nallow = user:{FIRST_USER}+executable:{files.program}\n"
                          f"may = entitlement\nsoftware-statement = file:{attack.folder}/box/app.jwt\n")
                box = Box(attack, "box", sandbox.origin, sandbox.statement(), stanzas=stanza, watchdog=WATCHDOG)
                with box.running() as daemon:
                    endure(attack, box, files, daemon)
            finally:
                sandbox.close()
    except OSError as reason:
        if reason.filename not in (None, "/dev/fuse"):
            raise
        attack.note(f"NOT TRIED: this machine mounts no FUSE file system: {reason}")


if __name__ == "__main__":
    run("deadmount", body, slice_seconds=30, full_seconds=30)
