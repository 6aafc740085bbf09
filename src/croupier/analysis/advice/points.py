"""The betting points of a game with all their situations: how often each arises, and what each
answer to it is worth when all that follows is played best. Charts and short rules are drawn from
this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import Counts
from croupier.analysis.exact import Exact, dot
from croupier.analysis.progress import Tell, silent
from croupier.house.submission import House

Where = NDArray[np.bool_]
ALL = slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class Sorting:
    """Situations sorted into groups with a name that a player would use."""

    names: tuple[str, ...]
    group: Counts  # [situation]


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """Situations sorted so that within a group a higher level is a better hand."""

    sorting: Sorting
    level: Counts  # [situation]
    words: Callable[[int, int], str]  # a group and a level: which hands stand there or higher


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """One betting point."""

    decision: str
    options: tuple[str, ...]  # those that bet more first
    # [option, situation]: cents on ``unit`` antes, over all deals that follow
    values: Counts | Exact
    weights: Counts  # [situation]: how many deals lead there, if the rest is played best
    following: int  # how many deals follow upon each
    deals: int  # of a whole round, so that weights * following / deals is how often
    unit: int
    chart: Sorting
    ladder: Ladder

    @property
    def best(self) -> Counts:
        """The best option of each situation; of equals the one that bets more."""
        best: Counts = self.values.argmax(axis=0)
        return best

    def how_often(self, where: Where | slice = ALL) -> Fraction:
        """In which share of all rounds the player is in one of these situations."""
        return Fraction(int(self.weights[where].sum()) * self.following, self.deals)

    def net(self, values: Counts | Exact, where: Where | slice = ALL) -> Fraction:
        """What these situations add to the net of a round, in antes, if each has this value."""
        return Fraction(dot(self.weights[where], values[where]), self.deals * self.unit)


def points(house: House, tell: Tell = silent) -> tuple[Point, ...]:
    """The betting points of a house's game, in the order of the round."""
    match house.game.id:
        case "ultimate-texas-holdem":
            from croupier.analysis.advice import points_holdem

            return points_holdem.points(house, tell)
        case "caribbean-stud":
            from croupier.analysis.advice import points_stud

            return points_stud.caribbean(house, tell)
        case "let-it-ride":
            from croupier.analysis.advice import points_ride

            return points_ride.points(house, tell)
        case _:
            from croupier.analysis.advice import points_stud

            return points_stud.pik_it(house, tell)
