"""The supervisor's desk: what can be ordered and reported at a table, as forms.

A form has the fields of its command. What is possible now the table itself says; what is not is
listed with the reason.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.ledger.kept import Kept, judge
from croupier.room.api.glance import devices
from croupier.room.door.roles import COMMANDS, FLOOR
from croupier.room.messages import No, no
from croupier.rules.money import dollars
from croupier.table import commands as c
from croupier.table.commands import DEALER, SUPERVISOR
from croupier.table.options import candidates
from croupier.table.refused import Refused
from croupier.table.state import Table

FILL = dollars(10_000)
LARGEST_FILL = dollars(10_000_000)
WHOLE_DECK = 52
ODD = 2  # so many cards too many can be found in a hand

Group = Literal["cards", "devices", "money", "irregularities"]


class Field(Struct, frozen=True):
    """One field of a command: words to choose from, a number, a sum, or yes or no."""

    name: str
    title: str
    kind: Literal["choice", "number", "money", "yes"]
    value: str | int | bool
    choices: tuple[str, ...] = ()
    least: int = 0
    most: Annotated[int, Meta(ge=0)] = 0


class Act(Struct, frozen=True):
    """Something a supervisor may do; ``refused`` says why not now."""

    name: str  # of the command
    title: str
    group: Group
    fields: list[Field]
    clause: str | None
    refused: No | None
    stops: tuple[str, ...] = ()  # devices before whose next work the table can be stopped for it


TITLES: dict[type[c.Command], tuple[Group, str]] = {
    c.ReportExposedCard: ("irregularities", "A card was exposed early"),
    c.ReportFaceUpCard: ("irregularities", "A card lies face up in the deck"),
    c.ReportCardDrawnInError: ("irregularities", "A card was drawn in error"),
    c.ReportWrongNumber: ("irregularities", "A hand has a wrong number of cards"),
    c.ReportJam: ("irregularities", "A device is jammed"),
    c.OrderRecut: ("cards", "Order a recut"),
    c.RemoveDeck: ("cards", "Remove a deck"),
    c.RemoveDevice: ("devices", "Remove a device"),
    c.InstallDevice: ("devices", "Install a device"),
    c.ChangeMethod: ("devices", "Change the method"),
    c.FillInventory: ("money", "Fill the inventory"),
}
EXPOSED = {
    "let-it-ride": "A community card was exposed early",
    "caribbean-stud": "A dealer's card was exposed early",
    "pik-it": "A dealer's card was exposed early",
    "ultimate-texas-holdem": "A dealer's card was exposed early",
}
CHOSEN = {
    "colour": "Deck",
    "device": "Device",
    "shuffling": "Shuffling",
    "dealing": "Dealt from",
    "place": "Hand",
}
assert {kind.__name__ for kind in TITLES} == {
    name for name, roles in COMMANDS.items() if roles == FLOOR
}


def desk(kept: Kept) -> list[Act]:
    """Everything the floor may ask of a table."""
    asked: dict[type[c.Command], list[c.Command]] = {kind: [] for kind in TITLES}
    for who in (SUPERVISOR, DEALER):
        for each in candidates(kept.table, who):
            mine = replace(each, by=SUPERVISOR)
            if type(each) in asked and mine not in asked[type(each)]:
                asked[type(each)].append(mine)
    return [_act(kept, kind, them) for kind, them in asked.items()]


def _act(kept: Kept, kind: type[c.Command], asked: list[c.Command]) -> Act:
    group, title = TITLES[kind]
    if kind is c.ReportExposedCard:
        title = EXPOSED[kept.table.house.game.id]
    lawful: list[c.Command] = []
    clause, refused = None, No("NOTHING_HERE", "There is nothing of the kind at the table.")
    for each in reversed(asked):  # the first of each kind is told
        ruled = judge(kept, each)
        if isinstance(ruled, Refused):
            refused = no(ruled)
        else:
            lawful.insert(0, each)
            clause = next((cite for e in ruled if (cite := getattr(e, "clause", ""))), None)
    fields = _fields(kept.table, kind, lawful or asked)
    if lawful:
        return Act(kind.__name__, title, group, fields, clause, None)
    used = (each for each in devices(kept.table) if each.needed and each.installed)
    stops = tuple(each.name for each in used) if kind is c.ReportJam else ()
    return Act(kind.__name__, title, group, fields, refused.clause, refused, stops)


def _fields(table: Table, kind: type[c.Command], asked: list[c.Command]) -> list[Field]:
    """The command's own fields; the words to choose from are those of the commands that fit."""
    right = table.house.game.cards_each
    stub = len(table.round.stub) if table.round else 0
    numbers = {
        "amount": Field("amount", "Sum", "money", FILL, (), 1, LARGEST_FILL),
        "counted": Field("counted", "Cards counted", "number", stub, (), 0, WHOLE_DECK),
        "misdealt": Field("misdealt", "A hand was misdealt", "yes", False),
        "ahead": Field("ahead", "Cards before it", "number", 0, (), 0, max(0, stub - 1)),
        "cards": Field("cards", "Cards it has", "number", right - 1, (), 0, right + ODD),
    }
    fields = []
    for name in kind.__struct_fields__[1:]:  # the first says who
        if name in numbers:
            fields.append(numbers[name])
            continue
        words = tuple(dict.fromkeys(str(getattr(each, name)) for each in asked))
        fields.append(Field(name, CHOSEN[name], "choice", words[0] if words else "", words))
    return fields
