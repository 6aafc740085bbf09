"""croupier risk on the command line: sessions, ruin, actual results, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from command import croupier
from helpers import PIK_IT, RIDE, house

from croupier.analysis.simulation.risk import one_round, results, ruin
from croupier.analysis.solve import solve


def data(*args: str) -> dict[str, Any]:
    ran = croupier("risk", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_a_session_has_the_solvers_mean_and_variance() -> None:
    found = data("ride", "--hours", "2.5", "--rounds-per-hour", "60", "--bet", "10")
    main = solve(house(RIDE)).main
    assert (found["rounds"], found["bet"]) == (150, 10_00)
    assert Fraction(found["theoretical_win"]) == -150 * 10_00 * main.net
    assert Fraction(found["variance"]) == 150 * 10_00**2 * main.variance
    assert Fraction(found["wagered"]) == 150 * 10_00 * main.average_wager
    spread = results(one_round(main, 10_00), 150)
    assert found["quantiles"]["0.05"] == spread.quantile(0.05)
    assert found["ahead"] + found["behind"] < 1
    assert "ruin" not in found


def test_the_bet_is_the_table_minimum_unless_it_is_said() -> None:
    assert data("ride", "--rounds", "10")["bet"] == 5_00


def test_a_bankroll_is_followed_to_its_end() -> None:
    found = data("ride", "--rounds", "100", "--bankroll", "$200")["ruin"]
    expected = ruin(one_round(solve(house(RIDE)).main, 5_00), 200_00, 100)
    assert found["bankroll"] == 200_00
    assert found["chance"] == pytest.approx(expected.chance)
    assert (found["method"], found["standard_error"]) == ("lattice", 0)


def test_pik_its_forced_bonus_belongs_to_every_round() -> None:
    whole = solve(house(PIK_IT)).whole
    assert whole is not None
    found = data("pikit", "--rounds", "100")
    assert Fraction(found["theoretical_win"]) == -100 * 5_00 * whole.net


def test_a_win_as_expected_is_no_alarm_and_a_wild_one_is() -> None:
    quiet = data("ride", "--rounds", "10000", "--actual", "1750")["actual"]
    assert quiet["alarm"] is False
    assert abs(quiet["z"]) < 0.01
    loud = data("ride", "--rounds", "10000", "--actual", "-20000")["actual"]
    assert loud["alarm"] is True
    assert loud["win"] == -20_000_00
    assert loud["z"] < -8
    assert loud["chance_of_no_more"] < 0.001  # two royal flushes would do it
    assert loud["chance_of_no_less"] > 0.999


def test_the_table_says_it_in_words() -> None:
    ran = croupier("risk", "ride", "--rounds", "10000", "--actual", "-20000", "--bankroll", "1000")
    assert (ran.code, ran.err) == (0, "")
    assert "let-it-ride, nj-let-it-ride: 10,000 rounds at $5, optimal play" in ran.out
    for words in ("theoretical win of the house", "loses $1,000 on the way", "ALARM"):
        assert words in ran.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["ride"], "either --hours or --rounds"),
        (["ride", "--hours", "1", "--rounds", "10"], "either --hours or --rounds"),
        (["ride", "--hours", "0.001"], "not one round"),
        (["ride", "--rounds", "10", "--bet", "0"], "must be more than nothing"),
        (["ride", "--rounds", "10", "--bet", "ten"], "is not a sum in dollars"),
        (["ride", "--rounds", "10", "--bankroll", "-5"], "A bankroll must be more than nothing"),
        (
            ["ride", "--rounds", "10", "--bet", "0.01", "--pay", "main=straight:9/2"],
            "paid in whole cents",
        ),
        (["ride", "--rounds", "10", "--actual", "much"], "The actual win 'much'"),
        (["ride", "--rounds", "1000000000000"], "too many to tell apart"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(args: list[str], words: str) -> None:
    ran = croupier("risk", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Refused: ")
    assert words in ran.err


@pytest.mark.parametrize("hours", ["nan", "inf", "-1", "1e9"])
def test_hours_out_of_range_exit_2_without_a_traceback(hours: str) -> None:
    ran = croupier("risk", "ride", "--hours", hours)
    assert (ran.code, ran.out) == (2, "")
    assert "Error: " in ran.err
