"""The table as it stood before a round, as far as a stranger needs it to judge the round again.

Nothing here is secret: seats, chips, the meter and where the decks lie are seen by anybody at the
rail. Seeds and orders of decks are left out; the verifier computes them from the seeds that the
round's entries reveal. The inventory is left out too: it only decides whether a payment must wait
for a fill, and what was paid did not wait.

These values follow from the table's whole history, which a round's file does not hold. The house
therefore signs the file as a whole. A false statement can be shown to be false with the ledger.
"""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards.card import DECK, Card, read_exact, spell
from croupier.law.refused import Refused
from croupier.ledger.entry import canonical
from croupier.ledger.kept import Kept
from croupier.ledger.keys import Keys
from croupier.ledger.shuffles import ORDERED, Shuffle, Shuffles
from croupier.rules.bounds import MOST_INVENTORY
from croupier.rules.money import Cents
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.state import Deck, DeckAt, Table

LABEL = b"croupier round file 2\n"
UNKNOWN_SEED = "00" * 32  # stands for a seed that is not revealed; nothing is checked with it
WHOLE_DECK = spell(DECK)  # stands for an order that is not revealed
MOST_CUTS = 1_000  # of one deck; a file that says more would only cost time

Seeds = dict[int, str]  # by the number of the shuffle
Added = list[tuple[str, str]]  # player and words, in order


class StartingDeck(Struct):
    colour: str
    at: str
    cut: bool
    shuffle: int  # the number of the shuffle it lies in; 0 where it has no order
    entropy: Added
    cuts: int


class Start(Struct):
    sequence: int  # the last entry before the round
    hash: str  # of that entry
    seats: list[str]
    chips: dict[str, Cents]
    meter: Cents
    shuffling: str
    dealing: str
    devices: list[str]
    jammed: list[str]
    decks: list[StartingDeck]
    since_count: int  # rounds since the stub was last counted
    last_colour: str
    promised: int  # the number of the shuffle promised next; 0 where devices shuffle
    entropy: Added  # what players have added to it


class Vouched(Struct, frozen=True):
    """The house's signature over the whole file; empty where it was made without the private
    key."""

    key: str = ""
    signature: str = ""


# --- writing --------------------------------------------------------------------------------


def start_of(kept: Kept, sequence: int, hash: str) -> Start:
    table, promised = kept.table, kept.shuffles.promised
    return Start(
        sequence=sequence,
        hash=hash,
        seats=list(table.seats),
        chips=dict(table.players),
        meter=table.meter,
        shuffling=table.shuffling,
        dealing=table.dealing,
        devices=sorted(table.devices),
        jammed=sorted(table.jammed),
        decks=[_starting(deck, kept.shuffles.lying.get(deck.colour)) for deck in table.decks],
        since_count=table.since_count,
        last_colour=table.last_colour,
        promised=promised.number if promised else 0,
        entropy=list(promised.entropy) if promised else [],
    )


def _starting(deck: Deck, lying: Shuffle | None) -> StartingDeck:
    if lying is None:
        return StartingDeck(deck.colour, str(deck.at), deck.cut, 0, [], 0)
    added = list(lying.entropy)
    return StartingDeck(deck.colour, str(deck.at), deck.cut, lying.number, added, lying.cuts)


def vouched(keys: Keys, content: dict[str, Any]) -> Vouched:
    """Signed with the key in use; unsigned where its private half is not here."""
    try:
        return Vouched(keys.signing, keys.sign(LABEL + canonical(content)).hex())
    except Refused:
        return Vouched()


# --- reading --------------------------------------------------------------------------------


def table_at(start: Start, table: str, house: dict[str, Any], round: int, seeds: Seeds) -> Kept:
    """The table to judge from. Decks whose seed is not revealed lie in a made-up order."""
    opened = evolve(None, e.TableOpened(table, house, MOST_INVENTORY // 2))
    used = [deck.colour for deck in start.decks if deck.at == DeckAt.USED]
    lying = {
        deck.colour: _lying(deck, table, seeds.get(deck.shuffle, UNKNOWN_SEED))
        for deck in start.decks
        if deck.shuffle
    }
    promised = None
    if start.promised:
        seed = seeds.get(start.promised, UNKNOWN_SEED)
        promised = Shuffle(table, start.promised, seed, _added(start.entropy))
    return Kept(
        replace(
            opened,
            seats=tuple(start.seats),
            players=dict(start.chips),
            meter=start.meter,
            terms=with_changes(opened.terms, meter=start.meter),
            shuffling=start.shuffling,
            dealing=start.dealing,
            devices=frozenset(start.devices),
            jammed=frozenset(start.jammed),
            decks=tuple(_deck(deck, lying.get(deck.colour)) for deck in start.decks),
            rack=DECK if used else (),
            rack_log=(("stub", len(DECK)),) if used else (),
            rack_colour=used[0] if used else "",
            rounds=round - 1,
            since_count=start.since_count,
            last_colour=start.last_colour,
        ),
        Shuffles(promised, lying),
    )


def _lying(deck: StartingDeck, table: str, seed: str) -> Shuffle:
    if not 0 <= deck.cuts <= MOST_CUTS:
        raise Refused(f"A deck is not cut {deck.cuts} times.")
    return Shuffle(table, deck.shuffle, seed, _added(deck.entropy), used=True, cuts=deck.cuts)


def _added(entropy: Added) -> tuple[tuple[str, str], ...]:
    return tuple((player, words) for player, words in entropy)


def _deck(deck: StartingDeck, lying: Shuffle | None) -> Deck:
    at = DeckAt(deck.at)
    if at is DeckAt.RECEIVED:
        return Deck(deck.colour, at, received=WHOLE_DECK)
    if at is DeckAt.USED:
        return Deck(deck.colour, at)
    cards: tuple[Card, ...] = DECK
    if lying and at in ORDERED:
        cards = _cut(lying)
    return Deck(deck.colour, at, cards=cards, cut=deck.cut)


def _cut(lying: Shuffle) -> tuple[Card, ...]:
    cards = read_exact(lying.order())
    for cut in range(lying.cuts):
        lifted = replace(lying, cuts=cut).cut()
        cards = cards[lifted:] + cards[:lifted]
    return cards


def dealt_from(kept: Kept, order: str) -> Kept:
    """The same with the round's deck in this order; for a table whose devices shuffle."""
    table: Table = kept.table
    stub = read_exact(order)
    return Kept(replace(table, round=replace(table.now, stub=stub)), kept.shuffles)
