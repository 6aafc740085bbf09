"""The two betting points of Let It Ride.

Three or four cards are told apart by what may become of them: whether they pay already, whether
they are of one suit, how many straights they fit into, and how many of them would pay as a pair.
"""

from __future__ import annotations

import numpy as np

from croupier.analysis.advice.points import Ladder, Point, Sorting, Where
from croupier.analysis.counting.deals import Counts, Hands
from croupier.analysis.progress import Tell
from croupier.analysis.solvers.solve_ride import known_deals
from croupier.analysis.tabulate import ride_nets, unit
from croupier.cards.card import Rank
from croupier.house.submission import House
from croupier.rules.paytable import FIVE_CARD_CLASSES

HIGH = Rank.TEN - 2  # as cards count ranks; the lowest that pays as a pair
STRAIGHTS = np.array([0x100F, *(0x1F << low for low in range(9))], np.int64)  # sets of ranks
NUMBERS = ("no", "one", "two", "three", "four")


def points(house: House, tell: Tell) -> tuple[Point, ...]:
    deals, terms = known_deals(tell), house.terms()
    one = ride_nets(terms, FIVE_CARD_CLASSES)
    nets = np.array([one[name] for name in FIVE_CARD_CLASSES], np.int64)
    rounds = int(deals.weights.sum()) * 49 * 48

    def point(decision: str, cards: Hands, counts: Counts, weights: Counts) -> Point:
        values = counts @ nets
        ladder = _ladder(cards, np.asarray(counts[:, nets <= 0].sum(axis=1) == 0))
        return Point(
            decision,
            ("ride", "withdraw"),
            np.stack([values, np.zeros_like(values)]),
            weights,
            int(counts[0].sum()),
            rounds,
            unit(terms),
            ladder.sorting,
            ladder,
        )

    hand, fourth = np.nonzero(deals.dealt)
    four = np.column_stack([deals.hands[hand], fourth]).astype(np.uint8)
    return (
        point("bet-1", deals.hands, deals.counts.sum(axis=1), deals.weights),
        point("bet-2", four, deals.counts[hand, fourth], deals.weights[hand]),
    )


def _ladder(cards: Hands, pays: Where) -> Ladder:
    size = cards.shape[1]
    ranks = (cards >> 2).astype(np.int64)
    held = np.bitwise_or.reduce(1 << ranks, axis=1)
    fits = ((held[:, None] & ~STRAIGHTS) == 0).sum(axis=1)
    suited = (cards & 3 == cards[:, :1] & 3).all(axis=1)
    paired = np.array([bin(ranks).count("1") for ranks in range(1 << 13)])[held] < size
    high = (ranks >= HIGH).sum(axis=1)
    named = NUMBERS[size]
    names = (
        "a hand that pays already",
        "a pair that does not pay yet",
        *(
            f"{named} {how}, {NUMBERS[n]} straight{'s' if n > 1 else ''} possible"
            for how in ("suited", "unsuited")
            for n in (3, 2, 1, 0)
        ),
    )
    group = np.select([pays, paired, suited], [0, 1, 5 - fits], 9 - fits)

    def words(group: int, level: int) -> str:
        return f"at least {NUMBERS[level]} card{'s' if level > 1 else ''} from ten up"

    return Ladder(Sorting(names, group), np.where(pays | paired, 0, high), words)
