"""Backups: one moment of a store written to a file while play goes on, and put back.

The file does not depend on the database: what came from SQLite can be restored into PostgreSQL and
the other way round. Keys are never in it: whoever has both can open every sealed deck.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from croupier.law.refused import Refused
from croupier.ledger.archive import Archive, ArchiveWriter, Row
from croupier.ledger.catalogue import Schema, expected
from croupier.ledger.entry import stamp
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.outside import DISK, Clock, make_private, sync, utc
from croupier.ledger.reading import OneView
from croupier.ledger.schema import IN_SQLITE, MIGRATIONS, VERSIONS, Dialect
from croupier.ledger.sqlite import PAGE_SIZE

KEYS_FORMAT = "croupier keys"
AT_ONCE = 1_000  # rows inserted at a time
BEHIND_A_FILE = ("-wal", "-shm", "-journal")  # what SQLite would apply to the restored file


LEDGER = Schema("migrations", VERSIONS, MIGRATIONS)


class KeyFiles(Struct, frozen=True):
    """The files of a folder of keys, by their names."""

    format: str
    version: int
    files: dict[str, str]


# --- backing up -----------------------------------------------------------------------------


def backup(
    view: OneView,
    schemas: Sequence[Schema],
    out: Path,
    *,
    without: Sequence[str] = (),
    clock: Clock = utc,
) -> dict[str, int]:
    """Write every table of one view to a new file; the rows of each. ``without`` names tables that
    are of no use in a restored copy."""
    versions = {each.versions: found for each in schemas if (found := _version(view, each))}
    known = tables_of(schemas, versions)
    writer = ArchiveWriter(out)
    try:
        writer.header(stamp(clock()), versions)
        for name, columns in known.items():
            if name not in without:
                chosen = ", ".join(columns)
                writer.table(name, columns, view.stream(f"SELECT {chosen} FROM {name}"))
        return writer.finish()
    finally:
        writer.discard()


def _version(view: OneView, schema: Schema) -> int:
    """How far the tables of this group have come; 0 where they are not there."""
    if not view.has_table(schema.versions):
        return 0
    ((found,),) = view.stream(f"SELECT coalesce(max(version), 0) FROM {schema.versions}")
    return int(found)


def tables_of(schemas: Sequence[Schema], versions: dict[str, int]) -> dict[str, list[str]]:
    """The tables of these versions with their columns. Refuses what is newer than we are, or not
    known."""
    for each in schemas:
        if versions.get(each.versions, 0) > len(each.migrations):
            raise Refused("The backup was made by a newer Croupier: install that one first.")
    if LEDGER.versions not in versions or {*versions} - {each.versions for each in schemas}:
        raise Refused("The backup holds tables that this Croupier does not know.")
    others = [
        (each, versions[each.versions])
        for each in schemas
        if each.versions in versions and each.versions != LEDGER.versions
    ]
    found = expected(versions[LEDGER.versions], *others).tables
    return {name: list(table.columns) for name, table in found.items()}


def backup_keys(folder: Path, out: Path) -> int:
    """Write the keys to a file of their own; how many."""
    try:
        files = {
            name: DISK.read(folder / name).decode()
            for name in DISK.names(folder)
            if name.endswith((".key", ".pub"))
        }
        if not files:
            raise Refused(f"There are no keys in {folder}.")
        DISK.create(out, msgspec.json.encode(KeyFiles(KEYS_FORMAT, 1, files)))
    except FileExistsError:
        raise Refused(f"{out} is there already, and is not overwritten.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"The keys cannot be written to {out}: {error}.") from None
    return len(files)


def read_keys(path: Path) -> dict[str, str]:
    try:
        read = msgspec.json.decode(path.read_bytes(), type=KeyFiles)
    except (OSError, msgspec.MsgspecError):
        raise Refused(f"{path} holds no keys, or cannot be read.") from None
    if read.format != KEYS_FORMAT or any(Path(name).name != name for name in read.files):
        raise Refused(f"{path} holds no keys.")
    return read.files


def restore_keys(files: dict[str, str], folder: Path) -> None:
    """Put them into a folder. A key that is there already must be the same."""
    try:
        DISK.folder(folder)
        there = DISK.names(folder)
        for name, text in files.items():
            if name not in there:
                DISK.create(folder / name, text.encode())
            elif DISK.read(folder / name) != text.encode():
                raise Refused(f"{folder / name} is there already and is another key.")
    except OSError as error:
        raise Refused(f"The keys cannot be written to {folder}: {error}.") from None


# --- restoring ------------------------------------------------------------------------------


class Target(Protocol):
    """An empty database, filled in one transaction: afterwards all is there, or nothing."""

    dialect: Dialect

    def execute(self, statement: str) -> None: ...

    def insert(self, table: str, columns: list[str], rows: list[Row]) -> None: ...

    def finish(self) -> None: ...

    def discard(self) -> None: ...


def target(where: str) -> Target:
    """Where a backup is to be restored to; refuses a place where something is already."""
    if not where.startswith(POSTGRES):
        return IntoSqlite(Path(where.removeprefix(SQLITE)))
    try:
        from croupier.ledger.backup_postgres import IntoPostgres
    except ImportError:
        raise Refused("PostgreSQL needs its driver: pip install 'croupier[postgres]'.") from None
    return IntoPostgres(where)


def restore(archive: Archive, into: Target, schemas: Sequence[Schema]) -> dict[str, int]:
    """Write a backup into an empty database; the rows of each table."""
    versions, restored = archive.header.versions, dict[str, int]()
    known = tables_of(schemas, versions)
    try:
        for schema in schemas:
            if schema.versions in versions:
                for statement in _making(schema, versions[schema.versions], into.dialect):
                    into.execute(statement)
        for section, found in groupby(archive.rows(), key=lambda each: each[0]):
            if known.get(section.table) != section.columns:
                raise Refused(f"The backup's table {section.table!r} is not one of ours.")
            rows = (row for _, row in found)
            restored[section.table] = 0
            while some := list(islice(rows, AT_ONCE)):
                into.insert(section.table, section.columns, some)
                restored[section.table] += len(some)
        into.finish()
    finally:
        into.discard()
    return restored


def _making(schema: Schema, version: int, dialect: Dialect) -> Iterator[str]:
    """What makes the tables of a version, empty. A step that moves or derives rows is left out:
    there are none yet."""
    words, ledgers = asdict(dialect), schema.versions == LEDGER.versions
    yield schema.create
    for number, statements in enumerate(schema.migrations[:version], 1):
        if ledgers and number in dialect.without:
            continue
        for each in statements:
            if each.split(maxsplit=1)[0] in ("CREATE", "ALTER", "DROP"):
                yield each.format(**words) if ledgers else each


class IntoSqlite:
    """Under another name until it is whole."""

    dialect = IN_SQLITE

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f".{path.name}.restoring")
        for there in (path, *(path.with_name(path.name + each) for each in BEHIND_A_FILE)):
            if there.exists():
                raise Refused(f"{there} is there already, and is not overwritten.")
        try:
            DISK.folder(path.parent)
            self.discard()
            make_private(self._part)
            self._database = sqlite3.connect(self._part, isolation_level=None)
            self._database.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            self._database.execute("PRAGMA synchronous = OFF")  # synced once, when it is whole
            self._database.execute("BEGIN")
        except (OSError, sqlite3.Error) as error:
            raise self._unwritten(error) from None

    def execute(self, statement: str) -> None:
        try:
            self._database.execute(statement)
        except sqlite3.Error as error:
            raise self._unwritten(error) from None

    def insert(self, table: str, columns: list[str], rows: list[Row]) -> None:
        places = ", ".join("?" for _ in columns)
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        try:
            self._database.executemany(statement, rows)
        except (sqlite3.Error, OverflowError) as error:
            raise self._unwritten(error) from None

    def finish(self) -> None:
        try:
            self._database.execute("COMMIT")
            self._database.close()
            sync(self._part)
            os.link(self._part, self.path)  # unlike a rename, it overwrites nothing
            self._part.unlink()
            sync(self.path.parent)
        except (OSError, sqlite3.Error) as error:
            raise self._unwritten(error) from None

    def discard(self) -> None:
        with suppress(AttributeError):  # it was not opened
            self._database.close()
        for ending in ("", *BEHIND_A_FILE):
            self._part.with_name(self._part.name + ending).unlink(missing_ok=True)

    def _unwritten(self, error: Exception) -> Refused:
        return Refused(f"{self.path} cannot be restored: {error}.")
