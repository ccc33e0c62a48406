"""Small private file systems that can be full or read-only, without an effect on other programs."""
from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

from .attack import CannotRun


def keep_apart() -> None:
    """Creates a mount namespace for this process and its children."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x00020000) != 0:
        raise CannotRun(f"no mount namespace: {os.strerror(ctypes.get_errno())}")
    # Mounts made here must not be visible outside.
    _do("mounts cannot be kept apart", "mount", "--make-rprivate", "/")


def _do(trouble: str, *command: str) -> None:
    try:
        made = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotRun(f"{trouble}: there is no {command[0]}") from None
    if made.returncode:
        raise CannotRun(f"{trouble}: {(made.stderr or made.stdout).strip()[:300]}")


class Mount:
    """A file system in memory, without a disk."""

    kind = "tmpfs"

    def __init__(self, at: Path, *, inodes: int | None = None) -> None:
        self.at = at
        at.mkdir(mode=0o700, exist_ok=True)
        self.make(inodes)

    def make(self, inodes: int | None) -> None:
        options = "size=4m,mode=0700" + (f",nr_inodes={inodes}" if inodes else "")
        _do("no tmpfs", "mount", "-t", "tmpfs", "-o", options, "none", str(self.at))

    def remount(self, option: str) -> None:
        _do(f"{self.kind} cannot be remounted", "mount", "-o", f"remount,{option}", str(self.at))

    def end(self) -> None:
        subprocess.run(["umount", "-l", str(self.at)], check=False)


class Ext4(Mount):
    """A file system in a file, as on a disk: with a journal, late allocation of blocks, and metadata that use space."""

    kind = "ext4"

    def make(self, inodes: int | None) -> None:
        self.image = self.at.with_name(f"{self.at.name}.ext4")
        with self.image.open("wb") as file:
            file.truncate(16 << 20)
        # Root gets no reserved blocks.
        _do("no ext4", "mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-J", "size=4",
            *(["-N", str(inodes)] if inodes else []), str(self.image))
        self.mount()
        self.at.chmod(0o700)
        (self.at / "lost+found").rmdir()

    def mount(self) -> None:
        _do("no loop mount", "mount", "-o", "loop", str(self.image), str(self.at))

    def contents(self) -> bytes:
        """Everything that is on the disk. No program may use the file system meanwhile."""
        _do("a file system that nobody uses stays mounted", "umount", str(self.at))
        content = self.image.read_bytes()
        self.mount()
        return content

    def cut_power(self) -> None:
        """Keeps only the data that are in the image. No program may use the file system meanwhile."""
        left = self.image.read_bytes()
        # The kernel may have been writing to the file system.
        while (again := self.image.read_bytes()) != left:
            left = again
        _do("a file system that nobody uses stays mounted", "umount", str(self.at))
        self.image.write_bytes(left)
        self.mount()

    def again(self) -> None:
        """Checks the file system after an error, as a boot does, and mounts it again."""
        _do("a file system that nobody uses stays mounted", "umount", str(self.at))
        looked = subprocess.run(["e2fsck", "-p", str(self.image)], capture_output=True, text=True, check=False)
        if looked.returncode > 1:
            raise CannotRun(f"e2fsck: {looked.stdout[:300]}")
        self.mount()
