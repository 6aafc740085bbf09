"""Ways to play a house over HTTP: short rules for the table, and the published strategies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct
from starlette.requests import Request

from croupier.analysis.advice.advise_report import charts_data, rules_data
from croupier.analysis.advice.chart import charts
from croupier.analysis.solve import plan_for, solve
from croupier.analysis.strategies.strategy import OPTIMAL, strategies
from croupier.house.submission import House
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.house import OfHouse, Share, lawful, share
from croupier.room.api.question import Question, question
from croupier.room.api.study import Study
from croupier.room.floor import Room

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


def served(room: Room, study: Study) -> list[Served]:
    async def ways(request: Request, given: OfHouse) -> Ways:
        house = lawful(room, given.house)
        who = f"{request.state.session.id} strategies"
        return await study.newest(who, lambda: _found(question(house)))

    async def way(request: Request, given: OfHouse) -> Way:
        house, name = lawful(room, given.house), request.path_params["name"]
        if name not in strategies(house.game.id):
            raise Refused(f"There is no way {name!r} to play this game.", code="NO_SUCH_WAY")
        who = f"{request.state.session.id} strategies {name}"
        return await study.newest(who, lambda: _counted(question(house), name))

    return [
        Served("POST", "/api/strategies", ways, "Ways to play a house", Ways, OfHouse),
        Served("POST", "/api/strategies/{name}", way, "One of them, counted", Way, OfHouse),
    ]


@lru_cache(maxsize=16)
def _found(asked: Question) -> Ways:
    from croupier.analysis.advice.short_rules import short_rules

    house = asked.house
    rules = msgspec.convert(rules_data(short_rules(house)), list[Rule])
    found = () if house.game.id in TAKES_LONG else charts(house)
    return Ways(rules, msgspec.convert(charts_data(found), list[Chart]), list(_ways(house)))


def _ways(house: House) -> Iterator[Way]:
    """Each with its edge on the main wagers, and what it gives away against optimal play."""
    long = house.game.id in TAKES_LONG
    for name, about in strategies(house.game.id).items():
        if long and name != OPTIMAL:
            yield Way(name, about, None, None)
        else:
            yield _counted(question(house), name)


@lru_cache(maxsize=64)
def _counted(asked: Question, name: str) -> Way:
    house = asked.house
    best = -solve(house).main.net
    edge = best if name == OPTIMAL else -solve(house, plan_for(house, name)).main.net
    return Way(name, strategies(house.game.id)[name], share(edge), share(edge - best))
