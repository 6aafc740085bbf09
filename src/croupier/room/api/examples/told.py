"""What an example of the law is: a title and the lines of a story, some of which cite clauses."""

from __future__ import annotations

from msgspec import Struct

from croupier.law.clause import Clause, Rulebook
from croupier.table import events as e
from croupier.table.narrate import sentence
from croupier.table.view import seen_event


class Line(Struct, frozen=True):
    sentence: str
    clause: str | None = None
    cards: tuple[str, ...] = ()


class Example(Struct, frozen=True):
    title: str
    sentences: list[Line]


Examples = dict[str, Example]  # by clause


def line(event: e.Event, cite: str = "") -> Line:
    """An event as anyone may see it, citing its own clause or the one of its acts that is meant."""
    seen = seen_event(event)
    shown = seen.get("cards", seen.get("card", ""))
    faces = tuple(shown.split()) if isinstance(shown, str) else ()
    return Line(sentence(event), cite or getattr(event, "clause", "") or None, faces)


def stated_in(book: Rulebook, clause: Clause) -> str:
    """The id of the clause that states this rule in ``book`` or where that goes on, or nothing."""
    here = clause.under(book)
    return here.id if here.book in (book.id, book.continued_by) else ""
