"""The floor plan: which tables are open, who opened them, and how long their clocks run.

Every change of the plan is also an entry of the administration chain, in the same transaction. All
processes of a room read the same plan, and an id is given to one table only: also ids of closed
tables, and ids that look alike, are never given again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import astuple, replace

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    AdminEvent,
    Administration,
    TableDelisted,
    TableListed,
    TablePaused,
    TablePlanned,
    TableResumed,
)
from croupier.ledger.sql import ROOM, Change
from croupier.ledger.store import Fenced
from croupier.room.door.names import skeleton
from croupier.room.door.register import Register
from croupier.room.door.roles import Role

LONGEST_CLOCK = 600  # seconds
PLAYERS_CLOCK = range(10, 121)  # seconds that a player may choose
MOST_EACH = 3  # tables one player may have open
MOST_OF_PLAYERS = 200  # tables of players that may be open in a room

PLAN = "INSERT INTO plans VALUES (?, ?, ?, ?)"
UNPLAN = "DELETE FROM plans WHERE table_id = ?"
NAME = "INSERT INTO table_names VALUES (?, ?)"
NAMED = "INSERT INTO table_names VALUES (?, ?) ON CONFLICT DO NOTHING"
UNNAME = "DELETE FROM table_names WHERE table_id = ?"
OF = "SELECT betting_seconds, decision_seconds, opened_by FROM plans WHERE table_id = ?"
ALL = "SELECT table_id, betting_seconds, decision_seconds, opened_by FROM plans"
# A plan without a table is of a process that died before it opened the table.
OPEN = (
    "SELECT count(*) FROM plans WHERE opened_by {} AND EXISTS "
    "(SELECT 1 FROM entries WHERE entries.table_id = plans.table_id AND sequence = 1)"
)
STAFF = "SELECT name FROM people WHERE role <> ?"
HISTORY = "SELECT event FROM entries WHERE table_id = ? AND event LIKE ? ORDER BY sequence"
ABOUT_TABLES = '{"type":"Table%'

_decoder: Decoder[TablePlanned | TableListed | TableDelisted | TablePaused | TableResumed] = (
    Decoder(TablePlanned | TableListed | TableDelisted | TablePaused | TableResumed)
)


class Planned(Struct, frozen=True):
    betting_seconds: int
    decision_seconds: int
    opened_by: str = ""  # a player; empty for a table of the room and its staff


class History(Struct):
    """What the administration chain says of the tables."""

    planned: set[str]
    listed: set[str]
    delisted: set[str]
    paused: dict[str, str]  # before which device; empty: at once


class Plans:
    """Methods wait for the disk: call them from a thread."""

    def __init__(self, register: Register, administration: Administration) -> None:
        self._register = register
        self._administration = administration

    def of(self, table: str) -> Planned | None:
        """None for a table that nobody planned."""
        rows = self._register.look(OF, table)
        return Planned(*rows[0]) if rows else None

    def all(self) -> dict[str, Planned]:
        return {table: Planned(*rest) for table, *rest in self._register.look(ALL)}

    def admit(self, plan: Planned, usual: Planned) -> None:
        """Refuse a plan that is against the room's limits. A player may always leave a clock as
        it usually is in the room."""
        clocks = (plan.betting_seconds, plan.decision_seconds)
        if any(not 0 <= seconds <= LONGEST_CLOCK for seconds in clocks):
            raise Refused(f"A clock runs for 0 to {LONGEST_CLOCK} seconds.", code="BAD_CLOCK")
        if not plan.opened_by:
            return
        usually = (usual.betting_seconds, usual.decision_seconds)
        own = [seconds for seconds, room in zip(clocks, usually, strict=True) if seconds != room]
        if any(seconds not in PLAYERS_CLOCK for seconds in own):
            least, most = PLAYERS_CLOCK[0], PLAYERS_CLOCK[-1]
            sentence = (
                f"At a table that a player opens, a clock runs for {least} to {most} seconds."
            )
            raise Refused(sentence, code="BAD_CLOCK")
        if self._count("= ?", plan.opened_by) >= MOST_EACH:
            sentence = f"You already have {MOST_EACH} tables open. Close one first."
            raise Refused(sentence, code="TOO_MANY_TABLES")
        if self._count("<> ?", "") >= MOST_OF_PLAYERS:
            sentence = f"Players already have {MOST_OF_PLAYERS} tables open in this room."
            raise Refused(sentence, code="TOO_MANY_TABLES")

    def _count(self, which: str, name: str) -> int:
        return int(self._register.look(OPEN.format(which), name)[0][0])

    # --- changes --------------------------------------------------------------------------------

    def add(self, table: str, plan: Planned, by: str) -> bool:
        """Returns whether the id was free, and looked like no other."""
        try:
            self._administration.record(by, [_planned(table, plan)], *_rows(table, plan))
        except Fenced:
            return False
        return True

    def listed(self, table: str, first: str, by: str) -> None:
        """The table is open; ``first`` is the hash of its first entry."""
        self._administration.record(by, [TableListed(table, first)])

    def drop(self, table: str, by: str) -> None:
        """The table could not be opened."""
        event = TableDelisted(table, "It could not be opened.")
        self._administration.record(by, [event], (UNPLAN, (table,)), (UNNAME, (table,)))

    def delist(self, table: str, by: str, reason: str) -> None:
        """The table is closed. Its id stays taken."""
        self._administration.record(by, [TableDelisted(table, reason)], (UNPLAN, (table,)))

    def record(self, by: str, event: AdminEvent) -> None:
        self._administration.record(by, [event])

    # --- at the start ---------------------------------------------------------------------------

    def history(self) -> History:
        found = History(set(), set(), set(), {})
        for (event,) in self._register.look(HISTORY, ROOM, ABOUT_TABLES):
            match _decoder.decode(event):
                case TablePlanned(table=table):
                    found.planned.add(table)
                case TableListed(table=table):
                    found.listed.add(table)
                case TableDelisted(table=table):
                    found.delisted.add(table)
                    found.paused.pop(table, None)
                case TablePaused(table=table, at=at):
                    found.paused[table] = at
                case TableResumed(table=table):
                    found.paused.pop(table, None)
        return found

    def adopt(
        self, tables: Mapping[str, bool], first: Callable[[str], str], usual: Planned, by: str
    ) -> None:
        """Bring the chain and the plan up to the ledger: tables of an older store, and those whose
        opening or closing a crash interrupted. ``tables`` says which tables are closed, ``first``
        gives the hash of a table's first entry."""
        history, plans, staff = self.history(), self.all(), self._staff()
        events: list[AdminEvent] = []
        changes: list[Change] = []
        for name, closed in tables.items():
            if name not in history.planned:
                plan = plans.get(name, usual)
                if plan.opened_by in staff:  # an older store does not tell these from players
                    plan = replace(plan, opened_by="")
                events.append(_planned(name, plan))
                changes += [(UNPLAN, (name,)), (PLAN, (name, *astuple(plan)))]
                changes.append((NAMED, (skeleton(name), name)))
            if name not in history.listed:
                events.append(TableListed(name, first(name)))
            if closed:
                events.append(TableDelisted(name, "It was closed."))
                changes.append((UNPLAN, (name,)))
        if events:
            self._administration.record(by, events, *changes)

    def _staff(self) -> set[str]:
        return {name for (name,) in self._register.look(STAFF, str(Role.PLAYER))}


def _planned(table: str, plan: Planned) -> TablePlanned:
    return TablePlanned(table, plan.opened_by, plan.betting_seconds, plan.decision_seconds)


def _rows(table: str, plan: Planned) -> tuple[Change, ...]:
    return (PLAN, (table, *astuple(plan))), (NAME, (skeleton(table), table))
