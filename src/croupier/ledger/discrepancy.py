"""What an audit finds: two things that should agree and do not, and at which entry."""

from __future__ import annotations

from msgspec import Struct

ROOM = "@room"  # the administration chain; a table's name begins with a letter or a digit
MOST = 200  # of one table told one by one; a broken ledger may have millions


class Discrepancy(Struct, frozen=True):
    table: str  # empty where it is about none
    sequence: int  # of the entry it is about; 0 where it is about none
    sentence: str

    def __str__(self) -> str:
        if not self.table:
            return self.sentence
        where = "Administration" if self.table == ROOM else f"Table {self.table}"
        entry = f", entry {self.sequence}" if self.sequence else ""
        return f"{where}{entry}: {self.sentence}"


class Discrepancies:
    """Those of one table, as they are found."""

    def __init__(self, table: str) -> None:
        self.table = str(table)
        self.found: list[Discrepancy] = []
        self.untold = 0

    def add(self, sequence: object, sentence: str) -> None:
        """A damaged file may have anything where a sequence should be."""
        if not isinstance(sequence, int):
            sequence = 0
        if len(self.found) < MOST:
            self.found.append(Discrepancy(self.table, sequence, sentence))
        else:
            self.untold += 1

    def all(self) -> list[Discrepancy]:
        told = sorted(self.found, key=lambda each: each.sequence)
        if self.untold:
            sentence = f"{self.untold:,} more discrepancies are not told one by one."
            told.append(Discrepancy(self.table, 0, sentence))
        return told
