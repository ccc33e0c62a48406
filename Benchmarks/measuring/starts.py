"""The time of a start until the daemon is ready, and the sizes of the programs."""
from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from lib.box import choose_pass
from lib.sandbox import REQUESTORS

from .box import Box
from .calls import Field
from .figures import PASSD, REDIS, Goal, Row
from .peers import Redis
from .programs import Programs

SIZES = {"passd": 13.0, "passd-cli": 8.5, "pass-sandbox": 15.0}


class Starts:
    def __init__(self, programs: Programs, folder: Path, service: Any, field: Field) -> None:
        self.programs = programs
        self.folder = folder
        self.service = service
        self.field = field
        self.full = Row("READY with a store", "ms", beside=REDIS, goal=Goal("≤ 25", max=25))
        self.many = Row(f"– with {len(REQUESTORS)} logins", "ms")
        self.empty = Row("READY with an empty one", "ms", goal=Goal("≤ 50", max=50))

    @property
    def rows(self) -> list[Row]:
        return [self.full, self.many, self.empty]

    def round(self, number: int) -> None:
        with Box(self.programs, self.folder / f"start{number}", self.service) as box:
            box.start()
            self.empty.add(PASSD, box.ready_after * 1000)
            box.signed_in()
            box.stop()
            box.start()
            self.full.add(PASSD, box.ready_after * 1000)
            for requestor in REQUESTORS:
                with box.app(requestor) as client:
                    if not choose_pass(client, requestor):
                        raise RuntimeError(f"nobody is signed in with {requestor}")
            box.stop()
            box.start()
            self.many.add(PASSD, box.ready_after * 1000)
        redis = Redis(self.folder / f"redis{number}", self.field.redis.talk, b"x")
        redis.close()
        self.full.add(REDIS, redis.ready_after * 1000)


def stripped_size(program: Path) -> int:
    """The sizes in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "stripped"
        subprocess.run(["strip", "--strip-all", "-o", copy, program], check=True)
        return copy.stat().st_size


def size_rows(programs: Programs) -> list[Row]:
    rows = []
    for name, limit in SIZES.items():
        row = Row(f"{name}, stripped", "MiB", goal=Goal(f"≤ {limit:g}", max=limit))
        if programs.are_optimised and (programs.passd / name).exists():
            row.add(PASSD, stripped_size(programs.passd / name) / (1 << 20))
        rows.append(row)
    return rows
