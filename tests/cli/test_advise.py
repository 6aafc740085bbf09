"""croupier advise, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main

RIVER = ["uth", "Ah Kd", "--board", "2c 7d Ts Jh 3d"]


class Ran:
    """What a command said; in this process, so that kernels are loaded once."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], args: list[str]
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["croupier", "advise", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        self.code = ended.value.code
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def advise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*args: str) -> Ran:
        return Ran(monkeypatch, capsys, list(args))

    return run


def rows(out: str) -> dict[str, list[str]]:
    """The table by option, which may be two words; columns are two spaces apart."""
    table = [[cell for cell in line.split("  ") if cell.strip()] for line in out.splitlines()]
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in table if cells}


def test_a_process_of_its_own_prints_the_values_and_nothing_on_stderr() -> None:
    command = [sys.executable, "-m", "croupier", "advise", "ride", "Ts Js Qs", "--community", "Ks"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    # A royal, a straight flush, seven flushes, six straights, nine pairs; the other 24 lose.
    won = 1_000 + 200 + 7 * 8 + 6 * 5 + 9 + 3 - 21
    assert rows(ran.stdout)["ride"][:2] == [f"{won / 48:.6f}", f"{Fraction(won, 48)}"]


def test_the_best_option_is_named_and_the_others_cost_dollars(advise: Any) -> None:
    ran = advise(*RIVER, "--ante", "12.50")
    assert (ran.code, ran.err) == (0, "")
    found = rows(ran.out)
    assert found["after-river"] == ["value", "exactly", "cost", "at $12.50"]
    assert found["1x"][1:] == ["-1471/990", "best"]
    cost = 2 - Fraction(1471, 990)
    assert found["fold"] == ["-2.000000", "-2/1", f"{float(cost):.6f}", f"${12.5 * cost:.4f}"]


def test_the_ante_is_the_least_the_house_takes(advise: Any, tmp_path: Path) -> None:
    assert "at $5" in advise(*RIVER).out
    file = tmp_path / "house.toml"
    file.write_text('rulebook = "nj-ultimate-texas-holdem"\n[limits]\nante = [25, 500]\n')
    assert "at $25" in advise(*RIVER, "--house", str(file)).out


@pytest.mark.parametrize(
    ("args", "decision", "options"),
    [
        (["uth", "Ah Kd"], "before-flop", ["4x", "3x", "check"]),
        (["uth", "Ah Kd", "--board", "2c 7d Ts"], "after-flop", ["2x", "check"]),
        (["uth", "Ah Kd", "--board", "2c 7d Ts", "--next", "Ks"], "after-flop", ["2x", "check"]),
        (RIVER, "after-river", ["1x", "fold"]),
        (["caribbean", "Ah Kd Jc 8s 3h", "--up", "Qd"], "after-deal", ["bet", "fold"]),
        (
            ["caribbean", "Ah Kd Jc 8s 3h", "--up", "Qd", "--dealer", "2d"],
            "after-deal",
            ["bet", "fold"],
        ),
        (["ride", "Ts Js Qs"], "bet-1", ["ride", "withdraw"]),
        (["ride", "Ts Js Qs", "--community", "Ks"], "bet-2", ["ride", "withdraw"]),
        (["pikit", "Ah Kd Jc 8s 3h"], "play", ["play 5", "play 3", "fold"]),
        (["pikit", "Ah Kd Jc 8s 3h", "--dealer", "Kc"], "play", ["play 5", "play 3", "fold"]),
    ],
)
def test_every_decision_of_every_game_has_an_answer(
    advise: Any, args: list[str], decision: str, options: list[str]
) -> None:
    data = json.loads(advise(*args, "--json").out)
    assert data["decision"] == decision
    assert [option["option"] for option in data["options"]] == options
    values = {option["option"]: Fraction(option["value"]) for option in data["options"]}
    assert values[data["best"]] == max(values.values())
    for option in data["options"]:
        cost = max(values.values()) - values[option["option"]]
        assert Fraction(option["cost"]) == cost
        assert Fraction(option["cost_cents"]) == cost * data["ante"]


def test_seen_cards_are_told_and_change_the_value(advise: Any) -> None:
    plain = json.loads(advise(*RIVER, "--json").out)
    seen = json.loads(advise(*RIVER, "--json", "--seen", "As,Ks").out)
    assert seen["seen"] == "As Ks"
    assert seen["options"][0]["value"] != plain["options"][0]["value"]


def test_pay_and_settings_are_those_of_solve(advise: Any) -> None:
    richer = advise("ride", "Ts Js Qs", "--community", "Ks", "--pay", "main=royal-flush:2000")
    assert Fraction(rows(richer.out)["ride"][1]) == Fraction(1_277 + 1_000, 48)
    both = advise("uth", "9h 9d", "--board", "9c 7d 2s", "--set", "multiples.after-flop=[1,2]")
    assert list(rows(both.out)) == ["after-flop", "2x", "1x", "check"]


def test_the_opening_chart_fits_80_columns_and_marks_the_best(advise: Any) -> None:
    out = advise("uth", "--chart").out
    _, header, *body = out.splitlines()
    assert header.split() == list("AKQJT98765432")
    assert max(len(line.rstrip()) for line in body) <= 80
    assert sum(line.count("*") for line in body) == 169
    data = json.loads(advise("uth", "--chart", "--json").out)
    assert len(data) == 169
    by_name = {cell["class"]: cell for cell in data}
    assert (by_name["K5o"]["best"], by_name["K4o"]["best"]) == ("4x", "check")
    assert set(by_name["AA"]["values"]) == {"4x", "3x", "check"}


@pytest.mark.parametrize("game", ["ride", "pikit"])
def test_charts_and_rules_come_as_words_and_as_data(advise: Any, game: str) -> None:
    charts = json.loads(advise(game, "--chart", "--json").out)
    assert sum(Fraction(row["share"]) for row in charts[0]["rows"]) == 1
    words = advise(game, "--chart").out
    assert all(row["hands"] in words for row in charts[0]["rows"])
    rules = json.loads(advise(game, "--rules", "--json").out)
    words = advise(game, "--rules").out
    for rule in rules:
        assert all(line["group"] in words for line in rule["lines"])
        assert f"({rule['cost']})" in words
        assert Fraction(rule["misses"]) <= Fraction(rule["asked"]) <= 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["uth"], "Give the cards of your hand, or --chart, or --rules."),
        (["uth", "Ah Kd", "--chart"], "Give the cards of your hand, or --chart, or --rules."),
        (["uth", "--rules", "--seen", "Ah"], "--chart and --rules are about every hand"),
        (["uth", "Ah Ah"], "The Ah is there twice; a deck holds each card once."),
        (["uth", "Ah Kd", "--seen", "Kd"], "The Kd is there twice"),
        (["uth", "Ah Xd"], "'Xd' is not a card"),
        (["uth", "Ah Kd", "--board", "2c 7d"], "with 0, 3 or 5 community cards in sight"),
        (["ride", "Ts Js Qs", "--dealer", "2c"], "The dealer of Let It Ride has no hand."),
        (["caribbean", "Ah Kd Jc 8s 3h"], "the dealer's up-card is in sight: name it."),
        ([*RIVER, "--ante", "0"], "The ante must be more than nothing."),
        ([*RIVER, "--ante", "five"], "'five' is not a sum in dollars"),
        (["whist", "Ah Kd"], "There is no game 'whist'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(advise: Any, args: list[str], sentence: str) -> None:
    ran = advise(*args)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
