"""What a player sees when the game asks: many situations at once, a row for each.

Situations that a plan does not tell apart are asked about once, with cards that stand for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import Hands
from croupier.house.submission import House

Numbers = NDArray[np.int64]

PLAY = "play"  # the largest multiple of the ante on offer

POINTS = {
    "ultimate-texas-holdem": ("before-flop", "after-flop", "after-river"),
    "caribbean-stud": ("after-deal",),
    "let-it-ride": ("bet-1", "bet-2"),
    "pik-it": ("play",),
}


@dataclass(frozen=True, slots=True, eq=False)
class Situations:
    game: str
    point: str
    options: Mapping[str, int]
    hand: Hands  # [row, card]: the player's own
    shown: Hands  # [row, card]: community cards face up, or the dealer's up-card
    known: dict[str, Numbers] = field(default_factory=dict)  # features looked at before

    def __len__(self) -> int:
        return len(self.hand)


def options(house: House, point: str) -> dict[str, int]:
    """What may be done at a betting point, each with its number in a plan. The first is done when
    nothing speaks for another."""
    match house.game.id:
        case "ultimate-texas-holdem":
            last = "fold" if point == "after-river" else "check"
            return {last: 0, **{f"{n}x": n for n in sorted(house.multiples[point])}}
        case "caribbean-stud":
            return {"fold": 0, "bet": 1}
        case "let-it-ride":
            return {"withdraw": 0, "ride": 1}
    return {"fold": 0, "play 3": 1, "play 5": 2}


def number_of(action: object, among: Mapping[str, int]) -> int | None:
    """The number of an action in a plan; nothing where it is not on offer."""
    if action == PLAY and any(name.endswith("x") for name in among):
        return max(among.values())
    return among.get(action) if isinstance(action, str) else None
