"""Chips outside the tables: what is granted, taken to tables and brought back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from room_driver import running

from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.room.bank import MOST_KNOWN, Bank
from croupier.room.door.roles import Role
from croupier.room.floor import Room
from croupier.room.settings import Settings
from croupier.table import commands as c
from croupier.table import events as e

ANN = c.player("ann")


@pytest.fixture
def bank() -> Bank:
    return Bank({"ann": 1_000_00}.__getitem__, lambda name: 0)


def test_what_goes_to_a_table_is_gone_until_it_comes_back(where: str, tmp_path: Path) -> None:
    """By the ledger's own books, in either kind of database; memory says the same."""

    async def evening() -> None:
        ledger = Ledger.at(where, beside=tmp_path / "ledger")
        bank = Bank({"Ann": 1_000_00, "Bob": 50_00}.__getitem__, ledger.store.taken)

        async def holds(name: str, cents: int) -> None:
            assert bank.holds(name) == cents
            assert await bank.load(name) == cents

        for name in ("left", "right"):
            table = Keeper.open(ledger, name, {"rulebook": "nj-let-it-ride"}, 100_000_00)
            table.subscribe(lambda answer, _: bank.follow(answer.events) and None)
            await holds("Ann", 1_000_00 if name == "left" else 500_00)
            table.execute(c.SitDown(c.player("Ann"), 1, 300_00), "sit")
            table.execute(c.BuyChips(c.player("Ann"), 200_00), "buy")
        await holds("Ann", 0)
        table.execute(c.StandUp(c.player("Ann"), 1), "stand")
        await holds("Ann", 500_00)
        await holds("Bob", 50_00)
        await bank.stop()
        await holds("Ann", 500_00)  # after the loads that confirm what the events said
        ledger.close()

    asyncio.run(evening())


# --- in memory ------------------------------------------------------------------------------


class Books:
    """What was taken to tables, read by a thread that waits when it is told to."""

    def __init__(self) -> None:
        self.taken = 0
        self.reads = 0
        self.go = threading.Event()
        self.go.set()

    def __call__(self, name: str) -> int:
        assert threading.current_thread() is not threading.main_thread(), "on the event loop"
        read = self.taken
        self.reads += 1
        assert self.go.wait(10)
        return read


def in_memory(story: Callable[[Bank, Books, list[str]], Coroutine[Any, Any, None]]) -> None:
    async def told() -> None:
        books, corrected = Books(), list[str]()
        bank = Bank({"ann": 1_000_00}.__getitem__, books)
        bank.changed = corrected.append
        await story(bank, books, corrected)

    asyncio.run(told())


def test_an_event_changes_the_balance_at_once_and_is_confirmed_by_a_load() -> None:
    async def story(bank: Bank, books: Books, corrected: list[str]) -> None:
        assert bank.known("ann") is None
        assert await bank.load("ann") == 1_000_00
        assert corrected == ["ann"]
        books.taken = 400_00
        assert bank.follow([e.PlayerSat(1, "ann", 400_00)]) == ["ann"]
        assert bank.known("ann") == 600_00
        await bank.stop()
        assert (bank.known("ann"), corrected) == (600_00, ["ann"])

    in_memory(story)


def test_a_balance_that_was_loaded_with_the_event_in_it_is_corrected() -> None:
    """A load may read what is on the disk before the event loop is told of it."""

    async def story(bank: Bank, books: Books, corrected: list[str]) -> None:
        books.taken = 400_00
        assert await bank.load("ann") == 600_00
        bank.follow([e.PlayerSat(1, "ann", 400_00)])
        assert bank.known("ann") == 200_00
        await bank.stop()
        assert (bank.known("ann"), corrected) == (600_00, ["ann", "ann"])

    in_memory(story)


def test_what_moves_during_a_load_is_loaded_again() -> None:
    async def story(bank: Bank, books: Books, corrected: list[str]) -> None:
        await bank.load("ann")
        books.go.clear()
        bank.refresh("ann")
        while books.reads < 2:
            await asyncio.sleep(0.001)
        books.taken = 400_00  # just behind what was read
        bank.refresh("ann")
        books.go.set()
        await bank.stop()
        assert bank.known("ann") == 600_00

    in_memory(story)


def test_what_another_process_wrote_is_loaded_and_never_counted_twice() -> None:
    async def story(bank: Bank, books: Books, corrected: list[str]) -> None:
        await bank.load("ann")
        books.taken = 400_00
        bank.refresh("ann")
        await bank.stop()
        bank.follow([e.PlayerSat(1, "ann", 400_00)], written_here=False)
        assert bank.known("ann") == 600_00

    in_memory(story)


def test_a_balance_that_cannot_be_loaded_is_unknown_and_logged_seldom(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def overflow(name: str) -> int:
        raise OverflowError("a sum beyond what the database can hold")

    async def story() -> None:
        bank = Bank(overflow, lambda name: 0)
        for _ in range(100):
            assert await bank.load("ann") is None

    asyncio.run(story())
    assert len(caplog.records) == 7  # the first, the second, the fourth, up to the 64th


def test_memory_is_bounded() -> None:
    async def story() -> None:
        bank = Bank(lambda name: 1, lambda name: 0)
        for number in range(MOST_KNOWN + 5):
            bank._known[f"p{number}"] = 1
        await bank.load("ann")
        assert len(bank._known) == MOST_KNOWN
        assert bank.known("p0") is None
        assert bank.known("ann") == 1

    asyncio.run(story())


# --- purchases ------------------------------------------------------------------------------


@pytest.mark.parametrize(("chips", "enough"), [(999_99, True), (1_000_00, True), (1_000_01, False)])
def test_nobody_takes_more_to_a_table_than_there_is(bank: Bank, chips: int, enough: bool) -> None:
    for command in (c.SitDown(ANN, 1, chips), c.BuyChips(ANN, chips)):
        if enough:
            bank.check(command)
        else:
            with pytest.raises(Refused, match=r"you have \$1,000"):
                bank.check(command)


def test_two_tables_cannot_spend_the_same_chips(tmp_path: Path) -> None:
    """Both are asked at once, before either has answered."""

    async def both() -> tuple[list[str], int]:
        room = Room(Settings(data=tmp_path))
        room.start()
        name = room.people.guest().name
        do = {"name": "SitDown", "seat": 1, "chips": 800_00}
        answers = await asyncio.gather(
            *(
                room.host(table).perform(do, "at once", name, Role.PLAYER)
                for table in ("uth-1", "ride-1", "pikit-1")
            )
        )
        held = room.bank.holds(name)
        await room.stop()
        return [each.refused.code if each.refused else "" for each in answers], held

    assert asyncio.run(both()) == (["", "NOT_ENOUGH_CHIPS", "NOT_ENOUGH_CHIPS"], 200_00)


def test_the_bank_is_what_the_ledger_says_when_the_room_opens_again(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        player = first.guest().connect()
        player.look("ride-1")
        player.sit("ride-1", 1, 400_00)
        player.bet("ride-1")
        player.play("ride-1")
        player.look("uth-1")
        player.sit("uth-1", 1, 100_00)
        player.do("ride-1", "StandUp", seat=1)
        player.sync()
        held = player.tables["ride-1"]["view"]["you"]["bank"]
        assert held == first.room.bank.holds(player.name)
        player.disconnect()
    with running(tmp_path) as second:
        assert second.room.bank.holds(player.name) == held
