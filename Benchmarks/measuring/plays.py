"""A whole play compared with the bare request to the service, and an event for all subscribers."""
from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lib.sandbox import RESOURCE

from .box import Box
from .calls import WRONG, Field
from .figures import PASSD, REDIS, Goal, Row
from .load import result, run_tool
from .programs import Programs
from .recorder import Question, Recorder

SUBSCRIBE = '{"jsonrpc":"2.0","id":"bench","method":"passd.subscribe","params":{"types":["session.opened"]}}'
SUBSCRIBERS = 100
BARE = "the bare question"


def milliseconds(action: Callable[[], Any]) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


class Plays:
    """Two boxes. The first plays. The second has a recorder between the daemon and the service, which gives the bare
    request."""

    def __init__(self, programs: Programs, folder: Path, service: Any, count: int) -> None:
        self.count = count
        self.service = service
        goal = Goal("≤ 1.5 × the bare question", max=1.5, of_ratio=True)
        self.play = Row("a play: p50", "ms", beside=BARE, goal=goal)
        self.slow = Row("– p95", "ms", beside=BARE)
        self.box = Box(programs, folder / "plays", service)
        self.recorder = Recorder(service.port)
        self.recorded = Box(programs, folder / "recorded", service, origin=f"http://127.0.0.1:{self.recorder.port}")

    @property
    def rows(self) -> list[Row]:
        return [self.play, self.slow]

    def __enter__(self) -> Plays:
        try:
            self._prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _prepare(self) -> None:
        for box in (self.box, self.recorded):
            box.start()
            box.signed_in()
        with self.recorded.app() as client:
            client.call("getAuthorization", {"resource": RESOURCE})
            # Work after the first answer does not belong to a play.
            time.sleep(0.5)
            self.recorder.take()
            client.call("getAuthorization", {"resource": RESOURCE})
        requests = self.recorder.take()
        if len(requests) != 1:
            raise RuntimeError(f"a play takes {len(requests)} requests: {[each.split(b' HTTP')[0] for each in requests]}")
        self.question = requests[0]

    def __exit__(self, *_: object) -> None:
        self.box.close()
        self.recorded.close()
        self.recorder.close()

    def round(self) -> None:
        """Plays and bare requests in turn, so that both are measured in the same minute."""
        ours, bare = [], []
        with self.box.app() as client, Question(self.service.port, self.question) as question:
            # The first requests connect.
            client.call("getAuthorization", {"resource": RESOURCE})
            question.ask()
            for _ in range(self.count):
                ours.append(milliseconds(lambda: client.call("getAuthorization", {"resource": RESOURCE})))
                bare.append(milliseconds(question.ask))
        for row, share in ((self.play, 0.5), (self.slow, 0.95)):
            row.add(PASSD, sorted(ours)[int(share * self.count)])
            row.add(BARE, sorted(bare)[int(share * self.count)])


class FanOut:
    def __init__(self, field: Field, rounds: int) -> None:
        self.field = field
        self.times = rounds
        self.row = Row(f"an event to {SUBSCRIBERS} subscribers: p50", "ms", beside=REDIS, goal=Goal("≤ 3", max=3))

    def round(self) -> None:
        tool = self.field.programs.tools / "fanout"
        counts = [f"--subscribers={SUBSCRIBERS}", f"--rounds={self.times}"]
        # The event is caused by a connection. With Redis, the client also publishes a message.
        self.field.box.await_room(SUBSCRIBERS + self.times)
        ours = run_tool(tool, str(self.field.box.socket), "--subscribe", SUBSCRIBE, "--answer", '"id":"bench"',
                        "--event", '"session.opened"', "--wrong", WRONG, *counts)
        event = "e" * 300
        theirs = run_tool(tool, str(self.field.redis.talk.socket), "--subscribe", "SUBSCRIBE bench", "--answer", ":1",
                          "--event", event, "--request", f"PUBLISH bench {event}", "--wrong", "-ERR", *counts)
        self.row.add(PASSD, result(ours).p50 / 1000)
        self.row.add(REDIS, result(theirs).p50 / 1000)
