"""A player's money outside the tables: chips granted, less what went to tables, plus what came
back. Two tables cannot spend the same chips: whoever buys holds the player's lock."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

from croupier.law.refused import Refused
from croupier.ledger.accounts import CAGE, purse
from croupier.ledger.records import Happening
from croupier.ledger.store import Store
from croupier.rules.money import Cents, in_dollars
from croupier.table import commands as c
from croupier.table import events as e

PURSE = purse("")


class Bank:
    def __init__(self, granted: Callable[[str], Cents]) -> None:
        self._granted = granted
        self._grants: dict[str, Cents] = {}
        self._at_tables: defaultdict[str, Cents] = defaultdict(int)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def read(self, store: Store) -> None:
        """What the ledger's own books say, at the start."""
        for table in store.tables():
            for moved in store.movements(table):
                if moved.source == CAGE and moved.target.startswith(PURSE):
                    self._at_tables[moved.target.removeprefix(PURSE)] += moved.cents
                elif moved.target == CAGE and moved.source.startswith(PURSE):
                    self._at_tables[moved.source.removeprefix(PURSE)] -= moved.cents

    def follow(self, happened: Iterable[Happening]) -> None:
        for each in happened:
            match each:
                case e.PlayerSat():
                    self._at_tables[each.player] += each.chips
                case e.ChipsBought():
                    self._at_tables[each.player] += each.amount
                case e.PlayerLeft():
                    self._at_tables[each.player] -= each.chips

    def holds(self, name: str) -> Cents:
        if name not in self._grants:
            self._grants[name] = self._granted(name)
        return self._grants[name] - self._at_tables.get(name, 0)

    def lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    def check(self, request: c.Command) -> None:
        """Refuse to take more to a table than there is."""
        wanted = price(request)
        if wanted and wanted > (there := self.holds(request.by.player)):
            raise Refused(
                f"That takes {in_dollars(wanted)}; you have {in_dollars(there)} outside the "
                "tables.",
                code="NOT_ENOUGH_CHIPS",
            )


def price(request: c.Command) -> Cents:
    """What a command takes out of the bank."""
    match request:
        case c.SitDown():
            return request.chips
        case c.BuyChips():
            return request.amount
    return 0
