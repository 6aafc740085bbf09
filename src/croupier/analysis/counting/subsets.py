"""Walking through the sets of cards that may still be dealt, from any one of them on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import CHOOSE
from croupier.cards.kernel import Int, inlined

Places = NDArray[np.int64]


@inlined
def nth(number: Int, places: Places) -> None:
    """The set with this combinatorial number: ascending places in a list of cards."""
    for size in range(len(places), 0, -1):
        place = size - 1
        while CHOOSE[place + 1, size] <= number:
            place += 1
        places[size - 1] = place
        number -= CHOOSE[place, size]


@inlined
def step(places: Places) -> None:
    """On to the next set."""
    at = 0
    while at < len(places) - 1 and places[at] + 1 == places[at + 1]:
        places[at] = at
        at += 1
    if len(places):
        places[at] += 1
