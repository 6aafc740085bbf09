"""The same counts when one of the dealer's cards lies face up: Caribbean Stud."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.analysis.counting.removal import BITS, NO_SETS, SETS_OF, Numbers, Running, see
from croupier.cards.kernel import Int, inlined, kernel

Places = NDArray[np.int64]


@inlined
def _places(h: Hands, places: Places) -> None:
    """For each number of my cards below an up-card, and each subset of mine: where the set with
    the up-card added is counted, but for the up-card's own share."""
    for split in range(6):
        for mask in range(31):
            index = np.int64(0)
            size = 0
            for at in range(5):
                if mask >> at & 1:
                    size += 1
                    index += CHOOSE[h[at], size if at < split else size + 1]
            if size < 4:
                index += SETS_OF[size + 1]
            places[split, mask] = index


@inlined
def _below(
    running: Running, numbers: Numbers, places: Places, h: Hands, up: Int, bound: Int
) -> Int:
    """Dealer hands with this up-card, none of my cards, and a number below the bound."""
    split = 0
    for at in range(5):
        split += h[at] < up
    under = (1 << split) - 1
    found = np.int64(0)
    for mask in range(31):
        index = places[split, mask] + CHOOSE[up, BITS[mask & under] + 1]
        if BITS[mask] == 4:
            found += numbers[index] < bound
        elif BITS[mask] & 1:
            found -= running[index]
        else:
            found += running[index]
    return found


@inlined
def _holds(h: Hands, card: Int) -> Int:
    return h[0] == card or h[1] == card or h[2] == card or h[3] == card or h[4] == card


@kernel
def below_bound(
    dealer: Hands, numbers: Numbers, bound: Int, mine: Hands, start: Int, stop: Int, out: Counts
) -> None:
    """Per hand of mine and up-card: dealer hands below the bound."""
    running = np.zeros(NO_SETS, np.int32)
    for at in range(len(dealer)):
        if numbers[at] < bound:
            see(running, dealer[at])
    places = np.zeros((6, 31), np.int64)
    for at in range(start, stop):
        _places(mine[at], places)
        for up in range(52):
            if not _holds(mine[at], up):
                out[at, up] = _below(running, numbers, places, mine[at], up, bound)


@kernel
def below_mine(
    dealer: Hands,
    numbers: Numbers,
    order: Places,
    mine: Hands,
    mine_numbers: Numbers,
    mine_order: Places,
    share: Int,
    shares: Int,
    below: Counts,
    equal: Counts,
) -> None:
    """Per hand of mine and up-card: dealer hands below mine, and equal to it.

    ``mine_order`` may leave hands out; of the rest this does every ``shares``-th.
    """
    running = np.zeros(NO_SETS, np.int32)
    places = np.zeros((6, 31), np.int64)
    seen = 0
    at = 0
    while at < len(mine_order):
        number = mine_numbers[mine_order[at]]
        while numbers[order[seen]] < number:
            see(running, dealer[order[seen]])
            seen += 1
        level = seen
        while level < len(order) and numbers[order[level]] == number:
            level += 1
        while at < len(mine_order) and mine_numbers[mine_order[at]] == number:
            if at % shares == share:
                hand = mine_order[at]
                _places(mine[hand], places)
                held = np.int64(0)
                for card in mine[hand]:
                    held |= np.int64(1) << card
                for up in range(52):
                    if not held >> up & 1:
                        below[hand, up] = _below(running, numbers, places, mine[hand], up, number)
                for other in range(seen, level):
                    cards = dealer[order[other]]
                    if not (
                        held >> cards[0] & 1
                        or held >> cards[1] & 1
                        or held >> cards[2] & 1
                        or held >> cards[3] & 1
                        or held >> cards[4] & 1
                    ):
                        for card in cards:
                            equal[hand, card] += 1
            at += 1
