"""croupier solve, as a user runs it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command import Ran, croupier

pytestmark = pytest.mark.usefixtures("solved_once")
COMMAND = [sys.executable, "-m", "croupier", "solve"]


@cache
def run(*args: str) -> Ran:
    return croupier("solve", *args)


def data(*args: str) -> dict[str, Any]:
    ran = run(*args, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_without_a_strategy_play_is_optimal_and_costs_nothing_more() -> None:
    found = data("ride")
    assert found["strategy"] == "optimal"
    assert Fraction(found["house_edge"]) == Fraction(1_822_224, 51_979_200)
    assert found["optimal_house_edge"] == found["house_edge"]
    assert found["cost"] == "0/1"


def test_a_strategy_is_told_with_optimal_play_and_what_it_costs() -> None:
    found = data("caribbean", "--strategy", "pair-or-better")
    deals = 19_933_230_517_200
    assert found["strategy"] == "pair-or-better"
    assert Fraction(found["house_edge"]) == Fraction(1_090_272_101_460, deals)
    assert Fraction(found["optimal_house_edge"]) == Fraction(1_041_372_912_372, deals)
    assert Fraction(found["cost"]) == Fraction(1_090_272_101_460 - 1_041_372_912_372, deals)
    assert found["ties"] == {}


def test_a_progressive_is_told_with_its_meter() -> None:
    """Pairs or better forfeit nothing that a progressive pays."""
    side = data("caribbean", "--strategy", "pair-or-better")["side_bets"]["progressive"]
    sums = 624 * 500 + 3_744 * 100 + 5_108 * 50
    even = Fraction(2_598_960 - sums) / Fraction("7.6")
    assert Fraction(side["per_10000_of_meter"]) == Fraction(76_000, 2_598_960)
    assert Fraction(side["break_even_meter"]) == even
    assert side["break_even_meter_cents"] == -(-even * 100 // 1) == 21_804_737


def test_the_readable_answer_shows_strategy_cost_and_meter() -> None:
    lines = run("caribbean", "--strategy", "pair-or-better").stdout.splitlines()
    words = [line.split() for line in lines]
    assert ["strategy", "pair-or-better"] in words
    assert ["house", "edge", "5.4696", "%"] in [line[:4] for line in words]
    assert ["cost", "of", "the", "strategy", "0.2453", "%"] in [line[:6] for line in words]
    assert (
        "progressive: 2.9242 % for each $10,000 on the meter; breaks even at $218,047.37" in lines
    )


def test_optimal_play_is_shown_without_a_cost() -> None:
    shown = run("ride").stdout
    assert "strategy" in shown
    assert "cost" not in shown


def test_the_strategies_of_a_game_are_listed() -> None:
    listed = run("ride", "--strategy", "list").stdout
    for name in ("optimal", "basic", "always-ride", "always-withdraw"):
        assert f"\n{name} " in f"\n{listed}"
    assert {"optimal", "simple", "always-five"} <= set(data("pikit", "--strategy", "list"))


def test_a_users_own_rules_and_functions_are_evaluated(tmp_path: Path) -> None:
    rules, function = tmp_path / "mine.toml", tmp_path / "mine.py"
    rules.write_text('game = "pik-it"\n[[play]]\ndo = "play 3"\n')
    function.write_text("def decide(situation):\n    return 'play 3'\n")
    for file, warning in (
        (rules, ""),
        (function, f"Warning: {function} is run as a program, with all your rights.\n"),
    ):
        ran = run("pikit", "--strategy", str(file), "--json")
        assert (ran.returncode, ran.stderr) == (0, warning)
        found = json.loads(ran.stdout)
        assert found["strategy"] == str(file)
        assert found["actions"] == {"play 3": "1/1"}
        assert found["house_edge"] == "0/1"  # three cards against three: a fair game


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("ride", "--strategy", "nothing"), "There is no strategy 'nothing'; there are optimal,"),
        (("ride", "--strategy", "missing.toml"), "missing.toml cannot be read"),
        (("poker",), "poker"),
        (("ride", "--set", "nonsense"), "--set 'nonsense' is not KEY=VALUE"),
        (("ride", "--pay", "main"), "--pay 'main' is not WAGER=LINE:ODDS"),
        (("ride", "--rulebook", "nj-pik-it-poker"), "regulates Pik-It"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(args: tuple[str, ...], said: str) -> None:
    ran = run(*args)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("Refused: ")
    assert ran.stderr.count("\n") == 1
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bad.toml", 'game = "let-it-ride"\n[[bet-1]]\ndo = "bet"\n'),
        ("bad.py", "def decide(situation):\n    return situation.nothing\n"),
    ],
)
def test_a_bad_strategy_file_is_one_sentence_and_exit_2(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    ran = run("ride", "--strategy", str(tmp_path / name))
    assert ran.returncode == 2
    *warning, refused = ran.stderr.splitlines()
    assert refused.startswith("Refused: ")
    assert len(warning) == (1 if name == "bad.py" else 0)


SLOW = """
import time
started = time.monotonic()

def decide(situation):
    if time.monotonic() - started < 1.5:
        time.sleep(0.01)
    return "ride"
"""


def test_a_bar_shows_what_takes_more_than_a_second_and_only_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    ours, theirs = pty.openpty()
    ran = subprocess.Popen(
        [*COMMAND, "ride", "--strategy", str(file), "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    output, _ = ran.communicate(timeout=60)
    assert b"asking at bet-2" in seen
    assert json.loads(output)["actions"] == {"ride, ride": "1/1"}
    quiet = run("ride", "--strategy", str(file), "--json").stderr
    assert quiet == f"Warning: {file} is run as a program, with all your rights.\n"


def test_the_help_says_that_a_strategy_in_python_is_run() -> None:
    assert "is run as a program" in " ".join(croupier("--help").out.split())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("--pay", "bet=royal-flush:1000000000000000"),
            "pay.bet.royal-flush = '1,000,000,000,000,000 to 1': "
            "odds may be at most 1,000,000 to 1.",
        ),
        (("--pay", f"bet=royal-flush:{10**19}"), "odds may be at most 1,000,000 to 1."),
        (("--pay", f"bet=royal-flush:{10**400}"), "An award has at most 40 characters"),
        (("--pay", "bet=royal-flush:nan"), "'nan' is no award"),
        (("--pay", "bet=royal-flush:-5"), "'-5' is no award"),
        (("--pay", "bet=flush:1/10001"), "odds may be to 10,000 at most"),
        (("--pay", "bet=flush:1/9999,straight:1/10000"), "10,000 is the most"),
        (("--set", f"limits.ante=[5, {10**9}]"), "no wager may be larger than $1,000,000"),
        (("--set", f"positions={10**400}"), "at most 1,000"),
        (("--set", f"positions=0x{'f' * 5_000}"), "at most 1,000"),
        (("--set", "multiples.bet=1000000000"), "at most 1,000"),
        (("--set", "multiples.bet=0"), "A play wager of no antes has no price"),
        (("--set", "multiples.bet=inf"), "must be a whole number"),
        (("--set", f"progressive.meter={10**30}"), "may exceed $10,000,000,000"),
    ],
)
def test_a_number_out_of_bounds_is_one_sentence(args: tuple[str, ...], said: str) -> None:
    ran = run("caribbean", *args)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("Refused: ")
    assert ran.stderr.count("\n") == 1
    assert len(ran.stderr) < 1_000
    assert said in ran.stderr


def test_the_largest_odds_are_solved_exactly() -> None:
    """The edge is affine in the odds of a royal flush, which is always played."""
    edges = {
        odds: Fraction(data("caribbean", "--pay", f"bet=royal-flush:{odds}")["house_edge"])
        for odds in (1_000, 2_000, 1_000_000)
    }
    slope = (edges[2_000] - edges[1_000]) / 1_000
    assert edges[1_000_000] == edges[1_000] + 999_000 * slope


def test_a_line_the_solver_does_not_tell_apart_is_refused() -> None:
    ran = run("caribbean", "--pay", "bet=royal-flush:100,tens-or-better:2")
    assert ran.returncode == 2
    assert ran.stderr.startswith("Refused: pay.bet: tens-or-better is a line of Let It Ride")


def test_a_progressive_without_lines_has_no_price() -> None:
    offered = 'offered=["trips","progressive"]'
    ran = run("uth", "--rulebook", "ma-ultimate-texas-holdem", "--set", offered)
    assert ran.returncode == 2
    assert "[pay.progressive]" in ran.stderr
