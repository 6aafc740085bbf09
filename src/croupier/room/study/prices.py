"""What each wager of a house costs a player."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.analysis.par.edge import MAIN, edges, unwise
from croupier.analysis.par.sheet import bets
from croupier.analysis.report import fraction, percent
from croupier.analysis.solve import solve
from croupier.house.submission import Violation, read_data

# Whatever else a submission says changes no edge.
PRICED = ("rulebook", "offered", "qualifier", "settlement", "pay", "multiples", "progressive")


class Wrong(Struct, frozen=True):
    key: str
    sentence: str
    clause: str | None


class Share(Struct, frozen=True):
    """An exact fraction, and the same for reading."""

    exact: str
    percent: str


class Edge(Struct, frozen=True):
    key: str  # "main" is all required wagers together
    title: str
    unit: str  # what it is a share of
    edge: Share  # negative where it is the player's
    element_of_risk: Share
    favours_player: bool


class Priced(Struct, frozen=True):
    edges: list[Edge]
    warnings: list[Wrong]
    seconds: float


def priced(house: Mapping[str, Any]) -> Priced:
    started = time.perf_counter()
    submitted = read_data(house)
    solution = solve(submitted)
    found = edges(solution)
    by_key = {bet.key: bet for bet in bets(submitted, solution)}
    told_edges = []
    for key, edge in found.items():
        bet = by_key["whole" if key == MAIN and solution.whole else key]
        told_edges.append(
            Edge(key, bet.title, bet.unit, share(edge), share(bet.hold), favours_player=edge < 0)
        )
    warnings = [told(each) for each in unwise(submitted, found)]
    return Priced(told_edges, warnings, round(time.perf_counter() - started, 3))


def told(violation: Violation) -> Wrong:
    clause = violation.clause.id if violation.clause else None
    return Wrong(violation.key, violation.sentence, clause)


def share(value: Fraction) -> Share:
    return Share(fraction(value), percent(value))
