"""How surprising a statistic is: tails of the chi-square, Poisson and normal distributions.

Both tails count. Decks that are too even were not shuffled either.
"""

from __future__ import annotations

from math import erfc, exp, inf, lgamma, log, sqrt

EXACT = 1e-16  # where a sum stops: no term below it changes a float
TINY = 1e-300  # stands for nought where Lentz's method would divide by it


def chi_square(statistic: float, freedom: int) -> float:
    """The two-sided p-value of a chi-square statistic."""
    return _both(*gamma_tails(freedom / 2, statistic / 2))


def poisson(count: int, mean: float) -> float:
    """The two-sided p-value of a count of rare and independent events."""
    at_least = gamma_tails(count, mean)[0] if count else 1.0
    return _both(gamma_tails(count + 1, mean)[1], at_least)


def normal(deviations: float) -> float:
    """The two-sided p-value of a deviation, counted in standard deviations."""
    return erfc(abs(deviations) / sqrt(2))


def _both(lower: float, upper: float) -> float:
    return min(1.0, 2 * min(lower, upper))


def gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """The regularised incomplete gamma functions P and Q.

    Of the two the lesser is always summed itself, never got as one less the other, so that the far
    tails keep their digits.
    """
    if x <= 0:
        return 0.0, 1.0
    if x == inf:
        return 1.0, 0.0
    front = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        lower = front * _series(shape, x)
        return lower, 1 - lower
    upper = front * _fraction(shape, x)
    return 1 - upper, upper


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    while term > total * EXACT:
        shape += 1
        term *= x / shape
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    """The continued fraction of Q, by Lentz's method."""
    b = x + 1 - shape
    c, d = 1 / TINY, 1 / b
    total, step, k = d, 0.0, 0
    while abs(step - 1) > 2 * EXACT:
        k += 1
        a, b = k * (shape - k), b + 2
        d = 1 / (a * d + b or TINY)
        c = b + a / c or TINY
        step = c * d
        total *= step
    return total
