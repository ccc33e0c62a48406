"""Growth: the time of a warm call with many stanzas, and with many idle clients."""
from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from .box import Box
from .calls import talk_with
from .figures import PASSD, Goal, Row
from .load import Load, Talk
from .machine import cores
from .programs import Programs

STANZAS = (2, 64, 256)
IDLE = 150


class Growth:
    def __init__(self, programs: Programs, folder: Path, service: Any, seconds: float) -> None:
        self.seconds = seconds
        self.boxes = {count: Box(programs, folder / f"stanzas{count}", service, stanzas=count) for count in STANZAS}
        self.stanzas = {count: Row(f"1 client, one core, {count} stanzas: p50", "µs") for count in STANZAS}
        self.by_stanzas = Row(f"– {STANZAS[-1]} to {STANZAS[0]}", "×", goal=Goal("constant", max=1.15))
        self.by_clients = Row(f"– {IDLE} idle clients to none", "×", goal=Goal("constant", max=1.15))

    @property
    def rows(self) -> list[Row]:
        return [*self.stanzas.values(), self.by_stanzas, self.by_clients]

    def __enter__(self) -> Growth:
        for box in self.boxes.values():
            box.start()
            box.signed_in()
        return self

    def __exit__(self, *_: object) -> None:
        for box in self.boxes.values():
            box.close()

    def _latency(self, box: Box) -> float:
        core = {cores()[-1]}
        box.await_room(1)
        with box.system.pinned(core), Load(
                box.programs.tools, talk_with(box), cores=core, seconds=self.seconds) as load:
            return load.run().p50

    def round(self) -> None:
        order = list(STANZAS)
        random.shuffle(order)
        found = {count: self._latency(self.boxes[count]) for count in order}
        for count, value in found.items():
            self.stanzas[count].add(PASSD, value)
        self.by_stanzas.add(PASSD, found[STANZAS[-1]] / found[STANZAS[0]])
        box = self.boxes[STANZAS[0]]
        talk = talk_with(box)
        box.await_room(IDLE)
        with Load(box.programs.tools, Talk(talk.socket, talk.request, talk.answer, talk.wrong, talk.first),
                  clients=IDLE, seconds=0, warm=0):
            self.by_clients.add(PASSD, self._latency(box) / found[STANZAS[0]])
