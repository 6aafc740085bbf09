"""The measurement of solutions: what is counted, what is run, and the draft beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.bench.solve import SOLVERS, in_a_process, preset, run, warm


def test_the_states_are_those_of_the_games() -> None:
    """42,783 kinds of board are 6,175 sets of ranks and 36,608 with three or more of a suit."""
    said = {alias: solver.states(solver.module.Deals()) for alias, solver in SOLVERS.items()}
    assert said["uth"].startswith("42,783 kinds of board")
    assert said["uth"].endswith("1,755 of flop")
    assert said["caribbean"].startswith(f"134,459 kinds of hand, {134_459 * 47:,} with")
    assert said["ride"].startswith(f"1,755 kinds of hand, {1_755 * 49:,} with")
    assert said["pikit"] == "134,459 kinds of hand"


def test_a_warm_solution_takes_less_than_a_process_of_its_own() -> None:
    assert 0 < warm("ride", 3) < in_a_process("ride")


def test_what_is_timed_is_a_whole_solution() -> None:
    main = SOLVERS["ride"].solution(preset("ride")).main
    assert main.combinations == 51_979_200
    assert set(main.actions()) >= {"ride, ride", "withdraw, withdraw"}


@pytest.mark.slow
def test_a_process_without_kernels_compiles_them(tmp_path: Path) -> None:
    assert in_a_process("ride", str(tmp_path)) > in_a_process("ride", str(tmp_path))


@pytest.mark.slow
def test_the_sheet_has_a_row_for_every_game_and_the_draft_below(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The draft has its own way to the edge, and must find the same."""
    run(turns=1)
    out = capsys.readouterr().out
    for alias in SOLVERS:
        title = re.escape(preset(alias).game.title)
        assert re.search(rf"{title} +│.*│ +[\d.]+ │ +[\d.]+ │", out)
    assert re.search(r"board by board: [\d.]+ s, [\d.]+ times as long", out)
    assert "the same edge to the last digit" in " ".join(out.split())
