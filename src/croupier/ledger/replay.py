"""A round as it happened, from the end of the last one to its own: who did what, when, by which
clause. While it is under way it shows what anybody at the rail has seen. Once it is over it is a
file a stranger can check: the hands from the discard rack, the shuffle, the entries the round was
written in, the signed checkpoint that covers them, and the table as it stood before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from croupier.cards.card import spell
from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import Checkpoint, genuine
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
from croupier.ledger.round_start import Start, Vouched, start_of, vouched
from croupier.table import events as e
from croupier.table.narrate import sentence
from croupier.table.reconstruct import reconstruct
from croupier.table.view import seen_event

FORMAT = "croupier round 2"
OLD_FORMAT = "croupier round 1"  # without a start, and sometimes without entries
NO_LIMIT = 1 << 62


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
    """Everything anybody may know of one round; from ``dealing`` on, once it is over."""

    format: str
    table: str
    round: int
    over: bool
    house: dict[str, Any]  # the licensee's submission
    steps: list[Step]
    dealing: str = ""
    seats: list[str] = []
    hands: dict[str, str] = {}
    shuffle: Told | None = None  # none where real devices shuffle
    entries: list[Entry] = []  # from the shuffle's promise to the checkpoint; without ``moved``
    checkpoint: Checkpoint | None = None
    keys: dict[str, str] = {}  # the public keys that signed, by their ids
    start: Start | None = None  # none where the entries begin with the table's opening
    order: str = ""  # of the deck that was dealt, where real devices shuffle
    vouched: Vouched = Vouched()


def vouched_content(told: Story) -> dict[str, Any]:
    """What the house signs as a whole: the file without that signature."""
    content: dict[str, Any] = to_builtins(told)
    del content["vouched"]
    return content


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


def story(
    reading: Reading, table: str, number: int, *, whole: bool = False, most: int = NO_LIMIT
) -> Story:
    """The round of this number at a table. ``whole`` gives all entries from the table's opening,
    so that nothing rests on a signed starting state. Beyond ``most`` entries the promise of a
    shuffle made long ago is left out."""
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
    told = Story(FORMAT, table, number, bool(last), opened.house, steps_of(entries))
    if last:
        states = States(reading, table, before, last)
        kept = _add_hands(told, states)
        if whole and told.order:
            raise Refused(
                "Devices shuffle at this table; decks of earlier rounds are not revealed."
            )
        first = _add_shuffle(told, reading, entries)
        if last - first >= most:
            first = before + 1
        _add_entries(told, reading, 1 if whole else min(first, before + 1), last, most)
        if told.entries[0].sequence > 1 and kept:
            told.start = start_of(kept, before, entries[0].previous)
        _add_keys(told, reading, sound=states.sound)
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
    """Behind one entry up to the last, or to the end of what there is."""
    for entry in reading.view.read(table, after):
        if last and entry.sequence > last:
            return
        yield entry


def steps_of(entries: Iterable[Entry]) -> list[Step]:
    """The commands and what came of each, in words."""
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


def _add_hands(told: Story, states: States) -> Kept | None:
    """The hands from the rack as the round left it, and how the table stood before; the latter is
    given back."""
    kept = start = None
    for sequence, kept in states:
        if sequence == states.before:
            start = kept
        now = kept.table.round
        if now and now.number == told.round and not (told.order or kept.shuffles.promised):
            told.order = spell(now.stub)
        if kept.table.rounds == told.round and not told.hands:  # a faulty deck leaves at once
            told.hands = _hands_of(kept)
    assert kept
    at_start = start.table if start else None
    told.dealing = at_start.dealing if at_start else kept.table.house.dealing
    told.seats = list(at_start.seats) if at_start else []
    return start


def _hands_of(kept: Kept) -> dict[str, str]:
    """What lay where, from the discard rack."""
    rack = reconstruct(kept.table.rack, kept.table.rack_log)
    return {place: spell(cards) for place, cards in rack.items()}


class States:
    """The table after each entry from ``before`` to ``last``, folded from the nearest snapshot.

    ``sound`` says whether the entries folded so far chain on to each other and to that snapshot,
    which nobody without the sealing key can make. Broken history is told all the same; an audit
    says why it is broken."""

    def __init__(self, reading: Reading, table: str, before: int, last: int) -> None:
        self.reading = reading
        self.table = table
        self.before = before
        self.last = last
        self.sound = True

    def __iter__(self) -> Iterator[tuple[int, Kept]]:
        kept, head = self._snapshot()
        if kept and head.sequence == self.before:
            yield head.sequence, kept
        for entry in _between(self.reading, self.table, head.sequence, self.last):
            self.sound = self.sound and not flaw(entry, self.table, head)
            head = Head.of(entry)
            kept = evolve(kept, _opened(self.reading, entry))
            if entry.sequence >= self.before:
                yield entry.sequence, kept

    def _snapshot(self) -> tuple[Kept | None, Head]:
        for taken in self.reading.view.snapshots(self.table):
            if taken.sequence <= self.before:
                kept = snapshot.opened(self.reading.sealer, taken)
                if kept:
                    return kept, Head(taken.sequence, taken.hash)
        return None, Head()


def _opened(reading: Reading, entry: Entry) -> Happening:
    return reading.sealer.opened(entry.happening(), entry.table, entry.sequence, "event")


def _add_shuffle(told: Story, reading: Reading, entries: list[Entry]) -> int:
    """The shuffle the round was dealt from; gives the entry that promised it."""
    number = revealed_for(told.round, entries)
    if not number:
        return entries[0].sequence
    first = reading.view.first(told.table, f'{{"type":"ShuffleCommitted","shuffle":{number},')
    written = _between(reading, told.table, first - 1, entries[-1].sequence)
    told.shuffle = shuffle_of(number, written)
    return told.shuffle.promised


def revealed_for(round: int, entries: Iterable[Entry]) -> int:
    """The number of the shuffle that was revealed when the round was over; 0 where none was."""
    for each in map(Entry.happening, entries):
        if isinstance(each, ShuffleRevealed) and each.round == round:
            return each.shuffle
    return 0


def shuffle_of(number: int, entries: Iterable[Entry]) -> Told:
    """A shuffle from its promise to its revelation, as these entries have it."""
    told = Told(number, "", 0, "", "", [], "", [])
    for entry in entries:
        match entry.happening():
            case ShuffleCommitted(shuffle=n, commitment=commitment) if n == number:
                told.commitment, told.promised = commitment, entry.sequence
                told.promised_at = entry.time
            case EntropyAdded(shuffle=n, player=player, entropy=words) if n == number:
                told.entropy.append((player, words))
            case ShuffleRevealed(shuffle=n, seed=seed) if n == number:
                told.seed = seed
            case e.DeckShuffled(colour=colour) | e.DeckReceived(colour=colour, preshuffled=True):
                if told.promised:
                    told.colour = told.colour or colour
            case e.DeckCut(colour=colour, cards=cards) if colour == told.colour:
                if not told.seed:
                    told.cuts.append(cards)
    return told


# --- what proves it -------------------------------------------------------------------------


def _add_entries(told: Story, reading: Reading, first: int, last: int, most: int) -> None:
    """Up to the next signed checkpoint, which is usually made where a round ends. What money moved
    is left out: it is no part of an entry's hash, and follows from the events."""
    signed = next(reading.view.checkpoints(told.table, last - 1), None)
    told.checkpoint = signed if signed and signed.sequence - last < most else None
    end = told.checkpoint.sequence if told.checkpoint else last
    told.entries = [
        replace(entry, moved="") for entry in _between(reading, told.table, first - 1, end)
    ]


def _add_keys(told: Story, reading: Reading, *, sound: bool) -> None:
    """Sign the file, but only if its entries chain up to a checkpoint that is genuine: nobody who
    can write to the database shall get a signature for what they wrote."""
    signed, keys = told.checkpoint, reading.keys
    if signed is None or signed.key not in keys.public:
        return
    if sound and genuine(keys, signed) and _leads_to(told, signed):
        told.keys = {key: keys.public[key].hex() for key in {signed.key: 1, keys.signing: 1}}
        told.vouched = vouched(keys, vouched_content(told))
    if not told.vouched.key:
        told.keys = {signed.key: keys.public[signed.key].hex()}


def _leads_to(told: Story, signed: Checkpoint) -> bool:
    head = Head(told.entries[0].sequence - 1, told.entries[0].previous)
    for entry in told.entries:
        if flaw(entry, told.table, head):
            return False
        head = Head.of(entry)
    return (head.sequence, head.hash, head.time) == (signed.sequence, signed.hash, signed.time)
