"""Ways to play a house: short rules for the table, charts, and the published strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from croupier.analysis.advice.advise_report import charts_data, rules_data
from croupier.analysis.advice.chart import charts
from croupier.analysis.solve import plan_for, solve
from croupier.analysis.strategies.strategy import OPTIMAL, strategies
from croupier.house.submission import House, read_data
from croupier.room.study.prices import Share, share

TAKES_LONG = ("ultimate-texas-holdem",)  # seconds for each way to play


class Kind(Struct, frozen=True):
    """A kind of hand, and how often each choice is best with it."""

    hands: str
    share: str  # of all rounds
    best: dict[str, str]
    value: str


class Chart(Struct, frozen=True):
    decision: str
    rows: list[Kind]


class Line(Struct, frozen=True):
    group: str
    option: str
    better: str  # the hands it is for, where the others are played otherwise
    rest: str


class Rule(Struct, frozen=True):
    decision: str
    lines: list[Line]
    otherwise: str
    asked: str  # in how many rounds it comes up
    misses: str  # in how many it departs from best play
    cost: str  # per round, in base wagers


class Way(Struct, frozen=True):
    """A way to play, by its name; without its edge where that takes long to count."""

    name: str
    about: str
    edge: Share | None
    cost: Share | None


class Ways(Struct, frozen=True):
    rules: list[Rule]
    charts: list[Chart]  # none where they take long; Ultimate Texas Hold'em has its opening
    ways: list[Way]


def ways(house: Mapping[str, Any]) -> Ways:
    from croupier.analysis.advice.short_rules import short_rules

    submitted = read_data(house)
    rules = msgspec.convert(rules_data(short_rules(submitted)), list[Rule])
    found = () if submitted.game.id in TAKES_LONG else charts(submitted)
    drawn = msgspec.convert(charts_data(found), list[Chart])
    return Ways(rules, drawn, list(_ways(submitted)))


def _ways(house: House) -> Iterator[Way]:
    """Each with its edge on the main wagers, and what it gives away against optimal play."""
    long = house.game.id in TAKES_LONG
    best = -solve(house).main.net
    for name, about in strategies(house.game.id).items():
        if long and name != OPTIMAL:
            yield Way(name, about, None, None)
        else:
            yield _counted(house, name, best)


def way(house: Mapping[str, Any], name: str) -> Way:
    submitted = read_data(house)
    return _counted(submitted, name, -solve(submitted).main.net)


def _counted(house: House, name: str, best: Fraction) -> Way:
    edge = best if name == OPTIMAL else -solve(house, plan_for(house, name)).main.net
    return Way(name, strategies(house.game.id)[name], share(edge), share(edge - best))
