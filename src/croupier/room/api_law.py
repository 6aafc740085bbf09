"""The law over HTTP: every clause in our words."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request

from croupier.law.clause import UnknownClause, clause, rulings
from croupier.law.refused import Refused
from croupier.room.endpoints import Served
from croupier.room.floor import Room


class Ruled(Struct, frozen=True):
    id: str
    question: str
    ruling: str


class Said(Struct, frozen=True):
    id: str
    book: str
    says: str
    supplied: bool
    rulings: list[Ruled]


def served(room: Room) -> list[Served]:
    return [Served("GET", "/api/law/clauses/{id}", one_clause, "One clause in our words", Said)]


async def one_clause(request: Request) -> Said:
    try:
        found = clause(request.path_params["id"])
    except UnknownClause as unknown:
        raise Refused(f"{unknown}.", code="NO_SUCH_CLAUSE") from None
    ruled = [rulings()[each] for each in found.rulings]
    return Said(
        found.id,
        found.book,
        found.says,
        bool(found.supplied),
        [Ruled(each.id, each.question, each.ruling) for each in ruled],
    )
