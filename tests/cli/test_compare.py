"""croupier compare, on two files as a licensee would write them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from command import croupier

pytestmark = pytest.mark.usefixtures("solved_once")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('rulebook = "nj-let-it-ride"\n')
    second.write_text('rulebook = "nj-let-it-ride"\n[pay]\nthree-card = "B"\n')
    return str(first), str(second)


def test_a_straight_paid_one_less_costs_the_straights(files: tuple[str, str]) -> None:
    """720 of the 22,100 hands of three cards are straights."""
    ran = croupier("compare", *files, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    clause = "NJ 19:47-18.11(e)"
    assert found["differences"] == [
        {
            "key": key,
            "first": {"value": first, "clause": clause},
            "second": {"value": second, "clause": clause},
        }
        for key, first, second in (
            ("pay.three-card", "table A", "table B"),
            ("pay.three-card.straight", "6 to 1", "5 to 1"),
        )
    ]
    bonus = found["wagers"]["Three card bonus"]
    assert Fraction(bonus["edge"]["change"]) == Fraction(720, comb(52, 3))
    assert bonus["edge"]["first"] == "128/5525"
    assert bonus["hit frequency"]["change"] == "0/1"
    assert found["wagers"]["Bet 1, bet 2 and bet 3"]["edge"]["change"] == "0/1"
    assert found["exposure"]["largest award, three card bonus"] == {
        "first": 4_000_00,
        "second": 4_000_00,
        "change": 0,
    }


def test_words_show_what_differs_and_what_it_does(files: tuple[str, str]) -> None:
    ran = croupier("compare", *files)
    assert (ran.returncode, ran.stderr) == (0, "")
    text = " ".join(ran.stdout.split())
    assert "Bet 1, bet 2 and bet 3: no change" in text
    assert "edge 2.3167 % 5.5747 % 3.2579 % 36/1105" in text
    assert "Exposure: no change" in text


def test_the_same_file_twice_differs_in_nothing(files: tuple[str, str]) -> None:
    ran = croupier("compare", files[0], files[0])
    assert (ran.returncode, ran.stdout) == (0, "No setting differs.\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('rulebook = "nj-pik-it-poker"', "Let It Ride and Pik-It Poker have no wager in common; "),
        ('rulebook = "nj-let-it-ride"\nseats = 3', "seats = 3: there is no such key; "),
        ("rulebook", ""),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    files: tuple[str, str], content: str, says: str
) -> None:
    Path(files[1]).write_text(content)
    ran = croupier("compare", *files)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Refused: {says}")
    assert ran.stderr.count("\n") == 1
