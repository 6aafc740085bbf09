"""The three betting points of Ultimate Texas Hold'em."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from croupier.analysis.advice.opening import AFTER, CLASSES, opening, ways
from croupier.analysis.advice.points import Ladder, Point, Sorting
from croupier.analysis.counting.boards import DEALER, Tally
from croupier.analysis.counting.deals import Counts, Hands
from croupier.analysis.counting.rivers import ONCE, RIVER, TWICE, river_values, width
from croupier.analysis.exact import Exact
from croupier.analysis.many import on_all_cores, parts
from croupier.analysis.progress import Tell
from croupier.analysis.solvers.solve_holdem import AFTER_FLOP, RUNS, Play, known_deals, reached
from croupier.analysis.strategies.features import feature
from croupier.analysis.strategies.situations import Situations
from croupier.analysis.strategies.strategy_holdem import (
    rank_boards,
    rank_holes,
    suit_boards,
    suit_holes,
)
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.card import RANK_LETTERS, Rank
from croupier.cards.evaluator import FIVE_CARD_KIND
from croupier.cards.ranking import FiveCard
from croupier.house.submission import House

DEALS = 1326 * AFTER


def points(house: House, tell: Tell) -> tuple[Point, ...]:
    multiples = {key: times for key, times in house.multiples.items() if key != "blind"}
    nets = holdem_nets(house.terms(), (2, *(n for times in multiples.values() for n in times)))
    play = Play(known_deals(tell), nets, multiples, tell)
    return (
        _before_flop(house, tell),
        _after_flop(house, play),
        _at_river(house, play, tell),
    )


def _played(once: Counts, twice: Counts, times: Sequence[int]) -> list[Counts]:
    """What a play of so many antes is worth, the most first: the same for each ante in it."""
    return [once + (n - 1) * (twice - once) for n in sorted(times, reverse=True)]


def _options(times: Sequence[int], last: str) -> tuple[str, ...]:
    return (*(f"{n}x" for n in sorted(times, reverse=True)), last)


# --- before the flop ------------------------------------------------------------------------


def _before_flop(house: House, tell: Tell) -> Point:
    found = opening(house, tell)
    place = np.arange(CLASSES)
    row, column = place // 13, place % 13
    high, low = np.maximum(row, column), np.minimum(row, column)
    # Pairs are one group; of the others there are two for each higher card, suited ones first.
    group = np.where(row == column, 0, 1 + 2 * (12 - high) + (row > column))
    names = ["a pair"]
    for rank in reversed(Rank):
        names += [f"{rank.word}, suited", f"{rank.word}, unsuited"]

    def words(group: int, level: int) -> str:
        if group == 0:
            return f"{2 * RANK_LETTERS[level]} or better"
        high = RANK_LETTERS[12 - (group - 1) // 2]
        return f"{high}{RANK_LETTERS[level]}{'so'[(group - 1) % 2]} or better"

    sorting = Sorting(tuple(names), group)
    weights = np.array([ways(k) for k in range(CLASSES)])
    # Sums are over all hands of a class; a situation is one hand.
    sums: Exact = np.array([*found.raises.values(), found.check], object)
    return Point(
        "before-flop",
        _options(house.multiples["before-flop"], "check"),
        sums // weights,
        weights,
        AFTER,
        DEALS,
        found.unit,
        sorting,
        Ladder(sorting, low, words),
    )


# --- after the flop -------------------------------------------------------------------------

GROUPS = (
    "two pair or better",
    "three alike on the flop",
    "a pocket pair",
    "a pair with the flop",
    "four to a flush",
    "four to a straight open at both ends",
    "a pair on the flop",
    "no pair",
)
MADE, FLOP_TRIPS, POCKET, HIT, FLUSH_DRAW, STRAIGHT_DRAW, FLOP_PAIR, NOTHING = range(len(GROUPS))


def _after_flop(house: House, play: Play) -> Point:
    times, deals = house.multiples["after-flop"], play.deals
    flop, holding = np.nonzero(play.plan.before[deals.classes] == 0)
    others = np.array([np.setdiff1d(np.arange(52), each) for each in deals.flops.hands], np.uint8)
    pairs = np.array([(low, high) for high in range(49) for low in range(high)])
    holes = others[flop[:, None], pairs[holding]]
    sorting, level = _glance(
        Situations(house.game.id, "after-flop", {}, holes, deals.flops.hands[flop])
    )
    sums = play.sums[flop, holding]

    def words(group: int, level: int) -> str:
        rank = Rank(level)
        if group in (POCKET, HIT):
            return f"{rank.plural} or better"
        return f"{'an' if rank.word[0] in 'ae' else 'a'} {rank.word} of your own, or better"

    return Point(
        "after-flop",
        _options(times, "check"),
        np.stack([*_played(sums[:, ONCE], sums[:, TWICE], times), sums[:, RIVER]]),
        deals.flops.weights[flop],
        AFTER_FLOP,
        DEALS,
        unit(house.terms()),
        sorting,
        Ladder(sorting, level, words),
    )


def _glance(rows: Situations) -> tuple[Sorting, Counts]:
    """What a player sees in hole cards and flop, and the rank it goes by."""
    kind = FIVE_CARD_KIND[feature(rows, "hand")]
    high, low = feature(rows, "first"), feature(rows, "second")
    own_pair, flush_card = feature(rows, "hidden-pair"), feature(rows, "flush-draw")
    ranks = rows.shown >> 2
    one_rank = (ranks == ranks[:, :1]).all(axis=1)
    tests = {
        FLOP_TRIPS: one_rank & (kind == FiveCard.THREE_OF_A_KIND),
        MADE: kind > FiveCard.ONE_PAIR,
        POCKET: high == low,
        HIT: own_pair > 0,
        FLUSH_DRAW: flush_card > 0,
        STRAIGHT_DRAW: feature(rows, "straight-outs") > 1,
        FLOP_PAIR: kind == FiveCard.ONE_PAIR,
    }
    group = np.select(list(tests.values()), list(tests), NOTHING)
    level = np.select(
        [group == MADE, group == HIT, group == FLUSH_DRAW], [0, own_pair, flush_card], high
    )
    return Sorting(GROUPS, group), level


# --- at the river ---------------------------------------------------------------------------

UNSEEN = 45


def _at_river(house: House, play: Play, tell: Tell) -> Point:
    times, deals = house.multiples["after-river"], play.deals
    by_ranks, by_suit = _not_yet_played(play, tell)
    found = [
        _river_side(play, deals.by_ranks, by_ranks, rank_boards(), rank_holes, times),
        _river_side(play, deals.by_suit, by_suit, suit_boards(), suit_holes, times),
    ]
    values, weights, outs = (np.concatenate(each, axis=-1) for each in zip(*found, strict=True))
    folded = np.full_like(weights, DEALER * int(play.nets[0, 0, 0, 0]))
    sorting = Sorting(("a hand",), np.zeros_like(weights))

    def words(group: int, level: int) -> str:
        return f"fewer than {UNSEEN - level + 1} outs for the dealer"

    return Point(
        "after-river",
        _options(times, "fold"),
        np.concatenate([values, folded[None]]),
        weights,
        DEALER,
        DEALS,
        unit(house.terms()),
        sorting,
        Ladder(sorting, UNSEEN - outs, words),
    )


def _not_yet_played(play: Play, tell: Tell) -> tuple[Counts, Counts]:
    """How many deals get to each kind of board and holding and decide there."""
    by_ranks, by_suit = (
        np.zeros(tally.shape[:2], np.int64) for tally in (play.deals.by_ranks, play.deals.by_suit)
    )
    for played, to_ranks, to_suit in reached(play.deals, play.plan, tell):
        by_ranks += to_ranks[:, :, played == 0].sum(axis=2)
        by_suit += to_suit[:, :, played == 0].sum(axis=2)
    return by_ranks, by_suit


def _river_side(
    play: Play,
    tally: Tally,
    weights: Counts,
    boards: Hands,
    holes: Callable[[Hands, Counts], Hands],
    times: Sequence[int],
) -> tuple[Counts, Counts, Counts]:
    """Values, weights and dealer's outs of the holdings that get here without having played."""
    values = np.zeros((*tally.shape[:2], 3), width(play.nets))
    choices = np.zeros(tally.shape[:2], np.uint8)
    on_all_cores(
        (river_values, (tally, a, b, play.nets, min(times), max(times), values, choices))
        for a, b in parts(len(tally), RUNS)
    )
    board, holding = np.nonzero(weights)
    outs = np.zeros(len(board), np.int64)
    for a, b in parts(len(board), RUNS):
        shown = boards[board[a:b]]
        rows = Situations("", "after-river", {}, holes(shown, holding[a:b]), shown)
        outs[a:b] = feature(rows, "outs")
    once, twice = (values[board, holding, k].astype(np.int64) for k in (ONCE, TWICE))
    return np.stack(_played(once, twice, times)), weights[board, holding], outs
