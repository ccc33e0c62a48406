"""The servers with which passd is compared. Each answers with the same bytes as passd."""
from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

from .load import Talk
from .process import Process
from .programs import Programs, need

BUS_CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""


class Peer:
    """A server of one process."""

    def __init__(self, command: list[str | Path], folder: Path, environment: dict[str, str] | None = None) -> None:
        self.name = Path(command[0]).name
        self.errors = folder / "stderr"
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                env={**os.environ, **(environment or {})})

    @property
    def system(self) -> Process:
        return Process(self.process.pid)

    def await_word(self) -> None:
        """Returns when the server is ready, which is when it prints its first line."""
        assert self.process.stdout
        if not select.select([self.process.stdout], [], [], 20)[0] or not self.process.stdout.readline():
            self.close()
            raise RuntimeError(f"{self.name}: {self.errors.read_text()[-300:]}")

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


class Echo(Peer):
    def __init__(self, programs: Programs, folder: Path, talk: Talk, answer: bytes) -> None:
        folder.mkdir(mode=0o755)
        path = folder / "socket"
        # The client only looks for line ends.
        super().__init__([programs.tools / "echo", path, answer.decode().replace("\n", "\\n")], folder)
        self.await_word()
        path.chmod(0o666)
        self.talk = Talk(path, talk.request, talk.answer, "\x01", talk.first)


class Redis(Peer):
    """Redis without files. The value is the answer, and the key makes the request as long as passd's."""

    def __init__(self, folder: Path, talk: Talk, answer: bytes) -> None:
        need("redis-server")
        folder.mkdir(mode=0o755)
        path = folder / "socket"
        self.folder = folder
        began = time.monotonic()
        place = folder / "notices"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(str(place))
            super().__init__(
                ["redis-server", "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "666", "--save", "",
                 "--appendonly", "no", "--maxclients", "12000", "--dir", str(folder), "--logfile", str(folder / "log"),
                 "--supervised", "systemd"], folder, {"NOTIFY_SOCKET": str(place)})
            while select.select([notices], [], [], max(0, began + 20 - time.monotonic()))[0]:
                if b"READY=1" in notices.recv(4096):
                    break
            else:
                self.close()
                raise RuntimeError(f"redis-server is not ready: {(folder / 'log').read_text()[-300:]}")
        self.ready_after = time.monotonic() - began
        key = "k" * max(1, len(talk.request) - 25)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
            client.sendall(b"*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n" % (len(key), key.encode(), len(answer), answer))
            if not client.recv(100).startswith(b"+OK"):
                raise RuntimeError("redis-server does not take the answer")
        request = f"*2\\r\\n$3\\r\\nGET\\r\\n${len(key)}\\r\\n{key}\\r\\n"
        self.talk = Talk(path, request, talk.answer, "-ERR", (request,) if talk.first else ())


class Bus:
    """A separate bus with a service on it."""

    def __init__(self, programs: Programs, folder: Path, request: str, answer: bytes) -> None:
        need("dbus-daemon")
        folder.mkdir()
        self.programs = programs
        self.request = request
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/socket"}
        (folder / "bus.conf").write_text(BUS_CONFIGURATION.format(socket=folder / "socket"), encoding="utf-8")
        self.daemon = Peer(["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"], folder)
        try:
            self.daemon.await_word()
            self.server = Peer([programs.tools / "bus", "serve", answer.decode()], folder, self.environment)
            try:
                self.server.await_word()
            except Exception:
                self.server.close()
                raise
        except Exception:
            self.daemon.close()
            raise

    @property
    def systems(self) -> list[Process]:
        return [self.daemon.system, self.server.system]

    def close(self) -> None:
        self.server.close()
        self.daemon.close()
