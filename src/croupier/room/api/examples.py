"""Live examples of the law: an evening is played under a book, with mishaps, and whatever cites a
clause there is its example. Nothing is written down beforehand; the table speaks for itself.

The evening is played between other things on the event loop, command by command: half a second in
all, but the real tables need not wait for it.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.cards.card import cards
from croupier.cards.quick import QUICK
from croupier.cards.ranking import FIVE_CARD_RANKING, THREE_CARD_RANKING, Ranking, words
from croupier.house.sign import notices
from croupier.house.submission import default_house
from croupier.law.clause import Clause, rulebook
from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, player
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.faults import FaultyDealer, evenly
from croupier.table.narrate import sentence
from croupier.table.options import candidates
from croupier.table.procedure import current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table
from croupier.table.view import areas, seen_event, view

ROUNDS = 40  # of an evening; after that little is new
IN_ORDER = 15  # of them, in which nothing goes wrong
ASKED_FOR = 2  # in which everything is tried that is not allowed
MISHAPS = Fraction(1, 8)  # of each kind, per round
LONGEST = 9  # lines of a story
PLAYERS = ("Ada", "Ben", "Cleo")
CHIPS = dollars(20_000)
PART = re.compile(r"(?<=[)\d])([ivx]+|\d+|\(\w+\))$")  # the last piece of a clause's number

# An evening for each way to deal.
WAYS: tuple[dict[str, Any], ...] = (
    {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"]},
    {"dealing": "hand", "shuffling": "automated", "decks": ["red"]},
    {"dealing": "automated shoe", "shuffling": "automated", "decks": ["red", "blue"]},
)
HANDS = (
    *("As Ks Qs Js Ts", "9h 8h 7h 6h 5h", "8s 8h 8d 8c Kd", "Js Jh Jd 4c 4d", "Kd Jd 9d 5d 2d"),
    *("9s 8d 7c 6h 5d", "7s 7h 7d Kc 2h", "Ks Kd 6h 6c 9s", "Qh Qd 9c 5s 2d"),
)
THREES = ("Ah Kh Qh", "7d 6d 5d", "9s 9h 9d", "6c 5d 4s", "Kc 8c 3c", "Js Jd 4h")

# What belongs to the story of a hand: its own, and what lies open for all.
STORY = (
    e.WagersPlaced,
    e.CommunityDealt,
    e.CommunityRevealed,
    e.UpCardExposed,
    e.ChoiceMade,
    e.HandRevealed,
    e.HandAnnounced,
    e.PickedCardsRevealed,
    e.DealerRevealed,
    e.CoverAllPosted,
    e.IrregularityReported,
)


class Line(Struct, frozen=True):
    sentence: str
    clause: str | None = None
    cards: tuple[str, ...] = ()


class Example(Struct, frozen=True):
    title: str
    sentences: list[Line]


Examples = dict[str, Example]  # by clause


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
    """As far as an evening under this book shows one."""
    await asyncio.to_thread(QUICK.best_five, cards("As Ks Qs Js Ts 9s 8s"))  # loads its kernels
    found: Examples = {}
    refused: Examples = {}
    for way in WAYS:
        for _ in Evening(book_id, way, found, refused).play():
            await asyncio.sleep(0)
    house = default_house(book_id)
    for notice in notices(house):
        told = [Line(each, notice.clause.id) for each in notice.lines]
        found.setdefault(notice.clause.id, Example(f"On the sign: {notice.title}", told))
    for ranking, hands in ((FIVE_CARD_RANKING, HANDS), (THREE_CARD_RANKING, THREES)):
        for clause, example in _ranked(ranking, hands):
            found.setdefault(clause.under(house.book).id, example)
    return refused | found


def _ranked(ranking: Ranking, hands: tuple[str, ...]) -> Iterator[tuple[Clause, Example]]:
    told = []
    for text in hands:
        strength = ranking.strength(cards(text))
        clause = next(cite for kind, _, cite in ranking.kinds if kind is strength.kind)
        line = Line(f"{words(strength).capitalize()}.", None, tuple(text.split()))
        told.append(line)
        yield clause, Example("A hand of this kind", [line])
    yield ranking.kind_order, Example("From the highest down", told)


class Evening:
    """Three players at a table where now and then something goes wrong."""

    def __init__(
        self, book_id: str, way: dict[str, Any], found: Examples, refused: Examples
    ) -> None:
        rng = random.Random(book_id)
        self.found = found
        self.refused = refused
        self.plain = Dealer(
            lambda deck: rng.sample(list(deck), len(deck)), lambda: rng.randint(10, 42)
        )
        self.unlucky = FaultyDealer(self.plain, rng, evenly(MISHAPS))
        self.said: list[e.Event] = []  # since the round began
        opened = e.TableOpened("example", {"rulebook": book_id, **way}, dollars(100_000))
        self.table: Table = evolve(None, opened)
        for name, cite in areas(self.table).items():
            line = Line(f"Every place has an area for the {name}.", cite)
            found.setdefault(cite, Example("On the layout", [line]))

    def play(self) -> Iterator[None]:
        """Command by command."""
        for seat, name in enumerate(PLAYERS, 1):
            self.do(c.SitDown(player(name), seat, CHIPS))
        while self.table.rounds < ROUNDS:
            if self.table.rounds < ASKED_FOR:
                yield from self.try_everything()
            self.do(self.next_command())
            yield

    def next_command(self) -> c.Command:
        table = self.table
        dealer = self.plain if table.rounds < IN_ORDER else self.unlucky
        if command := dealer.next_command(table, close_bets=False):
            return command
        step = current(table)
        waiting = turn(table, step) if step and table.now.closed else None
        if waiting:
            return bot_choice(table, waiting.seat, view(table, player(waiting.player)))
        for seat, name in enumerate(PLAYERS, 1):
            if table.position(seat) is None:
                return c.PlaceWagers(player(name), seat, bot_wagers(table, seat))
        closing = dealer.next_command(table, close_bets=True)
        assert closing is not None
        return closing

    def do(self, command: c.Command) -> None:
        answer = decide(self.table, command)
        assert not isinstance(answer, Refused), answer
        for event in answer:
            self.said.append(event)
            self.table = evolve(self.table, event)
            for cite in _cited(event):
                if cite and cite not in self.found:
                    self.found[cite] = Example(self.title(), [*self.story(event)])
            if isinstance(event, e.RoundEnded):
                self.said = []

    def title(self) -> str:
        way = f"dealt from the {self.table.dealing}"
        number = self.table.round.number if self.table.round else 0
        return f"Round {number}, {way}" if number else f"Between rounds, {way}"

    def story(self, event: e.Event) -> Iterator[Line]:
        """The event, after what led to it."""
        seat = getattr(event, "seat", 0)
        before = self.said[:-1]
        if seat:
            before = [
                each
                for each in before
                if isinstance(each, STORY) and getattr(each, "seat", seat) == seat
            ]
        elif not isinstance(event, STORY):
            before = before[-2:]
        for each in (*before[1 - LONGEST :], event):
            yield _line(each)

    def try_everything(self) -> Iterator[None]:
        """What the table refuses now, and why."""
        for who in (DEALER, SUPERVISOR, DEVICE, *map(player, PLAYERS)):
            for command in candidates(self.table, who):
                answer = decide(self.table, command)
                if isinstance(answer, Refused) and answer.clause not in self.refused:
                    asks = Line(f"{who.player or f'The {who.role}'} asks: {_asked(command)}.")
                    no = Line(f"Refused. {answer.sentence}", answer.clause)
                    before = [_line(each) for each in self.said[-1:]]
                    self.refused[answer.clause] = Example(self.title(), [*before, asks, no])
            yield


def _line(event: e.Event) -> Line:
    seen = seen_event(event)
    shown = seen.get("cards", seen.get("card", ""))
    faces = tuple(shown.split()) if isinstance(shown, str) else ()
    return Line(sentence(event), getattr(event, "clause", "") or None, faces)


def _cited(event: e.Event) -> tuple[str, ...]:
    """The clause of an event; a cut has one for each of its steps."""
    return (getattr(event, "clause", ""), *getattr(event, "steps", ()))


def _asked(command: c.Command) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", type(command).__name__).lower()
