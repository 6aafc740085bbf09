"""An evening played under a book, with mishaps: whatever cites a clause there is its example.

It is played command by command between other things on the event loop, so that the real tables
need not wait for it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.room.api.examples.told import Example, Examples, Line, line
from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.bots import bot_choice, bot_wagers
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, player
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.faults import FaultyDealer, evenly
from croupier.table.options import candidates
from croupier.table.procedure import current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table
from croupier.table.view import areas, view

ROUNDS = 40  # of an evening; after that little is new
IN_ORDER = 15  # of them, in which nothing goes wrong
ASKED_FOR = 2  # in which everything is tried that is not allowed
MISHAPS = Fraction(1, 8)  # of each kind, per round
LONGEST = 9  # lines of a story
PLAYERS = ("Ada", "Ben", "Cleo")
CHIPS = dollars(20_000)

# An evening for each way to deal.
WAYS: tuple[dict[str, Any], ...] = (
    {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"]},
    {"dealing": "hand", "shuffling": "automated", "decks": ["red"]},
    {"dealing": "automated shoe", "shuffling": "automated", "decks": ["red", "blue"]},
)

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
            told = Line(f"Every place has an area for the {name}.", cite)
            found.setdefault(cite, Example("On the layout", [told]))

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
                    self.found[cite] = Example(self.title(), [*self.story(event, cite)])
            if isinstance(event, e.RoundEnded):
                self.said = []

    def title(self) -> str:
        way = f"dealt from the {self.table.dealing}"
        number = self.table.round.number if self.table.round else 0
        return f"Round {number}, {way}" if number else f"Between rounds, {way}"

    def story(self, event: e.Event, cite: str) -> Iterator[Line]:
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
        for each in before[1 - LONGEST :]:
            yield line(each)
        yield line(event, cite)

    def try_everything(self) -> Iterator[None]:
        """What the table refuses now, and why."""
        for who in (DEALER, SUPERVISOR, DEVICE, *map(player, PLAYERS)):
            for command in candidates(self.table, who):
                answer = decide(self.table, command)
                if isinstance(answer, Refused) and answer.clause not in self.refused:
                    asks = Line(f"{who.player or f'The {who.role}'} asks: {_asked(command)}.")
                    no = Line(f"Refused. {answer.sentence}", answer.clause)
                    before = [line(each) for each in self.said[-1:]]
                    self.refused[answer.clause] = Example(self.title(), [*before, asks, no])
            yield


def _cited(event: e.Event) -> tuple[str, ...]:
    """The clause of an event; a cut has one for each of its steps."""
    return (getattr(event, "clause", ""), *getattr(event, "steps", ()))


def _asked(command: c.Command) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", type(command).__name__).lower()
