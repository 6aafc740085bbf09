"""The store in one SQLite file.

Its log is written ahead and synced at every commit (WAL, synchronous FULL), so that what was
acknowledged outlives the process and, where the disk keeps its word, the power. Reading has a
connection of its own and never waits for a sync.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock

from msgspec import Struct
from msgspec.structs import astuple

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Witness
from croupier.ledger.entry import Entry
from croupier.ledger.outside import Clock, utc
from croupier.ledger.schema import VERSIONS
from croupier.ledger.sql import REFUSED, Change, Row, Rows, SqlStore, behind, many
from croupier.ledger.store import Fenced, Unwritten

MOST_ROWS = 128  # in one statement
PREPARED = 1_000  # statements kept: each number of rows has its own
# A conflict ends the whole transaction, so SQLite need not be able to take back one statement of
# it: that would have it copy every page beforehand.
INSERT = "INSERT OR ROLLBACK INTO"
FROM_VALUES = "SELECT * FROM (VALUES"
BEGIN = "BEGIN IMMEDIATE"
PAGE_SIZE = 2048  # of a new file; of every page a command touches, all is written and synced
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
        self._queue = Queue(path.with_name(f"{path.name}.queue"), self._writing) if queue else None
        self._turn = self._queue or self._writing
        try:
            self._writer, self._reader = self._connect(), self._connect()
            self._cursor = self._writer.cursor()  # one for all: to make one takes its time
            self._migrate(clock)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Refused(f"{path} cannot be opened as a ledger: {error}.") from None

    def _migrate(self, clock: Clock) -> None:
        try:
            self._writer.execute(BEGIN)
            self._writer.execute(VERSIONS)
            versions = self._writer.execute("SELECT version FROM migrations").fetchall()
            for statement, values in behind(versions, str(self.path), clock()):
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
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where a plain sync stops at the drive's cache
        return connection

    def _insert(self, written: list[Rows], entries: Sequence[Entry]) -> None:
        said: list[Change] = []
        for statement, things in written:
            if len(things) == 1:
                said.append((_inserting(statement, 1), astuple(things[0])))
            else:
                said += _in_parts(statement, things)
        if ids := [text for e in entries if e.command for text in (e.table, e.command_id)]:
            statement, values = said[0]
            said[0] = _unless_refused(statement, len(ids) // 2), (*values, *ids)
        self._commit(said, unless_refused=bool(ids))

    def _commit(self, changes: Sequence[Change], *, unless_refused: bool = False) -> None:
        """A statement by itself is a transaction, and spares us beginning and ending one."""
        execute, alone = self._cursor.execute, len(changes) == 1
        with self._turn:
            try:
                if not alone:
                    execute(BEGIN)
                for statement, values in changes:
                    done = execute(statement, values)
                    if unless_refused and not done.rowcount:
                        raise sqlite3.IntegrityError
                    unless_refused = False
                if not alone:
                    execute("COMMIT")
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
            if self._queue:
                self._queue.close()


class Queue:
    """A file that one process holds at a time; it is let go when that ends, however it ends. In a
    process it is one thread's that holds the lock."""

    def __init__(self, path: Path, lock: Lock) -> None:
        from fcntl import LOCK_EX, LOCK_UN, flock  # not every system has several processes

        self._lock = lock
        file = self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._hold, self._let_go = partial(flock, file, LOCK_EX), partial(flock, file, LOCK_UN)

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._hold()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            self._let_go()
        finally:
            self._lock.release()

    def close(self) -> None:
        os.close(self._file)


def _in_parts(statement: str, things: Sequence[Struct]) -> Iterator[Change]:
    """Many rows to a statement: at each the driver lets other threads run, and is long in coming
    back from there."""
    for start in range(0, len(things), MOST_ROWS):
        part = things[start : start + MOST_ROWS]
        yield _inserting(statement, len(part)), tuple(chain.from_iterable(map(astuple, part)))


@cache
def _inserting(statement: str, rows: int) -> str:
    statement = statement.replace("INSERT INTO", INSERT)
    return many(statement, rows) if rows > 1 else statement


@cache
def _unless_refused(statement: str, ids: int) -> str:
    """It does nothing where one of so many ids was refused."""
    refused = many(REFUSED, ids) if ids > 1 else REFUSED.replace("IN (VALUES (?, ?))", "= (?, ?)")
    return f"{statement.replace('VALUES', FROM_VALUES)}) WHERE NOT EXISTS ({refused})"
