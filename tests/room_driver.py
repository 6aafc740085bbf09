"""A room on a real port, and players who talk to it as a browser does."""

from __future__ import annotations

import json
import random
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
from msgspec.structs import replace
from websockets.sync.client import ClientConnection, connect

from croupier.room.door.buckets import Rate
from croupier.room.door.guard import COOKIE
from croupier.room.door.roles import Role
from croupier.room.floor import Room
from croupier.room.limits import Limits
from croupier.room.serve import Server, listening
from croupier.room.settings import Settings

Data = dict[str, Any]
PATIENCE = 60  # seconds for any answer, on however busy a machine
FREELY = Rate(1_000_000, 1_000_000)
# Tests play faster than people, and all from one address.
UNHURRIED = Limits(
    address=FREELY,
    session=FREELY,
    costly=FREELY,
    messages_player=FREELY,
    messages_staff=FREELY,
    replays=FREELY,
)
PASSWORD = "correct horse battery"
OURS = (20_000, 30_000)  # ports below those that systems hand out


def free_port() -> int:
    """For a process that is yet to start: one of those that no system gives away by itself, so that
    nobody's connection has it by then."""
    while True:
        port = random.SystemRandom().randrange(*OURS)
        with socket.socket() as held, suppress(OSError):
            held.bind(("127.0.0.1", port))
            return port


class Running:
    """A room that is open."""

    def __init__(self, room: Room, server: Server) -> None:
        self.room = room
        self.server = server
        self.at = f"127.0.0.1:{room.settings.port}"
        self.origin = f"http://{self.at}"

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.origin, timeout=PATIENCE)

    def guest(self) -> Player:
        client = self.client()
        return Player(self, client, client.post("/api/guest", json={}).json())

    def staff(self, role: Role) -> Player:
        """Somebody of the house, with an account of his own."""
        name = f"{role} {secrets.token_hex(3)}"
        self.room.people.add(name, PASSWORD, role)
        client = self.client()
        said = {"name": name, "password": PASSWORD}
        return Player(self, client, client.post("/api/login", json=said).json())


@contextmanager
def running(
    data: Path,
    *,
    limits: Limits | None = None,
    now: Callable[[], float] = time.monotonic,
    **more: Any,
) -> Iterator[Running]:
    """Open a room where ``data`` is; closed as a signal would close it."""
    settings = Settings(data=data, port=0, **more)
    at = listening(settings)
    room = Room(replace(settings, port=at.getsockname()[1]), now=now)
    server = Server(room, limits=limits or UNHURRIED)
    thread = Thread(target=server.run, args=([at],))
    thread.start()
    try:
        deadline = time.monotonic() + PATIENCE
        while not server.started:
            assert thread.is_alive(), "the room did not open"
            assert time.monotonic() < deadline, "the room did not open in time"
            time.sleep(0.01)
        yield Running(room, server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        at.close()
        assert not thread.is_alive(), "the room did not close"


class Player:
    """One person with a browser: HTTP with a cookie, and a socket."""

    def __init__(self, running: Running, client: httpx2.Client, me: Data) -> None:
        self.running = running
        self.client = client
        self.me = me
        self.name: str = me["name"]
        self.heard: list[Data] = []
        self.frames: list[str] = []  # everything that came, as it came
        self.tables: dict[str, Data] = {}  # the last message that told how each stands
        self.socket: ClientConnection | None = None

    # --- HTTP -----------------------------------------------------------------------------------

    def post(self, path: str, body: Data | None = None) -> httpx2.Response:
        headers = {"X-Croupier-CSRF": self.me["csrf"]}
        return self.client.post(path, json=body or {}, headers=headers)

    def delete(self, path: str) -> httpx2.Response:
        return self.client.delete(path, headers={"X-Croupier-CSRF": self.me["csrf"]})

    def ticket(self) -> str:
        return str(self.post("/api/ticket").json()["ticket"])

    # --- the socket -----------------------------------------------------------------------------

    def connect(self) -> Player:
        self.connect_only()
        self.until(lambda heard: heard["type"] == "welcome")
        return self

    def connect_only(self) -> None:
        """Without waiting for the welcome, which may not come."""
        self._line = connect(
            f"ws://{self.running.at}/ws",
            subprotocols=["croupier.1"],  # type: ignore[list-item]
            origin=self.running.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"{COOKIE}={self.client.cookies[COOKIE]}"},
            max_size=None,
            max_queue=None,
            open_timeout=PATIENCE,
        )
        self.socket = self._line.__enter__()
        self.say("hello", ticket=self.ticket())

    def disconnect(self) -> None:
        assert self.socket
        self._line.__exit__(None, None, None)
        self.socket = None

    def send(self, frame: str | bytes) -> None:
        assert self.socket
        self.socket.send(frame)

    def say(self, type: str, **fields: Any) -> None:
        self.send(json.dumps({"type": type, **fields}))

    def hear(self, timeout: float = PATIENCE) -> Data:
        assert self.socket
        frame = self.socket.recv(timeout)
        assert isinstance(frame, str)
        self.frames.append(frame)
        heard: Data = json.loads(frame)
        self.heard.append(heard)
        if heard["type"] in ("table", "happened"):
            self.tables[heard["table"]] = heard
        return heard

    def until(self, wanted: Callable[[Data], bool]) -> Data:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if wanted(heard := self.hear()):
                return heard
        raise AssertionError("it never came")

    def sync(self) -> None:
        """Hear everything that was told so far."""
        number = secrets.randbelow(10**9)
        self.say("ping", n=number)
        self.until(lambda heard: heard == {"type": "pong", "n": number})

    def settle(self, table: str) -> None:
        """Hear everything until the house has nothing to do."""
        host = self.running.room.host(table)
        deadline = time.monotonic() + PATIENCE
        while host.keeper.dealer.next_command(
            host.table, close_bets=host.pace.closes(host.table, host.present)
        ):
            assert time.monotonic() < deadline, "the house did not come to rest"
            time.sleep(0.002)
        self.sync()

    def watch(self, table: str, after: int | None = None) -> None:
        self.say("watch", table=table, after=after)

    def look(self, table: str) -> Data:
        self.watch(table)
        return self.until(lambda heard: heard["type"] == "table" and heard["table"] == table)

    def ask(self, table: str, name: str, command_id: str = "", **fields: Any) -> Data | None:
        """Command, and what was refused."""
        command_id = command_id or secrets.token_hex(8)
        self.say("command", id=command_id, table=table, do={"name": name, **fields})
        answer = self.until(lambda heard: heard["type"] == "answer" and heard["id"] == command_id)
        refused: Data | None = answer["refused"]
        return refused

    def do(self, table: str, name: str, **fields: Any) -> None:
        refused = self.ask(table, name, **fields)
        assert refused is None, refused

    # --- playing --------------------------------------------------------------------------------

    def may(self, table: str, name: str) -> list[Data]:
        return [each for each in self.tables[table]["options"] if each["name"] == name]

    def sit(self, table: str, seat: int, chips: int = 500_00) -> None:
        self.do(table, "SitDown", seat=seat, chips=chips)
        self.until_may(table, "PlaceWagers")

    def until_may(self, table: str, name: str) -> list[Data]:
        while not self.may(table, name):
            self.hear()
        return self.may(table, name)

    def bet(self, table: str, *, optional: bool = False, ready: bool = True) -> None:
        """The least on every area that must have something, or on every area there is."""
        for option in self.until_may(table, "PlaceWagers"):
            wagers = {
                name: each["min"]
                for name, each in option["wagers"].items()
                if optional or each["required"]
            }
            self.do(table, "PlaceWagers", seat=option["seat"], wagers=wagers)
        if ready:
            self.say("ready", table=table)

    def play(self, table: str, pick: Callable[[list[Data]], Data] = lambda them: them[0]) -> int:
        """Decide until the round is over; its number."""
        decided = -1
        while True:
            now = self.tables[table]
            for each in now.get("events", ()):
                if each["event"]["event"] == "RoundEnded":
                    return int(each["event"]["number"])
            choices = self.may(table, "Choose")
            if choices and now["version"] != decided:
                decided = now["version"]
                self.do(table, **pick(choices))
            else:
                self.hear()


def play_together(players: list[Player], table: str, rng: random.Random) -> None:
    """One round with everybody in it, who choose as they like."""
    for player in players:
        player.bet(table, optional=rng.random() < 0.5)
    before = min(player.tables[table]["view"]["rounds"] for player in players)
    deadline = time.monotonic() + PATIENCE
    while any(player.tables[table]["view"]["rounds"] == before for player in players):
        assert time.monotonic() < deadline, "the round did not end"
        for player in players:
            player.settle(table)
            if choices := player.may(table, "Choose"):
                player.do(table, **rng.choice(choices))
