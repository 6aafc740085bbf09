"""Sums that stay exact: what fits a machine word is proven to, and what may not is added in parts.

Kernels add nets, in cents on the unit wager, over deals. The largest number a kernel meets is the
largest net times the deals it adds up (``HOLDEM`` and the others below count them). ``fitting``
computes that product in Python's integers, before anything enters a machine word, and refuses in a
sentence where it would not fit. Within ``rules.bounds`` it always fits, as
``tests/analysis/test_exact.py`` shows.

Sums over all deals of a game would not fit: Ultimate Texas Hold'em has 2.8 * 10**13. ``dot`` and
``by_cell`` cut the values into limbs of so few bits that each partial sum fits, and put the sums
together as Python integers.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import DEALER
from croupier.analysis.counting.deals import CHOOSE, Counts
from croupier.cards.kernel import kernel
from croupier.law.refused import Refused
from croupier.rules.bounds import MOST_MULTIPLE

Exact = NDArray[np.object_]  # Python integers
Cells = NDArray[np.int64] | NDArray[np.uint8]

WORD = 63  # bits of a signed word beside its sign
NARROW = 31  # of a word of half the size

TURNS_AND_RIVERS = int(CHOOSE[47, 2])
# A play of n antes is reckoned as once + (n - 1) * (twice - once): at most 2 n times a net.
_PLAYED = 2 * MOST_MULTIPLE
# After a flop the sum by ranks is corrected for up to three suits, each time by a difference.
_CORRECTED = 1 + 2 * 3
HOLDEM_RIVER = DEALER * _PLAYED
HOLDEM = TURNS_AND_RIVERS * DEALER * _PLAYED * _CORRECTED
CARIBBEAN = 5 * int(CHOOSE[46, 4])  # four classes of the dealer's hands, and the fold
PIK_IT = 6 * int(CHOOSE[47, 5])  # three comparisons, qualified or not
RIDE = 49 * 48


def fitting(nets: Iterable[int], deals: int, bits: int = WORD) -> bool:
    """Whether every sum of these nets over so many deals fits a word."""
    return max((abs(net) for net in nets), default=0) * deals < 1 << bits


def must_fit(nets: Iterable[int], deals: int) -> None:
    if not fitting(nets, deals):
        raise Refused("These odds are too large to be worked out exactly.")


def dot(weights: Counts, values: Counts | Exact) -> int:
    """The sum of weights times values, exactly."""
    if values.dtype == object:
        return sum(w * v for w, v in zip(weights.tolist(), values.tolist(), strict=True))
    total, shift = 0, 0
    for limb, bits in _limbs(weights, values.astype(np.int64, copy=False)):
        total += int((weights * limb).sum()) << shift
        shift += bits
    return total


def summed(values: Counts) -> int:
    return dot(np.ones_like(values), values)


def by_cell(cells: Cells, size: int, weights: Counts, values: Counts | Exact) -> Exact:
    """The sums of weights times values, for each of so many cells."""
    total: Exact = np.zeros(size, object)
    if values.dtype == object:
        for cell, weight, value in zip(cells, weights.tolist(), values.tolist(), strict=True):
            total[cell] += weight * value
        return total
    shift = 0
    for limb, bits in _limbs(weights, values.astype(np.int64, copy=False)):
        part = np.zeros(size, np.int64)
        _add(cells, weights, limb, part)
        total += part.astype(object) << shift
        shift += bits
    return total


@kernel
def _add(cells: Cells, weights: Counts, values: Counts, sums: Counts) -> None:
    """A weighted bincount would go through floats."""
    for at in range(len(cells)):
        sums[cells[at]] += weights[at] * values[at]


def _limbs(weights: Counts, values: Counts) -> Iterable[tuple[Counts, int]]:
    """The values in parts of so many bits that any sum of them by these weights, none of which is
    negative, fits a word. The highest part has the sign."""
    bits = WORD - 1 - int(weights.sum()).bit_length()
    assert bits > 0, "the weights of all deals fit a word with room to spare"
    most = int(np.abs(values).max(initial=0))
    while most >> bits:
        yield values & ((1 << bits) - 1), bits
        values = values >> bits
        most = int(np.abs(values).max(initial=0))
    yield values, bits
