"""The one betting point of Caribbean Stud, and that of Pik-It."""

from __future__ import annotations

import numpy as np

from croupier.analysis.advice.points import Ladder, Point, Sorting
from croupier.analysis.counting.deals import Counts, distinct_hands
from croupier.analysis.counting.removal import Numbers
from croupier.analysis.progress import Tell
from croupier.analysis.solvers import solve_caribbean, solve_pik_it
from croupier.analysis.tabulate import caribbean_nets, unit
from croupier.cards.card import RANK_LETTERS, Rank
from croupier.cards.evaluator import FIVE_CARD_FIRST, THREE_CARD_KIND
from croupier.cards.quick import strengths
from croupier.cards.ranking import (
    FIVE_CARD_LINES,
    THREE_CARD_LINES,
    FiveCard,
    Strength,
    ThreeCard,
    words,
)
from croupier.house.submission import House

# How many cards of each rank a strength names, where all five matter.
GROUPS = {
    FiveCard.HIGH_CARD: (1, 1, 1, 1, 1),
    FiveCard.ONE_PAIR: (2, 1, 1, 1),
    FiveCard.TWO_PAIR: (2, 2, 1),
    FiveCard.THREE_OF_A_KIND: (3, 1, 1),
    FiveCard.FLUSH: (1, 1, 1, 1, 1),
    FiveCard.FULL_HOUSE: (3, 2),
    FiveCard.FOUR_OF_A_KIND: (4, 1),
}


def spelled(number: int) -> str:
    """A hand of five by the evaluator's number: A-K-J-8-3, "a flush", "a ten-high straight"."""
    kind, ranks = strengths(5)[number]
    if number == FIVE_CARD_FIRST[kind]:
        return f"a {FIVE_CARD_LINES[FiveCard(kind)]}"
    sizes = GROUPS.get(FiveCard(kind))
    if sizes is None:
        return words(strengths(5)[number])
    letters = zip(ranks, sizes, strict=True)
    hand = "-".join(RANK_LETTERS[rank - 2] for rank, size in letters for _ in range(size))
    return f"{hand} suited" if kind is FiveCard.FLUSH else hand


def _row(strength: Strength) -> str:
    """The kind of a hand; below a pair, whether it begins with ace and king, and the next card."""
    if strength.kind is not FiveCard.HIGH_CARD:
        return FIVE_CARD_LINES[FiveCard(strength.kind)]
    if strength.ranks[:2] != (Rank.ACE, Rank.KING):
        return "below ace-king"
    third = {Rank.QUEEN: "queen", Rank.JACK: "jack"}.get(strength.ranks[2], "ten or lower")
    return f"ace-king-{third}"


def _rows(numbers: Numbers) -> Sorting:
    """Hands as a chart lists them, the highest first."""
    rows = [_row(strength) for strength in strengths(5)]
    names = tuple(dict.fromkeys(reversed(rows)))
    return Sorting(names, np.array([names.index(row) for row in rows])[numbers])


def _from_level(group: int, level: int) -> str:
    return f"{spelled(level)} or better"


def caribbean(house: House, tell: Tell) -> tuple[Point, ...]:
    terms, deals = house.terms(), solve_caribbean.known_deals(tell)
    hand, up = np.nonzero(deals.dealt)
    fold = int(caribbean_nets(terms, house.multiples["bet"][0])[0, 0, 1, 0])
    above = solve_caribbean.values(house, deals)[hand, up]
    folded = np.full_like(above, fold * solve_caribbean.HIDDEN)
    weights, numbers = deals.weights[hand], deals.numbers[hand]
    everything: Counts = np.zeros(len(hand), np.int64)
    point = Point(
        "after-deal",
        ("bet", "fold"),
        np.stack([folded + above, folded]),
        weights,
        solve_caribbean.HIDDEN,
        int(weights.sum()) * solve_caribbean.HIDDEN,
        unit(terms),
        _rows(numbers),
        Ladder(Sorting(("a hand",), everything), numbers.astype(np.int64), _from_level),
    )
    return (point,)


def pik_it(house: House, tell: Tell) -> tuple[Point, ...]:
    """A short rule looks at the kind of the best three cards, then at all five."""
    deals = solve_pik_it.known_deals(tell)
    values = solve_pik_it.Play(house, deals).values()
    threes = solve_pik_it.best_threes(distinct_hands(5).hands)
    names = tuple(f"best three: {THREE_CARD_LINES[kind]}" for kind in ThreeCard)
    best_three = Sorting(names, THREE_CARD_KIND[threes].astype(np.int64))
    point = Point(
        "play",
        ("play 5", "play 3", "fold"),
        values[::-1],
        deals.weights,
        solve_pik_it.DEALER,
        int(deals.weights.sum()) * solve_pik_it.DEALER,
        unit(house.terms()),
        _rows(deals.numbers),
        Ladder(best_three, deals.numbers.astype(np.int64), _from_level),
    )
    return (point,)
