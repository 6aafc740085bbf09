"""A table at one moment. Immutable; what can be derived is not stored."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from croupier.cards.card import Card
from croupier.house.submission import House
from croupier.rules.money import Cents
from croupier.rules.terms import Terms


class DeckAt(StrEnum):
    """Where a deck is on its way from the cage to the felt and round again."""

    RECEIVED = "received"
    INSPECTED = "inspected"
    VERIFIED = "verified"
    SPREAD_DOWN = "spread face down"
    SPREAD = "spread face up"
    WASHED = "washed and stacked"
    IN_SHUFFLER = "in the shuffler"
    SHUFFLED = "shuffled, to be cut"
    READY = "ready to deal"
    IN_PLAY = "in play"
    USED = "in the discard rack"


class Deck(Struct, frozen=True, gc=False):
    colour: str
    at: DeckAt
    cards: tuple[Card, ...] = ()  # top first; in play they are the round's, then the rack's
    received: str = ""  # as they came, before inspection
    cut: bool = False


class Position(Struct, frozen=True, gc=False):
    """One hand in a round: whose, what is wagered on it, and what it has done."""

    seat: int
    player: str
    placed: dict[str, Cents]
    coupon: Cents = 0
    lit: bool = False  # the acceptor's light
    cards: tuple[Card, ...] = ()
    choices: dict[str, str] = {}
    times: int = 0  # the play wager, in antes
    played: str = ""  # the name of the play wager
    picked: tuple[int, ...] = ()
    folded: bool = False
    void: bool = False
    shown: bool = False
    racked: bool = False
    announced: bool = False
    settled: dict[str, str] = {}  # wager -> result
    wins: dict[str, Cents] = {}

    def unsettled(self, wagers: tuple[str, ...] | None = None) -> list[str]:
        """Wagers still to be resolved, in the order they are named."""
        names = self.placed if wagers is None else wagers
        return [name for name in names if name in self.placed and name not in self.settled]

    @property
    def live(self) -> bool:
        return not (self.folded or self.void)


class Round(Struct, frozen=True, gc=False):
    positions: tuple[Position, ...] = ()  # by seat, ascending
    number: int = 0  # given when bets close
    colour: str = ""
    stub: tuple[Card, ...] = ()  # of the deck in play, yet to be dealt, top first
    closed: bool = False
    locked: bool = False
    swept: bool = False
    dealt: bool = False
    dealer: tuple[Card, ...] = ()
    dealer_delivered: bool = True
    up_cards: int = 0  # of the dealer's, seen by all
    dealer_shown: bool = False
    community: tuple[Card, ...] = ()
    community_shown: tuple[Card, ...] = ()
    burned: int = 0
    stub_gone: bool = False
    counted: bool = False  # the stub, this round
    face_up_found: int = 0
    trips_only: bool = False
    void: bool = False
    reshuffle: bool = False
    exposed: str = ""  # Cover All: the place whose hand stays on the felt


class Table(Struct, frozen=True, gc=False):
    id: str
    house: House
    terms: Terms
    seats: tuple[str, ...]  # player at each, "" where free
    players: dict[str, Cents] = {}  # chips in front of each
    inventory: Cents = 0
    drop_box: Cents = 0  # coupons taken, at face value
    meter: Cents = 0
    cage: Cents = 0  # what came from outside, negative: all accounts add up to nothing
    decks: tuple[Deck, ...] = ()
    shuffling: str = "manual"
    dealing: str = "manual shoe"
    devices: frozenset[str] = frozenset()
    jammed: frozenset[str] = frozenset()
    rack: tuple[Card, ...] = ()  # bottom first
    rack_log: tuple[tuple[str, int], ...] = ()  # what went in, and how many cards
    rack_colour: str = ""
    round: Round | None = None
    rounds: int = 0  # finished or voided
    since_count: int = 0  # rounds since the stub was last counted
    last_colour: str = ""
    closed: bool = False  # for good: every command is refused

    # --- looking things up ------------------------------------------------------------------

    @property
    def now(self) -> Round:
        """The round under way, where there must be one."""
        assert self.round is not None
        return self.round

    def cards_of(self, deck: Deck) -> tuple[Card, ...]:
        """The cards of a deck between rounds: once used, it lies in the rack."""
        return self.rack if deck.at is DeckAt.USED else deck.cards

    def deck(self, colour: str) -> Deck | None:
        for deck in self.decks:
            if deck.colour == colour:
                return deck
        return None

    def position(self, seat: int) -> Position | None:
        if self.round:
            for position in self.round.positions:
                if position.seat == seat:
                    return position
        return None

    def seats_of(self, player: str) -> list[int]:
        return [n for n, name in enumerate(self.seats, 1) if name == player]

    def chips_free(self, player: str) -> Cents:
        return self.players.get(player, 0)

    def layout(self) -> Cents:
        """Chips and coupons lying on the felt."""
        if not self.round:
            return 0
        swept = SWEPT.get(self.house.game.id, "") if self.round.swept else ""
        total = 0
        for position in self.round.positions:
            settled = position.settled
            for name, cents in position.placed.items():
                if name not in settled and name != swept:
                    total += cents
            if position.coupon and "ante" not in settled:
                total += position.coupon
        return total

    def accounts(self) -> Cents:
        """Everything added up: always nothing, whatever happens."""
        return (
            sum(self.players.values())
            + self.layout()
            + self.inventory
            + self.drop_box
            + self.meter
            + self.cage
        )


SWEPT = {"caribbean-stud": "progressive", "let-it-ride": "let it ride bonus"}


def place_of(seat: int) -> str:
    return f"seat {seat}"
