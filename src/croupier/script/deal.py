"""Stacking the deck of a script: the cards are written by place, and the deck is put in the
order from which this house's lawful dealing yields exactly those cards.

The order is a secret of the shuffle that nobody has seen yet, so it may be chosen when the deal
is written: the last shuffle of that deck is told again with the order that fits.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from croupier.cards.card import Card, card, once_each, read_exact, spell
from croupier.law.refused import Refused
from croupier.script.read import Line
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.state import Table, place_of
from croupier.table.view import BACK

_LABEL = re.compile(r"(seat \d+|dealer|community|board|burns?)\b\s*(.*)")
_BOARD = {"board": "community", "burn": "burns"}

# After the hands, by game: where the next cards of the deck go.
AFTER = {
    "ultimate-texas-holdem": ("burns", *["community"] * 3, "burns", *["community"] * 2),
    "pik-it": ("dealer",) * 5,  # the stack that stays in the shoe: 39.9(c)2
}


def by_place(table: Table, line: Line, text: str) -> list[Card | None]:
    """The top of the deck for cards written by place: seats in order, then the game's others.

    The dealing is tried once with the deck as it lies, to see where each card of it goes.
    """
    deck = table.now.stub
    dealt = decide(table, c.DealHands(c.DEALER))
    assert isinstance(dealt, tuple)
    tried = evolve(table, dealt[0]).now
    goes: dict[str, list[Card]] = {place_of(p.seat): list(p.cards) for p in tried.positions}
    goes |= {"dealer": list(tried.dealer), "community": list(tried.community)}
    used = sum(map(len, goes.values()))
    if not (tried.dealer and table.house.game.id == "pik-it"):
        for place, each in zip(AFTER.get(table.house.game.id, ()), deck[used:], strict=False):
            goes.setdefault(place, []).append(each)
    order: list[Card | None] = [None] * len(deck)
    for place, written in _hands(table, line, text, goes).items():
        if len(written) > len(goes[place]):
            raise line.wrong(f"{place} gets {len(goes[place])} cards, no more.")
        for lies, wanted in zip(goes[place], written, strict=False):
            order[deck.index(lies)] = wanted
    return order


def in_order(line: Line, text: str) -> list[Card | None]:
    """The top of the deck for cards written as they come."""
    return _cards(line, text)


def _hands(
    table: Table, line: Line, text: str, goes: dict[str, list[Card]]
) -> dict[str, list[Card | None]]:
    unnamed = [place_of(p.seat) for p in table.now.positions]
    unnamed += [p for p in ("dealer", "community", "burns") if goes.get(p)]
    hands: dict[str, list[Card | None]] = {}
    for group in text.split("/"):
        if found := _LABEL.fullmatch(group.strip()):
            place, written = _BOARD.get(found[1], found[1]), found[2]
        elif unnamed:
            place, written = unnamed.pop(0), group
        else:
            raise line.wrong(f"there is no place left for {group.strip()!r}.")
        if not goes.get(place):
            raise line.wrong(f"no cards go to {place} here.")
        hands[place] = _cards(line, written)
    return hands


def _cards(line: Line, text: str) -> list[Card | None]:
    try:
        return [None if word == BACK else card(word) for word in text.split()]
    except Refused as refused:
        raise line.wrong(refused.sentence) from None


def stacked(
    table: Table, events: list[e.Event], top: list[Card | None], line: Line
) -> list[e.Event]:
    """The same events with the last shuffle of the deck in play giving these cards on top; the
    rest follows from the deuces up."""
    colour, stub = table.now.colour, table.now.stub
    named = [each for each in top if each is not None]
    try:
        once_each(named)
    except Refused as refused:
        raise line.wrong(refused.sentence) from None
    for each in named:
        if each not in stub:
            raise line.wrong(f"the {each} is not in the deck any more.")
    rest = iter(sorted(set(stub) - set(named)))
    target = [each if each is not None else next(rest) for each in top] + list(rest)
    instead = dict(zip(stub, target, strict=True))
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, e.DeckShuffled) and event.colour == colour:
            order = spell(instead.get(each, each) for each in read_exact(event.order))
            return [*events[:at], replace(event, order=order), *events[at + 1 :]]
        if isinstance(event, e.DeckReceived) and event.colour == colour:
            order = spell(instead.get(each, each) for each in read_exact(event.cards))
            return [*events[:at], replace(event, cards=order), *events[at + 1 :]]
    raise AssertionError("a deck in play was shuffled, or came so")
