"""What the ledger takes from outside: time, entropy, memory and the disk.

Whoever runs it may hand in others, so that a simulator can drive the real code from one seed.
"""

from __future__ import annotations

import gc
import os
import secrets
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]  # so many bytes nobody could have guessed

ENTROPY: Entropy = secrets.token_bytes
utc: Clock = partial(datetime.now, UTC)
MINE_ONLY, MY_FOLDER = 0o600, 0o700
TAIL = 1 << 16  # bytes read at a time from the end of a file


def long_run() -> None:
    """From now on much is made and little kept. Nearly all of it is freed as soon as nobody has it,
    for tables and events know nothing of each other; so Python looks for circles seldom, and no
    more among what is loaded, for which everybody would wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def open_private(path: Path, flags: int) -> int:
    """A descriptor. A file that this call creates has mode 0600, whatever the umask; one that is
    there already keeps its mode."""
    if flags & os.O_CREAT:
        try:
            made = os.open(path, flags | os.O_EXCL, MINE_ONLY)
        except FileExistsError:
            if flags & os.O_EXCL:
                raise
        else:
            if os.name == "posix":  # a umask may have taken away even the owner's rights
                os.fchmod(made, MINE_ONLY)
            return made
    return os.open(path, flags, MINE_ONLY)


def make_private(path: Path) -> None:
    """Create an empty file of mode 0600 if there is none, for a library that opens it by name.

    The file is never opened here. To close any descriptor of a file drops all locks that this
    process has on it, and SQLite relies on its locks to know that others use the database.
    """
    if os.name != "posix":
        path.touch(MINE_ONLY)
        return
    try:
        os.mknod(path, stat.S_IFREG | MINE_ONLY)
    except FileExistsError:
        return
    path.chmod(MINE_ONLY)  # a umask may have taken away even the owner's rights


def private_folder(path: Path) -> None:
    """Create the folder with mode 0700, and its missing parents too: with a loose umask, anybody
    could otherwise replace it."""
    if path.is_dir():
        return
    if not path.parent.exists():
        private_folder(path.parent)
    path.mkdir(mode=MY_FOLDER, exist_ok=True)
    if os.name == "posix":
        path.chmod(MY_FOLDER)


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk. A file's name is in its folder, which must be
    synced too; not every system can."""
    if path.is_dir() and os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Disk:
    """Files as the ledger writes them: synced before anybody is told, and never overwritten."""

    def folder(self, path: Path) -> None:
        private_folder(path)

    def create(self, path: Path, data: bytes) -> None:
        """A new file, whole or not at all; one that is there already is an error."""
        part = path.with_name(f".{path.name}")
        part.unlink(missing_ok=True)
        self._write(part, data, os.O_EXCL)
        os.link(part, path)
        part.unlink()
        sync(path.parent)

    def append(self, path: Path, data: bytes) -> None:
        fresh = not path.exists()
        self._write(path, data, os.O_APPEND)
        if fresh:
            sync(path.parent)

    def read(self, path: Path) -> bytes:
        return path.read_bytes()

    def size(self, path: Path) -> int:
        return path.stat().st_size if path.exists() else 0

    def part(self, path: Path, start: int, length: int) -> bytes:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(length)

    def names(self, folder: Path) -> list[str]:
        return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []

    def _write(self, path: Path, data: bytes, how: int) -> None:
        descriptor = open_private(path, os.O_WRONLY | os.O_CREAT | how)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


DISK = Disk()
