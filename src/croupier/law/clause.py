"""Clauses and the books they stand in.

A citation is made by calling a book: ``law = rulebook("nj-let-it-ride")`` and then
``law("18.10(g)2")``. It resolves when the module is imported, or the import fails.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Disposition(StrEnum):
    """What became of a clause in this software."""

    IMPLEMENTED = "implemented"
    PENDING = "pending"
    PHYSICAL = "physical"
    NOTICE = "notice"
    OUT_OF_SCOPE = "out of scope"


class UnknownClause(LookupError):
    """A citation that names nothing."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered piece of a regulation, in our own words."""

    id: str
    book: str
    says: str
    disposition: Disposition
    reason: str = ""
    rulings: tuple[str, ...] = ()
    twin: str = ""
    supplied: bool = False

    def __str__(self) -> str:
        return self.id

    def under(self, book: Rulebook) -> Clause:
        """The clause that states this same rule in ``book``; itself where that book has none."""
        return book.twin_of(self)


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a contradiction or gap in the texts is decided."""

    id: str
    clauses: tuple[str, ...]
    question: str
    ruling: str
    reason: str


class Rulebook:
    """All clauses of one regulation, in its order; call it with a clause number to cite."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.id: str = data["id"]
        self.title: str = data["title"]
        self.source: str = data["source"]
        self.supplied: bool = data.get("supplied", False)
        self.prefixes: tuple[str, ...] = tuple(data["prefixes"])
        self.clauses: dict[str, Clause] = {
            entry["id"]: Clause(
                id=entry["id"],
                book=self.id,
                says=entry["says"],
                disposition=Disposition(entry["disposition"]),
                reason=entry.get("reason", ""),
                rulings=tuple(entry.get("rulings", ())),
                twin=entry.get("twin", ""),
                supplied=self.supplied,
            )
            for entry in data["clause"]
        }
        self._here = {c.twin: c for c in self.clauses.values() if c.twin} | self.clauses
        self._asked: dict[str, Clause] = {}
        self.cited: dict[str, str] = {}  # by a clause's id, that of its twin here, once asked for
        self.continued_by: str = data.get("continued_by", "")
        if self.continued_by:  # a text that breaks off goes on in the supplied rules
            self._here = rulebook(self.continued_by)._here | self._here

    def __call__(self, number: str) -> Clause:
        for prefix in ("", *self.prefixes):
            if (clause := self.clauses.get(prefix + number)) is not None:
                return clause
        raise UnknownClause(f"{number!r} is no clause of {self.id}")

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses.values())

    def __repr__(self) -> str:
        return f"rulebook({self.id!r})"

    def cite(self, clause: Clause) -> str:
        """The id of the clause that states this rule here; asked for by every event of a table."""
        found = self.cited[clause.id] = self.twin_of(clause).id
        return found

    def twin_of(self, clause: Clause) -> Clause:
        """The clause of this book that states the same rule as ``clause``, else ``clause``."""
        found = self._asked.get(clause.id)
        if found is None:
            found = self._here.get(clause.id) or self._here.get(clause.twin) or clause
            self._asked[clause.id] = found
        return found


BOOK_IDS = (
    "nj-ultimate-texas-holdem",
    "ma-ultimate-texas-holdem",
    "nj-caribbean-stud",
    "nj-caribbean-stud-supplied",
    "nj-let-it-ride",
    "nj-pik-it-poker",
)


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "books" / f"{name}.toml").read_text("utf-8"))


@cache
def rulebook(book_id: str) -> Rulebook:
    """The book of this name; an unknown name is an error."""
    if book_id not in BOOK_IDS:
        raise UnknownClause(f"{book_id!r} is no book of law; there are {', '.join(BOOK_IDS)}")
    return Rulebook(_load(book_id))


def books() -> tuple[Rulebook, ...]:
    return tuple(rulebook(book_id) for book_id in BOOK_IDS)


def clause(full_id: str) -> Clause:
    """A clause by its full id, e.g. ``NJ 19:47-32.10(h)2``, in whichever book has it."""
    for book in books():
        if full_id in book.clauses:
            return book.clauses[full_id]
    raise UnknownClause(f"{full_id!r} is no clause of any book")


@cache
def rulings() -> dict[str, Ruling]:
    return {
        entry["id"]: Ruling(
            id=entry["id"],
            clauses=tuple(entry["clauses"]),
            question=entry["question"],
            ruling=entry["ruling"],
            reason=entry["reason"],
        )
        for entry in _load("rulings")["ruling"]
    }
