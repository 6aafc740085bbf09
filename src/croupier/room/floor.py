"""The floor: the ledger opened, every table in it hosted, and who may come in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from croupier.games.registry import RULEBOOKS
from croupier.house.check import check
from croupier.house.submission import Malformed, read_data
from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import MINE_ONLY
from croupier.room import metrics
from croupier.room.api_people import Seat, Standing
from croupier.room.bank import Bank
from croupier.room.hosts import TableHost
from croupier.room.pace import Pace
from croupier.room.people import People
from croupier.room.register import open_register
from croupier.room.sessions import Session, Sessions
from croupier.room.settings import Settings
from croupier.rules.money import Cents, dollars

INVENTORY = dollars(100_000)
MOST_EACH = 3  # tables one player may open
LONGEST_CLOCK = 600  # seconds
LONGEST_NAME = 64  # of a house


class Planned(Struct, frozen=True):
    """What the floor knows of a table and the ledger does not."""

    betting_seconds: int
    decision_seconds: int
    opened_by: str = ""


class Connection(Protocol):
    async def goodbye(self) -> None: ...


class Room:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.ledger = Ledger.at(settings.where, beside=settings.beside, group=True)
        self.register = open_register(settings.where)
        self.people = People(self.register)
        self.sessions = Sessions(self.register)
        self.password = self.people.first_start()  # the owner's, told once
        self.bank = Bank(self.people.granted)
        self.hosts: dict[str, TableHost] = {}
        self.connections: set[Connection] = set()
        self._plan = self._read_plan()

    # --- from start to stop ---------------------------------------------------------------------

    def start(self) -> None:
        """Go on with every table there is; a new floor gets one for each rulebook."""
        self.bank.read(self.ledger.store)
        for name in self.ledger.store.tables():
            self._host(Keeper.resume(self.ledger, name))
        if not self.hosts:
            for book in RULEBOOKS:
                self.open_table({"rulebook": book})

    async def stop(self) -> None:
        """Finish what is being written."""
        await self.goodbye()
        await asyncio.gather(*(host.stop() for host in self.hosts.values()))
        self.ledger.close()
        self.register.close()

    async def goodbye(self) -> None:
        await asyncio.gather(*(each.goodbye() for each in tuple(self.connections)))

    # --- tables ---------------------------------------------------------------------------------

    def host(self, name: str) -> TableHost:
        if name not in self.hosts:
            raise Refused(f"There is no table {name!r}.", code="NO_SUCH_TABLE")
        return self.hosts[name]

    def planned(self, name: str) -> Planned:
        usual = Planned(self.settings.betting_seconds, self.settings.decision_seconds)
        return self._plan.get(name, usual)

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
        name = name or self._next(house.game.alias)
        if plan:
            self._admit(plan)
        keeper = Keeper.open(self.ledger, name, dict(house.source), inventory)
        if plan:
            self._plan[name] = plan
            self._write_plan()
        return self._host(keeper)

    def _admit(self, plan: Planned) -> None:
        for seconds in (plan.betting_seconds, plan.decision_seconds):
            if not 0 <= seconds <= LONGEST_CLOCK:
                raise Refused(f"A clock runs for 0 to {LONGEST_CLOCK} seconds.", code="BAD_CLOCK")
        mine = [each for each in self._plan.values() if each.opened_by == plan.opened_by]
        if plan.opened_by and len(mine) >= MOST_EACH:
            raise Refused(f"Nobody opens more than {MOST_EACH} tables.", code="TOO_MANY_TABLES")

    def _next(self, alias: str) -> str:
        number = 1
        while f"{alias}-{number}" in self.hosts:
            number += 1
        return f"{alias}-{number}"

    def _host(self, keeper: Keeper) -> TableHost:
        plan = self.planned(keeper.name)
        pace = Pace(plan.betting_seconds, plan.decision_seconds)
        host = self.hosts[keeper.name] = TableHost(keeper, self.bank, pace)
        metrics.tables.set(len(self.hosts))
        host.start()
        return host

    def _read_plan(self) -> dict[str, Planned]:
        path = self.settings.floor_plan
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, Planned])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as wrong:
            raise Refused(f"{path} cannot be read: {wrong}.") from None

    def _write_plan(self) -> None:
        path = self.settings.floor_plan
        draft = path.with_suffix(".new")
        draft.touch(MINE_ONLY)
        draft.write_bytes(msgspec.json.encode(self._plan))
        draft.replace(path)

    # --- people ---------------------------------------------------------------------------------

    async def standing(self, name: str) -> Standing:
        seats = [
            Seat(host.name, seat)
            for host in self.hosts.values()
            for seat in host.table.seats_of(name)
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
