"""Charts: the opening of Ultimate Texas Hold'em, 13 by 13, and how often each kind of hand is
played how in any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from croupier.analysis.advice.advise import Advice, weighed
from croupier.analysis.advice.opening import name, opening, ways
from croupier.analysis.progress import Tell, silent
from croupier.house.submission import House


@dataclass(frozen=True, slots=True)
class Cell:
    """A class of hole cards: AA, AKs, AKo."""

    name: str
    hands: int  # that are of the class
    advice: Advice


def opening_chart(house: House, tell: Tell = silent) -> tuple[tuple[Cell, ...], ...]:
    """Thirteen rows of thirteen, aces first; suited hands stand above the diagonal."""
    found = opening(house, tell)
    # The solver counts ranks from the two, and has a suited hand's lower rank first.
    return tuple(
        tuple(
            Cell(name(place), ways(place), weighed("before-flop", found.values(place)))
            for place in range(13 * 12 + row, -1, -13)
        )
        for row in range(12, -1, -1)
    )


@dataclass(frozen=True, slots=True)
class Row:
    hands: str
    share: Fraction  # of all rounds
    options: Mapping[str, Fraction]  # how often each is best with such a hand
    value: Fraction  # what such a hand nets on average, played best


@dataclass(frozen=True, slots=True)
class Chart:
    decision: str
    rows: tuple[Row, ...]


def charts(house: House, tell: Tell = silent) -> tuple[Chart, ...]:
    """For each betting point how hands of each kind are best played."""
    from croupier.analysis.advice.points import points

    found = []
    for point in points(house, tell):
        rows, best, values = [], point.best, point.values.max(axis=0)
        for group, hands in enumerate(point.chart.names):
            here = point.chart.group == group
            if share := point.how_often(here):
                options = {
                    option: point.how_often(here & (best == at)) / share
                    for at, option in enumerate(point.options)
                }
                rows.append(Row(hands, share, options, point.net(values, here) / share))
        found.append(Chart(point.decision, tuple(rows)))
    return tuple(found)
