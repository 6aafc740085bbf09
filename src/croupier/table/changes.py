"""Small changes to a table, of which its events are made."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from croupier.cards.card import Card
from croupier.table.state import Table

# --- small changes --------------------------------------------------------------------------


def with_deck(table: Table, colour: str, **changes: Any) -> Table:
    decks = [replace(d, **changes) if d.colour == colour else d for d in table.decks]
    return replace(table, decks=tuple(decks))


def with_round(table: Table, **changes: Any) -> Table:
    return replace(table, round=replace(table.now, **changes))


def with_position(table: Table, seat: int, **changes: Any) -> Table:
    now = table.now
    positions = [replace(p, **changes) if p.seat == seat else p for p in now.positions]
    return replace(table, round=replace(now, positions=tuple(positions)))


def pay(table: Table, player: str, amount: int) -> dict[str, int]:
    return {**table.players, player: table.players[player] + amount}


def put_in_rack(table: Table, place: str, cards: tuple[Card, ...]) -> Table:
    return replace(
        table,
        rack=table.rack + cards,
        rack_log=(*table.rack_log, (place, len(cards))),
        rack_colour=table.now.colour,
    )


def draw(table: Table, count: int) -> tuple[tuple[Card, ...], Table]:
    deck = table.in_play()
    drawn = deck.cards[:count]
    return drawn, with_deck(table, deck.colour, cards=deck.cards[count:])
