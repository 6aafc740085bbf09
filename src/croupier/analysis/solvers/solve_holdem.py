"""Ultimate Texas Hold'em: play before the flop, after it, at the river, or fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting import boards, flops, rivers
from croupier.analysis.counting.boards import CODE_PAIRS, RANK_BOARDS, RANK_PAIRS, SUIT_BOARDS
from croupier.analysis.counting.cover_all import highest_hands
from croupier.analysis.counting.deals import CHOOSE, Counts, all_hands, distinct_hands
from croupier.analysis.counting.flops import COLUMNS
from croupier.analysis.counting.rivers import ONCE, RIVER, TWICE
from croupier.analysis.exact import Exact, by_cell
from croupier.analysis.many import cores, on_all_cores, parts
from croupier.analysis.plan import Flags, HoldemPlan
from croupier.analysis.progress import Tell, made_once, run_telling, silent
from croupier.analysis.side_bets import fixed_bet, kinds
from croupier.analysis.solution import Book, Meter, Outcome, Solution, merged, meter_line
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.evaluator import evaluate5
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House
from croupier.rules.game import Versus
from croupier.rules.money import Cents

Weights = NDArray[np.int32]
RUNS = 16  # kernels are run on so many parts of their work
STEPS = 4  # of the walk back to the river, where every worker has tables of its own
AFTER_FLOP = int(CHOOSE[47, 2] * CHOOSE[45, 2])  # turns and rivers, and the dealer's holdings


class Deals:
    """Counts of dealer holdings for every kind of board and holding, whatever the wagers pay."""

    def __init__(self, tell: Tell = silent) -> None:
        self.by_ranks = np.zeros((RANK_BOARDS, RANK_PAIRS, 4), np.int16)
        self.by_suit = np.zeros((SUIT_BOARDS, CODE_PAIRS, 4), np.int16)
        run_telling(
            tell,
            "boards",
            [
                (boards.rank_boards, (0, 13, self.by_ranks)),
                *((boards.suit_boards, (a, b, self.by_suit)) for a, b in parts(1 << 13, RUNS)),
            ],
        )
        self.flops = distinct_hands(3)
        self.classes = np.zeros((len(self.flops.hands), flops.PER_FLOP), np.uint8)
        flops.hole_classes(self.flops.hands, self.classes)


known_deals = made_once(Deals)


class Play:
    """Optimal play for one table of nets: the values it compares and what it chooses."""

    def __init__(
        self,
        deals: Deals,
        nets: Counts,
        multiples: Mapping[str, tuple[int, ...]],
        tell: Tell = silent,
    ) -> None:
        self.deals, self.nets = deals, nets
        river = multiples["after-river"]
        width = rivers.width(nets)
        rank_values = np.zeros((*deals.by_ranks.shape[:2], 3), width)
        suit_values = np.zeros((*deals.by_suit.shape[:2], 3), width)
        by_ranks = np.zeros(deals.by_ranks.shape[:2], np.uint8)
        by_suit = np.zeros(deals.by_suit.shape[:2], np.uint8)
        run_telling(
            tell,
            "rivers",
            (
                (rivers.river_values, (counts, a, b, nets, min(river), max(river), values, choices))
                for counts, values, choices in (
                    (deals.by_ranks, rank_values, by_ranks),
                    (deals.by_suit, suit_values, by_suit),
                )
                for a, b in parts(len(counts), RUNS)
            ),
        )
        hands, weights = deals.flops
        self.sums = np.zeros((len(hands), flops.PER_FLOP, 3), np.int64)
        run_telling(
            tell,
            "flops",
            (
                (flops.flop_sums, (hands, a, b, rank_values, suit_values, self.sums))
                for a, b in parts(len(hands), 4 * RUNS)
            ),
        )
        once, twice, later = (self.sums[:, :, k] for k in (ONCE, TWICE, RIVER))
        after, best_after = _best_multiple(once, twice, multiples["after-flop"])
        plays_after = best_after >= later
        self.check = self._per_class(np.where(plays_after, best_after, later))
        one, two = self._per_class(once), self._per_class(twice)
        self.raises = {n: _played(one, two, n) for n in multiples["before-flop"]}
        before, best_before = _best_multiple(one, two, multiples["before-flop"])
        plays_before = best_before >= self.check
        self.plan = HoldemPlan(
            before=np.where(plays_before, before, 0).astype(np.uint8),
            after=np.where(plays_after, after, 0).astype(np.uint8),
            by_ranks=by_ranks,
            by_suit=by_suit,
        )
        tied_after = (best_after == later) & ~plays_before[deals.classes]
        dealt = self._per_class(np.ones_like(later))
        self.ties = {
            "before the flop": int(dealt[best_before == self.check].sum()) * AFTER_FLOP,
            "after the flop": int((weights[:, None] * tied_after).sum()) * AFTER_FLOP,
        }

    def _per_class(self, values: Counts) -> Exact:
        """Sums over all flops, for each of the 169 classes of hole cards."""
        classes = self.deals.classes
        weights = np.broadcast_to(self.deals.flops.weights[:, None], classes.shape)
        return by_cell(classes.ravel(), 169, weights.ravel(), values.ravel())

    def outcome_counts(self, tell: Tell = silent) -> tuple[Counts, int]:
        return outcome_counts(self.deals, self.plan, self.nets, tell)


Sums = TypeVar("Sums", Counts, Exact)


def _played(once: Sums, twice: Sums, times: int | Counts) -> Sums:
    """What a play of so many antes is worth: the same for each ante in it."""
    worth: Sums = once + (times - 1) * (twice - once)
    return worth


def _best_multiple(once: Sums, twice: Sums, times: tuple[int, ...]) -> tuple[Counts, Sums]:
    """The best multiple and what it is worth: the least or the most there is."""
    best = np.where(twice > once, max(times), min(times))
    return best, _played(once, twice, best)


def outcome_counts(
    deals: Deals, plan: HoldemPlan, nets: Counts, tell: Tell = silent
) -> tuple[Counts, int]:
    """counts[times played, kind, versus + 1, qualified], and deals at a tie at the river."""
    counts = np.zeros((2, nets.shape[3], 10, 3, 2), np.int64)
    ties = np.zeros((2, 1), np.int64)
    for played, *weights in reached(deals, plan, tell):
        jobs = ((deals.by_ranks, plan.by_ranks), (deals.by_suit, plan.by_suit))
        on_all_cores(
            (rivers.outcome_counts, (tally, weights[n], played, choices, nets, counts[n], ties[n]))
            for n, (tally, choices) in enumerate(jobs)
        )
    return counts.sum(axis=0), int(ties.sum())


def reached(
    deals: Deals, plan: HoldemPlan, tell: Tell = silent
) -> Iterator[tuple[Counts, Weights, Weights]]:
    """How many deals reach the river at each kind of board (by ranks, by suit) and holding, in a
    column for each multiple played till then, the columns' multiples coming first."""
    hands, weights = deals.flops
    before = plan.before[deals.classes]
    times = np.where(before > 0, before, plan.after)
    ways = np.flatnonzero(np.bincount(times.ravel()))
    workers = cores()
    for first in range(0, len(ways), COLUMNS):
        played = np.resize(ways[first:], COLUMNS)
        column = np.full(256, COLUMNS, np.uint8)
        column[played[::-1]] = np.arange(COLUMNS)[::-1]
        columns = column[times]
        to_ranks = [np.zeros((RANK_BOARDS, RANK_PAIRS, COLUMNS), np.int32) for _ in range(workers)]
        to_suit = [np.zeros((SUIT_BOARDS, CODE_PAIRS, COLUMNS), np.int32) for _ in range(workers)]
        for step in range(STEPS):
            on_all_cores(
                (
                    flops.spread,
                    (hands, weights, columns, step * workers + n, STEPS * workers, ranks, suit),
                )
                for n, (ranks, suit) in enumerate(zip(to_ranks, to_suit, strict=True))
            )
            tell("outcomes", step + 1, STEPS)
        yield played, _added(to_ranks), _added(to_suit)


def undecided(deals: Deals, plan: HoldemPlan, tell: Tell = silent) -> tuple[Flags, Flags]:
    """The kinds of board (by ranks, by suit) and holding that deals come to without having played,
    by what a plan does before."""
    played, by_ranks, by_suit = next(reached(deals, plan, tell))
    waiting = played[0] == rivers.NOT_YET  # the least of the multiples, if any deals check
    return (by_ranks[:, :, 0] > 0) & waiting, (by_suit[:, :, 0] > 0) & waiting


def _added(shares: list[Weights]) -> Weights:
    total = shares[0]
    for share in shares[1:]:
        total += share
    return total


def _nets(house: House) -> Counts:
    times = (n for key, choices in house.multiples.items() if key != "blind" for n in choices)
    return holdem_nets(house.terms(), (2, *times))


def best_plan(house: House, deals: Deals | None = None, tell: Tell = silent) -> HoldemPlan:
    return Play(deals or known_deals(tell), _nets(house), house.multiples, tell).plan


def solve(
    house: House,
    plan: HoldemPlan | None = None,
    deals: Deals | None = None,
    tell: Tell = silent,
) -> Solution:
    """Every outcome under a plan, or under optimal play."""
    nets = _nets(house)
    deals = deals or known_deals(tell)
    ties: dict[str, int] = {}
    if plan:
        counts, _ = outcome_counts(deals, plan, nets, tell)
    else:
        best = Play(deals, nets, house.multiples, tell)
        counts, at_the_river = best.outcome_counts(tell)
        ties = {**best.ties, "at the river": at_the_river}
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=merged(_outcomes(counts, nets, unit(house.terms()))),
        side_bets=_side_bets(house, counts),
        ties={name: n for name, n in ties.items() if n},
        tie_broken="the player bets",
        meters=_meters(house),
    )


def _outcomes(counts: Counts, nets: Counts, ante: int) -> Iterator[Outcome]:
    for times in reversed(range(len(counts))):
        for kind in FiveCard:
            for versus in range(3):
                for qualified in (False, True):
                    yield Outcome(
                        Fraction(int(nets[kind, versus, int(qualified), times]), ante),
                        int(counts[times, kind, versus, int(qualified)]),
                        f"{times}x" if times else "fold",
                        FIVE_CARD_LINES[kind],
                        qualified,
                        Fraction(2 + times),
                    )


def _side_bets(house: House, counts: Counts) -> dict[str, Book]:
    terms = house.terms()
    high = Versus.HIGHER
    books: dict[str, Book] = {}
    if "trips" in house.offered:
        # Every set of seven cards is counted in 21 ways to hold two, 10 flops, 990 dealers.
        seven = counts.sum(axis=(0, 2, 3)) // (21 * 10 * 990)
        books["trips"] = fixed_bet(
            terms,
            {FIVE_CARD_LINES[k]: int(seven[k]) for k in FiveCard},
            lambda hand, amount: uth.settle_trips(uth.Outcome(hand, high, True), amount, terms),
        )
    if "cover-all" in house.offered:
        for hands in range(2, 8):
            books[f"cover-all, {hands} hands"] = fixed_bet(
                terms,
                highest_hands(hands),
                lambda highest, amount, hands=hands: uth.settle_cover_all(  # type: ignore[misc]
                    uth.Outcome("high-card", high, True, highest=highest, hands=hands),
                    amount,
                    terms,
                ),
            )
    if "progressive" in house.offered:
        books["progressive"] = _progressive(house, terms.meter)
    return books


def _progressive(house: House, meter: Cents) -> Book:
    """At any meter; it looks at hole cards and flop, whatever is done after."""
    terms = house.terms().with_meter(meter)
    five = kinds(evaluate5(all_hands(5)))
    return fixed_bet(
        terms,
        {FIVE_CARD_LINES[k]: int(five[k]) for k in FiveCard},
        lambda hand, amount: uth.settle_progressive(
            uth.Outcome("high-card", Versus.HIGHER, True, flop=hand), amount, terms, 1
        ),
        uth.PROGRESSIVE.exactly,
    )


def _meters(house: House) -> dict[str, Meter]:
    if "progressive" not in house.offered:
        return {}
    line = meter_line(partial(_progressive, house))
    return {"progressive": line} if line else {}
