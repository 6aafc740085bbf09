"""What settlement must know of the house: its book, its pay tables, its limits, its choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, TypeVar

from croupier.law.clause import Clause, Rulebook, rulebook
from croupier.rules.limits import PayoutLimit
from croupier.rules.money import Cents
from croupier.rules.odds import Odds, Sum
from croupier.rules.paytable import FIVE_CARD_CLASSES, PayTable
from croupier.rules.settlement import payment
from croupier.rules.wager import Posted

REMEMBERED = 4_000
Known = TypeVar("Known")
CHIPS_AND_COUPONS = rulebook("nj-ultimate-texas-holdem")("32.6(a)")


@dataclass(frozen=True, slots=True)
class Terms:
    book: Rulebook
    pay: Mapping[str, PayTable]  # by wager key; Cover All by "cover-all 2" to "cover-all 7"
    posted: Mapping[str, Posted]
    multiples: Mapping[str, tuple[int, ...]]
    offered: frozenset[str]  # keys of the optional wagers on offer
    qualifier: bool = True
    match_play: bool = False
    alternative: int = 1  # Pik-It: which of the two orders of settlement
    payout_limits: tuple[PayoutLimit, ...] = ()
    meter: Cents = 0  # where a progressive stands
    uneven: Mapping[str, tuple[tuple[Odds, Clause], ...]] = field(default_factory=dict)
    # What hands of each class come to, and wagers found lawful: terms never change, so neither
    # does this.
    known: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def remember(self, key: object, value: Known) -> Known:
        """Keep what is known of some hand or wagers; not of everybody who ever played."""
        if len(self.known) >= REMEMBERED:
            self.known.clear()
        self.known[key] = value
        return value

    def with_uneven_odds(self) -> Terms:
        """Note, per wager, the odds that do not pay whole cents on every amount: such a wager is
        refused when it is placed (ruling K11)."""
        found: dict[str, tuple[tuple[Odds, Clause], ...]] = {}
        for key, table in self.pay.items():
            wager = key.partition(" ")[0]
            odds = [line.award for line in table if isinstance(line.award, Odds)]
            found[wager] = found.get(wager, ()) + tuple(
                (each, table.cite) for each in odds if each.win % each.stake
            )
        return replace(self, uneven=found)

    @property
    def coupons(self) -> Clause:
        """The clause that lets chips and match play coupons be wagered, in this book."""
        return CHIPS_AND_COUPONS.under(self.book)

    def with_meter(self, meter: Cents) -> Terms:
        return replace(self, meter=meter)

    def most_paid(self, wagered: Cents) -> Cents:
        """At least what wagers of this sum can win on one hand; a meter aside. Quick and rough."""
        best: tuple[int, Cents] | None = self.known.get("best award")
        if best is None:
            awards = [line.award for table in self.pay.values() for line in table]
            odds = [ceil(award.fraction) for award in awards if isinstance(award, Odds)]
            sums = [award.cents for award in awards if isinstance(award, Sum)]
            best = self.remember("best award", (max(odds, default=1), sum(sums)))
        return wagered * (best[0] + 1) + best[1]

    def best_round(self, amounts: Mapping[str, Cents]) -> Cents:
        """The most these wagers, by key, can win together on one hand; meters aside.

        A house may pay more on a lower line than on the top one, so every hand is looked at.
        """
        return max(
            sum(self._wins(key, hand, amount) for key, amount in amounts.items())
            for hand in FIVE_CARD_CLASSES
        )

    def _wins(self, key: str, hand: str, amount: Cents) -> Cents:
        """What a wager wins on a class of hand; one without a pay table is even money."""
        table = self.pay.get(key)
        if table is None:
            return amount
        line = table.line_for(hand)
        if line is None:
            return 0
        if isinstance(line.award, Odds):  # any amount, also one that would be refused
            return amount * line.award.win // line.award.stake
        return payment(line.award, amount)
