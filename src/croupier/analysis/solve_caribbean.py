"""Caribbean Stud: bet or fold, with one of the dealer's cards in sight."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.deals import CHOOSE, Counts, all_hands, distinct_hands
from croupier.analysis.many import cores, on_all_cores, parts
from croupier.analysis.side_bets import fixed_bet
from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import caribbean_nets, unit
from croupier.analysis.up_card import below_bound, below_mine
from croupier.cards.evaluator import FIVE_CARD_KIND, evaluate5
from croupier.cards.kernel import kernel
from croupier.cards.quick import strengths
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import caribbean_stud
from croupier.house.submission import House
from croupier.rules.game import Versus

HIDDEN = int(CHOOSE[46, 4])  # the dealer's other four cards


def first_qualifying() -> int:
    """The evaluator's number of the lowest hand with which the dealer qualifies."""
    return strengths(5).index(caribbean_stud.QUALIFYING)


class Deals:
    """Counts per hand of mine (one of each suit pattern) and up-card, whatever the wagers pay."""

    def __init__(self) -> None:
        dealer = all_hands(5)
        numbers = evaluate5(dealer)
        order = np.argsort(numbers, kind="stable")
        mine = distinct_hands(5)
        self.weights = mine.weights
        self.numbers = evaluate5(mine.hands)
        bound = first_qualifying()
        shape = (len(mine.hands), 52)
        self.unqualified = np.zeros(shape, np.int64)
        self.below = np.zeros(shape, np.int64)
        self.equal = np.zeros(shape, np.int64)
        # Below the bound only qualification matters, so those hands need no comparison.
        strong = np.flatnonzero(self.numbers >= bound)
        strong = strong[np.argsort(self.numbers[strong], kind="stable")]
        on_all_cores(
            (below_bound, (dealer, numbers, bound, mine.hands, a, b, self.unqualified))
            for a, b in parts(len(mine.hands), cores())
        )
        on_all_cores(
            (
                below_mine,
                (
                    dealer,
                    numbers,
                    order,
                    mine.hands,
                    self.numbers,
                    strong,
                    n,
                    cores(),
                    self.below,
                    self.equal,
                ),
            )
            for n in range(cores())
        )
        self.dealt = np.ones(shape, np.bool_)
        for k in range(5):
            self.dealt[np.arange(shape[0]), mine.hands[:, k]] = False
        self.strong = self.numbers >= bound


# Classes of outcome for a hand that bets: a dealer who does not qualify is one class, since it does
# not matter then which hand is higher.
BET_CLASSES = ((0, False), (2, True), (1, True), (0, True))  # versus + 1, qualified


@kernel
def play(
    kinds: NDArray[np.uint8],
    weights: Counts,
    strong: NDArray[np.bool_],
    dealt: NDArray[np.bool_],
    unqualified: Counts,
    below: Counts,
    equal: Counts,
    nets: Counts,
    bets: Counts,
    folds: Counts,
    ties: Counts,
) -> None:
    """Bet or fold at every hand and up-card; bets[kind, class], folds[kind] count what follows.
    nets[kind, class] is the bet's, with the fold's last."""
    counts = np.zeros(4, np.int64)
    for at in range(len(kinds)):
        net = nets[kinds[at]]
        for up in range(52):
            if not dealt[at, up]:
                continue
            counts[0] = unqualified[at, up]
            counts[1] = below[at, up] - unqualified[at, up] if strong[at] else 0
            counts[2] = equal[at, up]
            counts[3] = HIDDEN - counts[0] - counts[1] - counts[2]
            value = np.int64(0)
            for k in range(4):
                value += counts[k] * net[k]
            if value >= HIDDEN * net[4]:
                for k in range(4):
                    bets[kinds[at], k] += weights[at] * counts[k]
            else:
                folds[kinds[at]] += weights[at] * HIDDEN
            if value == HIDDEN * net[4]:
                ties[0] += weights[at] * HIDDEN


def solve(house: House, deals: Deals | None = None) -> Solution:
    terms = house.terms()
    deals = deals or Deals()
    times = house.multiples["bet"][0]
    table = caribbean_nets(terms, times)
    nets = np.stack([table[:, v, int(q), 1] for v, q in BET_CLASSES] + [table[:, 0, 1, 0]], axis=1)
    bets, folds = np.zeros((10, 4), np.int64), np.zeros(10, np.int64)
    ties = np.zeros(1, np.int64)
    play(
        FIVE_CARD_KIND[deals.numbers],
        deals.weights,
        deals.strong,
        deals.dealt,
        deals.unqualified,
        deals.below,
        deals.equal,
        nets,
        bets,
        folds,
        ties,
    )
    main = merged(_outcomes(nets, bets, folds, unit(terms), times))
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=main,
        side_bets=_side_bets(house, main),
        ties={"bet": int(ties[0])} if ties[0] else {},
        tie_broken="the player bets",
    )


def _outcomes(
    nets: Counts, bets: Counts, folds: Counts, ante: int, times: int
) -> Iterator[Outcome]:
    for kind in FiveCard:
        line = FIVE_CARD_LINES[kind]
        for k, (_, qualified) in enumerate(BET_CLASSES):
            net = Fraction(int(nets[kind, k]), ante)
            yield Outcome(net, int(bets[kind, k]), "bet", line, qualified, Fraction(1 + times))
        yield Outcome(Fraction(int(nets[kind, 4]), ante), int(folds[kind]), "fold", line)


def _side_bets(house: House, main: Book) -> dict[str, Book]:
    """The progressive: forfeited by a fold, so it follows what the ante's best play does."""
    if "progressive" not in house.offered:
        return {}
    terms = house.terms()
    counts: dict[str, int] = {}
    for o in main.outcomes:
        key = o.line if o.action == "bet" else "folded"
        counts[key] = counts.get(key, 0) + o.count
    book = fixed_bet(
        terms,
        counts,
        lambda hand, amount: caribbean_stud.settle_progressive(
            caribbean_stud.Outcome(hand, Versus.HIGHER, True, hand == "folded"),
            amount,
            terms,
            1,
        ),
        caribbean_stud.PROGRESSIVE.exactly,
    )
    return {"progressive": book}
