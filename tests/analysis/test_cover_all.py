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

from croupier.analysis.counting.cover_all import (
    BELOW,
    KINDS,
    MOST,
    all_matchings,
    board_kinds,
    board_matchings,
    deals,
    deals_without,
    highest_hands,
)
from croupier.analysis.counting.deals import distinct_hands
from croupier.cards.card import cards
from croupier.cards.evaluator import FIVE_CARD_KIND, evaluate7
from croupier.cards.ranking import FiveCard
from croupier.games.ultimate_texas_holdem import Outcome, settle_cover_all
from croupier.house.check import MOST_COVER_ALL_PLAYERS
from croupier.law.refused import Refused
from croupier.rules.game import Versus

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
    return any(all((bottom + i) % 13 * 4 + suit in hand for i in range(5)) for suit in range(4))


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


def disjoint(pairs: list[Edge]) -> NDArray[np.float32]:
    """1 where two holdings share no card, else 0."""
    held = np.zeros((len(pairs), 52), np.float32)
    for at, pair in enumerate(pairs):
        held[at, list(pair)] = 1
    apart: NDArray[np.float32] = (held @ held.T == 0).astype(np.float32)
    return apart


def doubles(pairs: list[Edge]) -> int:
    """Ordered pairs of these holdings that share no card."""
    return int(disjoint(pairs).sum(dtype=np.int64))


def triples(pairs: list[Edge]) -> int:
    """Ordered triples of these holdings that share no card. The product holds whole numbers up to
    1,081, so floats are exact."""
    apart = disjoint(pairs)
    return int(((apart @ apart) * apart).sum(dtype=np.int64))


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
        for twos in range(min(MOST - k, stars // 2) + 1 if count else 0):
            among = comb(stars, 2 * twos) * factorial(2 * twos) // (2**twos * factorial(twos))
            for ones in range(MOST - k - twos + 1):
                ways = comb(stars - 2 * twos, ones) * perm(47 - stars - 2 * k, ones)
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
        # And up to three edges without a thought of stars or pieces.
        plainly = [1, len(edges), doubles(edges) // 2, triples(edges) // 6]
        assert counted(board)[kind][:4] == plainly, kind


@pytest.mark.parametrize("board", BOARDS[::3])  # some of every line above
def test_two_and_three_hands_on_a_board_are_those_dealt_one_by_one(board: str) -> None:
    for kind in KINDS:
        low = [pair for pair, made in holdings(board).items() if made < kind]
        matchings = counted(board)[kind]
        assert deals_without(matchings, 1) == len(low)
        assert deals_without(matchings, 2) == doubles(low)
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
    boards, weights = board_kinds()
    assert weights.sum() == comb(52, 5)
    assert len(boards) == 6_175 + 36_608


def test_gathered_boards_count_as_their_boards_one_by_one() -> None:
    hands, weights = distinct_hands(5)
    found = np.zeros((len(hands), len(KINDS), MOST + 1), np.int64)
    board_matchings(hands, found)
    for at, kind in enumerate(KINDS):
        for j in range(MOST + 1):
            one_by_one = weights.astype(object) @ found[:, at, j].astype(object)
            assert all_matchings()[kind][j] == one_by_one


def test_one_hand_is_the_known_count_of_seven_cards() -> None:
    known = dict(zip(LINES, (4_324, 37_260, 224_848, 3_473_184), strict=True))
    known[BELOW] = comb(52, 7) - sum(known.values())
    assert highest_hands(1) == {hand: comb(7, 2) * count for hand, count in known.items()}


def test_deals_are_a_board_and_one_pair_of_cards_after_the_other() -> None:
    assert deals(2) == comb(52, 5) * comb(47, 2) * comb(45, 2)
    assert deals(7) == factorial(52) // (factorial(5) * 2**7 * factorial(33))


@pytest.mark.parametrize("n", HANDS)
def test_every_deal_is_counted_once_and_more_hands_reach_higher(n: int) -> None:
    found = highest_hands(n)
    assert (*found,) == (*LINES, BELOW)
    assert sum(found.values()) == deals(n)
    fewer = highest_hands(n - 1)
    for line in LINES:
        share, before = Fraction(found[line], deals(n)), Fraction(fewer[line], deals(n - 1))
        assert before < share < n * Fraction(highest_hands(1)[line], deals(1))


@pytest.mark.ruling("M2")
def test_m2__two_to_seven_hands_are_counted_and_no_more() -> None:
    assert MOST == MOST_COVER_ALL_PLAYERS + 1
    for n in (0, MOST + 1):
        with pytest.raises(Refused, match=f"not for {n}"):
            highest_hands(n)


# --- random deals ---------------------------------------------------------------------------

TRIALS, CHUNK = 2_000_000, 250_000


@pytest.fixture(scope="module")
def dealt() -> dict[int, list[int]]:
    """Of random deals, how many have their highest hand of each kind; by number of hands."""
    random = np.random.default_rng(13)
    rows = np.arange(CHUNK)
    found = {n: np.zeros(len(FiveCard), np.int64) for n in HANDS}
    for _ in range(TRIALS // CHUNK):
        deck = np.tile(np.arange(52, dtype=np.uint8), (CHUNK, 1))
        for at in range(5 + 2 * MOST):  # as many steps of a fair shuffle as cards are dealt
            drawn = random.integers(at, 52, CHUNK)
            card = deck[rows, drawn]
            deck[rows, drawn] = deck[:, at]
            deck[:, at] = card
        highest = np.zeros(CHUNK, np.uint16)
        for n in range(1, MOST + 1):
            hole = deck[:, 3 + 2 * n : 5 + 2 * n]
            highest = np.maximum(highest, evaluate7(np.hstack([deck[:, :5], hole])))
            if n in found:
                found[n] += np.bincount(FIVE_CARD_KIND[highest], minlength=len(FiveCard))
    return {n: counts.tolist() for n, counts in found.items()}


@pytest.mark.parametrize("n", HANDS)
def test_random_deals_agree(n: int, dealt: dict[int, list[int]]) -> None:
    sampled = dict(zip(LINES, reversed(dealt[n][FiveCard.FULL_HOUSE :]), strict=True))
    sampled[BELOW] = sum(dealt[n][: FiveCard.FULL_HOUSE])
    assert sum(sampled.values()) == TRIALS
    for hand, count in highest_hands(n).items():
        share = count / deals(n)
        assert abs(sampled[hand] - TRIALS * share) < 5 * sqrt(TRIALS * share * (1 - share)), hand


# --- what the wager is worth: ruling M1 -----------------------------------------------------

EDGES = {
    2: Fraction(1_734_668_653, 17_383_631_265),  # 9.979 %
    3: Fraction(5_697_580_234, 56_998_616_675),  # 9.996 %
    4: Fraction(2_686_105_347_139, 29_187_944_685_900),  # 9.203 %
    5: Fraction(991_646_314_106_828, 11_519_403_082_612_425),  # 8.608 %
    6: Fraction(324_998_536_104_229_381, 3_267_670_674_434_391_225),  # 9.946 %
    7: Fraction(1_066_898_576_309_497_207, 10_100_072_993_706_300_150),  # 10.563 %
}


def net(n: int, highest: str) -> int:
    """What a wager of one dollar wins or loses, in dollars, as the game itself settles it."""
    outcome = Outcome("high-card", Versus.LOWER, False, highest=highest, hands=n)
    settled = settle_cover_all(outcome, 100, terms_of(MA_UTH))
    assert settled.net % 100 == 0
    return settled.net // 100


@pytest.mark.ruling("M1", "M2")
@pytest.mark.parametrize("n", HANDS)
def test_m1__the_printed_lines_alone_give_the_house_a_steady_edge(n: int) -> None:
    """8.6 to 10.6 percent at every table size: what one would expect of tables made for it."""
    lower = {net(n, hand) for hand in ("flush", "straight", "three-of-a-kind", "two-pair", "pair")}
    assert lower == {-1}
    won = sum(net(n, line) * highest_hands(n)[line] for line in LINES)
    edge = Fraction(highest_hands(n)[BELOW] - won, deals(n))
    assert edge == EDGES[n]
    assert Fraction(8, 100) < edge < Fraction(11, 100)


@pytest.mark.ruling("M1", "M2")
@pytest.mark.parametrize("n", HANDS)
def test_m1__pushing_from_three_of_a_kind_up_would_give_it_to_the_player(
    n: int, dealt: dict[int, list[int]]
) -> None:
    """How often the highest hand is three-of-a-kind, a straight or a flush is sampled here, and
    the edge it would cost is far beyond chance; paying such hands would cost more still."""
    share = sum(dealt[n][FiveCard.THREE_OF_A_KIND : FiveCard.FULL_HOUSE]) / TRIALS
    error = sqrt(share * (1 - share) / TRIALS)
    assert float(EDGES[n]) - share + 5 * error < 0
