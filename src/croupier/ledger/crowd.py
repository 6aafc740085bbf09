"""Everybody at one table, at random: players, dealer, floor and devices, most of them lawful.

They look at the table as the ledger keeps it and say what comes next; chance comes from the random
numbers handed in and from nowhere else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from croupier.cards.card import DECK, Card, read_exact
from croupier.games.registry import RULEBOOKS
from croupier.ledger.kept import Kept
from croupier.ledger.records import AddEntropy
from croupier.rules.money import Cents, dollars
from croupier.rules.stage import Choice
from croupier.table import commands as c
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, Actor, player
from croupier.table.dealer import Dealer
from croupier.table.faults import FaultyDealer, evenly
from croupier.table.options import candidates
from croupier.table.procedure import current, turn
from croupier.table.state import DeckAt, Position, Table

SEATS = (1, 2, 4)
CHIPS = dollars(20_000)
ENOUGH = dollars(2_000)  # with less before a round, a player buys more
MISHAPS = Fraction(1, 30)  # of each kind, per round
RARE = (c.RemoveDeck, c.RemoveDevice, c.ChangeMethod, c.SpreadDeck, c.StandUp)
WAYS: tuple[dict[str, Any], ...] = (
    {"dealing": "manual shoe", "shuffling": "manual", "decks": ["red"]},
    {"dealing": "manual shoe", "shuffling": "automated", "decks": ["red", "blue"]},
    {"dealing": "hand", "shuffling": "automated", "decks": ["red"]},
    {"dealing": "automated shoe", "shuffling": "automated", "decks": ["red", "blue"]},
)


def some_house(rng: random.Random, book: str = "") -> dict[str, Any]:
    """A submission: any game, dealt in any way."""
    return {"rulebook": book or rng.choice(RULEBOOKS), **rng.choice(WAYS)}


class Crowd:
    """``unruly`` is how often somebody says just anything, from 0 to 1; at 0 all goes well."""

    def __init__(
        self, look: Callable[[], Kept], rng: random.Random, *, unruly: float = 0.1
    ) -> None:
        self.look = look
        self.rng = rng
        self.unruly = unruly
        dealer = Dealer(self._order, self._cut)
        self.dealer = FaultyDealer(dealer, rng, evenly(MISHAPS)) if unruly else dealer

    def next(self) -> c.Command:
        """What somebody says now."""
        table, chance = self.look().table, self.rng.random()
        if chance < self.unruly:
            return self._anything(table)
        if chance < self.unruly * 1.5:
            return self._aside(table)
        command = self.dealer.next_command(table, close_bets=False)
        if command is not None:
            return command
        step = current(table)
        if step is None or not table.now.closed:
            return self._betting(table)
        waiting = turn(table, step)
        if waiting is None:  # the dealer's side has seen to it before
            return self._aside(table)
        return self._chosen(table, waiting, self.rng.choice([*step.choices.values()]))

    # --- the deck, as promised ----------------------------------------------------------------

    def _order(self, cards: Sequence[Card]) -> Sequence[Card]:
        promised = self.look().shuffles.promised
        return read_exact(promised.order()) if promised else self.rng.sample(DECK, 52)

    def _cut(self) -> int:
        kept = self.look()
        (waiting, *_) = (deck for deck in kept.table.decks if deck.at is DeckAt.SHUFFLED)
        lying = kept.shuffles.lying.get(waiting.colour)
        return lying.cut() if lying else self.rng.randint(10, 42)

    # --- players ------------------------------------------------------------------------------

    def _betting(self, table: Table) -> c.Command:
        """Each seat is taken and wagers in turn, then bets are closed."""
        for seat in SEATS:
            name = table.seats[seat - 1]
            if not name:
                known = f"p{seat}" in table.seats  # sitting elsewhere
                return c.SitDown(player(f"{'q' if known else 'p'}{seat}"), seat, CHIPS)
            if table.position(seat) is None:
                if table.chips_free(name) < ENOUGH:
                    return c.BuyChips(player(name), CHIPS)
                return c.PlaceWagers(player(name), seat, self._wagers(table))
        return self.dealer.next_command(table, close_bets=True) or self._aside(table)

    def _wagers(self, table: Table) -> dict[str, Cents]:
        base = self.rng.choice((5_00, 10_00, 25_00, 100_00))
        placed: dict[str, Cents] = {}
        for wager in table.house.game.wagers_under(table.house.book):
            if wager.before_the_deal and wager.required:
                placed[wager.name] = base
            elif wager.before_the_deal and wager.key in table.house.offered:
                by_hand = wager.name == "cover all" and table.shuffling != "automated"
                if not by_hand and set(wager.needs) <= set(placed) and self.rng.random() < 0.7:
                    placed[wager.name] = wager.exactly or self.rng.choice((1_00, 5_00, 10_00))
        return placed

    def _chosen(self, table: Table, p: Position, choice: Choice) -> c.Command:
        who = player(p.player)
        if choice.verb == "pick":
            return c.Choose(who, p.seat, "pick", cards=tuple(self.rng.sample(range(1, 6), 3)))
        times = self.rng.choice(choice.multiples) if len(choice.multiples) > 1 else 0
        if times and table.house.game.id == "ultimate-texas-holdem":
            return c.Choose(who, p.seat, choice.verb, times=times)
        return c.Choose(who, p.seat, choice.verb, choice.wager)

    # --- what else is said --------------------------------------------------------------------

    def _anything(self, table: Table) -> c.Command:
        """Something that somebody might say, lawful or not, but for the table's end."""
        made = [x for x in candidates(table, self._somebody()) if not isinstance(x, c.CloseTable)]
        kind = self.rng.choice(sorted({type(each).__name__ for each in made}))
        command = self.rng.choice([each for each in made if type(each).__name__ == kind])
        rare = isinstance(command, RARE) and self.rng.random() < 0.9
        return self._anything(table) if rare else command

    def _somebody(self) -> Actor:
        return self.rng.choice((DEALER, SUPERVISOR, DEVICE, player("p1"), player("p2")))

    def _aside(self, table: Table) -> c.Command:
        """A player adds to the shuffle, or the floor puts devices and methods right."""
        house, name = table.house, f"p{self.rng.choice(SEATS)}"
        return self.rng.choice(
            (
                AddEntropy(player(name), f"{self.rng.randrange(10**9)}"),
                c.InstallDevice(SUPERVISOR, self.rng.choice(("shuffler", "shoe"))),
                c.ChangeMethod(SUPERVISOR, house.shuffling, house.dealing),
                c.FillInventory(SUPERVISOR, CHIPS),
            )
        )
