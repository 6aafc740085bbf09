"""The objects of a store's database as they should be, and as they are.

What should be there is found by running the migrations in an empty SQLite database, so that it is
written down in one place only. A PostgreSQL database is compared by columns, keys and indexes,
because it writes definitions in its own words.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from croupier.ledger.schema import (
    CHAIN_REFUSALS,
    IN_POSTGRES,
    IN_SQLITE,
    MIGRATIONS,
    VERSIONS,
)
from croupier.ledger.sql import SqlStore

Row = tuple[Any, ...]
Look = Callable[[str], list[Row]]
# SQLite keeps its own statistics and sequences in tables of these names.
OF_SQLITE = ("sqlite_stat1", "sqlite_stat4", "sqlite_sequence")
PG_WORDS = re.compile(r"using btree|::text|[\s()\"]")


class Schema(Struct, frozen=True):
    """Tables that a part of the program keeps beside the ledger's, with versions of their own."""

    versions: str  # the name of the table of versions
    create: str  # the statement that makes it
    migrations: tuple[tuple[str, ...], ...]


class Table(Struct):
    columns: dict[str, str]  # with their types; " NOT NULL" where it is not of the key
    key: tuple[str, ...]
    checks: int  # how many conditions its rows must meet
    text: str = ""  # the whole statement, where the database keeps it
    hidden: bool = False  # whether a policy may hide rows


class Catalogue(Struct):
    tables: dict[str, Table] = field(default_factory=dict)
    indexes: dict[str, tuple[str, str]] = field(default_factory=dict)  # the table, the definition
    views: dict[str, str] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)  # on which table; also rules


@lru_cache(maxsize=64)
def expected(version: int, *others: tuple[Schema, int]) -> Catalogue:
    """As a store of this version must be, with other parts' tables of theirs. Only to be read."""
    words = asdict(IN_SQLITE)
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.execute(VERSIONS)
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                if statement is not CHAIN_REFUSALS:
                    empty.execute(statement.format(**words))
        for schema, done in others:
            empty.execute(schema.create)
            for statements in schema.migrations[:done]:
                for statement in statements:
                    empty.execute(statement)
        return in_sqlite(lambda statement: empty.execute(statement).fetchall())


def catalogue_of(store: SqlStore) -> Catalogue:
    return (in_postgres if store.dialect is IN_POSTGRES else in_sqlite)(store.look)


# --- what is there ----------------------------------------------------------------------------


def in_sqlite(look: Look) -> Catalogue:
    found = Catalogue()
    for kind, name, of, text in look("SELECT type, name, tbl_name, sql FROM sqlite_schema"):
        match kind:
            case "table" if name not in OF_SQLITE:
                found.tables[name] = _sqlite_table(look, name, text)
            case "index" if text is not None:  # the others come with their tables
                found.indexes[name] = (of, _index(text))
            case "view":
                found.views[name] = _plain(text)
            case "trigger":
                found.triggers[name] = of
    return found


def _sqlite_table(look: Look, name: str, text: str) -> Table:
    columns: dict[str, str] = {}
    key: dict[int, str] = {}
    quoted = str(name).replace("'", "''")
    statement = f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{quoted}')"
    for column, kind, required, place in look(statement):
        columns[column] = _column(kind, bool(required) and not place)
        if place:
            key[place] = column
    return Table(
        columns,
        tuple(key[place] for place in sorted(key)),
        _plain(text).count("check("),
        text=_plain(text),
    )


IN_SCHEMA = "relnamespace = current_schema()::regnamespace"


def in_postgres(look: Look) -> Catalogue:
    found = Catalogue()
    kinds = look(f"SELECT relname, relkind::text, relrowsecurity FROM pg_class WHERE {IN_SCHEMA}")
    for name, kind, hidden in kinds:
        if kind in ("r", "p"):
            found.tables[name] = Table({}, (), 0, hidden=hidden)
        elif kind in ("v", "m"):
            found.views[name] = ""
    _postgres_columns(look, found)
    _postgres_constraints(look, found)
    for name, of, text in look(
        "SELECT indexname, tablename, indexdef FROM pg_indexes "
        "WHERE schemaname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_constraint "
        "JOIN pg_class ON pg_class.oid = conindid WHERE relname = indexname "
        f"AND {IN_SCHEMA})"
    ):
        found.indexes[name] = (of, _index(text))
    for name, of in look(
        "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        f"WHERE NOT tgisinternal AND {IN_SCHEMA}"
    ):
        found.triggers[name] = of
    for name, of in look(
        "SELECT rulename, tablename FROM pg_rules WHERE schemaname = current_schema()"
    ):
        found.triggers[name] = of
    return found


def _postgres_columns(look: Look, found: Catalogue) -> None:
    for of, name, kind, nullable in look(
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
    ):
        if of in found.tables:
            found.tables[of].columns[name] = _column(kind, nullable == "NO")


def _postgres_constraints(look: Look, found: Catalogue) -> None:
    for of, kind, text in look(
        "SELECT relname, contype::text, pg_get_constraintdef(pg_constraint.oid) "
        "FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid "
        f"WHERE {IN_SCHEMA}"
    ):
        if of not in found.tables:
            continue
        table = found.tables[of]
        if kind == "c":
            table.checks += 1
        elif kind == "p":
            inside = text[text.index("(") + 1 : text.index(")")]
            table.key = tuple(each.strip().strip('"') for each in inside.split(","))
            for column in table.key:
                table.columns[column] = table.columns[column].removesuffix(" NOT NULL")


def _column(kind: str, required: bool) -> str:
    return kind.upper() + (" NOT NULL" if required else "")


def _plain(text: str | None) -> str:
    return re.sub(r"\s+|\"", "", text or "").lower()


def _index(text: str) -> str:
    """The same for both databases."""
    words = text.lower().replace("~~", "like").replace("if not exists", "")
    words = re.sub(r" on (only )?\S+\.(\S+)", r" on \2", words)  # without the schema's name
    return PG_WORDS.sub("", words)


# --- the difference ---------------------------------------------------------------------------


def differences(ours: Catalogue, found: Catalogue, version: int, *, foreign: bool) -> Iterator[str]:
    """Sentences about what is not as it should be. Further tables do no harm. With ``foreign``,
    further indexes may be there too: another part of the program, or an older version, made them.
    """
    for name, table in ours.tables.items():
        if name not in found.tables:
            yield f"The table {name} of the database is missing."
        else:
            yield from _table_differs(name, table, found.tables[name])
    for name, (of, text) in ours.indexes.items():
        if name not in found.indexes:
            yield f"The index {name} on {of} is missing: it was dropped."
        elif found.indexes[name] != (of, text):
            yield f"The index {name} on {of} is not the one that belongs there."
    for name, text in ours.views.items():
        if name not in found.views:
            yield f"The view {name} is missing."
        elif found.views[name] and found.views[name] != text:
            yield f"The view {name} shows something else than it should."
    for name, of in found.triggers.items():
        yield f"There is a trigger {name} on {of}, which does not belong there."
    for name in found.views.keys() - ours.views.keys():
        yield f"There is a view {name}, which does not belong there."
    if not foreign:
        yield from _added(ours, found, version)


def _table_differs(name: str, ours: Table, found: Table) -> Iterator[str]:
    if found.hidden:
        yield f"A policy of the database may hide rows of the table {name}."
    both = found.text and ours.text
    same = (ours.columns, ours.key, ours.checks) == (found.columns, found.key, found.checks)
    if not same or (both and found.text != ours.text):
        yield f"The table {name} is not declared as it should be."


def _added(ours: Catalogue, found: Catalogue, version: int) -> Iterator[str]:
    for name, (of, _) in found.indexes.items():
        if name not in ours.indexes and of in ours.tables:
            yield f"There is an index {name} on {of}, which version {version} does not have."


def gaps(name: str, versions: Sequence[object]) -> Iterator[str]:
    """A table of versions has every version up to the last."""
    known = sorted(each for each in versions if isinstance(each, int))
    if known != list(range(1, len(versions) + 1)):
        told = ", ".join(map(str, versions))
        yield f"The versions in {name} are {told}: one was changed, added or removed."
