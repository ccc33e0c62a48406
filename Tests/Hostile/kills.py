#!/usr/bin/env python3
"""Kills the daemon: at each system call that changes its store, for each kind of commit and for the first start, and at random
moments while apps log in, play and log out. All acknowledged changes must be there afterwards."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lib import shim, upgrades
from lib.attack import Attack, run
from lib.box import Box, Daemon, Look, choose_pass, log_in, log_in_with_viewer
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import CABLE, REQUESTORS, RESOURCE, Sandbox, pass_of
from lib.upgrades import Upgrade

#: Warnings that a start must not give for a store that was intact when its daemon was killed.
FALSE_WARNINGS = ("vault-damaged", "vault-rows-unreadable", "vault-key-changed", "vault-key-malformed", "vault-salt-missing",
                  "vault-set-aside", "vault-check-failed", "vault-newer-schema", "vault-migration-failed",
                  "vault-cleared", "vault-older", "vault-gone")
#: Seconds after which a start counts as hanging.
START_TIMEOUT = 20.0

Login = tuple[str, str]


def login(requestor: str) -> Login:
    return requestor, pass_of(requestor)


@dataclass
class Model:
    """The logins that must exist, and the logins that may exist."""

    there: set[Login]
    maybe: set[Login]

    def faults(self, look: Look) -> list[tuple[str, str]]:
        found = []
        for lost in sorted(self.there - self.maybe - look.logins):
            found.append(("acknowledged login lost", f"{lost}"))
        for back in sorted(look.logins - self.there - self.maybe):
            found.append(("acknowledged logout undone", f"{back}"))
        for code in FALSE_WARNINGS:
            if code in look.warnings:
                found.append(("false warning", f"{code}: {look.warnings[code]}"))
        health = look.status["store"]["health"]
        # The configuration may allow this.
        told = {code for code in look.warnings if code.startswith(("vault-", "store-"))}
        if not found and health != "good" and told != {"vault-not-sealed"}:
            found.append(("store not good after a kill", f"{health} {sorted(look.warnings.items())}"))
        return found


def examine(
    attack: Attack, box: Box, model: Model, where: str, upgrade: Upgrade | None = None, is_acknowledged: bool = True,
) -> bool:
    """Starts once more without a shim, and compares the store with the model. Upgrades must be complete then."""
    daemon = box.start()
    try:
        if not daemon.wait_ready(START_TIMEOUT):
            attack.broken("start fails after a kill", f"{where}: {daemon.crash() or daemon.log()[-300:] or 'it hangs'}")
            return False
        faults = model.faults(box.look())
        if upgrade and not faults:
            faults = [("upgrade not finished", what) for what in upgrade.faults(box, is_acknowledged)]
        for kind, what in faults:
            attack.broken(kind, f"{where}: {what}")
        return not faults
    except (Gone, Late, Refusal) as error:
        attack.broken("no answer after a kill", f"{where}: {error}")
        return False
    finally:
        daemon.kill()


@dataclass(frozen=True)
class Step:
    """A kind of commit: the contents of the store before, the action, and the contents that are possible if the action was
    interrupted."""

    name: str
    act: Callable[[Box, Daemon], None]
    before: tuple[str, ...]
    after: tuple[str, ...]
    #: Whether the daemon is killed during the start itself.
    at_start: bool = False
    configuration: str = ""
    #: The upgrade that is interrupted, and the requestors that are logged in before it.
    upgrade: Upgrade | None = None
    filled: tuple[str, ...] = ()
    #: Logins that a viewer made at the service. The service therefore reports them.
    by_viewer: bool = False
    #: Whether the action can be repeated after a kill. The repeated action must then be durable as well.
    can_be_repeated: bool = False

    def prepare(self, box: Box, sandbox: Sandbox, environment: Mapping[str, str]) -> None:
        """Prepares the store. Its log is not in the database yet, as usual before a kill."""
        requestors = self.filled or self.before
        if not requestors and self.at_start:
            return
        with box.running(environment=environment):
            for requestor in requestors:
                with box.client() as client:
                    if not (log_in_with_viewer(client, sandbox, requestor) if self.by_viewer
                            else log_in(client, requestor)):
                        raise RuntimeError("a login was not acknowledged")
        if self.upgrade:
            self.upgrade.make(box)

    def logins(self, requestors: tuple[str, ...]) -> set[Login]:
        return {(each, CABLE if self.by_viewer else pass_of(each)) for each in requestors}

    def model(self, is_acknowledged: bool) -> Model:
        before, after = self.logins(self.before), self.logins(self.after)
        return Model(after, set()) if is_acknowledged else Model(before & after, before ^ after)


def do_nothing(box: Box, daemon: Daemon) -> None:
    """Only starts."""


def do_login(box: Box, daemon: Daemon) -> None:
    with box.client(timeout=5) as client:
        if not log_in(client, "CH05"):
            raise RuntimeError("a login of a pass was not acknowledged")


def do_logout(box: Box, daemon: Daemon) -> None:
    with box.client(timeout=5) as client:
        client.call("setRequestor", {"requestorID": "CH01"})
        client.call("logout")


def do_forget(box: Box, daemon: Daemon) -> None:
    with box.admin(timeout=5) as client:
        client.call("passd.forget")


def do_logout_all(box: Box, daemon: Daemon) -> None:
    with box.admin(timeout=5) as client:
        client.call("passd.logoutAll")


def do_code(box: Box, daemon: Daemon) -> None:
    with box.client(timeout=5) as client:
        client.call("setRequestor", {"requestorID": "CH09"})
        client.call("getAuthentication")
        client.call("setSelectedProvider", {"providerID": "Cable"})


def do_restart(box: Box, daemon: Daemon) -> None:
    daemon.process.terminate()
    daemon.process.wait(START_TIMEOUT)


def do_take_over(box: Box, daemon: Daemon) -> None:
    with box.client(timeout=5) as client:
        if not client.call("setRequestor", {"requestorID": upgrades.OWN})["authenticated"]:
            raise RuntimeError("a login of the older layout was not taken over")


def do_many(box: Box, daemon: Daemon) -> None:
    """Continues until the log is written into the database, which happens after a number of pages."""
    with box.client(timeout=5) as client:
        for _ in range(4):
            log_in(client, "CH05")
            client.call("setOptions", {"applicationProfile": "x"})
            client.call("setSelectedProvider", {"providerID": None})
            log_in(client, "CH06")


STEPS = [
    Step("first start", do_nothing, (), (), at_start=True),
    Step("start", do_nothing, ("CH01", "CH02"), ("CH01", "CH02"), at_start=True),
    Step("first login", do_login, (), ("CH05",)),
    Step("login", do_login, ("CH01", "CH02"), ("CH01", "CH02", "CH05")),
    Step("logout", do_logout, ("CH01", "CH02", "CH03"), ()),
    Step("logout of one", do_logout, ("CH01", "CH02", "CH03"), ("CH02", "CH03"),
         configuration="logout-scope = requestor\n"),
    Step("forget", do_forget, ("CH01", "CH02"), ()),
    Step("logout of all", do_logout_all, ("CH01", "CH02"), ()),
    Step("open login", do_code, ("CH01",), ("CH01",)),
    Step("stop", do_restart, ("CH01", "CH02"), ("CH01", "CH02")),
    Step("many logins", do_many, ("CH01",), ("CH01", "CH05", "CH06")),
]

#: passd does not ask the service, so only imported logins can exist.
ALONE = "resync = off\n"
IN_THE_CLEAR = "[storage]\nsealing = none\n"
#: The kinds of commit during upgrades.
UPGRADES = [
    Step("next schema", do_nothing, ("CH01", "CH02"), ("CH01", "CH02"), at_start=True, upgrade=upgrades.next_schema()),
    Step("two schemas later", do_nothing, ("CH01", "CH02"), ("CH01", "CH02"), at_start=True,
         upgrade=upgrades.next_schema(2)),
    Step("next schema, sealed", do_nothing, ("CH01", "CH02"), ("CH01", "CH02"), at_start=True,
         configuration=IN_THE_CLEAR, upgrade=upgrades.next_schema(is_sealed=True)),
    Step("older layout", do_take_over, ("CH09",), ("CH01", "CH09"), configuration=ALONE,
         upgrade=upgrades.layout(upgrades.not_taken)),
    Step("older layout of a known login", do_take_over, (), ("CH01",), filled=("CH01",), by_viewer=True,
         upgrade=upgrades.layout(upgrades.not_known, CABLE)),
    Step("logout beside an older layout", do_logout_all, ("CH09",), (), configuration=ALONE, can_be_repeated=True,
         upgrade=upgrades.layout(upgrades.back_again)),
]


def any_protocol(attack: Attack) -> str:
    """Every third choice is the older interface."""
    return attack.random.choice(("v2", "v2", "v1"))


class EveryStep:
    """For each kind of commit, the daemon is killed at the first call, at the second call, and so on until the commit
    succeeds."""

    def __init__(self, attack: Attack, sandbox: Sandbox, library: Path) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.library = library
        self.statement = sandbox.statement()

    def go(self) -> None:
        rounds = [(step, protocol) for step in (*STEPS, *UPGRADES)
                  for protocol in (("v2", "v1") if self.attack.full else (any_protocol(self.attack),))]
        for number, (step, protocol) in enumerate(rounds):
            box = Box(self.attack, f"step{number}", self.sandbox.origin, self.statement, protocol=protocol,
                      more=f"[sign-on]\nplatform-identity = device-key\n{step.configuration}")
            template = self.template(box, step)
            for torn in (False, True):
                strikes = 0
                for at in self.numbers(box, step, template, torn):
                    if not self.strike(box, step, template, at, torn) and at > 1:
                        break
                    strikes += 1
                self.attack.did(f"calls of {step.name}{' over v1' if box.protocol == 'v1' else ''}", strikes)

    def numbers(self, box: Box, step: Step, template: Path | None, torn: bool) -> list[int]:
        """The calls at which the daemon is killed: all calls and a few more; in a slice, some of them, which the seed
        selects."""
        box.restore_state(template)
        orders = shim.Orders(self.library, box.folder / "orders", box.state)
        kinds = shim.WRITE if torn else shim.CHANGES
        if step.at_start:
            orders.watch(kinds)
        with box.running(environment=orders.environment) as daemon:
            if not step.at_start:
                orders.watch(kinds)
            step.act(box, daemon)
            time.sleep(0.05)
            count = orders.count
        orders.close()
        if self.attack.full:
            return list(range(1, count + 20))
        some = (7 if torn else 16) // (3 if step.upgrade else 1)
        return sorted(self.attack.random.sample(range(1, count + 1), min(count, some)))

    def template(self, box: Box, step: Step) -> Path | None:
        step.prepare(box, self.sandbox, {})
        return box.copy_state(box.folder / "template") if box.state.exists() else None

    def strike(self, box: Box, step: Step, template: Path | None, at: int, torn: bool) -> bool:
        """Whether the daemon died."""
        box.restore_state(template)
        orders = shim.Orders(self.library, box.folder / "orders", box.state)
        kinds = shim.WRITE if torn else shim.CHANGES
        if step.at_start:
            orders.kill_at(at, kinds=kinds, torn=torn)
        daemon = box.start(environment=orders.environment)
        acknowledged = False
        try:
            if daemon.wait_ready(START_TIMEOUT):
                if not step.at_start:
                    orders.kill_at(at, kinds=kinds, torn=torn)
                step.act(box, daemon)
                acknowledged = True
            elif daemon.process.returncode != -9:
                self.attack.broken("start fails", f"{step.name}: {daemon.crash() or daemon.log()[-300:]}")
        except (Gone, Late, Refusal):
            pass
        # The daemon may also be killed during the work after the answer.
        if daemon.is_alive() and orders.count < at:
            time.sleep(0.02)
        struck, what = orders.count >= at, orders.struck
        daemon.kill()
        orders.close()
        if struck:
            self.attack.did("kills")
            examine(self.attack, box, step.model(acknowledged),
                    f"{step.name}, {'half of ' if torn else ''}call {at} ({what})", step.upgrade, acknowledged)
        return struck


class AnyMoment:
    """One box that is used through all kills, and two apps that log in, play and log out."""

    def __init__(self, attack: Attack, sandbox: Sandbox, name: str, protocol: str) -> None:
        self.attack = attack
        self.box = Box(attack, name, sandbox.origin, sandbox.statement(), protocol=protocol,
                       more="[sign-on]\nlogout-scope = requestor\n")
        self.environment: Mapping[str, str] = {}
        self.random = attack.random
        self.there: set[Login] = set()
        #: The action during which the daemon died. It may have happened or not.
        self.pending: set[Login] = set()
        #: Requestors with an acknowledged logout and no later login.
        self.out: set[Login] = set()

    def go(self, kills: int) -> None:
        for number in range(kills):
            if self.attack.left < 0:
                break
            if not self.once(f"random kill {number} over {self.box.protocol}"):
                self.begin_anew()
            self.attack.did("kills")
            self.attack.did(f"kills at random over {self.box.protocol}")
            self.after_kill()

    def begin_anew(self) -> None:
        """Starts with an empty store, so that one fault is not reported a thousand times."""
        self.box.restore_state(None)
        self.there, self.pending, self.out = set(), set(), set()

    def after_kill(self) -> None:
        """Makes no other change to the store."""

    def once(self, where: str) -> bool:
        daemon = self.box.start(environment=self.environment)
        # During the start, or after some time.
        is_early = self.random.random() < 0.3
        killer = threading.Timer(self.random.uniform(0, 0.08), daemon.process.kill)
        if is_early:
            killer.start()
        try:
            if daemon.wait_ready(START_TIMEOUT):
                if not is_early:
                    killer.start()
                look = self.box.look()
                faults = Model(self.there, self.pending).faults(look)
                for kind, what in faults:
                    self.attack.broken(kind, f"{where}: {what}")
                self.there, self.pending = set(look.logins), set()
                return not faults and self.live(where)
            if daemon.process.poll() != -9:
                self.attack.broken("start fails after a kill", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return False
        except (Gone, Late, Refusal):
            pass
        finally:
            if killer.ident:
                killer.join()
            daemon.kill()
        return True

    def live(self, where: str) -> bool:
        """Continues until the daemon is killed."""
        with self.box.client(timeout=5) as one, self.box.client(timeout=5) as other:
            while True:
                app = self.random.choice((one, other))
                requestor = self.random.choice(REQUESTORS[:4])
                mine = login(requestor)
                was_out = mine in self.out
                self.pending = {mine}
                if app.call("setRequestor", {"requestorID": requestor})["authenticated"] and was_out:
                    self.attack.broken("acknowledged logout undone", f"{where}: {mine} is logged in at setRequestor")
                    return False
                self.out.discard(mine)
                if self.random.random() < 0.5:
                    if choose_pass(app, requestor):
                        self.there.add(mine)
                        self.attack.did("logins")
                    app.call("checkAuthorization", {"resource": RESOURCE})
                else:
                    app.call("logout")
                    self.there.discard(mine)
                    self.out.add(mine)
                    self.attack.did("logouts")
                self.pending = set()


def body(attack: Attack) -> None:
    library = shim.build(attack)
    sandbox = Sandbox(attack)
    try:
        if not attack.count or attack.count > 300:
            EveryStep(attack, sandbox, library).go()
        wanted = (attack.count or (10_000 if attack.full else 500)) - attack.tried["kills"]
        wanted = max(wanted, 50)
        AnyMoment(attack, sandbox, "random1", "v1").go(wanted // 4)
        AnyMoment(attack, sandbox, "random2", "v2").go(wanted - wanted // 4)
    finally:
        sandbox.close()
    attack.figures["kills a second"] = f"{attack.tried['kills'] / (time.monotonic() - attack.began):.1f}"


if __name__ == "__main__":
    run("kills", body, slice_seconds=75, full_seconds=7200)
