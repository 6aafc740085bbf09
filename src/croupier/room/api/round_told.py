"""Finished rounds of a table: a line for each, and one of them step by step as the rail saw it,
with the file that anybody can check without us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.entry import Entry
from croupier.ledger.reading import Reading
from croupier.ledger.records import ShuffleRevealed
from croupier.ledger.replay import States, Story, story
from croupier.rules.money import Cents
from croupier.table import events as e
from croupier.table.view import RAILBIRD, view

Data = dict[str, Any]

MOST_ENTRIES = 3_000  # of a round that is shown; a usual one has a hundred
TOLD = (  # what a line about a round is made from
    *(e.WagersPlaced, e.NoMoreBetsAnnounced, e.AllHandsVoided, e.WagerSettled),
    *(e.FoldedWagerReturned, e.RoundEnded, ShuffleRevealed),
)
BEGINNINGS = tuple(f'{{"type":"{kind.__name__}"' for kind in TOLD)


class Listed(Struct, frozen=True):
    """A round in one line."""

    number: int
    time: str  # when it ended
    void: bool
    players: list[str]  # by seat; who had several is there several times
    wagered: Cents
    won: Cents  # by players, beside their stakes
    net: Cents  # what the players together are up or down
    shuffle: int | None  # none where real devices shuffle


class Seen(Struct, frozen=True):
    """One thing that happened, and the table after it as somebody at the rail sees it."""

    version: int
    time: str
    actor: str
    event: Data
    sentence: str
    clause: str | None
    view: Data


class Replayed(Struct, frozen=True):
    table: str
    number: int
    void: bool
    steps: list[Seen]
    hands: dict[str, str]  # what lay where; for auditors
    proof: Story  # the file ``croupier verify`` reads, as ``croupier replay --json`` writes it


# --- a line for each ------------------------------------------------------------------------


def ended(number: int) -> str:
    """How the event begins that ends a round."""
    return f'{{"type":"RoundEnded","number":{number},'


def listed(reading: Reading, table: str, newest: int, limit: int) -> list[Listed]:
    """Up to ``limit`` rounds, the newest first."""
    oldest = max(1, newest - limit + 1)
    after = reading.view.first(table, ended(oldest - 1)) if oldest > 1 else 0
    found: list[Listed] = []
    for line in _lines(reading, table, after):
        if line.number > newest:
            break
        found.append(line)
    return found[::-1]


def _lines(reading: Reading, table: str, after: int) -> Iterator[Listed]:
    tally = _Tally()
    for entry in reading.view.read(table, after):
        if tally.number and entry.command:  # behind what ended the round
            yield tally.line()
            tally = _Tally()
        if entry.event.startswith(BEGINNINGS):
            tally.see(entry)
    if tally.number:
        yield tally.line()


class _Tally:
    """One round, added up."""

    def __init__(self) -> None:
        self.number = self.wagered = self.won = self.net = 0
        self.time = ""
        self.void = False
        self.names: dict[int, str] = {}
        self.seats: tuple[int, ...] = ()
        self.shuffle: int | None = None

    def see(self, entry: Entry) -> None:
        match entry.happening():
            case e.WagersPlaced(seat=seat):
                self.names[seat] = entry.actor.removeprefix("player ")
            case e.NoMoreBetsAnnounced(seats=seats):
                self.seats = seats
            case e.AllHandsVoided():
                self.void = True
            case e.WagerSettled() as settled:
                self.wagered += settled.amount
                self.won += settled.win
                gone = settled.result == "lost" or (settled.swept and settled.result != "returned")
                self.net += settled.win - (settled.amount if gone else 0)
            case e.FoldedWagerReturned(amount=amount):
                self.net += amount
            case e.RoundEnded(number=number):
                self.number, self.time = number, entry.time
            case ShuffleRevealed(shuffle=shuffle, round=number) if number == self.number:
                self.shuffle = shuffle

    def line(self) -> Listed:
        players = [self.names.get(seat, "") for seat in self.seats]
        return Listed(
            number=self.number,
            time=self.time,
            void=self.void,
            players=players,
            wagered=self.wagered,
            won=self.won,
            net=self.net,
            shuffle=self.shuffle,
        )


# --- step by step ---------------------------------------------------------------------------


def replayed(reading: Reading, table: str, number: int, *, hands: bool) -> Replayed:
    """A round that is over. ``hands`` shows what lay where, also what nobody turned up; it
    follows from the seed in the proof."""
    first = reading.view.first
    before = first(table, ended(number - 1)) if number > 1 else 0
    last = first(table, ended(number))
    if last - before > MOST_ENTRIES:
        sentence = f"Round {number} has {last - before:,} entries, too many to be shown here"
        raise Refused(f"{sentence}; croupier replay shows it.", code="TOO_LONG")
    told = story(reading, table, number, most=MOST_ENTRIES)
    steps = list(_steps(reading, told))
    void = any(step.event["event"] == "AllHandsVoided" for step in steps)
    return Replayed(table, number, void, steps, told.hands if hands else {}, told)


def _steps(reading: Reading, told: Story) -> Iterator[Seen]:
    first, last = told.steps[0].lines[0].sequence, told.steps[-1].lines[-1].sequence
    kept = States(reading, told.table, first - 1, last)
    tables = {sequence: each.table for sequence, each in kept}
    for step in told.steps:
        for line in step.lines:
            yield Seen(
                version=line.sequence,
                time=step.time,
                actor=step.actor,
                event=line.seen,
                sentence=line.sentence,
                clause=line.clause or None,
                view=view(tables[line.sequence], RAILBIRD),
            )
