"""Anyone's own check of a finished round: the deck computed again from what was promised and what
was revealed, and every card that was shown found in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards.card import Card, spell
from croupier.law.refused import Refused
from croupier.ledger.commitment import verify
from croupier.ledger.replay import FORMAT, Story, Told
from croupier.ledger.shuffle import cut_depth, deck_order
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.reconstruct import reconstruct
from croupier.table.state import Deck, DeckAt, Position, Table
from croupier.table.view import BACK, dealers_cards


class Check(Struct):
    """One step of the proof, and whether it agrees."""

    sentence: str
    agrees: bool


def read_story(path: Path) -> Story:
    """A round from a file, as ``croupier replay --json`` writes it."""
    try:
        told = msgspec.json.decode(path.read_bytes(), type=Story)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        raise Refused(f"{path} is not a round of play: {error}.") from None
    if told.format != FORMAT:
        raise Refused(f"{path} is of the format {told.format!r}, not {FORMAT!r}.")
    return told


def proof(told: Story) -> Iterator[Check]:
    """Step by step; every step is taken, whatever the one before said."""
    shuffle = _revealed(told)
    seed = bytes.fromhex(shuffle.seed)
    entropy = [words.encode() for _, words in shuffle.entropy]
    yield _in_time(told, shuffle)
    yield Check(
        f"SHA-256 of seed {shuffle.seed} and the shuffle's name is {shuffle.commitment}.",
        verify(shuffle.commitment, seed, told.table, shuffle.number),
    )
    order = deck_order(seed, told.table, shuffle.number, entropy)
    mixed = "".join(f" and {player}'s words {words!r}" for player, words in shuffle.entropy)
    yield Check(f"The order by the seed{mixed} is {spell(order)}.", agrees=True)
    for number, cards in enumerate(shuffle.cuts, 1):
        due = cut_depth(seed, told.table, shuffle.number, entropy, cut=number)
        yield Check(f"Cut {number} lifts {due} cards; {cards} were lifted.", due == cards)
        order = order[cards:] + order[:cards]
    yield from _dealt(told, shuffle, order)


def _revealed(told: Story) -> Told:
    if not told.over:
        raise Refused(f"Round {told.round} is not over; its shuffle is not revealed yet.")
    if told.shuffle is None:
        raise Refused(f"The cards of table {told.table} are shuffled by hands and devices.")
    try:
        bytes.fromhex(told.shuffle.seed)
    except ValueError:
        raise Refused("The seed is not hexadecimal.") from None
    return told.shuffle


def _in_time(told: Story, shuffle: Told) -> Check:
    lines = [line for step in told.steps for line in step.lines]
    wagers = [line.sequence for line in lines if line.seen.get("event") == "WagersPlaced"]
    first = min(wagers, default=0)
    return Check(
        f"Shuffle {shuffle.number} was promised at entry {shuffle.promised}, "
        f"before the first wager of round {told.round} at entry {first}.",
        0 < shuffle.promised < first,
    )


# --- the cards ------------------------------------------------------------------------------


def _dealt(told: Story, shuffle: Told, order: tuple[Card, ...]) -> Iterator[Check]:
    """Deal the round again from this deck: what was turned up, and what the rack gave back."""
    shown, honest = 0, True
    try:
        table = _before(told, shuffle, order)
        for event in _on_the_felt(told):
            for where, cards, lying in _turned_up(table, event):
                shown += len(cards.split())
                if cards != lying:
                    honest = False
                    yield Check(f"{where}: {cards} was shown, the deck has {lying}.", agrees=False)
            table = evolve(table, event)
        hands = {
            place: spell(cards) for place, cards in reconstruct(table.rack, table.rack_log).items()
        }
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, Refused):
        yield Check("What is told of the round cannot have happened.", agrees=False)
        return
    yield Check(f"{shown} cards were shown; each lies where that deck has it.", honest)
    same = hands == told.hands
    yield Check("The discard rack gives back the hands that were dealt from it.", same)


def _before(told: Story, shuffle: Told, order: tuple[Card, ...]) -> Table:
    """The table with the shuffled deck ready. What money it has makes no difference."""
    table = evolve(None, e.TableOpened(told.table, told.house, 0))
    return replace(
        table,
        dealing=told.dealing,
        seats=tuple(told.seats) or table.seats,
        players={name: 0 for name in told.seats if name},
        decks=(Deck(shuffle.colour, DeckAt.READY, cards=order),),
    )


def _on_the_felt(told: Story) -> Iterator[e.Event]:
    """The events that concern players and the deck in play; others shuffle on beside them."""
    for step in told.steps:
        for line in step.lines:
            kind = getattr(e, str(line.seen.get("event")), None)
            if kind and issubclass(kind, e.Event) and kind not in BESIDE:
                yield msgspec.convert(line.seen, kind)


# What happens to decks before they are in play, and a table's opening.
BESIDE = {
    kind
    for kind in get_args(e.AnyEvent)
    if "colour" in kind.__struct_fields__ and kind is not e.NoMoreBetsAnnounced
} | {e.TableOpened}


def _turned_up(table: Table, event: e.Event) -> Iterator[tuple[str, str, str]]:
    """Where, what the event shows, and what lies there."""
    match event:
        case e.HandRevealed(seat=seat, cards=cards):
            yield f"Seat {seat}", cards, spell(_position(table, seat).cards)
        case e.PickedCardsRevealed(seat=seat, cards=cards):
            position = _position(table, seat)
            yield f"Seat {seat}", cards, spell(position.cards[n - 1] for n in position.picked)
        case e.CommunityDealt(cards=cards):
            yield "Community", cards, spell(table.now.stub[: len(cards.split())])
        case e.CommunityRevealed(card=card):
            yield "Community", card, str(table.now.community[len(table.now.community_shown)])
        case e.UpCardExposed(card=card):
            up = dealers_cards(table, replace(table.now, up_cards=1))
            yield "Dealer", card, next(face for face in up if face != BACK)
        case e.DealerRevealed(cards=cards):
            yield "Dealer", cards, spell(table.now.dealer)
        case e.FaceUpCardRacked(card=card, ahead=ahead):
            yield "Face up", card, str(table.now.stub[ahead])


def _position(table: Table, seat: int) -> Position:
    position = table.position(seat)
    assert position
    return position
