"""The viewer with a phone: types the code, chooses the provider, logs in. Over the sandbox's own pages."""
from __future__ import annotations

import http.client
import json
import re
import urllib.parse
from typing import Any


class ViewerFailed(Exception):
    """The pages did not do what they do for a viewer."""


def _ask(port: int, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, Any, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def log_in(port: int, code: str, provider: str, user: str, password: str) -> None:
    cookies: dict[str, str] = {}

    def step(method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, Any, bytes]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        status, received, body = _ask(
            port, method, path, urllib.parse.urlencode(form) if form is not None else None, headers)
        for line in received.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            cookies[name] = value
        return status, received, body

    def place(received: Any) -> str:
        parts = urllib.parse.urlsplit(received["Location"])
        return f"{parts.path}?{parts.query}" if parts.query else str(parts.path)

    status, received, body = step("POST", "/activate", {"code": code, "mvpd": provider})
    if status not in (302, 303):
        raise ViewerFailed(f"the code was answered {status}")
    path = place(received)
    status, received, body = step("GET", path)
    found = re.search(rb'name="csrf" value="([^"]*)"', body)
    if not found:
        raise ViewerFailed(f"no form at the provider: {status}")
    status, received, body = step("POST", path, {"csrf": found[1].decode(), "user": user, "password": password})
    for _ in range(5):
        if status not in (302, 303):
            break
        path = place(received)
        status, received, body = step("GET", path)
    if status != 200:
        raise ViewerFailed(f"the login ended with {status}")


def control(port: int, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
    """One of the sandbox's controls."""
    status, _, answer = _ask(
        port, method or ("GET" if body is None else "POST"), f"/sandbox/{path}",
        None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    if status >= 300:
        raise ViewerFailed(f"/sandbox/{path} was answered {status}: {answer[:200]!r}")
    return json.loads(answer) if answer else None
