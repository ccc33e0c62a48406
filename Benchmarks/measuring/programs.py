"""Finds the programs of the project, and builds the programs of the benchmarks."""
from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
#: Programs and their Debian packages.
PACKAGES = {"redis-server": "redis-server", "dbus-daemon": "dbus-daemon", "strace": "strace", "cc": "gcc", "strip": "binutils",
            "make": "make", "pkg-config": "pkg-config"}
INSTALL = "`scripts/install-dependencies swift bench`"


class CannotRun(Exception):
    """A program is missing."""


@dataclass(frozen=True)
class Programs:
    #: passd, passd-cli and pass-sandbox.
    passd: Path
    #: The programs that are built from load/.
    tools: Path

    @property
    def are_optimised(self) -> bool:
        return self.passd.name == "release"

    @staticmethod
    def find(given: str | None, *, with_bus: bool = False) -> Programs:
        """The given build of the project, else the release build, else the debug build. Builds the tools."""
        built = [REPOSITORY / ".build" / kind for kind in ("release", "debug")]
        passd = Path(given).absolute() if given else next((folder for folder in built if (folder / "passd").exists()), built[0])
        for name in ("passd", "pass-sandbox"):
            if not (passd / name).exists():
                raise CannotRun(f"{passd / name} is missing; `make release` builds it")
        tools = REPOSITORY / ".build/bench"
        for target in ["all"] + (["bus"] if with_bus else []):
            made = subprocess.run(
                ["make", "--silent", "-C", REPOSITORY / "Benchmarks/load", f"OUT={tools}", target], capture_output=True,
                text=True, check=False)
            if made.returncode:
                raise CannotRun(f"the tools in Benchmarks/load cannot be built: {made.stderr.strip()[-500:]}\n"
                                f"{INSTALL} installs what they need")
        return Programs(passd, tools)


def need(*names: str) -> None:
    missing = [PACKAGES[name] for name in names if not shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")]
    if missing:
        raise CannotRun(f"missing: {', '.join(missing)}; {INSTALL} installs them")
