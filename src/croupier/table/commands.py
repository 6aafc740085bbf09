"""What people and devices may ask of a table. Imperative; nothing has happened yet."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from croupier.rules.money import Cents


class Role(StrEnum):
    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    DEVICE = "device"  # shuffler, shoe, acceptor


class Actor(Struct, frozen=True):
    role: Role
    player: str = ""  # who, when it is a player


DEALER = Actor(Role.DEALER)
SUPERVISOR = Actor(Role.SUPERVISOR)
DEVICE = Actor(Role.DEVICE)


def player(name: str) -> Actor:
    return Actor(Role.PLAYER, name)


class Command(Struct, frozen=True, tag=True, gc=False):
    by: Actor


# --- cards and devices ----------------------------------------------------------------------


class ReceiveDeck(Command, frozen=True, tag=True, gc=False):
    colour: str
    cards: str  # as they lie, top first
    preshuffled: bool = False


class InspectDeck(Command, frozen=True, tag=True, gc=False):
    colour: str


class VerifyDeck(Command, frozen=True, tag=True, gc=False):
    colour: str


class SpreadDeck(Command, frozen=True, tag=True, gc=False):
    colour: str
    face_up: bool = True


class TurnFaceUp(Command, frozen=True, tag=True, gc=False):
    colour: str


class WashDeck(Command, frozen=True, tag=True, gc=False):
    colour: str


class LoadShuffler(Command, frozen=True, tag=True, gc=False):
    colour: str


class ShuffleDeck(Command, frozen=True, tag=True, gc=False):
    colour: str
    order: str  # the order the shuffle gave, top first
    counted: int = 52  # what a counting shuffler shows


class CutDeck(Command, frozen=True, tag=True, gc=False):
    colour: str
    cards: int


class OrderRecut(Command, frozen=True, tag=True, gc=False):
    colour: str


class RemoveDeck(Command, frozen=True, tag=True, gc=False):
    colour: str


class RemoveDevice(Command, frozen=True, tag=True, gc=False):
    device: str  # "shuffler" or "shoe"


class InstallDevice(Command, frozen=True, tag=True, gc=False):
    device: str


class ChangeMethod(Command, frozen=True, tag=True, gc=False):
    shuffling: str
    dealing: str


class FillInventory(Command, frozen=True, tag=True, gc=False):
    amount: Cents


class CloseTable(Command, frozen=True, tag=True, gc=False):
    """Close the table for good: its money goes to the cage, and nothing happens there any more."""


# --- players --------------------------------------------------------------------------------


class SitDown(Command, frozen=True, tag=True, gc=False):
    seat: int
    chips: Cents = 0


class BuyChips(Command, frozen=True, tag=True, gc=False):
    amount: Cents


class StandUp(Command, frozen=True, tag=True, gc=False):
    seat: int


class PlaceWagers(Command, frozen=True, tag=True, gc=False):
    seat: int
    wagers: dict[str, Cents]
    coupon: Cents = 0  # match play, on the ante


class TakeBackWagers(Command, frozen=True, tag=True, gc=False):
    seat: int


class LightAcceptor(Command, frozen=True, tag=True, gc=False):
    seat: int


class Choose(Command, frozen=True, tag=True, gc=False):
    """What a player says at a betting point: check, play, fold, bet, withdraw, ride, pick."""

    seat: int
    verb: str
    wager: str = ""  # withdraw, ride: which bet, where it is said
    times: int = 0  # play wagers: how often the ante
    cards: tuple[int, ...] = ()  # pick: which of the five, counted from 1


# --- the dealer -----------------------------------------------------------------------------


class AnnounceNoMoreBets(Command, frozen=True, tag=True, gc=False):
    colour: str = ""  # which deck is dealt; the one that is ready where only one is


class PressLockOut(Command, frozen=True, tag=True, gc=False):
    pass


class SweepChips(Command, frozen=True, tag=True, gc=False):
    counted: int


class DealHands(Command, frozen=True, tag=True, gc=False):
    pass


class BurnCard(Command, frozen=True, tag=True, gc=False):
    pass


class DealCommunity(Command, frozen=True, tag=True, gc=False):
    pass


class DeliverDealersStack(Command, frozen=True, tag=True, gc=False):
    pass


class ExposeUpCard(Command, frozen=True, tag=True, gc=False):
    pass


class RevealCommunity(Command, frozen=True, tag=True, gc=False):
    pass


class RevealHand(Command, frozen=True, tag=True, gc=False):
    seat: int


class RevealDealer(Command, frozen=True, tag=True, gc=False):
    pass


class Settle(Command, frozen=True, tag=True, gc=False):
    seat: int


class RackStub(Command, frozen=True, tag=True, gc=False):
    pass


class CountStub(Command, frozen=True, tag=True, gc=False):
    counted: int
    misdealt: bool = False  # a hand was found with too many or too few cards


class ClearTable(Command, frozen=True, tag=True, gc=False):
    pass


# --- irregularities: the dealer or supervisor says what happened, the table rules -----------


class ReportExposedCard(Command, frozen=True, tag=True, gc=False):
    """A card of the dealer's hand, or a community card, was seen too early."""


class ReportFaceUpCard(Command, frozen=True, tag=True, gc=False):
    """A card lies face up in the shoe or deck, after so many cards yet to be dealt."""

    ahead: int = 0


class ReportCardDrawnInError(Command, frozen=True, tag=True, gc=False):
    pass


class ReportWrongNumber(Command, frozen=True, tag=True, gc=False):
    place: str  # "seat 3", "dealer" or "community"
    cards: int


class ReportJam(Command, frozen=True, tag=True, gc=False):
    device: str


AnyCommand = (
    ReceiveDeck
    | InspectDeck
    | VerifyDeck
    | SpreadDeck
    | TurnFaceUp
    | WashDeck
    | LoadShuffler
    | ShuffleDeck
    | CutDeck
    | OrderRecut
    | RemoveDeck
    | RemoveDevice
    | InstallDevice
    | ChangeMethod
    | FillInventory
    | CloseTable
    | SitDown
    | BuyChips
    | StandUp
    | PlaceWagers
    | TakeBackWagers
    | LightAcceptor
    | Choose
    | AnnounceNoMoreBets
    | PressLockOut
    | SweepChips
    | DealHands
    | BurnCard
    | DealCommunity
    | DeliverDealersStack
    | ExposeUpCard
    | RevealCommunity
    | RevealHand
    | RevealDealer
    | Settle
    | RackStub
    | CountStub
    | ClearTable
    | ReportExposedCard
    | ReportFaceUpCard
    | ReportCardDrawnInError
    | ReportWrongNumber
    | ReportJam
)
