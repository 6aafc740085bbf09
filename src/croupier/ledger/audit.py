"""The audit: everything a ledger says, held against everything else it says.

Each entry against the chain and the signed checkpoints; each command against the engine, which
must come to the same events; movements against events and the table; promises against what was
revealed; snapshots against the replay. What does not agree is named, entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import get_args

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.audit_money import Money
from croupier.ledger.audit_promises import Promises
from croupier.ledger.audit_replay import Batch, Replay
from croupier.ledger.audit_signatures import Signatures
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.discrepancy import Discrepancies, Discrepancy
from croupier.ledger.entry import Entry
from croupier.ledger.ledger import Ledger
from croupier.ledger.losses import accepted
from croupier.ledger.reading import Earlier, OneView, SqliteReading
from croupier.ledger.records import AnyRequest, Happening
from croupier.ledger.store import Remembered
from croupier.rules.money import Cents
from croupier.rules.refusals import Refusal
from croupier.table.events import RoundEnded


class Report(Struct):
    """What was looked at, and what does not agree."""

    tables: int = 0
    entries: int = 0
    commands: int = 0
    rounds: int = 0
    moved: Cents = 0
    promised: int = 0
    revealed: int = 0
    outstanding: int = 0
    checkpoints: int = 0
    snapshots: int = 0
    refusals: int = 0
    discrepancies: list[Discrepancy] = []
    unchecked: list[str] = []  # what could not be looked at, and why
    restored: list[str] = []  # history that is lost, which somebody accepted and signed


def audit(ledger: Ledger, table: str = "") -> Report:
    """Audit every table of a ledger, or one. ``reading`` opens one to be audited while it is at
    work."""
    report = Report(restored=list(map(str, accepted(ledger.witness, ledger.keys))))
    names = ledger.store.tables()
    said = witnessed(ledger)
    if not names and not said:
        raise Refused("This ledger has no tables.")
    if table and table not in names:
        raise Refused(f"There is no table {table} in this ledger.")
    for name in [table] if table else names:
        TableAudit(ledger, name, said.pop(name, [])).audit(report)
    if not table:
        report.discrepancies += of_the_whole(ledger, said)
    return report


def witnessed(ledger: Ledger) -> dict[str, list[Checkpoint]]:
    """What the witness says of each table, from before the store was looked at; without what was
    lost and accepted as lost."""
    losses = accepted(ledger.witness, ledger.keys)
    found: dict[str, list[Checkpoint]] = {}
    if isinstance(ledger.witness, Earlier):
        said: Iterable[Checkpoint] = ledger.witness.earlier
    else:
        said = ledger.witness.all() if ledger.witness else ()
    for each in said:
        if not any(loss.covers(each) for loss in losses):
            found.setdefault(each.table, []).append(each)
    return found


def of_the_whole(ledger: Ledger, gone: dict[str, list[Checkpoint]]) -> Iterator[Discrepancy]:
    """What concerns no single table that is there."""
    for name in gone:
        yield Discrepancy(name, 0, "The witness file knows this table; the store does not.")
    if isinstance(ledger.store, OneView):
        yield from ledger.store.astray()
    if isinstance(ledger.store, SqliteReading):
        for said in ledger.store.damage():
            yield Discrepancy("", 0, f"The database finds itself damaged: {said}.")


class TableAudit:
    """One table, from its first entry to its last."""

    def __init__(self, ledger: Ledger, name: str, witnessed: list[Checkpoint]) -> None:
        store = ledger.store
        self.ledger = ledger
        self.name = name
        self.wrong = Discrepancies(name)
        self.signatures = Signatures(ledger.keys, store.checkpoints(name), witnessed, self.wrong)
        self.promises = Promises(name, self.wrong)
        self.money = Money(self.wrong)
        self.replay = Replay(name, ledger.sealer, store.snapshots(name), self.money, self.wrong)
        self.head = Head()
        self.entries = self.commands = self.rounds = 0

    def audit(self, report: Report) -> None:
        for batch in self._batches():
            self.commands += 1
            self.replay.see(batch)
        if not self.entries:
            self.wrong.add(0, "Not one of its entries is there.")
        self.promises.end()
        self.replay.end()
        self.signatures.end(self.head.sequence, self.ledger.witness)
        report.refusals += sum(1 for _ in self._refusals())
        self._add_to(report)

    def _add_to(self, report: Report) -> None:
        report.tables += 1
        report.entries += self.entries
        report.commands += self.commands
        report.rounds += self.rounds
        report.moved += self.money.moved
        report.promised += self.promises.made
        report.revealed += self.promises.revealed
        report.outstanding += self.promises.outstanding
        report.checkpoints += len(self.signatures.stored)
        report.snapshots += self.replay.snapshots
        report.discrepancies += self.wrong.all()
        if self.replay.locked:
            report.unchecked.append(f"Table {self.name} was not replayed. {self.replay.locked}")

    # --- entry by entry -----------------------------------------------------------------------

    def _batches(self) -> Iterator[Batch]:
        """The commands with what they brought about, each entry seen to be in its place."""
        batch: Batch | None = None
        for entry in self.ledger.store.read(self.name):
            self.entries += 1
            in_place = self._follows(entry)
            self.signatures.see(entry)
            happening = self._read(entry)
            if batch and (entry.command or not in_place or entry.command_id != batch.command_id):
                yield batch
                batch = None
            if not in_place:
                self.replay.lose_footing()
            if happening is None:
                batch = None
            elif batch is None:
                batch = Batch(entry.command_id, [entry], [happening])
            else:
                batch.entries.append(entry)
                batch.happened.append(happening)
        if batch:
            yield batch

    def _follows(self, entry: Entry) -> bool:
        """Whether the next entry stands here; if not, the chain is taken up again from it."""
        try:
            wrong = flaw(entry, self.name, self.head)
        except TypeError:  # a damaged file may hold anything
            wrong = "it cannot be read"
        if not wrong:
            self.head = Head.of(entry)
            return True
        due = self.head.sequence + 1
        found = entry.sequence if isinstance(entry.sequence, int) else due
        self.wrong.add(found, f"In the chain {wrong}.")
        self.head = Head(found, entry.hash, max(str(entry.time), self.head.time))
        return found == due

    def _read(self, entry: Entry) -> Happening | None:
        try:
            happening = entry.happening()
        except (msgspec.MsgspecError, TypeError) as error:
            self.wrong.add(entry.sequence, f"What happened cannot be read: {error}.")
            self.replay.lose_footing()
            return None
        self.promises.see(happening, entry.sequence)
        if isinstance(happening, RoundEnded):
            self.rounds += 1
        return happening

    # --- refusals -----------------------------------------------------------------------------

    def _refusals(self) -> Iterator[Remembered]:
        """Those of the table, each as one must look. Nothing else is known of them."""
        for each in self.ledger.store.refusals(self.name):
            if not _sane(each):
                sentence = f"The refusal of command {each.command_id!r} is none the table gives."
                self.wrong.add(0, sentence)
            yield each


_CODES = {str(code) for code in Refusal}
_COMMANDS = {kind.__name__ for kind in get_args(AnyRequest)}


def _sane(each: Remembered) -> bool:
    try:
        datetime.fromisoformat(each.time)
        return (
            each.code in _CODES
            and each.command in _COMMANDS
            and len(bytes.fromhex(each.fingerprint)) == sha256().digest_size
            and bool(each.command_id and each.actor and each.sentence and each.clause)
        )
    except (TypeError, ValueError):
        return False
