"""Ways to play a house over HTTP: short rules for the table, and the published strategies."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from croupier.analysis.strategies.strategy import strategies
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.house import OfHouse, lawful
from croupier.room.api.question import answer, submission
from croupier.room.floor import Room
from croupier.room.study.messages import Ask
from croupier.room.study.ways import Way, Ways


def served(room: Room) -> list[Served]:
    async def ways(request: Request, given: OfHouse) -> Response:
        house = submission(await lawful(room, given.house))
        ask = Ask("strategies", {"house": house})
        return await answer(room, request, ask, "strategies")

    async def way(request: Request, given: OfHouse) -> Response:
        house, name = await lawful(room, given.house), request.path_params["name"]
        if name not in strategies(house.game.id):
            raise Refused("This game has no such way to play.", code="NO_SUCH_WAY")
        ask = Ask("strategy", {"house": submission(house), "name": name})
        return await answer(room, request, ask, f"strategy {name}")

    return [
        Served("POST", "/api/strategies", ways, "Ways to play a house", Ways, OfHouse),
        Served("POST", "/api/strategies/{name}", way, "One of them, counted", Way, OfHouse),
    ]
