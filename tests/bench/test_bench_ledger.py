"""The measurement of the ledger: what is measured is what is said."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.bench import ledger as bench
from croupier.bench.ledger import (
    INSERT,
    LONG_LIFE,
    LONGER,
    ONE,
    WRITE,
    Room,
    Slower,
    Spread,
    beside,
    bytes_per_command,
    live,
    opening,
)
from croupier.ledger.audit import audit
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Batch


def test_every_command_of_a_turn_is_in_the_ledger_and_counted(tmp_path: Path) -> None:
    room = Room(tmp_path / "room.db", 6)
    before = sum(keeper.head.sequence for keeper in room.keepers)
    room.turn(0.3)
    assert len(room.waits) >= 6
    assert room.busy > 0
    assert len(room.commands) == len(room.rounds) == 1
    assert sum(keeper.head.sequence for keeper in room.keepers) >= before + len(room.waits)
    room.close()
    ledger = Ledger.at(tmp_path / "room.db")
    for keeper in room.keepers:
        assert Keeper.resume(ledger, keeper.name).head == keeper.head
    report = audit(ledger)
    assert (report.discrepancies, report.tables) == ([], 6)
    assert report.commands >= len(room.waits)
    ledger.close()


def test_tables_in_two_processes_write_one_ledger(tmp_path: Path) -> None:
    spread = Spread(tmp_path / "spread.db", 5, 2)
    spread.turn(0.3)
    assert len(spread.commands) == len(spread.rounds) == 1
    assert spread.busy > 0
    spread.close()
    ledger = Ledger.at(tmp_path / "spread.db")
    assert ledger.store.tables() == ["t0", "t1", "t2", "t3", "t4"]
    report = audit(ledger)
    assert (report.discrepancies, report.tables) == ([], 5)
    assert report.commands >= len(spread.waits) > 5
    ledger.close()


def test_the_record_beside_it_has_the_bytes_one_command_keeps(tmp_path: Path) -> None:
    assert 300 < bytes_per_command(tmp_path) < 3_000


class Counted(Slower):
    """How often it was synced."""

    syncs = 0

    def write(self, batches: Sequence[Batch]) -> None:
        super().write(batches)
        Counted.syncs += 1


@pytest.mark.parametrize(("tables", "least"), [(1, 1), (50, 5)])
def test_a_command_takes_one_sync_and_fifty_tables_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: int, least: int
) -> None:
    """Fifty share it for at least five commands; more than twenty where nothing else runs."""
    monkeypatch.setattr(bench, "Slower", Counted)
    room = Room(tmp_path / "slower.db", tables, longer=True)
    Counted.syncs = 0
    room.turn(0.5)
    room.close()
    assert len(room.waits) >= least * Counted.syncs > 0
    if tables == 1:
        assert len(room.waits) == Counted.syncs


def test_each_price_is_taken_as_often_as_the_others(tmp_path: Path) -> None:
    waits = beside(tmp_path / "busy", 700, 0)
    assert {name: len(took) for name, took in waits.items()} == dict.fromkeys(
        (WRITE, INSERT, ONE), bench.A_FEW
    )
    assert all(took > 0 for each in waits.values() for took in each)
    assert (tmp_path / "busy/bare").stat().st_size == 700 * bench.A_FEW


class Clock:
    """Time that passes in pauses only."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)


def test_at_a_quiet_table_each_comes_after_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(bench, "time", clock)
    waits = beside(tmp_path / "quiet", 700, 0, in_a_row=1, pause=0.5)
    assert clock.pauses == [0.5] * 3
    assert list(waits.values()) == [[0.0]] * 3, "the pause is not part of the price"


def test_a_long_life_is_whole_and_opens_to_the_same_table_both_ways(tmp_path: Path) -> None:
    live(tmp_path / "long.db", 2_500)
    opened, read = opening(tmp_path / "long.db")
    assert opened > 0
    assert read > 0
    ledger = Ledger.at(tmp_path / "long.db")
    head = ledger.store.head(LONG_LIFE)
    assert head is not None
    assert 2_500 <= head.sequence < 2_600
    assert list(ledger.store.snapshots(LONG_LIFE))
    assert audit(ledger).discrepancies == []
    ledger.close()


def test_a_million_entries_are_audited_in_minutes_of_one_core(tmp_path: Path) -> None:
    """A quiet machine needs less than one. The processor's time for a part of them is taken, the
    best of three, and four times as much is allowed: a core that others share is slower."""
    live(tmp_path / "long.db", 20_000)
    ledger = Ledger.at(tmp_path / "long.db")
    took = []
    for _ in range(3):
        start = time.process_time()
        report = audit(ledger)
        took.append((time.process_time() - start) / report.entries)
        assert report.discrepancies == []
    ledger.close()
    assert min(took) * 1_000_000 < 4 * 60


def test_the_sheets_name_every_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "TABLES", (1, 3))
    bench.run(0.3, 300)
    out = capsys.readouterr().out
    for name in (WRITE, INSERT, ONE):
        assert len(re.findall(rf"{name} +│ +[\d.]+ │ +[\d.]+ │", out)) == 2
    assert "The same, each after a pause of 5 ms" in out
    for row in ("1", "3", "3, in two"):
        assert re.search(rf"│ +{row} │ +[\d,]+ │", out)
    assert f"if a sync took {LONGER * 1e3:.0f} ms more" in out
    assert "A table with 300 events behind it opens in" in out
