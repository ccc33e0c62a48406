"""A proxy between the daemon and the sandbox that changes the answers as the attacker wants."""
from __future__ import annotations

import contextlib
import http.client
import json
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


#: A part of the path of each kind of request, in the newer interface …
PARTS = ("register", "token", "configuration", "sessions", "profiles", "decisions", "logout")
#: … and in the older interface.
OLDER_PARTS = ("regcode", "config", "freepreview", "tokens/authn", "tokens/authz", "tokens/media",
               "tokens/usermetadata", "preauthorize", "authorize", "logout")


def kind_of(path: str) -> str:
    is_older = path.startswith(("/api/v1/", "/reggie/v1/"))
    for part in OLDER_PARTS if is_older else PARTS:
        if f"/{part}" in path:
            return part
    return "other"


@dataclass
class Exchange:
    """One request of the daemon, and the sandbox's answer to it."""

    method: str
    path: str
    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def what(self) -> str:
        """The kind of request."""
        return kind_of(self.path)

    def raw(self) -> bytes:
        head = [f"HTTP/1.1 {self.status} {self.reason}"]
        has_length = False
        for name, value in self.headers:
            if name.lower() in ("connection", "transfer-encoding", "keep-alive"):
                continue
            has_length = has_length or name.lower() == "content-length"
            head.append(f"{name}: {value}")
        if not has_length:
            head.append(f"Content-Length: {len(self.body)}")
        head.append("Connection: close")
        return "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n" + self.body


@dataclass
class Answer:
    """The answer to send: pieces, each after a pause, and the way in which the connection ends."""

    pieces: list[tuple[float, bytes]] = field(default_factory=list)
    is_reset: bool = False

    @staticmethod
    def of(raw: bytes) -> Answer:
        return Answer([(0.0, raw)])


Meanness = Callable[[Exchange], Answer | None]


class MeanServer:
    """Passes everything through, unless a change is set."""

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self.meanness: Meanness | None = None
        #: The requests by method and path, since the last `forget`.
        self.seen: list[tuple[str, str]] = []
        self.struck = 0
        #: By kind, the delay of requests before the sandbox gets them.
        self.held: dict[str, float] = {}
        #: The daemon's client ID at the sandbox, and its last token.
        self.client = ""
        self.token = ""
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with contextlib.suppress(OSError):
                    outer.serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            request_queue_size = 64

            def handle_error(self, request: object, client_address: object) -> None:
                """A daemon that disconnects is not an error."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        self.seen = []
        self.struck = 0

    def serve(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = connection.recv(1 << 16)
            if not chunk:
                return
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ", 2)
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        while len(body) < length:
            chunk = connection.recv(1 << 16)
            if not chunk:
                return
            body += chunk
        self.seen.append((method, path.split("?")[0]))
        if pause := self.held.get(kind_of(path)):
            time.sleep(pause)
        exchange = self.forward(method, path, [(each[0], each[1]) for each in headers], body)
        self.learn(exchange)
        meanness = self.meanness
        answer = meanness(exchange) if meanness else None
        if answer is None:
            answer = Answer.of(exchange.raw())
        else:
            self.struck += 1
        for pause, piece in answer.pieces:
            if pause:
                time.sleep(pause)
            connection.sendall(piece)
        if answer.is_reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def learn(self, exchange: Exchange) -> None:
        if exchange.status == 201 and exchange.what == "register":
            self.client = json.loads(exchange.body)["client_id"]
        elif exchange.status == 201 and exchange.what == "token":
            self.token = json.loads(exchange.body)["access_token"]

    def forward(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Exchange:
        upstream = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=15)
        try:
            upstream.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                # The sandbox uses the requested address in its answers, so that links lead to this proxy.
                if name.lower() not in ("connection", "expect"):
                    upstream.putheader(name, value)
            upstream.endheaders(body)
            answer = upstream.getresponse()
            return Exchange(method, path, answer.status, answer.reason, answer.getheaders(), answer.read())
        finally:
            upstream.close()
