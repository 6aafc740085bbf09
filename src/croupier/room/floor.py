"""The floor: the ledger opened, every table in it hosted, and who may come in."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from croupier.cards.quick import load
from croupier.games.registry import RULEBOOKS
from croupier.house.check import check
from croupier.house.submission import Malformed, read_data
from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import POSTGRES, Ledger
from croupier.room import metrics
from croupier.room.api.people import Seat, Standing
from croupier.room.bank import Bank, at_tables
from croupier.room.door.people import People
from croupier.room.door.register import Register, open_register
from croupier.room.door.sessions import Session, Sessions
from croupier.room.hosts import TableHost
from croupier.room.owners import Alone, Lock
from croupier.room.pace import Pace
from croupier.room.plans import Planned, Plans
from croupier.room.settings import Settings
from croupier.room.study.study import Study, limits_for
from croupier.rules.money import Cents, dollars

if TYPE_CHECKING:
    from croupier.room.neighbours import Neighbours  # not every system has what it needs

INVENTORY = dollars(100_000)
LONGEST_NAME = 64  # of a house


class Connection(Protocol):
    async def goodbye(self) -> None: ...


class Room:
    """``among`` are the other processes on this machine that serve it."""

    def __init__(self, settings: Settings, among: Neighbours | None = None) -> None:
        self.settings = settings
        settings.make_data()
        where = settings.where
        shared = where.startswith(POSTGRES)
        self._lock = None if shared or among else Lock(settings.file(".lock"))
        self.register = open_register(where, queue=among is not None)
        self.owners = among or (_shared(where, self.register) if shared else Alone())
        self.people = People(self.register)
        self.sessions = Sessions(self.register)
        self.plans = Plans(self.register)
        self.bank = Bank(self.people.granted, at_tables(self.register))
        self.hosts: dict[str, TableHost] = {}
        self.connections: set[Connection] = set()
        self.study = Study(limits_for(settings.processes))
        self._plans: dict[str, Planned] = {}  # of the tables hosted
        with self.owners.opening():
            self.ledger = Ledger.at(
                where, beside=settings.beside, group=True, queue=among is not None
            )
            self.password = self.people.first_start()  # the owner's, told once
            self._keepers = list(self._kept())

    # --- from start to stop ---------------------------------------------------------------------

    def _kept(self) -> Iterator[Keeper]:
        """Every table there is; a new floor gets one for each rulebook."""
        names = self.ledger.store.tables()
        yield from (Keeper.resume(self.ledger, name) for name in names)
        for book in () if names else RULEBOOKS:
            house = read_data({"rulebook": book})
            name = next(_names(house.game.alias, names))
            names.append(name)
            yield Keeper.open(self.ledger, name, dict(house.source), INVENTORY)

    def start(self) -> None:
        load()  # or the first showdown waits for it
        while self._keepers:
            self._host(self._keepers.pop(0))
        self.owners.start(self)
        self.study.start()

    async def stop(self) -> None:
        """Finish what is being written; then others may deal."""
        await self.goodbye()
        await asyncio.gather(*(host.stop() for host in self.hosts.values()))
        await self.owners.stop()
        self.close()

    def close(self) -> None:
        self.ledger.close()
        self.register.close()
        if self._lock:
            self._lock.close()

    async def goodbye(self) -> None:
        await asyncio.gather(
            self.study.stop(), *(each.goodbye() for each in tuple(self.connections))
        )

    # --- tables ---------------------------------------------------------------------------------

    def host(self, name: str) -> TableHost:
        """As far as anybody has written."""
        if name not in self.hosts:
            raise Refused(f"There is no table {name!r}.", code="NO_SUCH_TABLE")
        self.hosts[name].look()
        return self.hosts[name]

    def tables(self) -> list[TableHost]:
        return [self.host(name) for name in self.hosts]

    def planned(self, name: str) -> Planned:
        usual = Planned(self.settings.betting_seconds, self.settings.decision_seconds)
        return self._plans.get(name, usual)

    def open_table(
        self,
        submission: Mapping[str, Any],
        name: str = "",
        *,
        inventory: Cents = INVENTORY,
        plan: Planned | None = None,
    ) -> TableHost:
        """A lawful house's table. Without a name it gets its game's and the next number."""
        house = read_data(submission)
        report = check(house)
        if not report.legal:
            raise Malformed(list(report.violations), house)
        if not house.name.isprintable() or len(house.name) > LONGEST_NAME:
            raise Refused(f"A house's name is at most {LONGEST_NAME} plain characters.")
        plan = plan or self.planned("")
        self.plans.admit(plan)
        names = iter((name,)) if name else _names(house.game.alias, self.hosts)
        for free in names:
            if self.plans.add(free, plan):
                break
        else:
            raise Refused(f"There is a table {name} in this room already.", code="NAME_TAKEN")
        try:
            keeper = Keeper.open(self.ledger, free, dict(house.source), inventory)
        except Refused:
            self.plans.drop(free)
            raise
        return self._host(keeper)

    def _host(self, keeper: Keeper) -> TableHost:
        if keeper.name in self.hosts:  # meanwhile
            return self.hosts[keeper.name]
        if found := self.plans.of(keeper.name):
            self._plans[keeper.name] = found
        plan = self.planned(keeper.name)
        pace = Pace(plan.betting_seconds, plan.decision_seconds, self.settings.absent_seconds)
        host = self.hosts[keeper.name] = TableHost(keeper, self.bank, pace, self.owners)
        metrics.tables.set(len(self.hosts))
        host.start()
        self.owners.hosted(host)
        return host

    # --- other processes ------------------------------------------------------------------------

    async def wrote(self, table: str, version: int) -> None:
        """Somebody wrote to a table so far; perhaps it is new."""
        if table in self.hosts:
            await self.hosts[table].wrote(version)
        else:
            self._host(await asyncio.to_thread(Keeper.resume, self.ledger, table))

    async def catch_up(self) -> None:
        """Others may have written anything while nobody listened."""
        for table in await asyncio.to_thread(self.ledger.store.tables):
            head = await asyncio.to_thread(self.ledger.store.head, table)
            await self.wrote(table, head.sequence if head else 0)

    # --- people ---------------------------------------------------------------------------------

    async def standing(self, name: str) -> Standing:
        seats = [
            Seat(host.name, seat) for host in self.tables() for seat in host.table.seats_of(name)
        ]
        return Standing(self.bank.holds(name), tuple(seats))

    async def redeem(self, ticket: str) -> Session | None:
        session = await asyncio.to_thread(self.sessions.redeem, ticket)
        if session:
            await asyncio.to_thread(self.bank.holds, session.name)  # tables need not look it up
        return session

    async def lives(self, session: Session, *, acted: bool) -> bool:
        """Whether a session has not ended; somebody who acted keeps it from going idle."""
        ask = self.sessions.renew if acted else self.sessions.living
        return await asyncio.to_thread(ask, session.id) is not None


def _names(alias: str, taken: Collection[str]) -> Iterator[str]:
    """What a game's tables are called: its name and the next number."""
    return (name for number in count(1) if (name := f"{alias}-{number}") not in taken)


def _shared(dsn: str, register: Register) -> Alone:
    from croupier.room.shared_postgres import SharedInPostgres  # the driver is an extra

    return SharedInPostgres(dsn, register)
