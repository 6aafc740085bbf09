"""Live and ready: what each says, how often the store is looked at, and that nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from room_driver import Running, running

from croupier.ledger.store import Unread
from croupier.room.health import FRESH, Readiness
from croupier.room.outage import Outage


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as opened:
        yield opened


def test_a_room_that_works_is_live_and_ready(room: Running) -> None:
    with room.client() as client:
        assert client.get("/health/live").json() == {"live": True}
        assert client.get("/health/ready").json() == {"ready": True}
        told = client.get("/health").json()
    assert told == {
        "live": True,
        "ready": True,
        "well": True,
        "process": "alone",
        "tables": 5,
        "deals": 5,
    }


class Store:
    def __init__(self) -> None:
        self.looks = 0
        self.away = False
        self.now = 0.0
        self.hangs: Event | None = None

    def look(self) -> None:
        self.looks += 1
        if self.hangs:
            self.hangs.wait(60)
        if self.away:
            raise Unread("no such host as db.example")

    def clock(self) -> float:
        return self.now


def test_however_many_ask_the_store_is_looked_at_once_a_second() -> None:
    store = Store()

    async def ask() -> None:
        readiness = Readiness(store.look, Outage(store.look), clock=store.clock)
        for second in range(3):
            store.away = second == 1
            store.now = second * FRESH
            answers = await asyncio.gather(*(readiness.ready() for _ in range(50)))
            assert set(answers) == {second != 1}
            assert store.looks == second + 1

    asyncio.run(ask())


def test_a_store_that_hangs_makes_nobody_wait_and_holds_one_thread() -> None:
    store = Store()
    hangs = store.hangs = Event()

    async def ask() -> None:
        readiness = Readiness(store.look, Outage(store.look), patience=0.05)
        for _ in range(5):
            assert await readiness.ready() is False
        assert store.looks == 1
        hangs.set()
        store.hangs = None
        async with asyncio.timeout(60):
            while not await readiness.ready():
                await asyncio.sleep(0.01)

    asyncio.run(ask())
