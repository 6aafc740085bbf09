"""Evenings at a table for the tests: the automatic dealer, and players who choose at random.

Everything goes through decide and evolve; whoever drives may put any command in between.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE

from croupier.cards.card import DECK, Card
from croupier.rules.stage import Choice
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import Actor, player
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.equipment import Answer
from croupier.table.evolve import evolve
from croupier.table.procedure import Step, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Position, Table

Submission = dict[str, Any]

# --- houses ---------------------------------------------------------------------------------

ONE_DECK: Submission = {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"]}
TWO_DECKS: Submission = {
    "dealing": "manual shoe",
    "shuffling": "automated",
    "decks": ["red", "blue"],
}
FROM_THE_HAND: Submission = {"dealing": "hand", "shuffling": "automated", "decks": ["red"]}
AUTOMATED_SHOE: Submission = {
    "dealing": "automated shoe",
    "shuffling": "automated",
    "decks": ["red", "blue"],
}
ONE_IN_THE_SHOE: Submission = {"dealing": "automated shoe", "shuffling": "manual", "decks": ["red"]}
WAYS = {
    "manual shoe": ONE_DECK,
    "manual shoe, two decks": TWO_DECKS,
    "hand": FROM_THE_HAND,
    "automated shoe, two decks": AUTOMATED_SHOE,
    "automated shoe": ONE_IN_THE_SHOE,
}
PROGRESSIVE: Submission = {
    "offered": ["trips", "cover-all", "progressive"],
    "pay": {
        "trips": "A",
        "progressive": {"royal-flush": "100 %", "straight-flush": "10 %", "flush": "$50"},
    },
    "progressive": {"meter": 10_000, "seed": 10_000, "contribution": 1},
}
SECOND_ALTERNATIVE: Submission = {"settlement": 2}
STACK_LAST: Submission = {"dealer_stack": 2}
COUPONS: Submission = {"match_play": True}


def _houses() -> Iterator[tuple[str, Submission]]:
    for book in ALL_BOOKS:
        for name, way in WAYS.items():
            yield f"{book}, {name}", {"rulebook": book, **way}
    more = {
        "progressive": {"rulebook": MA_UTH, **AUTOMATED_SHOE, **PROGRESSIVE},
        "progressive, hand": {"rulebook": MA_UTH, **FROM_THE_HAND, **PROGRESSIVE},
        "second alternative": {"rulebook": PIK_IT, **ONE_DECK, **SECOND_ALTERNATIVE},
        "stack last": {"rulebook": PIK_IT, **AUTOMATED_SHOE, **STACK_LAST},
        "stack last, second alternative": {
            "rulebook": PIK_IT,
            **ONE_IN_THE_SHOE,
            **STACK_LAST,
            **SECOND_ALTERNATIVE,
        },
        "two positions": {"rulebook": RIDE, **ONE_DECK, "adjacent": 2},
        "counting": {"rulebook": PIK_IT, **FROM_THE_HAND, "counting": True},
        "pre-shuffled": {"rulebook": NJ_UTH, **ONE_DECK, "preshuffled": True},
        "coupons": {"rulebook": NJ_UTH, **ONE_DECK, **COUPONS},
        "coupons, cover all": {"rulebook": MA_UTH, **TWO_DECKS, **COUPONS},
        "coupons, stud": {"rulebook": CARIBBEAN, **ONE_DECK, **COUPONS},
    }
    for name, submission in more.items():
        yield f"{submission['rulebook']}, {name}", submission


# Every game in every dealing procedure, and the house's other choices once each.
HOUSES: dict[str, Submission] = dict(_houses())

LIFTED = 10  # cards a rigged cut takes

# --- decks ----------------------------------------------------------------------------------


def plain_order(rng: random.Random) -> list[Card]:
    return rng.sample(DECK, 52)


def rich_order(rng: random.Random) -> list[Card]:
    """A slice of the deck on top, so that flushes, quads and royal flushes do come up."""
    deck = sorted(DECK, key=lambda each: (each.suit, each.rank)) if rng.random() < 0.5 else DECK
    size = rng.randint(14, 52)
    start = rng.randint(0, 52 - size)
    top, rest = list(deck[start : start + size]), [*deck[:start], *deck[start + size :]]
    rng.shuffle(top)
    rng.shuffle(rest)
    return top + rest


# --- an evening -----------------------------------------------------------------------------


class Evening:
    """One table, its history, and who plays at it."""

    def __init__(
        self,
        submission: Submission,
        *,
        seats: Sequence[int] = (1, 2, 4),
        seed: int = 1,
        rich: bool = False,
        chips: int = 20_000_00,
        inventory: int = 1_000_000_00,
    ) -> None:
        self.rng = random.Random(seed)
        self.rich = rich
        self.dealer = Dealer(self.shuffle, self.cut)
        self.log: list[e.Event] = []
        self.commands: list[c.Command] = []
        self.chips = chips
        self.enough = min(2_000_00, chips // 2)  # with less before a round, a player buys more
        self.seats = tuple(seats)
        opened = e.TableOpened("t1", submission, inventory)
        self.table: Table = evolve(None, opened)
        self.log.append(opened)

    def shuffle(self, cards: Sequence[Card]) -> list[Card]:
        if not self.rich:
            return plain_order(self.rng)
        order = rich_order(self.rng)
        if self.table.shuffling == "manual":  # so that the cut brings the rich cards to the top
            return order[-LIFTED:] + order[:-LIFTED]
        return order

    def cut(self) -> int:
        return LIFTED if self.rich else self.rng.randint(10, 51)

    def arrive(self) -> Evening:
        for seat in self.seats:
            self.do(c.SitDown(player(f"p{seat}"), seat, self.chips))
        return self

    def ask(self, command: c.Command) -> Answer:
        return decide(self.table, command)

    def do(self, command: c.Command) -> tuple[e.Event, ...]:
        """What the command brings about; it must be lawful."""
        answer = decide(self.table, command)
        assert not isinstance(answer, Refused), f"{command} {answer}"
        self.commands.append(command)
        for event in answer:
            self.happens(event)
        return answer

    def happens(self, event: e.Event) -> None:
        self.log.append(event)
        self.table = evolve(self.table, event)

    def next(self) -> c.Command:
        """What the dealer or a player does next."""
        table = self.table
        step = current(table)
        command = self.dealer.next_command(table, close_bets=False)
        if command is not None:
            return command
        if step is None or not table.now.closed:
            return self.betting()
        waiting = turn(table, step)
        assert waiting is not None
        return self.choice(step, waiting)

    def step(self) -> tuple[e.Event, ...]:
        return self.do(self.next())

    def rounds(self, count: int = 1) -> Evening:
        until = self.table.rounds + count
        while self.table.rounds < until:
            self.step()
        return self

    def until(self, kind: str, *, seat: int = 0) -> Evening:
        """Go on until the table waits for a step of this kind."""
        for _ in range(400):
            step = current(self.table)
            if step is not None and step.kind == kind:
                waiting = turn(self.table, step)
                if not seat or (waiting is not None and waiting.seat == seat):
                    return self
            self.step()
        raise AssertionError(f"{kind} never comes")

    # --- players ----------------------------------------------------------------------------

    def betting(self) -> c.Command:
        """Each seat wagers in turn, then bets are closed."""
        table = self.table
        for seat, name in enumerate(table.seats, 1):
            if name and table.position(seat) is None:
                if table.chips_free(name) < self.enough:
                    return c.BuyChips(player(name), self.chips)
                return self.wagers(seat, player(name))
        command = self.dealer.next_command(table, close_bets=True)
        assert command is not None
        return command

    def wagers(self, seat: int, who: Actor) -> c.Command:
        """The required wagers, and each optional one more often than not."""
        table, rng = self.table, self.rng
        base = rng.choice((5_00, 10_00, 25_00, 100_00) if self.enough > 1_000_00 else (5_00, 10_00))
        placed: dict[str, int] = {}
        for wager in table.house.game.wagers_under(table.house.book):
            if not wager.before_the_deal:
                continue
            if wager.required:
                placed[wager.name] = base
            elif wager.key in table.house.offered and rng.random() < 0.7:
                if wager.name == "cover all" and table.shuffling != "automated":
                    continue
                if set(wager.needs) <= set(placed):
                    placed[wager.name] = wager.exactly or rng.choice((1_00, 5_00, 10_00))
        coupon = base if table.house.match_play and rng.random() < 0.5 else 0
        return c.PlaceWagers(who, seat, placed, coupon)

    def choice(self, step: Step, p: Position) -> c.Command:
        made = self.rng.choice([*step.choices.values()])
        return said(self.table, p, made, self.rng)


def said(table: Table, p: Position, choice: Choice, rng: random.Random) -> c.Choose:
    who = player(p.player)
    if choice.verb == "pick":
        return c.Choose(who, p.seat, "pick", cards=tuple(rng.sample(range(1, 6), 3)))
    if len(choice.multiples) > 1 and table.house.game.id == "ultimate-texas-holdem":
        return c.Choose(who, p.seat, choice.verb, times=rng.choice(choice.multiples))
    return c.Choose(who, p.seat, choice.verb, choice.wager)
