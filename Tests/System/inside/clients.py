#!/usr/bin/env python3
"""Apps that stay connected: clients.py COUNT REQUESTOR. Each command on standard input gets one line of answer.

ask     asks on every connection whether the viewer is signed in; prints how many connections answered, how many said yes,
        and the longest time
keep    asks on one connection after the other until the next command; prints how many calls were not answered, the longest
        time, and the number of calls
"""
import json
import os
import select
import socket
import sys
import time


class App:
    def __init__(self, requestor):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(os.environ.get("PASSD_SOCKET", "/run/passd/passd.sock"))
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.number = 0
        answer = self.call("setRequestor", {"requestorID": requestor})
        if "error" in answer:
            raise ConnectionError(answer["error"]["message"])

    def call(self, method, params):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.socket.sendall(json.dumps(message).encode() + b"\n")
        for line in self.lines:
            answer = json.loads(line)
            if answer.get("id") == self.number and "method" not in answer:
                return answer
        raise ConnectionError("closed")


def ask(apps):
    began = time.monotonic()
    answered = yes = 0
    for app in apps:
        try:
            answer = app.call("checkAuthentication", {})
            answered += 1
            yes += answer.get("result", {}).get("status") == 1
        except (OSError, ConnectionError) as fault:
            print(f"clients: {fault}", file=sys.stderr)
    return f"answered {answered} yes {yes} after {time.monotonic() - began:.2f} s"


def keep(apps):
    asked = broken = 0
    worst = 0.0
    while not select.select([sys.stdin], [], [], 0.01)[0]:
        app = apps[asked % len(apps)]
        began = time.monotonic()
        try:
            app.call("checkAuthentication", {})
        except (OSError, ConnectionError) as fault:
            broken += 1
            print(f"clients: {fault}", file=sys.stderr)
        worst = max(worst, time.monotonic() - began)
        asked += 1
    sys.stdin.readline()
    return f"broken {broken} worst {worst:.2f} s of {asked}"


apps = [App(sys.argv[2]) for _ in range(int(sys.argv[1]))]
print("ready", flush=True)
commands = {"ask": ask, "keep": keep}
while command := sys.stdin.readline().strip():
    print(commands[command](apps) if command in commands else "?", flush=True)
