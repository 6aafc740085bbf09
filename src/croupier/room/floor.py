"""The room: its ledger, its people, and a host for every open table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import count, islice
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.cards.quick import load
from croupier.games.registry import RULEBOOKS
from croupier.house.check import check
from croupier.house.printed import printed_only
from croupier.house.submission import House, Malformed, read_data
from croupier.law.refused import Refused
from croupier.ledger.administration import AdminEvent, Administration
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import POSTGRES, Ledger
from croupier.ledger.sql import SqlStore
from croupier.ledger.store import StoreTrouble
from croupier.room import metrics
from croupier.room.api.people import Seat, Standing
from croupier.room.bank import Bank
from croupier.room.connections import Connections
from croupier.room.door.people import People
from croupier.room.door.register import Register, open_register
from croupier.room.door.sessions import Session, Sessions
from croupier.room.hosts import Closing, TableHost
from croupier.room.outage import Outage, probe_of
from croupier.room.owners import Alone, Lock
from croupier.room.pace import Now, Pace
from croupier.room.plans import Planned, Plans
from croupier.room.settings import Settings
from croupier.room.study.study import Study, limits_for
from croupier.room.words import Closed, Named, Pause
from croupier.rules.money import Cents, dollars

if TYPE_CHECKING:
    from croupier.room.neighbours import Neighbours  # not every system has what it needs

INVENTORY = dollars(100_000)
LONGEST_NAME = 64  # of a house
NAME_TRIES = 1_000  # numbers tried for a table without a name
CLOSING_SECONDS = 5.0  # that a request to close a table waits for it
ROOM = "room"  # who does what the room does by itself
A_LITTLE = 0.02  # seconds that listing the tables may spend on reading

log = logging.getLogger("croupier.room")


class Room:
    """``among`` are the other processes on this machine that serve it."""

    def __init__(
        self, settings: Settings, among: Neighbours | None = None, *, now: Now = monotonic
    ) -> None:
        self.settings = settings
        settings.make_data()
        where = settings.where
        shared = where.startswith(POSTGRES)
        self._now = now
        self._lock = None if shared or among else Lock(settings.file(".lock"))
        self.register = open_register(where, queue=among is not None)
        self.owners = among or (_shared(where, self.register) if shared else Alone())
        self.hosts: dict[str, TableHost] = {}
        self.connections = Connections()
        self._stopped: set[str] = set()  # tables whose clocks stand still for want of the store
        self.study = Study(limits_for(settings.processes))
        self._plans: dict[str, Planned] = {}  # of the tables hosted
        self._addresses: dict[str, str] = {}  # from where the players' tables were opened
        self._closed: set[str] = set()  # ids of closed tables
        self._paused: dict[str, str] = {}  # tables that were paused when the room stopped
        self._retiring: set[asyncio.Task[None]] = set()
        with self.owners.opening():
            self.ledger = Ledger.at(
                where, beside=settings.beside, group=True, queue=among is not None
            )
            for each in settings.witnesses:
                self.ledger.also_tell(each)
            self.outage = Outage(probe_of(self.register))
            for store in (self.register, self.ledger.store):
                if isinstance(store, SqlStore):
                    store.on_trouble = self.outage.failed
            self.register.witness = self.ledger.witness
            self.administration = Administration(
                self.register,
                self.ledger.keys,
                clock=self.ledger.clock,
                entropy=self.ledger.entropy,
            )
            self.people = People(self.register, self.administration)
            self.sessions = Sessions(self.register)
            self.plans = Plans(self.register, self.administration)
            self.bank = Bank(self.people.granted, self.ledger.store.taken)
            self.bank.changed = self._balance_changed
            self.password = self.people.first_start()  # the owner's, told once
            self._keepers = self._kept()

    # --- from start to stop ---------------------------------------------------------------------

    def _kept(self) -> list[Keeper]:
        """The open tables; a new room gets one for each rulebook."""
        history = self.plans.history()
        names = self.ledger.store.tables()
        keepers = [
            Keeper.resume(self.ledger, name) for name in names if name not in history.delisted
        ]
        for book in () if names else RULEBOOKS:
            house = read_data({"rulebook": book})
            name = next(_names(house.game.alias, [each.name for each in keepers]))
            keepers.append(Keeper.open(self.ledger, name, dict(house.source), INVENTORY))
        found = {each.name: each.table.closed for each in keepers}
        self.plans.adopt(found, self._first_hash, self._usual, ROOM)
        self._plans = self.plans.all()
        self._paused = history.paused
        self._closed = set(history.delisted) | {name for name, closed in found.items() if closed}
        return [each for each in keepers if not each.table.closed]

    def _first_hash(self, name: str) -> str:
        first = self.ledger.store.entry(name, 1)
        assert first
        return first.hash

    def start(self) -> None:
        load()  # or the first showdown waits for it
        for keeper in self._keepers:
            host = self._host(keeper, self._plans.get(keeper.name))
            if host.players_own and printed_only(host.table.house):  # of an older version
                host.closing = Closing(ROOM, "Tables opened by players use printed pay tables.")
        self._keepers = []
        self.owners.start(self)
        loop = asyncio.get_running_loop()
        self.outage.on_change = lambda: loop.call_soon_threadsafe(self._store_changed)

    def _store_changed(self) -> None:
        """Clocks stand still while the store is away, because nobody can act."""
        for host in self.hosts.values():
            if self.outage.down and not host.pace.paused:
                self._stopped.add(host.name)
            elif self.outage.down or host.name not in self._stopped:
                continue
            else:
                self._stopped.discard(host.name)
            pause = Pause(self.owners.me, host.name, self.outage.down, host.pace.stops_at)
            with suppress(StoreTrouble):  # a viewer's balance may have to be read
                host.hear(pause)

    async def stop(self) -> None:
        """Finish what is being written; then others may deal."""
        self.outage.on_change = None
        await self.goodbye()
        await asyncio.gather(*self._retiring, return_exceptions=True)
        await asyncio.gather(*(host.stop() for host in self.hosts.values()))
        await self.bank.stop()
        await self.owners.stop()
        self.close()

    def close(self) -> None:
        self.outage.close()
        self.ledger.close()
        self.register.close()
        if self._lock:
            self._lock.close()

    async def goodbye(self) -> None:
        await asyncio.gather(self.study.stop(), self.connections.goodbye())

    # --- tables ---------------------------------------------------------------------------------

    def host(self, name: str) -> TableHost:
        """The table as far as it was read here."""
        if name not in self.hosts:
            raise Refused(f"There is no table {name!r}.", code="NO_SUCH_TABLE")
        return self.hosts[name]

    async def current(self, name: str) -> TableHost:
        """The table as it is in the ledger now."""
        await self.host(name).look()
        return self.host(name)  # unless what was just read has closed it

    async def tables(self) -> list[TableHost]:
        """All tables. Reading what other processes wrote is limited in time: the list is for a
        glance, and the rest is read within a second or so."""
        until = self._now() + A_LITTLE
        for host in tuple(self.hosts.values()):
            if host.following.behind and self._now() < until:
                await host.look()
        return list(self.hosts.values())

    @property
    def _usual(self) -> Planned:
        return Planned(self.settings.betting_seconds, self.settings.decision_seconds)

    def planned(self, name: str) -> Planned:
        return self._plans.get(name, self._usual)

    # --- opening --------------------------------------------------------------------------------

    async def open_table(
        self,
        submission: Mapping[str, Any],
        name: str = "",
        *,
        by: str = ROOM,
        inventory: Cents = INVENTORY,
        plan: Planned | None = None,
        address: str = "",
    ) -> TableHost:
        """Open a lawful house's table. Without a name it gets its game's and the next number.

        Where the plan names a player, the house must use printed pay tables and the room's terms.
        """
        plan = plan or self._usual
        opening = partial(self._open, submission, name, by, inventory, plan)
        # Shielded: a table that is in the ledger must be hosted, even if its opener hangs up.
        return await asyncio.shield(self._opened(opening, address if plan.opened_by else ""))

    async def _opened(
        self, opening: Callable[[], tuple[Keeper, Planned]], address: str
    ) -> TableHost:
        """One at a time among all processes, or the limits would not hold."""
        async with self.owners.spending("opening a table"):
            most = self.connections.limits.tables_address
            if address and list(self._addresses.values()).count(address) >= most:
                sentence = f"{most} tables are open from your address. Close one first."
                raise Refused(sentence, code="TOO_MANY_TABLES")
            keeper, plan = await asyncio.to_thread(opening)
            if address:
                self._addresses[keeper.name] = address
        return self._host(keeper, plan)

    def _open(
        self, submission: Mapping[str, Any], name: str, by: str, inventory: Cents, plan: Planned
    ) -> tuple[Keeper, Planned]:
        house = read_data(submission)
        wrong = check(house).violations or (printed_only(house) if plan.opened_by else [])
        if wrong:
            raise Malformed(list(wrong), house)
        if not house.name.isprintable() or len(house.name) > LONGEST_NAME:
            raise Refused(f"A house's name is at most {LONGEST_NAME} plain characters.")
        self.plans.admit(plan, self._usual)
        name = self._take_name(house, name, plan, by)
        try:
            keeper = Keeper.open(self.ledger, name, dict(house.source), inventory)
        except Refused:
            if self.ledger.store.head(name) is None:
                self.plans.drop(name, by)
            raise
        self.plans.listed(name, self._first_hash(name), by)
        return keeper, plan

    def _take_name(self, house: House, name: str, plan: Planned, by: str) -> str:
        taken = self.hosts.keys() | self._closed
        tried = iter((name,)) if name else islice(_names(house.game.alias, taken), NAME_TRIES)
        for free in tried:
            if self.plans.add(free, plan, by):
                return free
        sentence = f"There is, or was, a table of this name or one that looks like it: {name}."
        raise Refused(sentence, code="NAME_TAKEN")

    def _host(self, keeper: Keeper, plan: Planned | None) -> TableHost:
        name = keeper.name
        if name in self.hosts:  # another task was first
            return self.hosts[name]
        if plan:
            self._plans[name] = plan
        plan = self.planned(name)
        pace = Pace(
            plan.betting_seconds,
            plan.decision_seconds,
            self.settings.absent_seconds,
            now=self._now,
        )
        if name in self._paused:
            pace.stops_at = self._paused.pop(name)
            if not pace.stops_at:
                pace.pause()
        host = self.hosts[name] = TableHost(
            keeper,
            self.bank,
            pace,
            self.owners,
            players_own=bool(plan.opened_by),
            record=self._record,
            now=self._now,
        )
        host.on_closed = self._retire
        host.outage = self.outage
        metrics.tables.set(len(self.hosts))
        host.start()
        self.owners.hosted(host)
        return host

    async def _record(self, by: str, event: AdminEvent) -> None:
        await asyncio.to_thread(self.plans.record, by, event)

    # --- closing --------------------------------------------------------------------------------

    async def close_table(self, name: str, by: str, reason: str) -> bool:
        """Close a table between rounds. Returns False if a round is in play: the table closes when
        it is over."""
        host = await self.current(name)
        host.close(by, reason)
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await host.gone.wait()
        except TimeoutError:
            return False
        return True

    def _retire(self, host: TableHost, here: bool) -> None:
        """The table is closed, by this process (``here``) or another."""
        if self.hosts.pop(host.name, None) is None:
            return
        self._closed.add(host.name)
        self._plans.pop(host.name, None)
        self._addresses.pop(host.name, None)
        metrics.tables.set(len(self.hosts))
        host.audience.dismiss()
        self.owners.unhosted(host)
        task = asyncio.get_running_loop().create_task(self._delist(host, here))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _delist(self, host: TableHost, here: bool) -> None:
        if here:
            self.owners.say(Closed(self.owners.me, host.name))
            closing = host.closing or Closing(ROOM, "")
            try:
                await asyncio.to_thread(self.plans.delist, host.name, closing.by, closing.reason)
            except Refused as trouble:  # the next start does it
                log.warning("table %s is closed but still listed: %s", host.name, trouble)
        await host.stop()
        host.gone.set()

    # --- other processes ------------------------------------------------------------------------

    async def wrote(self, table: str, version: int) -> None:
        """Somebody wrote to a table so far; perhaps it is new."""
        if table in self.hosts:
            await self.hosts[table].wrote(version)
        elif table not in self._closed:
            keeper, plan = await asyncio.to_thread(self._found, table)
            if keeper.table.closed:
                self._closed.add(table)
            else:
                self._host(keeper, plan)

    def _found(self, table: str) -> tuple[Keeper, Planned | None]:
        return Keeper.resume(self.ledger, table), self.plans.of(table)

    async def closed(self, table: str) -> None:
        """Another process closed a table."""
        if table in self.hosts:
            await self.hosts[table].look()

    async def catch_up(self) -> None:
        """Others may have written anything while nobody listened."""
        self._plans |= await asyncio.to_thread(self.plans.all)
        for table in await asyncio.to_thread(self.ledger.store.tables):
            if table not in self._closed:
                head = await asyncio.to_thread(self.ledger.store.head, table)
                await self.wrote(table, head.sequence if head else 0)

    # --- people ---------------------------------------------------------------------------------

    def guest_named(self, guest: str, name: str) -> None:
        self.pass_tables(guest, name)
        self.owners.say(Named(self.owners.me, guest, name))

    def pass_tables(self, guest: str, name: str) -> None:
        """The store has it already."""
        for table, plan in self._plans.items():
            if plan.opened_by == guest:
                self._plans[table] = replace(plan, opened_by=name)

    async def standing(self, name: str) -> Standing:
        seats = [
            Seat(host.name, seat)
            for host in await self.tables()
            for seat in host.table.seats_of(name)
        ]
        bank = await self.bank.load(name)
        if bank is None:
            bank = await asyncio.to_thread(self.bank.holds, name)  # says what is wrong
        return Standing(bank, tuple(seats))

    def _balance_changed(self, name: str) -> None:
        for host in tuple(self.hosts.values()):
            host.audience.tell_name(name)

    async def redeem(self, ticket: str) -> Session | None:
        session = await asyncio.to_thread(self.sessions.redeem, ticket)
        if session:
            await self.bank.load(session.name)  # so that the first table can show it
        return session

    async def lives(self, session: Session, *, acted: bool) -> bool:
        """Whether a session has not ended; somebody who acted keeps it from going idle. While the
        store is away nobody can end one, and nobody is sent away."""
        ask = self.sessions.renew if acted else self.sessions.living
        try:
            return await asyncio.to_thread(ask, session.id) is not None
        except StoreTrouble:
            return True


def _names(alias: str, taken: Collection[str]) -> Iterator[str]:
    """Names for a game's tables: its own and the next number."""
    return (name for number in count(1) if (name := f"{alias}-{number}") not in taken)


def _shared(dsn: str, register: Register) -> Alone:
    from croupier.room.shared_postgres import SharedInPostgres  # the driver is an extra

    return SharedInPostgres(dsn, register)
