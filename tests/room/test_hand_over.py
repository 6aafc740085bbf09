"""A table goes from one process to another: two hosts over one ledger, their words passed on by
hand, so that it is known who hears what when."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import ledger_driver
import pytest

from croupier.ledger.entry import Entry
from croupier.ledger.keeper import NEAR, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Batch
from croupier.room.bank import Bank
from croupier.room.door.roles import Role
from croupier.room.hosts import TableHost
from croupier.room.messages import Happened, Shown, Told
from croupier.room.owners import Alone
from croupier.room.pace import Pace
from croupier.room.words import AnyWord, Clocks, Here, Purse, heard, spoken
from croupier.table.commands import SitDown, player

DECISION = 30


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Line(Alone):
    """What a process says is kept until it is passed on."""

    def __init__(self, me: str) -> None:
        super().__init__()
        self.me = me
        self.said: list[AnyWord] = []
        self.written: dict[str, int] = {}

    def say(self, word: AnyWord) -> None:
        again = heard(spoken(word))
        assert again == word
        self.said.append(word)

    def wrote(self, table: str, version: int) -> None:
        self.written[table] = version


class Viewer:
    role = Role.PLAYER

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: list[Told] = []

    def tell(self, message: Told) -> None:
        self.told.append(message)

    def close(self, code: int, sentence: str) -> None:
        raise AssertionError(sentence)


class Process:
    """One table at one process."""

    def __init__(self, ledger: Ledger, me: str, clock: Clock) -> None:
        keeper = (
            Keeper.resume(ledger, "t")
            if ledger.store.tables()
            else Keeper.open(ledger, "t", {"rulebook": "nj-caribbean-stud"}, 100_000_00)
        )
        self.line = Line(me)
        self.pace = Pace(0, DECISION, now=clock)
        self.bank = Bank(lambda name: 1_000_00, lambda name: 0)
        self.host = TableHost(keeper, self.bank, self.pace, self.line)
        self.host.start()

    async def do(self, who: str, name: str, **fields: Any) -> None:
        do = {"name": name, **fields}
        answer = await self.host.perform(do, f"{who} {self.host.version}", who, Role.PLAYER)
        assert answer.refused is None

    async def pass_on(self, other: Process) -> None:
        """All that was said so far."""
        said, self.line.said = self.line.said, []
        if self.line.written:
            await other.host.wrote(self.line.written["t"])
        for word in said:
            await other.host.told(word)

    def left(self) -> float:
        """Seconds for the decision that is asked for now."""
        decision = self.pace.stand().decision
        assert decision is not None
        return decision


def play(folder: Path, evening: Callable[[Process, Process, Clock], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        ledgers = [
            ledger_driver.at(folder / "ledger.db", folder / "ledger.db", seed=seed, group=True)
            for seed in (1, 2)
        ]
        one, two = (
            Process(ledger, name, clock) for ledger, name in zip(ledgers, "12", strict=True)
        )
        one.host.own(True)
        await evening(one, two, clock)
        for process in (one, two):
            await process.host.stop()
            process.host.keeper.ledger.close()

    asyncio.run(run())


async def asked(process: Process) -> None:
    """Until the dealer waits for a decision."""
    async with asyncio.timeout(10):
        while process.pace.stand().decision is None:
            await asyncio.sleep(0.01)


async def dealt_to_ann(one: Process) -> None:
    """Zoe sits this round out and waits for the next, so that Ann is timed."""
    for seat, name in enumerate(("ann", "zoe"), 1):
        one.host.watch(Viewer(name), None)
        await one.do(name, "SitDown", seat=seat, chips=500_00)
    await one.do("ann", "PlaceWagers", seat=1, wagers={"ante": 5_00})
    for name in ("ann", "zoe"):
        one.host.ready(name)
    await asked(one)


def told_who_is_there(one: Process, two: Process) -> None:
    """What a process says every second."""
    two.host.hear(Here("1", "t", one.host.here(), len(one.host.audience)))


def test_a_clock_goes_on_at_the_next_process(tmp_path: Path) -> None:
    """Nobody gains time by coming back to another process."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await dealt_to_ann(one)
        clock.now += 20
        assert one.left() == 10
        one.host.own(False)
        await one.pass_on(two)
        two.host.own(True)
        assert two.host.version == one.host.version
        assert two.left() == 10

    play(tmp_path, evening)


def test_clocks_of_an_earlier_moment_do_not_count(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await dealt_to_ann(one)
        clock.now += 20
        one.host.own(False)
        old = [word for word in one.line.said if isinstance(word, Clocks)][-1]
        told_who_is_there(one, two)
        two.host.own(True)
        await asked(two)
        assert two.left() == DECISION
        await two.do("ann", "Choose", seat=1, verb="fold")
        await two.host.told(old)
        assert two.pace.stand().decision is None

    play(tmp_path, evening)


def test_who_was_ready_meanwhile_is_not_forgotten(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        one.host.watch(Viewer("ann"), None)
        two.host.watch(Viewer("bob"), None)
        for seat, name in enumerate(("ann", "bob"), 1):
            await one.do(name, "SitDown", seat=seat, chips=500_00)
            await one.do(name, "PlaceWagers", seat=seat, wagers={"ante": 5_00})
        one.host.own(False)
        one.host.ready("ann")
        await two.host.wrote(one.host.version)
        two.host.ready("bob")
        await one.pass_on(two)
        assert two.pace.ready == {"ann", "bob"}

    play(tmp_path, evening)


def test_where_nobody_watches_nothing_is_read_until_somebody_asks(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        before = two.host.version
        await dealt_to_ann(one)
        await one.pass_on(two)
        assert two.host.version == before
        await two.host.look()
        assert two.host.version == one.host.version
        assert two.host.table == one.host.table

    play(tmp_path, evening)


class Slowly:
    """Reads of a store's entries, which wait until they may go on."""

    def __init__(self, process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[int] = []
        self.go_on = threading.Event()
        store = process.host.keeper.ledger.store
        self._read = store.read
        monkeypatch.setattr(store, "read", self.read)

    def read(self, *which: Any) -> Iterator[Entry]:
        self.threads.append(threading.get_ident())
        assert self.go_on.wait(10)
        return self._read(*which)

    async def begun(self) -> None:
        async with asyncio.timeout(10):
            while not self.threads:
                await asyncio.sleep(0.001)


@pytest.mark.parametrize("sittings", [1, NEAR // 2 + 1])
def test_what_others_wrote_is_read_once_and_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sittings: int
) -> None:
    """Where it is near, and where it is far."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        before = two.host.version
        for _ in range(sittings):
            await one.do("ann", "SitDown", seat=1, chips=500_00)
            await one.do("ann", "StandUp", seat=1)
        await one.pass_on(two)
        slowly = Slowly(two, monkeypatch)
        looks = [asyncio.create_task(two.host.look()) for _ in range(3)]
        await slowly.begun()  # and the loop goes on
        assert two.host.version == before
        slowly.go_on.set()
        await asyncio.gather(*looks)
        assert two.host.version == one.host.version
        assert two.host.table == one.host.table
        assert len(slowly.threads) == 1
        assert threading.get_ident() not in slowly.threads

    play(tmp_path, evening)


def test_a_table_that_is_taken_over_or_played_at_while_it_is_read_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await one.do("ann", "SitDown", seat=1, chips=500_00)
        await one.pass_on(two)
        slowly = Slowly(two, monkeypatch)
        look = asyncio.create_task(two.host.look())
        await slowly.begun()
        one.host.own(False)
        two.host.own(True)
        two.host.watch(Viewer("bob"), None)
        command = asyncio.create_task(two.do("bob", "SitDown", seat=2, chips=500_00))
        await asyncio.sleep(0)
        slowly.go_on.set()
        await asyncio.gather(look, command)
        assert [two.host.table.seats[seat] for seat in (0, 1)] == ["ann", "bob"]

    play(tmp_path, evening)


def test_who_comes_back_to_another_process_is_told_what_he_missed(tmp_path: Path) -> None:
    """One by one where it is not far, and how the table stands where it is."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await one.do("ann", "SitDown", seat=1, chips=500_00)
        await one.pass_on(two)
        await two.host.look()
        left = two.host.version
        await one.do("ann", "PlaceWagers", seat=1, wagers={"ante": 5_00})
        await one.pass_on(two)
        await two.host.look()
        near = Viewer("ann")
        two.host.watch(near, left)
        assert {type(each) for each in near.told} == {Happened}
        two.host.unwatch(near)
        for _ in range(NEAR // 2 + 1):
            await one.do("bob", "SitDown", seat=2, chips=500_00)
            await one.do("bob", "StandUp", seat=2)
        await one.pass_on(two)
        await two.host.look()
        far = Viewer("ann")
        two.host.watch(far, left)
        assert [type(each) for each in far.told] == [Shown]
        assert two.host.version == one.host.version

    play(tmp_path, evening)


def test_who_begins_to_watch_elsewhere_sees_the_clocks_as_they_stand(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await dealt_to_ann(one)
        clock.now += 20
        one.line.said.clear()
        told_who_is_there(one, two)
        await one.pass_on(two)
        await two.host.look()
        await asked(two)
        assert two.left() == DECISION
        viewer = Viewer("bob")
        two.host.watch(viewer, None)
        await two.pass_on(one)
        await one.pass_on(two)
        assert two.left() == 10
        assert len(viewer.told) == 2

    play(tmp_path, evening)


def test_where_somebody_watches_everything_is_told_without_a_gap(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        viewer = Viewer("bob")
        two.host.watch(viewer, None)
        await dealt_to_ann(one)
        await one.pass_on(two)
        versions = [(each.since, each.version) for each in viewer.told if hasattr(each, "since")]
        assert versions
        assert all(a[1] == b[0] for a, b in pairwise(versions))
        assert versions[-1][1] == one.host.version
        await two.host.look()  # changes nothing
        assert two.line.written == {}, "what others wrote is not announced again"

    play(tmp_path, evening)


def test_whoever_takes_over_reads_what_was_never_announced(tmp_path: Path) -> None:
    """The last owner died between writing and telling."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await dealt_to_ann(one)
        one.host.owned = False
        two.host.own(True)
        assert two.host.version == one.host.version
        assert two.line.written == {"t": one.host.version}

    play(tmp_path, evening)


def test_a_bank_shown_elsewhere_is_read_again_after_chips_went_to_a_table(tmp_path: Path) -> None:
    async def evening(one: Process, two: Process, clock: Clock) -> None:
        two.bank._taken = two.host.keeper.ledger.store.taken
        assert await two.bank.load("ann") == 1_000_00
        await one.do("ann", "SitDown", seat=1, chips=500_00)
        assert Purse("1", "t", "ann") in one.line.said
        assert two.bank.known("ann") == 1_000_00
        await one.pass_on(two)
        await two.bank.stop()
        assert two.bank.known("ann") == 500_00
        await two.host.look()  # reads the event itself, which is in the balance already
        await two.bank.stop()
        assert two.bank.known("ann") == 500_00

    play(tmp_path, evening)


@pytest.mark.parametrize("turns", range(5))
def test_a_host_that_was_just_woken_stops(tmp_path: Path, turns: int) -> None:
    """So many turns of the event loop before."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await one.do("ann", "SitDown", seat=1, chips=500_00)  # and a clock runs
        await asyncio.sleep(0.1)
        one.host.own(False)
        for _ in range(turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(5) as patience:
            await one.host.stop()
        assert not patience.expired()  # the host ends by itself, and not because it was cancelled

    play(tmp_path, evening)


def test_what_is_written_for_somebody_who_stopped_waiting_is_announced(tmp_path: Path) -> None:
    """Also when what others wrote is waited for meanwhile."""

    async def evening(one: Process, two: Process, clock: Clock) -> None:
        await asyncio.sleep(0.1)  # the dealer has nothing more to do
        one.line.written.clear()
        store, began = one.host.keeper.ledger.store, asyncio.Event()
        write, loop = store.write, asyncio.get_running_loop()

        def slowly(batches: Sequence[Batch]) -> None:
            loop.call_soon_threadsafe(began.set)
            time.sleep(0.2)
            write(batches)

        store.write = slowly  # type: ignore[method-assign]
        before, sit = one.host.version, SitDown(player("ann"), 1, 500_00)
        sitting = asyncio.create_task(one.host._do(lambda: (sit, ""), "sit"))
        await began.wait()
        sitting.cancel()
        await asyncio.gather(sitting, return_exceptions=True)
        assert one.host.version == before, "it is being written still"
        await one.host.wrote(before)
        assert one.host.version > before
        assert one.line.written == {"t": one.host.version}
        store.write = write  # type: ignore[method-assign]

    play(tmp_path, evening)
