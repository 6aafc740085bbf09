"""The store in a PostgreSQL database, one connection to write and one to read.

A connection that broke is made anew for the next thing asked of it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from threading import Lock

import psycopg
from psycopg import Connection, Cursor

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Witness
from croupier.ledger.entry import Entry
from croupier.ledger.outside import Clock, utc
from croupier.ledger.schema import IN_POSTGRES, VERSIONS
from croupier.ledger.sql import REFUSED, UNFIT, Change, Row, Rows, SqlStore, behind, many
from croupier.ledger.store import Fenced, Unwritten

# Told with the commit: nobody hears of what is not on the disk. The payload is the last sequence
# and the table.
CHANNEL = "'croupier_ledger_' || md5(current_schema())"
ANNOUNCED = f"SELECT pg_notify({CHANNEL}, ?)"
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7265011)"  # while the schema is brought forward


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
        connection = psycopg.connect(self.dsn, autocommit=autocommit, connect_timeout=10)
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
                if self._writer.closed:
                    self._writer = self._connect()
                with self._writer.pipeline(), self._writer.transaction():
                    yield
            except psycopg.errors.IntegrityError:
                raise Fenced(f"Another process has written to {self._name}.") from None
            except psycopg.Error as error:
                self._writer.close()
                raise Unwritten(f"The database cannot be written: {said(error)}.") from None

    def _refused(self, ids: Sequence[Row]) -> Cursor[Row]:
        statement = ours(many(REFUSED, len(ids)))
        return self._writer.execute(statement, tuple(chain.from_iterable(ids)))

    def _rows(self, statement: str, values: Row) -> list[Row]:
        with self._reading:
            try:
                if self._reader.closed:
                    self._reader = self._connect(autocommit=True)
                return self._reader.execute(ours(statement), values).fetchall()
            except psycopg.Error as error:
                self._reader.close()
                raise Refused(f"The database cannot be read: {said(error)}.") from None

    def close(self) -> None:
        with self._reading, self._writing:
            self._reader.close()
            self._writer.close()


def ours(statement: str) -> bytes:
    """PostgreSQL's driver marks values otherwise."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


def said(error: psycopg.Error) -> str:
    """The driver's first line, without its full stop."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
