"""The tables of a store, version by version. A store is brought forward when it is opened.

The statements are the same for SQLite and PostgreSQL, which both know these types; but versions
that are about how SQLite lays rows out change nothing in PostgreSQL.
"""

from __future__ import annotations

MOVEMENTS = """
    table_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    number BIGINT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    PRIMARY KEY (table_id, sequence, number)
"""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE entries (
            table_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            time TEXT NOT NULL,
            actor TEXT NOT NULL,
            command_id TEXT NOT NULL,
            command TEXT NOT NULL,
            event TEXT NOT NULL,
            previous TEXT NOT NULL,
            hash TEXT NOT NULL,
            PRIMARY KEY (table_id, sequence)
        )""",
        # A command acts once: only the first entry of what it brought about carries it.
        """CREATE UNIQUE INDEX commands ON entries (table_id, command_id)
            WHERE command <> ''""",
        f"CREATE TABLE movements ({MOVEMENTS})",
        """CREATE TABLE refusals (
            table_id TEXT NOT NULL,
            command_id TEXT NOT NULL,
            time TEXT NOT NULL,
            actor TEXT NOT NULL,
            command TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            code TEXT NOT NULL,
            sentence TEXT NOT NULL,
            clause TEXT NOT NULL,
            PRIMARY KEY (table_id, command_id)
        )""",
        """CREATE TABLE checkpoints (
            table_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            hash TEXT NOT NULL,
            time TEXT NOT NULL,
            signing_key TEXT NOT NULL,
            signature TEXT NOT NULL,
            PRIMARY KEY (table_id, sequence)
        )""",
        """CREATE TABLE snapshots (
            table_id TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            hash TEXT NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (table_id, sequence)
        )""",
    ),
    (
        # By id first: those of one moment begin alike and lie side by side, whatever their table,
        # so that many tables at once change few pages.
        "DROP INDEX commands",
        """CREATE UNIQUE INDEX commands ON entries (command_id, table_id)
            WHERE command <> ''""",
    ),
    (
        # The rows in their key's own order, not beside it: a command that moves money changes a
        # page less.
        "ALTER TABLE movements RENAME TO movements_before",
        f"CREATE TABLE movements ({MOVEMENTS}) WITHOUT ROWID",
        "INSERT INTO movements SELECT * FROM movements_before ORDER BY table_id, sequence, number",
        "DROP TABLE movements_before",
    ),
)
SQLITES_OWN = {3}  # versions that PostgreSQL has without doing anything
READABLE = 1  # the oldest version that can be looked at as it is

VERSIONS = (
    "CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, applied TEXT NOT NULL)"
)
