"""What a floor supervisor sees over HTTP: every table at a glance, and the desk of one."""

from __future__ import annotations

import asyncio

from msgspec import Struct
from starlette.requests import Request

from croupier.ledger.drift import Drift, drifts
from croupier.room.api.desk import Act, desk
from croupier.room.api.endpoints import Served
from croupier.room.api.glance import Glance, Glances
from croupier.room.floor import Room
from croupier.room.hosts import TableHost
from croupier.rules.money import Cents

ALARM = 3.5  # standard deviations


class Sought(Struct, frozen=True):
    drift: bool = False


class Drifted(Struct, frozen=True):
    """One wager. Cents; what the house wins is positive. docs/LEDGER.md explains each name."""

    wager: str
    against: str
    actual_win: Cents
    hands_compared: int
    base_wagered: Cents
    win_by_pay_table: Cents
    theoretical_win: str  # exactly
    theoretical_win_cents: Cents  # and rounded
    z: float
    alarm: bool


class Seen(Struct, frozen=True):
    """``drift`` is there where it was asked for."""

    table: Glance
    drift: list[Drifted] | None


class AtTheDesk(Seen, frozen=True):
    acts: list[Act]


def served(room: Room) -> list[Served]:
    here = Floor(room)
    return [
        Served("GET", "/api/supervisor", here.tables, "The floor", list[Seen], asks=Sought),
        Served(
            "GET",
            "/api/supervisor/{table}",
            here.table,
            "A table, and what may be ordered there",
            AtTheDesk,
            asks=Sought,
        ),
    ]


class Floor:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._glances = Glances(room)
        self._drift: dict[str, tuple[int, list[Drifted]]] = {}  # with the rounds it covers
        self._thinking = asyncio.Lock()

    async def tables(self, request: Request, sought: Sought) -> list[Seen]:
        if not sought.drift:
            return [Seen(each, None) for each in await self._glances.all()]
        return [
            Seen(self._glances.of(host), await self._drifted(host))
            for host in await self.room.tables()
        ]

    async def table(self, request: Request, sought: Sought) -> AtTheDesk:
        host = await self.room.current(request.path_params["table"])
        drift = await self._drifted(host) if sought.drift else None
        return AtTheDesk(self._glances.of(host), drift, desk(host.keeper.kept))

    async def _drifted(self, host: TableHost) -> list[Drifted]:
        """Once for each finished round, one table at a time: the first needs its game solved."""
        async with self._thinking:
            rounds, known = self._drift.get(host.name, (-1, []))
            if rounds != (now := host.table.rounds):
                found = await asyncio.to_thread(drifts, self.room.ledger.store, host.name)
                known = [_told(each) for each in found]
                self._drift[host.name] = (now, known)
        return known


def _told(each: Drift) -> Drifted:
    theoretical = each.theoretical_win
    return Drifted(
        wager=each.wager,
        against=each.against,
        actual_win=each.actual_win,
        hands_compared=each.hands,
        base_wagered=each.wagered,
        win_by_pay_table=each.win_by_pay_table,
        theoretical_win=f"{theoretical.numerator}/{theoretical.denominator}",
        theoretical_win_cents=round(theoretical),
        z=round(each.z, 4),
        alarm=each.alarms(ALARM),
    )
