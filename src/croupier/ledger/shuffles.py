"""The shuffles of a table: which is promised next, and which lie in decks on the table.

The promise of the next shuffle follows the last one at once, so it stands in the ledger before any
bet on it, and before players add their own entropy. Its seed is revealed when its cards can no
longer matter. A table of real devices promises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards.card import spell
from croupier.ledger.commitment import commit
from croupier.ledger.generator import SEED_BYTES
from croupier.ledger.outside import Entropy
from croupier.ledger.records import (
    EntropyAdded,
    Happening,
    Record,
    ShuffleCommitted,
    ShuffleRevealed,
)
from croupier.ledger.shuffle import cut_depth, deck_order
from croupier.table import events as e
from croupier.table.state import DeckAt, Table

Added = tuple[tuple[str, str], ...]  # player and words, in order
ORDERED = (DeckAt.SHUFFLED, DeckAt.READY, DeckAt.IN_PLAY)


class Shuffle(Struct, frozen=True, gc=False):
    """One shuffle, from its promise until it is revealed."""

    table: str
    number: int
    seed: str
    entropy: Added = ()
    used: bool = False
    cuts: int = 0
    round: int = 0  # the one dealt from it

    def commitment(self) -> str:
        """The promise, for anyone to see."""
        return commit(bytes.fromhex(self.seed), self.table, self.number)

    def order(self) -> str:
        """The deck in the order it gives, spelled."""
        return _order(self.seed, self.table, self.number, self.entropy)

    def cut(self) -> int:
        """How many cards the next cut lifts."""
        return _cut(self.seed, self.table, self.number, self.entropy, self.cuts + 1)


class Shuffles(Struct, frozen=True, gc=False):
    promised: Shuffle | None = None  # none where the orders come from real devices
    lying: dict[str, Shuffle] = {}  # by the colour of the deck


# Both are asked for by the dealer, and again when the dealer is judged.


@lru_cache(maxsize=128)
def _order(seed: str, table: str, number: int, entropy: Added) -> str:
    return spell(deck_order(bytes.fromhex(seed), table, number, _words(entropy)))


@lru_cache(maxsize=128)
def _cut(seed: str, table: str, number: int, entropy: Added, cut: int) -> int:
    return cut_depth(bytes.fromhex(seed), table, number, _words(entropy), cut=cut)


def _words(entropy: Added) -> list[bytes]:
    return [words.encode() for _, words in entropy]


def follow(shuffles: Shuffles, table: str, happening: Happening) -> Shuffles:
    """The shuffles after an event or a record."""
    if type(happening) not in FOLLOWED:
        return shuffles
    promised, lying = shuffles.promised, shuffles.lying
    match happening:
        case ShuffleCommitted():
            return Shuffles(Shuffle(table, happening.shuffle, happening.seed), lying)
        case ShuffleRevealed():
            left = {c: each for c, each in lying.items() if each.number != happening.shuffle}
            return Shuffles(promised, left)
        case EntropyAdded() if promised:
            added = (*promised.entropy, (happening.player, happening.entropy))
            return Shuffles(replace(promised, entropy=added), lying)
        case e.DeckShuffled() | e.DeckReceived(preshuffled=True) if promised:
            used = replace(promised, used=True)
            return Shuffles(used, {**lying, happening.colour: used})
        case e.DeckCut(colour=colour) if colour in lying:
            cut = replace(lying[colour], cuts=lying[colour].cuts + 1)
            return Shuffles(promised, {**lying, colour: cut})
        case e.NoMoreBetsAnnounced(colour=colour) if colour in lying:
            dealt = replace(lying[colour], round=happening.number)
            return Shuffles(promised, {**lying, colour: dealt})
    return shuffles


FOLLOWED = {  # all others leave the shuffles as they are
    ShuffleCommitted,
    ShuffleRevealed,
    EntropyAdded,
    e.DeckShuffled,
    e.DeckReceived,
    e.DeckCut,
    e.NoMoreBetsAnnounced,
}


def due(shuffles: Shuffles, table: Table, entropy: Entropy) -> Iterator[Record]:
    """What must be written now: the seeds that no longer matter, and the next promise."""
    for colour, shuffle in shuffles.lying.items():
        if not _matters(table, colour):
            yield ShuffleRevealed(shuffle.number, shuffle.seed, shuffle.round)
    if shuffles.promised and shuffles.promised.used:
        yield promise(table.id, shuffles.promised.number + 1, entropy)


def promise(table: str, number: int, entropy: Entropy) -> ShuffleCommitted:
    seed = entropy(SEED_BYTES)
    return ShuffleCommitted(number, commit(seed, table, number), seed.hex())


def _matters(table: Table, colour: str) -> bool:
    """While a deck lies in that order, or a round dealt from it is under way."""
    round = table.round
    if round and round.closed and round.colour == colour:
        return True
    deck = table.deck(colour)
    return deck is not None and deck.at in ORDERED
