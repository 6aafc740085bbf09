"""PAR sheets over HTTP, to read and to take away, and two houses side by side."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.room.api.endpoints import Served
from croupier.room.api.house import lawful
from croupier.room.api.par_data import Par, SideBySide
from croupier.room.api.question import answer, answered, submission
from croupier.room.floor import Room
from croupier.room.study.messages import Ask

Data = dict[str, Any]

MEDIA = {
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class AskPar(Struct, frozen=True, forbid_unknown_fields=True):
    house: Data
    format: Literal["json", "html", "pdf", "xlsx"] = "json"


class AskCompare(Struct, frozen=True, forbid_unknown_fields=True):
    a: Data
    b: Data


def served(room: Room) -> list[Served]:
    here = Sheets(room)
    media = tuple(each.partition(";")[0] for each in MEDIA.values())
    return [
        Served("POST", "/api/par", here.par, "A PAR sheet, or its file", Par, AskPar, media=media),
        Served("POST", "/api/compare", here.compare, "Two houses compared", SideBySide, AskCompare),
    ]


class Sheets:
    def __init__(self, room: Room) -> None:
        self.room = room

    async def par(self, request: Request, asked: AskPar) -> Response:
        house, topic = await lawful(self.room, asked.house), f"par {asked.format}"
        if asked.format == "json":
            ask = Ask("par", {"house": submission(house)})
            return await answer(self.room, request, ask, topic)
        ask = Ask("file", {"house": submission(house), "format": asked.format})
        content = await answered(self.room, request, ask, topic)
        name = f"par-{house.book.id}.{asked.format}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=headers, media_type=MEDIA[asked.format])

    async def compare(self, request: Request, asked: AskCompare) -> Response:
        a, b = [submission(await lawful(self.room, each)) for each in (asked.a, asked.b)]
        return await answer(self.room, request, Ask("compare", {"a": a, "b": b}), "compare")
