"""A round's commands judged again by the engine, by somebody who holds no key.

The engine must come to exactly the events that were told. Orders of decks are computed from the
seeds that the entries reveal. What stays sealed cannot be judged and is taken as it stands: the
order and the cut of a deck that is not revealed yet, the commitment to such a shuffle, and what
was wrong with a deck that was removed on inspection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.ledger.commitment import commit
from croupier.ledger.entry import Entry, answers
from croupier.ledger.kept import Kept, evolve, judge
from croupier.ledger.records import Happening, OpenTable, ShuffleCommitted, ShuffleRevealed
from croupier.ledger.round_start import UNKNOWN_SEED, WHOLE_DECK, Seeds, dealt_from
from croupier.ledger.shuffles import due, promise
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import refused as at_table
from croupier.table.commands import Command
from croupier.table.decide import decide

PAYMENTS = (e.WagerSettled, e.FoldedWagerReturned, e.ChipsSwept, e.MeterMoved)
NO_EVENT = "nothing"


class Difference(Struct, frozen=True):
    """One entry that is not what the rules give."""

    sequence: int
    payment: bool
    sentence: str


class Judged(Struct):
    commands: int = 0
    payments: int = 0
    differences: list[Difference] = field(default_factory=list)
    kept: Kept | None = None  # the table after the last entry
    start: Kept | None = None  # and before the round, where the entries begin with the opening


def seeds_in(entries: Iterable[Entry]) -> Seeds:
    """The seeds these entries reveal."""
    happened = map(Entry.happening, entries)
    return {each.shuffle: each.seed for each in happened if isinstance(each, ShuffleRevealed)}


def rejudge(
    entries: Sequence[Entry], kept: Kept | None, round: int, seeds: Seeds, order: str = ""
) -> Judged:
    """Judge the commands of these entries from this table on; from None where they begin with its
    opening. ``order`` is the deck of the round where devices shuffle."""
    found = Judged(kept=kept)
    for batch in answers(entries):
        found.commands += 1
        if found.kept and found.kept.table.rounds == round - 1 and found.start is None:
            found.start = found.kept
        try:
            _Batch(batch, found, round, seeds, order).judge()
        except Exception as error:  # a history that was never lived may break anything
            sentence = f"this cannot have happened ({type(error).__name__})"
            found.differences.append(Difference(batch[0].sequence, False, sentence))
            found.kept = None
            break
    return found


class _Batch:
    """One command and the entries it brought about."""

    def __init__(
        self, entries: list[Entry], found: Judged, round: int, seeds: Seeds, order: str
    ) -> None:
        self.entries = entries
        self.found = found
        self.round = round
        self.seeds = seeds
        self.order = order

    def judge(self) -> None:
        request = self.entries[0].request()
        told = tuple(entry.happening() for entry in self.entries)
        if request is None:
            raise ValueError("no command")
        kept = self.found.kept
        deck = kept.shuffles.promised.order() if kept and kept.shuffles.promised else WHOLE_DECK
        request = _opened_command(request, deck)
        told = tuple(self._opened(each, deck) for each in told)
        expected = self._expected(kept, request, told)
        self._compare(expected, told)
        self.found.payments += sum(isinstance(each, PAYMENTS) for each in told)
        for each in told:
            kept = self._evolved(kept, each)
        self.found.kept = kept

    def _opened(self, each: Happening, deck: str) -> Happening:
        """With what can be known of its secrets, else with what stands for them."""
        match each:
            case ShuffleCommitted(shuffle=number):
                return replace(each, seed=self.seeds.get(number, UNKNOWN_SEED))
            case e.DeckShuffled():
                return replace(each, order=deck)
            case e.DeckReceived(preshuffled=preshuffled):
                return replace(each, cards=deck if preshuffled else WHOLE_DECK)
        return each

    def _expected(
        self, kept: Kept | None, request: Command, told: tuple[Happening, ...]
    ) -> tuple[Happening, ...]:
        """What the keeper must have answered and written."""
        if isinstance(request, OpenTable):
            table = self.entries[0].table
            opened = e.TableOpened(table, request.house, request.inventory)
            return (opened,) if request.physical else (opened, self._promise(table, 1, told))
        if kept is None:
            raise ValueError("the table is not open")
        answer = self._answer(kept, request, told)
        after: Kept = kept
        for each in answer:
            after = self._evolved(after, each)
        records = tuple(
            self._promise(after.table.id, each.shuffle, told)
            if isinstance(each, ShuffleCommitted)
            else each
            for each in due(after.shuffles, after.table, bytes)
        )
        return (*answer, *records)

    def _answer(
        self, kept: Kept, request: Command, told: tuple[Happening, ...]
    ) -> tuple[Happening, ...]:
        if isinstance(request, c.InspectDeck) and isinstance(told[0], e.DeckRemoved):
            return told[:1]
        lying = kept.shuffles.lying.get(request.colour) if isinstance(request, c.CutDeck) else None
        sealed = lying is not None and lying.number not in self.seeds
        answer = decide(kept.table, request) if sealed else judge(kept, request)
        if isinstance(answer, at_table.Refused):
            sentence = f"the table refuses this command: {answer.sentence}"
            payment = isinstance(told[0], PAYMENTS)
            self._differs(self.entries[0].sequence, payment, sentence)
            return told
        return answer

    def _promise(self, table: str, number: int, told: tuple[Happening, ...]) -> ShuffleCommitted:
        """The commitment of a shuffle that is not revealed yet is taken as it stands."""
        if number in self.seeds:
            seed = self.seeds[number]
            return ShuffleCommitted(number, commit(bytes.fromhex(seed), table, number), seed)
        for each in told:
            if isinstance(each, ShuffleCommitted) and each.shuffle == number:
                return each
        return promise(table, number, bytes)

    def _evolved(self, kept: Kept | None, happening: Happening) -> Kept:
        after = evolve(kept, happening)
        if self.order and isinstance(happening, e.NoMoreBetsAnnounced):
            return dealt_from(after, self.order)
        return after

    # --- what differs -------------------------------------------------------------------------

    def _compare(self, expected: tuple[Happening, ...], told: tuple[Happening, ...]) -> None:
        for at, entry in enumerate(self.entries):
            due_here = expected[at] if at < len(expected) else None
            if due_here != told[at]:
                payment = isinstance(due_here, PAYMENTS) or isinstance(told[at], PAYMENTS)
                self._differs(entry.sequence, payment, _otherwise(due_here, told[at]))
        for missing in expected[len(told) :]:
            sentence = f"by the rules {_name(missing)} comes next and is missing"
            self._differs(self.entries[-1].sequence, isinstance(missing, PAYMENTS), sentence)

    def _differs(self, sequence: int, payment: bool, sentence: str) -> None:
        self.found.differences.append(Difference(sequence, payment, sentence))


def _opened_command(request: Command, deck: str) -> Command:
    match request:
        case c.ShuffleDeck():
            return replace(request, order=deck)
        case c.ReceiveDeck(preshuffled=preshuffled):
            return replace(request, cards=deck if preshuffled else WHOLE_DECK)
    return request


def _name(happening: Happening | None) -> str:
    return type(happening).__name__ if happening else NO_EVENT


def _otherwise(expected: Happening | None, told: Happening) -> str:
    if expected is None or type(expected) is not type(told):
        return f"by the rules this is {_name(expected)}, not {_name(told)}"
    for name in expected.__struct_fields__:
        ours, theirs = getattr(expected, name), getattr(told, name)
        if ours != theirs:
            return f"by the rules {name} of {_name(told)} is {ours!r}, not {theirs!r}"
    return f"by the rules {_name(told)} is another"
