"""The highest of two to seven hands, counted: against the known counts for one hand, against
plain counting on single boards, against random deals, and what ruling M1 says of the edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, factorial, perm, sqrt

import numpy as np
import pytest
from helpers import MA_UTH, terms_of
from numpy.typing import NDArray

from croupier.analysis.cover_all import (
    BELOW,
    KINDS,
    MOST,
    _all_matchings,
    _gather,
    board_matchings,
    deals,
    deals_without,
    highest_hands,
)
from croupier.analysis.boards import RANK_BOARDS, SUIT_BOARDS
from croupier.analysis.deals import distinct_hands
from croupier.cards.card import cards
from croupier.cards.evaluator import FIVE_CARD_KIND, evaluate7
from croupier.cards.ranking import FiveCard
from croupier.games.ultimate_texas_holdem import Outcome, settle_cover_all
from croupier.house.check import MOST_COVER_ALL_PLAYERS
from croupier.law.refused import Refused

Edge = tuple[int, int]
LINES = ("royal-flush", "straight-flush", "four-of-a-kind", "full-house")
HANDS = range(2, MOST + 1)  # ruling M2

BOARDS = (
    *("2c 5d 8h Js Kc", "2c 5d 8h Jh Kc", "3s 8s Ks 5d 9h"),  # no pair
    *("9c 9d 2h 5s Kd", "8h 8d 5s 6s 7s", "7s 7h 5s 6s 8h", "4s 8s Ts Jh Jd"),  # a pair
    *("9c 9d 4h 4s Kc", "9s 9d 8s 8h 7s", "5s 7s 8s 5d 8c"),  # two pair
    *("9c 9d 9h 4s Kc", "7s 7h 7d 6s 5s", "6s 6h 6d 8s 7s", "As Ah Ad Qs Js", "7s 8s 9s 9h 9d"),
    *("9c 9d 9h 4s 4c", "Ts Th Td Js Jd", "9c 9d 9h 9s 4c", "Ks Kh Kd Kc Qs"),
    *("5s 6s 7s 8s 2h", "5s 6s 7s 8s 8h", "5s 6s 7s 2h Td", "5s 6s 8s 9s 2s", "2s 4s 5s 7s 8s"),
    *("As 2s 3s 4s 9h", "As 2s 3s Kh Kd", "5s 6s 7s 8s 9s", "9s Ts Js Qs Ks", "Ts Js Qs Ks As"),
    *("Ts Js Qs Ks 2h", "Ts Js Qs Ks Kh", "Ts Js Qs 2h 3d", "Ts Js Qs Qh Qd", "As Ks Qs Js 9s"),
)


# --- plain counting, with a ranker and counters of its own ----------------------------------


def straight_flush(hand: tuple[int, ...], bottom: int) -> bool:
    """Five in sequence and suit; a bottom of -1 is the ace counted low."""
    return any(
        all((bottom + i) % 13 * 4 + suit in hand for i in range(5)) for suit in range(4)
    )


def kind_of(hand: tuple[int, ...]) -> FiveCard:
    """What seven cards make, as far as Cover All pays it."""
    if straight_flush(hand, 8):
        return FiveCard.ROYAL_FLUSH
    if any(straight_flush(hand, bottom) for bottom in range(-1, 8)):
        return FiveCard.STRAIGHT_FLUSH
    most, next_most = sorted(Counter(card >> 2 for card in hand).values())[:-3:-1]
    if most == 4:
        return FiveCard.FOUR_OF_A_KIND
    return FiveCard.FULL_HOUSE if most == 3 and next_most >= 2 else FiveCard.HIGH_CARD


@cache
def holdings(board: str) -> dict[Edge, FiveCard]:
    five = tuple(int(card) for card in cards(board))
    others = [card for card in range(52) if card not in five]
    return {pair: kind_of((*five, *pair)) for pair in combinations(others, 2)}


def disjoint(pairs: list[Edge]) -> NDArray[np.float64]:
    """1 where two holdings share no card. Floats are exact here: sums stay below 2**53."""
    held = np.zeros((len(pairs), 52))
    for at, pair in enumerate(pairs):
        held[at, list(pair)] = 1
    return (held @ held.T == 0).astype(np.float64)


def triples(pairs: list[Edge]) -> int:
    """Ordered triples of these holdings that share no card."""
    apart = disjoint(pairs)
    return int(((apart @ apart) * apart).sum())


def polynomial(edges: list[Edge]) -> list[int]:
    """Matchings of 0 to 7 of these edges: the lowest card is matched with nothing or with one of
    its neighbours, and the rest goes on without both. Shares no step with the kernel."""
    near: dict[int, set[int]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)

    @cache
    def of(left: frozenset[int]) -> tuple[int, ...]:
        if not left:
            return (1, *[0] * MOST)
        card = min(left)
        rest = left - {card}
        found = list(of(rest))
        for other in near[card] & rest:
            for j, count in enumerate(of(rest - {other})[:MOST]):
                found[j + 1] += count
        return tuple(found)

    return list(of(frozenset(near)))


def with_stars(rest: list[int], stars: int) -> list[int]:
    """Matchings with cards that match any other: twos of them, then some with one of the rest."""
    found = [0] * (MOST + 1)
    for k, count in enumerate(rest):
        for twos in range((MOST - k) + 1):
            among = comb(stars, 2 * twos) * factorial(2 * twos) // (2**twos * factorial(twos))
            for ones in range(MOST - k - twos + 1):
                free = 47 - stars - 2 * k
                if among and count and stars >= 2 * twos:
                    ways = comb(stars - 2 * twos, ones) * perm(max(free, 0), ones)
                    found[k + twos + ones] += count * among * ways
    return found


def expected(edges: list[Edge]) -> list[int]:
    degrees = Counter(card for edge in edges for card in edge)
    stars = {card for card, degree in degrees.items() if degree == 46}
    rest = [edge for edge in edges if not stars & set(edge)]
    return with_stars(polynomial(rest), len(stars))


@cache
def counted(board: str) -> dict[FiveCard, list[int]]:
    found = np.zeros((1, len(KINDS), MOST + 1), np.int64)
    board_matchings(np.array([cards(board)], np.uint8), found)
    return {kind: found[0, at].tolist() for at, kind in enumerate(KINDS)}


def reaching(board: str) -> Iterator[tuple[FiveCard, list[Edge]]]:
    for kind in KINDS:
        yield kind, [pair for pair, made in holdings(board).items() if made >= kind]


@pytest.mark.parametrize("board", BOARDS)
def test_matchings_of_a_board_are_those_a_plain_count_finds(board: str) -> None:
    for kind, edges in reaching(board):
        assert counted(board)[kind] == expected(edges), kind
        apart = disjoint(edges)  # and up to three edges without a thought of stars or pieces
        plainly = [1, len(edges), int(apart.sum()) // 2, triples(edges) // 6]
        assert counted(board)[kind][:4] == plainly, kind


@pytest.mark.parametrize("board", BOARDS)
def test_two_and_three_hands_on_a_board_are_those_dealt_one_by_one(board: str) -> None:
    for kind in KINDS:
        low = [pair for pair, made in holdings(board).items() if made < kind]
        matchings = counted(board)[kind]
        assert deals_without(matchings, 1) == len(low)
        assert deals_without(matchings, 2) == int(disjoint(low).sum())
        assert deals_without(matchings, 3) == triples(low)


def test_the_boards_tried_hold_every_kind_of_graph() -> None:
    """Else the two tests above could pass for want of anything to count."""
    shapes = {
        (counted(board)[kind][1] == 0, counted(board)[kind][1] == 1081, counted(board)[kind][7] > 0)
        for board in BOARDS
        for kind in KINDS
    }
    assert shapes == {
        (True, False, False),
        (False, False, False),
        (False, False, True),
        (False, True, True),
    }


# --- all boards -----------------------------------------------------------------------------


def test_boards_are_gathered_without_loss() -> None:
    hands, weights = distinct_hands(5)
    boards = np.zeros((RANK_BOARDS + SUIT_BOARDS, 5), np.uint8)
    totals = np.zeros(len(boards), np.int64)
    _gather(hands, weights, boards, totals)
    assert totals.sum() == comb(52, 5)
    assert (totals > 0).sum() == 6_175 + 36_608


@pytest.mark.slow
def test_gathered_boards_count_as_their_boards_one_by_one() -> None:
    hands, weights = distinct_hands(5)
    found = np.zeros((len(hands), len(KINDS), MOST + 1), np.int64)
    board_matchings(hands, found)
    for at, kind in enumerate(KINDS):
        for j in range(MOST + 1):
            by_count = Counter[int]()
            for count, weight in zip(*np.unique(found[:, at, j], return_inverse=True)):
                ...
            assert _all_matchings()[kind][j] == by_count
