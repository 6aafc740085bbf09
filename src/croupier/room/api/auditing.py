"""The audit of a room at work: from scratch once, and from then on what came since.

What was audited is remembered for as long as the room is open: where the chain stood, the table
replayed so far, the promises still open, and every finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import takewhile
from typing import cast

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.accounts import standing
from croupier.ledger.audit import Report, TableAudit, of_the_whole, witnessed
from croupier.ledger.audit_money import Money
from croupier.ledger.audit_promises import Promises
from croupier.ledger.audit_replay import Replay
from croupier.ledger.audit_room import RoomAudit
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.discrepancy import MOST, Discrepancies, Discrepancy
from croupier.ledger.entry import Entry
from croupier.ledger.kept import Kept
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.sql import ROOM
from croupier.ledger.store import Remembered, Snapshot, Store
from croupier.room.door.register import SCHEMA
from croupier.room.settings import Settings
from croupier.rules.money import Cents

ABOUT = ("chain", "signatures", "shuffles", "books", "rules")


class Finding(Struct, frozen=True):
    about: str  # which part of the audit
    entry: int  # 0 where it is about none
    sentence: str


class Audited(Struct, frozen=True):
    """What is known of one table."""

    head: Head = Head()
    entries: int = 0
    commands: int = 0
    rounds: int = 0
    moved: Cents = 0
    checkpoints: int = 0
    promised: int = 0
    revealed: int = 0
    outstanding: int = 0
    findings: tuple[Finding, ...] = ()
    unchecked: str = ""  # what could not be looked at, and why
    since: int = 0  # the entry behind which the last look began
    last: Checkpoint | None = None
    kept: Kept | None = None  # the table as replayed; none where the replay has no footing
    promises: Promises | None = None

    def holds(self, about: str) -> bool:
        return not any(each.about == about for each in self.findings)

    def balances(self) -> dict[str, Cents]:
        return dict(standing(self.kept.table)) if self.kept else {}


class Auditor:
    """Called from one thread at a time; each call looks at one moment of the ledger."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, Audited] = {}
        self._whole: tuple[Discrepancy, ...] | None = None

    def audit(self, *, full: bool) -> tuple[dict[str, Audited], tuple[Discrepancy, ...]]:
        """Every table there is, and what concerns none that is there."""
        with closing(self._reading()) as ledger:
            said = witnessed(ledger)
            names = ledger.store.tables()
            room = RoomAudit(ledger, said.pop(ROOM, []), {})
            room.audit()
            found = {name: self._table(ledger, name, said.pop(name, []), full) for name in names}
            if full or self._whole is None:
                self._whole = tuple(of_the_whole(ledger, said, room=SCHEMA))
            return found, (*room.wrong.all(), *self._whole)

    def table(self, name: str, *, full: bool) -> Audited:
        with closing(self._reading()) as ledger:
            if name not in ledger.store.tables():
                raise Refused(f"There is no table {name!r}.", code="NO_SUCH_TABLE")
            return self._table(ledger, name, witnessed(ledger).get(name, []), full)

    def _reading(self) -> Ledger:
        return reading(self._settings.where, self._settings.beside)

    def _table(self, ledger: Ledger, name: str, said: list[Checkpoint], full: bool) -> Audited:
        known = self._known.pop(name, Audited())  # gone, should this look fail
        if full or not _stands(ledger.store, name, known.head):
            known = Audited()
        self._known[name] = found = _audited(ledger, name, said, known)
        return found


def _stands(store: Store, name: str, head: Head) -> bool:
    """Whether what was audited is still there."""
    if not head.sequence:
        return True
    entry = store.entry(name, head.sequence)
    return entry is not None and Head.of(entry) == head


def _audited(ledger: Ledger, name: str, said: list[Checkpoint], known: Audited) -> Audited:
    """Go on behind what is known."""
    after = known.head.sequence
    tail = Ledger(cast(Store, Behind(ledger.store, after)), ledger.keys, ledger.witness)
    wrong = {about: Discrepancies(name) for about in ABOUT}
    look = TableAudit(tail, name, [each for each in said if each.sequence > after])
    look.head, look.entries = known.head, known.entries
    look.commands, look.rounds = known.commands, known.rounds
    look.wrong = wrong["chain"]
    look.signatures.wrong = wrong["signatures"]
    look.promises = known.promises or look.promises
    look.promises.wrong = wrong["shuffles"]
    look.money.wrong = wrong["books"]
    look.replay = replay = Continued(name, tail, look.money, wrong["rules"], known)
    look.audit(Report())
    found = [
        Finding(about, each.sequence, each.sentence)
        for about, discrepancies in wrong.items()
        for each in discrepancies.all()
    ]
    signed = [each for each in look.signatures.stored if isinstance(each.sequence, int)]
    return Audited(
        head=look.head,
        entries=look.entries,
        commands=look.commands,
        rounds=look.rounds,
        moved=known.moved + look.money.moved,
        checkpoints=known.checkpoints + len(look.signatures.stored),
        promised=look.promises.made,
        revealed=look.promises.revealed,
        outstanding=look.promises.outstanding,
        findings=_together(known.findings, found),
        unchecked=look.replay.locked or known.unchecked,
        since=after,
        last=max(signed, key=lambda each: each.sequence, default=known.last),
        kept=replay.kept,
        promises=look.promises,
    )


def _together(known: Iterable[Finding], found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each once, by entry."""
    once = dict.fromkeys((*known, *found))
    return tuple(sorted(once, key=lambda each: each.entry)[:MOST])


class Continued(Replay):
    """A replay that begins where the last one ended."""

    def __init__(
        self, name: str, tail: Ledger, money: Money, wrong: Discrepancies, known: Audited
    ) -> None:
        super().__init__(name, tail.sealer, tail.store.snapshots(name), money, wrong)
        self._kept, self._begun = known.kept, known.entries > 0
        money.carry_on(known.balances())

    @property
    def kept(self) -> Kept | None:
        return self._kept


class Behind:
    """What a store says behind an entry, as far as an audit asks."""

    def __init__(self, store: Store, after: int) -> None:
        self._store = store
        self._after = after

    def read(self, table: str) -> Iterator[Entry]:
        return self._store.read(table, self._after)

    def checkpoints(self, table: str) -> Iterator[Checkpoint]:
        return self._store.checkpoints(table, self._after)

    def snapshots(self, table: str) -> Iterator[Snapshot]:
        """The store gives the latest first; a damaged one may give anything."""
        return takewhile(self._new, self._store.snapshots(table))

    def _new(self, taken: Snapshot) -> bool:
        return not isinstance(taken.sequence, int) or taken.sequence > self._after

    def refusals(self, table: str) -> Iterator[Remembered]:
        return self._store.refusals(table)
