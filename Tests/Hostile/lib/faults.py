"""The checks after each fault of the machine: earlier acknowledged logins, and the warnings about the store."""
from __future__ import annotations

from typing import Any

from .attack import Attack
from .box import Box, Look, log_in
from .rpc import Gone, Late, Refusal
from .sandbox import RESOURCE, Sandbox, pass_of

#: The seconds that an answer or a start may take on a faulty machine.
PATIENCE = 30.0
#: Warnings that would be wrong for an intact store.
FALSE_WARNINGS = ("vault-damaged", "vault-rows-unreadable", "vault-key-changed", "vault-key-malformed", "vault-salt-missing",
                  "vault-cleared", "vault-check-failed", "vault-older", "vault-gone")


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
        """Stores acknowledged logins, then kills or stops the daemon."""
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
        """Checks a normal start after the fault."""
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
        """Compares the logins with the warnings: a damaged store must be reported."""
        if look and not look.tells_of_store:
            self.attack.broken("says nothing", f"{where}: {look.status['store']}, {sorted(look.warnings)}")
        return bool(look)

    def live(self, box: Box) -> set[tuple[str, str]]:
        """Tries a further login. Returns the refusal, if there was one."""
        with box.client(timeout=PATIENCE) as client:
            try:
                if log_in(client, "CH05"):
                    client.call("checkAuthorization", {"resource": RESOURCE})
                    return set()
            except Refusal:
                pass
        return {("CH05", pass_of("CH05"))}
