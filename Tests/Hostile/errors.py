#!/usr/bin/env python3
"""Errors of system calls that touch the store, in a start and in a login. Each call fails once, or all calls fail from this
call on. The daemon must survive and answer. When the fault is over, all acknowledged logins must be there, and no damage is
reported."""
from __future__ import annotations

import errno
import threading
from pathlib import Path

from lib import shim
from lib.attack import Attack, run
from lib.box import Box, log_in
from lib.faults import TIMEOUT, Faults
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import Sandbox, pass_of

ERRORS = [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENOMEM, errno.EDQUOT, errno.EACCES, errno.EINTR]
KINDS = [shim.WRITE, shim.SYNC, shim.CUT, shim.RENAME, shim.REMOVE, shim.CREATE, shim.MODE, shim.OPEN, shim.READ]
#: The number of errors that are tried at a time.
WORKERS = 3


class Errors(Faults):
    def __init__(self, attack: Attack, sandbox: Sandbox) -> None:
        super().__init__(attack, sandbox)
        self.library = shim.build(attack)

    def errors_at_each_call(self) -> None:
        box = self.box("errors", identity="errors")
        logins = self.fill(box)
        template = box.copy_state(box.folder / "template")
        # A kernel interrupts a call only once.
        work = [(at, kind, error, once, at_start)
                for at_start in (True, False) for kind in KINDS
                for at in range(1, 1 + min(20, self.calls(box, template, kind, at_start)))
                for error in ERRORS for once in ((True,) if error == errno.EINTR else (True, False))]
        self.attack.figures["errors there are"] = str(len(work))
        self.attack.random.shuffle(work)

        def some(number: int) -> None:
            # The same box under another name, so that the two do not affect each other.
            own = self.box(f"errors-{number}-", identity="errors")
            for at, kind, error, once, at_start in work[number::WORKERS]:
                if self.attack.left < 0:
                    return
                own.restore_state(template)
                self.error(own, logins, at, kind, error, once, at_start)

        threads = [threading.Thread(target=some, args=(number,)) for number in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def calls(self, box: Box, template: Path, kind: int, at_start: bool) -> int:
        """The number of calls of this kind if nothing fails."""
        box.restore_state(template)
        orders = shim.Orders(self.library, box.folder / "orders", box.state)
        if at_start:
            orders.watch(kind)
        with box.running(environment=orders.environment):
            if not at_start:
                orders.watch(kind)
                self.live(box)
            count = orders.count
        orders.close()
        return count

    def error(
        self, box: Box, logins: set[tuple[str, str]], at: int, kind: int, error: int, once: bool, at_start: bool,
    ) -> None:
        where = (f"{shim.name_of(error)} {'at' if once else 'from'} {shim.NAMES[kind]} {at} "
                 f"{'of the start' if at_start else 'of a login'}{'' if once else ' on'}")
        orders = shim.Orders(self.library, box.folder / "orders", box.state)
        if at_start:
            orders.fail(error, kinds=kind, at=at, times=1 if once else None)
        daemon = box.start(environment=orders.environment)
        wanted = set(logins)
        struck = 0
        try:
            is_ready = daemon.wait_ready(TIMEOUT)
            if not is_ready and daemon.restarts_as_stored_device():
                self.attack.did("restarts as the stored device")
                daemon.kill()
                daemon = box.start(environment=orders.environment)
                is_ready = daemon.wait_ready(TIMEOUT)
            if not is_ready:
                if daemon.is_alive():
                    self.attack.broken("start hangs", where)
                elif crash := daemon.crash():
                    self.attack.broken("crash", f"{where}: {crash}")
                else:
                    self.attack.broken("start fails", f"{where}: {daemon.log()[-200:]}")
                return
            if not at_start:
                orders.fail(error, kinds=kind, at=at, times=1 if once else None)
            in_doubt = self.live(box)
            # A login that was acknowledged without a warning must survive even if the daemon dies during the fault. If a mark
            # could not be written, no warning is needed. The mark only helps to find later damage, and the store is intact
            # without it.
            look = self.look(box, where)
            is_silent = bool(look and not look.tells_of_store)
            if is_silent:
                wanted |= {("CH05", pass_of("CH05"))} - in_doubt
            if not is_silent or not orders.failed or once:
                # Changes that were acknowledged only in memory must be written as soon as the fault is over.
                struck = orders.failed
                orders.disarm()
                with box.client() as client:
                    acknowledged = log_in(client, "CH06")
                after = self.look(box, where)
                if after and acknowledged and not after.tells_of_store:
                    wanted |= {("CH05", pass_of("CH05")), ("CH06", pass_of("CH06"))} - in_doubt
        except (Gone, Late, Refusal) as fault:
            if at_start and daemon.restarts_as_stored_device():
                self.attack.did("restarts as the stored device")
            else:
                self.attack.broken("no answer", f"{where}: {fault} {daemon.crash() or ''}")
        finally:
            struck = max(struck, orders.failed)
            daemon.kill()
            orders.close()
        self.attack.did("errors" if struck else "calls that were not reached")
        if struck:
            self.aftermath(box, wanted, where)


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    try:
        Errors(attack, sandbox).errors_at_each_call()
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("errors", body, slice_seconds=35, full_seconds=1800)
