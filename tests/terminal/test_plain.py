"""The table line by line, as a pipe drives it: the command itself, from the first line on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.law.refused import Refused


def play(typed: str, *args: str) -> str:
    """What the command says when this is typed, run in this process for speed."""
    ran = CliRunner().invoke(app, ["play", *args], input=typed)
    if ran.exception:
        raise ran.exception
    assert (ran.exit_code, ran.stderr) == (0, "")
    return ran.stdout


def piped(typed: str, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command itself, at the end of a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "croupier", "play", *args],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
    )


ROUNDS = {
    NJ_UTH: "\nc\nc\n1\n",
    MA_UTH: "trips 1\ncover all 1\n\n4\n",
    CARIBBEAN: "progressive 1\n\nb\n",
    RIDE: "let it ride bonus 1\n\nr\nt\n",
    PIK_IT: "3 card bonus 1\n\n1 3 5\n5\n",
}


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_round_of_each_game_is_played_settled_and_cashed_out(book: str) -> None:
    ran = piped(ROUNDS[book] + "h\nq\n", "--rulebook", book, "--seed", "1", NO_COLOR="1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\x1b" not in ran.stdout
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("The Croupier Room. ")
    assert lines[1].startswith("Limits: ")
    assert "You sit down at seat 3 with $1,000." in lines
    assert any(line.startswith("No more bets. Round 1") for line in lines)
    assert any(line.startswith("Round 1 ") for line in lines)
    assert any(line.startswith("Round   1 ") for line in lines)  # the history
    assert lines[-1].startswith("You bought chips for $1,000 and cash out $")
    assert "not one of the choices" not in ran.stdout


def paid(output: str) -> list[str]:
    """The lines that say what became of my wagers."""
    return [line for line in output.splitlines() if line.endswith("]") and ". " in line]


def test_each_payment_is_one_line_with_its_reason_and_its_clause() -> None:
    ran = play(ROUNDS[CARIBBEAN] + "q\n", "caribbean", "--seed", "1")
    names = ("ante", "bet", "progressive")
    for line, name in zip(paid(ran), names, strict=True):
        assert line.startswith(f"{name} ")
        assert "[SUPPLIED S2." in line


def test_the_same_seed_and_keys_repeat_the_evening_and_another_seed_does_not() -> None:
    first = play(ROUNDS[RIDE], "ride", "--seed", "7", "--faults", "0.2")
    assert play(ROUNDS[RIDE], "ride", "--seed", "7", "--faults", "0.2") == first
    assert play(ROUNDS[RIDE], "ride", "--seed", "8", "--faults", "0.2") != first


def test_without_a_seed_every_evening_is_another() -> None:
    assert play("\n", "ride") != play("\n", "ride")


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_pipe_gets_no_escape_codes(plain: list[str]) -> None:
    assert "\x1b" not in play(ROUNDS[NJ_UTH] + "w\np\nh\nq\n", "uth", "--seed", "1", *plain)


@pytest.mark.parametrize(("key", "book"), list(enumerate(ALL_BOOKS, 1)))
def test_without_a_game_the_first_question_is_which_table(key: int, book: str) -> None:
    ran = play(f"9\n{key}\nq\n", "--seed", "1")
    assert "Press a number, or q to leave." in ran
    expected = play("q\n", "--rulebook", book, "--seed", "1")
    assert ran.endswith(expected)


@pytest.mark.parametrize("typed", ["", "q\n"])
def test_one_may_leave_without_choosing_a_table(typed: str) -> None:
    ran = play(typed)
    assert ran.rstrip("q\n").endswith("Which table? ")


@pytest.mark.parametrize("typed", ["", "\n", "\nc\n"])
def test_the_end_of_the_input_gives_the_hand_up_and_cashes_out(typed: str) -> None:
    ran = play(typed, "uth", "--seed", "1")
    assert " $1,000" in ran.splitlines()[-1]


def test_a_bet_outside_the_posted_limits_is_refused_in_one_line_with_its_clause() -> None:
    ran = play("4\n\nw\n5\n\nf\nq\n", "caribbean", "--seed", "1")
    refused = [line for line in ran.splitlines() if line.startswith("Refused: ")]
    sentence = "The ante wager of $4 is outside the posted limits, $5 to $500."
    assert refused[0] == f"Refused: {sentence} [NJ 19:47-16.6(b)]"
    assert refused[1] == f"Refused: {sentence}"  # why?
    assert "  NJ 19:47-16.6(b): " in ran
    assert "Round 1 " in ran


def test_bets_are_remembered_and_side_bets_go_on_and_off() -> None:
    ran = play("20\ntrips 5\n\nc\nc\nf\ntrips off\nq\n", "uth", "--seed", "1")
    asked = [line.partition("[")[2] for line in ran.splitlines() if "Your bet [" in line]
    assert [line.partition("]")[0] for line in asked] == [
        "ante $5, blind $5",
        "ante $20, blind $20",
        "ante $20, blind $20, trips $5",
        "ante $20, blind $20, trips $5",
        "ante $20, blind $20",
    ]


@pytest.mark.parametrize(
    ("chips", "offered"),
    [
        ("24.99", "[c check]"),
        ("25", "[c check, 3 play 3x, $15]"),
        ("29.99", "[c check, 3 play 3x, $15]"),
        ("30", "[c check, 3 play 3x, $15, 4 play 4x, $20]"),
    ],
)
def test_only_what_the_chips_allow_is_offered(chips: str, offered: str) -> None:
    """Ante and blind take $10 of them."""
    ran = play("\nq\n", "uth", "--seed", "1", "--chips", chips)
    assert f"Before the flop {offered}: " in ran


def test_more_chips_may_be_bought() -> None:
    ran = play("m\nq\n", "uth", "--seed", "1", "--chips", "250")
    assert "You have $500." in ran
    assert ran.endswith("You leave with $500, without having played.\n")


@pytest.mark.parametrize(
    "nonsense", ["zzz", "trips", "trips x", "99999999999999999999", "-5", "é☃", "4 4", "\t"]
)
def test_nonsense_does_no_harm(nonsense: str) -> None:
    ran = play(f"{nonsense}\n5\n\n{nonsense}\n{nonsense}\nc\nq\n", "uth", "--seed", "1")
    assert "Good night." in ran


@pytest.mark.parametrize("picked", ["1 2", "1 1 2", "1 2 3 4", "0 1 2", "4 5 6", "x", "¹²³"])
def test_a_pick_that_is_not_three_of_five_is_asked_again(picked: str) -> None:
    ran = play(f"3 card bonus 1\n\n{picked}\n2 4 5\nf\nq\n", "pik-it", "--seed", "1")
    assert "Name three different cards by their places from 1 to 5." in ran
    assert "Seat 3 picks cards 2, 4, 5." in ran


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["uth", "--seats", "0"], "This table seats 1 to 6, not 0."),
        (["uth", "--seats", "7"], "This table seats 1 to 6, not 7."),
        (["uth", "--chips", "0"], "Sit down with chips: name a sum above zero."),
        (["uth", "--chips", "ten"], "The sum 'ten' is not a sum in dollars"),
        (["uth", "--faults", "1.5"], "The rate of faults '1.5' is not a number from 0 to 1."),
        (["uth", "--faults", "1/0"], "The rate of faults '1/0' is not a number from 0 to 1."),
        (["uth", "--rulebook", RIDE], "nj-let-it-ride regulates Let It Ride, not Ultimate"),
        (["bridge"], "There is no game 'bridge'"),
        (["--rulebook", "nj-bridge"], "There is no rulebook 'nj-bridge'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(args: list[str], said: str) -> None:
    with pytest.raises(Refused) as refused:
        play("", *args)
    assert str(refused.value).startswith(said)


def test_a_house_of_ones_own_is_played_under_its_name_and_limits(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        'rulebook = "nj-let-it-ride"\nname = "The Palm"\npositions = 4\n[limits]\nmain = [25, 50]\n'
    )
    ran = play("\nr\nr\nq\n", "--house", str(file), "--seats", "4", "--seed", "1")
    assert ran.startswith("The Palm. ")
    assert "each bet $25 to $50" in ran
    assert "Seat 4 wagers bet 1 $50" in ran  # three times the minimum, capped


def test_a_house_that_is_not_legal_deals_no_cards(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('rulebook = "nj-let-it-ride"\npositions = 40\n')
    with pytest.raises(Refused, match="This house is not legal: positions: "):
        play("", "--house", str(file))


def test_from_the_shell_a_refusal_is_one_line_and_exit_2() -> None:
    ran = piped("", "uth", "--seats", "7")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "Refused: This table seats 1 to 6, not 7.\n"
