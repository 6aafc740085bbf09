"""Finished rounds over HTTP: listed, and step by step with their proof."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from starlette.requests import Request

from croupier.law.refused import Refused
from croupier.ledger.reading import Reading, legible
from croupier.room.api.endpoints import Served
from croupier.room.api.looking import looking
from croupier.room.api.round_told import Listed, Replayed, listed, replayed
from croupier.room.door.roles import AUDITORS
from croupier.room.floor import Room
from croupier.room.hosts import TableHost

AT_ONCE = 2  # looks into the ledger; the threads are there for others too
HIGHEST = 10**15
DIGITS = 15  # of a round's number in an address

Found = TypeVar("Found")


class Page(Struct, frozen=True):
    before: Annotated[int, Meta(ge=1, le=HIGHEST)] = HIGHEST  # only rounds before this one
    limit: Annotated[int, Meta(ge=1, le=100)] = 20


def served(room: Room) -> list[Served]:
    here = Rounds(room)
    return [
        Served(
            "GET",
            "/api/tables/{id}/rounds",
            here.rounds,
            "Finished rounds, the newest first",
            list[Listed],
            asks=Page,
        ),
        Served(
            "GET",
            "/api/tables/{id}/rounds/{n}",
            here.round,
            "A finished round step by step, and its proof",
            Replayed,
        ),
    ]


class Rounds:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._looks = asyncio.Semaphore(AT_ONCE)

    async def rounds(self, request: Request, page: Page) -> list[Listed]:
        host = await self._host(request)
        newest = min(page.before - 1, host.table.rounds)
        if not newest:
            return []
        return await self._look(lambda ledger: listed(ledger, host.name, newest, page.limit))

    async def round(self, request: Request) -> Replayed:
        """As the rail saw it; who audits sees every hand."""
        host, number = await self._host(request), _number(request.path_params["n"])
        if number > host.table.rounds:
            raise _not_yet(host, number)
        hands = request.state.session.role in AUDITORS
        return await self._look(lambda ledger: replayed(ledger, host.name, number, hands=hands))

    async def _host(self, request: Request) -> TableHost:
        return await self.room.current(request.path_params["id"])

    async def _look(self, find: Callable[[Reading], Found]) -> Found:
        async with self._looks:
            return await asyncio.to_thread(_readable, self.room, find)


def _readable(room: Room, find: Callable[[Reading], Found]) -> Found:
    with legible():
        return find(looking(room.ledger))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS and int(text)):
        raise Refused(f"There is no round {text!r}.", code="NO_SUCH_ROUND")
    return int(text)


def _not_yet(host: TableHost, number: int) -> Refused:
    name = f"Round {number} of table {host.name}"
    if host.table.round and host.table.now.number == number:
        return Refused(f"{name} is not over; it can be seen when it is.", code="NOT_OVER")
    return Refused(f"{name} has not been dealt.", code="NO_SUCH_ROUND")
