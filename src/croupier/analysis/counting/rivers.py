"""What a hand is worth at the river, and how often each outcome comes about there.

``nets[kind of hand, versus + 1, qualified, times]`` is the game's own settlement, tabulated; times
is the play wager in antes, and 0 a fold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import BELOW, DEALER, KIND, UNQUALIFIED, UPTO, Tally
from croupier.analysis.counting.deals import Counts
from croupier.analysis.counting.flops import COLUMNS
from croupier.analysis.plan import Choices
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.ranking import FiveCard

Nets = NDArray[np.int64]
Values = NDArray[np.int32] | NDArray[np.int64]  # as ``width`` says

PAIR = int(FiveCard.ONE_PAIR)

# Values of a holding at the river: played on as is best, played once, played twice.
RIVER, ONCE, TWICE = 0, 1, 2

NOT_YET = 0  # antes played by those who have still to choose


def width(nets: Nets) -> type[np.int32] | type[np.int64]:
    """Of the river's tables: narrow words where all values fit, since reading them is most of the
    work, else words of full size."""
    fits = int(np.abs(nets).max()) * DEALER < 1 << 31
    return np.int32 if fits else np.int64


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


@inlined
def _tied(dealers: Counts, nets: Nets, times: Int) -> Int:
    return _worth(dealers, nets, times) == DEALER * nets[0, 0, 0]


@kernel
def river_values(
    counts: Tally,
    start: Int,
    stop: Int,
    nets: Nets,
    least: Int,
    most: Int,
    values: Values,
    choices: Choices,
) -> None:
    """For each kind of board and holding: the three values, summed over the dealer's holdings, and
    what is best at the river: the least or the most that may be played there, or 0 for a fold. What
    lies between them is never better, since a play is worth so much for each ante in it."""
    dealers = np.zeros((3, 2), np.int64)
    for board in range(start, stop):
        for holding in range(counts.shape[1]):
            kind = counts[board, holding, KIND] - 1
            if kind >= 0:
                against(counts[board, holding], dealers)
                once = _worth(dealers, nets[kind], 1)
                twice = _worth(dealers, nets[kind], 2)
                best = most if twice > once else least
                played = once + (best - 1) * (twice - once)
                folded = DEALER * nets[kind, 0, 0, 0]
                values[board, holding, ONCE] = once
                values[board, holding, TWICE] = twice
                values[board, holding, RIVER] = max(played, folded)
                choices[board, holding] = best if played >= folded else 0


@kernel
def outcome_counts(
    counts: Tally,
    weights: Values,
    played: NDArray[np.int64],
    choices: Choices,
    nets: Nets,
    outcomes: Counts,
    ties: Counts,
) -> None:
    """outcomes[times, kind, versus + 1, qualified] += how often; weights[board, holding, column]
    says how many deals come here having played ``played[column]`` antes; those with NOT_YET choose
    now. ties: deals where the play chosen is worth no more than a fold."""
    dealers = np.zeros((3, 2), np.int64)
    for board in range(len(counts)):
        for holding in range(counts.shape[1]):
            kind = counts[board, holding, KIND] - 1
            if kind < 0:
                continue
            against(counts[board, holding], dealers)
            for column in range(COLUMNS):
                deals = np.int64(weights[board, holding, column])
                if deals == 0:
                    continue
                times = played[column]
                if times == NOT_YET:
                    times = np.int64(choices[board, holding])
                    if times and _tied(dealers, nets[kind], times):
                        ties[0] += deals * DEALER
                for versus in range(3):
                    for qualified in range(2):
                        n = dealers[versus, qualified]
                        outcomes[times, kind, versus, qualified] += deals * n
