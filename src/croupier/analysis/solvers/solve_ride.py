"""Let It Ride: three bets, of which two may be taken back.

Bets do not touch each other: each rides when the hands to come pay more than they cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import Counts, Hands, all_hands, distinct_hands
from croupier.analysis.plan import RidePlan
from croupier.analysis.progress import Tell, made_once, run_telling, silent
from croupier.analysis.side_bets import five_card_classes, fixed_bet, three_card_classes
from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import ride_nets, unit
from croupier.cards.evaluator import evaluate3, evaluate5, five
from croupier.cards.kernel import kernel
from croupier.games import let_it_ride
from croupier.house.submission import House
from croupier.rules.paytable import FIVE_CARD_CLASSES
from croupier.rules.terms import Terms

Classes = NDArray[np.uint8]


@kernel
def last_card(hands: Hands, classes: Classes, counts: Counts) -> None:
    """counts[hand, first community card, class]: how often the last card makes which class."""
    for at in range(len(hands)):
        a, b, c = hands[at]
        for d in range(52):
            for e in range(52):
                if d != a and d != b and d != c and e != a and e != b and e != c and e != d:
                    counts[at, d, classes[five(a, b, c, d, e)]] += 1


class Deals:
    """How often each class of hand comes of three cards and the first community card."""

    def __init__(self, tell: Tell = silent) -> None:
        self.hands, self.weights = distinct_hands(3)
        self.counts = np.zeros((len(self.hands), 52, len(FIVE_CARD_CLASSES)), np.int64)
        run_telling(tell, "hands", [(last_card, (self.hands, five_card_classes(), self.counts))])
        self.dealt = self.counts.any(axis=2)


known_deals = made_once(Deals)


def _nets(house: House) -> Counts:
    """What a bet that rides nets on each class of hand."""
    nets = ride_nets(house.terms(), FIVE_CARD_CLASSES)
    return np.array([nets[name] for name in FIVE_CARD_CLASSES], np.int64)


def _values(deals: Deals, nets: Counts) -> tuple[Counts, Counts]:
    """What bet 1 is worth, by hand, and bet 2, by hand and first community card."""
    second = deals.counts @ nets
    return second.sum(axis=1), second


def _best(deals: Deals, first: Counts, second: Counts) -> RidePlan:
    return RidePlan(first=first >= 0, second=(second >= 0) & deals.dealt)


def best_plan(house: House, deals: Deals | None = None, tell: Tell = silent) -> RidePlan:
    deals = deals or known_deals(tell)
    return _best(deals, *_values(deals, _nets(house)))


def solve(
    house: House,
    plan: RidePlan | None = None,
    deals: Deals | None = None,
    tell: Tell = silent,
) -> Solution:
    """Every outcome under a plan, or under optimal play."""
    deals = deals or known_deals(tell)
    terms, nets = house.terms(), _nets(house)
    ties: dict[str, int] = {}
    if plan is None:
        first, second = _values(deals, nets)
        plan = _best(deals, first, second)
        tied = (second == 0) & deals.dealt
        ties = {
            "bet 1": int(deals.weights[first == 0].sum()) * 49 * 48,
            "bet 2": int((deals.weights[:, None] * tied).sum()) * 48,
        }
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=merged(_outcomes(deals, plan, nets, unit(terms))),
        side_bets=side_bets(house, terms),
        ties={name: n for name, n in ties.items() if n},
        tie_broken="the bet rides",
    )


def _outcomes(deals: Deals, plan: RidePlan, nets: Counts, bet: int) -> Iterator[Outcome]:
    weighted = deals.counts * deals.weights[:, None, None]
    for keep_1 in (True, False):
        for keep_2 in (True, False):
            chosen = (plan.first == keep_1)[:, None] & (plan.second == keep_2)
            found = (weighted * chosen[:, :, None]).sum(axis=(0, 1))
            riding = 1 + keep_1 + keep_2
            action = {3: "ride, ride", 1: "withdraw, withdraw"}.get(
                riding, "ride, withdraw" if keep_1 else "withdraw, ride"
            )
            for name, net, count in zip(FIVE_CARD_CLASSES, nets, found, strict=True):
                yield Outcome(
                    Fraction(int(net) * riding, bet),
                    int(count),
                    action,
                    name,
                    None,
                    Fraction(riding),
                )


def side_bets(house: House, terms: Terms) -> dict[str, Book]:
    books = {}
    if "bonus" in house.offered:
        counts = np.bincount(five_card_classes()[evaluate5(all_hands(5))], minlength=11)
        books["bonus"] = fixed_bet(
            terms,
            dict(zip(FIVE_CARD_CLASSES, counts, strict=True)),
            lambda hand, amount: let_it_ride.settle_bonus(
                let_it_ride.Outcome(hand, "high-card"), amount, terms
            ),
            let_it_ride.BONUS.exactly,
        )
    if "three-card" in house.offered:
        books["three-card"] = fixed_bet(
            terms,
            three_card_classes(evaluate3(all_hands(3))),
            lambda hand, amount: let_it_ride.settle_three_card(
                let_it_ride.Outcome("high-card", hand), amount, terms
            ),
        )
    return books
