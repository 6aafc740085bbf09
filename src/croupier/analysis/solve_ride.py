"""Let It Ride: three bets, of which two may be taken back.

Bets do not touch each other: each rides when the hands to come pay more than they cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.deals import Counts, Hands, all_hands, distinct_hands
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


def solve(house: House) -> Solution:
    terms = house.terms()
    hands = distinct_hands(3)
    classes = five_card_classes()
    counts = np.zeros((len(hands.hands), 52, len(FIVE_CARD_CLASSES)), np.int64)
    last_card(hands.hands, classes, counts)
    one = ride_nets(terms, FIVE_CARD_CLASSES)
    nets = np.array([one[name] for name in FIVE_CARD_CLASSES], np.int64)
    second = counts @ nets  # per hand and first community card, over the last card
    first = second.sum(axis=1)  # per hand, over both
    dealt = counts.any(axis=2)
    ride_1 = first >= 0
    ride_2 = (second >= 0) & dealt
    ties = {
        "bet 1": int(hands.weights[first == 0].sum()) * 49 * 48,
        "bet 2": int((hands.weights[:, None] * ((second == 0) & dealt)).sum()) * 48,
    }
    weighted = counts * hands.weights[:, None, None]
    outcomes = list(_outcomes(weighted, ride_1, ride_2, nets, unit(terms)))
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=merged(outcomes),
        side_bets=side_bets(house, terms),
        ties={name: n for name, n in ties.items() if n},
        tie_broken="the bet rides",
    )


def _outcomes(
    weighted: Counts,
    ride_1: NDArray[np.bool_],
    ride_2: NDArray[np.bool_],
    nets: Counts,
    bet: int,
) -> Iterator[Outcome]:
    for keep_1 in (True, False):
        for keep_2 in (True, False):
            chosen = (ride_1 == keep_1)[:, None] & (ride_2 == keep_2)
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
