"""The tables over HTTP: listed, explained, opened and closed. The guard has let the request in."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct
from msgspec.json import encode
from starlette.requests import Request
from starlette.responses import Response

from croupier.games.registry import RULEBOOKS
from croupier.house.sign import notices, pays
from croupier.house.submission import House, preset
from croupier.law.refused import Refused
from croupier.room.api.answers import answer
from croupier.room.api.endpoints import Served
from croupier.room.door.guard import address
from croupier.room.door.roles import Role
from croupier.room.floor import INVENTORY, Room
from croupier.room.hosts import TableHost
from croupier.room.plans import Planned
from croupier.rules.money import Cents
from croupier.rules.paytable import in_words
from croupier.terminal.words import rules

Data = dict[str, Any]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Only staff may say ``inventory``."""

    house: Data
    id: str = ""
    inventory: Cents | None = None
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
    opened_by: str  # a player; empty for a table of the room


class Notice(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    clause: str


class Told(Listed, frozen=True, kw_only=True):
    """A table with everything that is posted at it."""

    sign: list[Notice]
    rules: list[str]


class Closed(Struct, frozen=True):
    """``closed`` is false while a round is in play; the table closes when it is over."""

    closed: bool
    sentence: str


class Preset(Struct, frozen=True):
    name: str
    submission: Data


def served(room: Room) -> list[Served]:
    here = Tables(room)
    return [
        Served("GET", "/api/tables", here.tables, "The tables there are", list[Listed]),
        Served("POST", "/api/tables", here.open, "Open a table", Told, NewTable, status=201),
        Served("GET", "/api/tables/{id}", here.table, "A table and what is posted there", Told),
        Served("DELETE", "/api/tables/{id}", here.close, "Close a table", Closed, refuses=(403,)),
        Served("GET", "/api/presets", here.presets, "A lawful house for each book", list[Preset]),
    ]


class Posted(Struct, frozen=True):
    """What a table's house says of it; it never changes."""

    listed: Data
    sign: list[Notice]
    rules: list[str]


class Tables:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._posted: dict[str, Posted] = {}
        self._listed: dict[str, tuple[Data, Raw]] = {}  # what changes, and the JSON with it

    async def tables(self, request: Request) -> Response:
        hosts = await self.room.tables()
        found = [self._in_json(host) for host in hosts]
        if len(self._listed) > len(hosts):
            self._forget({host.name for host in hosts})
        return answer(found)

    def _in_json(self, host: TableHost) -> Raw:
        """Encoded again only when something changed: there may be hundreds of tables, and every
        open lobby asks for them every few seconds."""
        now = self._changing(host)
        known = self._listed.get(host.name)
        if known is None or known[0] != now:
            told = Listed(**self._of(host).listed, **now)
            known = self._listed[host.name] = (now, Raw(encode(told)))
        return known[1]

    def _forget(self, there: set[str]) -> None:
        for name in self._listed.keys() - there:
            del self._listed[name]
            self._posted.pop(name, None)

    def _of(self, host: TableHost) -> Posted:
        if host.name not in self._posted:
            self._posted[host.name] = posted(self.room, host)
        return self._posted[host.name]

    def _changing(self, host: TableHost) -> Data:
        table = host.table
        return {
            "seats": tuple(table.seats),
            "free": table.seats.count(""),
            "rounds": table.rounds,
            "running": bool(table.round),
            "paused": host.pace.paused,
            "opened_by": self.room.planned(host.name).opened_by,
        }

    def _told(self, host: TableHost) -> Told:
        there = self._of(host)
        return Told(**there.listed, **self._changing(host), sign=there.sign, rules=there.rules)

    async def table(self, request: Request) -> Told:
        return self._told(await self.room.current(request.path_params["id"]))

    async def open(self, request: Request, given: NewTable) -> Told:
        """A table opened by a player plays for the same chips as every other table, so everything
        that decides what it pays is printed or the room's."""
        session, usual = request.state.session, self.room.settings
        player = session.role is Role.PLAYER
        if player and given.inventory is not None:
            sentence = "Only staff may set the inventory of a table; leave it out."
            raise Refused(sentence, code="NOT_THIS_ROLE")
        plan = Planned(
            usual.betting_seconds if given.betting_seconds is None else given.betting_seconds,
            usual.decision_seconds if given.decision_seconds is None else given.decision_seconds,
            session.name if player else "",
        )
        host = await self.room.open_table(
            given.house,
            given.id,
            by=f"{session.role} {session.name}",
            inventory=INVENTORY if given.inventory is None else given.inventory,
            plan=plan,
            address=address(request.scope),
        )
        return self._told(host)

    async def close(self, request: Request) -> Closed:
        session, name = request.state.session, request.path_params["id"]
        host = await self.room.current(name)
        if session.role is Role.PLAYER and self.room.planned(name).opened_by != session.name:
            sentence = "Only the player who opened this table, or the staff, can close it."
            raise Refused(sentence, code="NOT_YOURS")
        by = f"{session.role} {session.name}"
        if await self.room.close_table(host.name, by, "closed"):
            return Closed(True, "This table was closed.")
        return Closed(False, "A round is in play. The table closes when it is over.")

    async def presets(self, request: Request) -> list[Preset]:
        return [Preset(book, preset(book)) for book in RULEBOOKS]


def posted(room: Room, host: TableHost) -> Posted:
    house, plan = host.table.house, room.planned(host.name)
    listed = {
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
        "clocks": Clocks(plan.betting_seconds, plan.decision_seconds, room.settings.absent_seconds),
    }
    sign = [Notice(each.title, tuple(each.lines), each.clause.id) for each in notices(house)]
    return Posted(listed, sign, [*rules(house), *host.pace.posted()])


def _on_offer(house: House, key: str) -> bool:
    wager = next(each for each in house.game.wagers if each.key == key)
    return wager.required or bool(wager.multiple_of) or key in house.offered
