"""The tables over HTTP: listed, opened, explained. The guard has let the request in."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request

from croupier.games.registry import RULEBOOKS
from croupier.house.sign import notices, pays
from croupier.house.submission import House, preset
from croupier.room.api.endpoints import Served
from croupier.room.floor import INVENTORY, Room
from croupier.room.hosts import TableHost
from croupier.room.plans import Planned
from croupier.rules.money import Cents
from croupier.rules.paytable import in_words
from croupier.terminal.words import rules

Data = dict[str, Any]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    house: Data
    id: str = ""
    inventory: Cents = INVENTORY
    betting_seconds: int | None = None
    decision_seconds: int | None = None


class Clocks(Struct, frozen=True):
    betting_seconds: int
    decision_seconds: int
    absent_seconds: int


class Listed(Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    id: str
    game: str
    title: str
    rulebook: str
    law: str
    house: str
    limits: dict[str, tuple[Cents, Cents]]
    pay: dict[str, dict[str, str]]  # by wager, by hand
    seats: tuple[str, ...]  # who sits there
    free: int
    rounds: int
    running: bool
    paused: bool
    clocks: Clocks


class Notice(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    clause: str


class Told(Listed, frozen=True, kw_only=True):
    """A table with everything that is posted at it."""

    sign: list[Notice]
    rules: list[str]


class Preset(Struct, frozen=True):
    name: str
    submission: Data


def served(room: Room) -> list[Served]:
    here = Tables(room)
    return [
        Served("GET", "/api/tables", here.tables, "The tables there are", list[Listed]),
        Served("POST", "/api/tables", here.open, "Open a table", Told, NewTable, status=201),
        Served("GET", "/api/tables/{id}", here.table, "A table and what is posted there", Told),
        Served("GET", "/api/presets", here.presets, "A lawful house for each book", list[Preset]),
    ]


class Tables:
    def __init__(self, room: Room) -> None:
        self.room = room

    async def tables(self, request: Request) -> list[Listed]:
        return [Listed(**listed(self.room, host)) for host in self.room.tables()]

    async def table(self, request: Request) -> Told:
        return told(self.room, self.room.host(request.path_params["id"]))

    async def open(self, request: Request, given: NewTable) -> Told:
        usual = self.room.settings
        plan = Planned(
            usual.betting_seconds if given.betting_seconds is None else given.betting_seconds,
            usual.decision_seconds if given.decision_seconds is None else given.decision_seconds,
            request.state.session.name,
        )
        host = self.room.open_table(given.house, given.id, inventory=given.inventory, plan=plan)
        return told(self.room, host)

    async def presets(self, request: Request) -> list[Preset]:
        return [Preset(book, preset(book)) for book in RULEBOOKS]


def listed(room: Room, host: TableHost) -> Data:
    table, house = host.table, host.table.house
    plan = room.planned(host.name)
    return {
        "id": host.name,
        "game": house.game.id,
        "title": house.game.title,
        "rulebook": house.book.id,
        "law": house.book.title,
        "house": house.name,
        "limits": {key: (each.minimum, each.maximum) for key, each in house.posted.items()},
        "pay": {
            key: {in_words(line.name): pays(line.award) for line in lines}
            for key, lines in house.pay.items()
            if _on_offer(house, key.partition(" ")[0])
        },
        "seats": tuple(table.seats),
        "free": table.seats.count(""),
        "rounds": table.rounds,
        "running": bool(table.round),
        "paused": host.pace.paused,
        "clocks": Clocks(plan.betting_seconds, plan.decision_seconds, room.settings.absent_seconds),
    }


def _on_offer(house: House, key: str) -> bool:
    wager = next(each for each in house.game.wagers if each.key == key)
    return wager.required or bool(wager.multiple_of) or key in house.offered


def told(room: Room, host: TableHost) -> Told:
    house = host.table.house
    sign = [Notice(each.title, tuple(each.lines), each.clause.id) for each in notices(house)]
    return Told(**listed(room, host), sign=sign, rules=[*rules(house), *host.pace.posted()])
