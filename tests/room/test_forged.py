"""What was captured, forged, replayed or smuggled in: no effect, and one clear sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest
from room_driver import Player, Running, running
from room_state import everything
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from croupier.room import socket
from croupier.room.door.guard import COOKIE, CSRF
from croupier.room.door.roles import Role

TABLE = "ride-1"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture
def victim(room: Running) -> Iterator[Player]:
    """Seated, with a wager down that could be taken back."""
    yield from seated(room)


@pytest.fixture
def thief(room: Running) -> Iterator[Player]:
    """Somebody else, at the rail of the same table."""
    came = room.guest().connect()
    came.look(TABLE)
    yield came
    came.disconnect()


def seated(room: Running) -> Iterator[Player]:
    came = room.guest().connect()
    came.look(TABLE)
    came.sit(TABLE, 1)
    came.bet(TABLE, ready=False)
    came.settle(TABLE)
    yield came
    if came.socket is None:
        came.connect()
    came.look(TABLE)
    came.do(TABLE, "TakeBackWagers", seat=1)
    came.do(TABLE, "StandUp", seat=1)
    came.disconnect()


@contextmanager
def nothing_happens(room: Running) -> Iterator[None]:
    before = everything(room)
    yield
    assert everything(room) == before


def line(room: Running, **more: Any) -> ClientConnection:
    usual = {"origin": room.origin, "subprotocols": ["croupier.1"]}
    return connect(f"ws://{room.at}/ws", **{**usual, **more})


def hello(room: Running, ticket: str) -> dict[str, Any]:
    """What a ticket is answered with."""
    with line(room) as opened:
        opened.send(json.dumps({"type": "hello", "ticket": ticket}))
        said: dict[str, Any] = json.loads(opened.recv(5))
        return said


def refused(answer: httpx2.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["sentence"].endswith(".")


# --- tickets and cookies ------------------------------------------------------------------------


def test_a_captured_ticket_opens_nothing_once_it_was_used(room: Running, thief: Player) -> None:
    ticket = thief.ticket()
    assert hello(room, ticket)["type"] == "welcome"
    with nothing_happens(room):
        again = hello(room, ticket)
        assert again["type"] == "error"
        assert again["sentence"] == "This ticket opens nothing: get another."


def test_of_many_who_use_one_ticket_at_once_one_comes_in(room: Running, thief: Player) -> None:
    ticket, heard = thief.ticket(), list[str]()
    threads = [Thread(target=lambda: heard.append(hello(room, ticket)["type"])) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(heard) == ["error"] * 7 + ["welcome"]


def test_a_ticket_dies_with_its_session(room: Running) -> None:
    guest = room.guest()
    ticket = guest.ticket()
    assert guest.post("/api/logout").status_code == 204
    with nothing_happens(room):
        assert hello(room, ticket)["type"] == "error"


@pytest.mark.parametrize("ticket", ["", "x", "\0", "' OR 1=1 --", "a" * 5_000, "\ud83c\udccf"])
def test_a_forged_ticket_opens_nothing(room: Running, ticket: str) -> None:
    with nothing_happens(room):
        assert hello(room, ticket)["type"] == "error"


def test_the_cookie_of_an_ended_session_is_nobodys(room: Running) -> None:
    guest = room.guest()
    cookie, token = guest.client.cookies[COOKIE], guest.me["csrf"]
    guest.post("/api/logout")
    stolen = httpx2.Client(base_url=room.origin, cookies={COOKIE: cookie})
    with nothing_happens(room):
        refused(stolen.get("/api/me"), 401, "WHO_ARE_YOU")
        body = {"house": {"rulebook": "nj-let-it-ride"}}
        refused(stolen.post("/api/tables", json=body, headers={CSRF: token}), 401, "WHO_ARE_YOU")


def test_the_socket_of_an_ended_session_is_closed(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "CHECK_SECONDS", 0.05)
    guest = room.guest().connect()
    guest.look(TABLE)
    guest.post("/api/logout")
    with nothing_happens(room), pytest.raises(ConnectionClosed) as closed:
        guest.until(lambda heard: False)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == socket.POLICY


@pytest.mark.parametrize("cookie", ["", "x", "%00", "a" * 4_000, "../../x", '"', "; x=y"])
def test_a_forged_cookie_is_nobodys(room: Running, cookie: str) -> None:
    with nothing_happens(room):
        answer = httpx2.get(f"{room.origin}/api/me", headers={"Cookie": f"{COOKIE}={cookie}"})
        refused(answer, 401, "WHO_ARE_YOU")


# --- tokens and origins -------------------------------------------------------------------------


def test_the_token_of_an_earlier_session_changes_nothing(room: Running) -> None:
    guest = room.guest()
    stale = guest.me["csrf"]
    guest.post("/api/logout")
    guest.me = guest.client.post("/api/guest", json={}).json()
    body = {"house": {"rulebook": "nj-let-it-ride"}}
    with nothing_happens(room):
        for token in (stale, "", guest.me["csrf"][:-1], guest.me["csrf"] + "x"):
            answer = guest.client.post("/api/tables", json=body, headers={CSRF: token})
            refused(answer, 403, "WRONG_TOKEN")
        answer = guest.client.post("/api/tables", json={**body, "csrf": guest.me["csrf"]})
        refused(answer, 403, "WRONG_TOKEN")
    assert guest.post("/api/tables", body).status_code == 201


def test_the_token_of_somebody_else_changes_nothing(room: Running, thief: Player) -> None:
    other = room.guest()
    with nothing_happens(room):
        answer = thief.client.post("/api/ticket", headers={CSRF: other.me["csrf"]})
        refused(answer, 403, "WRONG_TOKEN")


ELSEWHERE = ["http://elsewhere.example", "null", "", "http://127.0.0.1", "https://127.0.0.1:1"]


@pytest.mark.parametrize("origin", ELSEWHERE)
def test_a_page_from_elsewhere_changes_nothing(room: Running, thief: Player, origin: str) -> None:
    headers = {CSRF: thief.me["csrf"], "Origin": origin}
    with nothing_happens(room):
        for path in ("/api/guest", "/api/logout", "/api/ticket", "/api/tables"):
            answer = thief.client.post(path, json={}, headers=headers)
            refused(answer, 403, "WRONG_ORIGIN")


@pytest.mark.parametrize("origin", [*ELSEWHERE, None])
def test_a_page_from_elsewhere_opens_no_socket(room: Running, origin: str | None) -> None:
    with nothing_happens(room), pytest.raises(InvalidStatus, match="403"):
        line(room, origin=origin)


# --- commands -----------------------------------------------------------------------------------


def test_a_command_replayed_by_its_sender_acts_once_also_after_he_came_again(
    room: Running, victim: Player
) -> None:
    assert victim.ask(TABLE, "BuyChips", "bought", amount=100_00) is None
    with nothing_happens(room):
        assert victim.ask(TABLE, "BuyChips", "bought", amount=100_00) is None
        victim.disconnect()
        victim.connect()
        victim.look(TABLE)
        assert victim.ask(TABLE, "BuyChips", "bought", amount=100_00) is None
        other = victim.ask(TABLE, "BuyChips", "bought", amount=200_00)
        assert other
        assert "given to another command" in other["sentence"]


def test_a_command_replayed_after_the_room_closed_and_opened_acts_once(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player = room.guest().connect()
        cookies, me = dict(player.client.cookies), player.me
        player.look(TABLE)
        assert player.ask(TABLE, "SitDown", "sat", seat=2, chips=300_00) is None
        player.disconnect()
    with running(tmp_path) as room:
        client = httpx2.Client(base_url=room.origin, cookies=cookies)
        player = Player(room, client, me).connect()
        player.look(TABLE)
        player.settle(TABLE)
        with nothing_happens(room):
            assert player.ask(TABLE, "SitDown", "sat", seat=2, chips=300_00) is None
            refusal = player.ask(TABLE, "SitDown", "sat", seat=3, chips=300_00)
            assert refusal
            assert "given to another command" in refusal["sentence"]
        player.disconnect()


def test_a_command_captured_from_another_does_nothing_for_who_sends_it(
    room: Running, victim: Player, thief: Player
) -> None:
    bought = {"name": "BuyChips", "amount": 100_00}
    assert victim.ask(TABLE, **bought, command_id="captured") is None
    with nothing_happens(room):
        refusal = thief.ask(TABLE, **bought, command_id="captured")
        assert refusal
        assert "given to another command" in refusal["sentence"]


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("StandUp", {"seat": 1}, "NOT_YOUR_SEAT"),
        ("TakeBackWagers", {"seat": 1}, "NOT_YOUR_SEAT"),
        ("PlaceWagers", {"seat": 1, "wagers": {"bet 1": 5_00}}, ""),
        ("SitDown", {"seat": 1, "chips": 100_00}, ""),
        ("Choose", {"seat": 1, "verb": "ride"}, ""),
    ],
)
def test_nobody_acts_for_another_s_seat(
    room: Running, victim: Player, thief: Player, name: str, fields: dict[str, Any], code: str
) -> None:
    with nothing_happens(room):
        refusal = thief.ask(TABLE, name, **fields)
        assert refusal
        assert refusal["sentence"]
        assert code in ("", refusal["code"])
        assert victim.name in room.room.host(TABLE).table.seats


FORGED: list[Any] = [
    {"role": "player", "player": "VICTIM"},
    {"role": "supervisor", "player": ""},
    {"role": "dealer", "player": ""},
    "VICTIM",
    None,
]


@pytest.mark.parametrize("by", FORGED)
def test_who_speaks_is_never_what_the_message_says(
    room: Running, victim: Player, thief: Player, by: Any
) -> None:
    named = json.loads(json.dumps(by).replace("VICTIM", victim.name))
    with nothing_happens(room):
        refusal = thief.ask(TABLE, "StandUp", seat=1, by=named)
        assert refusal
        assert refusal["code"] == "MALFORMED"
        thief.say("command", id="f", table=TABLE, do={"name": "StandUp", "seat": 1}, by=named)
        assert thief.until(lambda heard: heard["type"] == "error")["sentence"]


@pytest.mark.parametrize("type", ["type", "tag"])
def test_a_command_is_what_its_name_says_and_nothing_else(
    room: Running, thief: Player, type: str
) -> None:
    with nothing_happens(room):
        refusal = thief.ask(TABLE, "StandUp", seat=1, **{type: "FillInventory"})
        assert refusal
        assert refusal["code"] == "MALFORMED"


ORDERS = {
    "OrderRecut": {},
    "RemoveDeck": {"colour": "red"},
    "RemoveDevice": {"device": "shuffler"},
    "InstallDevice": {"device": "shuffler"},
    "ChangeMethod": {"shuffling": "manual", "dealing": "hand"},
    "FillInventory": {"amount": 100_00},
    "ReportJam": {},
    "ReportWrongNumber": {},
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_player_gives_no_supervisors_orders(
    room: Running, victim: Player, thief: Player, name: str
) -> None:
    with nothing_happens(room):
        for player in (victim, thief):
            refusal = player.ask(TABLE, name, **ORDERS[name])
            assert refusal
            assert refusal["code"] == "NOT_THIS_ROLE"


@pytest.mark.parametrize("type", ["pause", "resume", "preview"])
def test_a_player_says_nothing_that_is_a_supervisors_to_say(
    room: Running, thief: Player, type: str
) -> None:
    more = {"id": "p", "do": {"name": "FillInventory", "amount": 1}} if type == "preview" else {}
    with nothing_happens(room):
        thief.say(type, table=TABLE, **more)
        said = thief.until(lambda heard: heard["type"] == "error")["sentence"]
        assert said == f"To {type} is not for the player."


def test_an_auditor_looks_and_acts_nowhere(room: Running, victim: Player) -> None:
    auditor = room.staff(Role.AUDITOR).connect()
    auditor.look(TABLE)
    with nothing_happens(room):
        for name, fields in {**ORDERS, "SitDown": {"seat": 2, "chips": 0}}.items():
            refusal = auditor.ask(TABLE, name, **fields)
            assert refusal
            assert refusal["code"] == "NOT_THIS_ROLE"
        for type in ("ready", "pause", "resume"):
            auditor.say(type, table=TABLE)
            assert auditor.until(lambda heard: heard["type"] == "error")["sentence"]
    auditor.disconnect()


def test_ready_is_said_for_oneself_only(room: Running, victim: Player, thief: Player) -> None:
    """The wagering player has not said it: the cards stay in the shoe."""
    with nothing_happens(room):
        for _ in range(3):
            thief.say("ready", table=TABLE)
        thief.settle(TABLE)
        assert not room.room.host(TABLE).table.now.closed


def test_frames_of_a_whole_evening_replayed_by_another_change_nothing(
    room: Running, victim: Player, thief: Player
) -> None:
    """Everything the victim might have been heard saying, word for word."""
    said = [
        {"type": "command", "id": f"evening {n}", "table": TABLE, "do": do}
        for n, do in enumerate(
            [
                {"name": "BuyChips", "amount": 5_00},
                {"name": "TakeBackWagers", "seat": 1},
                {
                    "name": "PlaceWagers",
                    "seat": 1,
                    "wagers": {"bet 1": 5_00, "bet 2": 5_00, "bet 3": 5_00},
                },
            ]
        )
    ]
    for each in said:
        victim.send(json.dumps(each))
        answer = victim.until(lambda heard: heard["type"] == "answer")
        assert answer["refused"] is None, answer
    victim.settle(TABLE)
    with nothing_happens(room):
        for each in said:
            thief.send(json.dumps(each))
            answer = thief.until(lambda heard: heard["type"] == "answer")
            assert "given to another command" in answer["refused"]["sentence"]
