"""Wagers: what may be placed, how much, and beside what."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.law.clause import Clause
from croupier.rules.money import Cents


@dataclass(frozen=True, slots=True)
class Wager:
    """One betting area of a layout, and the clauses that say what may lie on it."""

    name: str
    key: str  # its name in a house file, where the three bets of Let It Ride are one: "main"
    cite: Clause
    required: bool = False  # nobody is dealt in without it
    equal_to: str = ""  # must match this wager to the cent
    needs: tuple[str, ...] = ()  # may be placed only beside these
    needs_cite: Clause | None = None
    exactly: Cents = 0  # the law fixes the amount
    multiple_of: str = ""  # placed during play, a multiple of this wager
    swept: bool = False  # the chip is taken before the deal: what it pays is all it pays
    withdrawable: bool = False
    only_in: str = ""  # the one rulebook that knows it, where not all of the game's do
    offered: Clause | None = None  # lets a house offer it or not
    paid_by: Clause | None = None  # says what a winning one is paid
    stands_alone: Clause | None = None  # says that it has no bearing on any other wager
    even_money: bool = False  # paid 1 to 1, so a match play coupon may lie on it (ruling K5)

    def __str__(self) -> str:
        return self.name

    @property
    def before_the_deal(self) -> bool:
        return not self.multiple_of


@dataclass(frozen=True, slots=True)
class Posted:
    """The minimum and maximum posted at the table for one wager."""

    minimum: Cents
    maximum: Cents
