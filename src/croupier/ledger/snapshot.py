"""A table's state in bytes and back, so that opening does not replay its whole life.

The house is kept as the submission it was read from, and its terms follow; everything else goes
field by field as it is declared. A state whose declarations have changed since is not read: then
the table is folded from its entries.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from croupier.cards.card import DECK, Card
from croupier.house.submission import recalled
from croupier.ledger.kept import Kept
from croupier.ledger.seal import Sealer
from croupier.ledger.shuffles import Shuffle, Shuffles
from croupier.ledger.store import Snapshot
from croupier.table.state import Deck, Position, Round, Table

REBUILT = ("house", "terms")

_HINTS = {
    name: hint for name, hint in get_type_hints(Table).items() if name in Table.__struct_fields__
}


def _shape() -> str:
    """Changes with the declarations of what is kept."""
    declared = [
        (kind.__name__, [(field.name, str(field.type)) for field in msgspec.structs.fields(kind)])
        for kind in (Table, Deck, Round, Position, Shuffles, Shuffle)
    ]
    return sha256(repr(declared).encode()).hexdigest()[:16]


SHAPE = _shape()


class _State(Struct):
    shape: str
    house: dict[str, Any]
    table: dict[str, Any]
    shuffles: Shuffles


def encode(kept: Kept) -> bytes:
    table = kept.table
    fields = {name: getattr(table, name) for name in _HINTS if name not in REBUILT}
    state = _State(SHAPE, dict(table.house.source), fields, kept.shuffles)
    return msgspec.json.encode(state, enc_hook=_card_number)


def decode(data: bytes) -> Kept | None:
    """The state; None when it was written under other declarations."""
    state = msgspec.json.decode(data, type=_State)
    if state.shape != SHAPE:
        return None
    house = recalled(state.house)
    fields = {
        name: msgspec.convert(value, _HINTS[name], dec_hook=_card)
        for name, value in state.table.items()
    }
    terms = replace(house.terms(), meter=fields["meter"])
    return Kept(Table(house=house, terms=terms, **fields), state.shuffles)


def _card_number(value: Any) -> int:
    assert isinstance(value, Card)
    return int(value)


def _card(kind: type, value: Any) -> Card:
    assert kind is Card
    card: Card = DECK[value]
    return card


def sealed(sealer: Sealer, kept: Kept, sequence: int, hash: str) -> Snapshot:
    table = kept.table.id
    return Snapshot(table, sequence, hash, sealer.seal(encode(kept), _place(table, sequence, hash)))


def opened(sealer: Sealer, snapshot: Snapshot) -> Kept | None:
    place = _place(snapshot.table, snapshot.sequence, snapshot.hash)
    return decode(sealer.open(snapshot.state, place))


def _place(table: str, sequence: int, hash: str) -> str:
    return f"{table}|{sequence}|snapshot.{hash}"
