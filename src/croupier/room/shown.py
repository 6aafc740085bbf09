"""What a viewer is shown: the table's own view and options, and nothing that view leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Raw, Struct, to_builtins
from msgspec.json import encode
from msgspec.structs import asdict

from croupier.ledger.kept import Kept, judge
from croupier.ledger.records import (
    AddEntropy,
    EntropyAdded,
    Happening,
    Record,
    ShuffleCommitted,
    ShuffleRevealed,
)
from croupier.room.door.roles import Role
from croupier.rules.money import Cents
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.narrate import sentence
from croupier.table.options import options
from croupier.table.refused import Refused
from croupier.table.state import Position, Table
from croupier.table.view import RAILBIRD, seen_event, view

Data = dict[str, Any]

# A preview of these would turn cards that nobody has turned.
TURNING = (
    e.CommunityDealt,
    e.CommunityRevealed,
    e.UpCardExposed,
    e.HandRevealed,
    e.HandAnnounced,
    e.PickedCardsRevealed,
    e.DealerRevealed,
    e.FaceUpCardRacked,
)


class Seen(Struct, frozen=True):
    """A moment through the eyes of one who looks, or of all who have no seat."""

    view: Data
    options: list[Data]


def actor_of(role: Role, name: str) -> c.Actor:
    """As whom somebody looks at a table; only players have cards of their own."""
    return c.player(name) if role is Role.PLAYER else RAILBIRD


def line(happening: Happening) -> Data:
    """An event or a record, its words and its clause; secrets are left out."""
    if isinstance(happening, Record):
        seen = {k: v for k, v in asdict(happening).items() if k not in happening.secret}
        event = {"event": type(happening).__name__, **seen}
        return {"event": event, "sentence": _record(happening), "clause": None}
    clause = getattr(happening, "clause", "") or None
    return {"event": seen_event(happening), "sentence": sentence(happening), "clause": clause}


def _record(record: Record) -> str:
    """In few words: hashes and seeds are in the record itself."""
    match record:
        case ShuffleCommitted():
            return f"Shuffle {record.shuffle} is promised."
        case EntropyAdded():
            return f"{record.player} adds to shuffle {record.shuffle}."
        case ShuffleRevealed():
            return f"Shuffle {record.shuffle} is revealed."
    raise AssertionError(f"no sentence for {type(record).__name__}")


def lines(happened: Iterable[Happening], first: int) -> Raw:
    told = [{"version": at, **line(each)} for at, each in enumerate(happened, first)]
    return Raw(encode(told))


def foreseen(happened: Iterable[Happening]) -> list[Data]:
    """What a command would bring about, without the faces it would turn."""
    return [
        {"event": {"event": type(each).__name__}, "sentence": "", "clause": None}
        if isinstance(each, TURNING) or (isinstance(each, e.WagerSettled) and _told(each))
        else line(each)
        for each in happened
    ]


def _told(settled: e.WagerSettled) -> bool:
    """Whether a settlement tells of cards; a returned wager does not."""
    return settled.result != "returned"


def commitment(kept: Kept) -> Data | None:
    """The promise of the next shuffle."""
    promised = kept.shuffles.promised
    if promised is None:
        return None
    return {"shuffle": promised.number, "commitment": promised.commitment()}


def seen(kept: Kept, version: int, clocks: Data, who: c.Actor, *, asked: bool = True) -> Seen:
    """Without what is the viewer's own: ``yours`` adds it."""
    table = kept.table
    drawn = view(table, who)
    if table.round:
        for here, position in zip(drawn["round"]["positions"], table.now.positions, strict=True):
            here["nets"] = _nets(table, position)
    drawn |= {"version": version, "clocks": clocks, "commitment": commitment(kept)}
    return Seen(drawn, possible(kept, who) if asked else [])


def yours(drawn: Data, table: Table, name: str, bank: Cents | None) -> Data:
    """``bank`` is None while the balance is being loaded."""
    seats = table.seats_of(name)
    chips = table.chips_free(name) if seats else 0
    return {**drawn, "you": {"seats": seats, "bank": bank, "chips": chips}}


def _nets(table: Table, position: Position) -> dict[str, Cents]:
    """What each settled wager leaves the player up or down: whoever comes late missed its event."""
    wagers = table.house.game.wagers_under(table.house.book)
    swept = {wager.name for wager in wagers if wager.swept}
    nets = {}
    for name, result in position.settled.items():
        amount, win = position.placed[name], position.wins.get(name, 0)
        gone = result == "lost" or (result == "won" and name in swept)
        nets[name] = win - amount if gone else win
    return nets


def possible(kept: Kept, who: c.Actor) -> list[Data]:
    """What a player may do now. Wagers are told by their limits, once for each seat."""
    if not who.player:
        return []
    table = kept.table
    found: list[Data] = []
    wagers: dict[int, list[c.PlaceWagers]] = {}
    for each in options(table, who):
        if isinstance(each, c.PlaceWagers):
            wagers.setdefault(each.seat, []).append(each)
            continue
        data = to_builtins(each)
        del data["by"], data["type"]
        found.append({"name": type(each).__name__, **data})
    for seat, lawful in wagers.items():
        found.append({"name": "PlaceWagers", "seat": seat, "wagers": _limits(table, lawful)})
    if not isinstance(judge(kept, AddEntropy(who, "words")), Refused):
        found.append({"name": "AddEntropy"})
    return found


def _limits(table: Table, lawful: list[c.PlaceWagers]) -> dict[str, Data]:
    """Of every wager that is part of a lawful set."""
    least = {name: cents for each in lawful for name, cents in each.wagers.items()}
    limits = {}
    for wager in table.house.game.wagers_under(table.house.book):
        if wager.name not in least:
            continue
        posted = table.terms.posted
        limit = posted[wager.key if wager.key in posted else "ante"] if not wager.exactly else None
        limits[wager.name] = {
            "min": least[wager.name],
            "max": limit.maximum if limit else wager.exactly,
            "exactly": wager.exactly or None,
            "required": wager.required,
            "needs": list(wager.needs),
            "equal_to": wager.equal_to or None,
        }
    return limits
