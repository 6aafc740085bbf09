"""A failure for one viewer is that viewer's alone, and an answer says what became of a command."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ledger_driver
import pytest
from room_driver import running

from croupier.ledger.keeper import Answer as Kept
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Batch, NotWritten, StoreTrouble, Unwritten
from croupier.room.audience import CANNOT_SHOW
from croupier.room.bank import Bank
from croupier.room.connections import BROKEN
from croupier.room.door.roles import Role
from croupier.room.hosts import TableHost
from croupier.room.messages import Answer, Told
from croupier.room.owners import Alone
from croupier.room.pace import Pace
from croupier.table import commands as c

SIT = {"name": "SitDown", "seat": 1, "chips": 500_00}


class Viewer:
    role = Role.PLAYER

    def __init__(self, name: str, fails: bool = False) -> None:
        self.name = name
        self.fails = fails
        self.told: list[Told] = []
        self.closed: list[tuple[int, str]] = []

    def tell(self, message: Told) -> None:
        if self.fails:
            raise OverflowError("a number beyond all bounds in /srv/room/croupier.db")
        self.told.append(message)

    def close(self, code: int, sentence: str) -> None:
        self.closed.append((code, sentence))


def hosted(folder: Path, story: Callable[[TableHost], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        ledger = ledger_driver.at(folder / "ledger.db", folder / "ledger.db")
        keeper = Keeper.open(ledger, "t", {"rulebook": "nj-let-it-ride"}, 100_000_00)
        bank = Bank(lambda name: 1_000_00, ledger.store.taken)
        host = TableHost(keeper, bank, Pace(0, 0), Alone())
        host.start()
        await story(host)
        await host.stop()
        await bank.stop()
        ledger.close()

    asyncio.run(run())


async def sit(host: TableHost, command_id: str = "sit") -> Answer:
    return await host.perform(SIT, command_id, "ann", Role.PLAYER)


# --- viewers --------------------------------------------------------------------------------


def test_a_viewer_who_cannot_be_told_is_closed_and_nobody_else_notices(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(host: TableHost) -> None:
        broken, others = Viewer("eve"), [Viewer("ann"), Viewer("bob")]
        for viewer in (others[0], broken, others[1]):
            host.watch(viewer, None)
        before = [len(each.told) for each in others]
        broken.fails = True
        assert (await sit(host)).refused is None
        assert all(len(each.told) > n for each, n in zip(others, before, strict=True))
        assert broken.closed == [(BROKEN, CANNOT_SHOW)]
        assert not host.present("eve")
        host.watch(again := Viewer("eve", fails=True), None)  # and while it comes
        assert again.closed == [(BROKEN, CANNOT_SHOW)]
        for each in others:
            assert each.closed == []

    hosted(tmp_path, story)
    lines = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert len(lines) == 2


def test_many_viewers_who_fail_are_few_lines_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(host: TableHost) -> None:
        for number in range(100):
            host.watch(Viewer(f"eve {number}", fails=True), None)

    hosted(tmp_path, story)
    assert len(caplog.records) == 7


def test_what_fails_after_the_write_does_not_turn_it_into_a_refusal(tmp_path: Path) -> None:
    async def story(host: TableHost) -> None:
        before, viewer = host.version, Viewer("bob")
        host.watch(viewer, None)

        def fails(*given: object) -> None:
            raise RuntimeError("no clock")

        host.pace.follow = fails  # type: ignore[method-assign]
        assert (await sit(host)).refused is None
        assert host.version > before
        assert host.table.seats[0] == "ann"
        assert viewer.closed == []

    hosted(tmp_path, story)


def test_a_balance_that_no_database_can_add_up_harms_nobody(tmp_path: Path) -> None:
    """A spectator whose grants overflow the sum, beside a player at the same table."""
    with running(tmp_path) as room:
        spectator, player = room.guest(), room.guest().connect()
        huge = ("INSERT INTO grants VALUES (?, '', ?)", (spectator.name, (1 << 62)))
        room.room.register.change(huge, huge)
        room.room.bank.forget(spectator.name)
        spectator.connect()
        spectator.look("ride-1")
        player.look("ride-1")
        player.sit("ride-1", 1)
        player.bet("ride-1")
        player.play("ride-1")
        spectator.sync()
        told = spectator.tables["ride-1"]["view"]
        assert told["rounds"] == 1
        assert told["you"]["bank"] is None
        assert player.tables["ride-1"]["view"]["you"]["bank"] == 500_00
        for frame in spectator.frames + player.frames:
            assert str(tmp_path) not in frame
            assert "overflow" not in frame
        for each in (spectator, player):
            each.disconnect()


def test_balances_are_told_from_memory_and_a_late_one_when_it_comes(tmp_path: Path) -> None:
    async def story(host: TableHost) -> None:
        host.bank.changed = host.audience.tell_name
        viewer = Viewer("bob")
        host.watch(viewer, None)
        (first,) = viewer.told
        assert first.view["you"]["bank"] is None  # type: ignore[attr-defined]
        await host.bank.stop()
        assert viewer.told[-1].view["you"]["bank"] == 1_000_00  # type: ignore[attr-defined]

    hosted(tmp_path, story)


# --- what became of a command ---------------------------------------------------------------


@contextmanager
def writing(ledger: Ledger, failing: Callable[[Callable[[], None]], None]) -> Iterator[None]:
    """Every write goes through ``failing``, which is given the write itself."""
    write = ledger.store.write

    def wrapped(batches: Sequence[Batch]) -> None:
        failing(lambda: write(batches))

    ledger.store.write = wrapped  # type: ignore[method-assign]
    yield
    ledger.store.write = write  # type: ignore[method-assign]


def test_an_unknown_outcome_is_never_called_a_refusal(tmp_path: Path) -> None:
    """It was written, and then the disk failed. The same id again acts once and is answered."""

    def kept_and_lost(write: Callable[[], None]) -> None:
        write()
        raise Unwritten("/srv/room/croupier.db cannot be written: disk I/O error.")

    async def story(host: TableHost) -> None:
        with writing(host.keeper.ledger, kept_and_lost), pytest.raises(StoreTrouble) as unknown:
            await sit(host)
        assert "/srv" not in unknown.value.sentence
        assert (await sit(host)).refused is None
        assert host.table.seats[0] == "ann"
        assert await asyncio.to_thread(host.bank.holds, "ann") == 500_00

    hosted(tmp_path, story)


def test_what_was_surely_not_written_can_be_asked_again(tmp_path: Path) -> None:
    def full(write: Callable[[], None]) -> None:
        raise NotWritten("/srv/room/croupier.db cannot be written: disk full.")

    async def story(host: TableHost) -> None:
        with writing(host.keeper.ledger, full), pytest.raises(NotWritten):
            await sit(host)
        assert host.table.seats[0] == ""
        assert (await sit(host)).refused is None

    hosted(tmp_path, story)


def test_an_error_nobody_thought_of_is_an_unknown_outcome(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(host: TableHost) -> None:
        perform = host.keeper.perform

        async def fails(*given: Any) -> Kept:
            await perform(*given)
            raise ZeroDivisionError("in /srv/croupier/hosts.py")

        host.keeper.perform = fails  # type: ignore[method-assign]
        answer = await sit(host)
        assert answer.refused
        assert answer.refused.code == Unwritten.public_code
        assert "/srv" not in answer.refused.sentence
        host.keeper.perform = perform  # type: ignore[method-assign]
        assert (await sit(host)).refused is None
        assert host.table.seats[0] == "ann"

    hosted(tmp_path, story)


def test_no_frame_and_no_answer_tells_of_files_or_statements(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player = room.guest().connect()
        player.look("ride-1")
        store = room.room.ledger.store
        write = store.write

        def fails(batches: Sequence[Batch]) -> None:
            raise Unwritten(f"{tmp_path} cannot be written: INSERT INTO entries.")

        store.write = fails  # type: ignore[method-assign]
        player.say("command", id="sit", table="ride-1", do=SIT)
        heard = player.until(lambda each: each.get("id") == "sit")
        assert heard["type"] == "trouble"
        store.write = write  # type: ignore[method-assign]
        assert player.ask("ride-1", command_id="sit", **SIT) is None
        assert not any(str(tmp_path) in frame or "INSERT" in frame for frame in player.frames)
        player.disconnect()


# --- a table that cannot go on --------------------------------------------------------------


def test_a_dealer_who_is_refused_again_and_again_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Viewers are told after the third time, the log is short, and any event makes it good."""
    clock = [1000.0]

    async def story(host: TableHost) -> None:
        host._now = lambda: clock[0]
        viewer = Viewer("bob")
        host.watch(viewer, None)
        await asyncio.sleep(0.2)  # the dealer has nothing more to do
        real = host.keeper.dealer.next_command

        def wrong(table: object, *, close_bets: bool) -> c.Command:
            return c.Settle(c.DEALER, 1)

        host.keeper.dealer.next_command = wrong  # type: ignore[assignment, method-assign]
        host.own(True)
        async with asyncio.timeout(10):
            while not host.stuck:
                clock[0] += 100
                host._woken.set()
                await asyncio.sleep(0.01)
        assert host.stuck.startswith("The table waits for the floor: ")
        await asyncio.sleep(0.05)
        notice = viewer.told[-1].clocks["notice"]  # type: ignore[attr-defined]
        assert notice == host.stuck
        refused = host._refused
        for _ in range(20):  # spectators who come and go do not make it try
            host._woken.set()
            await asyncio.sleep(0.001)
        assert host._refused == refused <= 4
        host.keeper.dealer.next_command = real  # type: ignore[method-assign]
        fill = {"name": "FillInventory", "amount": 100}
        assert (await host.perform(fill, "fill", "boss", Role.SUPERVISOR)).refused is None
        assert host.stuck == ""

    hosted(tmp_path, story)
    lines = [each for each in caplog.records if "refused the house" in each.getMessage()]
    assert 1 <= len(lines) <= 3
