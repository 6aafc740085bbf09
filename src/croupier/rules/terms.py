"""What settlement must know of the house: its book, its pay tables, its limits, its choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from croupier.law.clause import Rulebook
from croupier.rules.limits import PayoutLimit
from croupier.rules.money import Cents
from croupier.rules.odds import EVEN_MONEY, Award
from croupier.rules.paytable import PayTable
from croupier.rules.settlement import payment
from croupier.rules.wager import Posted


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

    def with_meter(self, meter: Cents) -> Terms:
        return replace(self, meter=meter)

    def best_win(self, key: str, amount: Cents) -> Cents:
        """The most this wager can win at this amount, meters aside."""
        table = self.pay.get(key)
        best: Award = table.best if table else EVEN_MONEY
        return payment(best, amount)
