"""The eye in the sky: one table watched from outside, by what its store holds and what it said.

It reads each entry once, when it appears, and keeps the whole account for itself: the chain, the
judgement of every command, the money, the wagers settled, the promises of shuffles. Whatever was
acknowledged must be in it, and must never change.
"""

from __future__ import annotations

from croupier.law.refused import Refused as Misuse
from croupier.ledger.accounts import OutOfBalance, Transfer, agree, carried, standing, transfers
from croupier.ledger.chain import Broken, Head, follow
from croupier.ledger.commitment import verify
from croupier.ledger.entry import Entry, answers
from croupier.ledger.keeper import OPENING, Answer, Keeper
from croupier.ledger.kept import Kept, evolve, judge
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening, Record, ShuffleCommitted, ShuffleRevealed
from croupier.ledger.shuffles import due
from croupier.rules.money import Cents
from croupier.table import events as e
from croupier.table.commands import Command


class Violation(Exception):
    """What must never happen, in a sentence."""


class Eye:
    def __init__(self, table: str) -> None:
        self.table = table
        self.head = Head()
        self.answers: dict[str, Answer] = {}  # what each command brought about, by its id
        self.money: Cents = 0  # moved, all told
        self._kept: Kept | None = None
        self._balances: dict[str, Cents] = {}
        self._settled: set[tuple[str, int, str]] = set()  # in this round
        self._promises: dict[int, str] = {}  # not revealed yet

    @property
    def kept(self) -> Kept:
        assert self._kept is not None
        return self._kept

    @property
    def rounds(self) -> int:
        return self._kept.table.rounds if self._kept else 0

    # --- reading ------------------------------------------------------------------------------

    def look(self, ledger: Ledger) -> None:
        """Read what is new, and see that it follows what was there before."""
        last = ledger.store.entry(self.table, self.head.sequence) if self.head.sequence else None
        if self.head.sequence and (last is None or last.hash != self.head.hash):
            raise self._wrong(f"entry {self.head.sequence} is lost")
        entries = ledger.store.read(self.table, self.head.sequence)
        try:
            for batch in answers(follow(entries, self.table, self.head)):
                self._take(ledger, batch)
        except (Broken, OutOfBalance) as wrong:
            raise self._wrong(str(wrong)) from None

    def _take(self, ledger: Ledger, batch: list[Entry]) -> None:
        """What one command brought about, all of it."""
        first = batch[0]
        happened = [
            ledger.sealer.opened(each.happening(), self.table, each.sequence, "event")
            for each in batch
        ]
        if any(each.command_id != first.command_id for each in batch):
            raise self._wrong(f"entry {first.sequence} begins two answers")
        if first.command_id in self.answers:
            raise self._wrong(f"command {first.command_id} acted twice")
        request = first.request()
        if request is None:
            raise self._wrong(f"entry {first.sequence} answers nobody")
        request = ledger.sealer.opened(request, self.table, first.sequence, "command")
        self._judge(request, first, happened)
        for entry, happening in zip(batch, happened, strict=True):
            self._happens(happening, entry.transfers())
        self.head = Head.of(batch[-1])
        self.answers[first.command_id] = Answer(
            first.command_id, tuple(happened), first.sequence, actor=first.actor
        )
        self._whole(ledger)

    def _judge(self, request: Command, first: Entry, happened: list[Happening]) -> None:
        """The table, asked again, says exactly this; only records the ledger owes may follow."""
        if first.command_id == OPENING:
            return
        told = judge(self.kept, request)
        if not isinstance(told, tuple) or told != tuple(happened[: len(told)]):
            raise self._wrong(f"entry {first.sequence} is not what its command brings about")
        if not all(isinstance(each, Record) for each in happened[len(told) :]):
            raise self._wrong(f"entry {first.sequence} brings about too much")

    def _happens(self, happening: Happening, moved: tuple[Transfer, ...]) -> None:
        table = self._kept.table if self._kept else None
        if moved != transfers(table, happening):
            raise self._wrong(f"{type(happening).__name__} moved other money than it should")
        self._balances = dict(carried(self._balances, moved))
        self.money += sum(each.cents for each in moved)
        match happening:
            case e.WagerSettled() | e.FoldedWagerReturned():
                settled = (type(happening).__name__, happening.seat, happening.wager)
                if settled in self._settled:
                    raise self._wrong(f"{happening.wager} of seat {happening.seat} settled twice")
                self._settled.add(settled)
            case e.RoundEnded():
                self._settled.clear()
            case ShuffleCommitted():
                self._promises[happening.shuffle] = happening.commitment
            case ShuffleRevealed():
                promise = self._promises.pop(happening.shuffle, "")
                seed = bytes.fromhex(happening.seed)
                if not verify(promise, seed, self.table, happening.shuffle):
                    raise self._wrong(f"shuffle {happening.shuffle} was not the promised one")
        self._kept = evolve(self._kept, happening)

    def _whole(self, ledger: Ledger) -> None:
        """Nothing half done: books agree, and no promise or reveal is owed."""
        table, shuffles = self.kept.table, self.kept.shuffles
        agree(self._balances, standing(table))
        if table.accounts():
            raise self._wrong(f"the accounts add up to {table.accounts()}")
        open_promises = {each.number for each in shuffles.lying.values()}
        if shuffles.promised:
            open_promises.add(shuffles.promised.number)
        if any(due(shuffles, table, ledger.entropy)) or open_promises != set(self._promises):
            raise self._wrong("a shuffle was not revealed or promised when it was due")

    # --- comparing ----------------------------------------------------------------------------

    def confirm(self, answer: Answer) -> None:
        """What was acknowledged is what the store holds."""
        kept = self.answers.get(answer.command_id)
        if kept is None:
            raise self._wrong(f"command {answer.command_id} was acknowledged and is lost")
        if kept != answer:
            raise self._wrong(f"command {answer.command_id} was answered otherwise than it is kept")

    def agrees(self, keeper: Keeper) -> None:
        """The keeper shows what the store holds; another owner may have written since."""
        ahead = keeper.head.sequence > self.head.sequence
        if ahead or (keeper.head == self.head and keeper.kept != self.kept):
            raise self._wrong(f"the keeper at entry {keeper.head.sequence} shows another state")

    def _wrong(self, sentence: str) -> Violation:
        return Violation(f"Table {self.table}: {sentence}.")


def watched(ledger: Ledger, table: str) -> Eye:
    """A table seen from its first entry on."""
    eye = Eye(table)
    try:
        eye.look(ledger)
    except Misuse as refused:
        raise Violation(f"Table {table}: {refused}") from None
    return eye
