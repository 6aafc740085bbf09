"""A backup restored into PostgreSQL: one transaction in an empty schema."""

from __future__ import annotations

import psycopg
from psycopg import sql

from croupier.law.refused import Refused
from croupier.ledger.archive import Row
from croupier.ledger.postgres import ONE_AT_A_TIME, connected, said
from croupier.ledger.schema import IN_POSTGRES

SOMETHING_THERE = """SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') LIMIT 1"""


class IntoPostgres:
    dialect = IN_POSTGRES

    def __init__(self, dsn: str) -> None:
        try:
            self._database = connected(dsn)
            self._database.execute(ONE_AT_A_TIME)
            there = self._database.execute(SOMETHING_THERE).fetchone()
        except psycopg.Error as error:
            raise self._unwritten(error) from None
        if there:
            self.discard()
            raise Refused(
                f"The database holds a table {there[0]!r} already, and nothing is overwritten: "
                "restore into an empty schema."
            )

    def execute(self, statement: str) -> None:
        try:
            self._database.execute(statement.encode())
        except psycopg.Error as error:
            raise self._unwritten(error) from None

    def insert(self, table: str, columns: list[str], rows: list[Row]) -> None:
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
        try:
            with self._database.cursor() as cursor, cursor.copy(statement) as copy:
                for row in rows:
                    copy.write_row(row)
        except psycopg.Error as error:
            raise self._unwritten(error) from None

    def finish(self) -> None:
        try:
            self._database.commit()
        except psycopg.Error as error:
            raise self._unwritten(error) from None

    def discard(self) -> None:
        """What was not committed is gone."""
        self._database.close()

    def _unwritten(self, error: psycopg.Error) -> Refused:
        return Refused(f"The database cannot be restored: {said(error)}.")
