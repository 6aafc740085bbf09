"""bench simulate: what is measured is what is said."""

from __future__ import annotations

import re

import pytest
from command import croupier
from helpers import ALL_BOOKS, RIDE, house

from croupier.analysis.simulation.simulate import CHUNK, Simulation
from croupier.analysis.solve import best_plan
from croupier.bench import simulate as bench
from croupier.bench.evaluator import eval7, version_of
from croupier.bench.simulate import PEER_ROUNDS, Row, showdowns, simulated


def test_a_row_plays_whole_turns_and_divides_by_the_time() -> None:
    played: list[int] = []
    row = Row(played.append, 50)
    row.warm_up(0.0)
    row.measure()
    assert played == [50, 50, 50]
    assert row.rates[0] > 0


def test_a_measured_turn_plays_all_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(house(RIDE), best_plan(house(RIDE)))
    seen: list[int] = []
    chunk = simulation.chunk
    monkeypatch.setattr(
        simulation,
        "chunk",
        lambda *args: seen.append(args[2]) or chunk(*args),  # type: ignore[func-returns-value]
    )
    row = simulated(simulation, 2)
    row.play(row.least)
    assert sum(seen) == row.least == 8 * CHUNK


def test_a_peer_evaluates_two_hands_of_every_deal() -> None:
    function, prepare = eval7()
    hands: list[list[int]] = []

    def kept(row: list[int]) -> tuple[object, ...]:
        hands.append(row)
        return prepare(row)

    showdowns((function, kept)).play(PEER_ROUNDS)  # type: ignore[arg-type]
    assert len(hands) == 2 * PEER_ROUNDS
    for mine, dealers in zip(hands[::2], hands[1::2], strict=True):
        assert mine[:5] == dealers[:5]
        assert len({*mine, *dealers}) == 9


def test_the_command_prints_a_row_for_every_table_and_peer() -> None:
    ran = croupier("bench", "simulate", "--seconds", "0.1")
    assert (ran.code, ran.err) == (0, "")
    for book in ALL_BOOKS:
        assert re.search(rf"{book} +│ +[\d,]+ │ +[\d,]+ │", ran.out)
    for peer in ("eval7", "phevaluator"):
        assert re.search(rf"{peer} {version_of(peer)}, showdowns only +│ +[\d,]+ │", ran.out)


def test_without_a_peer_the_sheet_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "version_of", lambda package: "")
    monkeypatch.setattr(bench, "RULEBOOKS", (RIDE,))
    bench.run(0.05)
    out = capsys.readouterr().out
    assert "eval7" in out
    assert "not installed" in out
    assert "showdowns only" not in out
