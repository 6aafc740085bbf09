"""The chain: every entry carries the hash of the one before, so none can be changed alone.

A chain does not see that its end was cut off or all of it rewritten; signed checkpoints do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.entry import GENESIS, Entry, digest


class Head(Struct, frozen=True, gc=False):
    """Where a table's chain stands."""

    sequence: int = 0
    hash: str = GENESIS
    time: str = ""

    @classmethod
    def of(cls, entry: Entry) -> Head:
        return cls(entry.sequence, entry.hash, entry.time)


class RefusalHead(Struct, frozen=True, gc=False):
    """Where a table's chain of refusals stands."""

    number: int = 0
    hash: str = GENESIS


class Broken(Refused):
    """An entry that does not belong where it stands: which, and why."""

    def __init__(self, table: str, sequence: int, why: str) -> None:
        super().__init__(f"The ledger of table {table} is broken at entry {sequence}: {why}.")
        self.table = table
        self.sequence = sequence


def flaw(entry: Entry, table: str, head: Head) -> str:
    """What is wrong with an entry that should follow this head; nothing when it does."""
    if entry.table != table:
        return f"it is of table {entry.table}"
    if entry.sequence != head.sequence + 1:
        return f"entry {head.sequence + 1} should stand here"
    if entry.previous != head.hash:
        return "it does not follow the entry before"
    if entry.hash != digest(entry):
        return "its hash is not that of its content"
    if entry.time < head.time:
        return "it is earlier than the entry before"
    return ""


def follow(entries: Iterable[Entry], table: str, head: Head) -> Iterator[Entry]:
    """The entries one after another, each seen to follow the one before."""
    for entry in entries:
        if wrong := flaw(entry, table, head):
            raise Broken(table, head.sequence + 1, wrong)
        head = Head.of(entry)
        yield entry
