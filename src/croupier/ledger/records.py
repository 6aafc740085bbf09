"""What the ledger writes beside the table's own events, and the two requests only it answers."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from msgspec import Struct

from croupier.rules.money import Cents
from croupier.table import commands as c
from croupier.table.events import AnyEvent, Event


class Record(Struct, frozen=True, tag=True):
    secret: ClassVar[tuple[str, ...]] = ()


class ShuffleCommitted(Record, frozen=True, tag=True):
    """The promise of a shuffle, before anyone bets on it. The seed is sealed in storage."""

    secret: ClassVar[tuple[str, ...]] = ("seed",)
    shuffle: int
    commitment: str
    seed: str  # hexadecimal


class EntropyAdded(Record, frozen=True, tag=True):
    """A player's own words, mixed into a shuffle that is promised already."""

    shuffle: int
    player: str
    entropy: str


class ShuffleRevealed(Record, frozen=True, tag=True):
    """The promise kept: no card of this shuffle matters any more."""

    shuffle: int
    seed: str
    round: int  # the one dealt from it; 0 when none was


class OpenTable(c.Command, frozen=True, tag=True):
    house: dict[str, Any]
    inventory: Cents
    physical: bool = False  # orders come from real devices; nothing is promised


class AddEntropy(c.Command, frozen=True, tag=True):
    entropy: str


Happening = Event | Record
AnyHappening = AnyEvent | ShuffleCommitted | EntropyAdded | ShuffleRevealed
AnyRequest = c.AnyCommand | OpenTable | AddEntropy

# Commands that carry the order of a deck; events and records name their own secrets.
_IN_COMMANDS: dict[type[Struct], tuple[str, ...]] = {
    c.ReceiveDeck: ("cards",),
    c.ShuffleDeck: ("order",),
}


@cache
def secrets_of(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of an event, a record or a command of this kind that are stored sealed."""
    return kind.secret if issubclass(kind, Event | Record) else _IN_COMMANDS.get(kind, ())
