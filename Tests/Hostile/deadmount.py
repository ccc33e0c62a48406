#!/usr/bin/env python3
"""A file system that no longer answers, with files that a reload or a request reads. Ruling 55."""
from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crowds import MAX_WAIT, MAX_THREADS, Caller, Threads, milliseconds
from lib.attack import Attack, CannotRun, run
from lib.box import Box, Daemon, log_in
from lib.deadfs import DeadFileSystem
from lib.rpc import Client, Gone, Late, Refusal
from lib.sandbox import RESOURCE, Sandbox
from lib.strangers import FIRST_USER

WATCHDOG = 4.0
#: The seconds that an operator may wait for a reload, and an app for a call whose token is in a file. The daemon waits one
#: second for each file, and notices the timeout within the next second.
FILE_WAIT = 4.0
#: One more thread for the files of a reload, and one for the token.
FILE_THREADS = MAX_THREADS + 2
#: The seconds that the daemon may take to end.
ENDING = 5.0


@dataclass(frozen=True)
class DeadFile:
    """A file that the configuration names."""

    name: str
    content: str
    stanzas: str = ""
    backend: str = ""
    more: str = ""


def dead_files(statement: str) -> list[DeadFile]:
    """PATH stands for the file's path."""
    certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
    return [
        DeadFile("statement", statement, stanzas=f"[app dead]\nrequestors = CH18\nallow = user:{FIRST_USER}\n"
                 "may = entitlement\nsoftware-statement = file:PATH\n"),
        DeadFile("authorities", certificate, backend="certificate-authorities = PATH\n"),
        DeadFile("token", "a.b.c", more="[sign-on]\nservice-token = file:PATH\n"),
    ]


def ask(attack: Attack, client: Client, what: str, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Returns the answer or the error, which must come in time."""
    attack.did("questions that need a dead file")
    began = time.monotonic()
    try:
        answer: dict[str, Any] = client.call(method, params, timeout=20)
    except Refusal as refusal:
        answer = {"error": str(refusal)}
    except (Gone, Late) as error:
        attack.broken("no answer", f"{what}: {error}")
        return {}
    waited = time.monotonic() - began
    attack.figures[what] = milliseconds(waited)
    if waited > FILE_WAIT:
        attack.broken("file wait", f"{what}: {milliseconds(waited)}")
    return answer


def reloads(attack: Attack, box: Box, what: str, path: Path) -> None:
    """Several reloads at a time, by the socket and by the signal."""
    answers: list[dict[str, Any]] = []

    def reload() -> None:
        with box.admin() as admin:
            answers.append(ask(attack, admin, what, "passd.reload"))

    threads = [threading.Thread(target=reload) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        if answer.get("applied") is not False or str(path) not in "".join(answer.get("problems", [])):
            attack.broken("reload", f"{what}: {answer}")


def endure_file(attack: Attack, box: Box, file: DeadFile, files: DeadFileSystem, daemon: Daemon) -> None:
    threads = Threads(daemon.pid)
    threads.start()
    with box.client() as client, box.client() as other, box.admin() as admin:
        log_in(client, "CH01")
        good = Caller(client)
        daemon.watch.forgive()
        good.start()
        files.die()
        if file.name == "token":
            for requestor in ("CH02", "CH03"):
                ask(attack, other, f"an app, dead {file.name}", "setRequestor", {"requestorID": requestor})
            ask(attack, other, f"a play, dead {file.name}", "checkAuthorization", {"resource": RESOURCE})
        daemon.process.send_signal(signal.SIGHUP)
        reloads(attack, box, f"a reload, dead {file.name}", files.program)
        answer = ask(attack, admin, f"the configuration, dead {file.name}", "passd.configuration")
        if str(files.program) not in "".join(answer.get("differences", [])):
            attack.broken("configuration", f"{file.name}: {answer}")
        warnings = {warning["code"]: warning["message"] for warning in admin.call("passd.status")["warnings"]}
        if str(files.program) not in warnings.get("reload-refused", ""):
            attack.broken("not warned", f"{file.name}: {warnings}")
        files.revive()
        time.sleep(0.5)
        if ask(attack, admin, f"a reload, living {file.name}", "passd.reload").get("applied") is not True:
            attack.broken("reload", f"refused, although the file system of the {file.name} answers again")
        files.die()
        reloads(attack, box, f"a reload, again dead {file.name}", files.program)
        good.finish()
    attack.figures[f"a good client, dead {file.name}"] = good.figures
    if good.failed or good.longest > MAX_WAIT:
        attack.broken("good client waits", f"dead {file.name}: {good.failed or milliseconds(good.longest)}")
    most = threads.finish().max_open
    attack.figures[f"threads, dead {file.name}"] = str(most)
    if most > FILE_THREADS:
        attack.broken("threads", f"dead {file.name}: {most}")
    if daemon.watch.longest_gap > WATCHDOG:
        attack.broken("watchdog missed", f"nothing for {daemon.watch.longest_gap:.1f} s")
    if not daemon.is_alive():
        attack.broken("daemon dead", daemon.crash() or "")
    began = time.monotonic()
    if daemon.stop(ENDING) != 0:
        attack.broken("does not end", f"dead {file.name}")
    attack.figures[f"its end, dead {file.name}"] = milliseconds(time.monotonic() - began)


def read_files(attack: Attack, sandbox: Sandbox) -> None:
    for file in dead_files(sandbox.statement()):
        folder = attack.folder / f"dead-{file.name}"
        folder.mkdir()
        content = attack.folder / file.name
        content.write_text(file.content, encoding="utf-8")
        with DeadFileSystem(folder, content) as files:
            stanzas, backend, more = (
                text.replace("PATH", str(files.program)) for text in (file.stanzas, file.backend, file.more))
            box = Box(attack, f"box-{file.name}", sandbox.origin, sandbox.statement(), stanzas=stanzas, backend=backend,
                      more=more, watchdog=WATCHDOG)
            with box.running() as daemon:
                endure_file(attack, box, file, files, daemon)


def body(attack: Attack) -> None:
    if os.getuid() != 0:
        raise CannotRun("only root can mount file systems")
    try:
        sandbox = Sandbox(attack)
        try:
            read_files(attack, sandbox)
        finally:
            sandbox.close()
    except OSError as reason:
        if reason.filename not in (None, "/dev/fuse"):
            raise
        attack.note(f"NOT TRIED: this machine mounts no FUSE file system: {reason}")


if __name__ == "__main__":
    run("deadmount", body, slice_seconds=60, full_seconds=60)
