"""What happened at a table. Past tense; an event is never judged again.

Face-down cards are in no event: they follow from the order of the deck. So the fields listed in
``secret`` are all that must be sealed in storage and hidden from viewers until revealed.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from croupier.rules.money import Cents


class Event(Struct, frozen=True, tag=True, gc=False):
    secret: ClassVar[tuple[str, ...]] = ()


class TableOpened(Event, frozen=True, tag=True, gc=False):
    table: str
    house: dict[str, Any]  # the licensee's submission
    inventory: Cents


# --- cards and devices ----------------------------------------------------------------------


class DeckReceived(Event, frozen=True, tag=True, gc=False):
    secret: ClassVar[tuple[str, ...]] = ("cards",)
    colour: str
    cards: str
    preshuffled: bool
    clause: str


class DeckInspected(Event, frozen=True, tag=True, gc=False):
    colour: str
    clause: str


class DeckVerified(Event, frozen=True, tag=True, gc=False):
    colour: str
    clause: str


class DeckSpread(Event, frozen=True, tag=True, gc=False):
    colour: str
    face_up: bool
    clause: str


class DeckWashed(Event, frozen=True, tag=True, gc=False):
    colour: str
    clause: str


class ShufflerLoaded(Event, frozen=True, tag=True, gc=False):
    colour: str
    clause: str


class DeckShuffled(Event, frozen=True, tag=True, gc=False):
    secret: ClassVar[tuple[str, ...]] = ("order",)
    colour: str
    order: str
    automated: bool
    clause: str


class DeckCut(Event, frozen=True, tag=True, gc=False):
    colour: str
    cards: int
    clause: str
    steps: tuple[str, ...] = ()  # the clauses of the cut, act by act


class RecutOrdered(Event, frozen=True, tag=True, gc=False):
    colour: str
    clause: str


class DeckRemoved(Event, frozen=True, tag=True, gc=False):
    colour: str
    reason: str
    clause: str


class DeviceRemoved(Event, frozen=True, tag=True, gc=False):
    device: str
    clause: str


class DeviceInstalled(Event, frozen=True, tag=True, gc=False):
    device: str
    clause: str


class MethodChanged(Event, frozen=True, tag=True, gc=False):
    shuffling: str
    dealing: str
    clause: str


class InventoryFilled(Event, frozen=True, tag=True, gc=False):
    amount: Cents


class TableClosed(Event, frozen=True, tag=True, gc=False):
    """The table's own money goes to the cage; it is the last event of a table."""

    inventory: Cents
    drop_box: Cents
    meter: Cents


# --- players and wagers ---------------------------------------------------------------------


class PlayerSat(Event, frozen=True, tag=True, gc=False):
    seat: int
    player: str
    chips: Cents


class ChipsBought(Event, frozen=True, tag=True, gc=False):
    player: str
    amount: Cents


class PlayerLeft(Event, frozen=True, tag=True, gc=False):
    seat: int
    player: str
    chips: Cents  # cashed in with the last seat the player held


class WagersPlaced(Event, frozen=True, tag=True, gc=False):
    seat: int
    wagers: dict[str, Cents]
    coupon: Cents
    clause: str


class WagersTakenBack(Event, frozen=True, tag=True, gc=False):
    seat: int


class AcceptorLit(Event, frozen=True, tag=True, gc=False):
    seat: int
    clause: str


class NoMoreBetsAnnounced(Event, frozen=True, tag=True, gc=False):
    number: int
    colour: str
    seats: tuple[int, ...]
    clause: str


class LockedOut(Event, frozen=True, tag=True, gc=False):
    clause: str


class ChipsSwept(Event, frozen=True, tag=True, gc=False):
    wager: str
    seats: tuple[int, ...]
    amount: Cents
    clause: str


class MeterMoved(Event, frozen=True, tag=True, gc=False):
    """Money between the table inventory and the progressive meter; negative leaves the meter."""

    amount: Cents
    reason: str
    clause: str


class ChoiceMade(Event, frozen=True, tag=True, gc=False):
    seat: int
    point: str
    verb: str
    clause: str
    wager: str = ""
    amount: Cents = 0
    times: int = 0
    cards: tuple[int, ...] = ()


# --- dealing --------------------------------------------------------------------------------


class HandsDealt(Event, frozen=True, tag=True, gc=False):
    places: tuple[str, ...]  # where each card went, in order
    clause: str


class CardBurned(Event, frozen=True, tag=True, gc=False):
    clause: str


class CommunityDealt(Event, frozen=True, tag=True, gc=False):
    cards: str
    clause: str


class DealersStackDelivered(Event, frozen=True, tag=True, gc=False):
    clause: str


class UpCardExposed(Event, frozen=True, tag=True, gc=False):
    card: str
    clause: str


class CommunityRevealed(Event, frozen=True, tag=True, gc=False):
    card: str
    clause: str


class HandRevealed(Event, frozen=True, tag=True, gc=False):
    seat: int
    cards: str
    hand: str  # in words
    clause: str


class HandAnnounced(Event, frozen=True, tag=True, gc=False):
    seat: int
    hand: str
    clause: str


class PickedCardsRevealed(Event, frozen=True, tag=True, gc=False):
    seat: int
    cards: str
    clause: str


class CoverAllPosted(Event, frozen=True, tag=True, gc=False):
    """The number of hands is fixed, and with it what Cover All pays."""

    hands: int
    pays: str
    clause: str


class DealerRevealed(Event, frozen=True, tag=True, gc=False):
    cards: str
    hand: str
    qualified: bool | None
    clause: str


class StubRacked(Event, frozen=True, tag=True, gc=False):
    cards: int
    counted: bool
    clause: str


class CardsRacked(Event, frozen=True, tag=True, gc=False):
    """Cards of one place went into the discard rack, in order."""

    place: str
    cards: int
    clause: str


class HandLeftExposed(Event, frozen=True, tag=True, gc=False):
    place: str
    clause: str


# --- settlement -----------------------------------------------------------------------------


class WagerSettled(Event, frozen=True, tag=True, gc=False):
    seat: int
    wager: str
    amount: Cents
    result: str
    win: Cents
    clause: str
    reason: str
    line: str = ""
    swept: bool = False  # the stake is in the inventory already
    from_meter: Cents = 0
    withheld: Cents = 0
    coupon: str = ""  # match play: "drop box" or "kept"


class RoundEnded(Event, frozen=True, tag=True, gc=False):
    number: int
    clause: str


# --- irregularities -------------------------------------------------------------------------


class IrregularityReported(Event, frozen=True, tag=True, gc=False):
    kind: str
    place: str
    ruling: str
    clause: str
    count: int = 0  # cards found, where the number was wrong


class DealersHandRepaired(Event, frozen=True, tag=True, gc=False):
    cards: int
    clause: str


class FaceUpCardRacked(Event, frozen=True, tag=True, gc=False):
    card: str
    ahead: int
    clause: str


class HandVoided(Event, frozen=True, tag=True, gc=False):
    seat: int
    clause: str


class AllHandsVoided(Event, frozen=True, tag=True, gc=False):
    trips_stay: bool
    clause: str


class FoldedWagerReturned(Event, frozen=True, tag=True, gc=False):
    """All hands are void: what a fold had cost comes back too (ruling K8)."""

    seat: int
    wager: str
    amount: Cents
    clause: str


AnyEvent = (
    TableOpened
    | DeckReceived
    | DeckInspected
    | DeckVerified
    | DeckSpread
    | DeckWashed
    | ShufflerLoaded
    | DeckShuffled
    | DeckCut
    | RecutOrdered
    | DeckRemoved
    | DeviceRemoved
    | DeviceInstalled
    | MethodChanged
    | InventoryFilled
    | TableClosed
    | PlayerSat
    | ChipsBought
    | PlayerLeft
    | WagersPlaced
    | WagersTakenBack
    | AcceptorLit
    | NoMoreBetsAnnounced
    | LockedOut
    | ChipsSwept
    | MeterMoved
    | ChoiceMade
    | HandsDealt
    | CardBurned
    | CommunityDealt
    | DealersStackDelivered
    | UpCardExposed
    | CommunityRevealed
    | HandRevealed
    | HandAnnounced
    | PickedCardsRevealed
    | CoverAllPosted
    | DealerRevealed
    | StubRacked
    | CardsRacked
    | HandLeftExposed
    | WagerSettled
    | RoundEnded
    | IrregularityReported
    | DealersHandRepaired
    | FaceUpCardRacked
    | HandVoided
    | AllHandsVoided
    | FoldedWagerReturned
)
