"""Lines break and rooms close: seats are held, nothing is missed, and play goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from room_driver import Player, Running, running
from websockets.exceptions import ConnectionClosed

TABLES = ("uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


def back(player: Player, table: str) -> list[dict[str, Any]]:
    """Come back, and hear what was missed."""
    at = player.tables[table]["version"]
    player.connect()
    heard = len(player.heard)
    player.watch(table, at)
    player.sync()
    missed = [each for each in player.heard[heard:] if each["type"] in ("table", "happened")]
    assert all(each["type"] == "happened" for each in missed)
    for each in missed:
        assert each["from"] == at
        at = each["version"]
    return missed


def lasting(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what goes on by itself."""
    return {key: value for key, value in view.items() if key != "clocks"}


@pytest.mark.parametrize("table", TABLES)
def test_a_line_may_break_at_any_state_of_a_round(room: Running, table: str) -> None:
    player = room.guest().connect()
    player.look(table)
    player.sit(table, 1)

    def broken() -> None:
        player.settle(table)
        player.disconnect()
        back(player, table)
        caught_up = player.tables[table]
        fresh = player.look(table)
        assert caught_up["version"] == fresh["version"]
        assert lasting(caught_up["view"]) == lasting(fresh["view"])
        assert caught_up["options"] == fresh["options"]
        assert fresh["view"]["seats"][0] == player.name

    broken()
    player.bet(table, ready=False)
    broken()
    player.say("ready", table=table)
    player.until_may(table, "Choose")
    while player.tables[table]["view"]["round"]:
        broken()
        if choices := player.may(table, "Choose"):
            player.do(table, **choices[-1])
            player.settle(table)
    assert room.room.host(table).table.rounds == 1
    assert room.room.host(table).table.accounts() == 0
    player.do(table, "StandUp", seat=1)
    player.disconnect()


def test_what_others_did_meanwhile_is_told_in_order(room: Running) -> None:
    table = "caribbean-1"
    gone, other = room.guest().connect(), room.guest().connect()
    gone.look(table)
    other.look(table)
    gone.disconnect()
    other.sit(table, 4)
    other.bet(table)
    other.play(table)
    names = [each["event"]["event"] for told in back(gone, table) for each in told["events"]]
    assert names.index("PlayerSat") < names.index("WagersPlaced") < names.index("RoundEnded")
    other.do(table, "StandUp", seat=4)
    for each in (gone, other):
        each.disconnect()


@pytest.mark.parametrize("after", [0, -1, 10**9])
def test_who_missed_too_much_is_told_how_the_table_stands(room: Running, after: int) -> None:
    player = room.guest().connect()
    player.watch("ride-1", after)
    assert player.hear()["type"] == "table"
    player.disconnect()


def test_a_version_in_the_middle_of_a_command_is_no_place_to_go_on_from(room: Running) -> None:
    player = room.guest().connect()
    player.look("ride-1")
    player.sit("ride-1", 5)
    player.bet("ride-1")
    player.play("ride-1")
    player.settle("ride-1")
    several = next(
        each
        for each in player.heard
        if each["type"] == "happened" and each["version"] - each["from"] > 1
    )
    player.watch("ride-1", several["from"] + 1)
    assert player.hear()["type"] == "table"
    player.do("ride-1", "StandUp", seat=5)
    player.disconnect()


def test_a_room_that_closes_says_so_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """In the middle of a round: the hand, the chips and the session are there again."""
    table = "uth-1"
    with running(tmp_path) as first:
        player = first.guest().connect()
        player.look(table)
        player.sit(table, 3)
        player.bet(table)
        player.until_may(table, "Choose")
        before = player.tables[table]
        assert first.room.password
    with pytest.raises(ConnectionClosed) as closed:
        player.until(lambda heard: False)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1001
    with running(tmp_path) as second:
        assert second.room.password is None
        again = Player(second, second.client(), player.me)
        again.client.cookies.update(player.client.cookies)
        again.connect()
        after = again.look(table)
        assert lasting(after["view"]) == lasting(before["view"])
        assert after["view"]["you"]["bank"] == 1_000_00 - 500_00
        assert again.play(table) == 1
        again.disconnect()


@pytest.mark.parametrize(
    ("table", "verbs"),
    [
        ("uth-1", ["check", "check", "fold"]),
        ("caribbean-1", ["fold"]),
        ("ride-1", ["ride", "ride"]),
        ("pikit-1", ["pick", "fold"]),
    ],
)
def test_when_time_runs_out_the_house_acts_as_posted(
    tmp_path: Path, table: str, verbs: list[str]
) -> None:
    with running(tmp_path, decision_seconds=1) as room:
        absent, watching = room.guest().connect(), room.guest().connect()
        absent.look(table)
        watching.look(table)
        absent.sit(table, 2)
        watching.do(table, "SitDown", seat=3, chips=100_00)  # waits for the next round
        watching.say("ready", table=table)
        absent.bet(table, optional=True)  # with the bonus three cards are picked at Pik-It
        absent.until_may(table, "Choose")
        assert absent.tables[table]["clocks"]["decision_ends"]
        absent.disconnect()
        watching.until(
            lambda heard: any(x["event"]["event"] == "RoundEnded" for x in heard.get("events", ()))
        )
        late = [
            (told["actor"], each["event"]["verb"])
            for told in watching.heard
            for each in told.get("events", ())
            if each["event"]["event"] == "ChoiceMade"
        ]
        who = f"system for {absent.name}: time ran out"
        assert late == [(who, verb) for verb in verbs]
        assert watching.tables[table]["view"]["seats"][1] == absent.name
        watching.disconnect()


def test_a_player_alone_is_not_timed(tmp_path: Path) -> None:
    table = "pikit-1"
    with running(tmp_path, decision_seconds=1, betting_seconds=1) as room:
        alone, watching = room.guest().connect(), room.guest().connect()
        for each in (alone, watching):
            each.look(table)
        alone.sit(table, 2)
        alone.bet(table, ready=False)
        time.sleep(1.5)
        alone.sync()
        assert alone.may(table, "TakeBackWagers")
        alone.say("ready", table=table)
        alone.until_may(table, "Choose")
        time.sleep(1.5)
        watching.sync()
        assert watching.tables[table]["view"]["turn"] == 2
        assert watching.tables[table]["clocks"]["decision_ends"] is None
        watching.do(table, "SitDown", seat=1, chips=100_00)
        alone.until(lambda heard: _late(heard, alone.name))
        for each in (alone, watching):
            each.disconnect()


def _late(heard: dict[str, Any], name: str) -> bool:
    return bool(heard.get("actor") == f"system for {name}: time ran out")


def test_a_player_who_went_away_is_waited_for(room: Running) -> None:
    table = "pikit-1"
    absent, watching = room.guest().connect(), room.guest().connect()
    for each in (absent, watching):
        each.look(table)
    absent.sit(table, 2)
    absent.bet(table)
    absent.until_may(table, "Choose")
    absent.disconnect()
    time.sleep(1)
    watching.sync()
    assert watching.tables[table]["view"]["turn"] == 2
    back(absent, table)
    absent.play(table)
    absent.disconnect()
    watching.disconnect()
