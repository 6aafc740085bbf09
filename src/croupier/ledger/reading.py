"""A ledger opened to be looked at: one moment of it, however long the looking takes.

Tables may go on meanwhile. Nothing is written: no schema, no key, no line.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint, Witness
from croupier.ledger.discrepancy import Discrepancy
from croupier.ledger.entry import Entry
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import POSTGRES, SQLITE, Ledger
from croupier.ledger.outside import Disk
from croupier.ledger.schema import (
    ASTRAY,
    IN_ROWS,
    IN_SQLITE,
    MIGRATIONS,
    READABLE,
    REFUSALS_CHAINED,
    Dialect,
)
from croupier.ledger.sql import PAGE, ROOM, Change, Row, Rows, SqlStore, version
from croupier.ledger.store import Remembered, Snapshot, Unwritten

DAMAGED = (sqlite3.Error, UnicodeError)  # even what SQLite says may quote unreadable bytes
VERSIONS = "SELECT version FROM migrations"
NAMES = " UNION ".join(
    f"SELECT table_id FROM {name}" for name in ("entries", "refusals", "checkpoints", "snapshots")
)
COLUMNS = "table_id, sequence, time, actor, command_id, command, event, previous, hash"
NAMES_IN_ROWS = f"{NAMES} UNION SELECT table_id FROM movements"


class Reading(Ledger):
    """A ledger whose store shows one view."""

    def __init__(self, view: OneView, keys: Keys, witness: Witness) -> None:
        super().__init__(view, keys, witness)
        self.view = view


def reading(where: str | Path, beside: Path | None = None) -> Reading:
    """Open a ledger that is there, and leave it as it is. ``where`` and ``beside`` are those of
    ``Ledger.at``."""
    dsn = str(where)
    in_postgres = dsn.startswith(POSTGRES)
    path = Path(dsn.removeprefix(SQLITE))
    base = beside or path
    if in_postgres and beside is None:
        raise Refused("A ledger in PostgreSQL needs to be told where its keys lie.")
    if not in_postgres and not path.is_file():
        raise Refused(f"There is no ledger at {path}.")
    try:
        witness = Earlier(base.with_name(f"{base.name}.checkpoints"))
        keys = Keys(base.with_name(f"{base.name}.keys"), disk=Untouched())
    except OSError as error:
        raise Refused(f"What lies beside the ledger cannot be read: {error}.") from None
    view = _postgres(dsn) if in_postgres else SqliteReading(path)
    return Reading(view, keys, witness)


@contextmanager
def legible() -> Iterator[None]:
    """Around whatever tells history without auditing it: one that was never lived may break
    anything."""
    try:
        yield
    except Refused:
        raise
    except Exception:
        sentence = "What the ledger says there cannot be read; an audit tells why."
        raise Refused(sentence, code="UNREADABLE") from None


class Untouched(Disk):
    """Files are read. What would be created stays in memory, so that keys which are not there
    open nothing and leave no trace."""

    def __init__(self) -> None:
        self._made: dict[Path, bytes] = {}

    def folder(self, path: Path) -> None:
        pass

    def create(self, path: Path, data: bytes) -> None:
        self._made[path] = data

    def read(self, path: Path) -> bytes:
        return self._made[path] if path in self._made else super().read(path)

    def names(self, folder: Path) -> list[str]:
        made = [path.name for path in self._made]
        return sorted({*super().names(folder), *made})


class Earlier(Witness):
    """It also knows what it said before the store was looked at: what a table at work has added
    since is about a later moment."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.earlier: tuple[Checkpoint, ...] = tuple(self.all())


class OneView(SqlStore):
    """What is read of a store in one transaction, row after row. It may be of an older version."""

    dialect: Dialect
    table_named: str  # a statement that finds a table of this name
    in_rows = False  # whether its movements are, as they were
    schema_version = len(MIGRATIONS)

    @abstractmethod
    def _stream(self, statement: str, values: Row = ()) -> Iterator[Row]: ...

    def _rows(self, statement: str, values: Row) -> list[Row]:
        return list(self._stream(statement, values))

    def stream(self, statement: str, *values: object) -> Iterator[Row]:
        """Row after row, of the one moment this view shows."""
        return self._stream(statement, values)

    def has_table(self, name: str) -> bool:
        return bool(self._rows(self.table_named, (name,)))

    def _insert(self, written: list[Rows], entries: Sequence[Entry]) -> None:
        raise Unwritten("This ledger was opened to be looked at.")

    def _commit(self, changes: Sequence[Change]) -> None:
        raise Unwritten("This ledger was opened to be looked at.")

    def _known(self, where: str) -> None:
        """See that this is a ledger, and one we know."""
        done = version(self._rows(VERSIONS, ()), where) if self.has_table("migrations") else 0
        if done < READABLE:
            raise Refused(f"{where} holds no ledger.")
        self.schema_version = done
        if done <= IN_ROWS:
            self.in_rows = True
            self._entries = f"SELECT {COLUMNS}, coalesce({self.dialect.moved}, '') FROM entries"

    def tables(self) -> list[str]:
        """Every name that is anywhere, also where the first entry is gone."""
        names = self._stream(NAMES_IN_ROWS if self.in_rows else NAMES)
        return sorted((row[0] for row in names if row[0] != ROOM), key=str)

    def astray(self) -> Iterator[Discrepancy]:
        """Movements whose entry is not there, where they are rows."""
        rows = self._stream(f"SELECT table_id, sequence {ASTRAY}") if self.in_rows else ()
        for table, sequence in rows:
            yield Discrepancy(table, sequence, "Money was moved by an entry that is not there.")

    def read(self, table: str, after: int = 0) -> Iterator[Entry]:
        return (Entry(*row) for row in self._of(self._entries, table, after))

    def checkpoints(self, table: str, after: int = 0) -> Iterator[Checkpoint]:
        rows = self._of("SELECT * FROM checkpoints", table, after)
        return (Checkpoint(*row) for row in rows)

    def snapshots(self, table: str) -> Iterator[Snapshot]:
        rows = self._of("SELECT * FROM snapshots", table, 0, "DESC")
        return (Snapshot(*row) for row in rows)

    def refusals(self, table: str) -> Iterator[Remembered]:
        order = "number" if self.schema_version >= REFUSALS_CHAINED else "time"
        rows = self._stream(f"SELECT * FROM refusals WHERE table_id = ? ORDER BY {order}", (table,))
        return (Remembered(*row) for row in rows)

    def _of(self, rows_of: str, table: str, after: int, order: str = "") -> Iterator[Row]:
        where = "WHERE table_id = ? AND sequence > ?"
        return self._stream(f"{rows_of} {where} ORDER BY sequence {order}", (table, after))

    def first(self, table: str, beginning: str) -> int:
        """The sequence of the first event whose text begins so; 0 where there is none."""
        ((found,),) = self._rows(
            "SELECT min(sequence) FROM entries WHERE table_id = ? AND event LIKE ?",
            (table, f"{beginning}%"),
        )
        return found or 0


class SqliteReading(OneView):
    dialect = IN_SQLITE
    table_named = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        try:
            self._connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None
            )
            self._connection.execute("BEGIN")
        except DAMAGED as error:
            raise self._unreadable(error) from None
        self._known(str(path))

    def _stream(self, statement: str, values: Row = ()) -> Iterator[Row]:
        try:
            cursor = self._connection.execute(statement, values)
            while rows := cursor.fetchmany(PAGE):
                yield from rows
        except DAMAGED as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> Refused:
        return Refused(f"{self.path} cannot be read: {error}.")

    def close(self) -> None:
        self._connection.close()

    def damage(self) -> list[str]:
        """What the database itself finds wrong with its pages and indexes."""
        said = [str(row[0]) for row in self._rows("PRAGMA integrity_check", ())]
        return [] if said == ["ok"] else said


def _postgres(dsn: str) -> OneView:
    try:
        from croupier.ledger.reading_postgres import PostgresReading
    except ImportError:
        raise Refused("PostgreSQL needs its driver: pip install 'croupier[postgres]'.") from None
    return PostgresReading(dsn)
