"""The room's ledger looked at while its tables go on, without reading all of it.

Rounds and shuffles are numbered in the order they are written, so that one of them is found as in
a dictionary: open the middle, and see which half it must be in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import OneView, Reading
from croupier.ledger.sql import Row, SqlStore

NUMBERED = re.compile(r'(\{"type":"\w+","\w+":)(\d+),')  # how such an event begins


def looking(ledger: Ledger) -> Reading:
    """For one look; what it has found it remembers."""
    assert isinstance(ledger.store, SqlStore)
    assert ledger.witness
    return Reading(Live(ledger.store), ledger.keys, ledger.witness)


class Live(OneView):
    """The store the tables write to. It gives pages, so that nobody waits for a long look."""

    read = SqlStore.read
    checkpoints = SqlStore.checkpoints
    snapshots = SqlStore.snapshots

    def __init__(self, store: SqlStore) -> None:
        super().__init__()
        self._store = store
        self._found: dict[tuple[str, str], int] = {}

    def _stream(self, statement: str, values: Row = ()) -> Iterator[Row]:
        yield from self._store._rows(statement, values)

    def close(self) -> None:
        """The store is the room's, and stays open."""

    def first(self, table: str, beginning: str) -> int:
        if (table, beginning) not in self._found:
            begun = NUMBERED.fullmatch(beginning)
            assert begun
            self._found[table, beginning] = self._search(table, begun[1], int(begun[2]))
        return self._found[table, beginning]

    def _search(self, table: str, kind: str, wanted: int) -> int:
        """It stands behind ``low`` and not behind ``high``, if anywhere."""
        head = self.head(table)
        low, high = 0, head.sequence if head else 0
        while low < high:
            middle = (low + high) // 2
            number, at = self._next(table, kind, middle, high)
            if number == wanted:
                return at
            if 0 < number < wanted:
                low = at
            else:
                high = middle
        return 0

    def _next(self, table: str, kind: str, after: int, last: int) -> tuple[int, int]:
        """The number of the next such event, and its sequence."""
        for entry in self.read(table, after):
            if entry.sequence > last:
                break
            begun = NUMBERED.match(entry.event)
            if begun and begun[1] == kind:
                return int(begun[2]), entry.sequence
        return 0, 0
