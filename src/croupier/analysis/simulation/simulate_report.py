"""What a simulation found, beside what the solver knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.analysis.report import fraction
from croupier.analysis.simulation.simulate import Simulation, Tally
from croupier.analysis.simulation.simulated_games import Part
from croupier.analysis.solution import Book, Solution
from croupier.rules.money import Cents


@dataclass(frozen=True, slots=True)
class Figures:
    """One part of the wagers. Nets are per unit of its base wager, for one seat and round."""

    name: str
    histogram: dict[Fraction, int]  # how often each net came about
    mean: Fraction
    error: float  # the standard error of the mean
    book: Book  # the exact outcomes

    @property
    def exact(self) -> Fraction:
        return self.book.net

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is off; nothing where all nets were the same."""
        return float(self.mean - self.exact) / self.error if self.error else None

    def rows(self) -> Iterator[tuple[Fraction, int, Fraction, Fraction]]:
        """Each net, how often it came about, its share, and the exact share; also of nets that
        are too rare to have come about."""
        exactly: Counter[Fraction] = Counter()
        for outcome in self.book.outcomes:
            exactly[outcome.net] += outcome.count
        hands = sum(self.histogram.values())
        for net in sorted(exactly | self.histogram):
            count = self.histogram.get(net, 0)
            yield net, count, Fraction(count, hands), Fraction(exactly[net], self.book.combinations)


def figures(simulation: Simulation, tally: Tally, solution: Solution) -> list[Figures]:
    return [
        _figures(part, simulation.seats, tally, tally.squares[at : at + 1], solution)
        for at, part in enumerate(simulation.parts)
    ]


def _figures(
    part: Part, seats: int, tally: Tally, squares: tuple[int, ...], solution: Solution
) -> Figures:
    nets: Counter[Cents] = Counter()
    for net, count in zip(part.nets.tolist(), tally.counts.tolist(), strict=True):
        if count:
            nets[net] += count
    total = sum(net * count for net, count in nets.items())
    summed = squares[0] if squares else sum(net * net * count for net, count in nets.items())
    return Figures(
        part.name,
        {Fraction(net, part.amount): nets[net] for net in sorted(nets)},
        Fraction(total, tally.rounds * seats * part.amount),
        standard_error(tally.rounds, total, summed) / (seats * part.amount),
        _book(solution, part.name),
    )


def standard_error(rounds: int, total: int, squares: int) -> float:
    """Of the mean of so many rounds, given their sum and the sum of their squares."""
    if rounds < 2:
        return 0.0
    return sqrt(Fraction(squares * rounds - total * total, rounds * rounds * (rounds - 1)))


def _book(solution: Solution, name: str) -> Book:
    if name == "main":
        return solution.main
    if name == "whole" and solution.whole:
        return solution.whole
    return solution.side_bets[name]


def as_data(found: list[Figures]) -> dict[str, Any]:
    return {
        each.name: {
            "mean": float(each.mean),
            "mean_exactly": fraction(each.mean),
            "standard_error": each.error,
            "exact": fraction(each.exact),
            "z": each.z,
            "histogram": [
                {"net": fraction(net), "count": count, "exact_share": fraction(exactly)}
                for net, count, _, exactly in each.rows()
            ],
        }
        for each in found
    }
