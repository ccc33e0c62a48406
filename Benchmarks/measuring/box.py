"""A box for measurements: a daemon in its own directory, with a sandbox as its service, and a viewer who signs in."""
from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lib.box import code_in
from lib.rpc import Client
from lib.sandbox import CABLE, REQUESTORS
from startup import Service

from .process import Process
from .programs import Programs

APP, SECOND = REQUESTORS[:2]
#: passd's limits for one user: connections at once, and new connections per second (docs/threat-model.md).
BURST, PER_SECOND = 256, 64


class Box:
    #: Users of apps if there are many connections. Only root can start them.
    CROWD = range(30000, 30060)

    def __init__(
        self, programs: Programs, folder: Path, service: Service, *, stanzas: int = 1, protocol: str = "v2",
        origin: str | None = None, has_crowd: bool = False,
    ) -> None:
        self.programs = programs
        self.folder = folder
        self.service = service
        self.socket = folder / "passd.sock"
        self.process: subprocess.Popen[bytes] | None = None
        self.ready_after = 0.0
        folder.mkdir(mode=0o755)
        (folder / "apps.d").mkdir()
        (folder / "identity").write_text(f"{folder.name}\n", encoding="utf-8")
        others = [f"[app other{number:03d}]\nrequestors = OTHER{number:03d}\nallow = unit:other{number:03d}.service\n"
                  for number in range(stanzas - 1)]
        (folder / "apps.d/a.conf").write_text("".join(others), encoding="utf-8")
        (folder / "app.jwt").write_text(service.statement("all"), encoding="utf-8")
        users = [os.getuid(), *(self.CROWD if has_crowd else ())]
        (folder / "apps.d/b.conf").write_text(
            f"[app bench]\nrequestors = {' '.join(REQUESTORS)}\nsoftware-statement = file:{folder}/app.jwt\n"
            f"allow = {' '.join(f'user:{user}' for user in users)}\nmay = entitlement observe\n", encoding="utf-8")
        (folder / "passd.conf").write_text(
            f"[daemon]\nsocket = {self.socket}\n"
            f"[backend]\norigin = {origin or f'http://127.0.0.1:{service.port}'}\nprotocol = {protocol}\n"
            "requests-per-second = 100\nburst = 1000\nviewers-burst = 8\nredirect-url = app://back\n"
            f"[device]\nidentity = file:{folder}/identity\n[storage]\ndirectory = {folder}/state\n"
            "[limits]\nsessions-per-user = 4096\n", encoding="utf-8")
        self._statements: dict[str, str] = {}
        self._tokens = float(BURST)
        self._counted = time.monotonic()

    @property
    def readable(self) -> dict[str, str]:
        """The environment in which a daemon lets other programs read its memory. Root may always do that."""
        return {} if os.getuid() == 0 else {"LD_PRELOAD": str(self.programs.tools / "counter.so")}

    def start(self, *, before: list[str] | None = None, environment: Mapping[str, str] | None = None) -> None:
        """Returns when the daemon is ready, and stores the time until then."""
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        place = self.folder / "notices"
        place.unlink(missing_ok=True)
        notices.bind(str(place))
        began = time.monotonic()
        with notices, (self.folder / "stderr").open("ab") as errors:
            self.process = subprocess.Popen(
                [*(before or []), self.programs.passd / "passd", "--config", self.folder / "passd.conf"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                env={**os.environ, **(environment or {}), "NOTIFY_SOCKET": str(place)})
            while select.select([notices], [], [], max(0, began + 30 - time.monotonic()))[0]:
                if b"READY=1" in notices.recv(4096).splitlines():
                    self.ready_after = time.monotonic() - began
                    self._tokens, self._counted = float(BURST), time.monotonic()
                    return
        self.close()
        raise RuntimeError(f"passd is not ready: {(self.folder / 'stderr').read_text()[-500:]}")

    @property
    def system(self) -> Process:
        assert self.process
        return Process(self.process.pid)

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)
            self.process = None

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def await_room(self, connections: int) -> None:
        """Waits until the daemon's rate limit lets this user open this number of connections."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._counted) * PER_SECOND)
        wanted = min(connections, BURST)
        if self._tokens < wanted:
            time.sleep((wanted - self._tokens) / PER_SECOND + 0.05)
            self._tokens = float(wanted)
        self._tokens -= wanted
        self._counted = time.monotonic()

    def client(self) -> Client:
        self.await_room(1)
        return Client(self.socket, timeout=60)

    def app(self, requestor: str = APP) -> Client:
        """A client with a requestor."""
        client = self.client()
        client.call("setRequestor", {"requestorID": requestor})
        return client

    def setup(self, requestor: str) -> dict[str, Any]:
        """The params of an app that sends a software statement of its own instead of using that of its stanza."""
        if requestor not in self._statements:
            self._statements[requestor] = self.service.statement(requestor)
        return {"requestorID": requestor, "softwareStatement": self._statements[requestor]}

    def sign_in(self, client: Client) -> None:
        """The viewer signs in with the app's own browser, so that the daemon is told at once when the login is complete. Does
        nothing if the viewer is already signed in."""
        client.call("setOptions", {"flow": "browser"})
        answer = client.call("getAuthentication")
        if answer["state"] == "selectProvider":
            answer = client.call("setSelectedProvider", {"providerID": CABLE})
        if answer["state"] == "authenticated":
            return
        self.service.log_in(code_in(answer["url"]))
        if not client.call("handleExternalURL", {"url": "app://back"})["authenticated"]:
            raise RuntimeError("the viewer is not signed in")

    def signed_in(self) -> None:
        with self.app() as client:
            self.sign_in(client)


@contextlib.contextmanager
def service(programs: Programs, folder: Path) -> Any:
    found = Service(programs.passd, folder, throttles=False)
    try:
        yield found
    finally:
        found.close()
