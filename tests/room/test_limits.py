"""What one client can take of the room is limited, and honest clients do not notice."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace
from raw_socket import RawSocket, ask, eventually, everything, is_closed, raw, status
from room_driver import UNHURRIED, Player, Running, running
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from croupier.room import metrics
from croupier.room.door.buckets import Buckets, Rate
from croupier.room.door.roles import Role
from croupier.room.limits import COSTS, Limits
from croupier.room.messages import AnySaid
from croupier.room.recent import Moment, Recent

TABLES = ("uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as opened:
        yield opened


def ended(player: Player) -> tuple[int, str]:
    """How the server closes the socket: code and sentence."""
    with pytest.raises(ConnectionClosed) as closed:
        player.until(lambda heard: False)
    assert closed.value.rcvd
    return closed.value.rcvd.code, closed.value.rcvd.reason


def delayed() -> float:
    return float(metrics.delayed._value.get())


# --- open sockets ---------------------------------------------------------------------------


def test_a_session_has_so_many_sockets_and_a_closed_one_makes_room(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, sockets_session=2)) as room:
        player = room.guest()
        tabs = [Player(room, player.client, player.me) for _ in range(3)]
        tabs[0].connect()
        tabs[1].connect()
        tabs[2].connect_only()
        assert tabs[2].hear()["sentence"].startswith("Too many connections of this session")
        assert ended(tabs[2])[0] == 1013
        tabs[0].disconnect()
        eventually(lambda: len(room.room.connections) == 1, "it stays counted")
        tabs[2].connect()
        tabs[2].sync()
        for tab in tabs[1:]:
            tab.disconnect()


@pytest.mark.parametrize("limit", ["sockets_address", "sockets"])
def test_an_address_and_a_room_have_so_many_sockets(tmp_path: Path, limit: str) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, **{limit: 2})) as room:
        silent = RawSocket(room)  # counts before it says hello
        player = room.guest().connect()
        other = RawSocket(room)
        refused = other.answer + everything(other.line)
        assert b'"type":"error","sentence":"T' in refused
        assert struct.pack("!H", 1013) + b"T" in refused
        silent.close()
        player.disconnect()


# --- messages -------------------------------------------------------------------------------


def test_messages_above_the_rate_are_delayed_and_none_is_lost(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, messages_player=Rate(200, 10))) as room:
        before = delayed()
        player = room.guest().connect()
        for number in range(100):
            player.say("ping", n=number)
        assert [player.hear()["n"] for _ in range(100)] == list(range(100))
        assert delayed() - before >= 50
        player.disconnect()


def test_all_sockets_of_a_session_share_its_rate(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, messages_player=Rate(200, 10))) as room:
        one = room.guest()
        other = Player(room, one.client, one.me).connect()
        one.connect()
        before = delayed()
        for number in range(10):  # neither is above the rate alone
            for each in (one, other):
                each.say("ping", n=number)
        for each in (one, other):
            assert [each.hear()["n"] for _ in range(10)] == list(range(10))
        assert delayed() > before
        one.disconnect()
        other.disconnect()


def test_a_flood_without_a_pause_ends_the_socket_with_a_sentence(tmp_path: Path) -> None:
    limits = replace(UNHURRIED, messages_player=Rate(100, 10), delayed_seconds=0.2)
    with running(tmp_path, limits=limits) as room:
        other = room.guest().connect()
        player = room.guest().connect()
        with suppress(ConnectionClosed):
            for number in range(500):
                player.say("ping", n=number)
        code, sentence = ended(player)
        assert (code, sentence) == (1008, "Too many messages for too long: slow down.")
        other.sync()
        other.disconnect()


def test_somebody_who_plays_meets_no_limit(tmp_path: Path) -> None:
    """With the limits as they are."""
    with running(tmp_path, limits=Limits()) as room:
        before = delayed()
        player = room.guest().connect()
        for table in TABLES:
            player.look(table)
        for _ in range(3):
            player.sit("uth-1", 1, 300_00)
            player.bet("uth-1")
            player.play("uth-1")
            player.settle("uth-1")
            player.do("uth-1", "StandUp", seat=1)
        assert delayed() == before
        player.disconnect()


def test_every_message_has_a_price_and_the_expensive_ones_cost_more() -> None:
    kinds = {kind.__name__.lower() for kind in AnySaid.__args__} - {"hello"}
    assert set(COSTS) == kinds
    assert COSTS["ping"] < COSTS["command"] < COSTS["watch"] == COSTS["preview"]


@pytest.mark.parametrize(("role", "most"), [(Role.PLAYER, 2), (Role.AUDITOR, 4)])
def test_a_socket_watches_so_many_tables(tmp_path: Path, role: Role, most: int) -> None:
    limits = replace(UNHURRIED, watched_player=2, watched_staff=4)
    with running(tmp_path, limits=limits) as room:
        player = (room.guest() if role is Role.PLAYER else room.staff(role)).connect()
        for table in TABLES[:most]:
            player.look(table)
        player.watch(TABLES[most])
        assert player.hear()["sentence"] == f"A connection watches at most {most} tables."
        player.look(TABLES[0])  # the same again is no other table
        player.say("unwatch", table=TABLES[0])
        player.look(TABLES[most])
        player.disconnect()


def test_a_bucket_that_is_charged_goes_into_debt_and_is_paid_by_time() -> None:
    now = 0.0
    buckets = Buckets(Rate(2, 10), lambda: now)
    assert buckets.charge("a", 10) == 0
    assert buckets.charge("a", 4) == 2
    assert buckets.charge("b", 4) == 0
    now = 3.0
    assert buckets.charge("a", 0) == 0
    assert buckets.charge("a", 3) == 0.5


# --- replays --------------------------------------------------------------------------------


def moments(number: int, size: int = 10) -> list[Moment]:
    lines = Raw(b'"' + b"x" * (size - 2) + b'"')
    return [
        Moment(n, n + 1, "", "", lines, None, {}, True)  # type: ignore[arg-type]
        for n in range(number)
    ]


def test_a_replay_has_so_many_moments() -> None:
    recent = Recent(Limits(replay_moments=5))
    for moment in moments(20):
        recent.add(moment)
    assert recent.since(14, 20) is None
    found = recent.since(15, 20)
    assert found is not None
    assert [each.since for each in found] == [15, 16, 17, 18, 19]


def test_a_replay_has_so_many_bytes() -> None:
    recent = Recent(Limits(replay_bytes=50_000))
    for moment in moments(20, 20_000):
        recent.add(moment)
    assert recent.since(18, 20) is not None
    assert recent.since(17, 20) is None


def test_a_session_that_asks_again_and_again_gets_the_state_instead(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, replays=Rate(0.001, 1))) as room:
        player, other = room.guest().connect(), room.guest().connect()
        first = player.look("uth-1")["version"]
        player.sit("uth-1", 1)
        player.bet("uth-1")
        player.play("uth-1")
        player.settle("uth-1")

        def asked(who: Player) -> list[str]:
            who.watch("uth-1", first)
            heard = len(who.heard)
            who.sync()
            return [each["type"] for each in who.heard[heard:-1]]

        assert set(asked(other)) == {"happened"}
        assert asked(other) == ["table"]
        assert set(asked(player)) == {"happened"}, "others are told as before"
        player.disconnect()
        other.disconnect()


def test_a_round_at_a_full_table_can_be_told_again(room: Running) -> None:
    """Pik-It has the most moments."""
    table = "pikit-1"
    players = [room.guest().connect() for _ in range(6)]
    for seat, player in enumerate(players, 1):
        player.look(table)
        player.sit(table, seat)
    before = room.room.host(table).version
    for player in players:
        player.bet(table)
    while not room.room.host(table).table.rounds:
        for player in players:
            player.settle(table)
            if choices := player.may(table, "Choose"):
                player.do(table, **choices[0])
    watching = room.guest().connect()
    watching.watch(table, before)
    watching.sync()
    assert {each["type"] for each in watching.heard} == {"welcome", "happened", "pong"}
    assert sum(map(len, watching.frames)) <= Limits().replay_bytes
    for each in (*players, watching):
        each.disconnect()


# --- clients that do not read ---------------------------------------------------------------


def small_buffers(room: Running) -> None:
    """Else the kernel takes megabytes before anything waits in the room."""
    for server in room.server.servers:
        for listening in server.sockets:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)


def test_clients_that_never_read_hold_few_bytes_and_are_closed(tmp_path: Path) -> None:
    per_socket, per_room = 100_000, 300_000
    limits = replace(UNHURRIED, queued_socket=per_socket, queued_room=per_room, stalled_seconds=0.5)
    with running(tmp_path, limits=limits) as room:
        small_buffers(room)
        connections = room.room.connections
        honest = room.guest().connect()
        honest.look("uth-1")
        deaf = [RawSocket(room, 4_096).hello(room.guest()) for _ in range(20)]
        eventually(lambda: len(connections) == 21, "they did not connect")
        highest = [0, 0]
        count = connections.queue

        def measured(change: int) -> None:
            count(change)
            highest[0] = max(highest[0], connections.queued)
            highest[1] = max(highest[1], 0, *(each.queued for each in connections))

        connections.queue = measured  # type: ignore[method-assign]
        for _ in range(200):
            for each in deaf:
                with suppress(OSError):
                    each.say("watch", table="uth-1", after=None)
        eventually(lambda: len(connections) == 1, "they are still there")
        assert per_socket < highest[0] <= per_room
        assert highest[1] <= per_socket + 20_000, "one message more than allowed"
        assert connections.queued == 0
        eventually(lambda: len(room.server.state._open) <= 2, "their connections are open")
        honest.sync()
        honest.disconnect()
        for each in deaf:
            each.close()


def test_a_client_that_does_not_read_its_http_answers_is_cut_off(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, stalled_seconds=0.5)) as room:
        small_buffers(room)
        line = raw(room, 4_096)
        request = f"GET /openapi.json HTTP/1.1\r\nHost: {room.at}\r\n\r\n".encode()
        line.sendall(request * 20)
        eventually(lambda: not room.server.state._open, "it is still open")
        line.close()


def test_the_room_closes_although_a_client_does_not_read(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        small_buffers(room)
        deaf = RawSocket(room, 4_096).hello(room.guest())
        for _ in range(200):
            deaf.say("watch", table="uth-1", after=None)
        eventually(lambda: room.room.connections.queued > 50_000, "nothing waits")
    deaf.close()  # ``running`` has seen that the server ended


# --- connections ----------------------------------------------------------------------------


def test_an_address_has_so_many_connections(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, connections_address=5)) as room:
        lines = [raw(room) for _ in range(5)]
        eventually(lambda: len(room.server.state._open) == 5, "they are not counted")
        with raw(room) as refused:
            answer = everything(refused)
        assert status(answer) == 503
        assert answer.endswith(b"Too many connections.")
        lines.pop().close()
        eventually(lambda: len(room.server.state._open) == 4, "it stays counted")
        assert room.client().get("/health").status_code == 200
        for line in lines:
            line.close()


def test_everybody_behind_a_proxy_has_its_address(tmp_path: Path) -> None:
    limits = replace(UNHURRIED, connections_address=1)
    with running(tmp_path, limits=limits, proxies=("127.0.0.1",)) as room:
        lines = [raw(room) for _ in range(3)]
        eventually(lambda: len(room.server.state._open) == 3, "they are refused")
        for line in lines:
            line.close()


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "GET",
        "GET / HTTP/1.1\r\nHost: x\r\nX-More: ",
        "GET /health HTTP/1.1\r\nHost: {at}\r\n\r\nGET /health HTTP/1.1\r\nHo",
    ],
    ids=["nothing", "a word", "half of the headers", "half of the second request"],
)
def test_a_request_that_is_never_finished_is_closed(tmp_path: Path, sent: str) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, header_seconds=0.5)) as room:
        line = raw(room)
        line.sendall(sent.format(at=room.at).encode())
        eventually(lambda: is_closed(line), "it is still open")
        eventually(lambda: not room.server.state._open, "it is still counted")


def test_headers_that_trickle_in_are_no_excuse(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, header_seconds=0.5)) as room:
        line = raw(room)
        line.sendall(b"GET / HTTP/1.1\r\n")

        def trickle() -> bool:
            with suppress(OSError):
                line.sendall(b"X-A: b\r\n")
            return is_closed(line)

        eventually(trickle, "it is still open")


def test_a_socket_that_never_says_hello_is_closed(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, hello_seconds=0.3)) as room:
        silent = RawSocket(room)
        assert status(silent.answer) == 101
        answer = everything(silent.line)
        assert b"Say hello with a ticket first." in answer


def test_a_socket_that_does_not_answer_pings_is_dropped(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(UNHURRIED, ping_seconds=0.5)) as room:
        silent = RawSocket(room).hello(room.guest())
        answering = room.guest().connect()
        eventually(lambda: is_closed(silent.line), "it is still open")
        answering.sync()
        answering.disconnect()


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_a_flood_of_control_frames_ends_the_socket(room: Running, opcode: Opcode) -> None:
    flood = RawSocket(room).hello(room.guest())
    other = room.guest().connect()
    with suppress(OSError):
        for _ in range(200):
            flood.send(opcode, b"x")
    assert b"Too many pings." in everything(flood.line)
    other.sync()
    other.disconnect()


def test_a_message_in_endless_fragments_ends_the_socket(room: Running) -> None:
    flood = RawSocket(room).hello(room.guest())
    flood.send(Opcode.TEXT, b"", fin=False)
    with suppress(OSError):
        for _ in range(200):
            flood.send(Opcode.CONT, b"", fin=False)
    assert b"too many fragments" in everything(flood.line)


def test_a_chunk_of_many_messages_waits_outside_the_application(room: Running) -> None:
    """The server parses only as much as is taken."""
    flood = RawSocket(room).hello(room.guest())
    eventually(lambda: len(room.room.connections) == 1, "it did not connect")
    held = [line for _, line in room.server.state._open.values()]
    ping = json.dumps({"type": "ping", "n": 1}).encode()
    for _ in range(2_000):
        flood.send(Opcode.TEXT, ping)
    longest = 0
    for _ in range(200):
        longest = max(longest, *(line.queue.qsize() for line in held if hasattr(line, "queue")))
        is_closed(flood.line)
    assert longest <= 1024 // 30
    flood.close()


def test_a_websocket_request_that_cannot_be_parsed_gets_an_answer(room: Running) -> None:
    long = RawSocket(room, **{"X-Long": "x" * 10_000})
    assert status(long.answer) in (400, 431)
    eventually(lambda: not room.server.state._open, "it is still counted")


def test_an_upgrade_that_is_no_get_is_an_ordinary_request(room: Running) -> None:
    answer = ask(
        room,
        f"POST /ws HTTP/1.1\nHost: {room.at}\nConnection: upgrade, close\nUpgrade: websocket\n"
        "Content-Length: 0\n\n",
    )
    assert status(answer) == 404
