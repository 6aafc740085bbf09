"""croupier simulate on the command line: figures, seeds, interruption, refusals."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import croupier
from helpers import RIDE, house

from croupier.analysis.simulation.simulate import CHUNK, Simulation, on_threads
from croupier.analysis.simulation.simulate_report import as_data, figures
from croupier.analysis.solve import best_plan, solve

COMMAND = [sys.executable, "-m", "croupier", "simulate"]


def data(*args: str) -> dict[str, Any]:
    ran = croupier("simulate", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def expected(seed: int, rounds: int, seats: int = 1) -> dict[str, Any]:
    """The same simulation without the command line."""
    simulation = Simulation(house(RIDE), best_plan(house(RIDE)), seats)
    total = sum(on_threads(simulation, seed, rounds, 2), simulation.nothing())
    found: dict[str, Any] = as_data(figures(simulation, total, solve(house(RIDE))))
    return found


def test_the_data_are_those_of_the_simulation() -> None:
    found = data("ride", "--rounds", "100000", "--seed", "7", "--workers", "1")
    assert (found["game"], found["rulebook"], found["seed"]) == ("let-it-ride", RIDE, 7)
    assert (found["rounds"], found["seats"], found["stopped"]) == (100_000, 1, False)
    assert found["wagers"] == expected(7, 100_000)


def test_a_full_table_is_simulated() -> None:
    found = data("ride", "--rounds", "70000", "--seed", "7", "--seats", "6")
    assert found["wagers"] == expected(7, 70_000, seats=6)


def test_without_a_seed_every_run_has_its_own_and_names_it() -> None:
    first, second = (data("ride", "--rounds", "10") for _ in range(2))
    assert first["seed"] != second["seed"]
    assert data("ride", "--rounds", "10", "--seed", str(first["seed"]))["wagers"] == first["wagers"]


def test_the_table_has_a_line_for_every_wager_and_net() -> None:
    ran = croupier("simulate", "ride", "--rounds", "50000", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    assert "let-it-ride, nj-let-it-ride: 50,000 rounds, 1 seat\n" in ran.out
    assert "seed 1, optimal play, " in ran.out
    for wager in ("main", "bonus", "three-card"):
        assert f"\n{wager} " in ran.out
    assert "24999" in ran.out  # the bonus of a royal flush, seen or not


def test_the_configuration_is_the_solvers() -> None:
    """A house that pays a high pair nothing keeps far more of the bets."""
    found = data("ride", "--rounds", "20000", "--seed", "1", "--set", 'offered=["bonus"]')
    assert set(found["wagers"]) == {"main", "bonus"}


def test_another_strategy_is_simulated() -> None:
    found = data("ride", "--rounds", "200000", "--seed", "1", "--strategy", "always-ride")
    assert found["strategy"] == "always-ride"
    nets = {row["net"] for row in found["wagers"]["main"]["histogram"]}
    assert "-3/1" in nets  # all three bets are lost,
    assert "-1/1" not in nets  # never one alone
    assert abs(found["wagers"]["main"]["z"]) < 4


def test_an_interruption_leaves_the_first_whole_chunks() -> None:
    """As by Ctrl-C once the bar is seen; the answer is that of as many rounds asked for."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "ride", "--rounds", "100000000000", "--seed", "7", "--json"],
        stdout=subprocess.PIPE,
        stderr=there,
        text=True,
        env={**os.environ, "TERM": "xterm"},
    ) as running:
        os.close(there)
        seen = b""
        while b"per second" not in seen:
            seen += os.read(here, 4096)
        running.send_signal(signal.SIGINT)
        try:
            out, _ = running.communicate(timeout=60)
        finally:
            running.kill()  # else it would be waited for, should it not have heard
    os.close(here)
    found = json.loads(out)
    assert running.returncode == 130
    assert found["stopped"] is True
    assert found["rounds"] > 0
    assert found["rounds"] % CHUNK == 0
    if found["rounds"] < 10**8:  # else it would take long to play them again
        assert found["wagers"] == expected(7, found["rounds"])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["go", "--rounds", "10"], "There is no game 'go'"),
        (["ride", "--rounds", "10", "--seats", "7"], "seats 1 to 6 players, not 7"),
        (["ride", "--rounds", "10", "--strategy", "luck"], "There is no strategy 'luck'"),
        (["ride", "--rounds", "10", "--workers", "1", "--cluster", "x"], "not both"),
        (["ride", "--rounds", "10", "--pay", "main"], "is not WAGER=LINE:ODDS"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(args: list[str], words: str) -> None:
    ran = croupier("simulate", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Refused: ")
    assert words in ran.err


@pytest.mark.parametrize(
    "args", [["--rounds", "0"], ["--rounds", "x"], [], ["--rounds", "1", "--seed", "-1"]]
)
def test_numbers_out_of_range_exit_2_without_a_traceback(args: list[str]) -> None:
    ran = croupier("simulate", "ride", *args)
    assert (ran.code, ran.out) == (2, "")
    assert "Error: " in ran.err


def test_a_house_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(f'rulebook = "{RIDE}"\noffered = []\n', "utf-8")
    found = data("ride", "--rounds", "1000", "--seed", "3", "--house", str(file))
    assert set(found["wagers"]) == {"main"}
