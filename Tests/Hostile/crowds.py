#!/usr/bin/env python3
"""Crowds of strangers from twenty users: floods, half messages, slow readers, subscribers that never read, and endless
connects, also from hundreds of users. At the same time, one good client makes the cheapest call, and another good client
connects for each call. Both measure how long they wait."""
from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lib import abuse, process, strangers
from lib.attack import Attack, run
from lib.box import Box, Daemon, log_in
from lib.rpc import Client, Gone, Late, Refusal
from lib.sandbox import RESOURCE, Sandbox
from lib.strangers import FIRST_USER, Work

USERS = 20
#: This user has a stanza, too.
SECOND_USER = USERS
#: The requestor of the first user's other app.
NEIGHBOURS_REQUESTOR = "CH16"
PROTOCOLS = ["v2", "v1"]
#: The KiB of memory that a crowd may add. The user with a stanza may keep 48 MiB, and all strangers 16 MiB. The limit is twice
#: as much because of fragmentation and the larger calls of a debug build. Another 16 MiB are added, because the waiting plays
#: of a debug build take 110 to 130 MiB. The unit's limit is 256 MiB, and the daemon itself needs about 40.
MAX_MEMORY = 144 * 1024
#: KiB that the waiting calls of two users may add if they reach every limit: 384 calls, see rpc.md §2, in a debug build.
WAITING_MEMORY = 64 * 1024
#: The KiB of a crowd's memory that may remain, and the seconds after which this is checked. Ruling 59 allows 8 MiB. A debug
#: build keeps up to 9 MiB after 384 calls for different resources.
LEFT_MEMORY = 12 * 1024
MEMORY_RETURNS = 60.0
#: The max number of the daemon's threads (ruling 58).
MAX_THREADS = 12
#: The longest time in seconds that a good client may wait for an answer, or for a new connection with its first answer. The
#: promise is 50 ms. This leaves room for a machine that also does other work.
MAX_WAIT = 0.5
#: The watchdog timeout in seconds. It is stricter than the unit's 30.
WATCHDOG = 4.0
#: Seconds after which a client gives up.
TIMEOUT = 20.0


@dataclass(frozen=True)
class Crowd:
    name: str
    work: Work
    #: The user of each process. The first user has a stanza of its own.
    users: Sequence[int] = range(1, USERS)
    #: Runs in the box with the largest allowed policy.
    has_large_policy: bool = False
    #: Runs in the box whose policy has rules without a user. The processes of this crowd change their user again and again.
    has_many_users: bool = False
    max_memory: int = MAX_MEMORY
    #: Runs while the service hangs. The good client is another app of the first user.
    has_neighbour: bool = False
    #: Whether the crowd's memory must be released. The check takes some seconds, so it is not made for every crowd.
    gives_back: bool = False

    @property
    def user_count(self) -> int:
        return abuse.MANY_USERS if self.has_many_users else len(set(self.users))


CROWDS = [
    Crowd("always half a message", abuse.always_half_a_message, range(1, 5)),
    Crowd("megabyte floods", abuse.megabyte_floods, range(1, 13)),
    Crowd("hoards of halves", abuse.hoards_of_halves),
    Crowd("options without end", abuse.options_without_end, range(1)),
    Crowd("slow bytes", abuse.slow_bytes, range(1, 9)),
    Crowd("never read", abuse.never_read),
    Crowd("deaf subscribers", abuse.deaf_subscribers, range(1)),
    Crowd("batches", abuse.batches, range(1, 7)),
    Crowd("batches of rpc.discover", abuse.batches_of_discovery, range(7)),
    Crowd("a peer of a policy with many stanzas", abuse.batches_of_many_stanzas, range(5), has_large_policy=True),
    Crowd("calls that wait", abuse.calls_that_wait, [0] * 3, gives_back=True),
    Crowd("calls that wait to every limit", abuse.waits_to_every_limit, [0, SECOND_USER], max_memory=WAITING_MEMORY,
          gives_back=True),
    Crowd("an app whose calls hang beside its user's other app", abuse.waits_beside_a_neighbour, [0], has_neighbour=True),
    Crowd("floods of setRequestor", abuse.requestor_floods, [0, 0, SECOND_USER, SECOND_USER], gives_back=True),
    Crowd("connects", abuse.connects, range(1, 5)),
    Crowd("one user's connects", abuse.connects, [1] * 6),
    Crowd("connects to the limit", abuse.connects_to_the_limit, [0, 0, 1, 1, 2, 3]),
    Crowd("connects under many stanzas", abuse.connects, range(5), has_large_policy=True),
    Crowd("connects of hundreds of users", abuse.connects_of_many_users, range(2), has_many_users=True),
]


class GoodClient(threading.Thread):
    """Repeats an action, and notes the time of each."""

    PAUSE = 0.004

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.waits: list[float] = []
        self.failed: str | None = None
        self.ends = threading.Event()

    def ask(self) -> None:
        raise NotImplementedError

    def run(self) -> None:
        while not self.ends.wait(self.PAUSE):
            began = time.monotonic()
            try:
                self.ask()
            except (Gone, Late, Refusal) as error:
                self.failed = str(error)
                return
            finally:
                self.waits.append(time.monotonic() - began)

    def finish(self) -> None:
        self.ends.set()
        self.join(TIMEOUT + 5)

    @property
    def figures(self) -> str:
        waits = sorted(self.waits) or [0.0]
        p50, p99, longest = waits[len(waits) // 2], waits[min(len(waits) - 1, len(waits) * 99 // 100)], waits[-1]
        return f"{milliseconds(p50)} (median), {milliseconds(p99)} (p99), {milliseconds(longest)} (longest)"

    @property
    def longest(self) -> float:
        return max(self.waits, default=0.0)


class Caller(GoodClient):
    """Asks on an open connection whether a viewer is logged in."""

    def __init__(self, client: Client) -> None:
        super().__init__()
        self.client = client

    def ask(self) -> None:
        self.client.call("checkAuthentication", timeout=TIMEOUT)
        self.client.callbacks.clear()


class Newcomer(GoodClient):
    """Connects, requests the first answer, and leaves."""

    PAUSE = 0.025

    def __init__(self, box: Box) -> None:
        super().__init__()
        self.box = box

    def ask(self) -> None:
        with self.box.client(timeout=TIMEOUT) as client:
            client.call("passd.whoami")


def client_of(user: int, box: Box) -> Client:
    """A connection of this user, as the daemon sees it."""
    os.setegid(user)
    os.seteuid(user)
    try:
        return box.client(timeout=TIMEOUT)
    finally:
        os.seteuid(0)
        os.setegid(0)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


class Threads(threading.Thread):
    """Counts the daemon's threads repeatedly, and notes the names of the largest crowd."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.max_open = 0
        self.names: list[str] = []
        self.ends = threading.Event()

    def run(self) -> None:
        while not self.ends.wait(0.005):
            try:
                count = len(os.listdir(f"/proc/{self.pid}/task"))
                if count > self.max_open:
                    self.max_open, self.names = count, process.thread_names(self.pid)
            except FileNotFoundError:
                return

    def finish(self) -> Threads:
        self.ends.set()
        self.join()
        return self


class Ordeal:
    """Runs one crowd and measures the daemon and the good clients."""

    def __init__(self, attack: Attack, sandbox: Sandbox, box: Box, crowd: Crowd, seconds: float) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.box = box
        self.crowd = crowd
        self.seconds = seconds

    def go(self) -> None:
        with self.box.running() as daemon, self.box.client() as client:
            log_in(client, "CH01")
            # The first request loads libcurl. Its memory and descriptors do not belong to the crowd.
            client.call("checkAuthorization", {"resource": RESOURCE})
            if not self.crowd.has_neighbour:
                self.endure(daemon, Caller(client), Newcomer(self.box))
                return
            with client_of(FIRST_USER, self.box) as neighbour:
                # The logins belong to the device, not to an app.
                for requestor in (abuse.OWN_REQUESTORS[FIRST_USER], NEIGHBOURS_REQUESTOR):
                    log_in(neighbour, requestor)
                self.sandbox.control("faults", {"faults": [{"match": "* /api/**", "delay": "5m"}]})
                try:
                    self.endure(daemon, Caller(neighbour), Newcomer(self.box))
                finally:
                    self.sandbox.control("faults", method="DELETE")

    def endure(self, daemon: Daemon, *good: GoodClient) -> None:
        before, sockets = process.read(daemon.pid), process.unix_sockets(daemon.pid)
        daemon.watch.forgive()
        threads = Threads(daemon.pid)
        threads.start()
        works = [(FIRST_USER + user, self.crowd.work) for user in self.crowd.users]
        children, tally = strangers.start(self.box.socket, works, self.seconds, changing=self.crowd.has_many_users)
        for client in good:
            client.start()
        try:
            strangers.end(children, self.seconds + 1)
        finally:
            time.sleep(0.2)
            for client in good:
                client.finish()
        self.judge(daemon, *good, before, sockets, tally.sum, threads.finish())

    def judge(
        self, daemon: Daemon, good: GoodClient, new: GoodClient, before: process.Reading, sockets: int, done: int,
        threads: Threads,
    ) -> None:
        name = self.crowd.name
        self.attack.did(f"{name}:", done)
        self.attack.did(f"crowds at a box over {self.box.protocol}")
        if not daemon.is_alive():
            self.attack.broken("daemon dead", f"{name}: {daemon.crash() or daemon.process.returncode}")
            return
        peak = process.highest_memory(daemon.pid)
        gap = daemon.watch.longest_gap
        left = self.sockets_left(daemon, sockets)
        took = self.memory_returns(daemon, before) if self.crowd.gives_back else 0.0
        after = process.read(daemon.pid)
        self.attack.note(
            f"{name}, over {self.box.protocol}: {done} from {self.crowd.user_count} users in {self.seconds:.0f} s; "
            f"a good client's {len(good.waits)} calls waited {good.figures}, {len(new.waits)} new connections "
            f"{new.figures}; watchdog gap {gap:.1f} s; memory {before.memory // 1024} MiB before, {peak // 1024} at "
            f"most, {after.memory // 1024} after {took:.0f} s; descriptors {before.descriptors} and {after.descriptors}, threads "
            f"{before.threads}, at most {threads.max_open}, and {after.threads}")
        for client, what in ((good, "good client"), (new, "new connection")):
            if client.failed:
                self.attack.broken(f"{what} failed", f"{name}: {client.failed}")
            if client.longest > MAX_WAIT:
                self.attack.broken(f"{what} waits", f"{name}: {milliseconds(client.longest)}")
        if self.crowd.work in (abuse.connects, abuse.connects_to_the_limit, abuse.connects_of_many_users):
            self.attack.figures[f"a new connection beside {name} over {self.box.protocol}"] = new.figures
        if threads.max_open > MAX_THREADS:
            self.attack.broken("threads", f"{name}: {threads.max_open} ({', '.join(threads.names)})")
        left_memory = after.anonymous - before.anonymous
        if self.crowd.gives_back and left_memory > LEFT_MEMORY:
            self.attack.broken("memory kept", f"{name}: {left_memory} KiB after {took:.0f} s")
        if peak - before.memory > self.crowd.max_memory:
            self.attack.broken("memory", f"{name}: {(peak - before.memory) // 1024} MiB more than before")
        if gap > WATCHDOG:
            self.attack.broken("watchdog missed", f"{name}: nothing for {gap:.1f} s")
        # As long as the queue is not empty, the sockets are not closed.
        if left > sockets and "does not come back" not in self.attack.broke:
            self.attack.broken("descriptors leak", f"{name}: {sockets} sockets before, {left} after")

    def memory_returns(self, daemon: Daemon, before: process.Reading) -> float:
        """Waits until the memory is released, or the time is up. Returns the seconds."""
        began = time.monotonic()
        while time.monotonic() - began < MEMORY_RETURNS:
            if process.read(daemon.pid).anonymous - before.anonymous <= LEFT_MEMORY:
                break
            time.sleep(0.2)
        return time.monotonic() - began

    def sockets_left(self, daemon: Daemon, before: int) -> int:
        """Waits until all have left and the daemon has handled their messages."""
        try:
            with self.box.client(timeout=TIMEOUT) as client:
                client.call("passd.whoami")
        except (Gone, Late, Refusal) as error:
            self.attack.broken("does not come back", f"{self.crowd.name}: {error}")
        deadline = time.monotonic() + 5
        while True:
            left = process.unix_sockets(daemon.pid)
            if left <= before or time.monotonic() > deadline:
                return left
            time.sleep(0.05)


def guest(folder: Path) -> str:
    return (f"[app guest]\nrequestors = CH18\nallow = user:{FIRST_USER}\nmay = entitlement observe\n"
            f"software-statement = file:{folder}/app.jwt\n"
            f"[app neighbour]\nrequestors = {NEIGHBOURS_REQUESTOR}\nallow = user:{FIRST_USER}\nmay = entitlement\n"
            f"software-statement = file:{folder}/app.jwt\n"
            f"[app second]\nrequestors = CH17\nallow = user:{FIRST_USER + SECOND_USER}\nmay = entitlement\n"
            f"software-statement = file:{folder}/app.jwt\n")


def without_user(folder: Path) -> str:
    """Rules without a user, so that processes of every user may match."""
    return (f"[app members]\nrequestors = CH17\nallow = group:64242 unit:members.service\n"
            f"software-statement = file:{folder}/app.jwt\n")


def many_stanzas() -> str:
    """The largest number of stanzas, each with the largest number of rules. The last rule of each names the first user."""
    return "".join(
        f"[app many{app:03d}]\nrequestors = {' '.join(f'R{app}.{number}' for number in range(64))}\nallow = "
        + " ".join(f"user:{64000 + number}+unit:many-{app}.service" for number in range(63))
        + f" user:{FIRST_USER}\nmay = entitlement\n"
        for app in range(255))


def body(attack: Attack) -> None:
    sandbox = Sandbox(attack)
    try:
        stanzas = {"usual": guest, "large": lambda _: many_stanzas(), "anybody": without_user}
        boxes = {
            (policy, protocol): Box(
                attack, f"{policy}-{protocol}", sandbox.origin, sandbox.statement(), watchdog=WATCHDOG,
                protocol=protocol, stanzas=stanza(attack.folder / f"{policy}-{protocol}"))
            for policy, stanza in stanzas.items() for protocol in PROTOCOLS}
        for folder in (attack.folder, *(box.folder for box in boxes.values())):
            os.chmod(folder, 0o755)
        # In a slice, every third crowd uses the older interface. The seed decides which.
        rounds = [(crowd, protocol) for number, crowd in enumerate(CROWDS, attack.seed)
                  for protocol in (PROTOCOLS if attack.full else ["v1" if number % 3 == 0 else "v2"])]
        seconds = max(2.0, attack.seconds / len(rounds) - 1.5)
        for crowd, protocol in rounds:
            policy = "large" if crowd.has_large_policy else "anybody" if crowd.has_many_users else "usual"
            Ordeal(attack, sandbox, boxes[policy, protocol], crowd, seconds).go()
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("crowds", body, slice_seconds=45, full_seconds=3600)
