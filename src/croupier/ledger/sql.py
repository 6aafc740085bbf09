"""What both stores say to their databases: the same statements, written once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, astuple

from croupier.law.refused import Refused
from croupier.ledger.accounts import AT_THE_CAGE, carried_away
from croupier.ledger.chain import RefusalHead
from croupier.ledger.checkpoint import Checkpoint, Witness
from croupier.ledger.discrepancy import ROOM as ROOM
from croupier.ledger.entry import Entry, stamp
from croupier.ledger.refusals import after
from croupier.ledger.schema import CHAIN_REFUSALS, MIGRATIONS, Dialect
from croupier.ledger.store import Batch, Remembered, Snapshot, StoreTrouble, Unwritten, together
from croupier.rules.money import Cents

Row = tuple[Any, ...]
Change = tuple[str, Row]  # a statement and its values
Rows = tuple[str, list[Row]]  # a statement that inserts, and what

Kind = TypeVar("Kind", bound=Struct)

PAGE = 1_000  # rows read at a time

# The columns of each table are the fields of its struct, in order.
ENTRIES = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
REFUSALS = "INSERT INTO refusals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
CHECKPOINTS = "INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
SNAPSHOTS = "INSERT INTO snapshots VALUES (?, ?, ?, ?)"
# The increment is made by the database, so that several processes can add to one purse.
PURSES = """INSERT INTO purses VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET taken = purses.taken + excluded.taken"""
TAKEN = "SELECT taken FROM purses WHERE name = ?"
REFUSED = "SELECT 1 FROM refusals WHERE (table_id, command_id) IN (VALUES (?, ?))"
LAST_REFUSAL = "SELECT number, hash FROM refusals WHERE table_id = ? ORDER BY number DESC LIMIT 1"
# Nearly always neither: a command is new.
FOUND = """SELECT
    (SELECT sequence FROM entries WHERE table_id = ? AND command_id = ? AND command <> ''),
    (SELECT 1 FROM refusals WHERE table_id = ? AND command_id = ?)"""


CHAINED = (
    "UPDATE refusals SET number = ?, previous = ?, hash = ? WHERE table_id = ? AND command_id = ?"
)
UNFIT = "cannot be brought forward: its rows do not fit together, and an audit says which"


class SqlStore(ABC):
    """A store on a database. The witness takes down every checkpoint once it is committed."""

    dialect: Dialect
    _entries = "SELECT * FROM entries"
    # Told, in any thread, that the database cannot be used; not of a statement it cannot run.
    on_trouble: Callable[[StoreTrouble], None] | None = None

    def __init__(self, witness: Witness | None = None) -> None:
        self.witness = witness

    @abstractmethod
    def _insert(self, written: list[Rows], entries: Sequence[Entry]) -> None:
        """All of it in one transaction that is on the disk afterwards; nothing (Fenced) where one
        of the commands the entries carry was refused before."""

    @abstractmethod
    def _commit(self, changes: Sequence[Change]) -> None:
        """The same with any statements, each with its values."""

    def change(self, *changes: Change) -> None:
        """All of them, on the disk when this returns; Fenced if a constraint forbids one."""
        self._commit(changes)

    @abstractmethod
    def _rows(self, statement: str, values: Row) -> list[Row]: ...

    def look(self, statement: str, *values: object) -> list[Row]:
        return self._rows(statement, values)

    @abstractmethod
    def close(self) -> None: ...

    # --- writing ----------------------------------------------------------------------------

    def write(self, batches: Sequence[Batch]) -> None:
        batch = batches[0] if len(batches) == 1 else together(batches)
        written: list[Rows] = []
        if batch.entries:
            written.append((ENTRIES, [astuple(each) for each in batch.entries]))
        if batch.refusals:
            written.append((REFUSALS, [astuple(each) for each in batch.refusals]))
        if batch.checkpoints:
            written.append((CHECKPOINTS, [astuple(each) for each in batch.checkpoints]))
        if batch.snapshots:
            written.append((SNAPSHOTS, [astuple(each) for each in batch.snapshots]))
        if purses := taken_by(batch.entries):
            # In order of name, so that two processes cannot wait for each other.
            written.append((PURSES, sorted(purses.items())))
        if written:
            self._insert(written, batch.entries)
        if batch.checkpoints:
            self.tell(batch.checkpoints)

    def tell(self, checkpoints: Sequence[Checkpoint]) -> None:
        """A witness that cannot write is told again when the table is next opened or read."""
        if self.witness and checkpoints:
            try:
                self.witness.add(checkpoints)
            except OSError as error:
                detail = f"{self.witness.path} cannot be written: {error}."
                raise self._troubled(Unwritten(detail)) from None

    def _troubled(self, trouble: StoreTrouble, *, away: bool = True) -> StoreTrouble:
        """Tell whoever watches the store if it is away; the exception to raise."""
        if away and self.on_trouble:
            self.on_trouble(trouble)
        return trouble

    # --- reading ----------------------------------------------------------------------------

    def read(self, table: str, after: int = 0) -> Iterator[Entry]:
        return self._paged(Entry, self._entries, table, after)

    def checkpoints(self, table: str, after: int = 0) -> Iterator[Checkpoint]:
        return self._paged(Checkpoint, "SELECT * FROM checkpoints", table, after)

    def _paged(self, kind: type[Kind], rows_of: str, table: str, after: int) -> Iterator[Kind]:
        """Page by page, so that a long history never lies in memory whole."""
        statement = f"{rows_of} WHERE table_id = ? AND sequence > ? ORDER BY sequence LIMIT {PAGE}"
        while rows := self._rows(statement, (table, after)):
            yield from (kind(*row) for row in rows)
            after = _onward(after, rows[-1][1])

    def find(self, table: str, command_id: str) -> tuple[Entry, ...] | Remembered | None:
        ((first, refused),) = self._rows(FOUND, (table, command_id, table, command_id))
        if first is not None:
            return tuple(self._answered(table, first))
        if refused is None:
            return None
        statement = "SELECT * FROM refusals WHERE table_id = ? AND command_id = ?"
        return Remembered(*self._rows(statement, (table, command_id))[0])

    def _answered(self, table: str, first: int) -> Iterator[Entry]:
        """The first entry of an answer and those that go with it."""
        for entry in self.read(table, first - 1):
            if entry.command and entry.sequence > first:
                return
            yield entry

    def tables(self) -> list[str]:
        statement = (
            "SELECT table_id FROM entries WHERE sequence = 1 AND table_id <> ? ORDER BY table_id"
        )
        return [row[0] for row in self._rows(statement, (ROOM,))]

    def head(self, table: str) -> Entry | None:
        last = f"{self._entries} WHERE table_id = ? ORDER BY sequence DESC LIMIT 1"
        rows = self._rows(last, (table,))
        return Entry(*rows[0]) if rows else None

    def entry(self, table: str, sequence: int) -> Entry | None:
        that = f"{self._entries} WHERE table_id = ? AND sequence = ?"
        rows = self._rows(that, (table, sequence))
        return Entry(*rows[0]) if rows else None

    def refusals(self, table: str) -> Iterator[Remembered]:
        statement = (
            f"SELECT * FROM refusals WHERE table_id = ? AND number > ? ORDER BY number LIMIT {PAGE}"
        )
        after = 0
        while rows := self._rows(statement, (table, after)):
            found = [Remembered(*row) for row in rows]
            yield from found
            after = _onward(after, found[-1].number)

    def last_refusal(self, table: str) -> RefusalHead:
        rows = self._rows(LAST_REFUSAL, (table,))
        return RefusalHead(*rows[0]) if rows else RefusalHead()

    def taken(self, name: str) -> Cents:
        rows = self._rows(TAKEN, (name,))
        return int(rows[0][0]) if rows else 0

    def snapshots(self, table: str) -> Iterator[Snapshot]:
        statement = (
            "SELECT * FROM snapshots WHERE table_id = ? AND sequence < ? "
            "ORDER BY sequence DESC LIMIT 1"
        )
        before = (1 << 63) - 1
        while rows := self._rows(statement, (table, before)):
            yield Snapshot(*rows[0])
            before = -_onward(-before, -rows[0][1])


def taken_by(entries: Iterable[Entry]) -> dict[str, Cents]:
    """What these entries move from the cage to each player, less what they move back."""
    taken: dict[str, Cents] = {}
    for entry in entries:
        if AT_THE_CAGE in entry.moved:
            for name, cents in carried_away(entry.transfers()):
                taken[name] = taken.get(name, 0) + cents
    return {name: cents for name, cents in taken.items() if cents}


@cache
def many(statement: str, rows: int) -> str:
    """A statement for so many rows at once: what it says of one row's values is repeated."""
    start = statement.index("(?")
    end = statement.index(")", start) + 1
    return statement[:start] + ", ".join([statement[start:end]] * rows) + statement[end:]


def _onward(last: int, now: object) -> int:
    """A damaged file may give the same page again and again."""
    if not isinstance(now, int) or now <= last:
        raise Refused("The ledger is damaged: its entries are not in order.")
    return now


def version(versions: list[Row], where: str) -> int:
    """How far a store has been brought; 0 for none."""
    done = max((row[0] for row in versions if isinstance(row[0], int)), default=0)
    if done > len(MIGRATIONS):
        raise Refused(
            f"{where} was written by a newer Croupier: its schema is version {done}, "
            f"this one knows {len(MIGRATIONS)}."
        )
    return done


Look = Callable[[str, Row], list[Row]]


def behind(
    versions: list[Row], where: str, moment: datetime, dialect: Dialect, look: Look
) -> Iterator[Change]:
    """The statements that bring a store of these versions up to ours. Each must be executed before
    the next is asked for: some follow from what ``look`` then finds."""
    done = version(versions, where)
    words = asdict(dialect)
    for number, statements in enumerate(MIGRATIONS[done:], done + 1):
        for statement in () if number in dialect.without else statements:
            if statement is CHAIN_REFUSALS:
                yield from _chained_refusals(look)
            else:
                yield statement.format(**words), ()
        yield "INSERT INTO migrations VALUES (?, ?)", (number, stamp(moment))


def _chained_refusals(look: Look) -> Iterator[Change]:
    """Refusals of a store that did not chain them, in the order of their times."""
    statement = (
        "SELECT * FROM refusals WHERE (table_id, time, command_id) > (?, ?, ?) "
        f"ORDER BY table_id, time, command_id LIMIT {PAGE}"
    )
    last: Row = ("", "", "")
    head, table = RefusalHead(), ""
    while rows := look(statement, last):
        for each in (Remembered(*row) for row in rows):
            if each.table != table:
                head, table = RefusalHead(), each.table
            made = after(head, each)
            head = RefusalHead(made.number, made.hash)
            place = (made.number, made.previous, made.hash, made.table, made.command_id)
            yield CHAINED, place
            last = (each.table, each.time, each.command_id)
