"""The viewers of one table: each is told what that one may see.

A failure while drawing or telling one viewer ends that viewer's socket and nothing else.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from croupier.ledger.keeper import Keeper
from croupier.room import shown
from croupier.room.bank import Bank
from croupier.room.connections import BROKEN
from croupier.room.door.roles import Role
from croupier.room.messages import Closed, Shown, Viewer
from croupier.room.recent import Moment
from croupier.room.shown import Data, Seen
from croupier.room.troubles import Repeated
from croupier.rules.money import Cents
from croupier.table import commands as c

CANNOT_SHOW = "The room cannot show you this table. The staff have been told."
CLOSED = "This table was closed."

log = logging.getLogger("croupier.room")


class Audience:
    """``clocks`` gives the clocks as viewers see them now."""

    def __init__(self, keeper: Keeper, bank: Bank, clocks: Callable[[], Data]) -> None:
        self._keeper = keeper
        self._bank = bank
        self._clocks = clocks
        self._viewers: set[Viewer] = set()
        self._names: Counter[str] = Counter()
        self._repeated = Repeated()

    def __len__(self) -> int:
        return len(self._viewers)

    def __contains__(self, name: object) -> bool:
        """Whether somebody of this name watches."""
        return name in self._names

    @property
    def names(self) -> set[str]:
        return set(self._names)

    def add(self, viewer: Viewer) -> None:
        if viewer not in self._viewers:
            self._viewers.add(viewer)
            self._names[viewer.name] += 1

    def remove(self, viewer: Viewer) -> None:
        if viewer in self._viewers:
            self._viewers.remove(viewer)
            self._names[viewer.name] -= 1
            if not self._names[viewer.name]:
                del self._names[viewer.name]

    def dismiss(self) -> None:
        """Tell the viewers that the table is closed."""
        for viewer in tuple(self._viewers):
            self.remove(viewer)
            with self._only(viewer):
                viewer.tell(Closed(self._keeper.name, CLOSED))

    # --- telling --------------------------------------------------------------------------------

    def tell(self, moment: Moment, viewers: Iterable[Viewer] | None = None) -> None:
        """All who have no seat see the same, which is drawn once."""
        table = moment.kept.table
        alike: dict[bool, Seen] = {}
        for viewer in tuple(self._viewers) if viewers is None else viewers:
            with self._only(viewer):
                who = shown.actor_of(viewer.role, viewer.name)
                if table.seats_of(viewer.name):
                    seen = _seen(moment, who)
                else:
                    player = viewer.role is Role.PLAYER
                    if player not in alike:
                        alike[player] = _seen(moment, who)
                    seen = alike[player]
                yours = shown.yours(seen.view, table, viewer.name, self._balance(viewer))
                viewer.tell(moment.told(self._keeper.name, yours, seen.options))

    def tell_state(self, viewers: Iterable[Viewer] | None = None) -> None:
        """Tell how the table stands now."""
        for viewer in tuple(self._viewers) if viewers is None else viewers:
            with self._only(viewer):
                viewer.tell(self._state(viewer))

    def tell_name(self, name: str) -> None:
        """The same to one person, on every socket."""
        if name in self:
            self.tell_state([each for each in self._viewers if each.name == name])

    def _state(self, viewer: Viewer) -> Shown:
        kept, version, clocks = self._keeper.kept, self._keeper.head.sequence, self._clocks()
        seen = shown.seen(kept, version, clocks, shown.actor_of(viewer.role, viewer.name))
        return Shown(
            self._keeper.name,
            version,
            shown.yours(seen.view, kept.table, viewer.name, self._balance(viewer)),
            seen.options,
            clocks,
            shown.commitment(kept),
        )

    def _balance(self, viewer: Viewer) -> Cents | None:
        """From memory. A balance that is not there is loaded, and told when it is."""
        if (known := self._bank.known(viewer.name)) is None:
            self._bank.reload(viewer.name)
        return known

    @contextmanager
    def _only(self, viewer: Viewer) -> Iterator[None]:
        """A failure in here concerns this viewer alone: log it and close this viewer's socket."""
        try:
            yield
        except Exception as trouble:
            if self._repeated.worth_a_line(type(trouble).__name__):
                sentence = "table %s: a viewer could not be told"
                log.error(sentence, self._keeper.name, exc_info=trouble)
            self.remove(viewer)
            with suppress(Exception):
                viewer.close(BROKEN, CANNOT_SHOW)


def _seen(moment: Moment, who: c.Actor) -> Seen:
    return shown.seen(moment.kept, moment.version, moment.clocks, who, asked=moment.at_rest)
