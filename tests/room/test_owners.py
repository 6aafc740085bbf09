"""Several processes of one room: who deals, what they tell each other, and what they share. Here
they are rooms in threads, over a real PostgreSQL; test_two_processes kills real ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_server import fresh_schema
from room_driver import PATIENCE, Running, running
from two_rooms import InPostgres, Patron, asked, finish

from croupier.law.refused import Refused
from croupier.room.attendance import JUST_SAT
from croupier.room.door.roles import Role
from croupier.room.floor import Room
from croupier.room.settings import Settings
from croupier.room.shared_postgres import TABLES

TABLE = "ride-1"
Rooms = tuple[Running, Running]
HOLDERS = """SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = %s
    AND objid::bigint = (hashtext(current_schema() || ' ' || %s)::bigint & 4294967295)"""


@pytest.fixture
def house(postgres: str, tmp_path: Path) -> InPostgres:
    return InPostgres(postgres, tmp_path)


@pytest.fixture(scope="module")
def shared(server: Any, tmp_path_factory: pytest.TempPathFactory) -> InPostgres:
    return InPostgres(fresh_schema(server), tmp_path_factory.mktemp("room"))


@pytest.fixture(scope="module")
def rooms(shared: InPostgres) -> Iterator[Rooms]:
    where: dict[str, Any] = {"data": shared.data, "store": shared.where}
    with running(**where) as one, running(**where) as two:
        yield one, two


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


def owned(running: Running) -> list[str]:
    return sorted(name for name, host in running.room.hosts.items() if host.owned)


@contextmanager
def seated(rooms: Rooms, table: str) -> Iterator[list[Patron]]:
    """A guest at each process, both at one table."""
    players = [Patron.guest_of(room).connect() for room in rooms]
    for seat, player in enumerate(players, 1):
        player.look(table)
        player.sit(table, seat)
    yield players
    for seat, player in enumerate(players, 1):
        if player.socket:
            player.do(table, "StandUp", seat=seat)
            player.disconnect()


# --- one process, or several ----------------------------------------------------------------


def test_a_room_in_a_file_is_served_by_one_process(tmp_path: Path) -> None:
    with running(tmp_path), pytest.raises(Refused, match="Another process serves this room"):
        Room(Settings(data=tmp_path))
    with running(tmp_path) as again:
        assert len(owned(again)) == 5


def test_a_process_without_the_keys_of_the_room_is_refused(
    rooms: Rooms, shared: InPostgres, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match="None of the signing keys"):
        Room(Settings(data=tmp_path, store=shared.where))


def test_processes_that_start_together_open_one_table_for_each_rulebook(house: InPostgres) -> None:
    settings = Settings(data=house.data, store=house.where)
    with ThreadPoolExecutor(3) as threads:
        rooms = list(threads.map(lambda _: Room(settings), range(3)))
    assert sum(room.password is not None for room in rooms) == 1
    for room in rooms:
        assert len(room.ledger.store.tables()) == 5
        assert len(list(room.ledger.keys.folder.glob("sealing-*"))) == 1
        room.close()


# --- what they share ------------------------------------------------------------------------


def test_a_ticket_from_one_process_opens_a_socket_at_another(
    rooms: Rooms,
) -> None:
    player = rooms[0].guest()
    ticket = player.ticket()
    player.ticket = lambda: ticket  # type: ignore[method-assign]
    player.running = rooms[1]
    player.connect()
    player.look(TABLE)
    player.disconnect()


def test_a_table_opened_at_one_process_is_there_at_the_other_with_its_clocks(
    rooms: Rooms,
) -> None:
    one, two = rooms
    opened = two.guest().post(
        "/api/tables", {"house": {"rulebook": "nj-let-it-ride"}, "betting_seconds": 17}
    )
    name = opened.json()["id"]
    until(lambda: name in one.room.hosts)
    assert one.room.planned(name).betting_seconds == 17
    assert one.room.host(name).pace.betting_seconds == 17
    until(lambda: one.room.host(name).owned != two.room.host(name).owned)


def test_tables_opened_at_the_same_moment_get_names_of_their_own(
    rooms: Rooms,
) -> None:
    guests = [room.guest() for room in rooms]
    body = {"house": {"rulebook": "nj-let-it-ride"}}
    with ThreadPoolExecutor(2) as threads:
        for _ in range(3):
            opened = list(threads.map(lambda guest: guest.post("/api/tables", body), guests))
            assert [each.status_code for each in opened] == [201, 201]
            assert len({each.json()["id"] for each in opened}) == 2
    assert guests[0].post("/api/tables", body).json()["error"]["code"] == "TOO_MANY_TABLES"


# --- playing --------------------------------------------------------------------------------


def test_players_at_two_processes_hear_the_same_in_the_same_order(
    rooms: Rooms, shared: InPostgres
) -> None:
    with seated(rooms, "ride-1") as players:
        for _ in range(2):
            for player in players:
                player.bet("ride-1")
            asked(players, "ride-1")
            finish(players, "ride-1")
        for player in players:
            player.sync()
        told = [
            [(each["version"], each["actor"], each["events"]) for each in heard if "actor" in each]
            for heard in (player.heard for player in players)
        ]
        both = min(map(len, told))
        assert told[0][-both:] == told[1][-both:]
        assert {actor for _, actor, _ in told[0]} >= {f"player {each.name}" for each in players}
    assert shared.examine()["ride-1"] == 2


def test_who_is_connected_elsewhere_is_waited_for_until_he_is_gone(rooms: Rooms) -> None:
    with seated(rooms, "uth-1") as (ann, bob):
        ann.bet("uth-1")
        host = rooms[0].room.host("uth-1")
        time.sleep(JUST_SAT + 0.5)
        assert not host.table.now.closed
        bob.disconnect()
        until(lambda: host.table.round is not None and host.table.now.closed)
        finish([ann], "uth-1")


def test_a_pause_said_to_one_process_holds_at_all_and_outlives_the_owner(house: InPostgres) -> None:
    with running(house.data, store=house.where) as three:
        with running(house.data, store=house.where) as one:
            until(lambda: len(owned(one)) + len(owned(three)) == 5)
            owner, other = (one, three) if owned(one) else (three, one)
            boss = other.staff(Role.SUPERVISOR).connect()
            boss.say("pause", table=TABLE)
            until(lambda: owner.room.host(TABLE).pace.paused)
            with running(house.data, store=house.where) as late:
                until(lambda: late.room.host(TABLE).pace.paused)
            boss.disconnect()
        until(lambda: len(owned(three)) == 5)
        assert three.room.host(TABLE).pace.paused


# --- losing a table -------------------------------------------------------------------------


def test_an_owner_whose_connection_breaks_stops_dealing_and_play_goes_on(
    rooms: Rooms, shared: InPostgres
) -> None:
    table = "caribbean-1"
    with seated(rooms, table) as players:
        for player in players:
            player.bet(table, ready=False)
        with psycopg.connect(shared.where, autocommit=True) as database:
            found = database.execute(HOLDERS, (TABLES, table)).fetchall()
            assert len(found) == 1, "one process owns the table"
            database.execute("SELECT pg_terminate_backend(%s)", found[0])
        for player in players:
            player.say("ready", table=table)
        asked(players, table)
        finish(players, table)
        until(lambda: len(owned(rooms[0])) + len(owned(rooms[1])) == len(rooms[0].room.hosts))
        assert not set(owned(rooms[0])) & set(owned(rooms[1]))
    assert shared.examine()[table] == 1


def test_two_processes_that_both_believe_they_own_a_table_harm_nothing(
    rooms: Rooms, shared: InPostgres
) -> None:
    """The ledger's sequence fences one of them off, whatever both try to deal."""
    table = "pikit-1"
    hosts = [room.room.host(table) for room in rooms]
    believed = [host.owned for host in hosts]
    for host in hosts:
        host.owned = True
    with seated(rooms, table) as players:
        for _ in range(5):
            for player in players:
                player.bet(table)
            asked(players, table)
            finish(players, table)
    for host, was in zip(hosts, believed, strict=True):
        host.owned = was
    assert shared.examine()[table] == 5


# --- tables of players ----------------------------------------------------------------------


def test_a_guest_who_takes_a_name_keeps_the_table_at_every_process(rooms: Rooms) -> None:
    one, two = rooms
    opener = one.guest()
    table = opener.post("/api/tables", {"house": {"rulebook": "nj-let-it-ride"}}).json()["id"]
    until(lambda: table in two.room.hosts)
    assert two.room.planned(table).opened_by == opener.name
    me = opener.post("/api/name", {"name": "Bea", "password": "four of a kind"}).json()
    opener.me = me
    assert one.room.planned(table).opened_by == "Bea"
    until(lambda: two.room.planned(table).opened_by == "Bea")
    until(lambda: any(table in owned(each) for each in rooms))
    assert opener.delete(f"/api/tables/{table}").json()["closed"]
    until(lambda: not any(table in each.room.hosts for each in rooms))


# --- tables that are closed -----------------------------------------------------------------


def test_a_table_closed_at_one_process_is_closed_at_all(rooms: Rooms, shared: InPostgres) -> None:
    one, two = rooms
    opener = one.guest()
    table = opener.post("/api/tables", {"house": {"rulebook": "nj-let-it-ride"}}).json()["id"]
    until(lambda: table in two.room.hosts)
    until(lambda: any(table in owned(each) for each in rooms))
    assert two.room.planned(table).opened_by == opener.name
    watching = two.guest().connect()
    watching.look(table)
    boss = two.staff(Role.OWNER)
    assert boss.delete(f"/api/tables/{table}").json()["closed"]
    watching.until(lambda heard: heard["type"] == "closed")
    until(lambda: not any(table in each.room.hosts for each in rooms))
    for each in rooms:
        assert table not in [found["id"] for found in each.client().get("/api/tables").json()]

    def held() -> list[Any]:
        with psycopg.connect(shared.where) as line:
            return line.execute(HOLDERS, (TABLES, table)).fetchall()

    until(lambda: not held())
    watching.disconnect()
