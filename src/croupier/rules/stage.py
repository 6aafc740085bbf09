"""The acts of a round, in the order a game declares them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from croupier.law.clause import Clause


class Face(StrEnum):
    UP = "up"
    DOWN = "down"


class Place(StrEnum):
    """Where cards lie."""

    PLAYERS = "players"
    DEALER = "dealer"
    COMMUNITY = "community"


class Order(StrEnum):
    """Ruling K4: seat 1 is farthest to the dealer's left."""

    FROM_THE_LEFT = "from the dealer's left"
    FROM_THE_RIGHT = "from the dealer's right"


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    cite: Clause


@dataclass(frozen=True, slots=True)
class Deal:
    """So many cards to each of these places."""

    cards: int
    to: tuple[Place, ...]
    face: Face
    cite: Clause


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing a player may say at a betting point."""

    verb: str
    wager: str = ""  # the wager it places, withdraws or leaves
    multiples: tuple[int, ...] = ()  # of the ante; a house's own choice where the law gives two
    cite: Clause | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """A betting point: every player still to decide is asked, seat by seat."""

    point: str
    choices: tuple[Choice, ...]
    cite: Clause
    order: Order = Order.FROM_THE_LEFT


@dataclass(frozen=True, slots=True)
class Burn:
    what: str
    cite: Clause


@dataclass(frozen=True, slots=True)
class Reveal:
    what: str
    cite: Clause


@dataclass(frozen=True, slots=True)
class Settle:
    wagers: tuple[str, ...]
    cite: Clause
    order: Order = Order.FROM_THE_RIGHT
    within: Clause | None = None  # orders the wagers of one hand among themselves


@dataclass(frozen=True, slots=True)
class Dealing:
    """One of the three dealing procedures, and the clauses of its acts."""

    chosen: Clause
    announce: Clause  # "No more bets", and what goes with it
    deal: Clause
    stub: Clause
    count: Clause
    each: tuple[Clause, ...] = ()  # the single passes, where the text numbers them
    load: Clause | None = None
    stacks: bool = False  # an automated shoe gives each place all its cards at once


Stage = NoMoreBets | Deal | Choose | Burn | Reveal | Settle
