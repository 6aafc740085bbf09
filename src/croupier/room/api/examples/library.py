"""Live examples of the law: evenings are played under a book, with mishaps, and whatever cites a
clause there is its example; the rest is arranged, judged or compared. Nothing is written down
beforehand; checker, ranking and table speak for themselves.

All of it runs between other things on the event loop, step by step: about a second in all, but
the real tables need not wait for it.
"""

from __future__ import annotations

import asyncio
import re

from croupier.cards.quick import load
from croupier.house.sign import notices
from croupier.house.submission import default_house
from croupier.law.clause import Clause, rulebook
from croupier.room.api.examples.equipment import EQUIPMENT
from croupier.room.api.examples.evening import WAYS, Evening
from croupier.room.api.examples.hands import hands
from croupier.room.api.examples.holdem import HOLDEM
from croupier.room.api.examples.pik_it import PIK_IT
from croupier.room.api.examples.ride import RIDE
from croupier.room.api.examples.shown import example
from croupier.room.api.examples.stud import CARIBBEAN
from croupier.room.api.examples.told import Example, Examples, Line, stated_in

PART = re.compile(r"(?<=[)\d])([ivx]+|\d+|\(\w+\))$")  # the last piece of a clause's number
ARRANGED = {
    "ultimate-texas-holdem": HOLDEM,
    "caribbean-stud": CARIBBEAN,
    "let-it-ride": RIDE,
    "pik-it": PIK_IT,
}


class Library:
    """The examples of each book, played for when somebody first asks."""

    def __init__(self) -> None:
        self._played: dict[str, asyncio.Task[Examples]] = {}

    async def example(self, clause: Clause) -> Example | None:
        """Of a clause, or of the one it is a part of."""
        book = book_of(clause)
        if book not in self._played:
            self._played[book] = asyncio.create_task(examples(book))
        found = await asyncio.shield(self._played[book])
        whole = clause.id
        while whole and whole not in found:
            whole = PART.sub("", whole) if PART.search(whole) else ""
        return found.get(whole)


def book_of(clause: Clause) -> str:
    """The book of the tables where a clause is met; supplied rules go on where one breaks off."""
    begun = rulebook("nj-caribbean-stud")
    return begun.id if clause.book == begun.continued_by else clause.book


async def examples(book_id: str) -> Examples:
    """One for every clause that tables under this book live by."""
    await asyncio.to_thread(load)
    found: Examples = {}
    refused: Examples = {}
    for way in WAYS:
        for _ in Evening(book_id, way, found, refused).play():
            await asyncio.sleep(0)
    house = default_house(book_id)
    for notice in notices(house):
        told = [Line(each, notice.clause.id) for each in notice.lines]
        found.setdefault(notice.clause.id, Example(f"On the sign: {notice.title}", told))
    for cite, compared in hands(house.book):
        found.setdefault(cite, compared)
        await asyncio.sleep(0)
    for arranged in (*EQUIPMENT, *ARRANGED[house.game.id]):
        cite = stated_in(house.book, arranged.clause)
        if cite and cite not in found and (played := example(arranged, cite, book_id)):
            found[cite] = played
        await asyncio.sleep(0)
    return refused | found
