"""How many dealer hands lie below mine, none of their cards being mine.

For every set S of up to four cards a running count tells how many dealer hands seen so far hold
all of S. Hands are seen in order of strength, so "below mine and disjoint from mine" is an
inclusion and exclusion over the subsets of my five cards; with the dealer's up-card u the sets are
those subsets with u added (31 look-ups).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.cards.kernel import Int, inlined, kernel

Numbers = NDArray[np.uint16]
Running = NDArray[np.int32]

# Where the counts of sets of one, two, three and four cards begin in one array.
SETS_OF = np.array([0, 1, 53, 1379, 23479, 294204], np.int64)
NO_SETS = 294204

BITS = np.array([bin(_mask).count("1") for _mask in range(32)], np.int64)


@inlined
def see(running: Running, h: Hands) -> None:
    """Count one dealer hand in every set of up to four of its cards."""
    a, b, c, d, e = h[0], h[1], h[2], h[3], h[4]
    running[0] += 1
    for card in (a, b, c, d, e):
        running[1 + card] += 1
    for one, two in (
        (a, b),
        (a, c),
        (a, d),
        (a, e),
        (b, c),
        (b, d),
        (b, e),
        (c, d),
        (c, e),
        (d, e),
    ):
        running[53 + one + CHOOSE[two, 2]] += 1
    for i, j, k in (
        (a, b, c),
        (a, b, d),
        (a, b, e),
        (a, c, d),
        (a, c, e),
        (a, d, e),
        (b, c, d),
        (b, c, e),
        (b, d, e),
        (c, d, e),
    ):
        running[1379 + i + CHOOSE[j, 2] + CHOOSE[k, 3]] += 1
    for i, j, k, m in ((a, b, c, d), (a, b, c, e), (a, b, d, e), (a, c, d, e), (b, c, d, e)):
        running[23479 + i + CHOOSE[j, 2] + CHOOSE[k, 3] + CHOOSE[m, 4]] += 1


@inlined
def disjoint(running: Running, h: Hands) -> Int:
    """Dealer hands seen that hold none of these five cards (the hand itself not being seen)."""
    found = np.int64(0)
    for mask in range(31):
        index = np.int64(0)
        size = 0
        for at in range(5):
            if mask >> at & 1:
                size += 1
                index += CHOOSE[h[at], size]
        count = np.int64(running[SETS_OF[size] + index])
        found += -count if size & 1 else count
    return found


@kernel
def below_and_equal(
    dealer: Hands,
    order: NDArray[np.int64],
    numbers: Numbers,
    mine: Hands,
    mine_order: NDArray[np.int64],
    mine_numbers: Numbers,
    below: Counts,
    upto: Counts,
) -> None:
    """For each of my hands: dealer hands disjoint from it with a lower number, and not higher."""
    running = np.zeros(NO_SETS, np.int32)
    seen = 0
    at = 0
    while at < len(mine_order):
        number = mine_numbers[mine_order[at]]
        while seen < len(order) and numbers[order[seen]] < number:
            see(running, dealer[order[seen]])
            seen += 1
        first = at
        while at < len(mine_order) and mine_numbers[mine_order[at]] == number:
            below[mine_order[at]] = disjoint(running, mine[mine_order[at]])
            at += 1
        while seen < len(order) and numbers[order[seen]] == number:
            see(running, dealer[order[seen]])
            seen += 1
        for again in range(first, at):
            # My own five cards have been seen as a dealer hand; the full set takes it off again.
            upto[mine_order[again]] = disjoint(running, mine[mine_order[again]]) - 1
