"""The mathematics over HTTP: what a choice is worth, and the charts. One thing is thought about
at a time, so that the tables have the other core."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request

from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.advise_report import advice_data, charts_data, opening_data
from croupier.analysis.advice.chart import charts, opening_chart
from croupier.cards.card import card, cards
from croupier.games.registry import game_named
from croupier.house.submission import House, default_house, read_data
from croupier.law.refused import Refused
from croupier.room.endpoints import Served
from croupier.room.floor import Room
from croupier.room.shown import actor_of
from croupier.rules.money import Cents
from croupier.table.view import BACK, view

Data = dict[str, Any]


class Advise(Struct, frozen=True, forbid_unknown_fields=True):
    """What to do at a seat, or with these cards in a game under its preset."""

    table: str = ""
    seat: int = 0
    game: str = ""
    hand: str = ""
    board: str = ""
    dealer: str = ""
    seen: str = ""


class WhichChart(Struct, frozen=True):
    table: str = ""
    game: str = ""


def served(room: Room) -> list[Served]:
    here = Analysis(room)
    return [
        Served("POST", "/api/advise", here.advise, "What each choice is worth", Data, Advise),
        Served("GET", "/api/chart", here.chart, "How each hand is played", Data, asks=WhichChart),
    ]


class Analysis:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._thinking = asyncio.Semaphore(1)

    async def advise(self, request: Request, given: Advise) -> Data:
        """Exact values of each choice, from what the one who asks may see."""
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
        return advice_data(house, known, advice, ante)

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

    async def chart(self, request: Request, which: WhichChart) -> Data:
        if which.table:
            house = self.room.host(which.table).table.house
        else:
            house = default_house(game_named(which.game).books[0].id)
        async with self._thinking:
            source = msgspec.json.encode(house.source, order="sorted")
            return await asyncio.to_thread(_charted, source)


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
