"""The fast evaluator and the readable ranking are the same order of hands.

For five and three cards this is proved over every hand there is. For seven cards, and for
the best three of five, every hand is compared with the best of its parts.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import chain, combinations, pairwise, product
from math import comb, prod
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from croupier.cards import evaluator, kernel, ranking
from croupier.cards.card import DECK, Card, Rank, Suit, card, cards
from croupier.cards.evaluator import (
    FIVE_CARD_FIRST,
    FIVE_CARD_KIND,
    THREE_CARD_FIRST,
    THREE_CARD_KIND,
    Hands,
    best_three_of_five,
    evaluate3,
    evaluate5,
    evaluate7,
    five,
    seven,
    three,
)
from croupier.cards.kernel import Numbers
from croupier.cards.ranking import (
    FiveCard,
    Strength,
    ThreeCard,
    best_five,
    best_three,
    rank_five,
    rank_three,
)
from croupier.law.refused import Refused

# --- hands ----------------------------------------------------------------------------------


def every_hand(size: int) -> Hands:
    flat = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(flat, np.uint8).reshape(-1, size)


def random_hands(seed: int, count: int, size: int) -> Hands:
    order = np.random.default_rng(seed).random((count, 52)).argsort(axis=1)
    return order[:, :size].astype(np.uint8)


def hand(row: Any) -> tuple[Card, ...]:
    return tuple(DECK[number] for number in row)


def dealt(*sizes: int) -> st.SearchStrategy[list[int]]:
    """Cards without repetition, drawn from few ranks or suits often enough to matter."""
    decks = [range(52), range(0, 52, 4), range(20), range(32, 52), [*range(0, 52, 4), 1, 2, 3, 5]]
    return st.sampled_from([(deck, size) for deck in decks for size in sizes]).flatmap(
        lambda pair: st.permutations(pair[0]).map(lambda order: list(order[: pair[1]]))
    )


@pytest.fixture(scope="module")
def fives() -> Hands:
    return every_hand(5)


@pytest.fixture(scope="module")
def five_numbers(fives: Hands) -> Numbers:
    return evaluate5(fives)


@pytest.fixture(scope="module")
def five_strengths(fives: Hands, five_numbers: Numbers) -> list[Strength]:
    """By number: what the readable ranking says of one hand of that number."""
    _, first = np.unique(five_numbers, return_index=True)
    return [rank_five(hand(fives[at])) for at in first]


@pytest.fixture(scope="module")
def three_strengths() -> list[Strength]:
    threes = every_hand(3)
    _, first = np.unique(evaluate3(threes), return_index=True)
    return [rank_three(hand(threes[at])) for at in first]


# --- five cards -----------------------------------------------------------------------------


def keys_of(hands: NDArray[Any]) -> NDArray[np.int64]:
    """A number for (ranks in ascending order, whether of one suit)."""
    key: NDArray[np.int64] = (hands & 3 == hands[:, :1] & 3).all(axis=1).astype(np.int64)
    for column in (np.sort(hands, axis=1) >> 2).T:
        key = key * 13 + column
    return key


def test_five_card_numbers_are_dense_and_in_the_order_of_the_law(
    five_numbers: Numbers, five_strengths: list[Strength]
) -> None:
    assert five_numbers.size == 2_598_960
    assert np.array_equal(np.unique(five_numbers), np.arange(7462))
    assert all(low < high for low, high in pairwise(five_strengths))


def test_every_five_card_hand_has_the_number_of_its_strength(
    fives: Hands, five_numbers: Numbers, five_strengths: list[Strength]
) -> None:
    """All 2,598,960 hands: ranks and "of one suit" decide the number, and so the strength.

    That they are all that ``rank_five`` looks at is proved by the next test.
    """
    keys, first, key_of = np.unique(keys_of(fives), return_index=True, return_inverse=True)
    assert keys.size == 7462
    assert np.array_equal(five_numbers[first][key_of], five_numbers)
    for at in first:
        assert five_strengths[five_numbers[at]] == rank_five(hand(fives[at]))


class RankOnly:
    """A card of which nothing can be seen but the rank."""

    __slots__ = ("rank",)

    def __init__(self, rank: Rank) -> None:
        self.rank = rank


class SuitOnly:
    __slots__ = ("suit",)

    def __init__(self, suit: Suit) -> None:
        self.suit = suit


def test_rank_five_sees_nothing_but_ranks_and_whether_one_suit(
    fives: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_suit = ranking.one_suit
    for suits in product(Suit, repeat=5):
        assert one_suit([SuitOnly(s) for s in suits]) == (len(set(suits)) == 1)  # type: ignore[misc]
    _, first = np.unique(keys_of(fives), return_index=True)
    for at in first:
        real = hand(fives[at])
        with monkeypatch.context() as patch:
            answer = one_suit(real)
            patch.setattr(ranking, "one_suit", lambda _, answer=answer: answer)
            blind: Any = [RankOnly(c.rank) for c in real]
            strength = rank_five(blind)
        assert strength == rank_five(real)


def exchanged(hands: Hands) -> Iterator[Hands]:
    """The same hands with two suits exchanged, and with each suit made the next: any way to name
    the suits anew is made of these two."""
    for names in ([1, 0, 2, 3], [1, 2, 3, 0]):
        yield hands & 0xFC | np.array(names, np.uint8)[hands & 3]


def test_the_names_of_suits_do_not_matter_to_the_number_of_any_hand(
    fives: Hands, five_numbers: Numbers
) -> None:
    for others in exchanged(fives):
        assert np.array_equal(evaluate5(others), five_numbers)


@pytest.mark.slow
def test_every_five_card_hand_one_by_one(
    fives: Hands, five_numbers: Numbers, five_strengths: list[Strength]
) -> None:
    """The same again with no argument in between but that the names of suits do not matter: both
    rankings, every hand with as many cards of a suit as of the next or more."""
    counts = np.array([(fives & 3 == suit).sum(axis=1) for suit in range(4)])
    ordered = (counts[:-1] >= counts[1:]).all(axis=0)
    assert ordered.sum() == sum(
        prod(comb(13, count) for count in counts)
        for counts in product(range(6), repeat=4)
        if sum(counts) == 5 and [*counts] == sorted(counts, reverse=True)
    )
    for row, number in zip(fives[ordered].tolist(), five_numbers[ordered].tolist(), strict=True):
        assert rank_five(hand(row)) == five_strengths[number]


@pytest.mark.parametrize(
    ("text", "number"),
    [("7c 5d 4h 3s 2c", 0), ("As Ks Qs Js Ts", 7461), ("5d 4d 3d 2d Ad", 7452)],
)
def test_five_card_landmarks(text: str, number: int) -> None:
    assert five(*cards(text)) == number


# --- three cards ----------------------------------------------------------------------------


def test_every_three_card_hand(three_strengths: list[Strength]) -> None:
    threes = every_hand(3)
    numbers = evaluate3(threes)
    assert numbers.size == 22_100
    assert np.array_equal(np.unique(numbers), np.arange(741))
    assert all(low < high for low, high in pairwise(three_strengths))
    for row, number in zip(threes.tolist(), numbers.tolist(), strict=True):
        assert rank_three(hand(row)) == three_strengths[number]


@pytest.mark.parametrize(
    ("text", "number"), [("5c 3d 2h", 0), ("As Ks Qs", 740), ("Ac 2c 3c", 729)]
)
def test_three_card_landmarks(text: str, number: int) -> None:
    assert three(*cards(text)) == number


# --- kinds ----------------------------------------------------------------------------------


def test_kinds_of_numbers(five_strengths: list[Strength], three_strengths: list[Strength]) -> None:
    assert FIVE_CARD_KIND.tolist() == [strength.kind for strength in five_strengths]
    assert THREE_CARD_KIND.tolist() == [strength.kind for strength in three_strengths]
    assert FIVE_CARD_FIRST.tolist() == [FIVE_CARD_KIND.tolist().index(k) for k in FiveCard]
    assert THREE_CARD_FIRST.tolist() == [THREE_CARD_KIND.tolist().index(k) for k in ThreeCard]
    assert FIVE_CARD_KIND.dtype == THREE_CARD_KIND.dtype == np.uint8


# --- seven cards ----------------------------------------------------------------------------
# The kernels of these tests are not cached on disk: a cached one would go on testing the
# evaluator as it was before a change.


@numba.njit
def count_kinds_of_seven() -> Any:
    counts = np.zeros(10, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                counts[FIVE_CARD_KIND[seven(a, b, c, d, e, f, g)]] += 1
    return counts


def test_kinds_of_all_seven_card_hands() -> None:
    assert dict(zip(FiveCard, count_kinds_of_seven().tolist(), strict=True)) == {
        FiveCard.HIGH_CARD: 23_294_460,
        FiveCard.ONE_PAIR: 58_627_800,
        FiveCard.TWO_PAIR: 31_433_400,
        FiveCard.THREE_OF_A_KIND: 6_461_620,
        FiveCard.STRAIGHT: 6_180_020,
        FiveCard.FLUSH: 4_047_644,
        FiveCard.FULL_HOUSE: 3_473_184,
        FiveCard.FOUR_OF_A_KIND: 224_848,
        FiveCard.STRAIGHT_FLUSH: 37_260,
        FiveCard.ROYAL_FLUSH: 4_324,
    }


@numba.njit
def best_five_with(last: Any, others: Any) -> Any:
    """The best of all fives made of the last card and four of the others."""
    best = 0
    for i in range(len(others)):
        for j in range(i):
            for k in range(j):
                for m in range(k):
                    best = max(best, five(others[i], others[j], others[k], others[m], last))
    return best


@numba.njit
def ordered(suits: Any) -> Any:
    """Whether there are as many cards of a suit as of the next or more; a byte counts a suit."""
    first, second, third, fourth = suits & 15, suits >> 8 & 15, suits >> 16 & 15, suits >> 24
    return first >= second >= third >= fourth


@numba.njit
def exchanged_in_seven(names: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    """The number of the hand with its suits named anew; two bits of the names for each suit."""
    return seven(
        a & ~3 | names >> 2 * (a & 3) & 3,
        b & ~3 | names >> 2 * (b & 3) & 3,
        c & ~3 | names >> 2 * (c & 3) & 3,
        d & ~3 | names >> 2 * (d & 3) & 3,
        e & ~3 | names >> 2 * (e & 3) & 3,
        f & ~3 | names >> 2 * (f & 3) & 3,
        g & ~3 | names >> 2 * (g & 3) & 3,
    )


TWO_EXCHANGED = 0b11_10_00_01
EACH_THE_NEXT = 0b00_11_10_01


@numba.njit
def sevens_that_are_not_their_best_five() -> Any:
    """How many sevens mind the names of suits, how many were compared with their best five, and
    how many of these are not it."""
    minding = compared = wrong = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        of_five = five(a, b, c, d, e)
                        suits_of_five = 0
                        for one in (a, b, c, d, e):
                            suits_of_five += 1 << 8 * (one & 3)
                        for f in range(e):
                            of_six = max(of_five, best_five_with(f, (a, b, c, d, e)))
                            suits_of_six = suits_of_five + (1 << 8 * (f & 3))
                            for g in range(f):
                                number = seven(a, b, c, d, e, f, g)
                                minding += number != exchanged_in_seven(
                                    TWO_EXCHANGED, a, b, c, d, e, f, g
                                )
                                minding += number != exchanged_in_seven(
                                    EACH_THE_NEXT, a, b, c, d, e, f, g
                                )
                                if ordered(suits_of_six + (1 << 8 * (g & 3))):
                                    best = max(of_six, best_five_with(g, (a, b, c, d, e, f)))
                                    compared += 1
                                    wrong += best != number
    return minding, compared, wrong


@pytest.mark.slow
def test_every_seven_card_hand_is_its_best_five() -> None:
    """The names of suits matter to no number of five cards, as proved above, nor of seven. So the
    hands with as many cards of a suit as of the next or more stand for all."""
    of_ordered_suits = sum(
        prod(comb(13, count) for count in counts)
        for counts in product(range(8), repeat=4)
        if sum(counts) == 7 and [*counts] == sorted(counts, reverse=True)
    )
    assert sevens_that_are_not_their_best_five() == (0, of_ordered_suits, 0)


def agree_on_seven(hands: Hands, five_strengths: list[Strength]) -> None:
    numbers = evaluate7(hands).tolist()
    strengths = [best_five(hand(row)) for row in hands.tolist()]
    assert [five_strengths[number] for number in numbers] == strengths
    for (n, s), (m, t) in pairwise(zip(numbers, strengths, strict=True)):
        assert (n < m, n == m) == (s < t, s == t)


def test_random_seven_card_hands(five_strengths: list[Strength]) -> None:
    agree_on_seven(random_hands(1, 2_000, 7), five_strengths)


@pytest.mark.slow
def test_more_random_seven_card_hands(five_strengths: list[Strength]) -> None:
    agree_on_seven(random_hands(2, 18_000, 7), five_strengths)


@given(st.lists(dealt(7), min_size=2, max_size=2))
def test_seven_card_hands_compare_as_the_law_compares(pair: list[list[int]]) -> None:
    (n, m), (s, t) = evaluate7(np.array(pair, np.uint8)), [best_five(hand(row)) for row in pair]
    assert (n < m, n == m) == (s < t, s == t)


# --- the best three of five -----------------------------------------------------------------


@numba.njit
def best_threes(hands: Any) -> Any:
    """For each hand: best_three_of_five, and the best of its ten threes."""
    found = np.zeros((2, len(hands)), np.uint16)
    for at in range(len(hands)):
        h = hands[at]
        found[0, at] = best_three_of_five(h[0], h[1], h[2], h[3], h[4])
        for i in range(5):
            for j in range(i):
                for k in range(j):
                    found[1, at] = max(found[1, at], three(h[i], h[j], h[k]))
    return found


def test_best_three_of_every_five_cards(fives: Hands) -> None:
    directly, one_by_one = best_threes(fives)
    assert np.array_equal(directly, one_by_one)


@given(dealt(5))
def test_best_three_of_five_by_the_readable_ranking(
    three_strengths: list[Strength], row: list[int]
) -> None:
    assert three_strengths[best_three_of_five(*row)] == best_three(hand(row))


# --- batches and what they refuse -----------------------------------------------------------

BATCHES = [(3, evaluate3, three), (5, evaluate5, five), (7, evaluate7, seven)]
SIZES = pytest.mark.parametrize(("size", "batch", "one"), BATCHES, ids=["three", "five", "seven"])


@SIZES
def test_batch_equals_scalar(size: int, batch: Any, one: Any) -> None:
    hands = random_hands(3, 3_000, size)
    numbers = batch(hands)
    assert numbers.dtype == np.uint16
    assert numbers.tolist() == [one(*row) for row in hands.tolist()]


@SIZES
def test_order_of_cards_and_layout_of_the_array_do_not_matter(
    size: int, batch: Any, one: Any
) -> None:
    hands = random_hands(4, 3_000, size)
    numbers = batch(hands)
    assert np.array_equal(batch(hands[:, ::-1]), numbers)
    assert np.array_equal(batch(np.asfortranarray(hands)), numbers)
    assert np.array_equal(batch(hands[::3]), numbers[::3])
    assert np.array_equal(batch(np.random.default_rng(5).permuted(hands, axis=1)), numbers)
    assert batch(hands[:0]).shape == (0,)


@SIZES
def test_refused_arrays(size: int, batch: Any, one: Any) -> None:
    good = random_hands(6, 10, size)
    for bad in (good[:, 1:], good[0], good[None], np.zeros((4, 6), np.uint8)):
        with pytest.raises(Refused, match=f"array of uint8 with {size} columns"):
            batch(bad)
    for dtype in (np.int64, np.int8, np.float64, np.bool_):
        with pytest.raises(Refused, match=np.dtype(dtype).name):
            batch(good.astype(dtype))


@SIZES
@pytest.mark.parametrize("number", [52, 53, 128, 255])
def test_refused_cards(size: int, batch: Any, one: Any, number: int) -> None:
    for row, column in ((0, 0), (9, size - 1)):
        hands = random_hands(7, 10, size)
        hands[row, column] = number
        with pytest.raises(Refused, match=f"0 to 51, and {number} is none"):
            batch(hands)
    hands[row, column] = card("As")
    batch(hands)


def test_the_evaluator_does_not_lean_on_the_ranking() -> None:
    for module in (evaluator, kernel):
        tree = ast.parse(inspect.getsource(module))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert imports
        assert "ranking" not in " ".join(map(ast.unparse, imports))
