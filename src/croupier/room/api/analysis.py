"""The mathematics over HTTP: what a choice is worth, and the charts."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.advise_report import advice_data, charts_data, opening_data
from croupier.analysis.advice.chart import charts, opening_chart
from croupier.cards.card import card, cards
from croupier.games.registry import game_named
from croupier.house.submission import House, default_house
from croupier.law.refused import Refused
from croupier.room.api import house as houses
from croupier.room.api import par, strategies
from croupier.room.api.endpoints import Served
from croupier.room.api.question import Question, question
from croupier.room.api.strategies import Chart
from croupier.room.api.study import Study
from croupier.room.floor import Room
from croupier.room.shown import actor_of
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
    ante: Annotated[Cents, Meta(ge=0, le=10**12)] = 0  # 0: the least the house takes


class Option(Struct, frozen=True):
    option: str
    value: str  # per unit of the base wager
    decimal: str
    cost: str  # what it gives away against the best
    cost_cents: str


class Advised(Struct, frozen=True):
    game: str
    rulebook: str
    decision: str
    hand: str
    board: str
    dealer: str
    next: str
    seen: str
    ante: Cents
    best: str
    options: list[Option]


class WhichChart(Struct, frozen=True):
    """Of a table, or of a game under its preset."""

    table: Words = ""
    game: Words = ""


class Start(Struct, frozen=True):
    name: str = msgspec.field(name="class")  # AA, AKs, AKo
    hands: int
    best: str
    values: dict[str, str]


class Charted(Struct, frozen=True, omit_defaults=True):
    """The opening of Ultimate Texas Hold'em, 13 by 13; kinds of hands in the other games."""

    opening: list[Start] | None = None
    charts: list[Chart] | None = None


def served(room: Room) -> list[Served]:
    here, study = Analysis(room), Study()
    return [
        Served("POST", "/api/advise", here.advise, "What each choice is worth", Advised, Advise),
        Served(
            "GET", "/api/chart", here.chart, "How each hand is played", Charted, asks=WhichChart
        ),
        *houses.served(room, study),
        *par.served(room, study),
        *strategies.served(room, study),
    ]


class Analysis:
    """The coach has a study of his own: players do not wait for those who study."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.coach = Study()

    async def advise(self, request: Request, given: Advise) -> Advised:
        """Exact values of each choice, from what the one who asks may see."""
        if given.seat:
            house, known, ante = self._at_seat(given, request.state.session)
        else:
            house = self._house(given)
            known = Situation(
                cards(given.hand), cards(given.board), cards(given.dealer), (), cards(given.seen)
            )
            ante = given.ante or _least(house)
        advice = await self.coach.work(lambda: advise(house, known))
        return msgspec.convert(advice_data(house, known, advice, ante), Advised)

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

    async def chart(self, request: Request, which: WhichChart) -> Charted:
        house = self._house(which)
        return await self.coach.work(lambda: _charted(question(house)))

    def _house(self, which: Advise | WhichChart) -> House:
        if which.table:
            return self.room.host(which.table).table.house
        return default_house(game_named(which.game).books[0].id)


@lru_cache(maxsize=64)
def _charted(asked: Question) -> Charted:
    if "before-flop" in asked.house.multiples:
        return Charted(
            opening=msgspec.convert(opening_data(opening_chart(asked.house)), list[Start])
        )
    return Charted(charts=msgspec.convert(charts_data(charts(asked.house)), list[Chart]))


def _least(house: House) -> Cents:
    return house.posted[house.game.wagers[0].key].minimum


def _faces(texts: list[str]) -> tuple[Any, ...]:
    return tuple(card(text) for text in texts if text != BACK)
