"""What a player may choose for a table of their own.

A player-opened table plays for the same chips as every other table. So a player may choose how the
table is run, but not what it pays: pay tables are printed ones, and everything else that moves
money is the room's. ``check`` judges the law; this judges who may ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.house.submission import House, Violation, default_house
from croupier.rules.money import in_dollars
from croupier.rules.paytable import PayTable

# Keys of a submission that a player may choose freely, within the law.
PLAYERS_KEYS = (
    "rulebook",
    "name",
    "offered",
    "dealing",
    "shuffling",
    "counting",
    "preshuffled",
    "decks",
    "alternate",
    "positions",
    "adjacent",
    "dealer_stack",
)
# Keys a player may choose among what the room has: printed pay tables, and limits in its range.
BOUNDED_KEYS = ("pay", "limits")
# Keys that only staff may set, because they change what a table pays.
ROOMS_KEYS = (
    "multiples",
    "progressive",
    "match_play",
    "payout_limit",
    "qualifier",
    "settlement",
)


def printed_only(house: House, room: House | None = None) -> list[Violation]:
    """Everything in this house that only staff may set.

    ``room`` is a house of the same rulebook as the room runs it; without one, the preset.
    """
    room = room or default_house(house.book.id)
    assert room.book is house.book, "a house is compared with one of its own rulebook"
    return [*_rooms(house, room), *_offered(house, room), *_pay(house, room), *_limits(house, room)]


def _rooms(house: House, room: House) -> Iterator[Violation]:
    for key in ROOMS_KEYS:
        if getattr(house, key) != getattr(room, key):
            value = house.source.get(key, getattr(house, key))
            sentence = f"Only staff may set {key}; player-opened tables use the room's."
            yield Violation(key, value, sentence)


def _offered(house: House, room: House) -> Iterator[Violation]:
    """A progressive needs a meter, and the meter is the room's money."""
    if "progressive" in house.offered and room.progressive is None:
        sentence = "Only staff may offer a progressive here; the room runs no meter for this text."
        yield Violation("offered", "progressive", sentence)


def _pay(house: House, room: House) -> Iterator[Violation]:
    for key, table in house.pay.items():
        if not any(table.same_awards(known) for known in _known(house, room, key)):
            where = f"pay.{key.replace(' ', '.')}"
            value = {line.name: str(line.award) for line in table}
            sentence = f"Only staff may write {where} themselves; players choose a printed table."
            yield Violation(where, value, sentence)


def _known(house: House, room: House, key: str) -> Iterator[PayTable]:
    """The tables a player may choose for a wager: those the law prints, and the room's own."""
    wager, _, hands = key.partition(" ")
    if key in room.pay:
        yield room.pay[key]
    if wager in house.game.tables:
        printed = house.game.tables[wager].tables
        yield from ([printed[hands]] if hands else printed.values())


def _limits(house: House, room: House) -> Iterator[Violation]:
    for key, posted in house.posted.items():
        range_ = room.posted.get(key)
        value = [in_dollars(posted.minimum), in_dollars(posted.maximum)]
        where = f"limits.{key}"
        if range_ is None:
            sentence = f"Only staff may set {where}; the room posts none."
            yield Violation(where, value, sentence)
        elif posted.minimum < range_.minimum or posted.maximum > range_.maximum:
            least, most = in_dollars(range_.minimum), in_dollars(range_.maximum)
            sentence = (
                f"Only staff may set limits outside {least} to {most}; "
                "player-opened tables stay within the room's."
            )
            yield Violation(where, value, sentence)
