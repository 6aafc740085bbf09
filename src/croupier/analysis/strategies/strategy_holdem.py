"""The plan of a strategy for Ultimate Texas Hold'em, with cards that stand for each class.

At the river a board without three of a suit is shown in suits that allow no flush, any other board
with its suit in clubs; ``boards`` tells what the classes are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import CODE_PAIRS, RANK_PAIRS
from croupier.analysis.counting.deals import Hands
from croupier.analysis.plan import Choices, Flags, HoldemPlan
from croupier.analysis.solvers.solve_holdem import Deals, known_deals, undecided
from croupier.analysis.strategies.strategy_plan import Asking, nothing_shown

Numbers = NDArray[np.int64]


def holdem_plan(asking: Asking) -> HoldemPlan:
    deals = known_deals(asking.tell)
    holes = chart_holes()
    before = asking.at("before-flop", len(holes), lambda a, b: nothing_shown(holes[a:b]))
    plan = HoldemPlan(
        before=before,
        after=_after_flop(asking, deals, before),
        by_ranks=np.zeros(deals.by_ranks.shape[:2], np.uint8),
        by_suit=np.zeros(deals.by_suit.shape[:2], np.uint8),
    )
    by_ranks, by_suit = undecided(deals, plan, asking.tell)
    _at_river(asking, by_ranks, rank_boards(), rank_holes, plan.by_ranks)
    _at_river(asking, by_suit, suit_boards(), suit_holes, plan.by_suit)
    return plan


def chart_holes() -> Hands:
    """Two cards for each place of the chart of 13 by 13: suited above the diagonal."""
    return np.array(
        [(4 * row, 4 * column + (row >= column)) for row in range(13) for column in range(13)],
        np.uint8,
    )


def _after_flop(asking: Asking, deals: Deals, before: Choices) -> Choices:
    flops = deals.flops.hands
    others = np.array([np.setdiff1d(np.arange(52), flop) for flop in flops], np.uint8)
    pairs = np.array([(low, high) for high in range(49) for low in range(high)])
    chosen = np.zeros(deals.classes.shape, np.uint8)
    flop, holding = np.nonzero(before[deals.classes] == 0)
    chosen[flop, holding] = asking.at(
        "after-flop",
        len(flop),
        lambda a, b: (others[flop[a:b, None], pairs[holding[a:b]]], flops[flop[a:b]]),
    )
    return chosen


def _at_river(
    asking: Asking,
    asked: Flags,
    boards: Hands,
    holes: Callable[[Hands, Numbers], Hands],
    chosen: Choices,
) -> None:
    """Ask about each class of board and holding that deals come to."""
    board, holding = np.nonzero(asked)

    def rows(start: int, stop: int) -> tuple[Hands, Hands]:
        shown = boards[board[start:stop]]
        return holes(shown, holding[start:stop]), shown

    chosen[board, holding] = asking.at("after-river", len(board), rows)


# --- boards by ranks ------------------------------------------------------------------------


@cache
def _pairs(count: int) -> Numbers:
    """The low and the high one of each pair with repetition, in the order of pair_index."""
    found = np.array([(low, high) for high in range(count) for low in range(high + 1)])
    assert len(found) in (RANK_PAIRS, CODE_PAIRS)
    return found


@cache
def rank_boards() -> Hands:
    """Five ranks in the order of ranks_index, suits in turn: never three of a suit."""
    ranks = sorted(combinations_with_replacement(range(13), 5), key=lambda five: five[::-1])
    return np.array([[4 * r + at % 4 for at, r in enumerate(five)] for five in ranks], np.uint8)


def rank_holes(boards: Hands, kinds: Numbers) -> Hands:
    """Two cards of the holding's ranks that are not on the board."""
    low, high = (4 * _pairs(13)[kinds]).T
    first = _free(boards, low)
    second = _free(np.column_stack([boards, first]), high)
    return np.column_stack([first, second]).astype(np.uint8)


def _free(taken: Hands, lowest: Numbers) -> Numbers:
    """The first card from ``lowest`` on, in the order of suits, that is not taken."""
    four = lowest[:, None] + np.arange(4)
    free = (four[:, :, None] != taken[:, None, :]).all(axis=2)
    found: Numbers = lowest + free.argmax(axis=1)
    return found


# --- boards by suit -------------------------------------------------------------------------


@cache
def suit_boards() -> Hands:
    """Three or more clubs and what is beside them, in the order of suit_board."""
    beside: dict[int, list[tuple[int, ...]]] = {
        3: [(4 * low + 1, 4 * high + 1 + (low == high)) for low, high in _pairs(13).tolist()],
        4: [(4 * rank + 1,) for rank in range(13)],
        5: [()],
    }
    return np.array(
        [
            (*(4 * rank for rank in clubs), *others)
            for size in (3, 4, 5)
            for clubs in sorted(combinations(range(13), size), key=lambda set_: set_[::-1])
            for others in beside[size]
        ],
        np.uint8,
    )


def suit_holes(boards: Hands, kinds: Numbers) -> Hands:
    """Clubs, or spades where the holding is not of the suit, with a heart beside a like spade."""
    codes = _pairs(26)[kinds]
    cards = np.where(codes < 13, 4 * codes, 4 * (codes - 13) + 3)
    cards[:, 1] -= cards[:, 0] == cards[:, 1]
    return cards.astype(np.uint8)
