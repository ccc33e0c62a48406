"""A box for an attacker: a directory that the attacker may change in any way, and the daemons that run there, one after the
other."""
from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import time
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .attack import Attack
from .rpc import Client, Gone
from .sandbox import CABLE, REQUESTORS, Sandbox, pass_of
from .viewer import ViewerFailed
from .watch import Watch


#: passd ends with this status if its service manager has to start it again.
TRY_LATER = 75


class Daemon:
    """One run of passd, from its start to its end."""

    def __init__(self, process: subprocess.Popen[bytes], watch: Watch, errors: Path) -> None:
        self.process = process
        self.watch = watch
        self.errors = errors

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def wait_ready(self, seconds: float = 30) -> bool:
        """Returns False if the daemon ended, or was not ready in this time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.watch.is_ready.wait(0.02):
                return True
            if not self.is_alive():
                return False
        return False

    def kill(self) -> None:
        if self.is_alive():
            self.process.kill()
        self.process.wait()
        self.watch.close()

    def stop(self, seconds: float = 20) -> int | None:
        """Stops the daemon with SIGTERM. Returns its exit status, or nothing if it had to be killed."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status: int | None = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = None
        self.watch.close()
        return status

    def restarts_as_stored_device(self) -> bool:
        """Whether passd ended because the disk returned, with another identity than the one in use. Its service manager starts
        it again; see access-enabler.md §10."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        return self.process.poll() == TRY_LATER and "restarts with the identity of the store" in self.log()

    def log(self) -> str:
        return self.errors.read_text(encoding="utf-8", errors="replace")

    def crash(self) -> str | None:
        """The cause, if the daemon crashed."""
        status = self.process.poll()
        if status is None or status == -signal.SIGKILL:
            return None
        text = self.log()
        if status < 0 or "Fatal error" in text:
            told = [line for line in text.splitlines() if "Fatal error" in line or " in " in line]
            return f"status {status}: {' / '.join(told[:4]) or text[-300:]}"
        return None


class Look:
    """The operator's view: the stored logins and the warnings."""

    def __init__(self, tokens: list[dict[str, Any]], status: dict[str, Any]) -> None:
        self.status = status
        #: Pairs of requestor and provider.
        self.logins: set[tuple[str, str]] = {(token["requestorID"], token["provider"]) for token in tokens}
        self.warnings: dict[str, str] = {warning["code"]: warning["message"] for warning in status["warnings"]}
        #: Whether there is a warning about the store.
        self.tells_of_store = any(code.startswith(("vault-", "store-")) for code in self.warnings)


class Box:
    def __init__(
        self, attack: Attack, name: str, origin: str, statement: str, *, stanzas: str = "", more: str = "",
        backend: str = "", watchdog: float | None = None, identity: str | None = None, protocol: str = "v2",
    ) -> None:
        self.attack = attack
        self.folder = attack.folder / name
        self.folder.mkdir()
        self.folder.chmod(0o755)
        self.state = self.folder / "state"
        self.socket = self.folder / "passd.sock"
        self.admin_socket = self.folder / "admin.sock"
        self.watchdog = watchdog
        self.protocol = protocol
        # The service distinguishes boxes by this identity, and logins belong to it.
        known_by = hashlib.md5((identity or name).encode()).hexdigest()
        (self.folder / "identity").write_text(f"{known_by}\n", encoding="utf-8")
        (self.folder / "app.jwt").write_text(statement, encoding="utf-8")
        (self.folder / "apps.d").mkdir()
        (self.folder / "apps.d/apps.conf").write_text(
            f"[app all]\nrequestors = {' '.join(REQUESTORS)}\nsoftware-statement = file:{self.folder}/app.jwt\n"
            f"allow = user:{os.getuid()}\nmay = entitlement observe\n{stanzas}", encoding="utf-8")
        self.configuration = self.folder / "passd.conf"
        self.configuration.write_text(
            f"[daemon]\nsocket = {self.socket}\n"
            f"[backend]\norigin = {origin}\nrequests-per-second = 100\nburst = 1000\nredirect-url = app://back\n"
            f"protocol = {protocol}\n"
            f"{backend}"
            f"[device]\nidentity = file:{self.folder}/identity\n[storage]\ndirectory = {self.state}\n{more}",
            encoding="utf-8")
        self._starts = 0
        #: Variables in the environment of every daemon of this box.
        self.environment: dict[str, str] = {}

    def start(
        self, *, environment: Mapping[str, str] | None = None, before: list[str] | None = None, user: int | None = None,
    ) -> Daemon:
        """Starts a daemon without waiting. `before` is a command in front of the daemon's command, such as prlimit."""
        self._starts += 1
        notify = self.folder / f"notify{self._starts % 4}"
        watch = Watch(notify)
        errors = self.folder / f"stderr{self._starts % 16}"
        bare = {name: os.environ[name] for name in ("PATH", "LANG", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
        given = {**bare, "NOTIFY_SOCKET": str(notify), **self.environment, **(environment or {})}
        if self.watchdog:
            given["WATCHDOG_USEC"] = str(int(self.watchdog * 1e6))
        with errors.open("wb") as output:
            process = subprocess.Popen(
                [*(before or []), str(self.attack.programs / "passd"), "--config", str(self.configuration)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=given, user=user, group=user,
                extra_groups=[] if user is not None else None)
        return Daemon(process, watch, errors)

    @contextlib.contextmanager
    def running(self, **how: Any) -> Iterator[Daemon]:
        """A daemon that is ready. It is killed at the end if it still runs."""
        daemon = self.start(**how)
        try:
            if not daemon.wait_ready():
                raise Gone(f"passd is not ready: {daemon.process.poll()} {daemon.log()[-500:]}")
            yield daemon
        finally:
            daemon.kill()

    def client(self, **how: Any) -> Client:
        return Client(self.socket, **how)

    def admin(self, **how: Any) -> Client:
        return Client(self.admin_socket, **how)

    def look(self) -> Look:
        with self.admin() as client:
            return Look(client.call("passd.tokens")["tokens"], client.call("passd.status"))

    def copy_state(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        return Path(shutil.copytree(self.state, to))

    def restore_state(self, template: Path | None) -> None:
        """Copies the template's state directory, or begins without one."""
        shutil.rmtree(self.state, ignore_errors=True)
        if template:
            shutil.copytree(template, self.state)
            self.state.chmod(0o700)


def log_in(client: Client, requestor: str) -> bool:
    """Logs in without a viewer. Returns whether the daemon has acknowledged the login."""
    client.call("setRequestor", {"requestorID": requestor})
    return choose_pass(client, requestor)


def choose_pass(client: Client, requestor: str) -> bool:
    answer = client.call("setSelectedProvider", {"providerID": pass_of(requestor)})
    if answer["state"] == "selected":
        answer = client.call("getAuthentication")
    return bool(answer["state"] == "authenticated")


def code_in(url: str) -> str:
    """The code is at the end of the path in the newer interface, and a parameter in the older one."""
    parts = urllib.parse.urlsplit(url)
    named = urllib.parse.parse_qs(parts.query).get("reg_code")
    return named[0] if named else parts.path.rsplit("/", 1)[1]


def log_in_with_viewer(client: Client, sandbox: Sandbox, requestor: str) -> bool:
    """Logs in with the app's own browser, so that the daemon is told at once when the viewer has finished."""
    client.call("setOptions", {"flow": "browser"})
    client.call("setRequestor", {"requestorID": requestor})
    answer = client.call("getAuthentication")
    if answer["state"] == "selectProvider":
        answer = client.call("setSelectedProvider", {"providerID": CABLE})
    if answer["state"] == "browser":
        try:
            sandbox.log_in(code_in(answer["url"]))
        except ViewerFailed:
            # If another client has cancelled the login or logged out, the code is no longer valid.
            return False
        return bool(client.call("handleExternalURL", {"url": "app://back"})["authenticated"])
    return bool(answer["state"] == "authenticated")
