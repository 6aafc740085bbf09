"""A round as it happened, from the end of the last one to its own: who did what, when, by which
clause. Once it is over its hands are rebuilt from the discard rack and its shuffle is told; while
it is under way it shows what anybody at the rail has seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from croupier.cards.card import spell
from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.entry import Entry
from croupier.ledger.kept import Kept, evolve
from croupier.ledger.reading import Reading
from croupier.ledger.records import (
    EntropyAdded,
    Happening,
    Record,
    ShuffleCommitted,
    ShuffleRevealed,
)
from croupier.table import events as e
from croupier.table.narrate import sentence
from croupier.table.reconstruct import reconstruct
from croupier.table.view import seen_event

FORMAT = "croupier round 1"


class Line(Struct):
    """One thing that happened."""

    sequence: int
    sentence: str
    clause: str
    seen: dict[str, Any]  # the event, without what is secret


class Step(Struct):
    """One command and what came of it."""

    time: str
    actor: str
    command_id: str
    lines: list[Line]


class Told(Struct):
    """A shuffle that was promised, kept and revealed."""

    number: int
    commitment: str
    promised: int  # the entry that promised it
    promised_at: str
    seed: str
    entropy: list[tuple[str, str]]  # player and words, in order
    colour: str
    cuts: list[int]  # cards lifted each time


class Story(Struct):
    """Everything anybody may know of one round; the file a player can check."""

    format: str
    table: str
    round: int
    over: bool
    house: dict[str, Any]  # the licensee's submission
    steps: list[Step]
    dealing: str = ""  # these four once it is over
    seats: list[str] = []
    hands: dict[str, str] = {}
    shuffle: Told | None = None  # none where real devices shuffle


def chosen_tables(reading: Reading, table: str = "") -> list[str]:
    """The table that was asked for, or all there are."""
    names = reading.view.tables()
    if not names:
        raise Refused("This ledger has no tables.")
    if table and table not in names:
        raise Refused(f"There is no table {table} in this ledger.")
    return [table] if table else names


def only_table(reading: Reading, table: str = "") -> str:
    """The table that was asked for, or the only one there is."""
    names = chosen_tables(reading, table)
    if len(names) > 1:
        raise Refused(f"Which table? This ledger has {', '.join(names)}.")
    return names[0]


def story(reading: Reading, table: str, number: int) -> Story:
    """The round of this number at a table."""
    view = reading.view
    if number < 1:
        raise Refused("Rounds are numbered from 1.")
    before = _end(reading, table, number - 1) if number > 1 else 0
    last = _end(reading, table, number)
    entries = list(_between(reading, table, before, last)) if before or number == 1 else []
    if not entries:
        raise Refused(f"Table {table} has not come to round {number}.")
    opened = next(view.read(table)).happening()
    assert isinstance(opened, e.TableOpened)
    told = Story(FORMAT, table, number, bool(last), opened.house, _steps(entries))
    if last:
        _add_hands(told, reading, before, last)
        told.shuffle = _shuffle(reading, told, entries)
    return told


def _end(reading: Reading, table: str, number: int) -> int:
    """The last entry of what ended a round; its shuffle is revealed there. 0 when it has not."""
    ended = reading.view.first(table, f'{{"type":"RoundEnded","number":{number},')
    if ended:
        for entry in reading.view.read(table, ended):
            if entry.command:
                break
            ended = entry.sequence
    return ended


def _between(reading: Reading, table: str, after: int, last: int) -> Iterator[Entry]:
    """Up to the last, or to the end of what there is."""
    for entry in reading.view.read(table, after):
        if last and entry.sequence > last:
            return
        yield entry


def _steps(entries: list[Entry]) -> list[Step]:
    steps: list[Step] = []
    for entry in entries:
        if entry.command or not steps:
            steps.append(Step(entry.time, entry.actor, entry.command_id, []))
        steps[-1].lines.append(line_of(entry))
    return steps


def line_of(entry: Entry) -> Line:
    happening = entry.happening()
    if isinstance(happening, Record):
        return Line(entry.sequence, _record(happening), "", _seen_record(happening))
    clause = getattr(happening, "clause", "")
    return Line(entry.sequence, sentence(happening), clause, seen_event(happening))


def _record(record: Record) -> str:
    match record:
        case ShuffleCommitted():
            return f"Shuffle {record.shuffle} is promised: {record.commitment}."
        case EntropyAdded():
            return f"{record.player} adds {record.entropy!r} to shuffle {record.shuffle}."
        case ShuffleRevealed():
            return f"Shuffle {record.shuffle} is revealed: its seed was {record.seed}."
    raise AssertionError(f"no sentence for {type(record).__name__}")


def _seen_record(record: Record) -> dict[str, Any]:
    data = {name: value for name, value in asdict(record).items() if name not in record.secret}
    return {"event": type(record).__name__, **data}


# --- what is known once it is over ----------------------------------------------------------


def _add_hands(told: Story, reading: Reading, before: int, last: int) -> None:
    """How the table stood before, and the hands from the rack as the round left it."""
    kept = None
    for sequence, kept in states(reading, told.table, before, last):
        if sequence == before:
            told.dealing, told.seats = kept.table.dealing, list(kept.table.seats)
    assert kept
    if not before:
        told.dealing = kept.table.house.dealing
    rack = reconstruct(kept.table.rack, kept.table.rack_log)
    told.hands = {place: spell(cards) for place, cards in rack.items()}


def states(reading: Reading, table: str, before: int, last: int) -> Iterator[tuple[int, Kept]]:
    """The table after each entry from ``before`` on, from the nearest snapshot."""
    kept, at = None, 0
    for taken in reading.view.snapshots(table):
        if taken.sequence <= before and (kept := snapshot.opened(reading.sealer, taken)):
            at = taken.sequence
            break
    if kept and at == before:
        yield at, kept
    for entry in _between(reading, table, at, last):
        kept = evolve(kept, _opened(reading, entry))
        if entry.sequence >= before:
            yield entry.sequence, kept


def _opened(reading: Reading, entry: Entry) -> Happening:
    return reading.sealer.opened(entry.happening(), entry.table, entry.sequence, "event")


def _shuffle(reading: Reading, told: Story, entries: list[Entry]) -> Told | None:
    """The shuffle the round was dealt from, from its promise to its revelation."""
    revealed = [
        each
        for each in map(Entry.happening, entries)
        if isinstance(each, ShuffleRevealed) and each.round == told.round
    ]
    if not revealed:
        return None
    number, seed = revealed[0].shuffle, revealed[0].seed
    first = reading.view.first(told.table, f'{{"type":"ShuffleCommitted","shuffle":{number},')
    shuffle = Told(number, "", first, "", seed, [], "", [])
    for entry in _between(reading, told.table, first - 1, entries[-1].sequence):
        match entry.happening():
            case ShuffleCommitted(shuffle=n, commitment=commitment) if n == number:
                shuffle.commitment, shuffle.promised_at = commitment, entry.time
            case EntropyAdded(shuffle=n, player=player, entropy=words) if n == number:
                shuffle.entropy.append((player, words))
            case e.DeckShuffled(colour=colour) | e.DeckReceived(colour=colour, preshuffled=True):
                shuffle.colour = shuffle.colour or colour
            case e.DeckCut(colour=colour, cards=cards) if colour == shuffle.colour:
                shuffle.cuts.append(cards)
    return shuffle
