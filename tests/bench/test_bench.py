"""The measurements themselves: what is measured is what is said."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from helpers import ALL_BOOKS

from croupier.bench import table as bench
from croupier.bench.evaluator import version_of
from croupier.bench.table import SEATS, Evening, Row, Scripted, growth

COMMAND = [
    sys.executable,
    "-m",
    "croupier",
    "bench",
    "table",
    "--seconds",
    "0.02",
    "--rounds",
    "30",
]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_measured_round_is_a_whole_one(book: str, seats: int) -> None:
    evening = Evening(book, seats)
    for number in range(1, 4):
        events = evening.play()
        assert events >= 10 + 3 * seats
        assert evening.table.rounds == number
        assert evening.table.round is None
        assert len(evening.table.rack) == 52
        assert evening.table.accounts() == 0


def test_a_scripted_evening_is_the_same_rounds_and_begins_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "WRITTEN_DOWN", 3)
    told = Evening(ALL_BOOKS[0], 2)
    expected = [told.play() for _ in range(3)]
    scripted = Scripted(Evening(ALL_BOOKS[0], 2))
    assert [scripted.play() for _ in range(3)] == expected
    assert scripted.table.accounts() == 0
    assert scripted.table == told.table
    assert [scripted.play() for _ in range(3)] == expected


def test_a_row_counts_every_round_and_event_of_its_turns() -> None:
    played = []

    def play() -> int:
        played.append(7)
        return 7

    row = Row(play)
    row.batch = 50
    row.measure()
    assert len(played) == 50
    assert row.events[0] == pytest.approx(7 * row.rounds[0])


def test_a_short_evening_has_a_beginning_and_an_end() -> None:
    first, last = growth(ALL_BOOKS[0], 10)
    assert first > 0
    assert last > 0


def test_the_command_prints_a_row_for_every_table_and_the_peer() -> None:
    ran = subprocess.run(COMMAND, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for book in ALL_BOOKS:
        for seats in SEATS:
            assert re.search(rf"{book} +│ +{seats} │ +[\d,]+ │ +[\d,]+ │", ran.stdout)
    assert f"pokerkit {version_of(bench.PEER)}" in ran.stdout
    assert "not installed" not in ran.stdout
    assert "An evening of 30 rounds" in ran.stdout


def test_without_the_peer_the_sheet_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "PEER", "a-package-nobody-has")
    monkeypatch.setattr(bench, "RULEBOOKS", ALL_BOOKS[:1])
    bench.run(0.01, 5)
    out = capsys.readouterr().out
    assert "a-package-nobody-has" in out
    assert "not installed" in out
    assert "times" not in out.split("median")[0]
