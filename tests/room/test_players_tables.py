"""Tables that players open: what they may choose, how many, and how tables are closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from room_driver import PATIENCE, Player, Running, running

from croupier.house.printed import printed_only
from croupier.house.submission import default_house
from croupier.ledger.administration import (
    TableDelisted,
    TableListed,
    TablePaused,
    TablePlanned,
    TableResumed,
    admin_event,
)
from croupier.ledger.audit import audit
from croupier.ledger.keeper import Keeper
from croupier.ledger.sql import ROOM
from croupier.room.door.roles import Role
from croupier.room.floor import INVENTORY
from croupier.room.hosts import UNUSED_SECONDS
from croupier.room.limits import Limits
from croupier.room.plans import Planned

RIDE = {"rulebook": "nj-let-it-ride"}


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


def opened(player: Player, **more: Any) -> str:
    answer = player.post("/api/tables", {"house": RIDE, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def refused(player: Player, body: dict[str, Any]) -> dict[str, Any]:
    answer = player.post("/api/tables", body)
    assert answer.status_code in (409, 422), answer.text
    error: dict[str, Any] = answer.json()["error"]
    return error


def listed(room: Running) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in room.client().get("/api/tables").json()}


def chain(room: Running, table: str) -> list[tuple[str, object]]:
    found = ((each.actor, admin_event(each)) for each in room.room.ledger.store.read(ROOM))
    return [(by, event) for by, event in found if getattr(event, "table", "") == table]


# --- what a player may choose ---------------------------------------------------------------

MONEY: list[dict[str, Any]] = [
    {"rulebook": "nj-let-it-ride", "pay": {"bonus": {"high-card": "$90,000,000"}}},
    {"rulebook": "nj-let-it-ride", "pay": {"main": {"pair": "100 to 1"}}},
    {"rulebook": "nj-let-it-ride", "limits": {"main": [5, 100_000]}},
    {"rulebook": "nj-let-it-ride", "payout_limit": 1_000_000},
    {"rulebook": "nj-ultimate-texas-holdem", "match_play": True},
    {"rulebook": "nj-ultimate-texas-holdem", "pay": {"trips": {"pair": "1 to 1"}}},
    {"rulebook": "nj-caribbean-stud", "progressive": {"meter": 1_000_000}},
    {"rulebook": "nj-pik-it-poker", "multiples": {"play-3": 1}},
    {"rulebook": "nj-pik-it-poker", "qualifier": False},
]


@pytest.mark.parametrize("house", MONEY)
def test_a_player_opens_no_table_that_pays_otherwise_than_printed(
    room: Running, house: dict[str, Any]
) -> None:
    """The first is the table that made a guest $270,000,000 in three rounds."""
    before = set(room.room.hosts)
    error = refused(room.guest(), {"house": house})
    assert error["sentence"]
    assert error["violations"]
    assert set(room.room.hosts) == before


def test_only_staff_may_say_how_many_chips_are_in_the_tray(room: Running) -> None:
    error = refused(room.guest(), {"house": RIDE, "inventory": INVENTORY})
    assert "Only staff" in error["sentence"]
    boss = room.staff(Role.SUPERVISOR)
    table = opened(boss, inventory=5_000_00)
    assert room.room.host(table).table.inventory == 5_000_00


def test_staff_open_any_lawful_table(room: Running) -> None:
    boss = room.staff(Role.OWNER)
    house = {"rulebook": "nj-ultimate-texas-holdem", "match_play": True}
    table = opened(boss, house=house)
    assert listed(room)[table]["opened_by"] == ""
    assert printed_only(room.room.host(table).table.house)


def test_every_table_a_player_can_open_pays_what_is_printed(room: Running) -> None:
    """Whatever a guest sends, what is opened has printed tables, and limits and an inventory of
    the room: so nobody's bank grows by more than printed tables pay."""
    tried = [
        {**default_house(book).source, **change}
        for book in ("nj-ultimate-texas-holdem", "nj-let-it-ride", "nj-pik-it-poker")
        for change in (
            {},
            {"limits": {"ante": [10, 200]}, "positions": 2},
            {"pay": {"trips": "B"}},
            {"pay": {"three-card": "F"}},
            {"pay": {"trips": {"flush": "1,000,000 to 1"}}},
        )
    ]
    statuses = set()
    for house in tried:
        guest = room.guest()
        answer = guest.post("/api/tables", {"house": house})
        statuses.add(answer.status_code)
        if answer.status_code != 201:
            continue
        here = room.room.host(answer.json()["id"]).table
        usual = default_house(here.house.book.id)
        printed = [
            table for wager in here.house.game.tables.values() for table in wager.tables.values()
        ]
        for table in here.house.pay.values():
            assert any(table.same_awards(each) for each in printed)
        for key, posted in here.house.posted.items():
            assert posted.maximum <= usual.posted[key].maximum
        assert here.inventory == INVENTORY
        assert guest.delete(f"/api/tables/{answer.json()['id']}").json()["closed"]
    assert statuses == {201, 422}


@pytest.mark.parametrize("clock", ["betting_seconds", "decision_seconds"])
@pytest.mark.parametrize("seconds", [0, 9, 121])
def test_a_players_table_is_always_timed(room: Running, clock: str, seconds: int) -> None:
    error = refused(room.guest(), {"house": RIDE, clock: seconds})
    assert error["code"] == "BAD_CLOCK"


# --- ids ------------------------------------------------------------------------------------


@pytest.mark.parametrize("alike", ["RIDE-1", "ride 1", "ride.1", "ride_1", "r1de-1", "ride-l"])
def test_an_id_that_looks_like_another_is_refused(room: Running, alike: str) -> None:
    error = refused(room.guest(), {"house": RIDE, "id": alike})
    assert error["code"] == "NAME_TAKEN"


# --- closing --------------------------------------------------------------------------------


def test_the_opener_closes_a_table_and_everybody_gets_their_chips(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        opener, other = room.guest().connect(), room.guest().connect()
        table = opened(opener)
        for seat, player in enumerate((opener, other), 1):
            player.look(table)
            player.sit(table, seat)
        other.bet(table, ready=False)  # not dealt yet: the wager goes back
        assert other.delete(f"/api/tables/{table}").status_code == 403
        answer = opener.delete(f"/api/tables/{table}").json()
        assert answer == {"closed": True, "sentence": "This table was closed."}
        told = other.until(lambda heard: heard["type"] == "closed")
        assert told == {"type": "closed", "table": table, "sentence": "This table was closed."}
        assert table not in listed(room)
        assert room.client().get(f"/api/tables/{table}").status_code == 404
        for player in (opener, other):
            assert player.client.get("/api/me").json()["bank"] == 1_000_00
        by = f"player {opener.name}"
        first = room.room.ledger.store.entry(table, 1)
        assert first
        assert chain(room, table) == [
            (by, TablePlanned(table, opener.name, 20, 45)),
            (by, TableListed(table, first.hash)),
            (by, TableDelisted(table, "closed")),
        ]
        left = [
            each.actor
            for each in room.room.ledger.store.read(table)
            if '"PlayerLeft"' in each.event
        ]
        assert left == [f"{by} for {player.name}" for player in (opener, other)]
        assert refused(opener, {"house": RIDE, "id": table.upper()})["code"] == "NAME_TAKEN"
        assert [each for each in audit(room.room.ledger).discrepancies if each.table == table] == []
        for player in (opener, other):
            player.disconnect()
    with running(tmp_path) as again:
        assert table not in again.room.hosts
        assert opened(again.guest()) != table
        assert len(chain(again, table)) == 3


def test_a_table_in_a_round_closes_when_the_round_is_over(room: Running) -> None:
    player, boss = room.guest().connect(), room.staff(Role.SUPERVISOR).connect()
    table = opened(boss)
    player.look(table)
    player.sit(table, 2)
    player.bet(table)
    player.until_may(table, "Choose")
    answer = boss.delete(f"/api/tables/{table}").json()
    assert answer["closed"] is False
    player.sync()
    assert player.tables[table]["clocks"]["notice"].startswith("This table closes")
    player.play(table)
    player.until(lambda heard: heard["type"] == "closed")
    until(lambda: table not in listed(room))
    assert room.room.ledger.store.head(table)
    player.disconnect()
    boss.disconnect()


def test_staff_close_any_table_and_a_closed_one_makes_room_for_another(room: Running) -> None:
    player, boss = room.guest(), room.staff(Role.OWNER)
    tables = [opened(player) for _ in range(3)]
    error = refused(player, {"house": RIDE})
    assert error["sentence"] == "You already have 3 tables open. Close one first."
    assert boss.delete(f"/api/tables/{tables[0]}").json()["closed"]
    tables[0] = opened(player)
    for table in tables:
        assert player.delete(f"/api/tables/{table}").json()["closed"]
    assert player.delete(f"/api/tables/{tables[0]}").status_code == 404


def test_a_guest_who_takes_a_name_closes_the_table_that_the_guest_opened(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player, boss = room.guest(), room.staff(Role.SUPERVISOR)
        table = opened(player)
        glance = f"/api/supervisor/{table}"
        assert listed(room)[table]["opened_by"] == player.name
        assert boss.client.get(glance).json()["table"]["opened_by"] == player.name
        body = {"name": "Bea", "password": "four of a kind"}
        player.me = player.post("/api/name", body).json()
        assert listed(room)[table]["opened_by"] == "Bea"
        assert boss.client.get(glance).json()["table"]["opened_by"] == "Bea"
        assert audit(room.room.ledger).discrepancies == []
        assert player.delete(f"/api/tables/{table}").json()["closed"]
        assert chain(room, table)[-1] == ("player Bea", TableDelisted(table, "closed"))
        assert audit(room.room.ledger).discrepancies == []


def test_an_auditor_closes_nothing(room: Running) -> None:
    assert room.staff(Role.AUDITOR).delete("/api/tables/ride-1").status_code == 403


def test_an_address_opens_so_many_tables_and_no_more(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        guests = [room.guest() for _ in range(Limits().tables_address // 3 + 1)]
        for number in range(Limits().tables_address):
            table = opened(guests[number // 3])
        assert "from your address" in refused(guests[-1], {"house": RIDE})["sentence"]
        assert guests[-1].delete(f"/api/tables/{table}").json()["closed"]
        opened(guests[-1])


def test_a_players_table_closes_when_nobody_uses_it_and_the_rooms_own_do_not(
    tmp_path: Path,
) -> None:
    clock = Clock()
    with running(tmp_path, now=clock) as room:
        player = room.guest().connect()
        table = opened(player)
        player.look(table)
        own = set(room.room.hosts) - {table}

        def later(seconds: float) -> None:
            clock.now += seconds
            for host in tuple(room.room.hosts.values()):
                room.room.hosts[host.name]._woken.set()

        later(2 * UNUSED_SECONDS)  # somebody watches
        player.sync()
        assert table in listed(room)
        player.say("unwatch", table=table)
        until(lambda: room.room.hosts[table]._unused is not None)
        later(UNUSED_SECONDS - 1)
        time.sleep(0.2)
        assert table in listed(room)
        later(1)

        def closed() -> bool:
            later(0)
            return set(room.room.hosts) == own

        until(closed)
        until(lambda: len(chain(room, table)) == 3)
        assert chain(room, table)[-1] == ("system", TableDelisted(table, "unused"))
        player.disconnect()


def test_a_players_table_of_an_older_version_with_its_own_pays_is_closed(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        guest = room.guest()
        house = {**RIDE, "pay": {"three-card": {"straight": "7 to 1"}}}
        room.room.plans.add("rich", Planned(20, 20, guest.name), "")
        Keeper.open(room.room.ledger, "rich", house, INVENTORY)
    with running(tmp_path) as again:
        until(lambda: "rich" not in again.room.hosts)
        until(lambda: len(chain(again, "rich")) == 3)


# --- pauses ---------------------------------------------------------------------------------


def test_pauses_are_in_the_chain_are_limited_and_outlive_the_room(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        boss = room.staff(Role.SUPERVISOR).connect()
        boss.look("ride-1")
        for _ in range(5):
            boss.say("pause", table="ride-1")
            boss.say("pause", table="ride-1")  # says nothing new
            boss.say("resume", table="ride-1")
        boss.sync()
        paused = (f"supervisor {boss.name}", TablePaused("ride-1", ""))
        resumed = (paused[0], TableResumed("ride-1"))
        assert chain(room, "ride-1")[2:] == [paused, resumed] * 5
        boss.say("pause", table="ride-1")
        assert "too often" in boss.until(lambda heard: heard["type"] == "error")["sentence"]
        boss.say("pause", table="uth-1")
        boss.say("pause", table="uth-2", at="shuffler")
        boss.sync()
        boss.disconnect()
    with running(tmp_path) as again:
        assert again.room.host("uth-1").pace.paused
        assert again.room.host("uth-2").pace.stops_at == "shuffler"
        assert not again.room.host("ride-1").pace.paused


# --- many tables ----------------------------------------------------------------------------


def test_listing_many_tables_works_nothing_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from croupier.room.api import tables

    drawn, encoded = [], []
    notices, encode = tables.notices, tables.encode
    monkeypatch.setattr(tables, "notices", lambda house: drawn.append(house) or notices(house))
    monkeypatch.setattr(tables, "encode", lambda told: encoded.append(told) or encode(told))
    with running(tmp_path) as room:
        player = room.guest().connect()
        for _ in range(3):
            assert len(listed(room)) == 5
        assert (len(drawn), len(encoded)) == (5, 5)
        player.look("ride-1")
        player.sit("ride-1", 1)
        assert listed(room)["ride-1"]["seats"][0] == player.name
        assert len(drawn) == 5
        assert len(encoded) <= 6
        player.disconnect()
