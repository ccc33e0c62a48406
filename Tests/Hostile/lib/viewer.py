"""A viewer with a phone. The viewer types the code and chooses the provider, or scans the link, and logs in on the sandbox's
pages."""
from __future__ import annotations

import http.client
import json
import re
import urllib.parse
from typing import Any


class ViewerFailed(Exception):
    """A page was not usable for a viewer."""


def _ask(port: int, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, Any, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class _Phone:
    """A browser that keeps cookies."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def step(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, Any, bytes]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        status, received, body = _ask(
            self.port, method, path, urllib.parse.urlencode(form) if form is not None else None, headers)
        for line in received.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        return status, received, body

    def sign_in(self, path: str, user: str, password: str, last: str | None = None) -> None:
        """From the provider's page to the page after the login: either `last`, which is not opened, or any page."""
        status, received, body = self.step("GET", path)
        found = re.search(rb'name="csrf" value="([^"]*)"', body)
        if not found:
            raise ViewerFailed(f"no form at the provider: {status}")
        status, received, body = self.step(
            "POST", path, {"csrf": found[1].decode(), "user": user, "password": password})
        for _ in range(5):
            if status not in (302, 303):
                break
            if last and received["Location"].startswith(last):
                return
            status, received, body = self.step("GET", _path(received["Location"]))
        if status != 200 or last:
            raise ViewerFailed(f"the login ended with {status}")


def _path(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else str(parts.path)


def log_in(port: int, code: str, provider: str, user: str, password: str) -> None:
    phone = _Phone(port)
    status, received, _ = phone.step("POST", "/activate", {"code": code, "mvpd": provider})
    if status not in (302, 303):
        raise ViewerFailed(f"the code was answered {status}")
    phone.sign_in(_path(received["Location"]), user, password)


def scan(port: int, link: str, last: str, user: str, password: str) -> None:
    """Opens the link of a login, and logs in, until the service leads to the last page."""
    phone = _Phone(port)
    status, received, _ = phone.step("GET", _path(link))
    if status not in (302, 303):
        raise ViewerFailed(f"the link was answered {status}")
    phone.sign_in(_path(received["Location"]), user, password, last)


def control(port: int, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
    """Uses one of the sandbox's controls."""
    status, _, answer = _ask(
        port, method or ("GET" if body is None else "POST"), f"/sandbox/{path}",
        None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    if status >= 300:
        raise ViewerFailed(f"/sandbox/{path} was answered {status}: {answer[:200]!r}")
    return json.loads(answer) if answer else None
