"""How requests reach the room: framing, hosts, proxies, and what happens to an ended session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from raw_socket import RawSocket, ask, status
from room_driver import Player, Running, running
from websockets.exceptions import ConnectionClosed

from croupier.law.refused import Refused
from croupier.ledger.store import Unwritten
from croupier.room.door.guard import log
from croupier.room.door.roles import Role
from croupier.room.messages import Pong, no
from croupier.room.public import BROKEN, sentence_of


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


def people(room: Running) -> int:
    return len(room.room.people.register.look("SELECT name FROM people"))


# --- framing --------------------------------------------------------------------------------

SMUGGLED = "GET /health HTTP/1.1\nHost: {at}\n\n"
FORMS = {
    "both lengths": "Content-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n",
    "both lengths, other order": "Transfer-Encoding: chunked\nContent-Length: 4\n\n0\n\n",
    "both lengths, folded": "Transfer-Encoding:\n chunked\nContent-Length: 4\n\n0\n\n",
    "both lengths, HTTP/1.0 style": "Content-Length: 0\nTransfer-Encoding: CHUNKED\n\n0\n\n",
    "two lengths": "Content-Length: 2\nContent-Length: 3\n\n{}",
    "a list of lengths": "Content-Length: 2, 3\n\n{}",
    "a signed length": "Content-Length: +2\n\n{}",
    "a hexadecimal length": "Content-Length: 0x2\n\n{}",
    "two encodings": "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n",
    "a list of encodings": "Transfer-Encoding: chunked, identity\n\n0\n\n",
    "an unknown encoding": "Transfer-Encoding: xchunked\n\n0\n\n",
    "a space before the colon": "Transfer-Encoding : chunked\n\n0\n\n",
    "a control character": "Transfer-Encoding: \x0bchunked\n\n0\n\n",
    "a chunk length that is none": "Transfer-Encoding: chunked\n\n-1\n\n",
    "two hosts": "Host: evil.example\nContent-Length: 2\n\n{}",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_request_with_a_doubtful_end_is_refused_and_its_connection_closed(
    room: Running, form: str
) -> None:
    before = people(room)
    head = f"POST /api/guest HTTP/1.1\nHost: {room.at}\n"
    answer = ask(room, head + FORMS[form] + SMUGGLED.replace("{at}", room.at))
    assert status(answer) == 400
    assert answer.count(b"HTTP/1.1 ") == 1, "what follows is no request"
    assert people(room) == before


def test_a_sentence_says_why_both_lengths_are_refused(room: Running) -> None:
    answer = ask(room, f"POST /api/guest HTTP/1.1\nHost: {room.at}\n{FORMS['both lengths']}")
    said = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
    assert said["sentence"] == "A request has a Content-Length or a Transfer-Encoding, not both."


# --- hosts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.:{port}"])
def test_a_request_to_another_host_is_refused(room: Running, host: str) -> None:
    called = host.replace("{port}", room.at.rpartition(":")[2])
    answer = ask(room, f"GET /health HTTP/1.1\nHost: {called}\n\n")
    assert status(answer) == 421
    assert b"The room is not known by this name" in answer
    answer = RawSocket(room, Host=called).answer
    assert status(answer) == 421


def test_a_request_without_a_host_is_refused(room: Running) -> None:
    assert status(ask(room, "GET /health HTTP/1.0\n\n")) == 421
    assert status(ask(room, "GET /health HTTP/1.1\n\n")) == 400


def test_a_request_for_a_whole_address_finds_nothing_elsewhere(room: Running) -> None:
    answer = ask(
        room, f"GET http://evil.example/health HTTP/1.1\nHost: {room.at}\nConnection: close\n\n"
    )
    assert status(answer) == 404


@pytest.mark.parametrize(
    "path", ["/static/%00", "/static/..%2f..%2fapp.py", "/static/" + "x" * 900]
)
def test_a_file_that_cannot_be_is_not_found(room: Running, path: str) -> None:
    answer = ask(room, f"GET {path} HTTP/1.1\nHost: {room.at}\nConnection: close\n\n")
    assert status(answer) == 404
    assert b"croupier/" not in answer


# --- proxies --------------------------------------------------------------------------------

FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}


def noted(caplog: pytest.LogCaptureFixture) -> set[str]:
    refusals = [each for each in caplog.records if each.name == log.name]
    return {json.loads(each.getMessage())["address"] for each in refusals}


def forwarded(room: Running, caplog: pytest.LogCaptureFixture) -> tuple[set[str], str]:
    """As whom a request counts, and the cookie it gets."""
    with room.client() as client:
        client.get("/api/accounts", headers=FORWARDED)
        cookie = client.post("/api/guest", json={}, headers=FORWARDED).headers["Set-Cookie"]
    return noted(caplog), cookie


def test_forwarded_headers_are_not_trusted_from_anybody(
    room: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # which uvicorn would read
    addresses, cookie = forwarded(room, caplog)
    assert addresses == {"127.0.0.1"}
    assert "Secure" not in cookie


@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.0/8"])
def test_forwarded_headers_are_trusted_from_a_proxy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, proxy: str
) -> None:
    with running(tmp_path, proxies=(proxy,)) as room:
        addresses, cookie = forwarded(room, caplog)
        assert addresses == {"203.0.113.7"}
        assert "Secure" in cookie


def test_forwarded_headers_are_not_trusted_from_other_addresses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path, proxies=("10.0.0.0/8",)) as room:
        addresses, _ = forwarded(room, caplog)
        assert addresses == {"127.0.0.1"}


# --- sessions that end ----------------------------------------------------------------------


def closed(player: Player) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as end:
        player.until(lambda heard: False)
    assert end.value.rcvd
    return end.value.rcvd.code, end.value.rcvd.reason


def on_loop(room: Running, act: Any, *args: object) -> None:
    host = next(iter(room.room.hosts.values()))
    assert host._task
    host._task.get_loop().call_soon_threadsafe(act, *args)


def test_the_sockets_of_a_session_can_be_closed(room: Running) -> None:
    player, other = room.guest(), room.guest().connect()
    tabs = [Player(room, player.client, player.me).connect() for _ in range(2)]
    ids = {each.session.id for each in room.room.connections.of_name(player.name)}
    assert len(ids) == 1
    on_loop(room, room.room.connections.close_session, ids.pop())
    for tab in tabs:
        assert closed(tab) == (1008, "The session has ended.")
    other.sync()
    assert not room.room.connections.of_name(player.name)
    other.disconnect()


def test_the_sockets_of_a_person_can_be_closed_with_a_sentence(room: Running) -> None:
    player, other = room.guest().connect(), room.guest().connect()
    player.look("uth-1")
    on_loop(room, room.room.connections.close_name, player.name, "This account is disabled.")
    assert closed(player) == (1008, "This account is disabled.")
    other.sync()
    other.disconnect()


# --- errors ---------------------------------------------------------------------------------

INTERNAL = "/srv/croupier/croupier.db: near 'SELECT secret FROM people': syntax error"


@pytest.mark.parametrize(
    "wrong",
    [RuntimeError(INTERNAL), OverflowError(INTERNAL), KeyError(INTERNAL), Refused(INTERNAL)],
)
@pytest.mark.parametrize("kind", ["preview", "watch", "command"])
def test_an_exception_is_one_error_with_the_id_and_the_socket_stays_usable(
    room: Running,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    wrong: Exception,
) -> None:
    boss, other = room.staff(Role.SUPERVISOR).connect(), room.guest().connect()
    host = room.room.host("ride-1")

    def fails(*_: object) -> None:
        raise wrong

    with monkeypatch.context() as broken:
        broken.setattr(host, "perform" if kind == "command" else kind, fails)
        fields: dict[str, object] = {"table": "ride-1"}
        if kind != "watch":
            fields |= {"id": "x1", "do": {"name": "FillInventory"}}
        boss.say(kind, **fields)
        heard = boss.hear()
    assert heard["type"] == "error"
    assert heard["id"] == fields.get("id")
    assert heard["sentence"] == BROKEN
    assert len([each for each in caplog.records if each.levelname == "ERROR"]) == 1
    boss.look("ride-1")
    other.look("ride-1")
    boss.disconnect()
    other.disconnect()


def test_a_message_that_cannot_be_encoded_ends_one_connection_only(room: Running) -> None:
    player, other = room.guest().connect(), room.guest().connect()
    for each in (player, other):
        each.look("uth-2")
    (found,) = room.room.connections.of_name(player.name)
    on_loop(room, found.tell, Pong(object()))  # type: ignore[arg-type, attr-defined]
    assert closed(player)[0] == 1011
    other.sit("uth-2", 1)
    other.do("uth-2", "StandUp", seat=1)
    other.disconnect()


@pytest.mark.parametrize(
    "sentence",
    [
        INTERNAL,
        "/srv/croupier-data/croupier.db cannot be read: disk I/O error.",
        "The database cannot be read: connection to server failed.",
        "C:\\room\\croupier.db is locked.",
    ],
)
def test_no_sentence_about_the_machine_reaches_a_client(sentence: str) -> None:
    assert no(Refused(sentence)).sentence == BROKEN


@pytest.mark.parametrize(
    "sentence", ["There is no table 'uth-9'.", "Trips pays 3/2.", "Enter $5, $10 or $15."]
)
def test_other_sentences_are_told_as_they_are(sentence: str) -> None:
    assert sentence_of(Refused(sentence)) == sentence


def test_a_store_that_cannot_write_is_told_in_one_sentence() -> None:
    told = sentence_of(Unwritten(INTERNAL))
    assert told == Unwritten(INTERNAL).sentence
    assert INTERNAL not in told


def test_an_exception_in_an_endpoint_tells_nothing(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = room.guest()

    def fails(_: str) -> None:
        raise RuntimeError(INTERNAL)

    monkeypatch.setattr(room.room, "standing", fails)
    monkeypatch.setattr(room.room.bank, "holds", fails)
    answer = player.client.get("/api/me")
    assert answer.status_code == 500
    assert "SELECT" not in answer.text
    assert "/srv" not in answer.text


def test_an_unfinished_answer_of_another_kind_is_closed(room: Running) -> None:
    """A bad chunk after the answer has begun: no exception reaches the event loop."""
    with_body = f"POST /api/guest HTTP/1.1\nHost: {room.at}\nTransfer-Encoding: chunked\n\n"
    answer = ask(room, with_body + "2\n{}\n0\n\nnonsense\n\n")
    assert status(answer) == 200
    assert b"400 Bad Request" in answer
