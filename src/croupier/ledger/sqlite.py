"""The store in one SQLite file.

Its log is written ahead and synced at every commit (WAL, synchronous FULL), so that what was
acknowledged outlives the process and, where the disk keeps its word, the power. Reading has a
connection of its own and never waits for a sync.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Witness
from croupier.ledger.outside import Clock, utc
from croupier.ledger.schema import VERSIONS
from croupier.ledger.sql import REFUSED, Row, SqlStore, behind, many
from croupier.ledger.store import Fenced, Unwritten

MOST_ROWS = 128  # in one statement
PREPARED = 1_000  # statements kept: each number of rows has its own
# A conflict ends the whole transaction, so SQLite need not be able to take back one statement of
# it: that would have it copy every page beforehand.
INSERT = "INSERT OR ROLLBACK INTO"
ENTRIES = f"{INSERT} entries SELECT * FROM (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?))"
BUSY_SECONDS = 5  # how long a write waits for that of another process


class SqliteStore(SqlStore):
    """With a ``queue``, busy processes write in turn: SQLite by itself has them sleep and try."""

    def __init__(
        self,
        path: Path,
        witness: Witness | None = None,
        *,
        clock: Clock = utc,
        queue: bool = False,
    ) -> None:
        super().__init__(witness)
        self.path = path
        self._writing, self._reading = Lock(), Lock()
        self._queue = Queue(path.with_name(f"{path.name}.queue")) if queue else nullcontext()
        try:
            self._writer, self._reader = self._connect(), self._connect()
            self._migrate(clock)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Refused(f"{path} cannot be opened as a ledger: {error}.") from None

    def _migrate(self, clock: Clock) -> None:
        try:
            self._begin()
            self._writer.execute(VERSIONS)
            versions = self._writer.execute("SELECT version FROM migrations").fetchall()
            for statement, values in _as_said(behind(versions, str(self.path), clock())):
                self._writer.execute(statement, values)
            self._writer.execute("COMMIT")
        except BaseException:
            self.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=PREPARED,
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where a plain sync stops at the drive's cache
        return connection

    def _begin(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")

    def _commit(self, statements: list[tuple[str, list[Row]]], unless: Sequence[Row] = ()) -> None:
        """A statement by itself is a transaction, and spares us beginning and ending one."""
        said = _as_said(statements, unless)
        with self._writing, self._queue:
            try:
                if len(said) > 1:
                    self._begin()
                for statement, values in said:
                    done = self._writer.execute(statement, values)
                    if unless and not done.rowcount:
                        raise sqlite3.IntegrityError
                    unless = ()
                if len(said) > 1:
                    self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                if isinstance(error, sqlite3.IntegrityError):
                    raise Fenced(f"Another process has written to {self.path}.") from None
                raise Unwritten(f"{self.path} cannot be written: {error}.") from None

    def _undo(self) -> None:
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")

    def _rows(self, statement: str, values: Row) -> list[Row]:
        """On the writer's connection, which has the pages at hand, unless it is busy."""
        free = self._writing.acquire(blocking=False)
        lock, connection = (self._writing, self._writer) if free else (self._reading, self._reader)
        if not free:
            lock.acquire()
        try:
            return connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Refused(f"{self.path} cannot be read: {error}.") from None
        finally:
            lock.release()

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()
            if isinstance(self._queue, Queue):
                self._queue.close()


class Queue:
    """A file that one process holds at a time; it is let go when that ends, however it ends."""

    def __init__(self, path: Path) -> None:
        from fcntl import LOCK_EX, LOCK_UN, flock  # not every system has several processes

        file = self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._hold, self._let_go = partial(flock, file, LOCK_EX), partial(flock, file, LOCK_UN)

    def __enter__(self) -> None:
        self._hold()

    def __exit__(self, *error: object) -> None:
        self._let_go()

    def close(self) -> None:
        os.close(self._file)


def _as_said(
    statements: list[tuple[str, list[Row]]], unless: Sequence[Row] = ()
) -> list[tuple[str, Row]]:
    """Many rows to a statement: at each the driver lets other threads run, and is long in coming
    back from there. The first, which inserts entries, does nothing where one of these was refused
    before."""
    said: list[tuple[str, Row]] = []
    for statement, rows in statements:
        for start in range(0, len(rows), MOST_ROWS):
            part = rows if len(rows) <= MOST_ROWS else rows[start : start + MOST_ROWS]
            if unless:
                values = _flat(part) + _flat(unless)
                said.append((_unless_refused(len(part), len(unless)), values))
                unless = ()
            else:
                said.append((_ours(statement, len(part)), _flat(part)))
    return said


@cache
def _ours(statement: str, rows: int) -> str:
    statement = statement.replace("INSERT INTO", INSERT)
    return many(statement, rows) if rows > 1 else statement


@cache
def _unless_refused(rows: int, ids: int) -> str:
    refused = many(REFUSED, ids) if ids > 1 else REFUSED.replace("IN (VALUES (?, ?))", "= (?, ?)")
    return f"{many(ENTRIES, rows)} WHERE NOT EXISTS ({refused})"


def _flat(rows: Sequence[Row]) -> Row:
    return rows[0] if len(rows) == 1 else tuple(chain.from_iterable(rows))
