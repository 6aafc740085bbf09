"""The law over HTTP: every clause in our words, where it is enforced, and what it looks like."""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections import Counter
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.requests import Request

from croupier.law import coverage
from croupier.law.clause import Clause, Rulebook, UnknownClause, books, clause, rulebook, rulings
from croupier.law.refused import Refused
from croupier.room.api.endpoints import Served
from croupier.room.api.examples.library import Library
from croupier.room.api.examples.told import Example
from croupier.room.floor import Room

JURISDICTIONS = {"nj": "New Jersey", "ma": "Massachusetts"}
SECTION = re.compile(r"[^(\"]+")  # of a clause's id, up to its first letter or word
MOST = 700
READING = "from croupier.law.coverage import matrix; print(matrix().to_json())"

Status = Literal["implemented", "pending", "physical", "notice", "out of scope"]
Words = Annotated[str, Meta(max_length=200)]


class Book(Struct, frozen=True):
    id: str
    title: str
    jurisdiction: str
    source: str
    supplied: bool  # not quoted law
    clauses: int
    by_status: dict[str, int]


class Sought(Struct, frozen=True):
    book: Words = ""
    q: Words = ""  # words, or a piece of an id
    status: Status | Literal[""] = ""
    after: Words = ""  # the id the last answer ended with
    limit: Annotated[int, Meta(ge=1, le=MOST)] = 100


class Wanted(Struct, frozen=True):
    brief: bool = False  # without code, tests and example


class Listed(Struct, frozen=True):
    id: str
    book: str
    section: str
    says: str
    status: str
    rulings: tuple[str, ...]


class Ruled(Struct, frozen=True):
    id: str
    question: str
    ruling: str
    reason: str


class Twin(Struct, frozen=True):
    id: str
    book: str
    title: str  # of the book


class Place(Struct, frozen=True):
    file: str
    line: int
    name: str  # of the function or constant, or of the test


class Said(Struct, frozen=True):
    id: str
    book: str
    title: str  # of the book
    section: str
    says: str
    status: str
    reason: str
    supplied: bool
    rulings: list[Ruled]
    twins: list[Twin]
    enforced_in: list[Place]
    tests: list[Place]
    example: Example | None


def served(room: Room) -> list[Served]:
    here = Law()
    return [
        Served("GET", "/api/law", here.books, "The books of law", list[Book]),
        Served("GET", "/api/law/clauses", here.clauses, "Clauses", list[Listed], asks=Sought),
        Served("GET", "/api/law/clauses/{id}", here.clause, "One clause", Said, asks=Wanted),
    ]


class Law:
    def __init__(self) -> None:
        self._library = Library()
        self._reading = asyncio.Lock()
        self._matrix: coverage.Matrix | None = None

    async def books(self, request: Request) -> list[Book]:
        return [_book(each) for each in books()]

    async def clauses(self, request: Request, sought: Sought) -> list[Listed]:
        after = -1
        if sought.after:
            try:
                after = _all()[clause(sought.after)]
            except UnknownClause as unknown:
                raise Refused(f"{unknown}.", code="BAD_REQUEST") from None
        found = [each for each, at in _all().items() if at > after and _fits(each, sought)]
        return [_listed(each) for each in found[: sought.limit]]

    async def clause(self, request: Request, wanted: Wanted) -> Said:
        try:
            found = clause(request.path_params["id"])
        except UnknownClause as unknown:
            raise Refused(f"{unknown}.", code="NO_SUCH_CLAUSE") from None
        matrix, example = await self._more(found) if not wanted.brief else (None, None)
        ruled = [rulings()[each] for each in found.rulings]
        return Said(
            id=found.id,
            book=found.book,
            title=rulebook(found.book).title,
            section=_section(found),
            says=found.says,
            status=found.disposition,
            reason=found.reason,
            supplied=found.supplied,
            rulings=[Ruled(each.id, each.question, each.ruling, each.reason) for each in ruled],
            twins=[Twin(each.id, each.book, rulebook(each.book).title) for each in _twins(found)],
            enforced_in=_places(matrix.code, found) if matrix else [],
            tests=_places(matrix.tests, found) if matrix else [],
            example=example,
        )

    async def _more(self, found: Clause) -> tuple[coverage.Matrix, Example | None]:
        async with self._reading:
            if self._matrix is None:
                self._matrix = await _read()
        return self._matrix, await self._library.example(found)


async def _read() -> coverage.Matrix:
    """The source, in a process of its own: it takes seconds, and tables are dealt at here."""
    process = await create_subprocess_exec(sys.executable, "-c", READING, stdout=PIPE)
    told, _ = await process.communicate()
    return coverage.Matrix.from_json(told.decode())


@cache
def _all() -> dict[Clause, int]:
    """Every clause of every book, in order, with its place."""
    return {each: at for at, each in enumerate(each for book in books() for each in book)}


def _fits(each: Clause, sought: Sought) -> bool:
    if sought.book not in ("", each.book) or sought.status not in ("", each.disposition):
        return False
    text = f"{each.id} {each.says} {' '.join(each.rulings)}".casefold()
    return all(word in text for word in sought.q.casefold().split())


def _section(each: Clause) -> str:
    found = SECTION.match(each.id)
    assert found is not None
    return found[0].strip()


def _twins(found: Clause) -> list[Clause]:
    """The same rule in the other books."""
    first = found.twin or found.id
    return [each for each in _all() if each is not found and first in (each.id, each.twin)]


def _places(found: coverage.Places, each: Clause) -> list[Place]:
    return [Place(at.file, at.line, at.name) for at in found.get(each.id, [])]


def _listed(each: Clause) -> Listed:
    return Listed(
        each.id, each.book, _section(each), each.says, str(each.disposition), each.rulings
    )


def _book(book: Rulebook) -> Book:
    return Book(
        book.id,
        book.title,
        JURISDICTIONS[book.id[:2]],
        book.source,
        book.supplied,
        len(book.clauses),
        dict(Counter(str(each.disposition) for each in book)),
    )
