"""Boxes before an upgrade. Either the program has a further step for the store, or it imports files of the older layout.
Compares the result of a start, or of an app's call, with the earlier content."""
from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .box import Box
from .rpc import Refusal
from .sandbox import SHARED, pass_of

#: Gives a development build one or two further steps of the schema. The program with two steps raises `needs`.
TRIALS = {1: {"PASSD_TRIAL_SCHEMA": "first"}, 2: {"PASSD_TRIAL_SCHEMA": "second"}}
#: Reads the lowest version that a program must know to use the store.
NEEDS = "SELECT value FROM about WHERE name = 'needs'"

#: The requestors of two logins. The first has a login of its own. The second takes the login that all requestors share.
OWN, OTHER = "CH01", "CH02"
TOKEN = """<signatureInfo>c2lnbmF0dXJl</signatureInfo>
<simpleAuthenticationToken>
    <simpleTokenAuthenticationGuid>{guid}</simpleTokenAuthenticationGuid>
    <simpleTokenRequestorID>{requestor}</simpleTokenRequestorID>
    <simpleTokenDomainName>localhost</simpleTokenDomainName>
    <simpleTokenExpires>2099/04/05 10:20:30 GMT +0200</simpleTokenExpires>
    <simpleTokenMsoID>{provider}</simpleTokenMsoID>
    <simpleTokenDeviceID><simpleTokenFingerprint>{device}</simpleTokenFingerprint></simpleTokenDeviceID>
</simpleAuthenticationToken>
"""


def set_storage(box: Box, setting: str) -> None:
    """Adds a setting from the next start on. A later setting overrides an earlier one."""
    with box.configuration.open("a", encoding="utf-8") as file:
        file.write(f"[storage]\n{setting}\n")


@dataclass(frozen=True)
class Upgrade:
    """A box before an upgrade. `make` prepares it from a box with logins and without a daemon. `faults` runs beside a
    daemon, and is told whether the interrupted action had been acknowledged."""

    make: Callable[[Box], None]
    faults: Callable[[Box, bool], Sequence[str]]


def next_schema(steps: int = 1, *, is_sealed: bool = False) -> Upgrade:
    """A store of the present schema, and a program with further steps. With `is_sealed`, the store is not sealed yet and
    must be sealed by the upgrade."""
    def make(box: Box) -> None:
        written = [read(box, "passd.db", query)[0] for query in ("PRAGMA user_version", NEEDS)]
        (box.folder / "schema").write_text(f"{written[0]} {written[1]}", encoding="utf-8")
        box.environment.update(TRIALS[steps])
        if is_sealed:
            set_storage(box, "sealing = credential")

    def faults(box: Box, _: bool) -> list[str]:
        version, needs = map(int, (box.folder / "schema").read_text(encoding="utf-8").split())
        files = {"passd.db": version + steps} | ({f"passd.db.schema-{needs}": version} if steps == 2 else {})
        reasons = {name: differs(box, name, of) for name, of in files.items()}
        return [f"{name}: {reason}" for name, reason in reasons.items() if reason]
    return Upgrade(make, faults)


def differs(box: Box, name: str, version: int) -> str | None:
    try:
        if read(box, name, "PRAGMA integrity_check") != ["ok"]:
            return "it is damaged"
        versions = tuple(read(box, name, query)[0] for query in (
            "PRAGMA user_version", "SELECT value FROM about WHERE name = 'schema'"))
    except sqlite3.Error as error:
        return str(error)
    return None if versions == (version, str(version)) else f"its versions are {versions}"


def read(box: Box, name: str, query: str) -> list[object]:
    """The first column. It is read from a copy, because a daemon locks the file."""
    folder = box.folder / "looked at"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in ("", "-wal"):
        if (path := box.state / f"{name}{suffix}").exists():
            shutil.copy(path, folder)
    connection = sqlite3.connect(folder / name)
    try:
        return [row[0] for row in connection.execute(query)]
    finally:
        connection.close()


def older_files(box: Box) -> Path:
    return box.folder / "older"


def write_layout(box: Box, provider: str) -> None:
    folder = older_files(box)
    (folder / "requestors").mkdir(parents=True)
    identity = (box.folder / "identity").read_text(encoding="utf-8").strip()
    salt = (box.state / "salt").read_bytes().hex()
    device = hashlib.sha256(f"passd device {identity} {salt}".encode()).hexdigest()
    for file, requestor, named in ((f"requestors/{OWN}.xml", OWN, provider), ("shared.xml", "CH18", SHARED)):
        guid = hashlib.md5(file.encode()).hexdigest()
        (folder / file).write_text(
            TOKEN.format(guid=guid, requestor=requestor, provider=named, device=device), encoding="utf-8")
    set_storage(box, f"import-from = {folder}")


def layout(faults: Callable[[Box, bool], Sequence[str]], known: str | None = None) -> Upgrade:
    """Puts the files of version 1.6 beside the box's store. With a provider, the service knows a login that the box does not
    have."""
    def make(box: Box) -> None:
        if known:
            with box.running(), box.admin() as admin:
                admin.call("passd.forget")
        write_layout(box, known or pass_of(OWN))
        (box.folder / "untouched").write_text(content(older_files(box)), encoding="utf-8")

    def all_faults(box: Box, is_acknowledged: bool) -> list[str]:
        found = list(faults(box, is_acknowledged))
        if content(older_files(box)) != (box.folder / "untouched").read_text(encoding="utf-8"):
            found.append("the older layout was changed")
        return found
    return Upgrade(make, all_faults)


def content(folder: Path) -> str:
    return "\n".join(
        f"{path} {path.is_file() and path.read_text(encoding='utf-8')}" for path in sorted(folder.rglob("*")))


def without_login(box: Box, requestor: str) -> str | None:
    """Returns nothing if the app is logged in without a new login."""
    with box.client() as client:
        try:
            answer = client.call("setRequestor", {"requestorID": requestor})
        except Refusal as error:
            return f"{requestor} is not logged in: {error}"
    return None if answer["authenticated"] else f"{requestor} is not logged in"


def not_taken(box: Box, is_acknowledged: bool) -> list[str]:
    """A token is returned once. If it was returned but not stored, it is lost."""
    imported = box.state / "imported"
    was_handed_out = imported.exists() and any(imported.glob("taken-*"))
    own, other = without_login(box, OWN), without_login(box, OTHER)
    return [fault for fault in (own if is_acknowledged or not was_handed_out else None, other) if fault]


def not_known(box: Box, _: bool) -> list[str]:
    """If the service knows the login, the app must be logged in even without the token."""
    fault = without_login(box, OWN)
    return [fault] if fault else []


def back_again(box: Box, is_acknowledged: bool) -> list[str]:
    """An earlier login must not be imported after its logout."""
    return [f"{each} is logged in again" for each in (OWN, OTHER) if is_acknowledged and not without_login(box, each)]

