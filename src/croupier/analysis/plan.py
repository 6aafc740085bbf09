"""A player's whole plan: what is done at every point the game asks, hand by hand.

Optimal play, a published strategy and a user's own are all plans; one is counted out, simulated
and advised like the other. Hands stand for all that differ only in the names of suits, in the
order of ``distinct_hands``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Choices = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class HoldemPlan:
    """Ultimate Texas Hold'em: the play wager in antes, 0 where the player does not play."""

    before: Choices  # [169] by the chart of 13 by 13 (flops.hole_classes); 0 is a check
    after: Choices  # [distinct flops, holdings beside the flop] (flops.flop_sums); 0 is a check
    by_ranks: Choices  # [RANK_BOARDS, RANK_PAIRS], at the river (boards.rank_boards); 0 is a fold
    by_suit: Choices  # [SUIT_BOARDS, CODE_PAIRS], where three or more are of a suit; 0 is a fold


@dataclass(frozen=True, slots=True, eq=False)
class CaribbeanPlan:
    bets: Flags  # [distinct hands of five, the dealer's up-card]


@dataclass(frozen=True, slots=True, eq=False)
class RidePlan:
    first: Flags  # [distinct hands of three]: bet 1 rides
    second: Flags  # [distinct hands of three, first community card]: bet 2 rides


@dataclass(frozen=True, slots=True, eq=False)
class PikItPlan:
    plays: Choices  # [distinct hands of five]: 0 folds, 1 plays three cards, 2 plays five


Plan = HoldemPlan | CaribbeanPlan | RidePlan | PikItPlan
