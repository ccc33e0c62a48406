"""Attacks of strangers on a socket. Each function runs until its time is over."""
from __future__ import annotations

import json
import os
import socket
import time

from .sandbox import pass_of
from .strangers import FIRST_USER, Stranger


#: The requestors of the users with a stanza.
OWN_REQUESTORS = {FIRST_USER: "CH18", FIRST_USER + 20: "CH17"}


def message(method: str, params: object, number: int | None = 1) -> bytes:
    call: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        call["id"] = number
    return json.dumps(call, separators=(",", ":")).encode() + b"\n"


def drain(connection: socket.socket) -> None:
    """Reads the available data, without waiting."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        pass
    finally:
        connection.settimeout(5)


def always_half_a_message(stranger: Stranger) -> None:
    """Repeatedly sends the end of a message together with the beginning of the next message. The messages are mostly blanks.
    The daemon reads blanks fastest, so it reads as many messages as possible."""
    line = message("passd.whoami", {}, None)[:-1] + b" " * 60_000 + b"\n"
    half = len(line) // 2
    with stranger.connect() as connection:
        connection.sendall(line[:half])
        while stranger.goes_on:
            connection.sendall(line[half:] + line[:half])
            stranger.did()
            drain(connection)


def megabyte_floods(stranger: Stranger) -> None:
    """Messages of almost the largest size. Policy denies them, or they name no method."""
    members = {f"k{number:05d}": number for number in range(60_000)}
    bodies = [
        message("no.such.method", {"a": "x" * 1_000_000}),
        message("getAuthorization", {"resource": "x" * 1_000_000}),
        message("setOptions", members),
        message("preauthorize", {"resources": ["r"] * 200_000}),
        message("checkPreauthorizedResources", {"resources": [[[[1]]]] * 60_000}),
        message("passd.subscribe", {"types": [{}] * 100_000}),
    ]
    with stranger.connect() as connection:
        number = stranger.slot
        while stranger.goes_on:
            connection.sendall(bodies[number % len(bodies)])
            number += 1
            stranger.did()
            connection.recv(1 << 16)
            drain(connection)


def hoards_of_halves(stranger: Stranger) -> None:
    """Many connections with an almost complete message each."""
    connections = []
    try:
        for _ in range(20):
            connection = stranger.connect()
            connections.append(connection)
            connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"' + b"m" * 900_000)
            stranger.did()
        while stranger.goes_on:
            for connection in connections:
                connection.sendall(b"m")
            time.sleep(0.2)
    finally:
        for connection in connections:
            connection.close()


def options_without_end(stranger: Stranger) -> None:
    """Sets a hundred thousand options that do not exist."""
    start = stranger.slot * 1_000_000
    body = message("setOptions", {f"o{start + number:07d}": 1 for number in range(70_000)})
    with stranger.connect() as connection:
        while stranger.goes_on:
            connection.sendall(body)
            stranger.did()
            connection.settimeout(30)
            connection.recv(1 << 16)


def slow_bytes(stranger: Stranger) -> None:
    """Sixty connections that send one byte at a time."""
    line = message("passd.whoami", {})
    connections = []
    try:
        for _ in range(60):
            connections.append(stranger.connect())
        at = 0
        while stranger.goes_on:
            for connection in connections:
                connection.sendall(line[at : at + 1])
                stranger.did()
            at = (at + 1) % len(line)
            time.sleep(0.02)
    finally:
        for connection in connections:
            connection.close()


def never_read(stranger: Stranger) -> None:
    """Requests the longest answer, and does not read it."""
    line = message("rpc.discover", {})
    with stranger.connect() as connection:
        connection.settimeout(1)
        while stranger.goes_on:
            connection.sendall(line * 20)
            stranger.did(20)


def deaf_subscribers(stranger: Stranger) -> None:
    """Subscribers that do not read their events."""
    connections = []
    try:
        for _ in range(30):
            connection = stranger.connect()
            connections.append(connection)
            connection.sendall(message("passd.subscribe", {}))
        while stranger.goes_on:
            with stranger.connect() as other:
                other.sendall(message("passd.whoami", {}))
                other.recv(1 << 12)
            stranger.did()
    finally:
        for connection in connections:
            connection.close()


def batches(stranger: Stranger) -> None:
    """Batches with the largest number of calls. The daemon must check the params of each call."""
    call = json.loads(message("getMetadata", {"key": "METADATA_USER_META", "userMetadataKey": "x" * 20_000}))
    body = json.dumps([call] * 32).encode() + b"\n"
    with stranger.connect() as connection:
        while stranger.goes_on:
            connection.sendall(body)
            stranger.did(32)
            connection.recv(1 << 16)
            drain(connection)


def batch(*calls: tuple[str, object]) -> bytes:
    """Makes a batch of the largest size. Its calls are taken from `calls` in turn."""
    items = [json.loads(message(*calls[number % len(calls)], number=number)) for number in range(32)]
    return json.dumps(items, separators=(",", ":")).encode() + b"\n"


def ask_in_turn(stranger: Stranger, bodies: list[bytes]) -> None:
    """Sends the next batch after the answer to the last batch."""
    with stranger.connect() as connection:
        number = stranger.slot
        while stranger.goes_on:
            connection.sendall(bodies[number % len(bodies)])
            while not connection.recv(1 << 18).endswith(b"\n"):
                pass
            number += 1
            stranger.did(32)


def batches_of_discovery(stranger: Stranger) -> None:
    """Batches of calls with the longest answer, and with misspelt names of methods."""
    ask_in_turn(stranger, [
        batch(("rpc.discover", {})), batch(("getAuthorisatiom", {}), ("checkPreauthorisedResource", {})),
        batch(("passd.whoami", {}), ("x" * 64, {})),
    ])


def batches_of_many_stanzas(stranger: Stranger) -> None:
    """Calls that policy must decide: granted and denied, with and without a requestor."""
    ask_in_turn(stranger, [
        batch(("setRequestor", {"requestorID": "NONE"})), batch(("passd.subscribe", {"types": []})),
        batch(("checkAuthentication", {}), ("getSelectedProvider", {})), batch(("passd.whoami", {})),
    ])


def calls_that_wait(stranger: Stranger) -> None:
    """Logs in, and requests more plays than the service's limit, on many connections."""
    greeting = (message("setRequestor", {"requestorID": "CH18"}, 1)
                + message("setSelectedProvider", {"providerID": pass_of("CH18")}, 2) + message("getAuthentication", {}, 3))
    connections = [stranger.connect() for _ in range(20)]
    try:
        for connection in connections:
            connection.sendall(greeting)
        number = 3
        while stranger.goes_on:
            for connection in connections:
                number += 1
                connection.sendall(b"".join(
                    message("getAuthorization", {"resource": f"{stranger.slot}.{number}.{call}"}, number)
                    for call in range(60)))
                stranger.did(60)
                drain(connection)
            time.sleep(0.2)
    finally:
        for connection in connections:
            connection.close()


def waits_to_every_limit(stranger: Stranger) -> None:
    """The largest number of connections, each with the largest number of waiting calls. All are pipelined and need the
    service."""
    pipeline_plays(stranger, 64)


def waits_beside_a_neighbour(stranger: Stranger) -> None:
    """The same with fewer connections, so that some remain for another app of the user."""
    pipeline_plays(stranger, 56)


def pipeline_plays(stranger: Stranger, connections: int) -> None:
    requestor = OWN_REQUESTORS[os.getuid()]
    greeting = (message("setRequestor", {"requestorID": requestor}, 1)
                + message("setSelectedProvider", {"providerID": pass_of(requestor)}, 2) + message("getAuthentication", {}, 3))
    #: Bytes that the daemon has not read yet. They are sent later, without waiting.
    unsent: dict[socket.socket, bytes] = {}
    try:
        for _ in range(connections):
            unsent[stranger.connect()] = greeting
        number = 3
        while stranger.goes_on:
            for connection in unsent:
                if not unsent[connection]:
                    number += 1
                    stranger.did(64)
                    unsent[connection] = b"".join(
                        message("checkAuthorization", {"resource": f"{stranger.slot}.{number}.{call}"}, number)
                        for call in range(64))
                drain(connection)
                connection.setblocking(False)
                try:
                    unsent[connection] = unsent[connection][connection.send(unsent[connection]):]
                except BlockingIOError:
                    pass
            time.sleep(0.05)
    finally:
        for connection in unsent:
            connection.close()


def requestor_floods(stranger: Stranger) -> None:
    """Repeatedly sends sixty calls of setRequestor at once on one connection."""
    body = b"".join(
        message("setRequestor", {"requestorID": OWN_REQUESTORS[os.getuid()]}, number) for number in range(60))
    with stranger.connect() as connection:
        while stranger.goes_on:
            connection.sendall(body)
            stranger.did(60)
            connection.recv(1 << 16)
            drain(connection)


def connects(stranger: Stranger) -> None:
    """Connects and disconnects."""
    for _ in range(100):
        if not stranger.goes_on:
            return
        with stranger.connect() as connection:
            if stranger.done % 7 == 0:
                connection.sendall(b"{")
            elif stranger.done % 7 == 1:
                connection.sendall(b"Content-Length: 99999999999999999999\r\n\r\n")
        stranger.did()


def connects_to_the_limit(stranger: Stranger) -> None:
    """Repeatedly opens more connections than the limit, all at once."""
    connections = []
    try:
        for _ in range(80):
            if not stranger.goes_on:
                return
            connections.append(stranger.connect())
            stranger.did()
    finally:
        for connection in connections:
            connection.close()


#: User IDs like those of an account with a range of subordinate users.
MANY_USERS = 400
FIRST_MANY = 165536


def connects_of_many_users(stranger: Stranger) -> None:
    """Hundreds of users connect, one after the other. Each keeps its connections until there are many."""
    connections = []
    try:
        while stranger.goes_on and len(connections) < 900:
            user = FIRST_MANY + stranger.done % MANY_USERS
            os.setresuid(user, user, 0)
            try:
                connections.append(stranger.connect())
                stranger.did()
            finally:
                os.setresuid(0, 0, 0)
    finally:
        for connection in connections:
            connection.close()
