"""Caribbean Stud: bet or fold, with one of the dealer's cards in sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import CHOOSE, Counts, all_hands, distinct_hands
from croupier.analysis.counting.up_card import below_bound, below_mine
from croupier.analysis.many import cores, parts
from croupier.analysis.plan import CaribbeanPlan, Flags
from croupier.analysis.progress import Tell, made_once, run_telling, silent
from croupier.analysis.side_bets import fixed_bet
from croupier.analysis.solution import Book, Outcome, Solution, merged, meter_line
from croupier.analysis.tabulate import caribbean_nets, unit
from croupier.cards.evaluator import FIVE_CARD_KIND, evaluate5
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.quick import strengths
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import caribbean_stud
from croupier.house.submission import House
from croupier.rules.game import Versus
from croupier.rules.money import Cents

HIDDEN = int(CHOOSE[46, 4])  # the dealer's other four cards


def first_qualifying() -> int:
    """The evaluator's number of the lowest hand with which the dealer qualifies."""
    return strengths(5).index(caribbean_stud.QUALIFYING)


class Deals:
    """Counts per hand of mine (one of each suit pattern) and up-card, whatever the wagers pay."""

    def __init__(self, tell: Tell = silent) -> None:
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
        run_telling(
            tell,
            "qualifying hands",
            (
                (below_bound, (dealer, numbers, bound, mine.hands, a, b, self.unqualified))
                for a, b in parts(len(mine.hands), cores())
            ),
        )
        run_telling(
            tell,
            "higher hands",
            (
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
            ),
        )
        self.dealt = np.ones(shape, np.bool_)
        for k in range(5):
            self.dealt[np.arange(shape[0]), mine.hands[:, k]] = False
        self.strong = self.numbers >= bound


# Classes of outcome for a hand that bets: a dealer who does not qualify is one class, since it does
# not matter then which hand is higher.
BET_CLASSES = ((0, False), (2, True), (1, True), (0, True))  # versus + 1, qualified


@inlined
def _against(
    at: Int,
    up: Int,
    strong: NDArray[np.bool_],
    unqualified: Counts,
    below: Counts,
    equal: Counts,
    counts: Counts,
) -> None:
    """counts[class]: the dealer's hands, given mine and the up-card."""
    counts[0] = unqualified[at, up]
    counts[1] = below[at, up] - unqualified[at, up] if strong[at] else 0
    counts[2] = equal[at, up]
    counts[3] = HIDDEN - counts[0] - counts[1] - counts[2]


@kernel
def bet_values(
    kinds: NDArray[np.uint8],
    strong: NDArray[np.bool_],
    dealt: NDArray[np.bool_],
    unqualified: Counts,
    below: Counts,
    equal: Counts,
    nets: Counts,
    values: Counts,
) -> None:
    """What a bet is worth above a fold, at every hand and up-card, over the dealer's other cards.
    nets[kind, class] is the bet's, with the fold's last."""
    counts = np.zeros(4, np.int64)
    for at in range(len(kinds)):
        net = nets[kinds[at]]
        for up in range(52):
            if dealt[at, up]:
                _against(at, up, strong, unqualified, below, equal, counts)
                value = -HIDDEN * net[4]
                for k in range(4):
                    value += counts[k] * net[k]
                values[at, up] = value


@kernel
def outcome_counts(
    kinds: NDArray[np.uint8],
    weights: Counts,
    strong: NDArray[np.bool_],
    dealt: NDArray[np.bool_],
    unqualified: Counts,
    below: Counts,
    equal: Counts,
    plan: Flags,
    bets: Counts,
    folds: Counts,
) -> None:
    """bets[kind, class] and folds[kind] count what follows from a plan."""
    counts = np.zeros(4, np.int64)
    for at in range(len(kinds)):
        for up in range(52):
            if dealt[at, up]:
                if plan[at, up]:
                    _against(at, up, strong, unqualified, below, equal, counts)
                    for k in range(4):
                        bets[kinds[at], k] += weights[at] * counts[k]
                else:
                    folds[kinds[at]] += weights[at] * HIDDEN


known_deals = made_once(Deals)


def _nets(house: House) -> Counts:
    """nets[kind, class] of a bet, and last of a fold."""
    table = caribbean_nets(house.terms(), house.multiples["bet"][0])
    return np.stack([table[:, v, int(q), 1] for v, q in BET_CLASSES] + [table[:, 0, 1, 0]], axis=1)


def _values(deals: Deals, nets: Counts) -> Counts:
    values = np.full(deals.dealt.shape, -1, np.int64)
    bet_values(
        FIVE_CARD_KIND[deals.numbers],
        deals.strong,
        deals.dealt,
        deals.unqualified,
        deals.below,
        deals.equal,
        nets,
        values,
    )
    return values


def values(house: House, deals: Deals) -> Counts:
    """What a bet is worth above a fold, by hand and up-card, over the dealer's other cards."""
    return _values(deals, _nets(house))


def best_plan(house: House, deals: Deals | None = None, tell: Tell = silent) -> CaribbeanPlan:
    return CaribbeanPlan(bets=values(house, deals or known_deals(tell)) >= 0)


def solve(
    house: House,
    plan: CaribbeanPlan | None = None,
    deals: Deals | None = None,
    tell: Tell = silent,
) -> Solution:
    """Every outcome under a plan, or under optimal play."""
    deals = deals or known_deals(tell)
    nets = _nets(house)
    tied = 0
    if plan is None:
        above_a_fold = _values(deals, nets)
        plan = CaribbeanPlan(bets=above_a_fold >= 0)
        tied = int((deals.weights * (above_a_fold == 0).sum(axis=1)).sum()) * HIDDEN
    bets, folds = np.zeros((10, 4), np.int64), np.zeros(10, np.int64)
    outcome_counts(
        FIVE_CARD_KIND[deals.numbers],
        deals.weights,
        deals.strong,
        deals.dealt,
        deals.unqualified,
        deals.below,
        deals.equal,
        plan.bets,
        bets,
        folds,
    )
    times = house.multiples["bet"][0]
    main = merged(_outcomes(nets, bets, folds, unit(house.terms()), times))
    progressive = partial(_progressive, house, _played(main))
    offered = "progressive" in house.offered
    line = meter_line(progressive) if offered else None
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=main,
        side_bets={"progressive": progressive(house.terms().meter)} if offered else {},
        meters={"progressive": line} if line else {},
        ties={"bet": tied} if tied else {},
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


def _played(main: Book) -> dict[str, int]:
    """How often the progressive meets each hand. A fold forfeits it, so it follows the ante."""
    counts: Counter[str] = Counter()
    for o in main.outcomes:
        counts[o.line if o.action == "bet" else "folded"] += o.count
    return counts


def _progressive(house: House, counts: Mapping[str, int], meter: Cents) -> Book:
    terms = house.terms().with_meter(meter)
    return fixed_bet(
        terms,
        counts,
        lambda hand, amount: caribbean_stud.settle_progressive(
            caribbean_stud.Outcome(hand, Versus.HIGHER, True, hand == "folded"), amount, terms, 1
        ),
        caribbean_stud.PROGRESSIVE.exactly,
    )
