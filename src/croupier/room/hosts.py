"""The host of one table. It passes commands to the keeper and tells every viewer what happened,
each what that one may see. Where this process owns the table, it also deals whenever the dealer
can and runs the clocks; elsewhere it follows what is written as soon as somebody asks.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger import keeper
from croupier.ledger.administration import AdminEvent, TablePaused, TableResumed
from croupier.ledger.entry import fingerprint
from croupier.ledger.keeper import Keeper
from croupier.ledger.kept import judge
from croupier.ledger.store import Fenced, StoreTrouble
from croupier.room import metrics, outage, shown
from croupier.room import words as w
from croupier.room.attendance import Attendance
from croupier.room.audience import Audience
from croupier.room.bank import Bank, price
from croupier.room.door.roles import Role
from croupier.room.following import Following
from croupier.room.messages import Answer, No, Previewed, Viewer, command_of, no
from croupier.room.pace import Now, Pace, dealt, house_choice, to_decide
from croupier.room.recent import Answers, Moment, Recent
from croupier.room.shown import Data
from croupier.room.troubles import UNKNOWN, Repeated
from croupier.room.words import AnyWord, Clocks, Here, Others, Pause, Purse, Ready, Watched
from croupier.table import commands as c
from croupier.table.irregularities import device_of
from croupier.table.refused import Refused as Ruled
from croupier.table.state import Table

AFTER_TROUBLE = 1.0  # seconds before the dealer tries again
LONGEST_TROUBLE = 60.0  # the same when it was refused many times
STUCK = 3  # refusals in a row after which viewers are told
MOST_PAUSES, WITHIN = 10, 60.0  # seconds; each pause is an entry of the administration chain
UNUSED_SECONDS = 30 * 60  # after which a player's table without players and viewers is closed
TRIES = 50  # at writing when other processes write at the same table

log = logging.getLogger("croupier.room")

Record = Callable[[str, AdminEvent], Awaitable[None]]


async def _unrecorded(by: str, event: AdminEvent) -> None:
    """For a host without a room."""


class Closing(Struct, frozen=True):
    """Who closes the table, and why."""

    by: str
    reason: str


class Due(Struct, frozen=True):
    """An act of the house: the command, the prefix of its id, and the actor in the ledger."""

    command: c.Command
    prefix: str
    actor: str


class TableHost:
    """``players_own`` is whether a player opened the table; such a table closes when unused."""

    def __init__(
        self,
        kept_by: Keeper,
        bank: Bank,
        pace: Pace,
        others: Others,
        *,
        players_own: bool = False,
        record: Record = _unrecorded,
        now: Now = monotonic,
    ) -> None:
        self.keeper = kept_by
        self.bank = bank
        self.pace = pace
        self.others = others
        self.players_own = players_own
        self.outage = outage.NEVER  # the room sets its own
        self.owned = False  # whether this process deals here
        self.following = Following(kept_by)
        self.closing: Closing | None = None
        self.gone = asyncio.Event()  # set when the table is closed and no longer hosted
        self.on_closed: Callable[[TableHost, bool], None] = lambda host, here: None
        self.stuck = ""  # why the automatic dealer cannot go on
        self._record = record
        self._now = now
        self._unused: float | None = None  # since when nobody is here
        self._pauses: deque[float] = deque(maxlen=MOST_PAUSES)  # when it was paused or resumed
        self._refused = 0  # acts of the dealer, in a row
        self._try_again = 0.0  # when the dealer tries again
        self._repeated = Repeated()
        self._failing = Repeated()  # acts of the house, until one succeeds
        self._here: list[str] = []  # the seated players last announced as connected here
        self._attendance = Attendance()
        self._turn = asyncio.Lock()  # held while the table may change
        self._looking = asyncio.Lock()  # held while what others wrote is read
        self.audience = Audience(kept_by, bank, self.clocks_shown)
        self._recent = Recent()
        self._answers = Answers()
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.keeper.subscribe(self._happened)
        self._begin()

    def _begin(self) -> None:
        """Start from the table's state, without its history."""
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

    def clocks_shown(self) -> Data:
        notice = self.stuck
        if self.closing:
            notice = "This table closes when no round is in play."
        return {**self.pace.shown(), "notice": notice}

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"table {self.name}")

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await asyncio.to_thread(self.keeper.flush)

    # --- who watches ----------------------------------------------------------------------------

    def watch(self, viewer: Viewer, after: int | None) -> None:
        """Tell how the table stands, or what was missed since a version, and go on telling."""
        if not self.follows:
            self.others.say(Watched(self.others.me, self.name))
        self.audience.add(viewer)
        missed = self._recent.since(after, self.version)
        if missed is None:
            self.audience.tell_state((viewer,))
        else:
            for moment in missed:
                self.audience.tell(moment, (viewer,))
        self._woken.set()

    def unwatch(self, viewer: Viewer) -> None:
        self.audience.remove(viewer)
        self._woken.set()

    def present(self, name: str) -> bool:
        """Whether somebody watches, here or at another process."""
        return name in self.audience or self._attendance.elsewhere(name)

    # --- other processes ------------------------------------------------------------------------

    def own(self, owned: bool) -> None:
        """On taking over, read and announce what the last owner wrote without announcing it; on
        letting go, say how the clocks stand."""
        if owned == self.owned:
            return
        if owned:
            # On the event loop, because the dealer may act as soon as this returns. It is little:
            # a table seldom changes hands, and every process reads what is behind each second.
            written = self.following.ask()
            if self._unread:
                self._looked(told=self.following.look())
            self.others.wrote(self.name, written)
        else:
            self.others.say(self.clocks())
        self._unused = None
        self.owned = owned
        self._woken.set()

    def clocks(self) -> Clocks:
        return Clocks(self.others.me, self.name, self.version, self.pace.stand())

    @property
    def follows(self) -> bool:
        """Whether everything is told here as it happens; else it is read when somebody asks."""
        return self.owned or bool(self.audience)

    async def wrote(self, version: int) -> None:
        """Others have written so far."""
        self.following.heard(version)
        if self.follows:
            await self._catch_up()

    async def _catch_up(self) -> None:
        async with self._turn:
            await self.following.catch_up()
        self._woken.set()

    async def look(self) -> None:
        """Somebody asks: what nobody here was told of is read now, in a thread. Whoever asks
        meanwhile waits for it."""
        if not self.following.behind:
            return
        async with self._looking:
            if self._unread:
                async with self._turn:
                    self._looked(told=await self.following.look_aside())

    @property
    def _unread(self) -> bool:
        return self.following.behind and not self.follows and not self._turn.locked()

    def _looked(self, *, told: bool) -> None:
        if told:
            return
        self.bank.forget()
        self._begin()
        self.audience.tell_state()  # to whoever came while it was read
        if self.table.closed:
            self.on_closed(self, False)

    def here(self) -> list[str]:
        """The seated players who watch at this process."""
        return sorted(self.audience.names & set(self.table.seats))

    def forget(self, process: str) -> None:
        """It is gone."""
        self._attendance.gone(process)
        self._woken.set()

    async def told(self, word: AnyWord) -> None:
        """What another process says about this table."""
        if isinstance(word, Clocks):  # which count for the table at that version
            self.following.heard(word.version)
            await self.look()
        self.hear(word)

    def hear(self, word: AnyWord) -> None:
        """What another process, or this one, says about this table."""
        match word:
            case Here():
                self._attendance.heard(word.by, word.names, word.watching)
            case Ready() if word.rounds == self.table.rounds and not dealt(self.table):
                self.pace.ready.add(word.name)
            case Pause():
                self.pace.stops_at = word.at
                (self.pace.pause if word.paused else self.pace.resume)()
                self.audience.tell_state()
            case Purse():
                self.bank.refresh(word.name)
            case w.Closing():
                self._close(Closing(word.who, word.reason))
            case Watched() if self.owned:
                self.others.say(self.clocks())
            case Clocks():
                current = self.version == word.version  # else something has happened since
                if current and self.pace.take_over(word.stand):
                    self.audience.tell_state()
        self._woken.set()

    def _say(self, word: AnyWord) -> None:
        self.hear(word)
        self.others.say(word)

    # --- what players and supervisors ask -------------------------------------------------------

    async def perform(self, do: Data, command_id: str, name: str, role: Role) -> Answer:
        """The answer comes when the command is on the disk; the same id gets the same answer."""

        async def ask() -> No | None:
            if price(request):
                return await asyncio.shield(self._buy(request, command_id, name))
            return await self._do(lambda: (request, actor), command_id)

        actor = "" if role is Role.PLAYER else f"{role} {name}"
        try:
            request = command_of(do, role, name)
        except Refused as wrong:
            return Answer(command_id, self.name, self.version, no(wrong))
        return await self._answer(command_id, fingerprint(request), name, ask)

    async def act_for(self, seat: int, command_id: str, by: str) -> Answer:
        """Do for a stalled seat what the clock would do; between rounds, free the seat."""

        def act() -> tuple[c.Command, str]:
            command = self._stalled(seat)
            return command, f"{by} for {command.by.player}"

        return await self._answer(command_id, f"act {seat}", by, lambda: self._do(act, command_id))

    def _stalled(self, seat: int) -> c.Command:
        table = self.table
        if not 1 <= seat <= len(table.seats) or not table.seats[seat - 1]:
            raise Refused(f"Nobody sits at seat {seat}.", code="NO_SUCH_SEAT")
        waiting = to_decide(table) if self._at_rest else None
        if waiting and waiting.seat == seat and (choice := house_choice(table, seat)):
            return choice
        if table.position(seat) is None:
            return c.StandUp(c.player(table.seats[seat - 1]), seat)
        raise Refused(f"Seat {seat} has nothing to decide now.", code="NOTHING_TO_DECIDE")

    async def _answer(
        self, command_id: str, said: str, whose: str, ask: Callable[[], Awaitable[No | None]]
    ) -> Answer:
        """Only an outcome that is certain is remembered, and only that is called a refusal."""
        try:
            async with self.bank.lock(whose):
                if self._answers.knows(command_id, said):
                    refused = self._answers.of(command_id)
                else:
                    refused = await ask()
                    self._answers.add(command_id, said, refused)
        except Refused as wrong:
            refused = outage.refusal(wrong)
        except Exception as trouble:
            self._log("a command's outcome is unknown", trouble)
            refused = no(UNKNOWN)
        return Answer(command_id, self.name, self.version, refused)

    async def _buy(self, request: c.Command, command_id: str, name: str) -> No | None:
        async with self.others.spending(name):
            store = self.keeper.ledger.store
            if not await asyncio.to_thread(store.find, self.name, command_id):
                try:
                    await asyncio.to_thread(self.bank.check, request)
                except Refused as short:
                    if short.code != "NOT_ENOUGH_CHIPS":
                        raise
                    return no(short)
            return await self._do(lambda: (request, ""), command_id)

    def preview(self, do: Data, command_id: str, name: str, role: Role) -> Previewed:
        try:
            ruled = judge(self.keeper.kept, command_of(do, role, name))
        except Refused as wrong:
            return Previewed(command_id, [], no(wrong))
        if isinstance(ruled, Ruled):
            return Previewed(command_id, [], no(ruled))
        return Previewed(command_id, shown.foreseen(ruled))

    def ready(self, name: str) -> None:
        if self.table.seats_of(name) and not dealt(self.table):
            self._say(Ready(self.others.me, self.name, name, self.table.rounds))

    async def pause(self, by: str, at: str = "") -> None:
        """Pause now, or the next time a device is about to run: a jam is over before anybody could
        press a button."""
        if (self.pace.paused and not at) or (at and self.pace.stops_at == at):
            return
        await self._pausing(by, TablePaused(self.name, at))
        self._say(Pause(self.others.me, self.name, self.pace.paused or not at, at))

    async def resume(self, by: str) -> None:
        if not self.pace.paused and not self.pace.stops_at:
            return
        await self._pausing(by, TableResumed(self.name))
        self._say(Pause(self.others.me, self.name, False))

    async def _pausing(self, by: str, event: AdminEvent) -> None:
        if len(self._pauses) == MOST_PAUSES and self._now() < self._pauses[0] + WITHIN:
            sentence = "This table was paused and resumed too often. Wait a minute."
            raise Refused(sentence, code="TOO_OFTEN")
        self._pauses.append(self._now())
        await self._record(by, event)

    def close(self, by: str, reason: str) -> None:
        """Close the table when no round is in play. The owner does it."""
        self._say(w.Closing(self.others.me, self.name, by, reason))

    def _close(self, closing: Closing) -> None:
        if self.closing is None:
            self.closing = closing
            self.audience.tell_state()

    # --- the dealer and the clocks --------------------------------------------------------------

    async def _run(self) -> None:
        while not self.table.closed:
            self._woken.clear()
            try:
                self._attend()
                if self.owned and self.following.behind:
                    await self._catch_up()
                acted = self.owned and await self._act()
            except StoreTrouble as trouble:
                await self.outage.recover(self.name, trouble)
                continue
            except Exception as trouble:
                if self._failing.worth_a_line(type(trouble).__name__):
                    log.error("table %s: the house cannot act", self.name, exc_info=trouble)
                await asyncio.sleep(AFTER_TROUBLE)
                continue
            self._failing.over()
            if not acted:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._wait()):
                        await self._woken.wait()

    def _wait(self) -> float | None:
        """Seconds until a clock runs out, or the word of another process on who is there does."""
        waits = [self._attendance.wait()]
        if self.owned:
            waits.append(self.pace.wait())
            if self._refused:
                waits.append(max(0.0, self._try_again - self._now()))
            waits.append(self._closes_in())
        return min((each for each in waits if each is not None), default=None)

    def _attend(self) -> None:
        """Note who is here, and tell the other processes."""
        if self.pace.attend(self.table, self.present):
            self.audience.tell_state()
            if self.owned:
                self.others.say(self.clocks())
        if (here := self.here()) != self._here:
            self._here = here
            self.others.say(Here(self.others.me, self.name, here, len(self.audience)))
        used = any(self.table.seats) or self.audience or self._attendance.watched_elsewhere()
        self._unused = None if used else self._now() if self._unused is None else self._unused

    def _closes_in(self) -> float | None:
        """Seconds until the table closes because nobody uses it; only players' tables do."""
        if self._unused is None or not self.players_own or self.closing:
            return None
        return max(0.0, self._unused + UNUSED_SECONDS - self._now())

    async def _act(self) -> bool:
        """Do one act of the house, if one is due."""
        if self._refused and self._now() < self._try_again:
            return False
        async with self._turn:
            table = self.table
            if (due := self._due()) is None:
                return False
            try:
                command_id = self.keeper.ledger.made_id(due.prefix)
                answer = await self._perform(due.command, command_id, due.actor)
            except Fenced:
                return True
        if answer.refused and self.table is table:  # else another process was quicker
            self._refuse(answer.refused)
        return True

    def _refuse(self, ruled: Ruled) -> None:
        """The table refused the house. Try again more and more seldom, and tell the viewers."""
        self._refused += 1
        wait = min(LONGEST_TROUBLE, AFTER_TROUBLE * 2 ** min(self._refused - 1, 10))
        self._try_again = self._now() + wait
        if self._refused.bit_count() == 1:  # the first, the second, the fourth and so on
            log.error("table %s refused the house: %s", self.name, ruled)
        if self._refused == STUCK:
            self.stuck = f"The table waits for the floor: {ruled.sentence}"
            self.audience.tell_state()

    def _due(self) -> Due | None:
        """What the house has to do now."""
        table = self.table
        if self._closes_in() == 0:
            self.close("system", "unused")
        if self.closing and (command := _towards_closing(table)):
            player = command.by.player
            by = f"{self.closing.by} for {player}" if player else self.closing.by
            return Due(command, "close", by)
        close = self.pace.closes(table, self.present)
        if command := self.keeper.dealer.next_command(table, close_bets=close):
            if self._stops(device_of(table, command)):
                return None
            return Due(command, "dealer", "automatic dealer")
        for command, why in (
            (self.pace.late(table), "time ran out"),
            (self.pace.absent(table), "absent"),
            (self.pace.idle(table), "no wager for a long time"),
        ):
            if command:
                return Due(command, "clock", f"system for {command.by.player}: {why}")
        return None

    def _stops(self, device: str) -> bool:
        """Whether the table is to pause before this device runs."""
        stops = bool(device) and device == self.pace.stops_at
        if stops and not self.pace.paused:
            self._say(Pause(self.others.me, self.name, True, device))
        return stops

    async def _do(self, make: Callable[[], tuple[c.Command, str]], command_id: str) -> No | None:
        """Perform a command, with its actor, as somebody asks. Where another process was quicker,
        it is made and judged again."""
        for left in reversed(range(TRIES)):
            try:
                async with self._turn:
                    request, actor = make()
                    answer = await self._perform(request, command_id, actor)
                break
            except Fenced:
                if not left:
                    raise
        self._woken.set()
        return no(answer.refused) if answer.refused else None

    async def _perform(self, request: c.Command, command_id: str, actor: str) -> keeper.Answer:
        with metrics.commands.time():
            answer = await self.keeper.perform(request, command_id, actor)
        metrics.count(request, answer)
        return answer

    @property
    def _at_rest(self) -> bool:
        """Whether the dealer waits for a player."""
        return self.keeper.dealer.next_command(self.table, close_bets=False) is None

    # --- telling --------------------------------------------------------------------------------

    def _happened(self, answer: keeper.Answer, table: Table) -> None:
        """The command is on the disk: whatever fails here must not look like a refusal of it."""
        try:
            moment = self._follow(answer, table)
        except Exception as trouble:
            self._log("an event could not be followed", trouble)
            self._recent.clear()  # viewers notice the gap and ask for the table
            return
        self._recent.add(moment)
        self.audience.tell(moment)
        if table.closed:
            self.on_closed(self, not self.keeper.catching_up)

    def _follow(self, answer: keeper.Answer, table: Table) -> Moment:
        self._refused, self.stuck = 0, ""
        self._attendance.follow(answer.events)
        here = not self.keeper.catching_up
        moved = self.bank.follow(answer.events, written_here=here)
        if here:
            self.others.wrote(self.name, self.version)
            for player in moved:
                self.others.say(Purse(self.others.me, self.name, player))
        at_rest = self._at_rest
        self.pace.attend(table, self.present)
        self.pace.follow(answer.events, table, to_decide(table) if at_rest else None)
        return Moment(
            answer.first - 1,
            self.version,
            self.keeper.head.time,
            answer.actor,
            shown.lines(answer.events, answer.first),
            self.keeper.kept,
            self.clocks_shown(),
            at_rest,
        )

    def _log(self, what: str, trouble: Exception) -> None:
        if self._repeated.worth_a_line(f"{what} {type(trouble).__name__}"):
            log.error("table %s: %s", self.name, what, exc_info=trouble)


def _towards_closing(table: Table) -> c.Command | None:
    """The next step to close the table: wagers go back, players stand up, the table closes. None
    while a round is in play."""
    if dealt(table) or table.closed:
        return None
    for seat, name in enumerate(table.seats, 1):
        if name and table.position(seat):
            return c.TakeBackWagers(c.player(name), seat)
    for seat, name in enumerate(table.seats, 1):
        if name:
            return c.StandUp(c.player(name), seat)
    return c.CloseTable(c.SUPERVISOR)
