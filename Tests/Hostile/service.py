#!/usr/bin/env python3
"""A service with false answers: bodies, headers, redirects, times, numbers, encodings, delays, and a reset at every byte of an
answer. Afterwards the daemon must be alive. It may lose a login only if the service has ended this login. When the service is
correct again, the daemon must work with it again. It must not repeat a request that must not be repeated, and must not log a
secret."""
from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from lib.attack import Attack, run
from lib.box import Box, Daemon, code_in, log_in
from lib.lies import Lie, all_lies
from lib.mean import MeanServer
from lib.rpc import Client, Gone, Late, Refusal
from lib.sandbox import RESOURCE, SHARED, Sandbox, pass_of

#: The daemon's own deadline for a call is 15 seconds.
TIMEOUT = 45.0
#: When the service is correct again, an app must work again within these seconds.
RECOVERY = 40.0
#: The seconds until new credentials may be replaced: a minute.
PROBATION = 75.0
#: The app that gets the lies.
LIED_ABOUT = ("CH03", "CH05")


#: Media tokens, tokens in compact form, and other secrets.
SECRET = re.compile(r"PHNpZ25hdHVyZUluZm8|eyJ[A-Za-z0-9_-]{20,}\.|client_secret|access_token|Bearer ")


class Place:
    """A box with its own lying service. One app stays signed in and should notice nothing."""

    def __init__(self, attack: Attack, sandbox: Sandbox, number: int, protocol: str) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.protocol = protocol
        self.server = MeanServer(sandbox.port)
        self.box = Box(attack, f"place{number}", self.server.origin, sandbox.statement(), watchdog=6,
                       protocol=protocol,
                       backend="request-timeout = 1s\nconnect-timeout = 1s\n",
                       more="[sign-on]\nlogout-scope = requestor\n")
        self.daemon: Daemon | None = None

    def begin(self) -> None:
        self.server.meanness = None
        self.box.restore_state(None)
        self.daemon = self.box.start()
        if not self.daemon.wait_ready():
            raise Gone(f"passd is not ready: {self.daemon.log()[-300:]}")
        for requestor in ("CH01", "CH02"):
            with self.box.client() as client:
                log_in(client, requestor)

    def end(self) -> None:
        if self.daemon:
            self.look_for_secrets(self.daemon)
            self.daemon.kill()
        self.daemon = None

    def try_lie(self, lie: Lie) -> None:
        if not self.daemon:
            self.begin()
        assert self.daemon
        self.attack.did(re.split(r"[ ,]", lie.name)[0])
        self.attack.did(f"lies over {self.protocol}")
        where = f"{lie.name}, answering {lie.kind} over {self.protocol}"
        if lie.kind in ("configuration", "config"):
            self.restart()
        self.server.forget()
        try:
            self.journey(lie, where)
            self.server.meanness = None
            self.attack.did(f"{self.protocol} {lie.kind}" + ("" if self.server.struck else " not asked"))
            if not self.daemon:
                return
            if self.attack.left < 0:
                return
            if lie.loses_answers:
                self.look_for_doubles(where)
            # For the service, all apps here are one app, and the answer to its registration may be false.
            if lie.kind != "register" or self.works_again(where, PROBATION):
                self.judge(where)
        except Gone as error:
            self.attack.broken("daemon gone", f"{where}: {error} {self.daemon.crash() or ''}")
            self.end()
        finally:
            self.server.meanness = None

    def restart(self) -> None:
        """In each run, the daemon requests some facts about an app only once per hour. So this starts another run."""
        assert self.daemon
        self.look_for_secrets(self.daemon)
        self.daemon.kill()
        self.daemon = self.box.start()
        if not self.daemon.wait_ready():
            raise Gone(f"passd is not ready: {self.daemon.log()[-300:]}")

    def prompt(self, lie: Lie) -> None:
        """passd sends these requests only every few hours, or when the service no longer knows the daemon."""
        known = {"register": ("client", self.server.client), "token": ("token", self.server.token)}.get(lie.kind)
        if known:
            self.sandbox.control("expire", {"kind": known[0], "id": known[1]})

    def journey(self, lie: Lie, where: str) -> None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("setRequestor", {"requestorID": "CH03"}), ("listProviders", {}),
            ("setSelectedProvider", {"providerID": pass_of("CH03")}),
            ("checkAuthorization", {"resource": RESOURCE}), ("preauthorize", {"resources": [RESOURCE]}),
            ("getMetadata", {"key": "METADATA_USER_META", "userMetadataKey": "nasty"}), ("logout", {}),
            ("setSelectedProvider", {"providerID": "Cable"}), ("getAuthentication", {}), ("listProfiles", {}),
            # This app stays connected, with the answers of the service so far.
            ("setRequestor", {"requestorID": "CH05"}), ("setSelectedProvider", {"providerID": pass_of("CH05")}),
        ]
        with self.box.client() as client, self.box.client() as witness:
            witness.call("setRequestor", {"requestorID": "CH01"}, timeout=TIMEOUT)
            self.server.meanness = lie.meanness()
            self.prompt(lie)
            for method, params in calls:
                if self.attack.left < 0:
                    return
                try:
                    client.call(method, params, timeout=TIMEOUT)
                    if not witness.call("checkAuthentication")["authenticated"]:
                        self.attack.broken("logged out", f"{where}: CH01, when CH03 called {method}")
                        self.end()
                        return
                    witness.callbacks.clear()
                except Refusal:
                    # Without a requestor, no other call is possible.
                    if method == "setRequestor":
                        return
                except Late:
                    self.attack.broken("no answer", f"{where}: {method} after {TIMEOUT:.0f} s")
                    return

    def look_for_doubles(self, where: str) -> None:
        """Each such request creates a code, so passd must not repeat the request after a lost answer."""
        asked = [each for each in self.server.seen
                 if each[0] == "POST" and each[1].endswith(("/CH03/sessions", "/CH03/regcode"))]
        # Two calls of the test open a login.
        if len(asked) > 2:
            self.attack.broken("one-time request repeated", f"{where}: {asked[0][1]} {len(asked)} times")

    def judge(self, where: str) -> None:
        assert self.daemon
        if self.daemon.watch.longest_gap > 6:
            self.attack.broken("watchdog missed", f"{where}: nothing for {self.daemon.watch.longest_gap:.1f} s")
            self.daemon.watch.forgive()
        with self.box.client() as client:
            try:
                client.call("setOptions", {"callbacks": False})
                look = self.box.look()
                for requestor in ("CH01", "CH02"):
                    if (requestor, pass_of(requestor)) not in look.logins:
                        self.attack.broken("login lost", f"{where}: {requestor}; warnings {sorted(look.warnings)}")
                        self.end()
                        return
                client.call("setRequestor", {"requestorID": "CH01"}, timeout=TIMEOUT)
                if not client.call("checkAuthentication")["authenticated"]:
                    self.attack.broken("logged out", f"{where}: CH01")
                    self.end()
                    return
            except (Late, Refusal) as error:
                self.attack.broken("other app disturbed", f"{where}: {error}")
        if self.works_again(where, RECOVERY):
            self.look_at_the_store(where)

    def works_again(self, where: str, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        trouble = ""
        while time.monotonic() < deadline:
            try:
                with self.box.client() as client:
                    client.call("setOptions", {"callbacks": False})
                    log_in(client, "CH04")
                    if client.call("checkAuthorization", {"resource": RESOURCE})["authorized"]:
                        return True
                    trouble = "not authorized"
            except (Late, Refusal) as error:
                trouble = str(error)
            time.sleep(0.3)
        self.attack.broken("no recovery", f"{where}: {trouble}")
        self.end()
        return False

    def look_at_the_store(self, where: str) -> None:
        """The report of a start after a power cut, if there is one."""
        assert self.daemon
        look = self.box.look()
        troubles = [code for code in look.warnings if code.startswith(("vault-", "store-"))]
        if troubles:
            self.end()
            self.daemon = self.box.start()
            self.daemon.wait_ready()
            lost = {login for login in look.logins - self.box.look().logins if login[0] not in LIED_ABOUT}
            if lost:
                self.attack.broken("others' logins not stored", f"{where}: {sorted(lost)}, {troubles}")
            self.end()
            return
        with self.box.client() as client, self.box.admin() as admin:
            client.call("setRequestor", {"requestorID": "CH04"})
            client.call("logout")
            for requestor in LIED_ABOUT:
                admin.call("passd.forget", {"requestorID": requestor})

    def look_for_secrets(self, daemon: Daemon) -> None:
        log = daemon.log()
        if found := SECRET.search(log):
            self.attack.broken("secret in the log", log[max(0, found.start() - 100) : found.end() + 20])
        if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]", log):
            self.attack.broken("control characters in the log", "of the service")


#: The ways in which a service refuses a logout: for good, once, because of its redirect, while an integration is off, and for
#: some time.
REFUSALS: dict[str, dict[str, Any]] = {
    "400 for good": {"error": "invalid_header_device_info"}, "400 without a reason": {"status": 400},
    "400 once": {"error": "invalid_header_device_info", "count": 1},
    "redirect refused": {"error": "invalid_parameter_redirect_url"},
    "integration off": {"error": "invalid_integration"}, "503": {"status": 503}, "429": {"status": 429},
}


class RefusedLogouts:
    """A viewer logs out, and the service refuses the logout. The next viewer must still need a new login, and the former
    viewer's login must never count again."""

    def __init__(self, attack: Attack, protocol: str) -> None:
        self.attack = attack
        self.protocol = protocol
        self.random = random.Random(f"refused logouts {attack.seed} {protocol}")
        self.sandbox = Sandbox(attack)
        self.count = 0

    def go(self) -> None:
        try:
            trials = [(name, identity) for name in REFUSALS for identity in ("none", "device-key")]
            while self.attack.left > 0:
                self.random.shuffle(trials)
                for name, identity in trials:
                    if self.attack.left > 0:
                        self.try_refusal(name, identity)
                if not self.attack.full:
                    return
        finally:
            self.sandbox.close()

    def try_refusal(self, name: str, identity: str) -> None:
        where = f"logout refused ({name}) over {self.protocol}, platform-identity = {identity}"
        self.sandbox.control("faults", method="DELETE")
        self.count += 1
        box = Box(self.attack, f"refused-{self.protocol}-{self.count}", self.sandbox.origin, self.sandbox.statement(),
                  protocol=self.protocol, more=f"[sign-on]\nplatform-identity = {identity}\n")
        try:
            with box.running():
                with box.client(timeout=TIMEOUT) as client:
                    if self.sign_in(client) != "new":
                        self.attack.broken("no login", where)
                        return
                self.refuse(name)
                with box.client(timeout=TIMEOUT) as client:
                    client.call("setRequestor", {"requestorID": "CH01"})
                    client.call("logout")
                if self.random.random() < 0.5:
                    self.next_viewer(box, where)
                    return
            # The pending logout must survive a restart, too.
            with box.running():
                self.next_viewer(box, where)
        except (Gone, Late, Refusal) as error:
            self.attack.broken("next viewer locked out", f"{where}: {error}")

    def refuse(self, name: str) -> None:
        match = "DELETE /api/v1/logout" if self.protocol == "v1" else "GET /api/v2/*/logout/*"
        self.sandbox.control("faults", {"faults": [{"match": match, **REFUSALS[name]}]})

    def next_viewer(self, box: Box, where: str) -> None:
        for requestor in ("CH01", "CH02"):
            with box.client(timeout=TIMEOUT) as client:
                if client.call("setRequestor", {"requestorID": requestor})["authenticated"]:
                    self.attack.broken("former viewer signed in", f"{where}: {requestor}")
        with box.client(timeout=TIMEOUT) as client:
            if (way := self.sign_in(client)) != "new":
                self.attack.broken("next viewer locked out", f"{where}: {way}")
                return
            if not client.call("checkAuthorization", {"resource": RESOURCE})["authorized"]:
                self.attack.broken("next viewer cannot play", where)
        self.sandbox.control("faults", method="DELETE")
        with box.client(timeout=TIMEOUT) as client:
            if not client.call("setRequestor", {"requestorID": "CH01"})["authenticated"]:
                self.attack.broken("new login ended", where)
        self.attack.did(f"refused logouts over {self.protocol}")

    def sign_in(self, client: Client) -> str:
        """How the viewer signed in. The value "new" means a login page."""
        client.call("setOptions", {"flow": "browser"})
        client.call("setRequestor", {"requestorID": "CH01"})
        answer = client.call("getAuthentication")
        if answer["state"] == "selectProvider":
            answer = client.call("setSelectedProvider", {"providerID": SHARED})
        if answer["state"] != "browser":
            return str(answer["state"])
        self.sandbox.log_in(code_in(answer["url"]), SHARED)
        return "new" if client.call("handleExternalURL", {"url": "app://back"})["authenticated"] else "not in"


def work(place: Place, take: Callable[[str], Lie | None]) -> None:
    try:
        while lie := take(place.protocol):
            place.try_lie(lie)
    finally:
        place.end()
        place.server.close()


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    lock = threading.Lock()
    # Each round tells other lies of the same kinds.
    queues: dict[str, Iterator[Lie]] = {}
    for protocol in ("v2", "v1"):
        rounds = [lie for turn in range(20 if attack.full else 1) for lie in all_lies(attack.seed + turn, protocol)]
        attack.figures[f"lies over {protocol} there are"] = str(len(rounds))
        queues[protocol] = iter(rounds[: attack.count] if attack.count else rounds)

    def take(protocol: str) -> Lie | None:
        with lock:
            return next(queues[protocol], None) if attack.left > 0 else None

    try:
        # The workers wait most of the time.
        places = [Place(attack, sandbox, number, "v1" if number % 5 < 2 else "v2") for number in range(10)]
        threads = [threading.Thread(target=work, args=(place, take)) for place in places]
        threads += [threading.Thread(target=RefusedLogouts(attack, protocol).go) for protocol in ("v2", "v1")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("service", body, slice_seconds=40, full_seconds=3600)
