"""Hostile clients for a room on this machine, each with its own session and loopback address.

They run in a process of their own with a low priority, so that they do not slow down the honest
player who is measured. Every loop ends by the clock and by a count, and connects to 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from croupier.room.door.guard import COOKIE, CSRF
from croupier.room.messages import SUBPROTOCOL

Data = dict[str, Any]

SERVER = "127.0.0.1"
CLIENTS = 10  # of each kind
REQUESTS_AT_ONCE = 4  # that one HTTP client has open
MOST_SENT = 1_000_000  # by one client
NICENESS = 5
PAUSE = 0.05  # seconds before a client that was cut off or turned away comes back
DRAIN = 5.0  # seconds that stopped clients may take to close
FAILURES = (OSError, EOFError, TimeoutError, WebSocketException, msgspec.DecodeError)
REFUSALS_AT = "ride-1"
HOLDEM = "nj-ultimate-texas-holdem"
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class Attack:
    """One hostile client. ``sent`` counts requests and messages, ``turned_away`` those the room
    answered with an HTTP error or by closing the connection."""

    def __init__(self, port: int, table: str, number: int, until: float) -> None:
        self.port = port
        self.table = table
        self.number = number
        self.until = until
        self.rng = random.Random(number)
        self.source = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.origin = f"http://{SERVER}:{port}"
        self.headers = {"Host": f"{SERVER}:{port}", "Origin": self.origin}
        self.sent = 0
        self.turned_away = 0

    async def enter(self) -> None:
        """Come in as a guest."""
        async with self.line() as line:
            status, head, body = await line.request("POST", "/api/guest", {})
        if status >= 400:
            raise OSError(f"a guest was turned away with {status}")
        cookie = next(each for each in head if each.startswith(f"{COOKIE}="))
        self.headers["Cookie"] = cookie.partition(";")[0]
        self.headers[CSRF] = body["csrf"]

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until and self.sent < MOST_SENT

    @asynccontextmanager
    async def line(self) -> AsyncIterator[Line]:
        reader, writer = await asyncio.open_connection(
            SERVER, self.port, local_addr=(self.source, 0)
        )
        try:
            yield Line(reader, writer, self.headers)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[ClientConnection]:
        async with self.line() as line:
            status, _, ticket = await line.request("POST", "/api/ticket", {})
        if status >= 400:
            raise OSError(f"no ticket, but {status}")
        async with connect(
            f"ws://{SERVER}:{self.port}/ws",
            subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
            origin=self.origin,  # type: ignore[arg-type]
            max_size=None,
            ping_interval=None,
            close_timeout=1,
            local_addr=(self.source, 0),
        ) as socket:
            await socket.send(msgspec.json.encode({"type": "hello", **ticket}).decode())
            await socket.recv()
            yield socket

    # --- over a socket --------------------------------------------------------------------------

    async def messages(self, make: Callable[[], Data]) -> None:
        """Send without waiting for answers, and read whatever comes."""
        while self.goes_on:
            try:
                async with self.socket() as socket:
                    reading = asyncio.create_task(_drain(socket))
                    try:
                        while self.goes_on and not reading.done():
                            await socket.send(msgspec.json.encode(make()).decode())
                            self.sent += 1
                            if not self.sent % 20:
                                await asyncio.sleep(0)
                    finally:
                        reading.cancel()
                if self.goes_on:
                    raise EOFError
            except FAILURES:
                self.turned_away += 1
                await asyncio.sleep(PAUSE)

    # --- over HTTP ------------------------------------------------------------------------------

    async def requests(self, make: Callable[[], tuple[str, str, Data]]) -> None:
        await asyncio.gather(*(self._requests(make) for _ in range(REQUESTS_AT_ONCE)))

    async def _requests(self, make: Callable[[], tuple[str, str, Data]]) -> None:
        while self.goes_on:
            try:
                async with self.line() as line:
                    while self.goes_on:
                        self.sent += 1
                        async with asyncio.timeout(max(0.1, self.until - time.monotonic())):
                            status, _, _ = await line.request(*make())
                        if status >= 400:
                            self.turned_away += 1
                            await asyncio.sleep(PAUSE)
            except FAILURES:
                await asyncio.sleep(PAUSE)


class Line:
    """A connection that is kept for one HTTP request after another."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: dict[str, str]
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._headers = headers

    async def request(self, method: str, path: str, body: Data) -> tuple[int, list[str], Any]:
        """The status, the cookies set, and the JSON."""
        content = msgspec.json.encode(body) if method == "POST" else b""
        headers = {
            **self._headers,
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + content)
        await self._writer.drain()
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = [line.partition(": ") for line in head[1:]]
        length = next((int(v) for k, _, v in fields if k.lower() == "content-length"), 0)
        cookies = [v for k, _, v in fields if k.lower() == "set-cookie"]
        answer = await self._reader.readexactly(length)
        is_json = any(k.lower() == "content-type" and "json" in v for k, _, v in fields)
        return int(head[0].split()[1]), cookies, msgspec.json.decode(answer) if is_json else None


async def _drain(socket: ClientConnection) -> None:
    with suppress(*FAILURES):
        async for _ in socket:
            pass


# --- the kinds ------------------------------------------------------------------------------


async def replay(attack: Attack) -> None:
    """Ask for everything that is still known of a table, again and again."""
    await attack.messages(lambda: {"type": "watch", "table": attack.table, "after": 0})


async def ping(attack: Attack) -> None:
    await attack.messages(lambda: {"type": "ping", "n": attack.sent})


async def watch(attack: Attack) -> None:
    """Come to a table and go away from it."""

    def turn() -> Data:
        return {"type": "unwatch" if attack.sent % 2 else "watch", "table": attack.table}

    await attack.messages(turn)


async def refusal(attack: Attack) -> None:
    """Wagers on areas that do not exist, with long names, at a table of their own. Refusals are
    written with the next command that is kept, so the client sits down and stands up as well."""
    seat = 1 + attack.number % 6

    def wrong() -> Data:
        match attack.sent % 20:
            case 0:
                do: Data = {"name": "SitDown", "seat": seat, "chips": 100_00}
            case 10:
                do = {"name": "StandUp", "seat": seat}
            case _:
                do = {"name": "PlaceWagers", "seat": seat, "wagers": {"x" * 4_000: attack.sent}}
        id = f"{attack.source} {attack.sent}"
        return {"type": "command", "id": id, "table": REFUSALS_AT, "do": do}

    await attack.messages(wrong)


async def lobby(attack: Attack) -> None:
    await attack.requests(lambda: ("GET", "/api/tables", {}))


async def coach(attack: Attack) -> None:
    """The slowest questions there are: before the flop, with a card of somebody else seen."""

    def question() -> tuple[str, str, Data]:
        first, second, seen = attack.rng.sample(DECK, 3)
        return "POST", "/api/advise", {"game": "uth", "hand": f"{first} {second}", "seen": seen}

    await attack.requests(question)


async def study(attack: Attack) -> None:
    """Edges, sheets and strategies of houses that nobody asked about before."""

    def question() -> tuple[str, str, Data]:
        lines = {
            "flush": f"{attack.rng.randint(6, 2_000)} to 1",
            "straight": f"{attack.rng.randint(4, 2_000)} to 1",
        }
        house = {"rulebook": HOLDEM, "pay": {"trips": lines}}
        path = ("/api/edge", "/api/par", "/api/strategies")[attack.sent % 3]
        return "POST", path, {"house": house}

    await attack.requests(question)


KINDS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "replay": replay,
    "ping": ping,
    "watch": watch,
    "refusal": refusal,
    "lobby": lobby,
    "coach": coach,
    "study": study,
}


# --- all of them ----------------------------------------------------------------------------


def run(kinds: Sequence[str], port: int, table: str, seconds: float, pipe: Connection) -> None:
    """What the process does: enter, say so, attack when told to, and report the counts."""
    os.nice(NICENESS)
    asyncio.run(_run(kinds, port, table, seconds, pipe))


async def _run(
    kinds: Sequence[str], port: int, table: str, seconds: float, pipe: Connection
) -> None:
    names = [kind for kind in kinds for _ in range(CLIENTS)]
    attacks = [Attack(port, table, number, 0) for number in range(len(names))]
    for attack in attacks:
        await attack.enter()
    pipe.send(True)
    await asyncio.to_thread(pipe.recv)
    for attack in attacks:
        attack.until = time.monotonic() + seconds
    tasks = [
        asyncio.create_task(_attack(kind, attack))
        for kind, attack in zip(names, attacks, strict=True)
    ]
    _, late = await asyncio.wait(tasks, timeout=seconds + DRAIN)
    for task in late:
        task.cancel()
    sent: Counter[str] = Counter()
    turned_away: Counter[str] = Counter()
    for kind, attack in zip(names, attacks, strict=True):
        sent[kind] += attack.sent
        turned_away[kind] += attack.turned_away
    pipe.send((dict(sent), dict(turned_away)))


async def _attack(kind: str, attack: Attack) -> None:
    await KINDS[kind](attack)
