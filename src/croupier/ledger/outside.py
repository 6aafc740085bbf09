"""What the ledger takes from outside: time, entropy, memory and the disk.

Whoever runs it may hand in others, so that a simulator can drive the real code from one seed.
"""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]  # so many bytes nobody could have guessed

ENTROPY: Entropy = secrets.token_bytes
utc: Clock = partial(datetime.now, UTC)
MINE_ONLY = 0o600
TAIL = 1 << 16  # bytes read at a time from the end of a file


def long_run() -> None:
    """From now on much is made and little kept. Nearly all of it is freed as soon as nobody has it,
    for tables and events know nothing of each other; so Python looks for circles seldom, and no
    more among what is loaded, for which everybody would wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


class Disk:
    """Files as the ledger writes them: synced before anybody is told, and never overwritten."""

    def folder(self, path: Path) -> None:
        """A folder only its owner may look into."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def create(self, path: Path, data: bytes) -> None:
        """A new file, whole or not at all; one that is there already is an error."""
        part = path.with_name(f".{path.name}")
        part.unlink(missing_ok=True)
        self._write(part, data, os.O_EXCL)
        os.link(part, path)
        part.unlink()
        self._sync_folder(path.parent)

    def append(self, path: Path, data: bytes) -> None:
        fresh = not path.exists()
        self._write(path, data, os.O_APPEND)
        if fresh:
            self._sync_folder(path.parent)

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
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how, MINE_ONLY)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _sync_folder(self, folder: Path) -> None:
        """A file's name is in its folder, and must reach the disk too."""
        if os.name != "posix":
            return
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


DISK = Disk()
