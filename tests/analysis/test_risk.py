"""Sessions, ruin and surprise, against cases that can be worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, erf, exp, pi, sqrt

import pytest
from helpers import NJ_UTH, RIDE, house

from croupier.analysis.simulation import risk
from croupier.analysis.simulation.risk import OneRound, one_round, results, ruin, surprise
from croupier.analysis.solution import Book, Outcome
from croupier.analysis.solve import solve
from croupier.law.refused import Refused

DOLLAR = 100
COIN = OneRound({-DOLLAR: Fraction(1, 2), DOLLAR: Fraction(1, 2)})
UNEVEN = OneRound(
    {-300: Fraction(1, 2), 0: Fraction(1, 6), 200: Fraction(1, 4), 900: Fraction(1, 12)}
)


def heads(rounds: int, won: int) -> Fraction:
    """The chance to be so many dollars ahead after so many tosses of a coin."""
    if (rounds + won) % 2 or abs(won) > rounds:
        return Fraction(0)
    return Fraction(comb(rounds, (rounds + won) // 2), 2**rounds)


@cache
def ride() -> OneRound:
    return one_round(solve(house(RIDE)).main, 5 * DOLLAR)


# --- one round ------------------------------------------------------------------------------


def test_mean_and_variance_of_one_round_are_exact() -> None:
    assert UNEVEN.mean == -25
    assert UNEVEN.variance == 45_000 + 10_000 + 67_500 - 625
    assert UNEVEN.step == 100


def test_a_book_becomes_a_round_in_cents() -> None:
    book = Book(
        (Outcome(Fraction(-1), 3), Outcome(Fraction(3, 2), 2, "a"), Outcome(Fraction(3, 2), 1))
    )
    assert one_round(book, 10).chances == {-10: Fraction(1, 2), 15: Fraction(1, 2)}
    with pytest.raises(Refused, match=r"\$0\.05 would not always be paid in whole cents"):
        one_round(book, 5)


def test_a_solved_game_keeps_its_edge_and_variance() -> None:
    solution = solve(house(RIDE))
    assert ride().mean == 500 * solution.main.net
    assert ride().variance == 500**2 * solution.main.variance


# --- how results spread ---------------------------------------------------------------------


def test_ten_tosses_of_a_coin_are_binomial() -> None:
    found = results(COIN, 10)
    assert found.lowest == -10 * DOLLAR
    for won in range(-10, 11):
        at = (won + 10) * DOLLAR // found.step
        assert found.chances[at] == pytest.approx(float(heads(10, won)), abs=1e-14)
    assert found.at_most(-2 * DOLLAR) == pytest.approx(
        float(sum(heads(10, k) for k in range(-10, -1)))
    )
    assert found.at_least(150) == pytest.approx(float(sum(heads(10, k) for k in range(2, 11))))
    assert found.at_least(-10 * DOLLAR) == pytest.approx(1)
    assert found.at_least(10 * DOLLAR + 1) == 0
    assert found.at_most(-10 * DOLLAR - 1) == 0


def test_quantiles_of_ten_tosses() -> None:
    """1/1024 lose all ten, 11/1024 at least nine of them, 638/1024 are not ahead."""
    found = results(COIN, 10)
    assert found.quantile(1 / 1024) == -10 * DOLLAR
    assert found.quantile(1.01 / 1024) == -8 * DOLLAR
    assert found.quantile(0.5) == 0
    assert found.quantile(638.1 / 1024) == 2 * DOLLAR
    assert found.quantile(1.0) == 10 * DOLLAR


def test_four_uneven_rounds_are_all_their_ways_added_up() -> None:
    expected: dict[int, Fraction] = {}
    for way in product(UNEVEN.chances.items(), repeat=4):
        chance = Fraction(1)
        for _, each in way:
            chance *= each
        net = sum(net for net, _ in way)
        expected[net] = expected.get(net, Fraction(0)) + chance
    found = results(UNEVEN, 4)
    for at, chance in enumerate(found.chances):
        net = found.lowest + at * found.step
        assert chance == pytest.approx(float(expected.get(net, 0)), abs=1e-14)


@pytest.mark.parametrize("rounds", [4_000, 1_000_000])
def test_where_the_circle_cannot_hold_every_result_nothing_that_matters_is_lost(
    rounds: int,
) -> None:
    """Mean and variance of the convolution are those of the rounds."""
    found = results(ride(), rounds)
    values = [found.lowest + at * found.step for at in range(len(found.chances))]
    mean = sum(v * c for v, c in zip(values, found.chances.tolist(), strict=True))
    assert mean == pytest.approx(float(rounds * ride().mean), rel=1e-6)
    squares = sum((v - mean) ** 2 * c for v, c in zip(values, found.chances.tolist(), strict=True))
    assert squares == pytest.approx(float(rounds * ride().variance), rel=1e-6)


def test_too_many_rounds_are_refused() -> None:
    with pytest.raises(Refused, match="too many to tell apart"):
        results(COIN, 10**12)


# --- ruin -----------------------------------------------------------------------------------


def reflected(dollars: int, rounds: int) -> float:
    """The chance that a fair coin is so many dollars down at some time: every way that gets there
    and ends above is the mirror image of one that ends below."""
    down = [heads(rounds, -k) for k in range(dollars, rounds + 1)]
    return float(sum(down) + sum(down[1:]))


@pytest.mark.parametrize(("dollars", "rounds"), [(1, 1), (3, 10), (5, 99), (20, 400)])
def test_ruin_at_a_coin_follows_the_principle_of_reflection(dollars: int, rounds: int) -> None:
    found = ruin(COIN, dollars * DOLLAR, rounds)
    assert found.method == "lattice"
    assert found.chance == pytest.approx(reflected(dollars, rounds), abs=1e-11)


def test_ruin_in_the_end_is_the_gamblers() -> None:
    """With 2/3 to win a dollar and 1/3 to lose one, ruin from three dollars is (1/2)^3."""
    one = OneRound({-DOLLAR: Fraction(1, 3), DOLLAR: Fraction(2, 3)})
    assert ruin(one, 3 * DOLLAR, 2_000).chance == pytest.approx(1 / 8, abs=1e-11)


def test_a_bankroll_between_two_steps_is_as_good_as_the_next_one() -> None:
    assert ruin(COIN, 201, 10) == ruin(COIN, 300, 10)
    assert ruin(COIN, 200, 10).chance > ruin(COIN, 201, 10).chance


def test_a_bankroll_that_cannot_be_lost_is_safe() -> None:
    assert ruin(COIN, 11 * DOLLAR, 10).chance == 0
    assert ruin(COIN, 10 * DOLLAR, 10).chance == pytest.approx(2**-10)
    assert ruin(OneRound({0: Fraction(1)}), DOLLAR, 10).chance == 0


def by_hand(money: int, rounds: int) -> Fraction:
    """Ruin by trying every outcome of every round."""
    if money <= 0:
        return Fraction(1)
    if not rounds:
        return Fraction(0)
    return sum(
        (chance * by_hand(money + net, rounds - 1) for net, chance in UNEVEN.chances.items()),
        Fraction(0),
    )


@pytest.mark.parametrize("bankroll", [100, 300, 700])
def test_ruin_over_uneven_steps_is_every_way_added_up(bankroll: int) -> None:
    assert ruin(UNEVEN, bankroll, 6).chance == pytest.approx(float(by_hand(bankroll, 6)))


@pytest.mark.parametrize(("one", "bankroll", "rounds"), [(COIN, 500, 200), (UNEVEN, 2_000, 300)])
def test_drawn_sessions_agree_with_the_lattice(
    one: OneRound, bankroll: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(risk, "MOST_DRAWN", 10**8)
    exact = ruin(one, bankroll, rounds)
    drawn = ruin(one, bankroll, rounds, most_work=0)
    assert (exact.method, drawn.method) == ("lattice", "simulation")
    assert 0 < drawn.error < 0.001
    assert abs(drawn.chance - exact.chance) < 4 * drawn.error


def test_a_way_too_long_to_follow_is_refused() -> None:
    with pytest.raises(Refused, match="too long a way"):
        ruin(COIN, 100 * DOLLAR, 10**9)


# --- how odd a result was -------------------------------------------------------------------


def test_eight_heads_of_ten_are_not_that_odd() -> None:
    """Six dollars ahead: 56 of 1,024 ways, and z = 6 / sqrt(10)."""
    odd = surprise(COIN, 10, 6 * DOLLAR)
    assert odd.z == pytest.approx(6 / sqrt(10))
    assert odd.at_least == pytest.approx(56 / 1024)
    assert odd.at_most == pytest.approx(1013 / 1024)
    assert odd.tail == pytest.approx(112 / 1024)


def test_a_result_in_the_middle_is_no_surprise() -> None:
    assert surprise(COIN, 10, 0).tail == 1


def test_after_many_rounds_the_tail_is_that_of_edgeworth() -> None:
    """The normal law, and what the skewness of one round still does to it after a million."""
    one = one_round(solve(house(NJ_UTH)).main, 10 * DOLLAR)
    rounds = 1_000_000
    result = round(rounds * one.mean) - round(2 * one.deviation(rounds))
    odd = surprise(one, rounds, result)
    assert odd.z == pytest.approx(-2, abs=1e-3)
    cubes = sum((net - one.mean) ** 3 * chance for net, chance in one.chances.items())
    skewness = float(cubes) / float(one.variance) ** 1.5
    normal = (1 - erf(sqrt(2))) / 2
    corrected = normal - skewness / (6 * sqrt(rounds)) * (4 - 1) * exp(-2) / sqrt(2 * pi)
    assert odd.at_most == pytest.approx(corrected, rel=0.005)
    assert odd.at_most != pytest.approx(normal, rel=0.02)


def test_a_game_without_chance_is_never_a_surprise_or_always() -> None:
    dull = OneRound({-DOLLAR: Fraction(1)})
    assert surprise(dull, 5, -5 * DOLLAR).z == 0
    assert surprise(dull, 5, -5 * DOLLAR).tail == 1
    assert surprise(dull, 5, 0).at_least == 0
