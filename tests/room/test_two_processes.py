"""Two real processes serve one room, over a real PostgreSQL or a SQLite file; one is killed in the
middle."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from postgres_server import fresh_schema
from room_driver import PATIENCE, Data
from two_rooms import (
    House,
    InPostgres,
    InSqlite,
    Patron,
    Process,
    asked,
    closing,
    finish,
    wait_until,
)
from websockets.exceptions import ConnectionClosed

# What is under way when the owner dies: wagers without cards, the first decision, a decision that
# was sent and not answered, a later one.
BETTING, ASKED, SENT, LATER = "betting", "asked", "sent", "later"
DEATHS = (("uth-1", LATER), ("caribbean-1", SENT), ("ride-1", ASKED), ("pikit-1", BETTING))


@pytest.fixture(scope="module")
def in_postgres(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with closing(InPostgres(fresh_schema(server), tmp_path_factory.mktemp("room"))) as made:
        yield made


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with closing(InSqlite(tmp_path_factory.mktemp("room"))) as made:
        yield made


@pytest.fixture(params=["in_sqlite", "in_postgres"])
def room(request: pytest.FixtureRequest) -> House:
    made: House = request.getfixturevalue(request.param)
    return made


def test_an_owner_killed_in_the_middle_of_a_round_is_not_missed(room: House) -> None:
    owner, other = room.pair(DEATHS[0][0])
    ann, bob = Patron.guest_of(owner).connect(), Patron.guest_of(other).connect()
    both = [ann, bob]
    before = room.examine()
    for table, stage in DEATHS:
        owner, other = room.pair(table)
        ann.move(owner)
        bob.move(other)
        for seat, player in enumerate(both, 1):
            player.look(table)
            player.sit(table, seat, 200_00)
        for player in both:
            player.bet(table, ready=stage is not BETTING)
        if stage is not BETTING:
            who, choice = asked(both, table)
            if stage is LATER:
                who.do(table, **choice)
            if stage is SENT:
                assert who is ann
                ann.say("command", id="not answered", table=table, do=choice)
        owner.kill()
        ann.move(other, table)
        if stage is BETTING:
            for player in both:
                player.say("ready", table=table)
            asked(both, table)
        finish(both, table)
        for seat, player in enumerate(both, 1):
            player.do(table, "StandUp", seat=seat)
    after = room.examine()
    assert {table: after[table] - before[table] for table, _ in DEATHS} == dict.fromkeys(
        (table for table, _ in DEATHS), 1
    )


def test_an_owner_that_closes_hands_over(room: House) -> None:
    table = "uth-1"
    owner, other = room.pair(table)
    ann, bob = Patron.guest_of(owner).connect(), Patron.guest_of(other).connect()
    for seat, player in enumerate((ann, bob), 1):
        player.look(table)
        player.sit(table, seat)
        player.bet(table, ready=False)
    owner.stop()
    with pytest.raises(ConnectionClosed) as closed:
        ann.until(lambda heard: False)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1001
    ann.move(other, table)
    for player in (ann, bob):
        player.say("ready", table=table)
    finish([ann, bob], table)
    for seat, player in enumerate((ann, bob), 1):
        player.do(table, "StandUp", seat=seat)
    room.examine()


def test_the_same_chips_are_not_spent_at_two_processes_at_once(room: House) -> None:
    """Again and again, from one person's two browsers, as close together as can be."""
    one, two = room.pair("uth-1")
    first = Patron.guest_of(one).connect()
    second = Patron(two, two.client(), first.me)
    second.client.cookies.update(first.client.cookies)
    second.connect()
    held = first.me["bank"]
    pairs = ((first, "uth-1"), (second, "ride-1"))

    def sit(pair: tuple[Patron, str]) -> Data | None:
        return pair[0].ask(pair[1], "SitDown", seat=1, chips=held)

    with ThreadPoolExecutor(2) as threads:
        for _ in range(10):
            refused = list(threads.map(sit, pairs))
            codes = sorted(each["code"] for each in refused if each)
            assert codes == ["NOT_ENOUGH_CHIPS"]
            player, table = pairs[refused.index(None)]
            player.do(table, "StandUp", seat=1)
    room.examine()
    assert first.client.get("/api/me").json()["bank"] == held


def test_an_owner_that_is_frozen_loses_its_tables_and_harms_nothing_when_it_is_back(
    room: House,
) -> None:
    table = "caribbean-1"
    owner, other = room.pair(table)
    bob = Patron.guest_of(other).connect()
    bob.look(table)
    bob.sit(table, 2)
    owner.freeze()
    bob.bet(table)
    asked([bob], table, 2 * PATIENCE)  # the other has taken over
    owner.back()
    ann = Patron.guest_of(owner).connect()
    ann.look(table)
    finish([bob], table)
    ann.sit(table, 1)
    for player in (ann, bob):
        player.bet(table)
    asked([ann, bob], table)
    finish([ann, bob], table)
    for seat, player in enumerate((ann, bob), 1):
        player.do(table, "StandUp", seat=seat)
    room.examine()
    owner.kill()


def test_a_table_closed_at_one_process_is_closed_at_the_other(room: House) -> None:
    """A player opens it at one process, and closes it at the other, where somebody watches."""
    one, two = room.pair("ride-1")
    opener = Patron.guest_of(one).connect()
    table = opener.post("/api/tables", {"house": {"rulebook": "nj-let-it-ride"}}).json()["id"]

    def there(process: Process) -> bool:
        with process.client() as client:
            return table in [each["id"] for each in client.get("/api/tables").json()]

    for process in (one, two):
        wait_until(lambda here=process: there(here))  # type: ignore[misc]
    opener.look(table)
    opener.do(table, "SitDown", seat=1, chips=500_00)
    watching = Patron.guest_of(two).connect()
    watching.look(table)
    opener.client.base_url = two.origin
    answer = opener.delete(f"/api/tables/{table}")
    assert answer.json().get("closed"), answer.text
    for each in (watching, opener):
        each.until(lambda heard: heard["type"] == "closed")
    for process in (one, two):
        wait_until(lambda here=process: not there(here))  # type: ignore[misc]
    assert opener.client.get("/api/me").json()["bank"] == 1_000_00
    for each in (watching, opener):
        each.disconnect()
