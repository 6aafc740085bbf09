"""What strategies look at, against plain definitions on cards that are read as text."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from helpers import deals, plain_best_of_seven, plain_best_three, plain_five, texts
from hypothesis import given, settings

from croupier.analysis.strategies.features import FEATURES, feature, seen_at
from croupier.analysis.strategies.situations import POINTS, Situations
from croupier.cards.card import DECK, Card, cards
from croupier.cards.quick import strengths

EXAMPLES = 150


def seen(point: str, hand: tuple[Card, ...], shown: tuple[Card, ...] = ()) -> Situations:
    return Situations(
        "any game",
        point,
        {},
        np.array([hand], np.uint8).reshape(1, len(hand)),
        np.array([shown], np.uint8).reshape(1, len(shown)),
    )


def value(name: str, point: str, hand: str, shown: str = "") -> int:
    return int(feature(seen(point, cards(hand), cards(shown)), name)[0])


@pytest.mark.parametrize(
    ("hand", "board", "rank"),
    [
        ("Ah 9d", "As 7c 2d 2h 4s", 14),  # a hole card and a card of the board
        ("9h 9d", "As 7c 2d 3h 4s", 9),  # in the hole
        ("9h 7d", "9s 7c 2d", 9),  # the higher of two
        ("Ah Kd", "7s 7c 2d", 0),  # on the board alone
        ("Ah Kd", "7s 7c 7d 2c 2d", 0),
    ],
)
def test_a_hidden_pair_uses_a_hole_card(hand: str, board: str, rank: int) -> None:
    point = "after-flop" if len(board) < 10 else "after-river"
    assert value("hidden-pair", point, hand, board) == rank


@pytest.mark.parametrize(
    ("hand", "flop", "rank"),
    [
        ("Th 2h", "Kh 7h 3c", 10),
        ("Th 2c", "Kh 7h 3h", 10),
        ("9h 2h", "Kh 7h 3c", 9),
        ("Ac 2h", "Kh 7h 3h", 2),  # the ace is not of the suit
        ("Th 2h", "Kh 7h 3h", 0),  # a flush already
        ("Th 2h", "Kh 7d 3c", 0),
    ],
)
def test_a_flush_draw_is_told_by_its_highest_hidden_card(hand: str, flop: str, rank: int) -> None:
    assert value("flush-draw", "after-flop", hand, flop) == rank


@pytest.mark.parametrize(
    ("hand", "board", "improves"),
    [
        ("Ah Kd", "7s 7c 2d 3h 9s", 0),  # a kicker
        ("Ah 9d", "7s 7c 2d 3h 9s", 1),  # two pair
        ("2h 2d", "Ks Kc 7d 7h Qs", 0),  # two pair already, the deuces do not count
        ("Th 2d", "9s 8c 7d 6h Ks", 1),
        ("Ah Kd", "9s 8c 7d 6h 5s", 0),
        ("Ah 2d", "Kh 9h 7h 3h 3c", 1),
    ],
)
def test_a_hand_improves_when_its_kind_is_above_the_boards(
    hand: str, board: str, improves: int
) -> None:
    assert value("improves", "after-river", hand, board) == improves


@pytest.mark.parametrize(
    ("hand", "shown", "outs"),
    [
        ("5c 6d", "7h 8s", 2),
        ("5c 6d", "8h 9s", 1),
        ("Ac 2d", "3h 4s", 1),
        ("Jc Qd", "Kh As", 1),
        ("Ac Kd", "3h 4s", 0),
        ("5c 6d", "7h 7s", 0),
    ],
)
def test_straight_outs_count_the_ranks_that_complete_it(hand: str, shown: str, outs: int) -> None:
    assert value("straight-outs", "bet-2", f"{hand} {shown[:2]}", shown[3:]) == outs


@pytest.mark.parametrize(
    ("hand", "span", "top"),
    [
        ("3c 4c 5c", 3, 5),
        ("Ac 2c 3c", 3, 3),
        ("Qc Kc Ac", 3, 14),
        ("Ac 3c 5c", 5, 5),
        ("9c Jc Kc", 5, 13),
        ("2c Tc Ac", 10, 10),
        ("7c 7d 9c", 3, 9),
    ],
)
def test_a_span_takes_the_ace_high_or_low_whichever_is_shorter(
    hand: str, span: int, top: int
) -> None:
    assert value("span", "bet-1", hand) == span
    assert value("top", "bet-1", hand) == top


@settings(max_examples=EXAMPLES)
@given(deals(7))
def test_dealer_outs_are_the_unseen_cards_that_alone_beat_the_hand(dealt: tuple[Card, ...]) -> None:
    hole, board = dealt[:2], dealt[2:]
    mine = plain_best_of_seven(texts(dealt))
    unseen = [each for each in DECK if each not in dealt]
    assert len(unseen) == 45
    outs = sum(
        max(plain_five(five) for five in combinations(texts((*board, each)), 5)) > mine
        for each in unseen
    )
    assert feature(seen("after-river", hole, board), "outs")[0] == outs


@settings(max_examples=EXAMPLES)
@given(deals(5))
def test_features_of_five_cards_are_what_their_names_say(dealt: tuple[Card, ...]) -> None:
    rows = seen("play", dealt)
    found = {name: int(feature(rows, name)[0]) for name in seen_at("play")}
    ranks = sorted((each.rank for each in dealt), reverse=True)
    places = [found[name] for name in ("first", "second", "third", "fourth", "fifth")]
    assert places == ranks
    paired = {rank for rank in ranks if ranks.count(rank) > 1}
    assert found["pair"] == max(paired, default=0)
    assert found["pairs"] == len(paired)
    assert found["alike"] == max(ranks.count(rank) for rank in ranks)
    suits = [each.suit for each in dealt]
    assert found["suited"] == max(suits.count(suit) for suit in suits)
    assert found["high-cards"] == sum(rank >= 10 for rank in ranks)
    assert found["holds"] == sum(1 << rank - 2 for rank in set(ranks))
    assert strengths(5)[found["hand"]].kind == plain_five(texts(dealt))[0]
    assert strengths(3)[found["three"]].kind == plain_best_three(texts(dealt))[0]


@settings(max_examples=EXAMPLES)
@given(deals(6))
def test_the_up_card_is_never_counted_among_ones_own(dealt: tuple[Card, ...]) -> None:
    hand, up = dealt[:5], dealt[5]
    rows = seen("after-deal", hand, (up,))
    ranks = [each.rank for each in hand]
    assert feature(rows, "up")[0] == up.rank
    assert feature(rows, "match")[0] == (up.rank in ranks)
    assert feature(rows, "alike")[0] == max(ranks.count(rank) for rank in ranks)
    assert feature(rows, "suited")[0] == feature(seen("play", hand), "suited")[0]


def test_every_feature_can_be_seen_somewhere_and_every_point_has_some() -> None:
    points = {point for game in POINTS.values() for point in game}
    assert {point for each in FEATURES.values() for point in each.points} == points
    with pytest.raises(KeyError, match="outs; there are first, second"):
        feature(seen("before-flop", cards("Ah Kd")), "outs")
