"""The store in one SQLite file.

Its log is written ahead and synced at every commit (WAL, synchronous FULL), so that what was
acknowledged outlives the process and, where the disk keeps its word, the power. Reading has a
connection of its own and never waits for a sync.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock

from msgspec.structs import astuple

from croupier.law.refused import Refused
from croupier.ledger.accounts import AT_THE_CAGE
from croupier.ledger.checkpoint import Witness
from croupier.ledger.entry import Entry
from croupier.ledger.outside import Clock, make_private, open_private, utc
from croupier.ledger.schema import IN_SQLITE, VERSIONS
from croupier.ledger.sql import REFUSED, UNFIT, Change, Row, Rows, SqlStore, behind, many
from croupier.ledger.store import Batch, Fenced, NotWritten, Unread, Unwritten

MOST_ROWS = 128  # in one statement
PREPARED = 1_000  # statements kept: each number of rows has its own
# A conflict ends the whole transaction, so SQLite need not be able to take back one statement of
# it: that would have it copy every page beforehand.
INSERT = "INSERT OR ROLLBACK INTO"
FROM_VALUES = "SELECT * FROM (VALUES"
ORDINARY = f"""{INSERT} entries SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE NOT EXISTS (SELECT 1 FROM refusals WHERE table_id = ?1 AND command_id = ?5)"""
BEGIN = "BEGIN IMMEDIATE"
PAGE_SIZE = 2048  # of a new file; of every page a command touches, all is written and synced
BUSY_SECONDS = 5  # how long a write waits for that of another process
# Failures after which nothing of the transaction is there, now or after a crash: it never began to
# write, or no commit mark was written whole. After any other, such as a failed sync, nobody knows.
NOTHING_WRITTEN = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_IOERR_WRITE,
}
# Failures of the file or its disk, not of a statement or a row.
AWAY = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}
PRIMARY = 0xFF  # the bits of an error code that name its kind


class SqliteStore(SqlStore):
    """With a ``queue``, busy processes write in turn: SQLite by itself has them sleep and try."""

    dialect = IN_SQLITE

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
            make_private(path)  # SQLite gives its log and index the mode of the file
            self._writer, self._reader = self._connect(), self._connect()
            self._cursor = self._writer.cursor()  # one for all: to make one takes its time
            self._migrate(clock)
        except sqlite3.IntegrityError:
            raise Refused(f"{path} {UNFIT}.") from None
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Refused(f"{path} cannot be opened as a ledger: {error}.") from None
        except OSError as error:
            reason = error.strerror or error
            raise Refused(f"{path} cannot be opened as a ledger: {reason}.") from None

    def _migrate(self, clock: Clock) -> None:
        try:
            self._writer.execute(BEGIN)
            self._writer.execute(VERSIONS)
            versions = self._writer.execute("SELECT version FROM migrations").fetchall()
            where = str(self.path)
            for statement, values in behind(versions, where, clock(), IN_SQLITE, self._now):
                self._writer.execute(statement, values)
            self._writer.execute("COMMIT")
        except BaseException:
            self.close()
            raise

    def _now(self, statement: str, values: Row) -> list[Row]:
        """What the transaction that writes sees."""
        return self._writer.execute(statement, values).fetchall()

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

    def write(self, batches: Sequence[Batch]) -> None:
        """Nearly always an entry and nothing else, which is said at once: every command waits for
        this, and after a sync whatever is run is slow."""
        entry = batches[0].only_entry() if len(batches) == 1 else None
        if entry is None or not entry.command or AT_THE_CAGE in entry.moved:
            super().write(batches)
            return
        with self._turn:
            try:
                if not self._cursor.execute(ORDINARY, astuple(entry)).rowcount:
                    raise sqlite3.IntegrityError
            except sqlite3.Error as error:
                raise self._failed(error) from None

    def _insert(self, written: list[Rows], entries: Sequence[Entry]) -> None:
        said = [change for statement, rows in written for change in _in_parts(statement, rows)]
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
                raise self._failed(error) from None

    def _failed(self, error: sqlite3.Error) -> Refused:
        """Roll back; the exception that says what is known of the write."""
        if self._writer.in_transaction:
            with suppress(sqlite3.Error):  # SQLite rolls back by itself where this cannot
                self._writer.execute("ROLLBACK")
        if isinstance(error, sqlite3.IntegrityError):
            return Fenced(f"Another process has written to {self.path}.")
        code = _code(error)
        nothing = code in NOTHING_WRITTEN or code & PRIMARY in NOTHING_WRITTEN
        kind = NotWritten if nothing else Unwritten
        return self._troubled(kind(f"{self.path} cannot be written: {error}."), away=_away(error))

    def _rows(self, statement: str, values: Row) -> list[Row]:
        """On the writer's connection, which has the pages at hand, unless it is busy."""
        free = self._writing.acquire(blocking=False)
        lock, connection = (self._writing, self._writer) if free else (self._reading, self._reader)
        if not free:
            lock.acquire()
        try:
            return connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            unread = Unread(f"{self.path} cannot be read: {error}.")
            raise self._troubled(unread, away=_away(error)) from None
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
        file = self._file = open_private(path, os.O_RDWR | os.O_CREAT)
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


def _code(error: Exception) -> int:
    """SQLite's own, in full; 0 where the error is not SQLite's."""
    return getattr(error, "sqlite_errorcode", 0)


def _away(error: Exception) -> bool:
    return _code(error) & PRIMARY in AWAY


def _in_parts(statement: str, rows: list[Row]) -> Iterator[Change]:
    """Many rows to a statement: at each the driver lets other threads run, and is long in coming
    back from there."""
    for start in range(0, len(rows), MOST_ROWS):
        part = rows[start : start + MOST_ROWS]
        yield _inserting(statement, len(part)), tuple(chain.from_iterable(part))


@cache
def _inserting(statement: str, rows: int) -> str:
    statement = statement.replace("INSERT INTO", INSERT)
    return many(statement, rows) if rows > 1 else statement


@cache
def _unless_refused(statement: str, ids: int) -> str:
    """It does nothing where one of so many ids was refused."""
    refused = many(REFUSED, ids) if ids > 1 else REFUSED.replace("IN (VALUES (?, ?))", "= (?, ?)")
    return f"{statement.replace('VALUES', FROM_VALUES)}) WHERE NOT EXISTS ({refused})"
