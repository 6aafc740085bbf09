"""Players and spectators for a room under load, each with a session and a socket of his own."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from croupier.games.registry import RULEBOOKS
from croupier.room.door.guard import COOKIE, CSRF
from croupier.room.messages import SUBPROTOCOL
from croupier.rules.money import Cents, dollars

Data = dict[str, Any]

LEAST = dollars(100)  # with less at the table somebody else takes over
THINKING = (0.5, 1.5)  # seconds between a player's acts
GENTLE = ("check", "ride", "pick")  # chosen where possible, then whatever is not a fold
PATIENCE = 30.0


class You(Struct):
    chips: Cents


class Seen(Struct):
    rounds: int
    you: You


class Heard(Struct):
    """Any message of the room, as far as a bot looks at it."""

    type: str
    actor: str = ""
    refused: Data | None = None
    sentence: str = ""
    options: list[Data] = []
    view: Seen | None = None


decoded = msgspec.json.Decoder(Heard).decode


class Visitor:
    """A guest: a cookie, its token, and the tickets they buy."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        me = self.post("/api/guest", {})
        self.name: str = me["name"]
        self.bank: Cents = me["bank"]
        self.headers[CSRF] = me["csrf"]

    def post(self, path: str, body: Data) -> Data:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", path, msgspec.json.encode(body), self.headers)
        response = connection.getresponse()
        told: Data = msgspec.json.decode(response.read())
        if cookie := response.getheader("Set-Cookie"):
            self.headers["Cookie"] = f"{COOKIE}={SimpleCookie(cookie)[COOKIE].value}"
        connection.close()
        if response.status >= 400:
            raise RuntimeError(told["error"]["sentence"])
        return told

    async def connect(self) -> ClientConnection:
        ticket = await asyncio.to_thread(self.post, "/api/ticket", {})
        socket = await connect(
            f"ws://127.0.0.1:{self.port}/ws",
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            origin=self.headers["Origin"],  # type: ignore[arg-type]
            max_size=None,
        )
        await socket.send(encoded({"type": "hello", **ticket}))
        await socket.recv()
        return socket


class Bot:
    """One player who plays on for ever at the least stakes, at the table named or at a new one.
    ``pace`` is the least and the most seconds between two acts."""

    def __init__(
        self, port: int, number: int, table: str = "", pace: tuple[float, float] = THINKING
    ) -> None:
        self.port = port
        self.rng = random.Random(number)
        self.house = {"rulebook": RULEBOOKS[number % len(RULEBOOKS)]}
        self.table = table
        self.pace = pace
        self.seat = 0
        self.waits: list[float] = []  # seconds from an act to its own broadcast
        self.stalls: list[float] = []  # seconds from the end of an act to the next thing to do
        self.told = 0  # broadcasts heard
        self._wagered = -1  # rounds behind the table when the last wager was made

    async def come(self) -> Bot:
        """As somebody new, to the next seat."""
        visitor = await asyncio.to_thread(Visitor, self.port)
        if not self.table:
            opening = {"house": self.house}
            self.table = (await asyncio.to_thread(visitor.post, "/api/tables", opening))["id"]
        self.name = f"player {visitor.name}"
        self.socket = await visitor.connect()
        await self._say("watch", after=None)
        self.seat += 1
        await self._act({"name": "SitDown", "seat": self.seat, "chips": visitor.bank})
        return self

    async def leave(self) -> None:
        await self.socket.close()

    @property
    def rounds(self) -> int:
        return self._seen.rounds

    async def play(self, until: float, *, thinking: bool) -> None:
        """Act whenever there is something to do, until it is so late by the clock."""
        self.waits, self.stalls, self.told = [], [], 0
        if thinking:
            await asyncio.sleep(self.rng.random() * self.pace[1])
        idle_since = time.perf_counter()
        while (left := until - time.perf_counter()) > 0:
            act = self._next()
            if act is None:
                try:
                    async with asyncio.timeout(left):
                        await self._hear()
                except TimeoutError:
                    self.stalls.append(time.perf_counter() - idle_since)
                    return
                continue
            self.stalls.append(time.perf_counter() - idle_since)
            self.waits.append(await self._act(act))
            if act["name"] == "PlaceWagers":
                await self._say("ready")
            if self._seen.you.chips < LEAST:
                await self.leave()
                await self.come()
            if thinking:
                await self._think()
            idle_since = time.perf_counter()

    def _next(self) -> Data | None:
        """What the bot does now, if anything."""
        choices = [each for each in self._options if each["name"] == "Choose"]
        for each in choices:
            if each["verb"] in GENTLE:
                return each
        for each in choices:
            if each["verb"] != "fold":
                return each
        for each in self._options:
            if each["name"] == "PlaceWagers" and self._wagered != self.rounds:
                self._wagered = self.rounds
                required = {k: w["min"] for k, w in each["wagers"].items() if w["required"]}
                return {**each, "wagers": required}
        return None

    async def _act(self, do: Data) -> float:
        """Seconds until this bot was told of its own act."""
        start = time.perf_counter()
        await self._say("command", id=f"{self.rng.getrandbits(64):x}", do=do)
        while (heard := await self._hear()).actor != self.name:
            if heard.refused:
                raise RuntimeError(f"{do} at {self.table}: {heard.refused['sentence']}")
        return time.perf_counter() - start

    async def _think(self) -> None:
        """A person goes on looking at the table meanwhile."""
        until = time.perf_counter() + self.rng.uniform(*self.pace)
        while (left := until - time.perf_counter()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self._hear()
            except TimeoutError:
                return

    async def _say(self, type: str, **fields: object) -> None:
        await self.socket.send(encoded({"type": type, "table": self.table, **fields}))

    async def _hear(self) -> Heard:
        heard = decoded(await self.socket.recv())
        if heard.type == "error":
            raise RuntimeError(heard.sentence)
        self.told += heard.type == "happened"
        if heard.view:
            self._seen, self._options = heard.view, heard.options
        return heard


async def spectators(port: int, table: str, count: int) -> list[ClientConnection]:
    """So many sockets that watch one table; who sits at none of them costs no seat."""
    visitor = await asyncio.to_thread(Visitor, port)
    sockets = []
    for _ in range(count):
        socket = await visitor.connect()
        await socket.send(encoded({"type": "watch", "table": table, "after": None}))
        await socket.recv()
        sockets.append(socket)
    return sockets


async def together(bots: Sequence[Bot], seconds: float, *, thinking: bool) -> None:
    until = time.perf_counter() + seconds
    await asyncio.gather(*(bot.play(until, thinking=thinking) for bot in bots))


def encoded(message: Data) -> str:
    return msgspec.json.encode(message).decode()
