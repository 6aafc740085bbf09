"""The bet a person is about to make: last round's, until it is changed."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.house.submission import House
from croupier.law.refused import Refused
from croupier.rules.money import Cents, dollars, read_dollars
from croupier.rules.wager import Wager

LONGEST_ENTRY = 7  # digits and a point


@dataclass
class Area:
    """One betting area before the deal."""

    wager: Wager
    amount: Cents
    on: bool
    step: Cents
    least: Cents
    most: Cents

    @property
    def fixed(self) -> bool:
        return bool(self.wager.exactly)


class Slip:
    def __init__(self, house: House) -> None:
        self.areas: list[Area] = []
        self.follows: dict[str, str] = {}  # wagers that must equal another
        self.order = [wager.name for wager in house.game.wagers]
        for wager in house.game.wagers_under(house.book):
            if not wager.before_the_deal or not (wager.required or wager.key in house.offered):
                continue
            if wager.required and wager.equal_to:
                self.follows[wager.name] = wager.equal_to
                continue
            posted = house.posted.get(wager.key)
            least = wager.exactly or (posted.minimum if posted else dollars(1))
            most = wager.exactly or (posted.maximum if posted else least)
            self.areas.append(Area(wager, least, wager.required, least, least, most))
        self.at = 0
        self.entry = ""

    @property
    def chosen(self) -> Area:
        return self.areas[self.at]

    @property
    def covers(self) -> list[str]:
        """The wagers that the chosen area stands for: it, and those equal to it."""
        name = self.chosen.wager.name
        return [name, *(each for each, other in self.follows.items() if other == name)]

    def wagers(self) -> dict[str, Cents]:
        """What will be placed."""
        placed = {area.wager.name: area.amount for area in self.areas if area.on}
        placed |= {name: placed[other] for name, other in self.follows.items()}
        return {name: placed[name] for name in self.order if placed.get(name)}

    @property
    def total(self) -> Cents:
        return sum(self.wagers().values())

    # --- changing it --------------------------------------------------------------------------

    def move(self, by: int) -> None:
        self.entry = ""
        self.at = (self.at + by) % len(self.areas)

    def raise_by(self, steps: int) -> None:
        """A step up or down, within the posted limits; down from the least takes a side bet off."""
        area, self.entry = self.chosen, ""
        if steps < 0 and area.amount <= area.least and not area.wager.required:
            area.on = False
        elif steps > 0 and not area.on:
            area.on = True
        else:
            area.amount = min(max(area.amount + steps * area.step, area.least), area.most)

    def toggle(self) -> None:
        self.entry = ""
        if not self.chosen.wager.required:
            self.chosen.on = not self.chosen.on

    def type(self, key: str) -> None:
        """Digits and a point make a new amount; whether it is lawful the table will say."""
        if self.chosen.fixed or len(self.entry) >= LONGEST_ENTRY:
            return
        self._enter(self.entry + key)

    def rub_out(self) -> None:
        if self.entry:
            self._enter(self.entry[:-1])

    def _enter(self, entry: str) -> None:
        try:
            amount = read_dollars(entry + "0" if entry.endswith(".") else entry) if entry else 0
        except Refused:
            return
        self.entry = entry
        self.chosen.amount = amount
        self.chosen.on = self.chosen.wager.required or amount > 0

    def set(self, name: str, amount: Cents | None) -> bool:
        """Set one wager by name, or take it off; False where there is no such area."""
        for area in self.areas:
            if name in (area.wager.name, area.wager.key):
                area.on = amount is not None or area.wager.required
                area.amount = area.amount if amount is None else amount
                return True
        return False
