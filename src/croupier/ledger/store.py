"""What a store must do. There are two: SQLite in a file, and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from msgspec import Struct
from msgspec.structs import astuple

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.entry import Entry
from croupier.rules.money import Cents


class Movement(Struct, frozen=True, gc=False):
    """Money from one account to another, by the entry that moved it."""

    table: str
    sequence: int
    number: int  # 1, 2 ... within the entry
    source: str
    target: str
    cents: Cents


class Remembered(Struct, frozen=True):
    """A refusal, kept so that the same command gets the same answer."""

    table: str
    command_id: str
    time: str
    actor: str
    command: str  # its name
    fingerprint: str
    code: str
    sentence: str
    clause: str


class Snapshot(Struct, frozen=True, gc=False):
    """A table's state after an entry, sealed: it holds decks."""

    table: str
    sequence: int
    hash: str
    state: str


class Batch(Struct, frozen=True, gc=False):
    """What one command brings about: all of it is written, or nothing."""

    entries: tuple[Entry, ...] = ()
    movements: tuple[Movement, ...] = ()
    refusals: tuple[Remembered, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()


def together(batches: Sequence[Batch]) -> Batch:
    """Several as if they were one."""
    fields = zip(*map(astuple, batches), strict=True)
    return Batch(*(tuple(chain.from_iterable(each)) for each in fields))


class Fenced(Refused):
    """Somebody else has written where this batch belongs, or the same command was answered before;
    nothing of it was written."""


class Unwritten(Refused):
    """The store could not write; what it says may or may not have reached the disk."""


class Store(Protocol):
    def write(self, batches: Sequence[Batch]) -> None:
        """All of them in one transaction, on the disk when this returns; else none (Fenced, also
        where a command's id was used before), or nobody knows (Unwritten)."""

    def tell(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Have the witness take down what it missed."""

    def read(self, table: str, after: int = 0) -> Iterator[Entry]:
        """The entries behind a sequence, in order."""

    def find(self, table: str, command_id: str) -> tuple[Entry, ...] | Remembered | None:
        """What a command of this id brought about, or how it was refused."""

    def tables(self) -> list[str]: ...

    def head(self, table: str) -> Entry | None:
        """The last entry."""

    def entry(self, table: str, sequence: int) -> Entry | None: ...

    def movements(self, table: str, after: int = 0) -> Iterator[Movement]: ...

    def refusals(self, table: str) -> Iterator[Remembered]: ...

    def checkpoints(self, table: str, after: int = 0) -> Iterator[Checkpoint]: ...

    def snapshots(self, table: str) -> Iterator[Snapshot]:
        """The latest first."""

    def close(self) -> None: ...
