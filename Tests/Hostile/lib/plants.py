"""State directories that an attacker has prepared: stores with endless tables, stores that are too large, and special files
under the names that a start reads."""
from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

#: Every name that a start reads.
NAMES = [
    "passd.db", "passd.db-wal", "passd.db-journal", "passd.db.mark", "passd.db.new", "passd.db.replacement",
    "passd.db.returning", "passd.db.unreadable-20200101T000000Z", "passd.db.damaged-20200101T000000Z",
    "passd.key", "passd.key.new", "passd.lock",
    "passd.probe", "one-time-burst", "imported",
]
#: An endless query, as the rows of a table with six columns.
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {columns} FROM n"
#: The columns of the tables, the keys first.
KEY = ["app", "statement", "origin", "interface"]
COLUMNS = {
    "about": ["name", "value"],
    "device": ["slot", "id", "proof"],
    "device_key": ["slot", "pem"],
    "registration": [*KEY, "client_id", "client_secret", "access_token", "access_token_ends"],
    "selection": ["requestor", "can_authenticate", "provider"],
    "profile": [*KEY, "requestor", "provider", "issued_for", "kind", "issuer", "not_before", "not_after", "attributes"],
    "open_login": [*KEY, "requestor", "code", "url", "provider", "not_before", "not_after", "session_id"],
    "tombstone": [*KEY, "requestor", "provider"],
}


@dataclass(frozen=True)
class Plant:
    what: str
    put: Callable[[Path], None]
    #: Whether the start may lose logins.
    may_lose: bool = True
    #: Whether the start must report that the store was damaged.
    must_tell: bool = True


def script(*statements: str) -> Callable[[Path], None]:
    def put(state: Path) -> None:
        with closing(sqlite3.connect(state / "passd.db", isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)
    return put


def view(table: str) -> Callable[[Path], None]:
    columns = ", ".join(f"'{column}' || i AS {column}" for column in COLUMNS[table])
    if table == "about":
        # The row that the start searches for comes last.
        columns = "CASE WHEN i < 9000000000 THEN 'x' ELSE 'schema' END AS name, '4' AS value"
    return script(f"DROP TABLE {table}", f"CREATE VIEW {table} AS " + ENDLESS.format(columns="0 AS rowid, " + columns))


def rows(table: str, count: int, size: int = 0) -> Callable[[Path], None]:
    """Many rows, or large rows."""
    values = ", ".join(f"'{column}' || i || substr(hex(zeroblob({size // 2})), 1, {size})" for column in COLUMNS[table])
    if table == "selection":
        values = "'r' || i, 1, x'00'"
    if table == "profile":
        values = ", ".join(["'a' || i", "'s'", "'o'", "'v2'", "'r'", "'p'", "'p'", "'regular'", "'i'", "0", "1",
                            f"zeroblob({max(1, size)})"])
    return script(
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
        f"INSERT INTO {table} ({', '.join(COLUMNS[table])}) SELECT {values} FROM n")


def many_tables(state: Path) -> None:
    with closing(sqlite3.connect(state / "passd.db", isolation_level=None)) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO sqlite_schema "
            "SELECT 'view', 'v' || i, 'v' || i, 0, 'CREATE VIEW v' || i || ' AS SELECT 1' FROM n")


def grown(name: str, size: int) -> Callable[[Path], None]:
    def put(state: Path) -> None:
        with (state / name).open("ab") as file:
            file.truncate(size)
    return put


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def instead(name: str, make: Callable[[Path], None]) -> Callable[[Path], None]:
    def put(state: Path) -> None:
        remove(state / name)
        make(state / name)
    return put


def folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("x", encoding="utf-8")


def crowded(state: Path) -> None:
    for number in range(50_000):
        (state / f"passd.db.unreadable-{number}-with-a-name-of-some-length").touch()


def copies(state: Path) -> None:
    """Endless stores under the names of stores that were set aside."""
    store = state / "planted"
    shutil.copy(state / "passd.db", store)
    columns = ", ".join(f"'{column}' || i AS {column}" for column in COLUMNS["tombstone"])
    with closing(sqlite3.connect(store, isolation_level=None)) as database:
        database.execute("DROP TABLE tombstone")
        database.execute("CREATE VIEW tombstone AS " + ENDLESS.format(columns="0 AS rowid, " + columns))
    for number in range(40):
        os.link(store, state / f"passd.db.unreadable-2020010{number % 10}T0000{number:02}Z")
    for name in ("passd.db.replacement", "passd.db.returning"):
        shutil.copy(store, state / name)
    store.unlink()


def plants() -> Iterator[Plant]:
    for table in COLUMNS:
        yield Plant(f"a view for {table}", view(table))
    yield Plant("a virtual table", script(
        "DROP TABLE selection", "CREATE VIRTUAL TABLE selection USING fts5(requestor, can_authenticate, provider)"))
    yield Plant("a trigger", script(
        "CREATE TRIGGER loop AFTER INSERT ON about BEGIN DELETE FROM profile; END"), may_lose=False)
    yield Plant("an index with an expression", script(
        "CREATE INDEX slow ON profile(hex(requestor))"), may_lose=False)
    yield Plant("an index with a condition", script(
        "CREATE INDEX part ON profile(app) WHERE app > 'a'"), may_lose=False)
    yield Plant("a generated column", script(
        "DROP TABLE tombstone",
        f"CREATE TABLE tombstone ({', '.join(f'{column} TEXT NOT NULL' for column in COLUMNS['tombstone'][:-1])}, "
        "provider TEXT AS (hex(zeroblob(1000000))))",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO tombstone "
        "SELECT i, i, i, i, i FROM n"), may_lose=False)
    yield Plant("a check that takes long", script(
        "DROP TABLE tombstone",
        f"CREATE TABLE tombstone ({', '.join(f'{column} TEXT' for column in COLUMNS['tombstone'])}, "
        "CHECK (length(hex(zeroblob(1000000))) > 0))",
        "INSERT INTO tombstone VALUES ('a', 's', 'o', 'v2', 'r', 'p')"), may_lose=False)
    yield Plant("100000 tombstones", rows("tombstone", 100_000), may_lose=False)
    yield Plant("a million tombstones", rows("tombstone", 1_000_000))
    yield Plant("100000 choices", rows("selection", 100_000), may_lose=False)
    yield Plant("100000 logins", rows("profile", 100_000))
    yield Plant("rows of ten megabytes", rows("profile", 20, 10_000_000))
    yield Plant("many rows of a megabyte", rows("profile", 400, 1_000_000))
    yield Plant("300000 views", many_tables)
    yield Plant("a store of 100 GB", grown("passd.db", 100_000_000_000))
    yield Plant("a log of 100 GB", grown("passd.db-wal", 100_000_000_000))
    yield Plant("a journal of 100 GB", grown("passd.db-journal", 100_000_000_000), must_tell=False)
    yield Plant("a mark of 100 GB", grown("passd.db.mark", 100_000_000_000), may_lose=False, must_tell=False)
    yield Plant("a key of 100 GB", grown("passd.key", 100_000_000_000))
    yield Plant("copies without an end", copies, must_tell=False)
    yield Plant("50000 files", crowded, may_lose=False, must_tell=False)
    makers: dict[str, Callable[[Path], None]] = {
        "a pipe": os.mkfifo, "a folder": folder,
        "a link to a device": lambda path: path.symlink_to("/dev/zero"),
        "a link to itself": lambda path: path.symlink_to(path.name),
        "a link to nothing": lambda path: path.symlink_to("nothing/at/all"),
    }
    for what, make in makers.items():
        for name in NAMES:
            yield Plant(f"{what} for {name}", instead(name, make), must_tell=False)
