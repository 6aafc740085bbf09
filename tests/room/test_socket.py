"""A round of every game over a real socket; duplicates; who may say what; nothing breaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import ALL_BOOKS
from room_driver import Player, Running, running
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.room.door.roles import Role

TABLES = ("uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture
def player(room: Running) -> Iterator[Player]:
    """Somebody at the rail; whatever seats he takes are free again afterwards."""
    came = room.guest().connect()
    yield came
    came.disconnect()


def leave(player: Player, table: str) -> None:
    for seat in player.tables[table]["view"]["you"]["seats"]:
        player.do(table, "StandUp", seat=seat)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("which", [0, -1], ids=["first choice", "last choice"])
def test_a_round_is_played_over_the_socket(player: Player, table: str, which: int) -> None:
    before = player.look(table)["view"]["rounds"]
    player.sit(table, 2)
    player.bet(table, optional=which == 0)
    number = player.play(table, lambda choices: choices[which])
    view = player.tables[table]["view"]
    assert number == before + 1 == view["rounds"]
    leave(player, table)
    assert player.tables[table]["view"]["seats"][1] == ""


def test_versions_follow_each_other_without_a_gap_and_every_event_has_its_own(
    player: Player,
) -> None:
    table = "uth-1"
    at = player.look(table)["version"]
    player.sit(table, 3)
    player.bet(table)
    player.play(table)
    for heard in player.heard:
        if heard["type"] == "happened":
            assert heard["from"] == at
            at = heard["version"]
            assert [each["version"] for each in heard["events"]] == list(
                range(heard["from"] + 1, at + 1)
            )
            assert all(each["sentence"] for each in heard["events"])
            assert heard["view"]["version"] == at
    leave(player, table)


def test_the_same_command_again_gets_the_same_answer_and_acts_once(player: Player) -> None:
    table = "ride-1"
    player.look(table)
    first = player.ask(table, "SitDown", "again", seat=4, chips=900_00)
    second = player.ask(table, "SitDown", "again", seat=4, chips=900_00)
    assert first is second is None
    player.sync()
    you = player.tables[table]["view"]["you"]
    assert (you["seats"], you["chips"], you["bank"]) == ([4], 900_00, 100_00)
    refused = player.ask(table, "BuyChips", "too much", amount=200_00)
    assert refused
    assert refused["code"] == "NOT_ENOUGH_CHIPS"
    assert player.ask(table, "BuyChips", "too much", amount=200_00) == refused
    other = player.ask(table, "BuyChips", "again", amount=1_00)
    assert other
    assert "given to another command" in other["sentence"]
    leave(player, table)


def test_what_the_table_refuses_comes_with_its_sentence_and_clause(player: Player) -> None:
    player.look("caribbean-1")
    refused = player.ask("caribbean-1", "PlaceWagers", seat=1, wagers={"ante": 5_00})
    assert refused
    assert refused["code"] == "ONLY_SEATED_PLAYERS_WAGER"
    assert refused["clause"]


def test_a_player_speaks_for_nobody_else(room: Running, player: Player) -> None:
    other = room.guest().connect()
    table = "pikit-1"
    other.look(table)
    other.sit(table, 1)
    player.look(table)
    refused = player.ask(table, "StandUp", seat=1)
    assert refused
    assert refused["code"] == "NOT_YOUR_SEAT"
    forged = {"role": "player", "player": other.name}
    refused = player.ask(table, "StandUp", seat=1, by=forged)
    assert refused
    assert refused["code"] == "MALFORMED"
    leave(other, table)
    other.disconnect()


@pytest.mark.parametrize("name", ["RemoveDeck", "ShuffleDeck", "DealHands", "OpenTable", "", 7])
def test_a_player_gives_no_orders_of_the_house(player: Player, name: Any) -> None:
    player.say("command", id=f"order {name}", table="uth-1", do={"name": name, "colour": "red"})
    answer = player.until(lambda heard: heard["type"] == "answer")
    assert answer["refused"]["code"] in ("NOT_THIS_ROLE", "NO_SUCH_COMMAND")


def test_a_supervisor_rules_previews_and_pauses_but_does_not_play(room: Running) -> None:
    boss = room.staff(Role.SUPERVISOR).connect()
    table = "uth-1"
    assert boss.look(table)["options"] == []
    refused = boss.ask(table, "SitDown", seat=1, chips=100_00)
    assert refused
    assert refused["code"] == "NOT_THIS_ROLE"
    version = room.room.host(table).version
    boss.say("preview", id="p", table=table, do={"name": "FillInventory", "amount": 100_00})
    shown = boss.until(lambda heard: heard["type"] == "preview")
    assert shown["refused"] is None
    assert [each["event"]["event"] for each in shown["events"]] == ["InventoryFilled"]
    assert room.room.host(table).version == version
    boss.do(table, "FillInventory", amount=100_00)
    last = next(each for each in reversed(boss.heard) if each["type"] == "happened")
    assert last["actor"] == f"supervisor {boss.name}"
    boss.say("pause", table=table)
    assert boss.until(lambda heard: heard["type"] == "table")["clocks"]["paused"]
    guest = room.guest().connect()
    guest.look(table)
    guest.sit(table, 1)
    guest.bet(table)
    guest.settle(table)
    assert not guest.tables[table]["view"]["round"]["closed"]
    boss.say("resume", table=table)
    guest.play(table)
    leave(guest, table)
    guest.disconnect()
    boss.disconnect()


@pytest.mark.parametrize("device", ["shuffler", "shoe"])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_table_stops_before_a_device_works_so_that_its_jam_can_be_reported(
    room: Running, book: str, device: str
) -> None:
    house = {
        "rulebook": book,
        "dealing": "automated shoe",
        "shuffling": "automated",
        "decks": ["red", "blue"],
    }
    guest, boss = room.guest().connect(), room.staff(Role.SUPERVISOR).connect()
    table = guest.post("/api/tables", {"house": house}).json()["id"]
    guest.look(table)
    boss.look(table)
    guest.sit(table, 1)
    assert boss.ask(table, "ReportJam", device=device), "it stands still, nobody sees it jam"
    boss.say("pause", table=table, at=device)
    told = boss.until(lambda heard: heard["type"] == "table")["clocks"]
    assert (told["paused"], told["stops_at"]) == (False, device)
    guest.bet(table)
    if device == "shuffler":
        guest.play(table)
    boss.until(lambda heard: heard["type"] == "table" and heard["clocks"]["paused"])
    boss.do(table, "ReportJam", device=device)
    ruled = next(each for each in reversed(boss.heard) if each["type"] == "happened")["events"]
    assert ruled[0]["event"]["kind"] == f"{device} jam"
    assert ruled[0]["clause"]
    boss.say("resume", table=table)
    boss.sync()
    guest.settle(table)
    assert not room.room.host(table).pace.stops_at
    if device == "shoe":
        assert guest.tables[table]["view"]["chips"][guest.name] == 500_00, "nobody lost by it"
    guest.bet(table)
    guest.play(table)
    leave(guest, table)
    guest.disconnect()
    boss.disconnect()


MALFORMED = [
    "",
    "null",
    "[]",
    "{",
    '{"type":"watch"}',
    '{"type":"watch","table":7}',
    '{"type":"nothing"}',
    '{"type":"command","id":"x","table":"uth-1","do":7}',
    '{"type":"hello","ticket":"again"}',
    '{"type":"watch","table":"nowhere"}',
    '{"type":"pause","table":"uth-1"}',
    '{"type":"ping","n":1,"more":2}',
    "[" * 10_000,
    '{"type":"ping","n":' + "9" * 5_000 + "}",
    b"\x00\x01",
    "\ud83c\udccf".encode("utf-16", "surrogatepass").decode("utf-16"),
]


@pytest.mark.parametrize("frame", MALFORMED, ids=range(len(MALFORMED)))
def test_a_frame_that_cannot_be_understood_gets_a_sentence_and_harms_nothing(
    player: Player, frame: str | bytes
) -> None:
    player.send(frame)
    assert player.hear()["type"] == "error"
    player.say("ping", n=3)
    assert player.hear() == {"type": "pong", "n": 3}


BAD_FIELDS: list[dict[str, Any]] = [
    {"name": "SitDown"},
    {"name": "SitDown", "seat": "1"},
    {"name": "SitDown", "seat": 99, "chips": 1},
    {"name": "SitDown", "seat": 1, "chips": -5},
    {"name": "SitDown", "seat": 1, "chips": 10**30},
    {"name": "SitDown", "seat": 10**30},
    {"name": "SitDown", "seat": 1.5},
    {"name": "PlaceWagers", "seat": 1, "wagers": {"ante": -1}},
    {"name": "Choose", "seat": 1, "verb": "\u0000"},
    {"name": "Choose", "seat": 1, "verb": "x" * 15_000},
    {"name": "AddEntropy", "entropy": "x" * 500},
]


@pytest.mark.parametrize("do", BAD_FIELDS, ids=range(len(BAD_FIELDS)))
def test_a_command_with_bad_fields_is_refused_in_a_sentence(
    player: Player, do: dict[str, Any]
) -> None:
    player.look("uth-1")
    version = player.tables["uth-1"]["version"]
    player.say("command", id="bad", table="uth-1", do=do)
    answer = player.until(lambda heard: heard["type"] == "answer")
    assert answer["refused"]["sentence"]
    assert answer["version"] == version


def test_ten_misunderstandings_in_a_minute_end_the_socket(player: Player) -> None:
    for _ in range(10):
        player.send("?")
    with pytest.raises(ConnectionClosed) as closed:
        player.until(lambda heard: False)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1008


def test_a_frame_that_is_too_long_ends_the_socket(player: Player) -> None:
    player.send("x" * 20_000)
    with pytest.raises(ConnectionClosed) as closed:
        player.until(lambda heard: False)
    assert closed.value.sent or closed.value.rcvd


def opened(room: Running, **more: Any) -> Any:
    usual = {"origin": room.origin, "subprotocols": ["croupier.1"]}
    return connect(f"ws://{room.at}/ws", **{**usual, **more})


def test_a_ticket_opens_one_socket(room: Running) -> None:
    ticket = json.dumps({"type": "hello", "ticket": room.guest().ticket()})
    with opened(room) as first:
        first.send(ticket)
        assert json.loads(first.recv(5))["type"] == "welcome"
    with opened(room) as second:
        second.send(ticket)
        assert json.loads(second.recv(5))["type"] == "error"
        with pytest.raises(ConnectionClosed):
            second.recv(5)


def test_nobody_watches_without_a_hello(room: Running) -> None:
    with opened(room) as socket:
        socket.send('{"type":"watch","table":"uth-1","after":null}')
        assert json.loads(socket.recv(5))["type"] == "error"
        with pytest.raises(ConnectionClosed):
            socket.recv(5)


@pytest.mark.parametrize("more", [{"origin": "http://elsewhere.example"}, {"subprotocols": None}])
def test_other_sites_and_other_protocols_open_no_socket(
    room: Running, more: dict[str, Any]
) -> None:
    with pytest.raises(Exception, match="403"), opened(room, **more):
        pass
