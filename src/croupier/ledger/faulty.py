"""Things that fail when told to: disk, database, power and clock, for the simulator and the tests.

They stand around the real ones. What fails, and how, is asked of one gremlin before each
operation; once the power is off, every further operation is a crash.
"""

from __future__ import annotations

import errno
import os
import random
import sqlite3
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any

from croupier.ledger.checkpoint import Witness
from croupier.ledger.group import Group, Job
from croupier.ledger.outside import Clock, Disk
from croupier.ledger.sqlite import SqliteStore
from croupier.ledger.store import Batch, Store

SECTOR = 512  # bytes a disk writes whole or not at all
SHARED = "-shm"  # SQLite's memory between processes; it does not outlive them
BEGAN = datetime(2025, 3, 14, 20, 0, tzinfo=UTC)

Files = dict[str, bytes]


class Crash(BaseException):
    """The process is gone; nobody catches this by mistake."""


class Fault(StrEnum):
    ERROR = "error"  # nothing was done
    LATE = "error after the act"
    TORN = "half done, then an error"
    CRASH = "crash before the act"
    CRASH_LATE = "crash after the act"
    POWER = "power failed amid the act"


Choose = Callable[[str], Fault | None]  # asked before each operation


def nothing(operation: str) -> Fault | None:
    return None


class Gremlin:
    """``choose`` may be exchanged at any time."""

    def __init__(self, rng: random.Random, choose: Choose = nothing) -> None:
        self.rng = rng
        self.choose = choose
        self.dead = False
        self.wreck: Files | None = None  # what a power failure has left of the files

    @contextmanager
    def at(self, operation: str, error: Exception) -> Iterator[Fault | None]:
        """Around one operation, which does what the fault says where it is TORN or POWER."""
        if self.dead:
            raise Crash
        fault = self.choose(operation)
        if fault is Fault.ERROR:
            raise error
        if fault is Fault.CRASH:
            self.die()
        yield fault
        if fault in (Fault.LATE, Fault.TORN):
            raise error
        if fault in (Fault.CRASH_LATE, Fault.POWER):
            self.die()

    def die(self) -> None:
        self.dead = True
        raise Crash


# --- the disk -------------------------------------------------------------------------------


class FaultyDisk(Disk):
    def __init__(self, gremlin: Gremlin) -> None:
        self._gremlin = gremlin

    def _write(self, path: Path, data: bytes, how: int) -> None:
        rng = self._gremlin.rng
        operation = "append" if how & os.O_APPEND else "create"
        full = OSError(errno.ENOSPC, "No space left on device")
        with self._gremlin.at(operation, full) as fault:
            part = data[: rng.randrange(len(data))]
            if fault is Fault.POWER:  # a file may have its new length, and not yet its content
                super()._write(path, part + bytes(rng.choice((0, len(data) - len(part)))), how)
                self._gremlin.wreck = files(path.parent)
            else:
                super()._write(path, part if fault is Fault.TORN else data, how)


def files(folder: Path) -> Files:
    """Everything in a folder as a disk would have it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(SHARED)
    }


def put_back(folder: Path, left: Files) -> None:
    for name, data in left.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def wrecked(before: Files, after: Files, database: str, rng: random.Random) -> Files:
    """What a power failure amid a commit may leave, if syncs keep their word: any sectors of the
    log, or, when the commit went on to move the log into the database, any of the database."""
    moved = before[database] != after[database]
    name = database if moved else f"{database}-wal"
    return {**after, name: _torn(before.get(name, b""), after[name], rng, header=not moved)}


def _torn(before: bytes, after: bytes, rng: random.Random, *, header: bool) -> bytes:
    """Each sector old or new; the log's header is synced before what follows it."""
    share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
    if share == 1.0:
        return before
    shorter = rng.randint(min(len(before), len(after)), len(after))
    torn = bytearray(after[: rng.choice((shorter, len(after)))])
    for start in range(SECTOR if header else 0, len(torn), SECTOR):
        if rng.random() < share:
            old = before[start : start + SECTOR]
            size = min(SECTOR, len(torn) - start)
            torn[start : start + size] = old.ljust(size, b"\0")[:size]
    return bytes(torn)


# --- the database ---------------------------------------------------------------------------


class FaultyStore(SqliteStore):
    """The store in a real SQLite file, each of whose statements may fail."""

    def __init__(
        self, path: Path, witness: Witness | None, gremlin: Gremlin, *, clock: Clock
    ) -> None:
        self._gremlin = gremlin
        super().__init__(path, witness, clock=clock)

    def _connect(self) -> Any:
        return _Connection(super()._connect(), self.path, self._gremlin)


class _Connection:
    def __init__(self, real: sqlite3.Connection, path: Path, gremlin: Gremlin) -> None:
        self._real = real
        self._path = path
        self._gremlin = gremlin

    @property
    def in_transaction(self) -> bool:
        return self._real.in_transaction

    def cursor(self) -> _Connection:
        return self

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        """The first word is the operation; an insert that is a transaction by itself commits. A
        rollback is what the database does by itself."""
        operation = statement.split()[0].lower()
        if operation == "rollback":
            return self._real.execute(statement)
        if operation == "insert" and not self.in_transaction:
            operation = "commit"
        with self._gremlin.at(operation, _io_error()) as fault:
            if fault is Fault.POWER:
                return self._amid(statement, values)
            if fault is Fault.TORN:
                statement, values = _half(operation, statement, values)
            return self._real.execute(statement, values)

    def close(self) -> None:
        self._real.close()

    def _amid(self, statement: str, values: tuple[Any, ...]) -> Any:
        folder = self._path.parent
        before = files(folder)
        done = self._real.execute(statement, values)
        wreck = wrecked(before, files(folder), self._path.name, self._gremlin.rng)
        self._gremlin.wreck = wreck
        return done


def _half(operation: str, statement: str, values: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """An insert of many rows without its last; anything else is not begun."""
    start = statement.find("(?")
    row = statement[start : statement.find(")", start) + 1]
    rows, width = statement.count(row), row.count("?")
    if operation != "insert" or rows < 2:
        return "SELECT 1", ()
    left = values[: width * (rows - 1)] + values[width * rows :]
    return statement.replace(f", {row}", "", 1), left


def _io_error() -> sqlite3.Error:
    return sqlite3.OperationalError("disk I/O error")


# --- the writer and the clock ---------------------------------------------------------------


class Stepped(Group):
    """The group's writer without its thread: it commits when told to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: deque[Job] = deque()
        self._turns = defaultdict(list)
        self._busy = True  # nobody writes at once
        self._closed = False
        self._door = Lock()

    def write(self, batch: Batch) -> None:
        wrong: list[BaseException | None] = []
        self.submit(batch, wrong.append)
        self.sync()
        if error := wrong[0]:
            raise error

    def sync(self) -> None:
        """Commit what is waiting."""
        self._hand_over()
        self._commit()
        self._busy = True

    def close(self) -> None:
        self._closed = True
        self.sync()


class VirtualClock:
    """Time passes when somebody says so, backward too."""

    def __init__(self) -> None:
        self.now = BEGAN

    def __call__(self) -> datetime:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
