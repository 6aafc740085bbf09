"""How many dealer hands below a bound use none of my cards."""

from __future__ import annotations

import numpy as np

from croupier.analysis.counting.deals import Counts, Hands
from croupier.analysis.counting.removal import NO_SETS, Numbers, disjoint, see
from croupier.cards.kernel import Int, kernel


@kernel
def below_bound(
    dealer: Hands, numbers: Numbers, bound: Int, mine: Hands, my_numbers: Numbers, out: Counts
) -> None:
    running = np.zeros(NO_SETS, np.int32)
    for at in range(len(dealer)):
        if numbers[at] < bound:
            see(running, dealer[at])
    for at in range(len(mine)):
        # A hand of mine below the bound was seen as a dealer's; the full set takes it off.
        out[at] = disjoint(running, mine[at]) - (my_numbers[at] < bound)
