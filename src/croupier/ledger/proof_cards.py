"""A round dealt again from an order of the deck: every card that was shown found in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from croupier.cards.card import Card, spell
from croupier.law.refused import Refused
from croupier.ledger.replay import Story
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.reconstruct import reconstruct
from croupier.table.state import Deck, DeckAt, Position, Table
from croupier.table.view import BACK, dealers_cards


class DealtAgain(Struct):
    possible: bool = True  # whether the events can have happened in this order at all
    shown: int = 0  # cards that were turned up
    wrong: list[str] = field(default_factory=list)  # those that do not lie there
    hands: dict[str, str] = field(default_factory=dict)


def deal_again(told: Story, order: tuple[Card, ...]) -> DealtAgain:
    """The public events of the round over this deck."""
    found = DealtAgain()
    try:
        table = _before(told, order)
        for event in _on_the_felt(told):
            for where, cards, lying in _turned_up(table, event):
                found.shown += len(cards.split())
                if cards != lying:
                    found.wrong.append(f"{where}: {cards} was shown, the deck has {lying}")
            table = evolve(table, event)
        rack = reconstruct(table.rack, table.rack_log)
        found.hands = {place: spell(cards) for place, cards in rack.items()}
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, Refused):
        found.possible = False
    return found


def _before(told: Story, order: tuple[Card, ...]) -> Table:
    """The table with the shuffled deck ready. What money it has makes no difference."""
    table = evolve(None, e.TableOpened(told.table, told.house, 0))
    colour = told.shuffle.colour if told.shuffle else _colour(told)
    return replace(
        table,
        dealing=told.dealing,
        seats=tuple(told.seats) or table.seats,
        players={name: 0 for name in told.seats if name},
        decks=(Deck(colour, DeckAt.READY, cards=order),),
    )


def _colour(told: Story) -> str:
    for event in _on_the_felt(told):
        if isinstance(event, e.NoMoreBetsAnnounced):
            return event.colour
    return ""


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
