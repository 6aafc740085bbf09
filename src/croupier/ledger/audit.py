"""The audit: everything a ledger says, held against everything else it says.

Each entry against the chain and the signed checkpoints; each command against the engine, which
must come to the same events; movements against events and the table; promises against what was
revealed; snapshots against the replay; refusals against their chain; the room's accounts, grants
and plans against the administration chain; balances against the movements; the database's objects
against those it should have. What does not agree is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.audit_money import Money
from croupier.ledger.audit_promises import Promises
from croupier.ledger.audit_refusals import Refusals
from croupier.ledger.audit_replay import Batch, Replay
from croupier.ledger.audit_room import RoomAudit
from croupier.ledger.audit_schema import purses_wrong, schema_wrong
from croupier.ledger.audit_signatures import Signatures
from croupier.ledger.catalogue import Schema
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.discrepancy import Discrepancies, Discrepancy
from croupier.ledger.entry import Entry, stamp
from croupier.ledger.evidence import Evidence
from croupier.ledger.keys import Keys, PublicKeys
from croupier.ledger.known_keys import KnownKeys, fingerprint
from croupier.ledger.ledger import Ledger
from croupier.ledger.losses import Loss, accepted
from croupier.ledger.reading import Earlier, OneView, SqliteReading
from croupier.ledger.records import Happening
from croupier.ledger.schema import REFUSALS_CHAINED
from croupier.ledger.sql import ROOM, SqlStore
from croupier.rules.money import Cents
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
    omitted: int = 0  # refusals that were answered and not kept
    administration: int = 0  # entries of the administration chain
    discrepancies: list[Discrepancy] = []
    unchecked: list[str] = []  # what could not be looked at, and why
    restored: list[str] = []  # history that is lost, which somebody accepted and signed
    notes: list[str] = []  # what is worth knowing and no discrepancy


def audit(
    ledger: Ledger,
    table: str = "",
    *,
    witnesses: Sequence[Evidence] = (),
    room: Schema | None = None,
    known: Path | None = None,
) -> Report:
    """Audit every table of a ledger, or one. ``reading`` opens one to be audited while it is at
    work. ``witnesses`` are copies of checkpoints kept elsewhere, ``room`` the schema of the room's
    own tables, ``known`` the file in which the ledger's first key is pinned."""
    losses = accepted(ledger.witness, ledger.keys)
    report = Report(restored=list(map(str, losses)))
    names = ledger.store.tables()
    said = witnessed(ledger)
    elsewhere = by_table(witnesses, losses)
    administration = RoomAudit(ledger, said.pop(ROOM, []), elsewhere.pop(ROOM, {}))
    if not names and not said and not elsewhere and not administration.there:
        raise Refused("This ledger has no tables.")
    if table and table not in names:
        raise Refused(f"There is no table {table} in this ledger.")
    administration.audit()
    keys = administration.keys if administration.standing.keys else ledger.keys
    lagging: Counter[str] = Counter()
    for name in [table] if table else names:
        more = {each.name: elsewhere.get(name, {}).get(each.name, []) for each in witnesses}
        look = TableAudit(ledger, name, said.pop(name, []), keys=keys, elsewhere=more)
        look.audit(report)
        lagging.update({each.name: look.signatures.lag(each.name) for each in witnesses})
        elsewhere.pop(name, None)
    report.notes += [
        f"{name} lags by {many:,} {'checkpoint' if many == 1 else 'checkpoints'}."
        for name, many in lagging.items()
        if many
    ]
    if not table:
        report.administration = administration.entries
        report.notes += administration.notes
        report.discrepancies += administration.wrong.all()
        report.discrepancies += of_the_whole(ledger, said, room=room)
        report.discrepancies += gone_elsewhere(elsewhere)
    if known:
        report.discrepancies += pinned_key(ledger, administration, known, report.notes)
    return report


def by_table(
    witnesses: Iterable[Evidence], losses: Sequence[Loss] = ()
) -> dict[str, dict[str, list[Checkpoint]]]:
    """What each witness says, table by table; without what was accepted as lost."""
    found: dict[str, dict[str, list[Checkpoint]]] = {}
    for each in witnesses:
        for checkpoint in each.said:
            if any(loss.covers(checkpoint) for loss in losses):
                continue
            found.setdefault(checkpoint.table, {}).setdefault(each.name, []).append(checkpoint)
    return found


def gone_elsewhere(left: Mapping[str, Mapping[str, Sequence[Checkpoint]]]) -> Iterator[Discrepancy]:
    for table, said in left.items():
        for name in said:
            yield Discrepancy(table, 0, f"{name} knows this table; the store does not.")


def pinned_key(
    ledger: Ledger, administration: RoomAudit, path: Path, notes: list[str]
) -> Iterator[Discrepancy]:
    """The first signing key against the one that was pinned when this ledger was first audited
    here; it is pinned now if there is none."""
    order = list(administration.standing.keys) or ledger.keys.in_order()
    public = {**ledger.keys.public, **administration.keys.public}.get(order[0]) if order else None
    if public is None:
        return
    known, name = KnownKeys(path), f"ledger {ledger.keys.folder.resolve()}"
    found, pins = fingerprint(public), known.of(name)
    if not pins:
        known.pin(name, [public.hex()], stamp(ledger.clock()))
        notes.append(f"The first signing key has the fingerprint {found}. It is pinned now.")
    elif public.hex() in {pin.key for pin in pins}:
        notes.append(f"The first signing key is the pinned one, {found}.")
    else:
        before = fingerprint(bytes.fromhex(pins[0].key))
        yield Discrepancy(
            "",
            0,
            f"The first signing key has the fingerprint {found}; when this ledger was first "
            f"audited here it was {before}. The keys were exchanged. If you replaced the ledger "
            f"yourself, remove its line from {path}.",
        )


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


def of_the_whole(
    ledger: Ledger, gone: dict[str, list[Checkpoint]], *, room: Schema | None = None
) -> Iterator[Discrepancy]:
    """What concerns no single table that is there."""
    for name in gone:
        yield Discrepancy(name, 0, "The witness file knows this table; the store does not.")
    store = ledger.store
    if isinstance(store, OneView):
        yield from store.astray()
    if isinstance(store, SqlStore):
        for sentence in (*schema_wrong(store, room), *purses_wrong(store)):
            yield Discrepancy("", 0, sentence)
    if isinstance(store, SqliteReading):
        for said in store.damage():
            yield Discrepancy("", 0, f"The database finds itself damaged: {said}.")


class TableAudit:
    """One table, from its first entry to its last."""

    def __init__(
        self,
        ledger: Ledger,
        name: str,
        witnessed: list[Checkpoint],
        *,
        keys: Keys | PublicKeys | None = None,
        elsewhere: Mapping[str, Iterable[Checkpoint]] | None = None,
    ) -> None:
        store = ledger.store
        self.ledger = ledger
        self.name = name
        self.wrong = Discrepancies(name)
        self.signatures = Signatures(
            keys or ledger.keys, store.checkpoints(name), witnessed, self.wrong, elsewhere
        )
        chained = not isinstance(store, OneView) or store.schema_version >= REFUSALS_CHAINED
        self.refusals = Refusals(name, self.wrong, chained=chained)
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
        self.refusals.see(self.ledger.store.refusals(self.name))
        self.refusals.compare(self.signatures.trusted)
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
        report.refusals += self.refusals.kept
        report.omitted += self.refusals.omitted
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
