"""The store in one SQLite file.

Its log is written ahead and synced at every commit (WAL, synchronous FULL), so that what was
acknowledged outlives the process and, where the disk keeps its word, the power. Reading has a
connection of its own and never waits for a sync.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from threading import Lock

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Witness
from croupier.ledger.outside import Clock, utc
from croupier.ledger.schema import VERSIONS
from croupier.ledger.sql import REFUSED, Row, SqlStore, behind, many
from croupier.ledger.store import Fenced, Unwritten

MOST_ROWS = 64  # in one statement
BUSY_SECONDS = 5  # how long a write waits for that of another process


class SqliteStore(SqlStore):
    def __init__(self, path: Path, witness: Witness | None = None, *, clock: Clock = utc) -> None:
        super().__init__(witness)
        self.path = path
        self._writing, self._reading = Lock(), Lock()
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
            self._run(behind(versions, str(self.path), clock()))
            self._writer.execute("COMMIT")
        except BaseException:
            self.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where a plain sync stops at the drive's cache
        return connection

    def _begin(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")

    def _run(self, statements: list[tuple[str, list[Row]]]) -> None:
        """Many rows to a statement: at each the driver lets other threads run, and is long in
        coming back from there."""
        for statement, rows in statements:
            for start in range(0, len(rows), MOST_ROWS):
                self._with(statement, rows[start : start + MOST_ROWS])

    def _with(self, statement: str, rows: Sequence[Row]) -> sqlite3.Cursor:
        if len(rows) == 1:
            return self._writer.execute(statement, rows[0])
        return self._writer.execute(many(statement, len(rows)), tuple(chain.from_iterable(rows)))

    def _commit(self, statements: list[tuple[str, list[Row]]], unless: Sequence[Row] = ()) -> None:
        with self._writing:
            try:
                self._begin()
                if unless and self._with(REFUSED, unless).fetchone():
                    raise sqlite3.IntegrityError
                self._run(statements)
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
