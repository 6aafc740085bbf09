"""The tables over HTTP: listed, opened, explained; and the coach. The guard has let it in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.advise_report import advice_data, charts_data, opening_data
from croupier.analysis.advice.chart import charts, opening_chart
from croupier.cards.card import card, cards
from croupier.games.registry import RULEBOOKS, game_named
from croupier.house.sign import notices, pays
from croupier.house.submission import House, Malformed, default_house, preset, read_data
from croupier.law.clause import UnknownClause, clause, rulings
from croupier.law.refused import Refused
from croupier.room.answers import answer, refusal, refused
from croupier.room.floor import INVENTORY, Planned, Room
from croupier.room.hosts import TableHost
from croupier.room.shown import actor_of
from croupier.rules.money import Cents
from croupier.rules.paytable import in_words
from croupier.table.view import BACK, view
from croupier.terminal.words import rules

Data = dict[str, Any]
Body = TypeVar("Body", bound=Struct)
Endpoint = Callable[[Request], Awaitable[Response]]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    house: Data
    id: str = ""
    inventory: Cents = INVENTORY
    betting_seconds: int | None = None
    decision_seconds: int | None = None


class Advise(Struct, frozen=True, forbid_unknown_fields=True):
    """What to do at a seat, or with these cards in a game under its preset."""

    table: str = ""
    seat: int = 0
    game: str = ""
    hand: str = ""
    board: str = ""
    dealer: str = ""
    seen: str = ""


def routes(room: Room) -> list[Route]:
    here = Api(room)
    return [
        Route(path, _told(handler), methods=[method])
        for method, path, handler in (
            ("GET", "/api/tables", here.tables),
            ("POST", "/api/tables", here.open_table),
            ("GET", "/api/tables/{id}", here.table),
            ("GET", "/api/presets", here.presets),
            ("POST", "/api/advise", here.advise),
            ("GET", "/api/chart", here.chart),
            ("GET", "/api/law/clauses/{id}", here.clause),
        )
    ]


class Api:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._thinking = asyncio.Semaphore(1)  # mathematics takes one core, not all

    async def tables(self, request: Request) -> Response:
        return answer([listed(self.room, host) for host in self.room.hosts.values()])

    async def table(self, request: Request) -> Response:
        return answer(told(self.room, self.room.host(request.path_params["id"])))

    async def open_table(self, request: Request) -> Response:
        given = await _read(request, NewTable)
        usual = self.room.settings
        plan = Planned(
            usual.betting_seconds if given.betting_seconds is None else given.betting_seconds,
            usual.decision_seconds if given.decision_seconds is None else given.decision_seconds,
            request.state.session.name,
        )
        host = self.room.open_table(given.house, given.id, inventory=given.inventory, plan=plan)
        return answer(told(self.room, host), 201)

    async def presets(self, request: Request) -> Response:
        return answer([{"name": book, "submission": preset(book)} for book in RULEBOOKS])

    async def advise(self, request: Request) -> Response:
        """Exact values of each choice, from what the one who asks may see."""
        given = await _read(request, Advise)
        if given.table:
            house, known, ante = self._at_seat(given, request.state.session)
        else:
            house = default_house(game_named(given.game).books[0].id)
            known = Situation(
                cards(given.hand), cards(given.board), cards(given.dealer), (), cards(given.seen)
            )
            ante = _least(house)
        async with self._thinking:
            advice = await asyncio.to_thread(advise, house, known)
        return answer(advice_data(house, known, advice, ante))

    def _at_seat(self, given: Advise, session: Any) -> tuple[House, Situation, Cents]:
        table = self.room.host(given.table).table
        if given.seat not in table.seats_of(session.name):
            raise Refused(f"Seat {given.seat} is not yours.", code="NOT_YOUR_SEAT")
        round = view(table, actor_of(session.role, session.name))["round"]
        hands = {each["seat"]: each for each in round["positions"]} if round else {}
        if given.seat not in hands:
            raise Refused("There is nothing to decide.", code="NO_ROUND")
        mine = hands.pop(given.seat)
        seen = [text for other in hands.values() for text in other["cards"]]
        known = Situation(
            _faces(mine["cards"]),
            _faces(round["community"]),
            _faces(round["dealer"]),
            (),
            _faces(seen),
        )
        wagers = mine["wagers"]
        return table.house, known, wagers.get("ante") or wagers.get("bet 3") or _least(table.house)

    async def chart(self, request: Request) -> Response:
        asked = request.query_params
        if asked.get("table"):
            house = self.room.host(asked["table"]).table.house
        else:
            house = default_house(game_named(asked.get("game", "")).books[0].id)
        async with self._thinking:
            source = msgspec.json.encode(house.source, order="sorted")
            return answer(await asyncio.to_thread(_charted, source))

    async def clause(self, request: Request) -> Response:
        try:
            found = clause(request.path_params["id"])
        except UnknownClause as unknown:
            raise Refused(f"{unknown}.", code="NO_SUCH_CLAUSE") from None
        ruled = [rulings()[each] for each in found.rulings]
        return answer(
            {
                "id": found.id,
                "book": found.book,
                "says": found.says,
                "supplied": found.supplied,
                "rulings": [
                    {"id": each.id, "question": each.question, "ruling": each.ruling}
                    for each in ruled
                ],
            }
        )


# --- what is told of a table ----------------------------------------------------------------


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
        "limits": {key: [each.minimum, each.maximum] for key, each in house.posted.items()},
        "pay": {
            key: {in_words(line.name): pays(line.award) for line in lines}
            for key, lines in house.pay.items()
            if _on_offer(house, key.partition(" ")[0])
        },
        "seats": list(table.seats),
        "free": table.seats.count(""),
        "rounds": table.rounds,
        "running": bool(table.round),
        "paused": host.pace.paused,
        "clocks": {
            "betting_seconds": plan.betting_seconds,
            "decision_seconds": plan.decision_seconds,
        },
    }


def _on_offer(house: House, key: str) -> bool:
    wager = next(each for each in house.game.wagers if each.key == key)
    return wager.required or bool(wager.multiple_of) or key in house.offered


def told(room: Room, host: TableHost) -> Data:
    house = host.table.house
    sign = [
        {"title": each.title, "lines": list(each.lines), "clause": each.clause.id}
        for each in notices(house)
    ]
    return {**listed(room, host), "sign": sign, "rules": list(rules(house))}


# --- small things ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _charted(source: bytes) -> Data:
    """The opening chart of Ultimate Texas Hold'em; how each kind of hand is played elsewhere."""
    house = read_data(msgspec.json.decode(source))
    if "before-flop" in house.multiples:
        return {"opening": opening_data(opening_chart(house))}
    return {"charts": charts_data(charts(house))}


def _least(house: House) -> Cents:
    return house.posted[house.game.wagers[0].key].minimum


def _faces(texts: list[str]) -> tuple[Any, ...]:
    return tuple(card(text) for text in texts if text != BACK)


async def _read(request: Request, kind: type[Body]) -> Body:
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"The request cannot be read: {error}.", code="BAD_REQUEST") from None


def _told(handler: Endpoint) -> Endpoint:
    async def tell(request: Request) -> Response:
        try:
            return await handler(request)
        except Malformed as illegal:
            return _illegal(illegal)
        except Refused as why:
            if why.code.startswith("NO_SUCH_"):
                return refusal(404, why.code, why.sentence)
            return refused(why)

    return tell


def _illegal(illegal: Malformed) -> Response:
    violations = [
        {
            "key": each.key,
            "sentence": each.sentence,
            "clause": each.clause.id if each.clause else None,
        }
        for each in illegal.violations
    ]
    first = violations[0]
    said = {"code": "ILLEGAL_HOUSE", "sentence": first["sentence"], "clause": first["clause"]}
    return answer({"error": {**said, "violations": violations}}, 422)
