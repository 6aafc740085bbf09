"""Small changes to a table, of which its events are made."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from croupier.cards.card import Card
from croupier.table.state import Deck, Position, Round, Table


def decks_with(table: Table, colour: str, **changes: Any) -> tuple[Deck, ...]:
    return tuple([replace(d, **changes) if d.colour == colour else d for d in table.decks])


def with_deck(table: Table, colour: str, **changes: Any) -> Table:
    return replace(table, decks=decks_with(table, colour, **changes))


def with_round(table: Table, **changes: Any) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def round_with(round: Round, changed: Position) -> Round:
    seat = changed.seat
    return replace(
        round, positions=tuple([changed if p.seat == seat else p for p in round.positions])
    )


def with_position(table: Table, seat: int, **changes: Any) -> Table:
    round = table.round
    assert round is not None
    positions = [replace(p, **changes) if p.seat == seat else p for p in round.positions]
    return replace(table, round=replace(round, positions=tuple(positions)))


def pay(table: Table, player: str, amount: int) -> dict[str, int]:
    return {**table.players, player: table.players[player] + amount}


def racked(table: Table, place: str, cards: tuple[Card, ...], round: Round) -> Table:
    """These cards of one place go on top of the rack, and the round is then as given."""
    return replace(
        table,
        rack=table.rack + cards,
        rack_log=(*table.rack_log, (place, len(cards))),
        rack_colour=round.colour,
        round=round,
    )
