"""A player's money outside the tables: chips granted, less what went to tables, plus what came
back. Nobody spends the same chips twice: whoever buys holds the player's lock, and the ledger's own
books are read under it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

from croupier.law.refused import Refused
from croupier.ledger.accounts import CAGE, Transfer, purse
from croupier.ledger.entry import text
from croupier.ledger.records import Happening
from croupier.room.door.register import AT_THE_CAGE, BUT_HOW_MUCH, Register
from croupier.rules.money import Cents, in_dollars
from croupier.table import commands as c
from croupier.table import events as e

MOVED = f"""SELECT coalesce(sum(CAST(rtrim(replace(moved, ?, ''), ']') AS BIGINT)), 0)
    FROM entries WHERE {AT_THE_CAGE} AND {BUT_HOW_MUCH} = ?"""

Amount = Callable[[str], Cents]


class Bank:
    """``granted`` and ``at_tables`` say what a player was given and has taken to tables."""

    def __init__(self, granted: Amount, at_tables: Amount) -> None:
        self._granted = granted
        self._at_tables = at_tables
        self._held: dict[str, Cents] = {}  # as last read
        self._moved = 0  # how often something went to a table or came back
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def follow(self, happened: Iterable[Happening]) -> list[str]:
        """What was read of these is no longer so."""
        moved = [
            each.player
            for each in happened
            if isinstance(each, e.PlayerSat | e.ChipsBought | e.PlayerLeft)
        ]
        for name in moved:
            self.forget(name)
        return moved

    def forget(self, name: str = "") -> None:
        """What was read of one, or of everybody."""
        self._moved += 1
        if name:
            self._held.pop(name, None)
        else:
            self._held.clear()

    def holds(self, name: str) -> Cents:
        if name in self._held:
            return self._held[name]
        moved, held = self._moved, self._read(name)
        if moved == self._moved:
            self._held[name] = held
        return held

    def _read(self, name: str) -> Cents:
        return self._granted(name) - self._at_tables(name)

    def lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    def check(self, request: c.Command) -> None:
        """Refuse to take more to a table than there is."""
        wanted = price(request)
        if wanted and wanted > (there := self._read(request.by.player)):
            raise Refused(
                f"That takes {in_dollars(wanted)}; you have {in_dollars(there)} outside the "
                "tables.",
                code="NOT_ENOUGH_CHIPS",
            )


def at_tables(register: Register) -> Amount:
    """By the ledger's own books."""

    def moved(source: str, target: str) -> Cents:
        # As an entry has it that moves nothing else, without the amount and the ends.
        written = text((Transfer(source, target, 0),)).removesuffix("0]]")
        ((cents,),) = register.look(MOVED, written, written)
        return int(cents)

    def taken(name: str) -> Cents:
        return moved(CAGE, purse(name)) - moved(purse(name), CAGE)

    return taken


def price(request: c.Command) -> Cents:
    """What a command takes out of the bank."""
    match request:
        case c.SitDown():
            return request.chips
        case c.BuyChips():
            return request.amount
    return 0
