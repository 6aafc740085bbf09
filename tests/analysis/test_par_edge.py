"""Whose edge it is: a legal table can be the player's (ruling P1)."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from helpers import CARIBBEAN, PIK_IT, RIDE, house

from croupier.analysis.par.edge import edges, unwise
from croupier.analysis.solve import solve
from croupier.house.check import check
from croupier.house.submission import Violation


def judged(book: str, **changes: Any) -> tuple[dict[str, Fraction], list[Violation]]:
    table = house(book, **changes)
    assert check(table).legal
    found = edges(solve(table))
    return found, list(unwise(table, found))


def test_let_it_ride_keeps_its_edges_and_nobody_is_warned() -> None:
    """The published total of the main game; the bonuses by the frequencies of their hands."""
    found, warnings = judged(RIDE)
    five = 4 * 25_000 + 36 * 2_500 + 624 * 400 + 3_744 * 200 + 5_108 * 50 + 10_200 * 25 + 54_912 * 5
    three = 48 * 40 + 52 * 30 + 720 * 6 + 1_096 * 4 + 3_744 - 16_440
    assert found == {
        "main": Fraction(1_822_224, 51_979_200),
        "bonus": 1 - Fraction(five, comb(52, 5)),
        "three-card": -Fraction(three, comb(52, 3)),
    }
    assert warnings == []


@pytest.mark.ruling("P1")
@pytest.mark.parametrize("picked", [{"play-3": 1, "play-5": 2}, {"play-3": 2, "play-5": 2}])
def test_multiples_of_pik_it_that_favour_the_player_are_named(picked: dict[str, int]) -> None:
    found, (warning,) = judged(PIK_IT, qualifier=False, multiples=picked)
    assert found["main"] < 0
    assert (warning.key, warning.value) == ("multiples", picked)
    assert warning.clause is not None
    assert warning.clause.id == "NJ 13:69F-39.3(b)"
    share = -found["main"]
    assert f"({share.numerator}/{share.denominator}) of the ante." in warning.sentence


@pytest.mark.ruling("P1", "P2")
def test_pik_it_as_preset_keeps_its_edge_and_an_informed_pick_is_no_wager() -> None:
    found, warnings = judged(PIK_IT)
    assert set(found) == {"main", "five-card-bonus", "three-card-bonus"}
    assert min(found.values()) > 0
    assert warnings == []


@pytest.mark.parametrize(
    ("book", "changes", "key", "clause"),
    [
        (RIDE, {"pay": {"main": {"two-pair": "4 to 1"}}}, "pay.main", "NJ 19:47-18.11(b)"),
        (RIDE, {"pay": {"three-card": {"pair": "2 to 1"}}}, "pay.three-card", "NJ 19:47-18.11(e)"),
        (
            PIK_IT,
            {"pay": {"five-card-bonus": {"two-pair": "2 to 1"}}},
            "pay.five-card-bonus",
            "NJ 13:69F-39.11(b)",
        ),
        (
            CARIBBEAN,
            {"progressive": {"meter": 300_000, "seed": 10_000, "contribution": "0.70"}},
            "progressive.meter",
            "NJ 19:47-16.6(c)",
        ),
    ],
)
def test_what_makes_a_wager_the_players_is_named(
    book: str, changes: dict[str, Any], key: str, clause: str
) -> None:
    _, (warning,) = judged(book, **changes)
    assert warning.key == key
    assert warning.clause is not None
    assert warning.clause.id == clause
