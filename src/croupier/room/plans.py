"""The floor plan: who opened a table, and how long its clocks run. Every process of a room reads
the same one, and a name is given to one table only."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import astuple

from croupier.law.refused import Refused
from croupier.ledger.store import Fenced
from croupier.room.door.register import Register

LONGEST_CLOCK = 600  # seconds
MOST_EACH = 3  # tables one player may open

OF = "SELECT betting_seconds, decision_seconds, opened_by FROM plans WHERE table_id = ?"
BY = (
    "SELECT count(*) FROM plans WHERE opened_by = ? AND EXISTS "
    "(SELECT 1 FROM entries WHERE entries.table_id = plans.table_id AND sequence = 1)"
)


class Planned(Struct, frozen=True):
    betting_seconds: int
    decision_seconds: int
    opened_by: str = ""


class Plans:
    """Methods wait for the disk."""

    def __init__(self, register: Register) -> None:
        self._register = register

    def of(self, table: str) -> Planned | None:
        """None where nobody planned anything."""
        rows = self._register.look(OF, table)
        return Planned(*rows[0]) if rows else None

    def admit(self, plan: Planned) -> None:
        """Refuse what is not to be opened."""
        for seconds in (plan.betting_seconds, plan.decision_seconds):
            if not 0 <= seconds <= LONGEST_CLOCK:
                raise Refused(f"A clock runs for 0 to {LONGEST_CLOCK} seconds.", code="BAD_CLOCK")
        if plan.opened_by and self._register.look(BY, plan.opened_by)[0][0] >= MOST_EACH:
            raise Refused(f"Nobody opens more than {MOST_EACH} tables.", code="TOO_MANY_TABLES")

    def add(self, table: str, plan: Planned) -> bool:
        """Whether the name was free: another process may open a table at the same moment."""
        try:
            self._register.change(
                ("INSERT INTO plans VALUES (?, ?, ?, ?)", (table, *astuple(plan)))
            )
        except Fenced:
            return False
        return True

    def drop(self, table: str) -> None:
        self._register.change(("DELETE FROM plans WHERE table_id = ?", (table,)))
