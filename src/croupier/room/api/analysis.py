"""The mathematics over HTTP: what a choice is worth, and the charts."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from croupier.cards.card import cards, spell
from croupier.games.registry import game_named
from croupier.house.submission import House, default_house
from croupier.law.refused import Refused
from croupier.room.api import house as houses
from croupier.room.api import par, strategies
from croupier.room.api.endpoints import Served
from croupier.room.api.question import answer, submission
from croupier.room.floor import Room
from croupier.room.shown import actor_of
from croupier.room.study.advice import Advised, Charted
from croupier.room.study.messages import Ask
from croupier.rules.bounds import MOST_STAKE
from croupier.rules.money import Cents
from croupier.table.view import BACK, view

Words = Annotated[str, Meta(max_length=200)]


class Advise(Struct, frozen=True, forbid_unknown_fields=True):
    """What to do at a seat as things are now, or with these cards at a table or under a preset."""

    table: Words = ""
    seat: Annotated[int, Meta(ge=0, le=52)] = 0
    game: Words = ""
    hand: Words = ""
    board: Words = ""
    dealer: Words = ""
    seen: Words = ""
    ante: Annotated[Cents, Meta(ge=0, le=MOST_STAKE)] = 0  # 0: the least the house takes


class WhichChart(Struct, frozen=True):
    """Of a table, or of a game under its preset."""

    table: Words = ""
    game: Words = ""


def served(room: Room) -> list[Served]:
    here = Analysis(room)
    return [
        Served("POST", "/api/advise", here.advise, "What each choice is worth", Advised, Advise),
        Served(
            "GET", "/api/chart", here.chart, "How each hand is played", Charted, asks=WhichChart
        ),
        *houses.served(room),
        *par.served(room),
        *strategies.served(room),
    ]


class Analysis:
    def __init__(self, room: Room) -> None:
        self.room = room

    async def advise(self, request: Request, given: Advise) -> Response:
        """Exact values of each choice, from what the one who asks may see."""
        if given.seat:
            house, known, ante = await self._at_seat(given, request.state.session)
        else:
            house = await self._house(given)
            said = (given.hand, given.board, given.dealer, given.seen)
            known = Known(*(spell(cards(each)) for each in said))
            ante = given.ante or _least(house)
        ask = Ask("advise", {"house": submission(house), **asdict(known), "ante": ante})
        return await answer(self.room, request, ask)

    async def _at_seat(self, given: Advise, session: Any) -> tuple[House, Known, Cents]:
        table = (await self.room.current(given.table)).table
        if given.seat not in table.seats_of(session.name):
            raise Refused(f"Seat {given.seat} is not yours.", code="NOT_YOUR_SEAT")
        round = view(table, actor_of(session.role, session.name))["round"]
        hands = {each["seat"]: each for each in round["positions"]} if round else {}
        if given.seat not in hands:
            raise Refused("There is nothing to decide.", code="NO_ROUND")
        mine = hands.pop(given.seat)
        seen = [text for other in hands.values() for text in other["cards"]]
        known = Known(
            _faces(mine["cards"]), _faces(round["community"]), _faces(round["dealer"]), _faces(seen)
        )
        wagers = mine["wagers"]
        return (
            table.house,
            known,
            wagers.get("ante") or wagers.get("bet 3") or _least(table.house),
        )

    async def chart(self, request: Request, which: WhichChart) -> Response:
        ask = Ask("chart", {"house": submission(await self._house(which))})
        return await answer(self.room, request, ask)

    async def _house(self, which: Advise | WhichChart) -> House:
        if which.table:
            return (await self.room.current(which.table)).table.house
        return default_house(game_named(which.game).books[0].id)


class Known(Struct, frozen=True):
    """The cards a player knows, written in one way."""

    hand: str
    board: str
    dealer: str
    seen: str


def _least(house: House) -> Cents:
    return house.posted[house.game.wagers[0].key].minimum


def _faces(texts: list[str]) -> str:
    return " ".join(text for text in texts if text != BACK)
