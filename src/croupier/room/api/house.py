"""A house over HTTP: whether it is lawful, and what each of its wagers costs a player."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.check import check
from croupier.house.submission import House, Malformed, Violation, read_data
from croupier.room.api.bounds import beyond_bounds
from croupier.room.api.endpoints import Served
from croupier.room.api.house_form import Form, form
from croupier.room.api.question import answer, submission
from croupier.room.floor import Room
from croupier.room.study.messages import Ask
from croupier.room.study.prices import PRICED, Priced, Wrong, told

Data = dict[str, Any]


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
        wrong = beyond_bounds(given.house)
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
        house = submission(await lawful(self.room, given.house), PRICED)
        return await answer(self.room, request, Ask("edge", {"house": house}), "edge")


async def lawful(room: Room, data: Data) -> House:
    """A house that may be opened, by its submission, or by a table that it runs: {"table": id}.
    A table may be older than ``rules.bounds``; the worker that reads its house refuses it then."""
    if wrong := beyond_bounds(data):
        raise Malformed(wrong)
    if data.keys() == {"table"}:
        return (await room.current(str(data["table"]))).table.house
    house = read_data(data)
    report = check(house)
    if not report.legal:
        raise Malformed(list(report.violations), house)
    return house
