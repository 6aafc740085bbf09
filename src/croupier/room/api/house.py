"""A house over HTTP: whether it is lawful, and what each of its wagers costs a player."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.check import check
from croupier.house.submission import House, Malformed, Violation, read_data
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.house_form import Form, form
from croupier.room.api.question import answer, submission
from croupier.room.floor import Room
from croupier.room.study.messages import Ask
from croupier.room.study.prices import PRICED, Priced, Wrong, told
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


class Checked(Struct, frozen=True):
    legal: bool
    violations: list[Wrong]
    warnings: list[Wrong]
    form: Form | None


class OfHouse(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission, or {"table": id}."""

    house: Data


def served(room: Room) -> list[Served]:
    here = Houses(room)
    return [
        Served("POST", "/api/check", here.check, "Whether a house is lawful", Checked, Check),
        Served("POST", "/api/edge", here.edge, "What each wager costs", Priced, OfHouse),
    ]


class Houses:
    def __init__(self, room: Room) -> None:
        self.room = room

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

    async def edge(self, request: Request, given: OfHouse) -> Response:
        """Somebody who changes a house while it is priced waits for the last change only."""
        house = submission(lawful(self.room, given.house), PRICED)
        return await answer(self.room, request, Ask("edge", {"house": house}), "edge")


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
    _countable(house)
    return house


# --- bounds ---------------------------------------------------------------------------------


def _countable(house: House) -> None:
    """Refuse odds that the kernels, which count in 64 bits, cannot count."""
    odds = [
        line.award for table in house.pay.values() for line in table if isinstance(line.award, Odds)
    ]
    if any(each.fraction > MOST_PAID for each in odds):
        raise Refused(f"Odds above {MOST_PAID:,} to 1 are not worked out.", code="TOO_LARGE")
    if lcm(*(each.stake for each in odds)) > MOST_PARTS:
        raise Refused("These odds need parts too small to work out.", code="TOO_LARGE")


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
