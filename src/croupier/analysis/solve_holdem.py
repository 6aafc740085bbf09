"""Ultimate Texas Hold'em: play before the flop, after it, at the river, or fold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import boards, flops, rivers
from croupier.analysis.boards import CODE_PAIRS, RANK_BOARDS, RANK_PAIRS, SUIT_BOARDS
from croupier.analysis.cover_all import highest_hands
from croupier.analysis.deals import Counts, all_hands, distinct_hands
from croupier.analysis.many import cores, on_all_cores, parts
from croupier.analysis.rivers import ONCE, RIVER, TWICE
from croupier.analysis.side_bets import fixed_bet, kinds
from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.evaluator import evaluate5
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House
from croupier.law.refused import Refused
from croupier.rules.game import Versus

RUNS = 16


class Deals:
    """Counts of dealer holdings for every kind of board and holding, whatever the wagers pay."""

    def __init__(self) -> None:
        self.by_ranks = np.zeros((RANK_BOARDS, RANK_PAIRS, 4), np.int16)
        self.by_suit = np.zeros((SUIT_BOARDS, CODE_PAIRS, 4), np.int16)
        on_all_cores(
            [
                (boards.rank_boards, (0, 13, self.by_ranks)),
                *((boards.suit_boards, (a, b, self.by_suit)) for a, b in parts(1 << 13, RUNS)),
            ]
        )
        self.flops = distinct_hands(3)
        self.classes = np.zeros((len(self.flops.hands), flops.PER_FLOP), np.uint8)
        flops.hole_classes(self.flops.hands, self.classes)


class Play:
    """Optimal play for one table of nets: the values it compares and what it chooses."""

    def __init__(self, deals: Deals, nets: Counts, multiples: dict[str, tuple[int, ...]]) -> None:
        self.deals, self.nets = deals, nets
        river = multiples["after-river"]
        if len(river) != 1:
            raise Refused("At the river one multiple of the ante is solved, not several.")
        self.river = river[0]
        rank_values = np.zeros((*deals.by_ranks.shape[:2], 3), np.int32)
        suit_values = np.zeros((*deals.by_suit.shape[:2], 3), np.int32)
        on_all_cores(
            (rivers.river_values, (counts, a, b, nets, self.river, values))
            for counts, values in ((deals.by_ranks, rank_values), (deals.by_suit, suit_values))
            for a, b in parts(len(counts), RUNS)
        )
        hands, weights = deals.flops
        sums = np.zeros((len(hands), flops.PER_FLOP, 3), np.int64)
        on_all_cores(
            (flops.flop_sums, (hands, a, b, rank_values, suit_values, sums))
            for a, b in parts(len(hands), 4 * RUNS)
        )
        self.sums = sums
        self.flop_times, after = _best_multiple(sums, multiples["after-flop"])
        self.plays_after = after >= sums[:, :, RIVER]
        checked = np.where(self.plays_after, after, sums[:, :, RIVER])
        self.check = self._per_class(checked)
        once, twice = self._per_class(sums[:, :, ONCE]), self._per_class(sums[:, :, TWICE])
        self.raises = {
            times: once + (times - 1) * (twice - once) for times in multiples["before-flop"]
        }
        best = np.max(np.stack(list(self.raises.values())), axis=0)
        self.plays_before = best >= self.check
        self.best_raise = np.array(
            [max(self.raises, key=lambda n: int(self.raises[n][k])) for k in range(169)]
        )
        self.ties = {
            "before the flop": int(
                (np.bincount(deals.classes.ravel(), minlength=169) > 0)[best == self.check].sum()
            ),
            "after the flop": int(
                (weights[:, None] * (after == sums[:, :, RIVER]) * ~self._raised()).sum()
            ),
        }

    def _per_class(self, values: Counts) -> Counts:
        totals = np.zeros(169, np.int64)
        flops.class_totals(self.deals.classes, self.deals.flops.weights, values, totals)
        return totals

    def _raised(self) -> NDArray[np.bool_]:
        raised: NDArray[np.bool_] = self.plays_before[self.deals.classes]
        return raised

    def outcome_counts(self) -> tuple[Counts, int]:
        """counts[action, kind, versus + 1, qualified], and deals at a tie at the river."""
        hands, weights = self.deals.flops
        played = np.where(self._raised(), 0, np.where(self.plays_after, 1, 2)).astype(np.uint8)
        workers = cores()
        to_ranks = [np.zeros((RANK_BOARDS, RANK_PAIRS, 3), np.int32) for _ in range(workers)]
        to_suit = [np.zeros((SUIT_BOARDS, CODE_PAIRS, 3), np.int32) for _ in range(workers)]
        on_all_cores(
            (flops.spread, (hands, weights, played, n, workers, to_ranks[n], to_suit[n]))
            for n in range(workers)
        )
        counts = np.zeros((2, 4, 10, 3, 2), np.int64)
        ties = np.zeros((2, 1), np.int64)
        jobs = ((self.deals.by_ranks, to_ranks), (self.deals.by_suit, to_suit))
        on_all_cores(
            (
                rivers.outcome_counts,
                (tally, _added(shares), self.nets, self.river, counts[n], ties[n]),
            )
            for n, (tally, shares) in enumerate(jobs)
        )
        return counts.sum(axis=0), int(ties.sum())


def _added(shares: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    total = shares[0]
    for share in shares[1:]:
        total += share
    return total


def _best_multiple(sums: Counts, times: tuple[int, ...]) -> tuple[int, Counts]:
    if len(times) != 1:
        raise Refused("After the flop one multiple of the ante is solved, not several.")
    n = times[0]
    once, twice = sums[:, :, ONCE], sums[:, :, TWICE]
    return n, once + (n - 1) * (twice - once)


def solve(house: House, deals: Deals | None = None) -> Solution:
    terms = house.terms()
    multiples = {key: times for key, times in house.multiples.items() if key != "blind"}
    nets = holdem_nets(terms, (2, *(n for times in multiples.values() for n in times)))
    play = Play(deals or Deals(), nets, multiples)
    counts, river_ties = play.outcome_counts()
    main = merged(_outcomes(play, counts, unit(terms)))
    ties = {**play.ties, "at the river": river_ties}
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=main,
        side_bets=_side_bets(house, counts),
        ties={name: n for name, n in ties.items() if n},
        tie_broken="the player bets",
    )


def _outcomes(play: Play, counts: Counts, ante: int) -> Iterator[Outcome]:
    raised = int(max(play.best_raise[play.plays_before], default=0))
    actions = (
        (f"{raised}x", raised),
        (f"{play.flop_times}x", play.flop_times),
        (f"{play.river}x", play.river),
        ("fold", 0),
    )
    for at, (action, times) in enumerate(actions):
        for kind in FiveCard:
            for versus in range(3):
                for qualified in (False, True):
                    net = int(play.nets[kind, versus, int(qualified), times])
                    yield Outcome(
                        Fraction(net, ante),
                        int(counts[at, kind, versus, int(qualified)]),
                        action,
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
        five = kinds(evaluate5(all_hands(5)))
        books["progressive"] = fixed_bet(
            terms,
            {FIVE_CARD_LINES[k]: int(five[k]) for k in FiveCard},
            lambda hand, amount: uth.settle_progressive(
                uth.Outcome("high-card", high, True, flop=hand), amount, terms, 1
            ),
            uth.PROGRESSIVE.exactly,
        )
    return books
