"""The keeper of one table: judges a command, writes what it brings about, and only then tells.

State becomes visible when it is on the disk. A command carries an id its sender made; sent again,
also after a crash or to another process, it gets the same answer and acts once. Two keepers of one
table cannot both write: the second is fenced off and reads what the first has written.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

from msgspec import Struct

from croupier.cards.card import Card, read_exact
from croupier.law.refused import Refused as Misuse
from croupier.ledger import chain, snapshot
from croupier.ledger.chain import Head
from croupier.ledger.draft import Asked, Draft, asked, draft
from croupier.ledger.entry import Entry, answers, fingerprint, named, stamp, text
from croupier.ledger.kept import Kept, evolve, judge
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening, OpenTable
from croupier.ledger.refusals import Waiting, sentence_of
from croupier.ledger.shuffles import promise
from croupier.ledger.store import Batch, Fenced, Remembered
from croupier.rules.money import Cents
from croupier.rules.refusals import Refusal
from croupier.table import events as e
from croupier.table.commands import SUPERVISOR, Actor, Command
from croupier.table.dealer import Dealer
from croupier.table.refused import Refused
from croupier.table.state import DeckAt, Table

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")  # of a table
OPENING = "open"  # the id of the command that opens a table
NEAR = 200  # entries that are told one by one to whoever looks
TRIES = 5  # to write refusals while other processes write theirs


class Answer(Struct, frozen=True, gc=False):
    """What came of a command: its events and records, or why not. Secrets are in the clear."""

    command_id: str
    events: tuple[Happening, ...] = ()
    first: int = 0  # the sequence of the first of them
    refused: Refused | None = None
    actor: str = ""


Subscriber = Callable[[Answer, Table], None]


class Keeper:
    """Made by ``open`` or ``resume``. Used from threads (``execute``) or from one event loop
    (``perform``); a mix of both is fenced like any second writer."""

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.ledger = ledger
        self.name = name
        self.head = Head()
        self.dealer = Dealer(self._order, self._cut)  # with the promised shuffle
        self._kept: Kept | None = None
        self._lock = Lock()
        self._turn = asyncio.Lock()
        self._stale = False  # whether the store may know more than we do
        self.catching_up = False  # whether what is told now was asked for, and is another's
        self._refusals = Waiting()
        self._subscribers: list[Subscriber] = []

    @classmethod
    def open(
        cls,
        ledger: Ledger,
        name: str,
        house: Mapping[str, Any],
        inventory: Cents,
        *,
        physical: bool = False,
        by: Actor = SUPERVISOR,
    ) -> Keeper:
        """Open a new table under a licensee's submission. At a ``physical`` one the orders of
        decks come from real devices."""
        if not NAME.fullmatch(name):
            raise Misuse(
                f"{name!r} is no name for a table; use up to 64 letters, digits, "
                "spaces, dots, dashes and underscores."
            )
        if inventory < 0:
            raise Misuse("An inventory cannot be less than nothing.")
        if ledger.store.head(name):
            raise Misuse(f"There is a table {name} in this ledger already.")
        keeper = cls(ledger, name)
        request = OpenTable(by, dict(house), inventory, physical)
        opening = Asked(request, OPENING, named(by), text(request))
        opened = e.TableOpened(name, dict(house), inventory)
        promised = () if physical else (promise(name, 1, ledger.entropy),)
        first = draft(ledger, name, None, Head(), opening, (opened, *promised))
        ledger.writer.write(first.batch)
        keeper._took_effect(opening, first)
        return keeper

    @classmethod
    def resume(cls, ledger: Ledger, name: str) -> Keeper:
        """Go on exactly where the ledger ends, in the middle of a round if need be."""
        keeper = cls(ledger, name)
        keeper._load()
        return keeper

    # --- what there is to see -----------------------------------------------------------------

    @property
    def kept(self) -> Kept:
        assert self._kept is not None
        return self._kept

    @property
    def table(self) -> Table:
        return self.kept.table

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Be told every answer in order, once it is on the disk, whoever wrote it. Gives what ends
        it. What another process writes is told when this keeper next reads: see ``catch_up``."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    # --- commands -----------------------------------------------------------------------------

    def execute(
        self,
        request: Command,
        command_id: str,
        actor: str = "",
    ) -> Answer:
        """Judge and write; the answer comes when it is on the disk. ``actor`` says who asked,
        where that is more than the command's own ``by``."""
        said = asked(request, command_id, actor)
        with self._lock:
            ready = self._prepare(said)
            if isinstance(ready, Answer):
                return ready
            while True:
                try:
                    self.ledger.writer.write(ready.batch)
                except BaseException as error:
                    outcome = self._recovered(error, said, ready)
                    if isinstance(outcome, Answer):
                        return outcome
                    ready = outcome
                else:
                    return self._took_effect(said, ready)

    async def perform(
        self,
        request: Command,
        command_id: str,
        actor: str = "",
    ) -> Answer:
        """The same from an event loop, which goes on with other tables meanwhile. Whoever stops
        waiting does not stop a command that is being written."""
        said = asked(request, command_id, actor)
        await self._turn.acquire()
        try:
            ready = self._prepare(said)
        except BaseException:
            self._turn.release()
            raise
        if isinstance(ready, Answer):
            self._turn.release()
            return ready
        return await self._written(said, ready)

    def _written(self, asked: Asked, ready: Draft) -> asyncio.Future[Answer]:
        """Its answer, when it is on the disk; then it is the next one's turn."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()

        def submit(draft: Draft) -> None:
            self.ledger.writer.submit(draft.batch, partial(done, draft), loop)

        def done(draft: Draft, error: BaseException | None) -> None:
            try:
                if error is None:
                    outcome: Answer | Draft = self._took_effect(asked, draft)
                else:
                    outcome = self._recovered(error, asked, draft)
                if isinstance(outcome, Draft):
                    submit(outcome)
                    return
            except BaseException as trouble:
                self._turn.release()
                if not answered.done():
                    answered.set_exception(trouble)
            else:
                self._turn.release()
                if not answered.done():  # somebody waits still
                    answered.set_result(outcome)

        submit(ready)
        return answered

    def deal(self, *, close_bets: bool) -> Answer | None:
        """One act of the automatic dealer; None when it waits for a player."""
        command = self.dealer.next_command(self.table, close_bets=close_bets)
        if command is None:
            return None
        return self.execute(command, self.ledger.made_id("dealer"), "automatic dealer")

    def _order(self, cards: Sequence[Card]) -> Sequence[Card]:
        promised = self.kept.shuffles.promised
        if promised is None:
            raise Misuse(f"Table {self.name} takes its shuffles from real devices.")
        return read_exact(promised.order())

    def _cut(self) -> int:
        waiting = next(deck for deck in self.table.decks if deck.at is DeckAt.SHUFFLED)
        if waiting.colour not in self.kept.shuffles.lying:
            raise Misuse(f"Table {self.name} takes its cuts from real hands.")
        return self.kept.shuffles.lying[waiting.colour].cut()

    # --- before writing -----------------------------------------------------------------------

    def _prepare(self, asked: Asked) -> Answer | Draft:
        if self._stale:
            self._load()
        if asked.command_id in self._refusals and (known := self._known(asked)):
            return known
        kept = self._kept
        assert kept is not None
        answer = judge(kept, asked.request)
        if isinstance(answer, Refused):
            if self._behind():
                self._load()
                kept = self.kept
                answer = judge(kept, asked.request)
            if isinstance(answer, Refused):
                return self._known(asked) or self._refuse(asked, answer)
        return self._draft(asked, answer, self._refusals.rows())

    def _draft(
        self, asked: Asked, answer: Sequence[Happening], refusals: tuple[Remembered, ...]
    ) -> Draft:
        refused = self._refusals.head
        return draft(self.ledger, self.name, self.kept, self.head, asked, answer, refusals, refused)

    def _behind(self) -> bool:
        """Whether another keeper has written since; nobody is refused by what is past."""
        return self.written() > self.head.sequence

    def _known(self, asked: Asked) -> Answer | None:
        """The answer this command has had already. Nobody looks for it before it is judged: the
        store fences what was answered before, and that is rare."""
        command_id, sealer = asked.command_id, self.ledger.sealer
        found = self.ledger.store.find(self.name, command_id) or self._refusals.get(command_id)
        if found is None:
            return None
        if isinstance(found, Remembered):
            same = found.fingerprint == fingerprint(asked.request)
            refused = Refused(Refusal(found.code), sentence_of(found), found.clause)
            answer = Answer(command_id, refused=refused, actor=found.actor)
        else:
            same = sealer.request(found[0]) == asked.request
            answer = self._answer(found)
            if found[-1].sequence > self.head.sequence:  # another keeper has had it
                self._load()
        if not same:
            raise Misuse(f"The id {command_id!r} was given to another command before.")
        return answer

    # --- refusals -----------------------------------------------------------------------------

    def _refuse(self, asked: Asked, refused: Refused) -> Answer:
        """Remembered, and written with the next commit: a refusal need not wait for the disk. Of
        a flood only some are remembered, the others are counted."""
        now = self.ledger.clock()
        if self._refusals.admits(asked.actor, now):
            refusal = Remembered(
                table=self.name,
                command_id=asked.command_id,
                time=stamp(now, self.head.time),
                actor=asked.actor,
                command=type(asked.request).__name__,
                fingerprint=fingerprint(asked.request),
                code=refused.code,
                sentence="",
                clause=refused.clause,
            )
            self._refusals.add(refusal)
        return Answer(asked.command_id, refused=refused, actor=asked.actor)

    def remembers(self, command_id: str) -> Remembered | None:
        """The refusal of this command, if it waits to be written."""
        return self._refusals.get(command_id)

    def flush(self) -> None:
        """Write the refusals that wait, as before closing."""
        with self._lock:
            for left in reversed(range(TRIES)):
                rows = self._refusals.rows()
                if not rows:
                    return
                try:
                    self.ledger.writer.write(Batch(refusals=rows))
                except Fenced:  # another process has written refusals of this table
                    if not left:
                        raise
                    self._refusals.look(self.ledger.store, self.name)
                else:
                    self._refusals.written(rows)

    # --- after writing ------------------------------------------------------------------------

    def _took_effect(self, asked: Asked, written: Draft) -> Answer:
        first = self.head.sequence + 1
        answer = Answer(asked.command_id, written.happened, first, actor=asked.actor)
        self._refusals.written(written.batch.refusals)
        self._stands(answer, written.kept, written.head)
        return answer

    def _stands(self, answer: Answer, kept: Kept, head: Head) -> None:
        self._kept, self.head = kept, head
        for subscriber in tuple(self._subscribers):
            subscriber(answer, self.table)

    def _recovered(self, error: BaseException, asked: Asked, failed: Draft) -> Answer | Draft:
        """A write failed. The next command begins by reading; fenced off, we read at once, for
        the other writer may have had this very command. Where only refusals were in the way, the
        command is to be written without them."""
        self._stale = True
        if isinstance(error, Fenced):
            before = self.head
            self._load()
            if known := self._known(asked):
                return known
            if failed.batch.refusals and self.head == before:
                answer = judge(self.kept, asked.request)
                if not isinstance(answer, Refused):
                    return self._draft(asked, answer, ())
        raise error

    # --- reading ------------------------------------------------------------------------------

    async def catch_up(self, sequence: int) -> None:
        """Read what others have written, up to this entry at least."""
        async with self._turn:
            with self._catching_up():
                if self.head.sequence < sequence and (self._stale or not self._follow()):
                    self._load()

    def look(self, sequence: int) -> bool:
        """The same at once, but not for whoever is writing. Where it is far nobody is told, and
        this says so; where it is very far, it is read from the newest snapshot."""
        return not self._unread(sequence) or self._take(self._read_on(sequence))

    async def look_aside(self, sequence: int) -> bool:
        """The same from an event loop, which goes on while a thread reads."""
        if not self._unread(sequence):
            return True
        async with self._turn:
            return self._take(await asyncio.to_thread(self._read_on, sequence))

    def _unread(self, sequence: int) -> bool:
        return sequence > self.head.sequence and not self._turn.locked()

    def _read_on(self, sequence: int) -> list[Entry] | tuple[Kept, Head]:
        """The next entries or, where they are many, how the table stands behind them. Nothing is
        changed."""
        behind = sequence - self.head.sequence
        if behind <= NEAR and not self._stale:
            entries = list(self.ledger.store.read(self.name, self.head.sequence - 1))
            if entries and entries[0].hash == self.head.hash:
                return entries[1:]
        very_far = self._stale or behind > self.ledger.snapshot_every
        return self._folded(self._snapshot() if very_far else (self._kept, self.head))

    def _take(self, read: list[Entry] | tuple[Kept, Head]) -> bool:
        """Whether it was told."""
        if isinstance(read, tuple):
            self._kept, self.head = read
            return False
        with self._catching_up():
            self._tell(read)
        return True

    @contextmanager
    def _catching_up(self) -> Iterator[None]:
        self.catching_up = True
        try:
            yield
        finally:
            self.catching_up = False

    def written(self) -> int:
        """How far the table has come in the store."""
        head = self.ledger.store.head(self.name)
        return head.sequence if head else 0

    def _load(self) -> None:
        """All the store knows and we do not."""
        if not self._follow():
            self._kept, self.head = self._folded(self._snapshot())
        self._refusals.look(self.ledger.store, self.name)
        self.ledger.witnessed(self.name, self.head.sequence)
        self._stale = False

    def _follow(self) -> bool:
        """Go on from where we stand, and tell it; not if the store does not know that place."""
        if self._kept is None:
            return False
        entries = self.ledger.store.read(self.name, self.head.sequence - 1)
        if (here := next(entries, None)) is None or here.hash != self.head.hash:
            return False
        self._tell(entries)
        return True

    def _tell(self, entries: Iterable[Entry]) -> None:
        """The next entries."""
        for written in answers(chain.follow(entries, self.name, self.head)):
            answer, kept = self._answer(written), self.kept
            for happening in answer.events:
                kept = evolve(kept, happening)
            self._stands(answer, kept, Head.of(written[-1]))

    def _answer(self, written: Sequence[Entry]) -> Answer:
        first = written[0]
        events = tuple(map(self.ledger.sealer.happening, written))
        return Answer(first.command_id, events, first.sequence, actor=first.actor)

    def _folded(self, start: tuple[Kept | None, Head]) -> tuple[Kept, Head]:
        """The state from there and the entries behind it."""
        store, name = self.ledger.store, self.name
        kept, head = start
        for entry in chain.follow(store.read(name, head.sequence), name, head):
            kept = evolve(kept, self.ledger.sealer.happening(entry))
            head = Head.of(entry)
        if kept is None:
            raise Misuse(f"There is no table {name} in this ledger.")
        return kept, head

    def _snapshot(self) -> tuple[Kept | None, Head]:
        """The newest that can be read."""
        for each in self.ledger.store.snapshots(self.name):
            entry = self.ledger.store.entry(self.name, each.sequence)
            if entry is None or entry.hash != each.hash:
                raise chain.Broken(self.name, each.sequence, "a snapshot was taken of another")
            kept = snapshot.opened(self.ledger.sealer, each)
            if kept is not None:
                return kept, Head.of(entry)
        return None, Head()
