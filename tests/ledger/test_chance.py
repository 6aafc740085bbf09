"""P-values against tables, closed forms and sums in long decimals."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import erf, erfc, exp, factorial, pi, sqrt

import pytest

from croupier.ledger.chance import chi_square, gamma_tails, normal, poisson

# Upper points of chi-square as every book of tables prints them.
TABLE = [
    (1, 3.841, 0.05),
    (1, 6.635, 0.01),
    (5, 11.070, 0.05),
    (10, 23.209, 0.01),
    (30, 43.773, 0.05),
    (100, 135.807, 0.01),
]


@pytest.mark.parametrize(("freedom", "point", "share"), TABLE)
def test_the_tables_of_chi_square(freedom: int, point: float, share: float) -> None:
    upper = gamma_tails(freedom / 2, point / 2)[1]
    assert upper == pytest.approx(share, rel=1e-3)
    assert chi_square(point, freedom) == pytest.approx(2 * share, rel=1e-3)


def upper_in_decimals(half: int, x: Decimal) -> Decimal:
    """Q for a whole shape: a sum of Poisson terms, in 80 digits."""
    with localcontext() as context:
        context.prec = 80
        term = total = (-x).exp()
        for k in range(1, half):
            term *= x / k
            total += term
        return total


@pytest.mark.parametrize("half", [1, 2, 7, 26, 650, 1300])
@pytest.mark.parametrize("times", ["0.5", "0.8", "0.95", "1", "1.05", "1.25", "2"])
def test_even_degrees_of_freedom_agree_with_long_decimals_in_both_tails(
    half: int, times: str
) -> None:
    x = half * Decimal(times)
    upper = upper_in_decimals(half, x)
    with localcontext() as context:
        context.prec = 80
        lower = 1 - upper
    got = gamma_tails(half, float(x))
    assert got[0] == pytest.approx(float(lower), rel=1e-10)
    assert got[1] == pytest.approx(float(upper), rel=1e-10)


@pytest.mark.parametrize("x", [1e-8, 0.1, 0.7, 1.49, 1.51, 3.0, 12.0, 200.0])
def test_odd_degrees_of_freedom_agree_with_the_error_function(x: float) -> None:
    front = 2 * sqrt(x / pi) * exp(-x)
    assert gamma_tails(0.5, x) == pytest.approx((erf(sqrt(x)), erfc(sqrt(x))), rel=1e-12)
    assert gamma_tails(1.5, x)[1] == pytest.approx(erfc(sqrt(x)) + front, rel=1e-12)


def test_the_ends() -> None:
    assert gamma_tails(3, 0) == (0, 1)
    assert gamma_tails(3, 1e9) == (1, 0)
    assert chi_square(0, 10) == 0
    assert chi_square(1e9, 10) == 0


def test_too_even_surprises_as_much_as_too_uneven() -> None:
    lower, upper = gamma_tails(5, 1.5)
    assert chi_square(3, 10) == pytest.approx(2 * lower)
    assert lower < upper
    assert chi_square(10, 11) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("mean", [0.2, 1.0, 7.5, 19.2])
@pytest.mark.parametrize("count", [0, 1, 5, 12, 40])
def test_poisson_agrees_with_the_plain_sum(count: int, mean: float) -> None:
    chances = [exp(-mean) * mean**k / factorial(k) for k in range(150)]
    tails = sum(chances[: count + 1]), sum(chances[count:])
    assert poisson(count, mean) == pytest.approx(min(1, 2 * min(tails)), rel=1e-9)


def test_normal() -> None:
    assert normal(0) == 1
    assert normal(1.959963985) == pytest.approx(0.05, rel=1e-8)
    assert normal(-2.575829304) == pytest.approx(0.01, rel=1e-8)
