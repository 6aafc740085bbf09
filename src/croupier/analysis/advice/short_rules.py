"""Short rules, drawn from the exact solution: what to do with each group of hands, and from which
hand on.

In each group of a betting point the rule is one option, or one option from a certain hand up and
another below it; every such rule is tried, and the one that loses least is kept. How often a rule
departs from best play, and what that costs, is counted with every other decision played best.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np

from croupier.analysis.advice.points import Point, points
from croupier.analysis.exact import Exact, by_cell
from croupier.analysis.progress import Tell, silent
from croupier.house.submission import House


@dataclass(frozen=True, slots=True)
class Line:
    """One group: an option, or an option with the better hands and another with the rest."""

    group: str
    option: str
    better: str = ""  # which hands those are
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.option} with {self.better}, else {self.rest}" if self.better else self.option


@dataclass(frozen=True, slots=True)
class Rule:
    decision: str
    lines: tuple[Line, ...]
    otherwise: str  # what is done with all hands that no line is about, if there are any
    asked: Fraction  # in how many rounds the decision comes up
    misses: Fraction  # in how many rounds the rule departs from best play
    cost: Fraction  # what that costs per round, in antes


def short_rules(house: House, tell: Tell = silent) -> tuple[Rule, ...]:
    """One rule for each betting point of the game."""
    return tuple(_rule(point) for point in points(house, tell))


def _rule(point: Point) -> Rule:
    sorting, level, words = point.ladder.sorting, point.ladder.level, point.ladder.words
    groups, levels = len(sorting.names), int(level.max()) + 1
    cells = sorting.group * levels + level
    dealt = by_cell(cells, groups * levels, point.weights, np.ones_like(cells)).astype(np.int64)
    sums = np.stack([by_cell(cells, len(dealt), point.weights, each) for each in point.values])
    does = np.zeros_like(dealt)
    lines, otherwise = [], ""
    for group, name in enumerate(sorting.names):
        start = group * levels
        there = start + np.flatnonzero(dealt[start : start + levels])
        if not len(there):
            continue
        upper, lower, first = _split(sums[:, there])
        does[there[:first]], does[there[first:]] = lower, upper
        if first:
            better = words(group, int(there[first]) - start)
            lines.append(Line(name, point.options[upper], better, point.options[lower]))
        elif upper == len(point.options) - 1:
            otherwise = point.options[upper]
        else:
            lines.append(Line(name, point.options[upper]))
    chosen = np.take_along_axis(point.values, does[cells][None], axis=0)[0]
    best = point.values.max(axis=0)
    return Rule(
        point.decision,
        tuple(lines),
        otherwise,
        point.how_often(),
        point.how_often(chosen < best),
        point.net(best - chosen),
    )


def _split(sums: Exact) -> tuple[int, int, int]:
    """The best rule for sums[option, level]: the option from a level up, the option below it, and
    that level. One option for all where no split is better; of equals the one that bets more."""
    rules = [(int(row.sum()), (option, option, 0)) for option, row in enumerate(sums)]
    for upper, lower in permutations(range(len(sums)), 2):
        below, from_there_up = np.cumsum(sums[lower]), np.cumsum(sums[upper][::-1])[::-1]
        totals = below[:-1] + from_there_up[1:]
        if len(totals):
            rules.append((int(totals.max()), (upper, lower, int(totals.argmax()) + 1)))
    return max(rules, key=lambda rule: rule[0])[1]
