"""What a hand is worth at the river, and how often each outcome comes about there.

``nets[kind of hand, versus + 1, qualified, times]`` is the game's own settlement, tabulated; times
is the play wager in antes, and 0 a fold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.boards import BELOW, DEALER, KIND, UNQUALIFIED, UPTO, Tally
from croupier.analysis.deals import Counts
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.ranking import FiveCard

Nets = NDArray[np.int64]
Values = NDArray[np.int32]

PAIR = int(FiveCard.ONE_PAIR)

# Values of a holding at the river: played on as is best, played once, played twice.
RIVER, ONCE, TWICE = 0, 1, 2


@inlined
def against(tally: Tally, dealers: Counts) -> None:
    """dealers[versus + 1, qualified]: how many of the dealer's holdings stand how to this one."""
    below, upto, low = tally[BELOW], tally[UPTO], tally[UNQUALIFIED]
    dealers[:] = 0
    if tally[KIND] - 1 >= PAIR:
        dealers[2, 0], dealers[2, 1] = low, below - low
        dealers[1, 1] = upto - below
        dealers[0, 1] = DEALER - upto
    else:
        dealers[2, 0] = below
        dealers[1, 0] = upto - below
        dealers[0, 0], dealers[0, 1] = low - upto, DEALER - low


@inlined
def _worth(dealers: Counts, nets: Nets, times: Int) -> Int:
    total = np.int64(0)
    for versus in range(3):
        for qualified in range(2):
            total += dealers[versus, qualified] * nets[versus, qualified, times]
    return total


@kernel
def river_values(
    counts: Tally, start: Int, stop: Int, nets: Nets, times: Int, values: Values
) -> None:
    """For each kind of board and holding: the three values, summed over the dealer's holdings.
    ``times``: the play wager at the river."""
    dealers = np.zeros((3, 2), np.int64)
    for board in range(start, stop):
        for holding in range(counts.shape[1]):
            kind = counts[board, holding, KIND] - 1
            if kind >= 0:
                against(counts[board, holding], dealers)
                values[board, holding, ONCE] = _worth(dealers, nets[kind], 1)
                values[board, holding, TWICE] = _worth(dealers, nets[kind], 2)
                played = _worth(dealers, nets[kind], times)
                values[board, holding, RIVER] = max(played, DEALER * nets[kind, 0, 0, 0])


@kernel
def outcome_counts(
    counts: Tally, weights: Values, nets: Nets, times: Int, outcomes: Counts, ties: Counts
) -> None:
    """outcomes[action, kind, versus + 1, qualified] += how often; weights[board, holding, played]
    says how many deals come here having played before the flop (0), after it (1), or not yet (2).
    Actions: before the flop, after it, at the river, fold."""
    dealers = np.zeros((3, 2), np.int64)
    for board in range(len(counts)):
        for holding in range(counts.shape[1]):
            kind = counts[board, holding, KIND] - 1
            if kind < 0:
                continue
            before = np.int64(weights[board, holding, 0])
            after = np.int64(weights[board, holding, 1])
            not_yet = np.int64(weights[board, holding, 2])
            if before == 0 and after == 0 and not_yet == 0:
                continue
            against(counts[board, holding], dealers)
            folds = DEALER * nets[kind, 0, 0, 0]
            played = _worth(dealers, nets[kind], times)
            last = 2 if played >= folds else 3
            if played == folds:
                ties[0] += not_yet * DEALER
            for versus in range(3):
                for qualified in range(2):
                    n = dealers[versus, qualified]
                    outcomes[0, kind, versus, qualified] += before * n
                    outcomes[1, kind, versus, qualified] += after * n
                    outcomes[last, kind, versus, qualified] += not_yet * n
