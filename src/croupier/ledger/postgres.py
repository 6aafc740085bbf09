"""The store in a PostgreSQL database, one connection to write and one to read.

A connection that broke is replaced before it is used again. A read that fails because the
connection broke is tried once more on a new one; a write is not, because it may have been kept.
"""

from __future__ import annotations

import logging
import select
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from threading import Lock

import psycopg
import psycopg.conninfo
from psycopg import Connection, Cursor

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Witness
from croupier.ledger.entry import Entry
from croupier.ledger.outside import Clock, utc
from croupier.ledger.schema import IN_POSTGRES, VERSIONS
from croupier.ledger.sql import REFUSED, UNFIT, Change, Row, Rows, SqlStore, behind, many
from croupier.ledger.store import Fenced, NotWritten, StoreTrouble, Unread, Unwritten

# Told with the commit: nobody hears of what is not on the disk. The payload is the last sequence
# and the table.
CHANNEL = "'croupier_ledger_' || md5(current_schema())"
ANNOUNCED = f"SELECT pg_notify({CHANNEL}, ?)"
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7265011)"  # while the schema is brought forward
TABLE_LOCKS = 7265013  # the kind of advisory lock by which a process of a room deals at a table
DEALING = f"""SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND classid = {TABLE_LOCKS} AND database =
    (SELECT oid FROM pg_database WHERE datname = current_database())"""
# A server that no longer answers, such as one whose machine lost power, is given up after a few
# seconds. A DSN may say otherwise.
PATIENCE: dict[str, int] = {
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
# SQLSTATE classes after which a commit may or may not have happened: the connection or the server
# went away, or the server says itself that it does not know.
UNDECIDED = ("08", "57P", "40003")


logging.getLogger("psycopg").setLevel(logging.ERROR)  # else it remarks on every fenced write


class PostgresStore(SqlStore):
    dialect = IN_POSTGRES

    def __init__(self, dsn: str, witness: Witness | None = None, *, clock: Clock = utc) -> None:
        super().__init__(witness)
        self.dsn = dsn
        self._writing, self._reading = Lock(), Lock()
        try:
            self._writer, self._reader = self._connect(), self._connect(autocommit=True)
            self._migrate(clock)
        except psycopg.errors.IntegrityError:
            raise Refused(f"The database {UNFIT}.") from None
        except psycopg.Error as error:
            raise Refused(f"The database cannot be opened: {said(error)}.") from None

    def _migrate(self, clock: Clock) -> None:
        try:
            with self._writer.transaction():
                self._writer.execute(ONE_AT_A_TIME)
                self._writer.execute(VERSIONS)
                versions = self._writer.execute("SELECT version FROM migrations").fetchall()
                where = self._name
                for statement, values in behind(versions, where, clock(), IN_POSTGRES, self._now):
                    self._execute(statement, [values])
        except BaseException:
            self.close()
            raise

    def _now(self, statement: str, values: Row) -> list[Row]:
        """What the transaction that writes sees."""
        return self._writer.execute(ours(statement), values).fetchall()

    @property
    def _name(self) -> str:
        return f"The database {self._writer.info.dbname}"

    def _connect(self, *, autocommit: bool = False) -> Connection[Row]:
        connection = connected(self.dsn, autocommit=autocommit)
        connection.execute("SET synchronous_commit = on")
        if not autocommit:
            connection.commit()
        return connection

    def _insert(self, written: list[Rows], entries: Sequence[Entry]) -> None:
        with self._transaction():
            ids = [(each.table, each.command_id) for each in entries if each.command]
            refused = self._refused(ids) if ids else None
            for statement, rows in written:
                self._execute(statement, rows)
            last = {each.table: each.sequence for each in entries}
            self._execute(ANNOUNCED, [(f"{sequence} {table}",) for table, sequence in last.items()])
            if refused and refused.fetchone():
                raise psycopg.errors.IntegrityError

    def _commit(self, changes: Sequence[Change]) -> None:
        with self._transaction():
            for statement, values in changes:
                self._execute(statement, [values])

    def _execute(self, statement: str, rows: Iterable[Row]) -> None:
        with self._writer.cursor() as cursor:
            cursor.executemany(ours(statement), rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._writing:
            try:
                if broken(self._writer):
                    self._writer.close()
                    self._writer = self._connect()
            except psycopg.Error as error:
                raise self._failed(NotWritten, error) from None
            try:
                with self._writer.pipeline(), self._writer.transaction():
                    yield
            except psycopg.errors.IntegrityError:
                raise Fenced(f"Another process has written to {self._name}.") from None
            except psycopg.Error as error:
                self._writer.close()
                kind = Unwritten if undecided(error) else NotWritten
                raise self._failed(kind, error) from None

    def _failed(self, kind: type[StoreTrouble], error: psycopg.Error) -> StoreTrouble:
        what = "read" if kind is Unread else "written"
        away = not isinstance(error, psycopg.DataError | psycopg.ProgrammingError)
        return self._troubled(kind(f"The database cannot be {what}: {said(error)}."), away=away)

    def _refused(self, ids: Sequence[Row]) -> Cursor[Row]:
        statement = ours(many(REFUSED, len(ids)))
        return self._writer.execute(statement, tuple(chain.from_iterable(ids)))

    def _rows(self, statement: str, values: Row) -> list[Row]:
        with self._reading:
            try:
                try:
                    return self._read(statement, values)
                except psycopg.OperationalError:
                    if not self._reader.closed:
                        raise
                    return self._read(statement, values)
            except psycopg.Error as error:
                self._reader.close()
                raise self._failed(Unread, error) from None

    def _read(self, statement: str, values: Row) -> list[Row]:
        if broken(self._reader):
            self._reader.close()
            self._reader = self._connect(autocommit=True)
        return self._reader.execute(ours(statement), values).fetchall()

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()


def connected(dsn: str, *, autocommit: bool = False) -> Connection[Row]:
    """A new connection that gives up on a server that does not answer."""
    known = psycopg.conninfo.conninfo_to_dict(dsn)
    patience = {name: value for name, value in PATIENCE.items() if name not in known}
    return psycopg.connect(psycopg.conninfo.make_conninfo(dsn, **patience), autocommit=autocommit)


def broken(connection: Connection[Row]) -> bool:
    """Whether an idle connection can no longer be used. A server that went away has left word in
    the socket; looking there first tells a dead connection from a write that failed half way."""
    if connection.closed or not hasattr(select, "poll"):  # Windows has none
        return connection.closed
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    try:
        while waiting.poll(0):  # a last message, then the end; or a notice and nothing more
            connection.pgconn.consume_input()
    except psycopg.Error:
        return True
    return False


def undecided(error: psycopg.Error) -> bool:
    """Whether a write that failed so may have been kept all the same."""
    return error.sqlstate is None or error.sqlstate.startswith(UNDECIDED)


def ours(statement: str) -> bytes:
    """PostgreSQL's driver marks values otherwise."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


def said(error: psycopg.Error) -> str:
    """The driver's first line, without its full stop."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
