"""Computes what remains of a directory after a power cut: all synced data, and any part of the other data that a file system
with a journal may keep. Uses the record of record.c."""
from __future__ import annotations

import copy
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .attack import Attack, CannotRun

NEW_FILE, NEW_FOLDER, WRITTEN, SIZED, RENAMED, REMOVED, SYNCED, SAID, GAP = range(1, 10)
_HEAD = struct.Struct("=IIQQ")

PAGE, SECTOR = 4096, 512
#: What a cut does with unsynced names and contents: it loses all, keeps all, or keeps some pieces of this size.
WAYS = ("all lost", "names kept, contents lost", "names lost, contents kept", "all kept", "some pages", "some sectors")


@dataclass(frozen=True)
class Event:
    kind: int
    inode: int
    at: int
    data: bytes
    #: The offset of the event's end in the record.
    end: int


def build(attack: Attack) -> Path:
    library = attack.folder / "record.so"
    source = Path(__file__).with_name("record.c")
    try:
        made = subprocess.run(
            ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library), str(source), "-ldl"],
            capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotRun("there is no gcc") from None
    if made.returncode:
        raise CannotRun(f"the record cannot be built: {made.stderr[:500]}")
    return library


class Record:
    """The changes of a directory by daemons, over any number of runs."""

    def __init__(self, library: Path, path: Path, state: Path) -> None:
        self._library = library
        self._path = path
        self._state = state
        self.begin()

    def begin(self) -> None:
        """Starts over. All existing data count as synced."""
        self._path.write_bytes(b"")
        self._before = Disk(self._state)

    def fresh(self) -> Disk:
        """The contents of the disk at the beginning."""
        return copy.deepcopy(self._before)

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(self._library), "HOSTILE_RECORD": str(self._path),
                "HOSTILE_UNDER": str(self._state)}

    @property
    def size(self) -> int:
        return self._path.stat().st_size

    def events(self) -> list[Event]:
        return list(self._events(self._path.read_bytes()))

    def _events(self, data: bytes) -> Iterator[Event]:
        at = 0
        # A kill may have truncated the last event.
        while at + _HEAD.size <= len(data):
            kind, length, inode, place = _HEAD.unpack_from(data, at)
            end = at + _HEAD.size + length
            if end > len(data):
                return
            yield Event(kind, inode, place, data[at + _HEAD.size : end], end)
            at = end


class File:
    """The synced content, and the later changes. A change is a write at an offset, or a new size (without bytes)."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = content
        self.since: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        self.content = self.now()
        self.since = []

    def now(self) -> bytes:
        return self._moments()[-1]

    def _moments(self) -> list[bytes]:
        """The contents after zero, one, two … changes."""
        content = bytearray(self.content)
        moments = [bytes(content)]
        for at, data in self.since:
            end = at if data is None else at + len(data)
            if end > len(content):
                content.extend(bytes(end - len(content)))
            if data is None:
                del content[at:]
            else:
                content[at:end] = data
            moments.append(bytes(content))
        return moments

    def pieces(self, chance: random.Random, size: int) -> bytes:
        """The length of the file comes from one moment, and each piece may come from another moment. For each truncation, the
        length and all pieces are from before it, or all are from after it."""
        moments = self._moments()
        last = len(self.since)
        told = chance.choice((0, last, chance.randint(0, last)))
        length = len(moments[told])
        left = bytearray()
        for at in range(0, length, size):
            cuts = [number for number, (place, data) in enumerate(self.since, 1)
                    if data is None and place <= at]
            first = max((cut for cut in cuts if cut <= told), default=0)
            end = min((cut - 1 for cut in cuts if cut > told), default=last)
            moment = moments[chance.choice((first, end, chance.randint(first, end)))]
            left += moment[at : at + size].ljust(size, b"\0")
        return bytes(left[:length])


class Folder:
    pass


Node = File | Folder
Names = dict[str, Node]


class Disk:
    """A directory and its content, both in the program's view and on the disk. Changes of names become durable in their order.
    Changes of contents become durable in any order."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self.durable: Names = {}
        #: Changes of names: a name and its new file, if any.
        self._since: list[dict[str, Node | None]] = []
        self._nodes: dict[int, Node] = {state.parent.stat().st_ino: Folder()}
        self._folders: dict[int, str] = {state.parent.stat().st_ino: str(state.parent)}
        if state.exists():
            self._learn(state)

    def _learn(self, path: Path) -> None:
        inode = path.stat().st_ino
        node: Node
        if path.is_dir():
            node = Folder()
            self._folders[inode] = str(path)
            for each in path.iterdir():
                self._learn(each)
        else:
            node = File(path.read_bytes())
        self._nodes[inode] = node
        self.durable[str(path)] = node

    def find_again(self) -> None:
        """Finds the same files after they were put in place."""
        for name, node in self.now.items():
            inode = os.stat(name).st_ino
            self._nodes[inode] = node
            if isinstance(node, Folder):
                self._folders[inode] = name

    @property
    def now(self) -> Names:
        return self._names(len(self._since))

    def _names(self, count: int) -> Names:
        names = dict(self.durable)
        for change in self._since[:count]:
            for name, node in change.items():
                if node is None:
                    names.pop(name, None)
                else:
                    names[name] = node
        return names

    def apply(self, event: Event) -> None:
        name = event.data.decode("utf-8", "surrogateescape") if event.kind != WRITTEN else ""
        if event.kind in (NEW_FILE, NEW_FOLDER):
            node: Node = File() if event.kind == NEW_FILE else Folder()
            self._nodes[event.inode] = node
            if event.kind == NEW_FOLDER:
                self._folders[event.inode] = name
            self._since.append({name: node})
        elif event.kind in (WRITTEN, SIZED):
            file = self._nodes.get(event.inode)
            if isinstance(file, File):
                file.since.append((event.at, event.data if event.kind == WRITTEN else None))
        elif event.kind == RENAMED:
            before, after = name.split("\0")
            self._since.append({before: None, after: self.now[before]})
        elif event.kind == REMOVED:
            self._since.append({name: None})
        elif event.kind == SYNCED:
            self._sync(event.inode)

    def _sync(self, inode: int) -> None:
        node = self._nodes.get(inode)
        if isinstance(node, File):
            node.sync()
        elif folder := self._folders.get(inode):
            of_it = [number for number, change in enumerate(self._since, 1)
                     if any(os.path.dirname(name) == folder for name in change)]
            if of_it:
                self.durable = self._names(of_it[-1])
                del self._since[: of_it[-1]]

    def cut(self, way: str, chance: random.Random) -> dict[str, bytes | None]:
        """The files and folders that remain. Folders have no content."""
        everything = len(self._since)
        if way.startswith("some"):
            names = self._names(chance.choice((0, everything, chance.randint(0, everything))))
        else:
            names = self._names(0 if way in ("all lost", "names lost, contents kept") else everything)
        size = SECTOR if way == "some sectors" else PAGE
        left: dict[str, bytes | None] = {}
        for name in sorted(names):
            node = names[name]
            if isinstance(node, Folder):
                left[name] = None
            elif way.startswith("some"):
                left[name] = node.pieces(chance, size)
            elif way in ("all kept", "names lost, contents kept"):
                left[name] = node.now()
            else:
                left[name] = node.content
        return left


def differences(state: Path, left: dict[str, bytes | None]) -> list[str]:
    """The differences between the expected files and the present files."""
    there = {str(path): path for path in (state, *state.rglob("*")) if path.exists()}
    found = [f"{name} is missing" for name in left if name not in there]
    found += [f"{name} is there" for name in there if name not in left]
    for name, content in left.items():
        path = there.get(name)
        if content is not None and path and path.read_bytes() != content:
            found.append(f"{name} is another")
    return found


def put(state: Path, left: dict[str, bytes | None]) -> None:
    """Replaces the directory."""
    shutil.rmtree(state, ignore_errors=True)
    for name in sorted(left):
        content, path = left[name], Path(name)
        # Files in a lost folder are lost as well.
        if not path.parent.exists():
            continue
        if content is None:
            path.mkdir(mode=0o700)
        else:
            path.write_bytes(content)
            path.chmod(0o600)
