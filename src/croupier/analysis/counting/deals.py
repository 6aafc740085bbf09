"""All hands of three and five cards, and those that differ in more than the names of suits."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards.kernel import Int, kernel

Hands = NDArray[np.uint8]
Counts = NDArray[np.int64]

# CHOOSE[n, k]: the place of a card n as the k-th lowest of a set (combinatorial numbers).
CHOOSE = np.zeros((53, 8), np.int64)
CHOOSE[:, 0] = 1
for _n in range(1, 53):
    for _k in range(1, 8):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k] + CHOOSE[_n - 1, _k - 1]


class Distinct(NamedTuple):
    """One hand of each suit pattern, and how many hands it stands for."""

    hands: Hands
    weights: Counts


@kernel
def _all_hands(size: Int, hands: Hands) -> None:
    """Every set of cards in the order of its combinatorial number."""
    cards = np.arange(size)
    for at in range(len(hands)):
        for k in range(size):
            hands[at, k] = cards[k]
        k = 0
        while k < size - 1 and cards[k] + 1 == cards[k + 1]:
            cards[k] = k
            k += 1
        cards[k] += 1


@kernel
def _suit_weights(hands: Hands, weights: Counts) -> None:
    """24 over the symmetries for the hand whose suits come in descending order, else 0."""
    for at in range(len(hands)):
        masks = np.zeros(4, np.int64)
        for card in hands[at]:
            masks[card & 3] |= 1 << (card >> 2)
        if masks[0] < masks[1] or masks[1] < masks[2] or masks[2] < masks[3]:
            weights[at] = 0
            continue
        same = 1
        weight = 24
        for suit in range(1, 4):
            same = same + 1 if masks[suit] == masks[suit - 1] else 1
            weight //= same
        weights[at] = weight


@cache
def all_hands(size: int) -> Hands:
    hands = np.zeros((CHOOSE[52, size], size), np.uint8)
    _all_hands(size, hands)
    return hands


@cache
def distinct_hands(size: int) -> Distinct:
    hands = all_hands(size)
    weights = np.zeros(len(hands), np.int64)
    _suit_weights(hands, weights)
    kept = weights > 0
    return Distinct(np.ascontiguousarray(hands[kept]), weights[kept])
