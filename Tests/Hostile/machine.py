#!/usr/bin/env python3
"""A faulty machine: full disks, no inodes, read-only and unwritable directories, no descriptors, little memory, a minute in
which nothing runs, and clocks that are wrong or jump. The daemon must survive, answer and report the fault. When the fault is
over, all acknowledged logins must be there."""
from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from lib import mounts, shim
from lib.attack import Attack, CannotRun, run
from lib.box import Box, log_in
from lib.faults import FALSE_WARNINGS, TIMEOUT, Faults
from lib.mounts import Ext4, Mount
from lib.rpc import Client, Gone, Late, Refusal
from lib.sandbox import RESOURCE, Sandbox, pass_of

#: This warning is logged once in each run of the daemon.
STANDING = ("vault-directory-exposed", "vault-key-exposed")
#: A user ID without an account.
STRANGER = 61077


class Machine(Faults):
    def __init__(self, attack: Attack, sandbox: Sandbox, library: Path) -> None:
        super().__init__(attack, sandbox)
        self.library = library

    # Unwritable places.

    def mounted(self, name: str, make: type[Mount], *, inodes: int | None = None) -> None:
        """A small separate file system, in the mount namespace of `body`."""
        box = self.box(f"{name} {make.kind} ")
        mount = make(box.state, inodes=inodes)
        try:
            self.on_mount(box, mount, name)
        finally:
            mount.end()
        self.attack.did(f"{name} on {make.kind}")

    def gives_up(self) -> None:
        """A file system that detects an error while the daemon writes to it, and becomes read-only."""
        box = self.box("gives up ")
        mount = Ext4(box.state)
        where = "ext4 gives up while it runs"
        try:
            logins = self.fill(box)
            daemon = box.start()
            try:
                if not daemon.wait_ready(TIMEOUT):
                    self.attack.broken("start fails", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                    return
                with box.client(timeout=TIMEOUT) as client:
                    if log_in(client, "CH04"):
                        logins.add(("CH04", pass_of("CH04")))
                mount.remount("abort")
                self.live(box)
                self.tells(self.look(box, where), where)
                with box.client(timeout=TIMEOUT) as client:
                    client.call("setRequestor", {"requestorID": "CH01"})
                    if not client.call("checkAuthentication")["authenticated"]:
                        self.attack.broken("login not served", where)
            except (Gone, Late, Refusal) as error:
                self.attack.broken("no answer", f"{where}: {error}")
            finally:
                daemon.kill()
            mount.again()
            self.aftermath(box, logins, where)
        finally:
            mount.end()
        self.attack.did("ext4 gives up")

    def on_mount(self, box: Box, mount: Mount, name: str) -> None:
        self.on_mount_once(box, mount, name, "before the first start", set())
        logins = self.fill(box)
        self.on_mount_once(box, mount, name, "before a start", logins)
        # A file system in use cannot be remounted read-only. So this fault is only tried with errors of calls (see above).
        if name != "read-only":
            self.on_mount_once(box, mount, name, "while it runs", logins)

    def on_mount_once(
        self, box: Box, mount: Mount, name: str, moment: str, logins: set[tuple[str, str]],
    ) -> None:
        where = f"{name} on {mount.kind} {moment}"
        daemon = None
        wanted = set(logins)
        try:
            if moment == "while it runs":
                daemon = box.start()
                daemon.wait_ready(TIMEOUT)
                self.spoil(box, mount, name)
            else:
                self.spoil(box, mount, name)
                daemon = box.start()
            if not daemon.wait_ready(TIMEOUT):
                self.attack.broken("start fails", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return
            if logins:
                with box.client(timeout=TIMEOUT) as client:
                    client.call("setRequestor", {"requestorID": "CH01"})
                    if not client.call("checkAuthentication")["authenticated"]:
                        self.attack.broken("login not served", where)
            refused = self.live(box)
            # Without free inodes, or without room outside the store's files, the daemon can still write to an existing store.
            if refused or not logins or name == "read-only":
                self.tells(self.look(box, where), where)
            self.mend(box, mount, name)
            if self.heals(box, where):
                wanted |= {(each, pass_of(each)) for each in ("CH05", "CH07")} - refused
        except (Gone, Late, Refusal) as error:
            self.attack.broken("no answer", f"{where}: {error}")
        finally:
            if daemon:
                daemon.kill()
            self.mend(box, mount, name)
        self.aftermath(box, wanted, where)

    def heals(self, box: Box, where: str) -> bool:
        """Data that are acknowledged after the fault must be kept, without a restart."""
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            with box.client(timeout=TIMEOUT) as client:
                log_in(client, "CH07")
            look = self.look(box, where)
            if look and not any(
                code.startswith(("vault-", "store-")) and code not in STANDING for code in look.warnings
            ):
                return True
            time.sleep(0.5)
        self.attack.broken("does not recover", f"{where}: {look.warnings if look else ''}")
        return False

    def spoil(self, box: Box, mount: Mount, name: str) -> None:
        if name == "full disk":
            with contextlib.suppress(OSError), (box.state / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(4096))
        elif name == "no inodes":
            with contextlib.suppress(OSError):
                for number in range(100_000):
                    (box.state / f"inode{number}").touch()
        elif name == "read-only":
            mount.remount("ro")

    def mend(self, box: Box, mount: Mount, name: str) -> None:
        if name == "read-only":
            mount.remount("rw")
        for path in (box.state / "filler", *box.state.glob("inode*")):
            path.unlink(missing_ok=True)

    def unwritable(self, what: str, spoil: Callable[[Path], None]) -> None:
        """A store that an unprivileged daemon cannot write or even read, as after a restore by root."""
        if os.getuid() != 0:
            raise CannotRun("only root can start a daemon of another user")
        box = self.box("unwritable")
        logins = self.fill(box, kill=False)
        for path in (box.folder, *box.folder.rglob("*")):
            if not path.is_socket():
                os.chown(path, STRANGER, STRANGER)
        for path in (box.socket, box.admin_socket):
            path.unlink(missing_ok=True)
        spoil(box.state)
        daemon = box.start(user=STRANGER)
        where = what
        try:
            if not daemon.wait_ready(TIMEOUT):
                self.attack.broken("start fails", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return
            look = self.look(box, where)
            self.tells(look, where)
            if look:
                for code in FALSE_WARNINGS:
                    if code in look.warnings:
                        self.attack.broken("false damage", f"{where}: {code}: {look.warnings[code]}")
                if "be read" in what and logins - look.logins:
                    self.attack.broken("login not served", f"{where}: {sorted(logins - look.logins)}")
            self.give(box, STRANGER)
            try:
                heals = self.heals(box, where)
            except (Gone, Late):
                if not daemon.restarts_as_stored_device():
                    raise
                self.attack.did("restarts as the stored device")
                daemon.kill()
                daemon = box.start(user=STRANGER)
                heals = daemon.wait_ready(TIMEOUT) and self.heals(box, where)
            if heals:
                logins.add(("CH07", pass_of("CH07")))
        except (Gone, Late, Refusal) as error:
            self.attack.broken("no answer", f"{where}: {error}")
        finally:
            daemon.kill()
        self.attack.did("unwritable")
        self.give(box, 0)
        os.chown(box.folder, 0, 0)
        self.aftermath(box, logins, where)

    def give(self, box: Box, user: int) -> None:
        """The whole store in its normal state."""
        for path in (box.state, *box.state.rglob("*")):
            os.chown(path, user, user)
            os.chmod(path, 0o700 if path.is_dir() else 0o600)

    # Scarce resources.

    def few_descriptors(self) -> None:
        for limit in (24, 32, 48):
            box = self.box("descriptors")
            logins = self.fill(box)
            daemon = box.start(before=["prlimit", f"--nofile={limit}"])
            where = f"{limit} descriptors"
            crowd: list[Client] = []
            try:
                if not daemon.wait_ready(TIMEOUT):
                    if crash := daemon.crash():
                        self.attack.broken("crash", f"{where}: {crash}")
                    continue
                for _ in range(limit * 2):
                    crowd.append(Client(box.socket, timeout=1))
                time.sleep(0.3)
                for client in crowd:
                    client.close()
                time.sleep(0.2)
                with box.client(timeout=TIMEOUT) as client:
                    client.call("setRequestor", {"requestorID": "CH01"})
                    client.call("checkAuthentication")
                if not daemon.is_alive():
                    self.attack.broken("crash", f"{where}: {daemon.crash()}")
            except (Gone, Late, Refusal) as error:
                self.attack.broken("no answer", f"{where}: {error} {daemon.crash() or ''}")
            finally:
                for client in crowd:
                    client.close()
                daemon.kill()
            self.attack.did("few descriptors")
            self.aftermath(box, logins, where)

    def little_memory(self) -> None:
        """The daemon may end, as every Swift program does without memory. The logins must survive."""
        for megabytes in (300, 500, 700, 900, 1200):
            box = self.box("memory")
            logins = self.fill(box)
            daemon = box.start(before=["prlimit", f"--as={megabytes << 20}"])
            try:
                if daemon.wait_ready(TIMEOUT):
                    self.live(box)
            except (Gone, Late):
                pass
            finally:
                daemon.kill()
            self.attack.did("little memory")
            self.aftermath(box, logins, f"{megabytes} MiB of addresses")

    # Time.

    def stopped(self, seconds: float) -> None:
        box = self.box("stopped", watchdog=30)
        logins = self.fill(box)
        with box.running() as daemon, box.client(timeout=TIMEOUT) as client:
            client.call("setRequestor", {"requestorID": "CH01"})
            daemon.process.send_signal(signal.SIGSTOP)
            number = client.send("checkAuthentication")
            time.sleep(seconds)
            daemon.process.send_signal(signal.SIGCONT)
            try:
                if not client.answer(number, 5)["authenticated"]:
                    self.attack.broken("login not served", f"stopped for {seconds:.0f} s")
                with box.client() as other:
                    log_in(other, "CH03")
            except (Gone, Late, Refusal) as error:
                self.attack.broken("no answer", f"stopped for {seconds:.0f} s: {error}")
        self.attack.did("stops")
        self.aftermath(box, logins | {("CH03", pass_of("CH03"))}, "stopped")

    def wrong_clocks(self) -> None:
        year = 365 * 86400.0
        for name, shift in (("1970", -time.time() + 60), ("next year", year), ("in ten years", 10 * year),
                            ("2100", 74 * year), ("a day ago", -86400.0), ("in a minute", 60.0)):
            box = self.box("clock")
            logins = self.fill(box)
            orders = shim.Orders(self.library, box.folder / "orders", box.state)
            orders.set_wall(shift)
            daemon = box.start(environment=orders.environment)
            where = f"the clock says {name}"
            try:
                if not daemon.wait_ready(TIMEOUT):
                    self.attack.broken("start fails", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                    continue
                with box.client(timeout=TIMEOUT) as client:
                    answer = client.call("setRequestor", {"requestorID": "CH01"})
                    if not answer["authenticated"] or not client.call("checkAuthentication")["authenticated"]:
                        self.attack.broken("logged out", where)
                    if not log_in(client, "CH05"):
                        self.attack.broken("no login", where)
                    # Then the clock jumps, as it does when the box gets the time from the network.
                    for jump in (0.0, shift, -3600.0, 3 * year, 0.0):
                        orders.set_wall(jump)
                        if not client.call("checkAuthentication")["authenticated"]:
                            self.attack.broken("logged out", f"{where}, then jumps by {jump:.0f} s")
                        if not client.call("checkAuthorization", {"resource": RESOURCE})["authorized"]:
                            self.attack.broken("not authorized", f"{where}, then jumps by {jump:.0f} s")
                        self.attack.did("jumps")
            except (Gone, Late, Refusal) as error:
                self.attack.broken("no answer", f"{where}: {error} {daemon.crash() or ''}")
            finally:
                daemon.kill()
                orders.close()
            self.attack.did("wrong clocks")
            self.aftermath(box, logins | {("CH05", pass_of("CH05"))}, where)


def owned_by_root(mode: int, *, folder: int = 0o755) -> Callable[[Path], None]:
    def spoil(state: Path) -> None:
        for path in (state, *state.rglob("*")):
            os.chown(path, 0, 0)
            os.chmod(path, folder if path.is_dir() else mode)

    return spoil


def only(mode: int, user: int, files: str) -> Callable[[Path], None]:
    def spoil(state: Path) -> None:
        for path in state.glob(files):
            os.chown(path, user, user)
            os.chmod(path, mode)

    return spoil


def body(attack: Attack) -> None:
    mounts.keep_apart()
    library = shim.build(attack)
    sandbox = Sandbox(attack)
    try:
        faults = Machine(attack, sandbox, library)
        faults.mounted("full disk", Mount)
        faults.mounted("no inodes", Mount, inodes=40)
        faults.mounted("read-only", Mount)
        try:
            faults.mounted("full disk", Ext4)
            faults.mounted("no inodes", Ext4, inodes=64)
            faults.mounted("read-only", Ext4)
            faults.gives_up()
        except CannotRun as reason:
            attack.note(f"NOT TRIED on ext4: {reason}")
            attack.did("not tried on ext4")
        faults.unwritable("a database of root that can be read (0444)", only(0o444, 0, "passd.db*"))
        faults.unwritable("a database of its own that can be read (0400)", only(0o400, STRANGER, "passd.db*"))
        faults.unwritable("a database of root that nobody else may open (0600)", only(0o600, 0, "passd.db*"))
        faults.unwritable("a key of root that nobody else may read (0600)", only(0o600, 0, "passd.key"))
        faults.unwritable("a directory of root with files that can be read", owned_by_root(0o444))
        faults.unwritable("a directory of root that nobody else may enter", owned_by_root(0o600, folder=0o700))
        faults.few_descriptors()
        faults.little_memory()
        faults.wrong_clocks()
        faults.stopped(60 if attack.full else 4)
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("machine", body, slice_seconds=80, full_seconds=600)
