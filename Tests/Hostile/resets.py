#!/usr/bin/env python3
"""A box for its next owner. Its state directory is on ext4 in a file. The store has known values in every field, and a damaged
store was set aside. Then passd-setup resets the box. The image of the disk must not have the values that passd seals, neither
before nor after the reset, and the reset must overwrite all blocks of the old files, with the old salt and key. Nothing that
the box has after the reset may open the image of before."""
from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import hashlib
import hmac
import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from typing import Any

from lib import mounts
from lib.attack import REPOSITORY, Attack, CannotRun, run
from lib.box import Box, log_in, log_in_with_viewer
from lib.mounts import Ext4
from lib.rpc import Gone, Late, Refusal
from lib.sandbox import CABLE, PASSWORD, RESOURCE, Sandbox, catalogue

BLOCK = 4096
#: The values that the service reports about the viewer, and names that only the service and the store have.
VIEWER = {"householdID": "canary-household", "zip": "canary-postcode", "language": "canary-language"}
PROVIDER, TITLE = "Canary Television", "Canary at nine"
#: The rows that a sealed store must have, so that the search means something.
TABLES = ("device", "device_key", "registration", "selection", "profile", "open_login", "tombstone", "lapse")
#: An envelope has a version, the name of its key, a nonce, and the ciphertext with its tag.
NAME, NONCE, TAG = 8, 12, 16


def canaries() -> dict[str, Any]:
    names = catalogue()
    for provider in names["providers"]:
        if provider["id"] == CABLE:
            provider["name"] = PROVIDER
            provider["subscribers"][0]["metadata"] = VIEWER
    for integration in names["integrations"]:
        integration["metadata"] = [*VIEWER, "userID"]
    for requestor in names["programmers"][0]["serviceProviders"]:
        requestor["resources"][0]["title"] = TITLE
    return names


def derive(secret: bytes, salt: bytes, purpose: str, count: int) -> bytes:
    """HKDF-SHA256, for up to 32 bytes."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    return hmac.digest(key, purpose.encode() + b"\x01", "sha256")[:count]


def key_name(secret: bytes, salt: bytes) -> bytes:
    return derive(secret, salt, "passd vault: name of the key", NAME)


def unsealed(envelope: bytes, secret: bytes, salt: bytes) -> bytes:
    """Decrypts without a check of the tag: AES-GCM is AES-CTR that begins with block 2."""
    library = ctypes.CDLL(ctypes.util.find_library("crypto") or "libcrypto.so.3")
    for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_ctr"):
        getattr(library, name).restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())
    nonce = envelope[1 + NAME : 1 + NAME + NONCE]
    sealed = envelope[1 + NAME + NONCE : -TAG]
    output, count = ctypes.create_string_buffer(len(sealed) + 16), ctypes.c_int()
    library.EVP_DecryptInit_ex(context, ctypes.c_void_p(library.EVP_aes_256_ctr()), None,
                               derive(secret, salt, "passd vault: sealing 1", 32), nonce + b"\0\0\0\x02")
    library.EVP_DecryptUpdate(context, output, ctypes.byref(count), sealed, len(sealed))
    library.EVP_CIPHER_CTX_free(context)
    return output.raw[: count.value]


def texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value, without the names of its members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts(member)


class Image:
    """The disk at one time: its bytes, and the files of the state directory."""

    def __init__(self, attack: Attack, box: Box, disk: Ext4, name: str) -> None:
        self.files = {str(path.relative_to(box.state)): path.read_bytes()
                      for path in box.state.rglob("*") if path.is_file()}
        self.bytes = disk.contents()
        self._path = attack.folder / f"{box.folder.name}.{name}"
        self._path.write_bytes(self.bytes)

    def blocks(self, name: str) -> list[int]:
        made = subprocess.run(["debugfs", "-R", f"blocks /state/{name}", str(self._path)], capture_output=True, text=True,
                              check=False)
        return [int(each) for each in made.stdout.split()]

    def block(self, number: int) -> bytes:
        return self.bytes[number * BLOCK : (number + 1) * BLOCK]

    def secrets(self) -> set[bytes]:
        """Everything in the state directory that could be a key or a salt."""
        return {content for content in self.files.values() if 16 <= len(content) <= 64}


class Resets:
    def __init__(self, attack: Attack, sandbox: Sandbox) -> None:
        self.attack = attack
        self.sandbox = sandbox
        self.statement = sandbox.statement()

    @contextlib.contextmanager
    def box(self, name: str, protocol: str, credential: bytes | None = None) -> Iterator[tuple[Box, Ext4]]:
        box = Box(self.attack, name, self.sandbox.origin, self.statement, protocol=protocol,
                  more="[sign-on]\nplatform-identity = device-key\nlogout-scope = requestor\n")
        disk = Ext4(box.state)
        box.state = disk.at / "state"
        text = box.configuration.read_text(encoding="utf-8")
        box.configuration.write_text(text.replace(f"= {disk.at}\n", f"= {box.state}\n"), encoding="utf-8")
        if credential:
            (box.folder / "keys").mkdir(mode=0o700)
            (box.folder / "keys/passd.sealing-key").write_bytes(credential)
            box.environment["CREDENTIALS_DIRECTORY"] = str(box.folder / "keys")
        try:
            yield box, disk
        finally:
            disk.end()

    def fill(self, box: Box) -> str:
        """A row in each table. Returns the code that waits for the viewer."""
        self.fault()
        with box.running():
            for requestor in ("CH02", "CH04", "CH06"):
                with box.client() as client:
                    if not log_in_with_viewer(client, self.sandbox, requestor):
                        raise Gone(f"no login of {requestor}")
                    if not client.call("checkAuthorization", {"resource": RESOURCE})["authorized"]:
                        raise Gone(f"no play of {requestor}")
            with box.client() as client:
                log_in(client, "CH01")
            with box.client() as client:
                client.call("setRequestor", {"requestorID": "CH03"})
                client.call("getAuthentication")
                code: str = client.call("setSelectedProvider", {"providerID": CABLE})["code"]
                with box.client() as other:
                    other.call("setRequestor", {"requestorID": "CH06"})
                    self.fault(error="invalid_integration")
                    other.call("checkAuthorization", {"resource": f"{RESOURCE}-2"})
                with box.client() as other:
                    other.call("setRequestor", {"requestorID": "CH04"})
                    self.fault(status=503)
                    other.call("logout")
            return code

    def fault(self, **effect: Any) -> None:
        self.sandbox.control("faults", method="DELETE")
        if effect:
            self.sandbox.control("faults", {"faults": [{"match": "* /api/**", **effect}]})

    def damage(self, box: Box) -> None:
        """Sets a damaged store aside. The logins are saved."""
        store = box.state / "passd.db"
        content = bytearray(store.read_bytes())
        content[68] ^= 0x10
        store.write_bytes(content)
        with box.running():
            if "vault-damaged" not in box.look().warnings:
                raise Gone("the store is not damaged")

    def reset(self, box: Box, where: str) -> bool:
        ending = subprocess.run([REPOSITORY / "systemd/passd-setup", "reset", "--yes", f"--directory={box.state}"],
                                capture_output=True, text=True, check=False)
        left = sorted(str(path.relative_to(box.state)) for path in box.state.rglob("*"))
        if ending.returncode or ending.stderr or left != ["imported", "imported/forgotten"]:
            self.attack.broken("reset", f"{where}: {ending.returncode} {ending.stderr} {left}")
            return False
        self.attack.did("resets")
        return True

    def change_owner(self, protocol: str, credential: bytes | None) -> None:
        where = f"{protocol}, {'factory key' if credential else 'key file'}"
        with self.box(f"{protocol}-{'factory' if credential else 'file'}", protocol, credential) as (box, disk):
            code = self.fill(box)
            self.damage(box)
            before = Image(self.attack, box, disk, "before")
            secret, salt = credential or before.files["passd.key"], before.files["salt"]
            sealed, plain = self.values(box, secret, salt, code, where)
            if not self.reset(box, where):
                return
            after = Image(self.attack, box, disk, "after")
            self.fault()
            self.search(before, after, sealed, plain, salt, where)
            self.trim(box, disk, plain, where)
            with box.running() as daemon:
                self.stranger(box, f"{where}, after the reset")
                daemon.stop()
            now = Image(self.attack, box, disk, "now")
            self.opens(before, after, now, secret, salt, credential, where)
            self.restore(box, before, now, where)
            # With the old salt and key, the same copy opens.
            shutil.rmtree(box.state)
            self.put(box, before.files)
            with box.running():
                if ("CH02", CABLE) not in box.look().logins:
                    self.attack.broken("the copy does not open at all", f"{where}: {box.look().logins}")

    def values(
        self, box: Box, secret: bytes, salt: bytes, code: str, where: str,
    ) -> tuple[set[bytes], set[bytes]]:
        """The values that passd seals, and those that it does not seal."""
        folder = box.copy_state(box.folder / "copy")
        sealed = {code, PASSWORD, PROVIDER, TITLE, "PRIVATE KEY", *VIEWER.values()}
        found: set[str] = set()
        plain: set[str] = set()
        with contextlib.closing(sqlite3.connect(folder / "passd.db")) as store:
            for table in TABLES:
                rows = store.execute(f"SELECT * FROM {table}").fetchall()
                if not rows:
                    self.attack.broken("no row", f"{where}: {table}")
                for value in (value for row in rows for value in row):
                    if isinstance(value, str):
                        plain.add(value)
                    elif isinstance(value, bytes):
                        text = unsealed(value, secret, salt).decode("utf-8", "replace")
                        found.add(text)
                        with contextlib.suppress(ValueError):
                            found.update(texts(json.loads(text)))
        for each in (code, PROVIDER, *VIEWER.values()):
            if each not in found:
                self.attack.broken("not in the store", f"{where}: {each}")
        long = {each for each in found if len(each) >= 8 and not any(each in other for other in plain)}
        self.attack.did("sealed values", len(long | sealed))
        return {each.encode() for each in long | sealed}, {each.encode() for each in plain if len(each) >= 12}

    def search(
        self, before: Image, after: Image, sealed: set[bytes], plain: set[bytes], salt: bytes, where: str,
    ) -> None:
        for name, image in (("before", before), ("after", after)):
            for value in sealed:
                if value in image.bytes:
                    self.attack.broken("a sealed value is readable", f"{where}, {name} the reset: {value!r}")
        for value in plain:
            if value not in before.bytes:
                self.attack.broken("the search does not work", f"{where}: {value!r}")
        for name in ("salt", "passd.key"):
            if name in before.files and before.files[name] in after.bytes:
                self.attack.broken("not overwritten", f"{where}: {name}")
        for name in before.files:
            for number in before.blocks(name):
                self.attack.did("blocks")
                if before.block(number) == after.block(number):
                    self.attack.broken("not overwritten", f"{where}: {name}, block {number}")
        left = sum(value in after.bytes for value in plain)
        self.attack.figures[f"unsealed values in free blocks ({where})"] = f"{left} of {len(plain)}"

    def trim(self, box: Box, disk: Ext4, plain: set[bytes], where: str) -> None:
        """Blocks that were free before the reset have what earlier versions of files had. fstrim discards them."""
        if subprocess.run(["fstrim", str(disk.at)], capture_output=True, check=False).returncode:
            self.attack.note("this file system cannot discard blocks")
            return
        content = Image(self.attack, box, disk, "trimmed").bytes
        for value in plain:
            if value in content:
                self.attack.broken("not discarded", f"{where}: {value!r}")

    def opens(
        self, before: Image, after: Image, now: Image, secret: bytes, salt: bytes, credential: bytes | None, where: str,
    ) -> None:
        """Tries all files that the box has now, and the first bytes of all blocks of its disk, as key and as salt."""
        name = key_name(secret, salt)
        count = len(re.findall(re.escape(b"\x01" + name), before.bytes))
        if count < len(TABLES):
            self.attack.broken("the search does not work", f"{where}: {count} sealed values in the image")
        secrets = now.secrets() | ({credential} if credential else set())
        blocks = {image.block(number)[:32] for image in (after, now) for number in range(len(image.bytes) // BLOCK)}
        pairs = [(key, each) for key in secrets for each in blocks | secrets | {b""}]
        pairs += [(block, each) for block in blocks for each in secrets | {b""}]
        self.attack.did("keys", len(pairs))
        if any(key_name(*pair) == name for pair in pairs):
            self.attack.broken("the copy opens", where)

    def restore(self, box: Box, before: Image, now: Image, where: str) -> None:
        """Puts each store of before into the state directory of now."""
        kept = {name: content for name, content in now.files.items() if not name.startswith("passd.db")}
        stores = [name for name in before.files if re.fullmatch(r"passd\.db|passd\.db\.damaged-\w+", name)]
        if len(stores) != 2:
            self.attack.broken("the search does not work", f"{where}: {sorted(before.files)}")
        for store in stores:
            shutil.rmtree(box.state)
            log = {f"passd.db{end}": before.files[store + end] for end in ("", "-wal") if store + end in before.files}
            self.put(box, {**kept, **log})
            with box.running():
                self.stranger(box, f"{where}, with {store}")
                told = box.look().warnings
                if "vault-key-changed" not in told and "vault-damaged" not in told:
                    self.attack.broken("not reported", f"{where}, {store}: {sorted(told)}")
            self.attack.did("stores of before")

    def stranger(self, box: Box, where: str) -> None:
        if logins := box.look().logins:
            self.attack.broken("a login is left", f"{where}: {logins}")
        for requestor in ("CH01", "CH02", "CH03", "CH04", "CH06"):
            with box.client() as client:
                client.call("setRequestor", {"requestorID": requestor})
                if client.call("checkAuthentication")["authenticated"]:
                    self.attack.broken("signed in", f"{where}: {requestor}")

    def put(self, box: Box, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            path = box.state / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o600)

    def full_disk(self) -> None:
        with self.box("full", "v2") as (box, disk):
            with box.running(), box.client() as client:
                log_in(client, "CH01")
            with contextlib.suppress(OSError), (disk.at / "filler").open("wb", buffering=0) as filler:
                for size in (1 << 20, BLOCK):
                    with contextlib.suppress(OSError):
                        while True:
                            filler.write(bytes(size))
            if self.reset(box, "full disk"):
                (disk.at / "filler").unlink()
                with box.running():
                    self.stranger(box, "full disk")


def body(attack: Attack) -> None:
    mounts.keep_apart()
    if not shutil.which("debugfs"):
        raise CannotRun("there is no debugfs")
    sandbox = Sandbox(attack, catalog=canaries())
    try:
        resets = Resets(attack, sandbox)
        for protocol in ("v2", "v1"):
            for credential in (None, hashlib.sha256(b"factory").digest()):
                resets.change_owner(protocol, credential)
        resets.full_disk()
    except (Gone, Late, Refusal) as error:
        attack.broken("no answer", repr(error))
    finally:
        sandbox.close()


if __name__ == "__main__":
    run("resets", body, slice_seconds=60, full_seconds=120)
