"""PAR sheets over HTTP, to read and to take away, and two houses side by side."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.analysis.par.compare import compare
from croupier.analysis.par.sheet import Sheet, sheet
from croupier.house.submission import House
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.house import lawful
from croupier.room.api.par_data import Par, SideBySide, par, side_by_side
from croupier.room.api.question import Question, question
from croupier.room.api.study import Study
from croupier.room.floor import Room

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


def served(room: Room, study: Study) -> list[Served]:
    here = Sheets(room, study)
    media = tuple(each.partition(";")[0] for each in MEDIA.values())
    return [
        Served("POST", "/api/par", here.par, "A PAR sheet, or its file", Par, AskPar, media=media),
        Served("POST", "/api/compare", here.compare, "Two houses compared", SideBySide, AskCompare),
    ]


class Sheets:
    def __init__(self, room: Room, study: Study) -> None:
        self.room = room
        self.study = study

    async def par(self, request: Request, asked: AskPar) -> Par | Response:
        house = lawful(self.room, asked.house)
        who = f"{request.state.session.id} {asked.format}"
        if asked.format == "json":
            return await self.study.newest(who, lambda: par(_sheet(question(house))))
        content = await self.study.newest(who, lambda: _written(house, asked.format))
        name = f"par-{house.book.id}.{asked.format}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=headers, media_type=MEDIA[asked.format])

    async def compare(self, request: Request, asked: AskCompare) -> SideBySide:
        first, second = lawful(self.room, asked.a), lawful(self.room, asked.b)
        who = f"{request.state.session.id} compare"
        return await self.study.newest(who, lambda: side_by_side(compare(first, second)))


@lru_cache(maxsize=16)
def _sheet(asked: Question) -> Sheet:
    return sheet(asked.house)


def _written(house: House, format: str) -> bytes:
    made = _sheet(question(house))
    try:
        match format:
            case "html":
                from croupier.analysis.par.html import page as write
            case "pdf":
                from croupier.analysis.par.pdf import document as write
            case _:
                from croupier.analysis.par.xlsx import workbook as write
    except ModuleNotFoundError as missing:
        sentence = f"A sheet in {format} needs {missing.name}, which is not installed here."
        raise Refused(sentence, code="NOT_INSTALLED") from None
    return write(made)
