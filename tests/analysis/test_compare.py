"""Two tables side by side: what differs, and by how much exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest
from helpers import MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.par.compare import Comparison, Figure, compare
from croupier.analysis.solve import solve
from croupier.law.refused import Refused


@cache
def holdem() -> Comparison:
    """A flush on the blind paid 1 to 1 instead of 3 to 2; a full house on trips 8 instead of 9."""
    changed = house(NJ_UTH, pay={"blind": {"flush": "1"}, "trips": "C"})
    return compare(house(NJ_UTH), changed)


def figure(found: Comparison, wager: str, name: str) -> Figure:
    return next(each for each in found.wagers[wager] if each.name == name)


def test_every_setting_that_differs_is_there_and_no_other() -> None:
    found = {
        each.key: (each.first and each.first.value, each.second and each.second.value)
        for each in holdem().differences
    }
    assert found == {
        "pay.blind": ("as printed (law)", "the house's own lines"),
        "pay.blind.flush": ("3 to 2", "1 to 1"),
        "pay.trips": ("table A", "table C"),
        "pay.trips.full-house": ("9 to 1", "8 to 1"),
    }
    flush = holdem().differences[1]
    assert [clause.id for clause in flush.clauses()] == ["NJ 19:47-32.11(c)"]


def test_half_a_unit_less_on_a_flush_costs_half_the_flushes_that_win() -> None:
    main = solve(house(NJ_UTH)).main
    won = sum(o.count for o in main.outcomes if o.line == "flush" and o.net > 0)
    half = Fraction(won, 2 * main.combinations)
    assert figure(holdem(), "Ante, blind and play", "edge").change == half
    assert figure(holdem(), "Blind", "edge").change == half
    assert figure(holdem(), "Ante", "edge").change == 0
    risk = figure(holdem(), "Ante, blind and play", "element of risk")
    assert risk.change == half / main.average_wager


def test_a_unit_less_on_a_full_house_costs_the_full_houses_of_seven_cards() -> None:
    change = figure(holdem(), "Trips", "edge").change
    assert change == Fraction(3_473_184, comb(52, 7))
    variance = figure(holdem(), "Trips", "variance")
    assert variance.first is not None
    assert variance.second is not None
    assert variance.first > variance.second


def test_a_table_the_law_would_refuse_is_compared_and_named() -> None:
    lawful, unlawful = holdem().unlawful
    assert lawful == ()
    assert [words.partition(" ")[0] for words in unlawful] == ["pay.blind"]


def test_new_jersey_and_massachusetts_differ_where_their_texts_do() -> None:
    found = compare(house(NJ_UTH), house(MA_UTH, dealing="manual shoe"))
    keys = {each.key: each for each in found.differences}
    assert "dealing" not in keys
    assert keys["payout_limit.2"].first is None
    assert [clause.id for clause in keys["shuffling"].clauses()] == [
        "NJ 19:47-32.4(a)",
        "MA UTH 4(a)",
    ]
    assert figure(found, "Ante, blind and play", "edge").change == 0
    cover_all = figure(found, "Cover all, 2 hands", "edge")
    assert (cover_all.first, cover_all.change) == (None, None)
    assert cover_all.second is not None
    assert cover_all.second > 0


def test_exposure_follows_the_posted_maximum_and_the_limit() -> None:
    posted = house(RIDE, limits={"main": [5, 100]}, payout_limit=100_000)
    found = {each.name: each for each in compare(house(RIDE), posted).exposure}
    bets = "bet 1, bet 2 and bet 3"
    assert found["largest award, bet 1"].change == -400_000_00
    assert found[f"could win, {bets}"].second == 300_000_00
    assert found[f"at most wins, {bets}"].first == 1_500_000_00
    assert found[f"at most wins, {bets}"].second == 100_000_00


def test_the_same_table_twice_differs_in_nothing() -> None:
    found = compare(house(RIDE), house(RIDE))
    assert found.differences == ()
    assert all(each.change == 0 for figures in found.wagers.values() for each in figures)


def test_tables_of_two_games_have_nothing_to_compare() -> None:
    with pytest.raises(Refused, match="Let It Ride and Pik-It Poker have no wager in common"):
        compare(house(RIDE), house(PIK_IT))
