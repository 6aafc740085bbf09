"""The host of one table: it deals whenever the dealer can, runs the clocks, lets players act, and
tells everyone who watches what happened, each what that one may see."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict, deque
from contextlib import suppress
from typing import Protocol

from croupier.law.refused import Refused
from croupier.ledger import keeper
from croupier.ledger.entry import fingerprint, named
from croupier.ledger.keeper import Keeper
from croupier.ledger.kept import judge
from croupier.room import metrics, shown
from croupier.room.bank import Bank, price
from croupier.room.messages import Answer, Happened, No, Previewed, Shown, Told, command_of, no
from croupier.room.pace import Pace, to_decide
from croupier.room.roles import Role
from croupier.room.shown import Data, Moment
from croupier.table import commands as c
from croupier.table.refused import Refused as Ruled
from croupier.table.state import Position, Table

REMEMBERED = 500  # moments a client may have missed and still be told one by one
ANSWERS = 2_000  # remembered so that the same command gets the same answer
AFTER_TROUBLE = 1.0  # seconds before the dealer tries again

log = logging.getLogger("croupier.room")


class Viewer(Protocol):
    """Somebody who watches."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> Role: ...

    def tell(self, message: Told) -> None: ...


class TableHost:
    def __init__(self, kept_by: Keeper, bank: Bank, pace: Pace) -> None:
        self.keeper = kept_by
        self.bank = bank
        self.pace = pace
        self._viewers: set[Viewer] = set()
        self._recent: deque[Moment] = deque(maxlen=REMEMBERED)
        self._answers: OrderedDict[str, tuple[str, No | None]] = OrderedDict()
        self._actors: dict[str, str] = {}  # of the commands under way
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.keeper.subscribe(self._happened)
        self.pace.follow((), self.table, self._asked())

    @property
    def name(self) -> str:
        return self.keeper.name

    @property
    def table(self) -> Table:
        return self.keeper.table

    @property
    def version(self) -> int:
        return self.keeper.head.sequence

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"table {self.name}")

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self.keeper.flush()

    # --- who watches ----------------------------------------------------------------------------

    def watch(self, viewer: Viewer, after: int | None) -> None:
        """Tell how the table stands, or what was missed since a version, and go on telling."""
        self._viewers.add(viewer)
        missed = self._missed(after)
        if missed is None:
            viewer.tell(self._stands(viewer))
        else:
            for moment in missed:
                viewer.tell(self._told(moment, viewer))
        self._woken.set()

    def unwatch(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)
        self._woken.set()

    def present(self, name: str) -> bool:
        return any(viewer.name == name for viewer in self._viewers)

    def _missed(self, after: int | None) -> list[Moment] | None:
        """None where not all of it is remembered, or nobody ever told that version."""
        if after is None or after > self.version:
            return None
        missed = [moment for moment in self._recent if moment.since >= after]
        reaches = missed[0].since if missed else self.version
        return missed if reaches == after else None

    # --- what players and supervisors ask -------------------------------------------------------

    async def perform(self, do: Data, command_id: str, name: str, role: Role) -> Answer:
        """The answer comes when it is on the disk; the same id again gets the same answer."""
        try:
            request = command_of(do, role, name)
            said = fingerprint(request)
            async with self.bank.lock(name):
                if known := self._answers.get(command_id):
                    if known[0] != said:
                        raise Refused(f"The id {command_id!r} was given to another command before.")
                    return Answer(command_id, self.name, self.version, known[1])
                refused = await self._ask(request, command_id, name, role)
        except Refused as wrong:
            return Answer(command_id, self.name, self.version, no(wrong))
        self._answers[command_id] = (said, refused)
        if len(self._answers) > ANSWERS:
            self._answers.popitem(last=False)
        return Answer(command_id, self.name, self.version, refused)

    async def _ask(self, request: c.Command, command_id: str, name: str, role: Role) -> No | None:
        if price(request) and not self.keeper.ledger.store.find(self.name, command_id):
            try:
                self.bank.check(request)
            except Refused as short:
                return no(short)
        actor = "" if role is Role.PLAYER else f"{role} {name}"
        answer = await self._do(request, command_id, actor)
        return no(answer.refused) if answer.refused else None

    def preview(self, do: Data, command_id: str, name: str, role: Role) -> Previewed:
        try:
            ruled = judge(self.keeper.kept, command_of(do, role, name))
        except Refused as wrong:
            return Previewed(command_id, [], no(wrong))
        if isinstance(ruled, Ruled):
            return Previewed(command_id, [], no(ruled))
        return Previewed(command_id, shown.foreseen(ruled))

    def ready(self, name: str) -> None:
        if self.table.seats_of(name):
            self.pace.ready.add(name)
            self._woken.set()

    def pause(self) -> None:
        self.pace.pause()
        self._clocks_changed()

    def resume(self) -> None:
        self.pace.resume()
        self._clocks_changed()

    def _clocks_changed(self) -> None:
        for viewer in tuple(self._viewers):
            viewer.tell(self._stands(viewer))
        self._woken.set()

    # --- the dealer and the clocks --------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                if await self._act():
                    continue
            except Exception:  # such as a store that cannot write just now
                log.exception("table %s is in trouble", self.name)
                await asyncio.sleep(AFTER_TROUBLE)
                continue
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self.pace.wait())

    async def _act(self) -> bool:
        """One act of the house, if there is one to do."""
        table = self.table
        close = self.pace.closes(table, self.present)
        command: c.Command | None = self.keeper.dealer.next_command(table, close_bets=close)
        who, actor = "dealer", "automatic dealer"
        if command is None and (late := self.pace.late(table)):
            command, who = late, "clock"
            actor = f"system for {late.by.player}: time ran out"
        if command is None:
            return False
        answer = await self._do(command, f"{who} {secrets.token_hex(12)}", actor)
        if answer.refused and self.table is table:  # else somebody was quicker
            log.error("table %s refused the house: %s", self.name, answer.refused)
            await asyncio.sleep(AFTER_TROUBLE)
        return True

    async def _do(self, request: c.Command, command_id: str, actor: str) -> keeper.Answer:
        self._actors[command_id] = actor or named(request.by)
        try:
            with metrics.commands.time():
                answer = await self.keeper.perform(request, command_id, actor)
        finally:
            self._actors.pop(command_id, None)
        metrics.count(request, answer)
        self._woken.set()
        return answer

    def _asked(self) -> Position | None:
        """Who must decide now."""
        dealers = self.keeper.dealer.next_command(self.table, close_bets=False)
        return to_decide(self.table) if dealers is None else None

    # --- telling --------------------------------------------------------------------------------

    def _happened(self, answer: keeper.Answer, table: Table) -> None:
        """On the disk: remember it, and tell everyone."""
        self.bank.follow(answer.events)
        self.pace.follow(answer.events, table, self._asked())
        moment = Moment(
            answer.first - 1,
            self.version,
            self.keeper.head.time,
            self._actors.get(answer.command_id, ""),
            shown.lines(answer.events, answer.first),
            self.keeper.kept,
            self.pace.shown(),
        )
        self._recent.append(moment)
        for viewer in tuple(self._viewers):
            viewer.tell(self._told(moment, viewer))

    def _told(self, moment: Moment, viewer: Viewer) -> Happened:
        who = shown.actor_of(viewer.role, viewer.name)
        bank = self.bank.holds(viewer.name)
        return Happened(
            self.name,
            moment.since,
            moment.version,
            moment.time,
            moment.actor,
            moment.lines,
            shown.seen(moment.kept, moment.version, moment.clocks, who, bank),
            shown.possible(moment.kept, who),
            moment.clocks,
        )

    def _stands(self, viewer: Viewer) -> Shown:
        kept, clocks = self.keeper.kept, self.pace.shown()
        who = shown.actor_of(viewer.role, viewer.name)
        bank = self.bank.holds(viewer.name)
        return Shown(
            self.name,
            self.version,
            shown.seen(kept, self.version, clocks, who, bank),
            shown.possible(kept, who),
            clocks,
            shown.commitment(kept),
        )
