"""What a store must do. There are two: SQLite in a file, and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from msgspec import Struct
from msgspec.structs import astuple

from croupier.law.refused import Refused
from croupier.ledger.chain import RefusalHead
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.entry import Entry
from croupier.rules.money import Cents


class Remembered(Struct, frozen=True):
    """A refusal, kept so that the same command gets the same answer, and chained to the one
    before it at the table."""

    table: str
    command_id: str
    time: str
    actor: str
    command: str  # its name
    fingerprint: str
    code: str
    sentence: str  # in rows of older versions only
    clause: str
    number: int = 0  # 1, 2, 3 ... at each table
    omitted: int = 0  # refusals at the table before this one that were not kept
    previous: str = ""  # the hash of the refusal before
    hash: str = ""


class Snapshot(Struct, frozen=True, gc=False):
    """A table's state after an entry, sealed: it holds decks."""

    table: str
    sequence: int
    hash: str
    state: str


class Batch(Struct, frozen=True, gc=False):
    """What one command brings about: all of it is written, or nothing."""

    entries: tuple[Entry, ...] = ()
    refusals: tuple[Remembered, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()

    def only_entry(self) -> Entry | None:
        """Its entry, if that is all there is."""
        if len(self.entries) != 1 or self.refusals or self.checkpoints or self.snapshots:
            return None
        return self.entries[0]


def together(batches: Sequence[Batch]) -> Batch:
    """Several as if they were one."""
    fields = zip(*map(astuple, batches), strict=True)
    return Batch(*(tuple(chain.from_iterable(each)) for each in fields))


class Fenced(Refused):
    """Somebody else has written where this batch belongs, or the same command was answered before;
    nothing of it was written."""


class StoreTrouble(Refused):
    """The store failed. ``str()`` gives the detail, for the log and the command line; ``sentence``
    is what anybody may be told, and names no file, address or statement."""

    public = "The room cannot read its records right now; try again in a moment."
    public_code = "STORE_DOWN"

    def __init__(self, detail: str) -> None:
        super().__init__(self.public, code=self.public_code)
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


class Unread(StoreTrouble):
    """The store could not be read."""


class Unwritten(StoreTrouble):
    """The store could not write; what it says may or may not have reached the disk."""

    public = (
        "The room cannot save right now, and cannot tell yet whether your last action was carried "
        "out; look again in a moment."
    )
    public_code = "OUTCOME_UNKNOWN"


class NotWritten(Unwritten):
    """The store could not write, and nothing of the batch was kept."""

    public = (
        "The room cannot save right now. Your last action was not carried out; try again in a "
        "moment."
    )
    public_code = "STORE_DOWN"


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

    def refusals(self, table: str) -> Iterator[Remembered]:
        """In the order of their numbers."""

    def last_refusal(self, table: str) -> RefusalHead:
        """Where the table's chain of refusals stands."""

    def taken(self, name: str) -> Cents:
        """What a player has taken from the cage to all tables, less what came back. It is kept up
        with every write and read in one step."""

    def checkpoints(self, table: str, after: int = 0) -> Iterator[Checkpoint]: ...

    def snapshots(self, table: str) -> Iterator[Snapshot]:
        """The latest first."""

    def close(self) -> None: ...
