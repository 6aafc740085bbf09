"""A plan for Ultimate Texas Hold'em is made by asking about cards that stand for a class; it must
answer for any cards of the class as the strategy itself does."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from helpers import NJ_UTH, deals, house
from hypothesis import given, settings
from plan_places import chart_place, flop_place, river_place

from croupier.analysis.plan import HoldemPlan
from croupier.analysis.solve import plan_for
from croupier.analysis.strategies.situations import Situations, options
from croupier.analysis.strategies.strategy import load
from croupier.analysis.strategies.strategy_holdem import (
    chart_holes,
    rank_boards,
    rank_holes,
    suit_boards,
    suit_holes,
)
from croupier.cards.card import Card


@cache
def never_raise() -> HoldemPlan:
    """It comes to the river with everything."""
    plan = plan_for(house(NJ_UTH), "never-raise")
    assert isinstance(plan, HoldemPlan)
    return plan


@cache
def simple() -> HoldemPlan:
    plan = plan_for(house(NJ_UTH), "simple")
    assert isinstance(plan, HoldemPlan)
    return plan


def chosen(name: str, point: str, hole: tuple[Card, ...], shown: tuple[Card, ...]) -> int:
    """What a strategy itself does with these very cards."""
    table = house(NJ_UTH)
    rows = Situations(
        table.game.id,
        point,
        options(table, point),
        np.array([hole], np.uint8),
        np.array([shown], np.uint8).reshape(1, len(shown)),
    )
    return int(load(table.game.id, name).choose(rows)[0])


@settings(max_examples=400)
@given(deals(7))
def test_a_plan_answers_at_the_river_for_any_cards_of_a_class(dealt: tuple[Card, ...]) -> None:
    hole, board = dealt[:2], dealt[2:]
    table, place, holding = river_place(hole, board)
    planned = getattr(never_raise(), table)[place, holding]
    assert planned == chosen("never-raise", "after-river", hole, board)


@settings(max_examples=400)
@given(deals(5))
def test_a_plan_answers_before_and_after_the_flop_for_any_cards(dealt: tuple[Card, ...]) -> None:
    hole, flop = dealt[:2], dealt[2:]
    before = simple().before[chart_place(hole)]
    assert before == chosen("simple", "before-flop", hole, ())
    after = simple().after[flop_place(hole, flop)]
    if before:
        assert after == 0  # never asked
    else:
        assert after == chosen("simple", "after-flop", hole, flop)


def test_the_cards_that_stand_for_a_class_are_of_that_class() -> None:
    for place, hole in enumerate(chart_holes().tolist()):
        assert chart_place(tuple(map(Card, hole))) == place
    for name, boards, holes, count in (
        ("by_ranks", rank_boards(), rank_holes, 91),
        ("by_suit", suit_boards(), suit_holes, 351),
    ):
        for place in range(0, len(boards), 97):
            board = tuple(map(Card, boards[place].tolist()))
            if len(set(board)) < 5:  # five of a rank
                continue
            kinds = np.flatnonzero([_can_be_held(name, board, kind) for kind in range(count)])
            many = np.repeat(boards[[place]], len(kinds), axis=0)
            for kind, hole in zip(kinds, holes(many, kinds).tolist(), strict=True):
                assert len({*hole, *board}) == 7
                assert river_place(tuple(map(Card, hole)), board) == (name, place, kind)


@cache
def _codes(count: int) -> list[tuple[int, int]]:
    return [(low, high) for high in range(count) for low in range(high + 1)]


def _can_be_held(name: str, board: tuple[Card, ...], kind: int) -> bool:
    """Whether two cards of this kind are left beside the board."""
    if name == "by_ranks":
        left = [4 - sum(each >> 2 == rank for each in board) for rank in range(13)]
        wanted = _codes(13)[kind]
    else:
        held = [each >> 2 if each & 3 == 0 else 13 + (each >> 2) for each in board]
        left = [(1 if code < 13 else 3) - held.count(code) for code in range(26)]
        wanted = _codes(26)[kind]
    return all(left[code] >= wanted.count(code) for code in wanted)


def test_every_board_of_five_cards_has_one_that_stands_for_it() -> None:
    """All sets of five ranks but those of five alike, and all boards of a suit."""
    assert len(rank_boards()) == 6_188
    assert len(suit_boards()) == 36_608
    assert len({tuple(board) for board in suit_boards().tolist()}) == 36_608
    for board in suit_boards()[::501].tolist():
        assert any(len({each & 3 for each in three}) == 1 for three in combinations(board, 3))
