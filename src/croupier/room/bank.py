"""A player's chips outside the tables: what was granted, less what is at tables.

Balances for viewers are in memory. They are loaded in a thread and kept up by the events, so that
telling a viewer never waits for the store. Nobody spends the same chips twice: a purchase holds the
player's lock and is checked against the store, never against memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

from croupier.law.refused import Refused
from croupier.ledger.records import Happening
from croupier.room.troubles import Repeated
from croupier.rules.money import Cents, in_dollars
from croupier.table import commands as c
from croupier.table import events as e

MOST_KNOWN = 10_000  # balances in memory

log = logging.getLogger("croupier.room.bank")

Amount = Callable[[str], Cents]


class Bank:
    """``granted`` and ``taken`` read from the store what a player was given, and has taken to
    tables. ``changed`` is called with a name when its balance in memory was corrected."""

    def __init__(self, granted: Amount, taken: Amount) -> None:
        self._granted = granted
        self._taken = taken
        self._repeated = Repeated()
        self.changed: Callable[[str], None] = lambda name: None
        self._known: OrderedDict[str, Cents] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()  # names whose balance moved while it was being loaded
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # --- in memory: call these from the event loop ----------------------------------------------

    def known(self, name: str) -> Cents | None:
        """The balance in memory; None where it is not loaded yet."""
        return self._known.get(name)

    async def load(self, name: str) -> Cents | None:
        """The balance, loaded if it is not in memory; None where that fails."""
        if name not in self._known:
            self.reload(name)
            await asyncio.shield(self._loading[name])
        return self.known(name)

    def follow(self, happened: Iterable[Happening], *, written_here: bool = True) -> list[str]:
        """Apply what went to a table or came back; the names concerned.

        An event that another process wrote may be in the loaded balance already, so it only causes
        a reload. An event of this process is applied at once and confirmed by a reload, because a
        load that ran at the same moment may have read it too.
        """
        moved: dict[str, Cents] = {}
        for each in happened:
            match each:
                case e.PlayerSat():
                    moved[each.player] = moved.get(each.player, 0) - each.chips
                case e.ChipsBought():
                    moved[each.player] = moved.get(each.player, 0) - each.amount
                case e.PlayerLeft():
                    moved[each.player] = moved.get(each.player, 0) + each.chips
        for name, cents in moved.items():
            if name in self._known and written_here:
                self._known[name] += cents
            self.refresh(name)
        return list(moved)

    def refresh(self, name: str) -> None:
        """Another process moved this player's chips. Viewers see the old balance until the new one
        is loaded."""
        if name in self._known or name in self._loading:
            self.reload(name)

    def forget(self, name: str = "") -> None:
        """The balance of one person, or of everybody, is loaded when it is next needed."""
        if name:
            self._known.pop(name, None)
        else:
            self._known.clear()
        self._again |= self._loading.keys() & {name} if name else self._loading.keys()

    def reload(self, name: str) -> None:
        """Load a balance in a thread. One load runs for each name; what comes meanwhile has it run
        once more."""
        if name in self._loading:
            self._again.add(name)
            return
        task = asyncio.get_running_loop().create_task(self._load(name), name=f"balance of {name}")
        self._loading[name] = task

    async def _load(self, name: str) -> None:
        before = self._known.get(name)
        try:
            while True:
                self._again.discard(name)
                found = await asyncio.to_thread(self.holds, name)
                if name not in self._again:
                    break
            self._known[name] = found
            self._known.move_to_end(name)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        except Exception as trouble:  # the store fails, or holds a sum that nothing can represent
            if self._repeated.worth_a_line(type(trouble).__name__):
                log.error("a balance cannot be loaded", exc_info=trouble)
            return
        finally:
            del self._loading[name]
            self._again.discard(name)
        if found != before:
            self.changed(name)

    async def stop(self) -> None:
        await asyncio.gather(*self._loading.values(), return_exceptions=True)

    # --- in the store: call these from a thread -------------------------------------------------

    def holds(self, name: str) -> Cents:
        return self._granted(name) - self._taken(name)

    def check(self, request: c.Command) -> None:
        """Refuse to take more to a table than there is."""
        wanted = price(request)
        if wanted and wanted > (there := self.holds(request.by.player)):
            raise Refused(
                f"That takes {in_dollars(wanted)}; you have {in_dollars(there)} outside the "
                "tables.",
                code="NOT_ENOUGH_CHIPS",
            )

    # --- one purchase at a time -----------------------------------------------------------------

    def lock(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())


def price(request: c.Command) -> Cents:
    """What a command takes out of the bank."""
    match request:
        case c.SitDown():
            return request.chips
        case c.BuyChips():
            return request.amount
    return 0
