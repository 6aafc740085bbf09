"""Random deals for a simulation, the same for the same seed whoever deals them.

Rounds are dealt in chunks; the seed and the number of the chunk make the chunk's own generator,
xoshiro256** started from splitmix64 (Blackman, Steele, Vigna). One word of it deals up to ten
cards: it is read as a fraction of the ways they can come, card by card, and drawn again in the
few cases that would make some ways likelier than others (Brackett-Rozinsky and Lemire).
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import Hands
from croupier.cards.kernel import Int, inlined, kernel

State = NDArray[np.uint64]

U64 = np.uint64
BITS = 58  # of a word that are used: a card's number, below 64, times such a fraction fits 64 bits
TOGETHER = 10  # cards from one word
FRACTION = U64((1 << BITS) - 1)

# A word that leaves less than this is drawn again: UNEVEN[cards dealt before, cards dealt by it].
UNEVEN = np.zeros((52, TOGETHER + 1), np.uint64)
for _before in range(52):
    for _cards in range(min(TOGETHER, 52 - _before) + 1):
        UNEVEN[_before, _cards] = (1 << BITS) % prod(range(52 - _before - _cards + 1, 53 - _before))


@inlined
def mixed(word: Int) -> Int:
    """The output function of splitmix64."""
    word = (word ^ word >> U64(30)) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U64(27)) * U64(0x94D049BB133111EB)
    return word ^ word >> U64(31)


@kernel
def start(seed: Int, chunk: Int, state: State) -> None:
    """Set a generator to the start of a chunk."""
    word = mixed(mixed(U64(seed)) + U64(chunk))
    for n in range(4):
        word += U64(0x9E3779B97F4A7C15)
        state[n] = mixed(word)


@inlined
def turned(word: Int, by: Int) -> Int:
    return word << U64(by) | word >> U64(64 - by)


@inlined
def next_word(s: State) -> Int:
    """xoshiro256**."""
    found = turned(s[1] * U64(5), 7) * U64(9)
    shifted = s[1] << U64(17)
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= shifted
    s[3] = turned(s[3], 45)
    return found


@kernel
def deal(state: State, rounds: Hands) -> None:
    """Fill each row with different cards, every order of them as likely as any other."""
    deck = np.arange(64).astype(np.uint8)  # as many places as a word can point to
    cards = U64(rounds.shape[1])
    for row in range(len(rounds)):
        first = U64(0)
        while first < cards:
            stop = min(first + U64(TOGETHER), cards)
            word = next_word(state) >> U64(64 - BITS)
            at = first
            while at < stop:
                word *= U64(52) - at
                other = at + (word >> U64(BITS))
                word &= FRACTION
                card = deck[other]
                deck[other] = deck[at]
                deck[at] = card
                rounds[row, at] = card
                at += U64(1)
            if word >= UNEVEN[first, stop - first]:
                first = stop
