"""The supervisor's status of a table: the stage of the round, whom it waits for, the money and the
equipment, and what needs attention."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, convert

from croupier.room.floor import INVENTORY, Room
from croupier.room.hosts import TableHost
from croupier.room.pace import to_decide
from croupier.rules.money import Cents, in_dollars
from croupier.table.dealing import ROUNDS_PER_COUNT, count_due, count_waived
from croupier.table.procedure import Kind, current
from croupier.table.state import Position, Table

SHORT = INVENTORY // 10  # an inventory below this wants a fill
DEVICES = ("shuffler", "shoe")

STAGES = {
    Kind.BETS: "Taking bets",
    Kind.LOCK_OUT: "Locking out",
    Kind.SWEEP: "Sweeping chips",
    Kind.DEAL: "Dealing",
    Kind.UP_CARD: "Showing the up-card",
    Kind.CHOOSE: "Players decide",
    Kind.PICK: "Players pick",
    Kind.BY_SEAT: "Players decide",
    Kind.BURN: "Burning a card",
    Kind.COMMUNITY: "Dealing the board",
    Kind.REVEAL_COMMUNITY: "Turning a community card",
    Kind.DEALERS_STACK: "Delivering the dealer's stack",
    Kind.STUB: "Racking the stub",
    Kind.REVEAL_DEALER: "Turning the dealer's hand",
    Kind.SETTLE: "Settling",
    Kind.CLEAR: "Clearing the table",
}
POINTS = {  # what a player decides
    "before-flop": "before the flop",
    "after-flop": "after the flop",
    "after-river": "after the river",
    "after-deal": "bet or fold",
    "bet-1": "bet 1",
    "bet-2": "bet 2",
    "pick": "which cards to pick",
    "play": "play or fold",
}


class SeatSeen(Struct, frozen=True):
    seat: int
    player: str  # "" where it is free
    present: bool
    chips: Cents
    wagers: dict[str, Cents]


class DeckSeen(Struct, frozen=True):
    colour: str
    at: str
    in_play: bool


class DeviceSeen(Struct, frozen=True):
    name: str
    installed: bool
    jammed: bool
    needed: bool  # by the method in use


class StubCount(Struct, frozen=True):
    """When the stub is to be counted again; nowhere where a counting shuffler does it."""

    since: int  # rounds since the last count
    every: int
    rounds_left: int | None
    due: bool
    waived: bool
    clause: str


class Asked(Struct, frozen=True):
    """Who must decide what, since when."""

    seat: int
    player: str
    what: str
    present: bool
    since: str


class Alert(Struct, frozen=True):
    kind: Literal["absent", "stub", "jam", "device", "inventory", "stuck"]
    sentence: str


class Clocks(Struct, frozen=True):
    betting_seconds: int
    decision_seconds: int
    betting_ends: float | None  # seconds since 1970
    decision_ends: float | None
    paused: bool
    stops_at: str
    notice: str  # why the table does not go on, for everybody who watches


class Glance(Struct, frozen=True, kw_only=True):
    id: str
    version: int
    game: str
    title: str
    rulebook: str
    law: str
    house: str
    opened_by: str  # a player; empty for a table of the room
    stage: str
    round: int  # its number; 0 between rounds
    rounds: int  # finished
    paused: bool
    clocks: Clocks
    seats: list[SeatSeen]
    asked: Asked | None
    inventory: Cents
    drop_box: Cents
    meter: Cents | None
    layout: Cents  # chips on the felt
    limits: dict[str, tuple[Cents, Cents]]
    shuffling: str
    dealing: str
    decks: list[DeckSeen]
    devices: list[DeviceSeen]
    rack: int
    stub: StubCount
    alerts: list[Alert]


class Waits:
    """Since when each table waits for whom. What happened before anybody looked is taken from the
    ledger's last entry."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[tuple[object, ...], str]] = {}

    def since(self, host: TableHost) -> str:
        if host.name not in self._since:
            host.keeper.subscribe(lambda answer, table: self._follow(host))
        self._follow(host)
        return self._since[host.name][1]

    def _follow(self, host: TableHost) -> None:
        waiting, step = to_decide(host.table), current(host.table)
        what = (host.table.rounds, step and step.point, waiting and waiting.seat)
        if what != self._since.get(host.name, ((), ""))[0]:
            self._since[host.name] = (what, host.keeper.head.time)

    def forget(self, name: str) -> None:
        self._since.pop(name, None)


class Glances:
    """A glance at each table, drawn again only where something changed: a supervisor's page asks a
    few times a second, and there may be hundreds of tables."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._waits = Waits()
        self._drawn: dict[str, tuple[object, Glance]] = {}

    def of(self, host: TableHost) -> Glance:
        here = [name for name in host.table.seats if name and host.present(name)]
        opened_by = self._room.planned(host.name).opened_by
        key = (host.version, here, host.pace.stand_still(), host.stuck, host.closing, opened_by)
        known = self._drawn.get(host.name)
        if known is None or known[0] != key:
            known = self._drawn[host.name] = (key, glance(host, self._waits, opened_by))
        return known[1]

    async def all(self) -> list[Glance]:
        hosts = await self._room.tables()
        for name in self._drawn.keys() - {host.name for host in hosts}:
            del self._drawn[name]
            self._waits.forget(name)
        return [self.of(host) for host in hosts]


def glance(host: TableHost, waits: Waits, opened_by: str = "") -> Glance:
    table, house = host.table, host.table.house
    asked = _asked(host, waits)
    return Glance(
        id=host.name,
        version=host.version,
        game=house.game.id,
        title=house.game.title,
        rulebook=house.book.id,
        law=house.book.title,
        house=house.name,
        opened_by=opened_by,
        stage=stage(table, asked),
        round=table.round.number if table.round else 0,
        rounds=table.rounds,
        paused=host.pace.paused,
        clocks=convert(host.clocks_shown(), Clocks),
        seats=[_seat(host, number) for number in range(1, len(table.seats) + 1)],
        asked=asked,
        inventory=table.inventory,
        drop_box=table.drop_box,
        meter=table.meter if house.progressive else None,
        layout=table.layout(),
        limits={key: (each.minimum, each.maximum) for key, each in house.posted.items()},
        shuffling=table.shuffling,
        dealing=table.dealing,
        decks=[
            DeckSeen(
                deck.colour, str(deck.at), bool(table.round) and deck.colour == table.now.colour
            )
            for deck in table.decks
        ],
        devices=devices(table),
        rack=len(table.rack),
        stub=stub_count(table),
        alerts=alerts(table, asked, host.stuck),
    )


def stage(table: Table, asked: Asked | None) -> str:
    """How far the round is, in words."""
    step = current(table)
    if step is None:
        return "Between rounds" if any(table.seats) else "Open, nobody seated"
    if table.now.void:
        return "Void, clearing the table" if not table.now.trips_only else "Void but for trips"
    if asked:
        return f"Seat {asked.seat} decides: {asked.what}"
    return STAGES[step.kind]


def stub_count(table: Table) -> StubCount:
    waived = count_waived(table)
    left = None if waived else max(0, ROUNDS_PER_COUNT - 1 - table.since_count)
    cite = table.house.game.procedures[table.dealing].count.under(table.house.book)
    return StubCount(table.since_count, ROUNDS_PER_COUNT, left, count_due(table), waived, cite.id)


def alerts(table: Table, asked: Asked | None, stuck: str = "") -> list[Alert]:
    """What needs a supervisor's attention."""
    found = [Alert("stuck", stuck)] if stuck else []
    if asked and not asked.present:
        found.append(Alert("absent", f"Waits for {asked.player}, who is not connected."))
    for each in devices(table):
        if each.jammed:
            found.append(Alert("jam", f"The {each.name} is jammed."))
        elif each.needed and not each.installed:
            found.append(Alert("device", f"The method in use needs a {each.name}."))
    if table.inventory < SHORT:
        found.append(Alert("inventory", f"The inventory is down to {in_dollars(table.inventory)}."))
    if count_due(table):
        found.append(Alert("stub", "The stub must be counted this round."))
    return found


def _asked(host: TableHost, waits: Waits) -> Asked | None:
    since = waits.since(host)
    waiting, step = _waiting(host), current(host.table)
    if waiting is None or step is None:
        return None
    what = POINTS.get(step.point, step.point)
    return Asked(waiting.seat, waiting.player, what, host.present(waiting.player), since)


def _waiting(host: TableHost) -> Position | None:
    """The position whose decision is pending, where the dealer has nothing to do."""
    dealers = host.keeper.dealer.next_command(host.table, close_bets=False)
    return to_decide(host.table) if dealers is None else None


def _seat(host: TableHost, number: int) -> SeatSeen:
    table = host.table
    name = table.seats[number - 1]
    here = table.position(number)
    wagers = {wager: here.placed[wager] for wager in here.unsettled()} if here else {}
    return SeatSeen(number, name, bool(name) and host.present(name), table.chips_free(name), wagers)


def devices(table: Table) -> list[DeviceSeen]:
    needed = {"shuffler": table.shuffling == "automated", "shoe": table.dealing == "automated shoe"}
    return [
        DeviceSeen(each, each in table.devices, each in table.jammed, needed[each])
        for each in DEVICES
    ]
