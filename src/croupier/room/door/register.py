"""The room's own tables, in the database of the ledger: who comes, and what they may spend.

They are reached as the ledger reaches its own, over connections of their own, so that nobody who
logs in waits for a table. They have versions of their own too.
"""

from __future__ import annotations

from pathlib import Path

from croupier.law.refused import Refused
from croupier.ledger.catalogue import Schema
from croupier.ledger.entry import stamp
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.outside import Clock, utc
from croupier.ledger.sql import Change, Row, SqlStore
from croupier.ledger.sqlite import SqliteStore
from croupier.ledger.store import Fenced, Unwritten

VERSIONS = """CREATE TABLE IF NOT EXISTS people_migrations (
    version BIGINT PRIMARY KEY, applied TEXT NOT NULL)"""

AT_THE_CAGE = "moved LIKE '%\"cage\"%'"
BUT_HOW_MUCH = "rtrim(moved, '0123456789]')"

# Times are UTC as the ledger writes them; as text they sort.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE people (
            folded TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            password TEXT NOT NULL,
            came TEXT NOT NULL
        )""",
        "CREATE UNIQUE INDEX people_named ON people (name)",
        """CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            csrf TEXT NOT NULL,
            began TEXT NOT NULL,
            seen TEXT NOT NULL
        )""",
        "CREATE INDEX sessions_of ON sessions (name)",
        # A ticket is written when it is given out and once more when it is used: the key lets
        # nobody use it twice.
        """CREATE TABLE tickets (
            ticket TEXT NOT NULL,
            used BIGINT NOT NULL,
            session TEXT NOT NULL,
            until TEXT NOT NULL,
            PRIMARY KEY (ticket, used)
        )""",
        "CREATE TABLE failures (who TEXT NOT NULL, time TEXT NOT NULL)",
        "CREATE INDEX failures_of ON failures (who, time)",
        """CREATE TABLE grants (
            name TEXT NOT NULL,
            time TEXT NOT NULL,
            cents BIGINT NOT NULL CHECK (cents > 0)
        )""",
        "CREATE INDEX grants_of ON grants (name)",
    ),
    (
        # What the floor knows of a table and the ledger does not.
        """CREATE TABLE plans (
            table_id TEXT PRIMARY KEY,
            betting_seconds BIGINT NOT NULL,
            decision_seconds BIGINT NOT NULL,
            opened_by TEXT NOT NULL
        )""",
    ),
    (),  # indexes of movements, when these were a table of the ledger
    (
        # Of the ledger's entries the few that move money over a table's edge, by all but how much.
        # It was read before the ledger kept their sum in a row of its own.
        f"CREATE INDEX at_the_cage ON entries ({BUT_HOW_MUCH}) WHERE {AT_THE_CAGE}",
    ),
    (
        # An account is active, disabled or deleted. A deleted one keeps its name, because the
        # history is under it.
        "ALTER TABLE people ADD COLUMN guest BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE people ADD COLUMN state TEXT NOT NULL DEFAULT 'active'",
        "UPDATE people SET guest = 1 WHERE password = ''",
        # What accounts look like. Of accounts that were made before and look alike, one is here.
        "CREATE TABLE looks (skeleton TEXT PRIMARY KEY, name TEXT NOT NULL)",
        # What older tables hold is added to the administration chain once.
        "CREATE TABLE adopted (what TEXT PRIMARY KEY, time TEXT NOT NULL)",
        # A grant below zero: chips that went to another account.
        "ALTER TABLE grants RENAME TO grants_above_zero",
        """CREATE TABLE grants (
            name TEXT NOT NULL,
            time TEXT NOT NULL,
            cents BIGINT NOT NULL CHECK (cents <> 0)
        )""",
        "INSERT INTO grants SELECT name, time, cents FROM grants_above_zero",
        "DROP TABLE grants_above_zero",
        "CREATE INDEX grants_of ON grants (name)",
        # A count is written as a new row, so that the key lets two attempts never be one.
        "DROP TABLE failures",
        """CREATE TABLE attempts (
            who TEXT NOT NULL,
            failures BIGINT NOT NULL,
            last TEXT NOT NULL,
            PRIMARY KEY (who, failures)
        )""",
        "CREATE INDEX attempts_of ON attempts (last)",
        # Of named accounts: when they were last seen, and failed log-ins since the last good one.
        """CREATE TABLE visits (
            name TEXT PRIMARY KEY,
            seen TEXT NOT NULL,
            failed BIGINT NOT NULL
        )""",
        "ALTER TABLE sessions ADD COLUMN failed BIGINT NOT NULL DEFAULT 0",
        """CREATE TABLE devices (
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            seen TEXT NOT NULL,
            PRIMARY KEY (id, name)
        )""",
        "CREATE INDEX devices_of ON devices (name)",
        # One-time links, written as tickets are.
        """CREATE TABLE links (
            link TEXT NOT NULL,
            used BIGINT NOT NULL,
            name TEXT NOT NULL,
            until TEXT NOT NULL,
            PRIMARY KEY (link, used)
        )""",
        "CREATE INDEX links_of ON links (name)",
        # A transaction that inserts zero here is undone: see ``required``.
        "CREATE TABLE required (found BIGINT NOT NULL CHECK (found > 0))",
    ),
    (
        # Every id a table ever had, by what it looks like: no two tables look alike.
        """CREATE TABLE table_names (
            skeleton TEXT PRIMARY KEY,
            table_id TEXT NOT NULL
        )""",
    ),
    ("DROP INDEX IF EXISTS at_the_cage",),  # nothing reads it
)
SCHEMA = Schema("people_migrations", VERSIONS, MIGRATIONS)  # for an audit
# Processes that start together bring the tables forward one after the other: at worst, somebody
# else was first at every version, and at the table of versions.
TRIES = len(MIGRATIONS) + 2


def required(condition: str, *values: object) -> list[Change]:
    """Undo the transaction these stand in (Fenced) unless a row of ``condition`` exists. Changes of
    accounts are written one after the other, so what is found here cannot change meanwhile."""
    return [
        (f"INSERT INTO required SELECT count(*) FROM {condition}", values),
        ("DELETE FROM required", ()),
    ]


class Register(SqlStore):
    """A store with the room's tables in it."""

    def look(self, statement: str, *values: object) -> list[Row]:
        return self._rows(statement, values)

    def bring_forward(self, clock: Clock) -> None:
        for left in reversed(range(TRIES)):
            try:
                self.change((VERSIONS, ()))
                return self._migrate_people(clock)
            except (Fenced, Unwritten):  # another process is at it; what it did counts
                if not left:
                    raise
        return None

    def _migrate_people(self, clock: Clock) -> None:
        ((done,),) = self.look("SELECT coalesce(max(version), 0) FROM people_migrations")
        if done > len(MIGRATIONS):
            raise Refused(
                f"The room's tables were written by a newer Croupier: their version is {done}, "
                f"this one knows {len(MIGRATIONS)}."
            )
        for version, statements in enumerate(MIGRATIONS[done:], done + 1):
            # The version first: whoever comes second stops here.
            mark: Change = (
                "INSERT INTO people_migrations VALUES (?, ?)",
                (version, stamp(clock())),
            )
            self.change(mark, *((statement, ()) for statement in statements))


class SqliteRegister(Register, SqliteStore):
    pass


def open_register(where: str, *, clock: Clock = utc, queue: bool = False) -> Register:
    """Where the ledger lies: a path, ``sqlite:///path`` or ``postgresql://...``. With ``queue``,
    busy processes write to a SQLite file in turn."""
    register = (
        _postgres(where, clock)
        if where.startswith(POSTGRES)
        else SqliteRegister(Path(where.removeprefix(SQLITE)), clock=clock, queue=queue)
    )
    try:
        register.bring_forward(clock)
    except BaseException:
        register.close()
        raise
    return register


def _postgres(dsn: str, clock: Clock) -> Register:
    try:
        from croupier.ledger.postgres import PostgresStore
    except ImportError:
        raise Refused("PostgreSQL needs its driver: pip install 'croupier[postgres]'.") from None

    class PostgresRegister(Register, PostgresStore):
        def bring_forward(self, clock: Clock) -> None:
            """Then write over a new connection: after changes of the schema in a pipeline, the
            driver uses prepared statements that the server no longer has."""
            super().bring_forward(clock)
            self._writer.close()

    return PostgresRegister(dsn, clock=clock)
