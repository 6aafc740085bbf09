"""Failures: what a client is told of them, and which of them are logged."""

from __future__ import annotations

from collections import Counter

from croupier.law.refused import Refused
from croupier.ledger.chain import Broken
from croupier.ledger.store import Fenced, Unwritten

UNKNOWN = Refused(Unwritten.public, code=Unwritten.public_code)
BUSY = Refused("Others are writing at the same moment. Try again.", code="BUSY")
DAMAGED = Refused("The room cannot read its records. The staff must look at them.", code="DAMAGED")


def plain(why: Refused) -> Refused:
    """The refusal as a client may see it. A failing store (StoreTrouble) says it plainly by itself;
    the other words of the ledger name files, tables and entries."""
    if isinstance(why, Fenced):
        return BUSY
    if isinstance(why, Broken):
        return DAMAGED
    return why


class Repeated:
    """Says which of many equal failures to log: the first, the second, the fourth and so on."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def worth_a_line(self, what: str) -> bool:
        self._counts[what] += 1
        return self._counts[what].bit_count() == 1

    def over(self) -> None:
        """It works again; the next failure is a new one."""
        self._counts.clear()
