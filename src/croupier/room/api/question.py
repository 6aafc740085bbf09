"""A request turned into a question of the study, asked in the name of whoever sent it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.submission import House
from croupier.room.door.guard import address
from croupier.room.floor import Room
from croupier.room.study.messages import Ask

JSON = "application/json"


async def answered(room: Room, request: Request, ask: Ask, topic: str = "") -> bytes:
    """With a topic, a person's newer question takes the place of one that still waits."""
    where = address(request.scope)
    session = request.state.session
    person = f"name {session.name}" if session else f"address {where}"
    return await room.study.answer(ask, person, where, topic)


async def answer(room: Room, request: Request, ask: Ask, topic: str = "") -> Response:
    """The answer as the worker wrote it: JSON already."""
    return Response(await answered(room, request, ask, topic), media_type=JSON)


def submission(house: House, keys: tuple[str, ...] = ()) -> dict[str, Any]:
    """A house as plain data, with its preset filled in: all of it, or some keys. Houses that are
    the same in these are one question."""
    return {key: value for key, value in house.source.items() if not keys or key in keys}
