"""The random deals of a simulation: the published generators, and no card likelier than another."""

from __future__ import annotations

from collections.abc import Iterator
from math import perm, prod

import numpy as np
import pytest

from croupier.analysis.simulation.random_deals import BITS, UNEVEN, deal, mixed, next_word, start

WORD = 2**64


def of(seed: int, chunk: int) -> np.ndarray:
    state = np.zeros(4, np.uint64)
    start(np.uint64(seed), np.uint64(chunk), state)
    return state


def dealt(seed: int, chunk: int, rounds: int, cards: int) -> np.ndarray:
    found = np.zeros((rounds, cards), np.uint8)
    deal(of(seed, chunk), found)
    return found


def test_xoshiro_gives_the_words_its_authors_give() -> None:
    state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(next_word(state)) for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_splitmix_gives_the_words_its_authors_give() -> None:
    seed, step = 1477776061723855037, 0x9E3779B97F4A7C15
    found = [int(mixed(np.uint64((seed + n * step) % WORD))) for n in (1, 2, 3, 4)]
    assert found == [
        1985237415132408290,
        2979275885539914483,
        13511426838097143398,
        8488337342461049707,
    ]


def stream(state: list[int]) -> Iterator[int]:
    """xoshiro256** once more, in whole numbers of Python."""
    turn = lambda word, by: (word << by | word >> 64 - by) % WORD  # noqa: E731
    a, b, c, d = state
    while True:
        yield turn(b * 5 % WORD, 7) * 9 % WORD
        c, d, e = c ^ a, d ^ b, b << 17 & WORD - 1
        b, a, c, d = b ^ c, a ^ d, c ^ e, turn(d, 45)


def slow_deal(state: list[int], rounds: int, cards: int) -> Iterator[list[int]]:
    """The same deals by their definition: a word, as a fraction of all the ways that up to ten
    cards can come, points at one, and is drawn again where ways would not be equally likely."""
    drawn = stream(state)
    deck = list(range(52))
    for _ in range(rounds):
        first = 0
        while first < cards:
            sizes = [52 - at for at in range(first, min(first + 10, cards))]
            ways = prod(sizes)
            way, rest = divmod((next(drawn) >> 64 - BITS) * ways, 2**BITS)
            for at, size in enumerate(sizes):
                below = prod(sizes[at + 1 :])
                other = first + at + way // below % size
                deck[first + at], deck[other] = deck[other], deck[first + at]
            if rest >= 2**BITS % ways:
                first += len(sizes)
        yield deck[:cards]


@pytest.mark.parametrize("cards", [5, 9, 10, 19, 35])
def test_the_kernel_deals_what_the_definition_deals(cards: int) -> None:
    """Some words of a thousand rounds are drawn again where ten cards come of one."""
    expected = slow_deal(of(9, 4).tolist(), 2_000, cards)
    assert dealt(9, 4, 2_000, cards).tolist() == list(expected)


def test_some_words_are_drawn_again() -> None:
    assert all(UNEVEN[0, n] == 2**BITS % perm(52, n) for n in range(1, 11))
    assert 0.004 < int(UNEVEN[0, 10]) / 2**BITS < 0.005


@pytest.mark.parametrize("cards", [5, 9, 35])
def test_a_round_has_each_card_once(cards: int) -> None:
    rows = dealt(1, 0, 2_000, cards)
    assert rows.max() <= 51
    assert (np.diff(np.sort(rows, axis=1), axis=1) > 0).all()


def test_every_card_is_as_likely_in_every_place() -> None:
    rounds = 1_000_000
    rows = dealt(2, 0, rounds, 9)
    for place in range(9):
        counts = np.bincount(rows[:, place], minlength=52)
        chi = ((counts - rounds / 52) ** 2).sum() / (rounds / 52)
        assert chi < 51 + 5 * np.sqrt(2 * 51), place


def test_every_pair_of_cards_is_as_likely_in_two_places() -> None:
    rounds = 1_000_000
    rows = dealt(3, 0, rounds, 9).astype(np.int64)
    ways = 52 * 51
    for a, b in ((0, 1), (3, 7), (0, 8)):
        counts = np.bincount(rows[:, a] * 52 + rows[:, b], minlength=52 * 52)
        counts = np.delete(counts, np.arange(52) * 53)  # no card comes twice
        chi = ((counts - rounds / ways) ** 2).sum() / (rounds / ways)
        assert abs(chi - (ways - 1)) < 5 * np.sqrt(2 * (ways - 1)), (a, b)


def test_seeds_and_chunks_have_deals_of_their_own() -> None:
    found = {dealt(seed, chunk, 1, 9).tobytes() for seed in range(50) for chunk in range(50)}
    assert len(found) == 2_500
