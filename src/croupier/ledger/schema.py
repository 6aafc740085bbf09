"""The tables of a store, version by version. A store is brought forward when it is opened.

The statements are the same for SQLite and PostgreSQL but for a few words, which stand in braces.
"""

from __future__ import annotations

from msgspec import Struct


class Dialect(Struct, frozen=True):
    """The words of one database, and the versions that are nothing to it."""

    moved: str  # the movements of an entry, when they were rows, as they are written in it now
    each: str  # an entry's movements as rows: number, source, target, cents
    without: frozenset[int] = frozenset()


_SAME = "movements.table_id = entries.table_id AND movements.sequence = entries.sequence"
_OF_THE_ENTRY = f"FROM movements WHERE {_SAME}"
ASTRAY = f"FROM movements WHERE NOT EXISTS (SELECT 1 FROM entries WHERE {_SAME})"  # in rows

IN_SQLITE = Dialect(
    moved=f"""(SELECT '[' || group_concat(
        '[' || json_quote(source) || ',' || json_quote(target) || ',' || cents || ']'
    ) || ']' FROM (SELECT * {_OF_THE_ENTRY} ORDER BY number))""",
    each="""SELECT table_id, sequence, key + 1 AS number, json_extract(value, '$[0]') AS source,
        json_extract(value, '$[1]') AS target, json_extract(value, '$[2]') AS cents
        FROM entries, json_each(nullif(moved, ''))""",
)
IN_POSTGRES = Dialect(
    moved=f"""(SELECT '[' || string_agg(
        '[' || to_json(source)::text || ',' || to_json(target)::text || ',' || cents || ']',
        ',' ORDER BY number
    ) || ']' {_OF_THE_ENTRY})""",
    each="""SELECT table_id, sequence, number, one ->> 0 AS source, one ->> 1 AS target,
        (one ->> 2)::bigint AS cents
        FROM entries, jsonb_array_elements(nullif(moved, '')::jsonb)
        WITH ORDINALITY AS each (one, number)""",
    without=frozenset({3}),  # about how SQLite lays rows out
)


MOVEMENTS = """
    table_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    number BIGINT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    PRIMARY KEY (table_id, sequence, number)
"""

CHAIN_REFUSALS = "chain the refusals that are there"  # a step that no statement can do


def taken_in_all(dialect: Dialect) -> str:
    """By the movements, name by name: what went from the cage to the player, less what came back.
    It reads the entries and not the view, which anybody may have replaced."""
    return _TAKEN.replace("{each}", dialect.each)


_TAKEN = """SELECT name, sum(cents) FROM (
        SELECT CASE WHEN source = 'cage' THEN substr(target, 8) ELSE substr(source, 8) END AS name,
            CASE WHEN source = 'cage' THEN cents ELSE -cents END AS cents
        FROM ({each}) AS movements
        WHERE (source = 'cage' AND substr(target, 1, 7) = 'player:')
            OR (target = 'cage' AND substr(source, 1, 7) = 'player:')
    ) AS each_way GROUP BY name HAVING sum(cents) <> 0"""


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
    (
        # What an entry moves stands in it: most commands are then one row and one statement. A
        # movement whose entry is gone has nowhere to go: such a store stays as it is, and an audit
        # names it.
        "ALTER TABLE entries ADD COLUMN moved TEXT NOT NULL DEFAULT ''",
        f"UPDATE entries SET moved = {{moved}} WHERE EXISTS (SELECT 1 {_OF_THE_ENTRY})",
        f"INSERT INTO entries SELECT table_id, sequence, '', '', '', '', '', '', NULL, '' {ASTRAY}",
        "DROP TABLE movements",
        "CREATE VIEW movements AS {each}",
    ),
    (
        # What each player has taken to tables, kept up with every entry that changes it.
        "CREATE TABLE purses (name TEXT PRIMARY KEY, taken BIGINT NOT NULL)",
        f"INSERT INTO purses {_TAKEN}",
        # Refusals are chained at each table, and checkpoints sign the last one.
        "ALTER TABLE refusals ADD COLUMN number BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE refusals ADD COLUMN omitted BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE refusals ADD COLUMN previous TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE refusals ADD COLUMN hash TEXT NOT NULL DEFAULT ''",
        CHAIN_REFUSALS,
        "CREATE UNIQUE INDEX refusals_in_order ON refusals (table_id, number)",
        "ALTER TABLE checkpoints ADD COLUMN refusals BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE checkpoints ADD COLUMN refusal TEXT NOT NULL DEFAULT ''",
    ),
)
READABLE = 1  # the oldest version that can be looked at as it is
IN_ROWS = 3  # the last one whose movements are rows
REFUSALS_CHAINED = 5  # the first one that chains refusals and keeps purses

VERSIONS = (
    "CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, applied TEXT NOT NULL)"
)
