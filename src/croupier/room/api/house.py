"""A house over HTTP: whether it is lawful, and what each of its wagers costs a player."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from msgspec import Struct
from starlette.requests import Request

from croupier.analysis.par.edge import MAIN, edges, unwise
from croupier.analysis.par.sheet import bets
from croupier.analysis.report import fraction, percent
from croupier.analysis.solve import solve
from croupier.house.check import check
from croupier.house.submission import House, Malformed, Violation, read_data
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.house_form import Form, form
from croupier.room.api.question import Question, question
from croupier.room.api.study import Study
from croupier.room.floor import Room
from croupier.rules.odds import Odds

Data = dict[str, Any]

LONGEST = 64  # characters of anything in a submission
LARGEST = 10**12  # of any number
DEEPEST = 4  # tables within tables
# Kernels count in 64 bits; this is far beyond what any table pays.
MOST_PAID = 1_000_000  # to 1
MOST_PARTS = 10_000  # of a wager, so that each line pays whole parts


class Check(Struct, frozen=True, forbid_unknown_fields=True):
    """With ``form``, what its rulebook leaves open comes along."""

    house: Data
    form: bool = False


class Wrong(Struct, frozen=True):
    key: str
    sentence: str
    clause: str | None


class Checked(Struct, frozen=True):
    legal: bool
    violations: list[Wrong]
    warnings: list[Wrong]
    form: Form | None


class OfHouse(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission, or {"table": id}."""

    house: Data


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


def served(room: Room, study: Study) -> list[Served]:
    here = Houses(room, study)
    return [
        Served("POST", "/api/check", here.check, "Whether a house is lawful", Checked, Check),
        Served("POST", "/api/edge", here.edge, "What each wager costs", Priced, OfHouse),
    ]


class Houses:
    def __init__(self, room: Room, study: Study) -> None:
        self.room = room
        self.study = study

    async def check(self, request: Request, given: Check) -> Checked:
        """What cannot be read is wrong with a house like what the law forbids."""
        wrong = list(_beyond(given.house))
        warnings: list[Violation] = []
        house: House | None = None
        if not wrong:
            try:
                house = read_data(given.house)
            except Malformed as malformed:
                wrong, house = malformed.violations, malformed.house
        if house:
            report = check(house)
            wrong += report.violations
            warnings += report.warnings
        return Checked(
            not wrong,
            [told(each) for each in wrong],
            [] if wrong else [told(each) for each in warnings],
            form(house.book.id) if house and given.form else None,
        )

    async def edge(self, request: Request, given: OfHouse) -> Priced:
        """Somebody who changes a house as it is priced waits for the last change only."""
        house = lawful(self.room, given.house)
        who = f"{request.state.session.id} edge"
        return await self.study.newest(who, lambda: priced(house))


def lawful(room: Room, data: Data) -> House:
    """A house that may be opened, by its submission, or by a table that it runs: {"table": id}.
    The mathematics of others are not worked out here."""
    if data.keys() == {"table"}:
        return room.host(str(data["table"])).table.house
    if wrong := list(_beyond(data)):
        raise Malformed(wrong)
    house = read_data(data)
    report = check(house)
    if not report.legal:
        raise Malformed(list(report.violations), house)
    odds = [
        line.award for table in house.pay.values() for line in table if isinstance(line.award, Odds)
    ]
    if any(each.fraction > MOST_PAID for each in odds):
        raise Refused(f"Odds above {MOST_PAID:,} to 1 are not worked out.", code="TOO_LARGE")
    if lcm(*(each.stake for each in odds)) > MOST_PARTS:
        raise Refused("These odds need parts too small to work out.", code="TOO_LARGE")
    return house


def _beyond(given: object, where: tuple[str, ...] = ()) -> Iterator[Violation]:
    """What nobody needs: words, numbers and tables without end."""
    key = ".".join(where) or "house"
    match given:
        case dict() | list() if len(where) > DEEPEST:
            yield Violation(key, None, "there are tables within tables within tables.")
        case dict():
            for name, value in given.items():
                if len(name) > LONGEST:
                    yield Violation(key, None, f"a key has at most {LONGEST} characters.")
                else:
                    yield from _beyond(value, (*where, name))
        case list():
            for value in given:
                yield from _beyond(value, where or ("house",))
        case str() if len(given) > LONGEST or not given.isprintable():
            yield Violation(key, None, f"it has at most {LONGEST} plain characters.")
        case int() if abs(given) > LARGEST:
            yield Violation(key, None, "it is too large a number.")


def told(violation: Violation) -> Wrong:
    clause = violation.clause.id if violation.clause else None
    return Wrong(violation.key, violation.sentence, clause)


def share(value: Fraction) -> Share:
    return Share(fraction(value), percent(value))


# --- the price ------------------------------------------------------------------------------


# Whatever else a house says bears on no edge.
_PRICED = ("rulebook", "offered", "qualifier", "settlement", "pay", "multiples", "progressive")


def priced(house: House) -> Priced:
    return _priced(question(house, _PRICED))


@lru_cache(maxsize=256)
def _priced(asked: Question) -> Priced:
    started = time.perf_counter()
    house = asked.house
    solution = solve(house)
    found = edges(solution)
    by_key = {bet.key: bet for bet in bets(house, solution)}
    told_edges = []
    for key, edge in found.items():
        bet = by_key["whole" if key == MAIN and solution.whole else key]
        told_edges.append(
            Edge(key, bet.title, bet.unit, share(edge), share(bet.hold), favours_player=edge < 0)
        )
    warnings = [told(each) for each in unwise(house, found)]
    return Priced(told_edges, warnings, round(time.perf_counter() - started, 3))
