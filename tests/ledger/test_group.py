"""Many tables share a sync: fewer transactions, the same promises."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from engine_driver import ONE_DECK
from helpers import NJ_UTH
from ledger_driver import KeptEvening, at
from msgspec.structs import replace

from croupier.ledger.chain import Head, follow
from croupier.ledger.checkpoint import Checkpoint, Witness
from croupier.ledger.entry import Entry
from croupier.ledger.group import MOST, Alone, Group
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import Disk
from croupier.ledger.sqlite import SqliteStore
from croupier.ledger.store import Batch, Fenced, Store, Unwritten
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import SUPERVISOR, player

HOUSE = {"rulebook": NJ_UTH, **ONE_DECK}


class Gated:
    """A real store that counts its transactions, and waits at a gate before each."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.gate = Event()
        self.sizes: list[int] = []

    def write(self, batches: Sequence[Batch]) -> None:
        self.gate.wait()
        self.sizes.append(len(batches))
        self.store.write(batches)


@pytest.fixture
def gated(ledger: Ledger) -> Gated:
    return Gated(ledger.store)


@pytest.fixture
def group(gated: Gated) -> Iterator[Group]:
    group = Group(gated)  # type: ignore[arg-type]
    yield group
    gated.gate.set()
    group.close()


def first(table: str, command_id: str = "a") -> Batch:
    event = '{"type":"InventoryFilled","amount":1}'
    return Batch(entries=(Entry(table, 1, "time", "s", command_id, "{}", event, "p", "h"),))


def submitted(group: Group, batch: Batch) -> Future[None]:
    written: Future[None] = Future()

    def done(error: BaseException | None) -> None:
        written.set_exception(error) if error else written.set_result(None)

    group.submit(batch, done)
    return written


def test_what_comes_in_during_a_sync_shares_the_next(group: Group, gated: Gated) -> None:
    waiting = [submitted(group, first(f"t{n}")) for n in range(20)]
    assert not any(each.done() for each in waiting)
    gated.gate.set()
    for each in waiting:
        each.result()
    assert sum(gated.sizes) == 20
    assert len(gated.sizes) <= 2
    assert len(gated.store.tables()) == 20


def test_a_transaction_has_its_bounds(group: Group, gated: Gated) -> None:
    waiting = [submitted(group, first(f"t{n}")) for n in range(2 * MOST + 5)]
    gated.gate.set()
    for each in waiting:
        each.result()
    assert max(gated.sizes) == MOST


def test_one_that_is_fenced_does_not_fail_the_others(group: Group, gated: Gated) -> None:
    gated.store.write([first("t3")])
    waiting = [submitted(group, first(f"t{n}", "b")) for n in range(6)]
    gated.gate.set()
    failed = [n for n, each in enumerate(waiting) if each.exception()]
    assert failed == [3]
    assert isinstance(waiting[3].exception(), Fenced)
    assert gated.store.tables() == [f"t{n}" for n in range(6)]


def test_what_waits_is_written_before_it_closes_and_nothing_after(
    group: Group, gated: Gated
) -> None:
    waiting = [submitted(group, first(f"t{n}")) for n in range(5)]
    gated.gate.set()
    group.close()
    assert all(each.done() and not each.exception() for each in waiting)
    with pytest.raises(Unwritten, match="closed"):
        submitted(group, first("late")).result()


# --- the witness ------------------------------------------------------------------------------


class Full(Disk):
    """A disk without room, until there is."""

    full = True

    def append(self, path: Path, data: bytes) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().append(path, data)


def signed(n: int) -> Batch:
    return replace(first(f"t{n}"), checkpoints=(Checkpoint(f"t{n}", 1, "h", "time", "key", "s"),))


def test_the_witness_is_told_what_is_on_the_disk_and_nothing_else(
    ledger: Ledger,
) -> None:
    assert ledger.witness is not None
    for number, writer in enumerate((Alone(ledger.store), Group(ledger.store)), 1):
        writer.write(signed(number))
        with pytest.raises(Fenced):
            writer.write(signed(number))
        writer.close()
    assert [each.table for each in ledger.witness.all()] == ["t1", "t2"]


def test_a_witness_without_room_is_an_error_for_all_who_share_the_sync(tmp_path: Path) -> None:
    disk = Full()
    store = SqliteStore(tmp_path / "evening.db", Witness(tmp_path / "checkpoints", disk))
    group = Group(store)
    with pytest.raises(Unwritten, match="No space left"):
        group.write(signed(1))
    disk.full = False
    group.write(signed(2))
    group.close()
    assert store.tables() == ["t1", "t2"]  # it was written all the same, as asking again tells
    store.close()


class Broken:
    def write(self, batches: Sequence[Batch]) -> None:
        raise ZeroDivisionError


def test_even_a_bug_in_a_store_leaves_nobody_waiting() -> None:
    group = Group(Broken())  # type: ignore[arg-type]
    for _ in range(2):
        waiting = submitted(group, first("t1"))
        with pytest.raises(ZeroDivisionError):
            waiting.result(timeout=5)
    group.close()


# --- keepers ----------------------------------------------------------------------------------


@pytest.fixture
def shared(where: str, beside: Path) -> Iterator[Ledger]:
    ledger = at(where, beside, group=True)
    yield ledger
    ledger.close()


def test_many_tables_in_threads_each_play_as_if_alone(shared: Ledger, tmp_path: Path) -> None:
    names = [f"t{n}" for n in range(6)]
    evenings = [KeptEvening(Keeper.open(shared, name, HOUSE, 1_000_000_00)) for name in names]
    together = Barrier(len(names))

    def play(evening: KeptEvening) -> None:
        together.wait()
        evening.arrive()
        evening.rounds(1)

    threads = [Thread(target=play, args=(evening,)) for evening in evenings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, evening in zip(names, evenings, strict=True):
        assert evening.table.rounds == 1
        assert Keeper.resume(shared, name).kept == evening.keeper.kept
        list(follow(shared.store.read(name), name, Head()))
    witness: Any = shared.witness
    assert {each.table for each in witness.all()} == set(names)


def test_one_table_from_many_threads_takes_one_command_after_another(shared: Ledger) -> None:
    keeper = Keeper.open(shared, "t1", HOUSE, 0)

    def fill(who: int) -> None:
        for n in range(10):
            keeper.execute(c.FillInventory(SUPERVISOR, 1), f"{who} {n}")

    threads = [Thread(target=fill, args=(who,)) for who in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert keeper.table.inventory == 50
    assert keeper.head.sequence == 52


def test_many_tables_in_one_event_loop(shared: Ledger) -> None:
    keepers = [Keeper.open(shared, f"t{n}", HOUSE, 0) for n in range(10)]

    async def fill(keeper: Keeper, who: int) -> None:
        for n in range(5):
            command = c.FillInventory(SUPERVISOR, 1)
            answer = await keeper.perform(command, f"{who} {n}")
            assert await keeper.perform(command, f"{who} {n}") == answer

    async def evening() -> None:
        await asyncio.gather(*(fill(keeper, who) for keeper in keepers for who in range(2)))

    asyncio.run(evening())
    assert [keeper.table.inventory for keeper in keepers] == [10] * 10


def test_whoever_stops_waiting_does_not_stop_the_command(shared: Ledger) -> None:
    keeper = Keeper.open(shared, "t1", HOUSE, 0)
    told: list[str] = []
    keeper.subscribe(lambda answer, _: told.append(answer.command_id))

    async def leave() -> None:
        sitting = asyncio.create_task(keeper.perform(c.SitDown(player("Ann"), 1, 5_00), "sit"))
        await asyncio.sleep(0)
        sitting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sitting
        bought = await keeper.perform(c.BuyChips(player("Ann"), 1_00), "buy")
        assert bought.events == (e.ChipsBought("Ann", 1_00),)

    asyncio.run(leave())
    assert keeper.table.players == {"Ann": 6_00}
    assert told == ["sit", "buy"]


def test_a_fenced_keeper_in_an_event_loop_reads_what_the_other_wrote(
    shared: Ledger, where: str, beside: Path
) -> None:
    keeper = Keeper.open(shared, "t1", HOUSE, 0)
    other = at(where, beside, seed=2)
    Keeper.resume(other, "t1").execute(c.FillInventory(SUPERVISOR, 7), "other")

    async def fill() -> None:
        with pytest.raises(Fenced):
            await keeper.perform(c.FillInventory(SUPERVISOR, 1), "mine")
        assert (await keeper.perform(c.FillInventory(SUPERVISOR, 1), "mine")).events

    asyncio.run(fill())
    assert keeper.table.inventory == 8
    other.close()
