"""Wrong messages by the hundred thousand: each gets a sentence, and nothing comes of any."""

from __future__ import annotations

import asyncio
import json
import random
import socket as plain
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from malformed import BODIES, Malformed, messages
from room_driver import Player, Running, running
from room_state import everything
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from croupier.room import socket
from croupier.room.door.guard import COOKIE, CSRF
from croupier.room.door.roles import Role

TABLE = "uth-1"
SOCKETS = 4
AT_ONCE = 100  # frames sent before the answers are read


@contextmanager
def in_the_middle_of_a_round(data: Path) -> Iterator[tuple[Running, list[Player]]]:
    """Two players, one of whom must decide; afterwards they play on as if nothing had been."""
    with running(data, decision_seconds=0) as room:  # the clock must not act meanwhile
        players = [room.guest().connect() for _ in range(2)]
        for seat, player in enumerate(players, 1):
            player.look(TABLE)
            player.sit(TABLE, seat)
        for player in players:
            player.bet(TABLE)
        players[0].until_may(TABLE, "Choose")
        before = everything(room)
        yield room, players
        assert everything(room) == before
        for player in players:
            player.look(TABLE)
        finish(players)
        for player in players:
            player.bet(TABLE)
        finish(players)
        rounds = [player.tables[TABLE]["view"]["rounds"] for player in players]
        assert rounds == [2, 2]
        for player in players:
            player.disconnect()


def finish(players: list[Player]) -> None:
    """Everybody checks or plays until the round is over."""
    before = players[0].tables[TABLE]["view"]["rounds"]
    while players[0].tables[TABLE]["view"]["rounds"] == before:
        for player in players:
            player.settle(TABLE)
            if choices := player.may(TABLE, "Choose"):
                player.do(TABLE, **choices[0])


# --- frames -------------------------------------------------------------------------------------


async def talk(room: Running, player: Player, wrong: Malformed, frames: int) -> Counter[str]:
    """Send so many wrong frames; how often each kind of answer came."""
    line = await connect(
        f"ws://{room.at}/ws",
        subprotocols=["croupier.1"],  # type: ignore[list-item]
        origin=room.origin,  # type: ignore[arg-type]
        max_size=None,
        compression=None,
    )
    await line.send(json.dumps({"type": "hello", "ticket": player.ticket()}))
    await line.recv()
    heard: Counter[str] = Counter()
    for start in range(0, frames, AT_ONCE):
        sent = min(AT_ONCE, frames - start)
        for _ in range(sent):
            await line.send(wrong.next())
        heard += await answers(line, sent)
    await line.close()
    return heard


async def answers(line: ClientConnection, count: int) -> Counter[str]:
    """Each is a refusal, and there is one for each frame, no more and no fewer."""
    heard: Counter[str] = Counter()
    await line.send('{"type":"ping","n":7}')
    while (said := json.loads(await asyncio.wait_for(line.recv(), 30)))["type"] != "pong":
        heard[said["type"]] += 1
        assert (said.get("refused") or said)["sentence"], said
    assert heard.total() == count
    return heard


# --- bodies -------------------------------------------------------------------------------------


def post(room: Running, player: Player, wrong: Malformed, bodies: int) -> Counter[int]:
    """So many wrong bodies to every address that reads one; how often each status came."""
    document = room.client().get("/openapi.json").json()
    reading = [
        path for path, of in document["paths"].items() if "requestBody" in of.get("post", {})
    ]
    assert len(reading) >= 6
    headers = {
        CSRF: player.me["csrf"],
        "Cookie": f"{COOKIE}={player.client.cookies[COOKIE]}",
        "Content-Type": "application/json",
    }
    statuses: Counter[int] = Counter()
    line = HTTPConnection(room.at, timeout=30)
    for path in reading:
        for _ in range(bodies // len(reading) + 1):
            body = wrong.next()
            line.request("POST", path, body.encode() if isinstance(body, str) else body, headers)
            answer = line.getresponse()
            said = answer.read()
            statuses[answer.status] += 1
            assert answer.status < 500, (path, body, said)
            if answer.status >= 400:
                assert json.loads(said)["error"]["sentence"]
    line.close()
    return statuses


@pytest.mark.parametrize(
    ("frames", "bodies"),
    [(1_000, 200), pytest.param(95_000, 6_000, marks=pytest.mark.slow)],
)
def test_whatever_is_said_nothing_comes_of_it_and_the_round_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frames: int, bodies: int
) -> None:
    """A socket would end after ten such frames; that it does, another test holds."""
    monkeypatch.setattr(socket, "MOST_WRONG", 10**9)
    with in_the_middle_of_a_round(tmp_path) as (room, players):

        async def all_at_once() -> list[Counter[str]]:
            return await asyncio.gather(
                *(
                    talk(room, players[n % 2], Malformed(n, messages(TABLE)), frames // SOCKETS)
                    for n in range(SOCKETS)
                )
            )

        heard = sum(asyncio.run(all_at_once()), Counter())
        assert heard.total() == frames // SOCKETS * SOCKETS
        assert min(heard["error"], heard["answer"]) > frames // 20
        statuses = post(room, players[0], Malformed(99, BODIES), bodies)
        assert statuses[400] > bodies // 2


def say_thirty(player: Player, wrong: Malformed) -> None:
    for _ in range(30):
        player.send(wrong.noise())
    player.until(lambda heard: False)


def test_with_its_usual_limits_the_room_ends_a_socket_and_lets_its_owner_come_again(
    tmp_path: Path,
) -> None:
    with in_the_middle_of_a_round(tmp_path) as (room, players):
        wrong = Malformed(5, messages(TABLE))
        for _ in range(20):
            came = Player(room, players[0].client, players[0].me).connect()
            with pytest.raises(ConnectionClosed) as closed:
                say_thirty(came, wrong)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == socket.POLICY
            came.disconnect()


# --- not even HTTP ------------------------------------------------------------------------------


def test_bytes_that_are_no_request_end_a_connection_and_no_more(tmp_path: Path) -> None:
    rng = random.Random(11)
    lawful = b"GET /api/tables HTTP/1.1\r\nHost: x\r\n\r\n"
    upgrade = (
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with in_the_middle_of_a_round(tmp_path) as (room, _):
        address = ("127.0.0.1", room.room.settings.port)
        for _ in range(300):
            text = bytearray(rng.choice((lawful, upgrade, rng.randbytes(80))))
            for _ in range(rng.randrange(6)):
                text[rng.randrange(len(text))] = rng.randrange(256)
            with plain.create_connection(address, 5) as line:
                line.sendall(bytes(text[: rng.randrange(1, len(text) + 1)]))
                line.shutdown(plain.SHUT_WR)
                line.settimeout(5)
                with suppress(ConnectionError):
                    told = line.recv(65_536)
                    assert not told.startswith(b"HTTP/1.1 5")
        assert room.client().get("/health").json()["well"] is True


def test_a_body_that_is_too_long_or_of_no_known_length_is_not_read(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        boss = room.staff(Role.OWNER)
        before = everything(room)
        long = boss.client.post(
            "/api/check", content=b"x" * 70_000, headers={CSRF: boss.me["csrf"]}
        )
        assert (long.status_code, long.json()["error"]["code"]) == (413, "TOO_LONG")
        streamed = boss.client.post(
            "/api/accounts",
            content=(b"[" * 1_000 for _ in range(70)),
            headers={CSRF: boss.me["csrf"]},
        )
        assert streamed.status_code == 413
        assert everything(room) == before
