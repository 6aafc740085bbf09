"""Players who do not act: the clock, the staff, and a table where nobody else waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_driver import TABLES
from room_driver import Player, Running, running

from croupier.room.door.roles import Role


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture
def boss(room: Running) -> Iterator[Player]:
    came = room.staff(Role.SUPERVISOR).connect()
    yield came
    came.disconnect()


def ended(heard: dict[str, Any]) -> bool:
    return any(each["event"]["event"] == "RoundEnded" for each in heard.get("events", ()))


def choices(player: Player) -> list[tuple[str, str]]:
    return [
        (told["actor"], each["event"]["verb"])
        for told in player.heard
        for each in told.get("events", ())
        if each["event"]["event"] == "ChoiceMade"
    ]


def act(boss: Player, table: str, seat: int, command_id: str) -> dict[str, Any] | None:
    boss.say("act", id=command_id, table=table, seat=seat)
    answer = boss.until(lambda heard: heard["type"] == "answer" and heard["id"] == command_id)
    refused: dict[str, Any] | None = answer["refused"]
    return refused


def test_five_guests_who_never_act_do_not_stop_five_tables(tmp_path: Path) -> None:
    """They stay connected. Honest players sit down, and the rounds end without them."""
    with running(tmp_path, decision_seconds=1) as room:
        stalling, honest = [], []
        for table in TABLES:
            guest = room.guest().connect()
            guest.look(table)
            guest.sit(table, 1, 200_00)
            guest.bet(table)
            guest.until_may(table, "Choose")
            stalling.append(guest)
        for table in TABLES:
            player = room.guest().connect()
            player.look(table)
            player.do(table, "SitDown", seat=2, chips=200_00)
            honest.append(player)
        for table, guest, player in zip(TABLES, stalling, honest, strict=True):
            player.until(ended)
            assert {actor for actor, _ in choices(player)} == {
                f"system for {guest.name}: time ran out"
            }
            player.bet(table)  # and the next round is on
        for each in stalling + honest:
            each.disconnect()


def test_the_room_times_decisions_unless_it_is_told_otherwise(room: Running) -> None:
    for table in room.client().get("/api/tables").json():
        assert table["clocks"]["decision_seconds"] == 45
        posted = room.client().get(f"/api/tables/{table['id']}").json()["rules"]
        assert any("A player alone at the table is not timed." in line for line in posted)
        assert any("has not wagered for 10 minutes" in line for line in posted)


# --- staff ----------------------------------------------------------------------------------


def test_staff_act_for_a_stalled_hand_as_the_clock_would(room: Running, boss: Player) -> None:
    table = "uth-1"
    player = room.guest().connect()
    for each in (player, boss):
        each.look(table)
    player.sit(table, 3)
    player.bet(table)
    player.until_may(table, "Choose")
    refused = act(boss, table, 2, "nobody there")
    assert refused
    assert refused["sentence"] == "Nobody sits at seat 2."
    for number in range(3):
        player.settle(table)
        assert act(boss, table, 3, f"act {number}") is None
    player.until(ended)
    who = f"supervisor {boss.name} for {player.name}"
    assert choices(player) == [(who, verb) for verb in ("check", "check", "fold")]
    player.settle(table)
    assert act(boss, table, 3, "between rounds") is None
    player.sync()
    assert player.tables[table]["view"]["seats"][2] == ""
    assert room.room.bank.holds(player.name) == player.tables[table]["view"]["you"]["bank"]
    last = room.room.ledger.store.find(table, "between rounds")
    assert isinstance(last, tuple)
    assert last[0].actor == who
    player.disconnect()


def test_the_same_act_again_acts_once(room: Running, boss: Player) -> None:
    table = "uth-2"
    player = room.guest().connect()
    for each in (player, boss):
        each.look(table)
    player.sit(table, 1)
    player.bet(table)
    player.until_may(table, "Choose")
    for _ in range(3):
        assert act(boss, table, 1, "once") is None
    player.settle(table)
    assert [verb for _, verb in choices(player)] == ["check"]
    refused = act(boss, table, 9, "once")
    assert refused
    player.play(table, lambda them: them[-1])
    player.disconnect()


def test_a_wager_that_is_not_dealt_is_nothing_to_decide(room: Running, boss: Player) -> None:
    table = "ride-1"
    player = room.guest().connect()
    player.look(table)
    player.sit(table, 1)
    player.bet(table, ready=False)
    refused = act(boss, table, 1, "too early")
    assert refused
    assert refused["code"] == "NOTHING_TO_DECIDE"
    player.do(table, "TakeBackWagers", seat=1)
    player.do(table, "StandUp", seat=1)
    player.disconnect()


def test_players_act_for_nobody(room: Running) -> None:
    player, victim = room.guest().connect(), room.guest().connect()
    victim.look("pikit-1")
    victim.sit("pikit-1", 1)
    player.say("act", id="x", table="pikit-1", seat=1)
    assert player.until(lambda heard: heard["type"] == "error")["id"] == "x"
    assert room.room.host("pikit-1").table.seats[0] == victim.name
    for each in (player, victim):
        each.disconnect()
