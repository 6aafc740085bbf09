"""What a strategy may look at: the vocabulary of its conditions, as numbers for many rows at once.

docs/STRATEGIES.md lists the words. A rank is 2 to 14, a hand the evaluator's number, a yes 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any

import numpy as np

from croupier.analysis.counting.deals import Hands
from croupier.analysis.strategies.situations import Numbers, Situations
from croupier.cards.evaluator import (
    FIVE_CARD_KIND,
    best_three_of_five,
    evaluate5,
    evaluate7,
    five,
)
from croupier.cards.kernel import Int, inlined, kernel

Column = Any  # numbers, one for each row; numpy's types do not follow what is done to them


class Kind(Enum):
    """What a feature's number stands for, and so what it can be compared with."""

    RANK = auto()
    COUNT = auto()
    FLAG = auto()
    HAND = auto()  # of five cards
    THREE = auto()  # of three cards
    HOLE = auto()  # a place in the chart of 13 by 13
    HELD = auto()  # a set of ranks, a bit for each


# --- what features are made of --------------------------------------------------------------


def _ranks(cards: Hands) -> Column:
    return (cards >> 2).astype(np.int64) + 2


def _descending(rows: Situations) -> Column:
    return -np.sort(-_ranks(rows.hand), axis=1)


def _own(rows: Situations) -> Hands:
    """The cards that the player's hand is made of: with the community's, without the up-card."""
    return rows.hand if rows.point == "after-deal" else np.hstack([rows.hand, rows.shown])


def _copies(rows: Situations) -> Column:
    """copies[row, rank - 2] in the player's hand."""
    own = _ranks(_own(rows)) - 2
    found = np.zeros((len(own), 13), np.int64)
    for card in own.T:
        found[np.arange(len(own)), card] += 1
    return found


def _held(cards: Hands) -> Column:
    return np.bitwise_or.reduce(1 << (cards >> 2).astype(np.int64), axis=1, initial=0)


def _highest(ranks: Numbers) -> Column:
    """The highest rank of each row; 0 where there is none."""
    return ranks.max(axis=1, initial=0)


def _windows(held: int) -> Iterator[tuple[int, int]]:
    """(how many ranks from end to end, the top one), with the ace high and low."""
    ranks = [rank for rank in range(2, 15) if held >> rank - 2 & 1]
    yield ranks[-1] - ranks[0] + 1, ranks[-1]
    if ranks[-1] == 14 and len(ranks) > 1:
        yield ranks[-2], ranks[-2]


@cache
def _spans() -> Column:
    """spans[set of ranks]: the shortest way from end to end, and its top."""
    return np.array([(0, 0), *(min(_windows(held)) for held in range(1, 1 << 13))], np.int64)


def _run(held: int) -> bool:
    with_low_ace = held << 1 | held >> 12
    return any(with_low_ace >> low & 31 == 31 for low in range(10))


@cache
def _completing() -> Column:
    """completing[set of ranks]: how many other ranks would make it hold a straight."""
    return np.array(
        [
            0 if _run(held) else sum(_run(held | 1 << r) for r in range(13))
            for held in range(1 << 13)
        ],
        np.int64,
    )


# --- features of any hand -------------------------------------------------------------------


def _nth(place: int) -> Callable[[Situations], Column]:
    return lambda rows: _descending(rows)[:, place]


def hand(rows: Situations) -> Column:
    cards = _own(rows)
    evaluate = evaluate5 if cards.shape[1] == 5 else evaluate7
    return evaluate(cards).astype(np.int64)


@kernel
def _best_threes(hands: Hands, numbers: Numbers) -> None:
    for at in range(len(hands)):
        h = hands[at]
        numbers[at] = best_three_of_five(h[0], h[1], h[2], h[3], h[4])


def three(rows: Situations) -> Column:
    numbers = np.zeros(len(rows), np.int64)
    _best_threes(np.ascontiguousarray(rows.hand), numbers)
    return numbers


def pair(rows: Situations) -> Column:
    return _highest((_copies(rows) >= 2) * np.arange(2, 15))


def pairs(rows: Situations) -> Column:
    return (_copies(rows) >= 2).sum(axis=1)


def alike(rows: Situations) -> Column:
    return _highest(_copies(rows))


def suited(rows: Situations) -> Column:
    suits = _own(rows) & 3
    return _highest(np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1))


def span(rows: Situations) -> Column:
    return _spans()[_held(_own(rows)), 0]


def top(rows: Situations) -> Column:
    return _spans()[_held(_own(rows)), 1]


def high_cards(rows: Situations) -> Column:
    return (_ranks(_own(rows)) >= 10).sum(axis=1)


def straight_outs(rows: Situations) -> Column:
    return _completing()[_held(_own(rows))]


def holds(rows: Situations) -> Column:
    return _held(rows.hand)


# --- features of one game -------------------------------------------------------------------


def up(rows: Situations) -> Column:
    return _ranks(rows.shown)[:, 0]


def match(rows: Situations) -> Column:
    return (_ranks(rows.hand) == up(rows)[:, None]).any(axis=1).astype(np.int64)


def hole(rows: Situations) -> Column:
    high, low = (_descending(rows) - 2).T
    suited = rows.hand[:, 0] & 3 == rows.hand[:, 1] & 3
    return np.where(suited, low * 13 + high, high * 13 + low)


def hidden_pair(rows: Situations) -> Column:
    mine, board = _ranks(rows.hand), _ranks(rows.shown)
    pocket = (mine[:, 0] == mine[:, 1])[:, None]
    paired = pocket | (mine[:, :, None] == board[:, None, :]).any(axis=2)
    return _highest(mine * paired)


def flush_draw(rows: Situations) -> Column:
    suits, mine = _own(rows) & 3, rows.hand & 3
    four = np.stack([(suits == suit).sum(axis=1) == 4 for suit in range(4)], axis=1)
    to_it = four[np.arange(len(rows))[:, None], mine]
    return _highest(_ranks(rows.hand) * to_it)


def improves(rows: Situations) -> Column:
    kinds = FIVE_CARD_KIND[feature(rows, "hand")], FIVE_CARD_KIND[evaluate5(rows.shown)]
    return (kinds[0] > kinds[1]).astype(np.int64)


@inlined
def _best_of_six(b: Hands, card: Int) -> Int:
    best = five(b[0], b[1], b[2], b[3], b[4])
    best = max(best, five(card, b[1], b[2], b[3], b[4]))
    best = max(best, five(b[0], card, b[2], b[3], b[4]))
    best = max(best, five(b[0], b[1], card, b[3], b[4]))
    best = max(best, five(b[0], b[1], b[2], card, b[4]))
    return max(best, five(b[0], b[1], b[2], b[3], card))


@kernel
def _count_outs(hands: Hands, boards: Hands, mine: Numbers, outs: Numbers) -> None:
    """Rows with the same board stand together: its six-card hands are looked up once."""
    with_card = np.zeros(52, np.int64)
    for at in range(len(hands)):
        board = boards[at]
        if at == 0 or (board != boards[at - 1]).any():
            for card in range(52):
                with_card[card] = _best_of_six(board, card)
            for card in board:
                with_card[card] = 0
        found = 0
        for card in range(52):
            found += with_card[card] > mine[at]
        for card in hands[at]:
            found -= with_card[card] > mine[at]
        outs[at] = found


def outs(rows: Situations) -> Column:
    found = np.zeros(len(rows), np.int64)
    boards = np.ascontiguousarray(rows.shown)
    _count_outs(np.ascontiguousarray(rows.hand), boards, feature(rows, "hand"), found)
    return found


# --- the vocabulary -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Feature:
    kind: Kind
    of: Callable[[Situations], Column]
    points: tuple[str, ...]  # where it can be seen


FIVE_CARDS = ("after-deal", "play")
RIDE = ("bet-1", "bet-2")
HOLDEM = ("before-flop", "after-flop", "after-river")

FEATURES = {
    "first": Feature(Kind.RANK, _nth(0), (*HOLDEM, *FIVE_CARDS, *RIDE)),
    "second": Feature(Kind.RANK, _nth(1), (*HOLDEM, *FIVE_CARDS, *RIDE)),
    "third": Feature(Kind.RANK, _nth(2), (*FIVE_CARDS, *RIDE)),
    "fourth": Feature(Kind.RANK, _nth(3), FIVE_CARDS),
    "fifth": Feature(Kind.RANK, _nth(4), FIVE_CARDS),
    "holds": Feature(Kind.HELD, holds, (*HOLDEM, *FIVE_CARDS, *RIDE)),
    "hand": Feature(Kind.HAND, hand, ("after-flop", "after-river", *FIVE_CARDS)),
    "three": Feature(Kind.THREE, three, ("play",)),
    "pair": Feature(Kind.RANK, pair, (*FIVE_CARDS, *RIDE)),
    "pairs": Feature(Kind.COUNT, pairs, (*FIVE_CARDS, *RIDE)),
    "alike": Feature(Kind.COUNT, alike, (*FIVE_CARDS, *RIDE)),
    "suited": Feature(Kind.COUNT, suited, (*FIVE_CARDS, *RIDE)),
    "span": Feature(Kind.COUNT, span, (*FIVE_CARDS, *RIDE)),
    "top": Feature(Kind.RANK, top, (*FIVE_CARDS, *RIDE)),
    "high-cards": Feature(Kind.COUNT, high_cards, (*FIVE_CARDS, *RIDE)),
    "straight-outs": Feature(Kind.COUNT, straight_outs, ("after-flop", "bet-2")),
    "up": Feature(Kind.RANK, up, ("after-deal",)),
    "match": Feature(Kind.FLAG, match, ("after-deal",)),
    "hole": Feature(Kind.HOLE, hole, ("before-flop", "after-flop")),
    "hidden-pair": Feature(Kind.RANK, hidden_pair, ("after-flop", "after-river")),
    "flush-draw": Feature(Kind.RANK, flush_draw, ("after-flop",)),
    "improves": Feature(Kind.FLAG, improves, ("after-river",)),
    "outs": Feature(Kind.COUNT, outs, ("after-river",)),
}


def seen_at(point: str) -> list[str]:
    return [name for name, feature in FEATURES.items() if point in feature.points]


def feature(rows: Situations, name: str) -> Numbers:
    """A feature of every row, worked out once."""
    if name not in rows.known:
        if name not in seen_at(rows.point):
            raise KeyError(f"{name}; there are {', '.join(seen_at(rows.point))}")
        rows.known[name] = np.asarray(FEATURES[name].of(rows), np.int64)
    return rows.known[name]
