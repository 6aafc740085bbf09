"""The host of one table: it lets players act and tells everyone who watches what happened, each
what that one may see. Where this process owns the table it also deals whenever the dealer can, and
runs the clocks; elsewhere it follows what is written as soon as somebody wants to know."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress

from croupier.law.refused import Refused
from croupier.ledger import keeper
from croupier.ledger.entry import fingerprint
from croupier.ledger.keeper import Keeper
from croupier.ledger.kept import judge
from croupier.ledger.store import Fenced
from croupier.room import metrics, outage, shown
from croupier.room.attendance import Attendance
from croupier.room.bank import Bank, price
from croupier.room.door.roles import Role
from croupier.room.following import Following
from croupier.room.messages import Answer, No, Previewed, Shown, Viewer, command_of, no
from croupier.room.pace import Pace, to_decide
from croupier.room.recent import Answers, Moment, Recent
from croupier.room.shown import Data, Seen
from croupier.room.words import AnyWord, Clocks, Here, Others, Pause, Purse, Ready, Watched
from croupier.table import commands as c
from croupier.table.irregularities import device_of
from croupier.table.refused import Refused as Ruled
from croupier.table.state import Table

AFTER_TROUBLE = 1.0  # seconds before the dealer tries again
TRIES = 50  # at writing when others write at the same table

log = logging.getLogger("croupier.room")


class TableHost:
    def __init__(self, kept_by: Keeper, bank: Bank, pace: Pace, others: Others) -> None:
        self.keeper = kept_by
        self.bank = bank
        self.pace = pace
        self.others = others
        self.outage = outage.NEVER  # the room sets its own
        self.owned = False  # whether this process deals here
        self.following = Following(kept_by)
        self._here: list[str] = []  # who of the seated was last said to be here
        self._attendance = Attendance()
        self._turn = asyncio.Lock()  # nobody acts on what is about to change
        self._viewers: set[Viewer] = set()
        self._recent = Recent()
        self._answers = Answers()
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.keeper.subscribe(self._happened)
        self._begin()

    def _begin(self) -> None:
        """From how the table stands, whatever happened before."""
        self._recent.clear()
        self.pace.begin(self.table, to_decide(self.table) if self._at_rest else None)

    @property
    def name(self) -> str:
        return self.keeper.name

    @property
    def table(self) -> Table:
        return self.keeper.table

    @property
    def version(self) -> int:
        return self.keeper.head.sequence

    @property
    def _closed(self) -> bool:
        """No more bets."""
        return self.table.round is not None and self.table.now.closed

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
        if not self.follows:
            self.others.say(Watched(self.others.me, self.name))
        self._viewers.add(viewer)
        missed = self._recent.since(after, self.version)
        if missed is None:
            viewer.tell(self._stands(viewer))
        else:
            for moment in missed:
                self._tell(moment, (viewer,))
        self._woken.set()

    def unwatch(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)
        self._woken.set()

    def present(self, name: str) -> bool:
        """Whether somebody watches, here or at another process."""
        here = any(viewer.name == name for viewer in self._viewers)
        return here or self._attendance.elsewhere(name)

    # --- other processes ------------------------------------------------------------------------

    def own(self, owned: bool) -> None:
        """Whoever takes over looks for what the last owner wrote and told nobody, and tells it;
        whoever lets go says how the clocks stand."""
        if owned == self.owned:
            return
        if owned:
            written = self.following.ask()
            self.look()
            self.others.wrote(self.name, written)
        else:
            self.others.say(self.clocks())
        self.owned = owned
        self._woken.set()

    def clocks(self) -> Clocks:
        return Clocks(self.others.me, self.name, self.version, self.pace.stand())

    @property
    def follows(self) -> bool:
        """Whether everything is told here as it happens; else it is read when somebody asks."""
        return self.owned or bool(self._viewers)

    async def wrote(self, version: int) -> None:
        """Others have written so far."""
        self.following.heard(version)
        if self.follows:
            await self._catch_up()

    async def _catch_up(self) -> None:
        async with self._turn:
            await self.following.catch_up()
        self._woken.set()

    def look(self) -> None:
        """Somebody asks: what nobody here was told of is read now."""
        unread = self.following.behind and not self.follows and not self._turn.locked()
        if unread and not self.following.look():
            self.bank.forget()
            self._begin()

    def here(self) -> list[str]:
        """Who of the seated watches at this process."""
        return sorted({viewer.name for viewer in self._viewers} & set(self.table.seats))

    def forget(self, process: str) -> None:
        """It is gone."""
        self._attendance.gone(process)
        self._woken.set()

    def hear(self, word: AnyWord) -> None:
        """What another process, or this one, says about this table."""
        match word:
            case Here():
                self._attendance.heard(word.by, word.names)
            case Ready() if word.rounds == self.table.rounds and not self._closed:
                self.pace.ready.add(word.name)
            case Pause():
                self.pace.stops_at = word.at
                (self.pace.pause if word.paused else self.pace.resume)()
                self._clocks_changed()
            case Purse():
                self.bank.forget(word.name)
            case Watched() if self.owned:
                self.others.say(self.clocks())
            case Clocks():
                self.following.heard(word.version)
                self.look()
                current = self.version == word.version  # else something has happened since
                if current and self.pace.take_over(word.stand):
                    self._clocks_changed()
        self._woken.set()

    def _say(self, word: AnyWord) -> None:
        self.hear(word)
        self.others.say(word)

    # --- what players and supervisors ask -------------------------------------------------------

    async def perform(self, do: Data, command_id: str, name: str, role: Role) -> Answer:
        """The answer comes when it is on the disk; the same id again gets the same answer."""
        try:
            request = command_of(do, role, name)
            said = fingerprint(request)
            async with self.bank.lock(name):
                if self._answers.knows(command_id, said):
                    refused = self._answers.of(command_id)
                else:
                    refused = await self._ask(request, command_id, name, role)
                    self._answers.add(command_id, said, refused)
        except Refused as wrong:
            refused = outage.refusal(wrong)
        return Answer(command_id, self.name, self.version, refused)

    async def _ask(self, request: c.Command, command_id: str, name: str, role: Role) -> No | None:
        if price(request):
            return await asyncio.shield(self._buy(request, command_id, name))
        actor = "" if role is Role.PLAYER else f"{role} {name}"
        answer = await self._do(request, command_id, actor)
        return no(answer.refused) if answer.refused else None

    async def _buy(self, request: c.Command, command_id: str, name: str) -> No | None:
        async with self.others.spending(name):
            if not self.keeper.ledger.store.find(self.name, command_id):
                try:
                    self.bank.check(request)
                except Refused as short:
                    return no(short)
            answer = await self._do(request, command_id)
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
        if self.table.seats_of(name) and not self._closed:
            self._say(Ready(self.others.me, self.name, name, self.table.rounds))

    def pause(self, at: str = "") -> None:
        """Now, or when a device is about to work: else nobody were quick enough to see it jam."""
        self._say(Pause(self.others.me, self.name, self.pace.paused or not at, at))

    def resume(self) -> None:
        self._say(Pause(self.others.me, self.name, False))

    def _clocks_changed(self) -> None:
        for viewer in tuple(self._viewers):
            viewer.tell(self._stands(viewer))

    # --- the dealer and the clocks --------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                self._attend()
                if self.owned and self.following.behind:
                    await self._catch_up()
                if self.owned and await self._act():
                    continue
            except Exception as error:
                await self.outage.recover(self.name, error)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(self._wait()):
                    await self._woken.wait()

    def _wait(self) -> float | None:
        """Until a clock runs out, or another process's word on who is there."""
        waits = (self.pace.wait() if self.owned else None, self._attendance.wait())
        return min((each for each in waits if each is not None), default=None)

    def _attend(self) -> None:
        """See who is there, and tell the other processes."""
        self.pace.attend(self.table, self.present)
        if (here := self.here()) != self._here:
            self._here = here
            self.others.say(Here(self.others.me, self.name, here))

    async def _act(self) -> bool:
        """One act of the house, if there is one to do."""
        async with self._turn:
            table = self.table
            command, who, actor = self._due()
            if command is None:
                return False
            try:
                answer = await self._perform(command, self.keeper.ledger.made_id(who), actor)
            except Fenced:
                return True
        if answer.refused and self.table is table:  # else another process was quicker
            log.error("table %s refused the house: %s", self.name, answer.refused)
            await asyncio.sleep(AFTER_TROUBLE)
        return True

    def _due(self) -> tuple[c.Command | None, str, str]:
        """What the house has to do, and in whose name."""
        table = self.table
        close = self.pace.closes(table, self.present)
        if command := self.keeper.dealer.next_command(table, close_bets=close):
            if self._stops(device_of(table, command)):
                return None, "", ""
            return command, "dealer", "automatic dealer"
        if late := self.pace.late(table):
            return late, "clock", f"system for {late.by.player}: time ran out"
        if left := self.pace.absent(table):
            return left, "clock", f"system for {left.by.player}: absent"
        return None, "", ""

    def _stops(self, device: str) -> bool:
        """Whether the table stands still before this device works."""
        stops = bool(device) and device == self.pace.stops_at
        if stops and not self.pace.paused:
            self._say(Pause(self.others.me, self.name, True, device))
        return stops

    async def _do(self, request: c.Command, command_id: str, actor: str = "") -> keeper.Answer:
        """As a player or supervisor asks; where another process was quicker, judged again."""
        for left in reversed(range(TRIES)):
            try:
                async with self._turn:
                    answer = await self._perform(request, command_id, actor)
                break
            except Fenced:
                if not left:
                    raise
        self._woken.set()
        return answer

    async def _perform(self, request: c.Command, command_id: str, actor: str) -> keeper.Answer:
        with metrics.commands.time():
            answer = await self.keeper.perform(request, command_id, actor)
        metrics.count(request, answer)
        return answer

    @property
    def _at_rest(self) -> bool:
        """Whether the dealer waits for somebody."""
        return self.keeper.dealer.next_command(self.table, close_bets=False) is None

    # --- telling --------------------------------------------------------------------------------

    def _happened(self, answer: keeper.Answer, table: Table) -> None:
        """On the disk: remember it, and tell everyone."""
        self._attendance.follow(answer.events)
        moved = self.bank.follow(answer.events)
        if not self.keeper.catching_up:
            self.others.wrote(self.name, self.version)
            for player in moved:
                self.others.say(Purse(self.others.me, self.name, player))
        at_rest = self._at_rest
        self.pace.follow(answer.events, table, to_decide(table) if at_rest else None)
        moment = Moment(
            answer.first - 1,
            self.version,
            self.keeper.head.time,
            answer.actor,
            shown.lines(answer.events, answer.first),
            self.keeper.kept,
            self.pace.shown(),
            at_rest,
        )
        self._recent.add(moment)
        self._tell(moment, tuple(self._viewers))

    def _tell(self, moment: Moment, viewers: Iterable[Viewer]) -> None:
        """All who have no seat see the same, which is drawn once."""
        table = moment.kept.table
        alike: dict[bool, Seen] = {}
        for viewer in viewers:
            who = shown.actor_of(viewer.role, viewer.name)
            if table.seats_of(viewer.name):
                seen = self._seen(moment, who)
            else:
                player = viewer.role is Role.PLAYER
                if player not in alike:
                    alike[player] = self._seen(moment, who)
                seen = alike[player]
            bank = self.bank.holds(viewer.name)
            yours = shown.yours(seen.view, table, viewer.name, bank)
            viewer.tell(moment.told(self.name, yours, seen.options))

    def _seen(self, moment: Moment, who: c.Actor) -> Seen:
        return shown.seen(moment.kept, moment.version, moment.clocks, who, asked=moment.at_rest)

    def _stands(self, viewer: Viewer) -> Shown:
        kept, clocks = self.keeper.kept, self.pace.shown()
        seen = shown.seen(kept, self.version, clocks, shown.actor_of(viewer.role, viewer.name))
        bank = self.bank.holds(viewer.name)
        return Shown(
            self.name,
            self.version,
            shown.yours(seen.view, kept.table, viewer.name, bank),
            seen.options,
            clocks,
            shown.commitment(kept),
        )
