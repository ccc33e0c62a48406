"""What the development bridge does with pages that are not welcome, and with messages in pieces."""

import socket

from browser import Failure


def check_bridge(gateway, origin):
    """RFC 6455, sections 4.2, 5.4, 5.5 and 7.4.1."""
    host, port = gateway.removeprefix("ws://").split(":")

    def ask(origin):
        page = socket.create_connection((host, int(port)), timeout=10)
        page.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{origin}\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += page.recv(4096)
        return page, answer

    for stranger in "", "Origin: null\r\n", f"Origin: {origin}.example\r\n":
        page, answer = ask(stranger)
        page.close()
        if not answer.startswith(b"HTTP/1.1 403 "):
            raise Failure(f"a page with the header {stranger!r} gets {answer}")
    def framed(opcode, payload):
        return bytes([opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload

    page, _ = ask(f"Origin: {origin}\r\n")
    first, second = b'{"jsonrpc":"2.0","id":1,', b'"method":"passd.whoami"}'
    page.sendall(framed(0x01, first) + framed(0x89, b"!") + framed(0x80, second))
    answer = b""
    while b'"result"' not in answer:
        more = page.recv(4096)
        if not more:
            raise Failure(f"a call in two pieces gets {answer}")
        answer += more
    page.close()
    if not answer.startswith(b"\x8a\x01!"):
        raise Failure(f"a ping gets {answer}")
    too_much = b"\x81\xff" + (2 << 20).to_bytes(8, "big")
    for bad, status in (too_much, 1009), (framed(0x82, b"!"), 1003), (b"\x81\x01!", 1002):
        page, _ = ask(f"Origin: {origin}\r\n")
        page.sendall(bad)
        answer = page.recv(4096)
        page.close()
        if answer[:1] != b"\x88" or int.from_bytes(answer[2:4], "big") != status:
            raise Failure(f"a message that is not allowed gets {answer} instead of {status}")
