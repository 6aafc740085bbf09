"""The chart of 13 by 13: what Ultimate Texas Hold'em asks first, and what each answer is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from croupier.analysis.advice.opening import name, ways
from croupier.analysis.advice.opening import opening as weighed
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House


@dataclass(frozen=True, slots=True)
class Start:
    """Two cards of a player, by ranks and whether they are suited."""

    name: str
    row: int  # aces are 0
    column: int  # suited hands stand right of the diagonal, the others left of it
    hands: int
    times: int  # what the best play wagers, in antes; 0 is a check
    check: Fraction  # what a check is worth, in antes
    play: Fraction  # what the best play wager is worth

    @property
    def gain(self) -> Fraction:
        return self.play - self.check


def opening(house: House) -> tuple[Start, ...]:
    """All 169 starts, row by row; none in the other games, where hands are five cards or three."""
    if house.game is not uth.GAME:
        return ()
    found = weighed(house)
    starts = []
    for row in range(13):
        for column in range(13):
            place = (12 - column) * 13 + 12 - row  # the solver counts ranks from the two
            values = found.values(place)
            times = max(found.raises, key=lambda n: values[f"{n}x"])
            check, play = values["check"], values[f"{times}x"]
            starts.append(
                Start(
                    name=name(place),
                    row=row,
                    column=column,
                    hands=ways(place),
                    times=times if play >= check else 0,
                    check=check,
                    play=play,
                )
            )
    return tuple(starts)
