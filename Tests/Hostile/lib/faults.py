"""What every fault of the machine is held against: logins that were acknowledged before, and what is said about the
store."""
from __future__ import annotations

from typing import Any

from .attack import Attack
from .box import Box, Look, log_in
from .rpc import Gone, Late, Refusal
from .sandbox import RESOURCE, Sandbox, pass_of

#: Seconds that an answer or a start may take on a machine that is unwell.
PATIENCE = 30.0
#: What would call a whole store broken.
FALSE_WARNINGS = ("vault-damaged", "vault-rows-unreadable", "vault-key-changed", "vault-key-malformed", "vault-cleared",
                  "vault-check-failed", "vault-older", "vault-gone")


class Faults:
    def __init__(self, attack: Attack, sandbox: Sandbox) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.made = 0

    def box(self, name: str, **how: Any) -> Box:
        self.made += 1
        return Box(self.attack, f"{name}{self.made}", self.sandbox.origin, self.sandbox.statement(), **how)

    def fill(
        self, box: Box, requestors: tuple[str, ...] = ("CH01", "CH02"), *, kill: bool = True,
    ) -> set[tuple[str, str]]:
        """Acknowledged logins, and then nobody."""
        with box.running() as daemon:
            for requestor in requestors:
                with box.client() as client:
                    if not log_in(client, requestor):
                        raise RuntimeError("a login of a pass was not acknowledged")
            if not kill:
                daemon.stop()
        return {(requestor, pass_of(requestor)) for requestor in requestors}

    def look(self, box: Box, where: str) -> Look | None:
        try:
            return box.look()
        except (Gone, Late, Refusal) as error:
            self.attack.broken("no answer", f"{where}: {error}")
            return None

    def aftermath(self, box: Box, wanted: set[tuple[str, str]], where: str) -> None:
        """The fault is over: a start like any other."""
        daemon = box.start()
        try:
            if not daemon.wait_ready(PATIENCE):
                self.attack.broken("start fails afterwards", f"{where}: {daemon.crash() or daemon.log()[-300:]}")
                return
            look = self.look(box, f"{where}, afterwards")
            if not look:
                return
            if lost := wanted - look.logins:
                self.attack.broken("acknowledged login lost", f"{where}: {sorted(lost)}, {sorted(look.warnings)}")
            for code in FALSE_WARNINGS:
                if code in look.warnings:
                    self.attack.broken("false damage", f"{where}: {code}: {look.warnings[code]}")
        finally:
            daemon.kill()

    def tells(self, look: Look | None, where: str) -> bool:
        """Holds a look against its warnings: somebody has to be told that the store is not what it should be."""
        if look and not look.tells_of_store:
            self.attack.broken("says nothing", f"{where}: {look.status['store']}, {sorted(look.warnings)}")
        return bool(look)

    def live(self, box: Box) -> set[tuple[str, str]]:
        """A login beside those that are there. What of it was refused."""
        with box.client(timeout=PATIENCE) as client:
            try:
                if log_in(client, "CH05"):
                    client.call("checkAuthorization", {"resource": RESOURCE})
                    return set()
            except Refusal:
                pass
        return {("CH05", pass_of("CH05"))}
