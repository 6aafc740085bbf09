"""Things that go wrong, on purpose: a dealer at whose table devices jam, cards are exposed or
miscounted, and decks come short. It only reports; the table referees it like anyone, and the
floor then removes and replaces what is broken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction

from msgspec.structs import replace

from croupier.cards.card import DECK
from croupier.table import commands as c
from croupier.table.commands import DEALER, SUPERVISOR
from croupier.table.dealer import Dealer
from croupier.table.decide import decide
from croupier.table.procedure import Kind, current, turn
from croupier.table.refused import Refused
from croupier.table.state import Table, place_of


class Fault(StrEnum):
    SHUFFLER_JAM = "shuffler jam"
    SHOE_JAM = "shoe jam"
    EXPOSED = "card exposed"
    FACE_UP = "card face up in the deck"
    DRAWN = "card drawn in error"
    PLAYERS_CARDS = "wrong number of cards to a player"
    DEALERS_CARDS = "wrong number of cards to the dealer"
    FAULTY_DECK = "faulty deck on receipt"
    SHUFFLER_COUNT = "wrong count by the shuffler"
    STUB_COUNT = "wrong stub count"


Rates = Mapping[Fault, Fraction]

# These may strike at any step of a round; the others belong to one act of the dealer's.
ANYWHERE = (Fault.EXPOSED, Fault.FACE_UP, Fault.DRAWN, Fault.PLAYERS_CARDS, Fault.DEALERS_CARDS)


def evenly(rate: Fraction) -> Rates:
    """Every kind of fault in this part of the rounds (or shuffles, receipts, counts)."""
    return dict.fromkeys(Fault, rate)


class FaultyDealer:
    """A dealer with bad luck. Which, and when, follows from ``rng`` alone.

    One kind strikes at most once in a round, but face-up cards may come in twos, so that even at
    a rate of one the table always moves on.
    """

    def __init__(self, dealer: Dealer, rng: random.Random, rates: Rates) -> None:
        self.dealer = dealer
        self.rng = rng
        self.rates = rates
        self.struck: list[Fault] = []  # since the last round ended
        self._round = -1
        self._planned: list[Fault] = []
        self._step: object = None

    def next_command(self, table: Table, *, close_bets: bool) -> c.Command | None:
        """What the dealer's side does now: a report, a repair, or what any dealer would."""
        if table.rounds != self._round:
            self._plan(table.rounds)
        if repair := self._repair(table):
            return repair
        command = self.dealer.next_command(table, close_bets=close_bets)
        if command is not None and (wrong := self._spoil(table, command)):
            return wrong
        return self._strike(table) or command

    def _plan(self, round: int) -> None:
        self._round = round
        self.struck = []
        self._planned = [fault for fault in ANYWHERE if self._hits(fault)]
        if Fault.FACE_UP in self._planned and self._hits(Fault.FACE_UP):
            self._planned.append(Fault.FACE_UP)

    def _hits(self, fault: Fault) -> bool:
        return self.rng.random() < self.rates.get(fault, 0)

    # --- what belongs to one act --------------------------------------------------------------

    def _spoil(self, table: Table, command: c.Command) -> c.Command | None:
        """What happens instead of this act, if it goes wrong."""
        match command:
            case c.ReceiveDeck() if not command.preshuffled and self._once(Fault.FAULTY_DECK):
                return replace(command, cards=self._faulty())
            case c.ShuffleDeck() if command.by.role is c.Role.DEVICE:
                if self._once(Fault.SHUFFLER_JAM):
                    return c.ReportJam(DEALER, "shuffler")
                if table.house.counting and self._once(Fault.SHUFFLER_COUNT):
                    return replace(command, counted=51)
            case c.DealHands() if table.dealing == "automated shoe":
                if self._once(Fault.SHOE_JAM):
                    return c.ReportJam(DEALER, "shoe")
            case c.CountStub() if self._once(Fault.STUB_COUNT):
                if self.rng.randrange(2):
                    return replace(command, misdealt=True)
                return replace(command, counted=command.counted + self.rng.choice((-1, 1)))
        return None

    def _once(self, fault: Fault) -> bool:
        if fault in self.struck or not self._hits(fault):
            return False
        self.struck.append(fault)
        return True

    def _faulty(self) -> str:
        """A card short, a card twice, or one that belongs to no deck."""
        cards = [str(each) for each in DECK]
        at = self.rng.randrange(52)
        match self.rng.randrange(3):
            case 0:
                del cards[at]
            case 1:
                cards[at] = cards[at - 1]
            case _:
                cards[at] = "Joker"
        return " ".join(cards)

    # --- what may happen at any step ----------------------------------------------------------

    def _strike(self, table: Table) -> c.Command | None:
        """At each new step, something planned may happen, where it can happen at all."""
        step = current(table)
        waiting = turn(table, step) if step else None
        here = (step, waiting and waiting.seat, len(self.struck))
        if here == self._step:
            return None
        self._step = here
        for fault in self._planned:
            report = _REPORTS[fault](table, self.rng)
            if isinstance(decide(table, report), Refused) or self.rng.randrange(3):
                continue
            self._planned.remove(fault)
            self.struck.append(fault)
            return report
        return None

    # --- what the floor does about it ---------------------------------------------------------

    def _repair(self, table: Table) -> c.Command | None:
        """Between rounds a jammed device is taken away and another one brought."""
        step = current(table)
        if step is not None and step.kind is not Kind.BETS:
            return None
        for device in sorted(table.jammed):
            return c.RemoveDevice(SUPERVISOR, device)
        if table.shuffling == "automated" and "shuffler" not in table.devices:
            return c.InstallDevice(SUPERVISOR, "shuffler")
        if table.dealing == "automated shoe" and "shoe" not in table.devices:
            return c.InstallDevice(SUPERVISOR, "shoe")
        return None


def _wrong_number(table: Table, rng: random.Random) -> c.Command:
    held = [p for p in table.round.positions if p.cards] if table.round else []
    place = place_of(rng.choice(held).seat) if held else "seat 1"
    return _miscounted(table, rng, place)


def _wrong_dealer(table: Table, rng: random.Random) -> c.Command:
    shared = "community" if table.house.game.id == "let-it-ride" else "dealer"
    return _miscounted(table, rng, shared)


def _miscounted(table: Table, rng: random.Random, place: str) -> c.Command:
    right = table.house.game.cards_each
    return c.ReportWrongNumber(DEALER, place, right + rng.choice((-2, -1, 1, 2)))


_REPORTS: dict[Fault, Callable[[Table, random.Random], c.Command]] = {
    Fault.EXPOSED: lambda table, rng: c.ReportExposedCard(DEALER),
    Fault.FACE_UP: lambda table, rng: c.ReportFaceUpCard(DEALER, rng.randrange(12)),
    Fault.DRAWN: lambda table, rng: c.ReportCardDrawnInError(DEALER),
    Fault.PLAYERS_CARDS: _wrong_number,
    Fault.DEALERS_CARDS: _wrong_dealer,
}
