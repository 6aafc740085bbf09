"""One view of a ledger in PostgreSQL: a transaction that sees one moment and may only read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import psycopg
from psycopg import IsolationLevel

from croupier.law.refused import Refused
from croupier.ledger.postgres import connected, ours, said
from croupier.ledger.reading import OneView
from croupier.ledger.schema import IN_POSTGRES
from croupier.ledger.sql import PAGE, Row


class PostgresReading(OneView):
    dialect = IN_POSTGRES
    table_named = "SELECT 1 WHERE to_regclass(?::text) IS NOT NULL"

    def __init__(self, dsn: str) -> None:
        super().__init__()
        self._cursors = count(1)
        try:
            self._connection = connected(dsn)
        except psycopg.Error as error:
            raise Refused(f"The database cannot be opened: {said(error)}.") from None
        self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
        self._connection.read_only = True
        self._known(f"The database {self._connection.info.dbname}")

    def _stream(self, statement: str, values: Row = ()) -> Iterator[Row]:
        try:
            with self._connection.cursor(name=f"view_{next(self._cursors)}") as cursor:
                cursor.execute(ours(statement), values)
                while rows := cursor.fetchmany(PAGE):
                    yield from rows
        except psycopg.Error as error:
            raise Refused(f"The database cannot be read: {said(error)}.") from None

    def close(self) -> None:
        self._connection.close()
