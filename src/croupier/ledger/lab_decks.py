"""The seven tests of GLI-19 3.2.2 on final outcomes: whole decks after the shuffle.

Decks are rows of card numbers, 0 to n - 1, top card first. Each test reduces them to one statistic
whose distribution is known if every order is equally likely and decks are independent. Where cells
hang together (each card is somewhere, each place holds a card) the statistic is the distance that
their covariance gives, and its rank the degrees of freedom; the tests count that covariance over
every order of a small deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from croupier.ledger.chance import chi_square, poisson
from croupier.ledger.finding import Finding

Decks = NDArray[np.uint8]
Square = NDArray[np.float64]

CHUNK = 1 << 16  # decks multiplied at a time
FEWEST = 10  # expected in a cell; rarer values share one
RANKS, SUITS = 13, 4
HAND = 5


def chi_square_test(decks: Decks) -> Finding:
    """How often each card lies at each place."""
    count, n = decks.shape
    seen = np.stack([np.bincount(place, minlength=n) for place in decks.T])
    statistic = (n - 1) * float(((seen - count / n) ** 2).sum()) / count
    return _squares("chi-square", "each card at each place", statistic, (n - 1) ** 2)


def overlaps(decks: Decks) -> Finding:
    """How often each card follows each other; the first card follows the last.

    Pairs overlap: the second card of one is the first of the next. What two cards do in either
    order and what they do in one order more than in the other do not correlate, and have variances
    of their own.
    """
    count, n = decks.shape
    seen = np.zeros(n * n, np.int64)
    for start in range(0, count, CHUNK):
        some = decks[start : start + CHUNK].astype(np.int64)
        seen += np.bincount((some * n + np.roll(some, -1, axis=1)).ravel(), minlength=n * n)
    table = seen.reshape(n, n) - count / (n - 1) * (1 - np.eye(n))
    either, one = (table + table.T) / 2, (table - table.T) / 2
    statistic = float((either**2).sum() * (n - 1) + (one**2).sum() * (n - 1) * (n - 2) / n) / count
    return _squares("overlaps", "each card after each other", statistic, n * n - 3 * n + 1)


def coupon_collector(decks: Decks) -> Finding:
    """How many cards from the top until every rank has been seen."""
    first = np.argsort(decks, axis=1).reshape(-1, RANKS, SUITS).min(axis=2)
    waited = first.max(axis=1) + 1
    return _fit("coupon collector", "cards until all ranks", waited, coupon_chances(RANKS, SUITS))


def runs(decks: Decks) -> Finding:
    """How many times a deck turns from rising to a lower card."""
    falls = (decks[:, 1:] < decks[:, :-1]).sum(axis=1)
    return _fit("runs", "rising runs of a deck", falls, run_chances(decks.shape[1]))


def interplay(decks: Decks) -> Finding:
    """Correlation between every two places of a deck."""
    count, n = decks.shape
    values, squares = _centred(decks)
    products = _products(values, values) - count * squares / (n - 1) * (np.eye(n) - 1 / n)
    own = np.diag(products) / (n - 2)  # what a place's own spread gives its products
    left = products + own[:, None] + own[None, :]
    np.fill_diagonal(left, 0)
    line = (2 * np.arange(n) - (n - 1)) ** 2 - squares / n
    spread = squares**2 * (n - 2) / (n - 1) - float((line**2).sum()) * n / (n - 2)
    freedom = n * (n - 3) // 2
    statistic = float((left**2).sum()) * freedom / (count * spread)
    return _squares("interplay correlation", "every two places of a deck", statistic, freedom)


def serial(decks: Decks) -> Finding:
    """Correlation between every place of a deck and every place of the next deck."""
    count, n = decks.shape
    values, squares = _centred(decks)
    products = _products(values[:-1], values[1:])
    statistic = float((products**2).sum()) * ((n - 1) / squares) ** 2 / (count - 1)
    return _squares("serial correlation", "a deck and the next", statistic, (n - 1) ** 2)


def duplicates(decks: Decks) -> Finding:
    """How many pairs of decks begin with the same five cards; no two whole decks are the same."""
    count, n = decks.shape
    pairs = comb(count, 2)
    if same := _same(decks):
        mean = float(Fraction(pairs, factorial(n)))
        return Finding("duplicates", "whole decks alike", same, "Poisson", mean, min(1.0, mean))
    mean = pairs / comb(n, HAND)
    alike = _same(np.sort(decks[:, :HAND], axis=1))
    return Finding(
        "duplicates", "first five cards alike", alike, "Poisson", mean, poisson(alike, mean)
    )


TESTS = (chi_square_test, overlaps, coupon_collector, runs, interplay, serial, duplicates)


# --- what is expected -------------------------------------------------------------------------


def coupon_chances(ranks: int, suits: int) -> list[Fraction]:
    """The chance that the last rank to appear does so at card 0, 1, 2 ... of the deck."""
    cards = ranks * suits
    complete = [
        sum(
            (-1) ** missing * comb(ranks, missing) * Fraction(comb(cards - suits * missing, drawn))
            for missing in range(ranks + 1)
        )
        / comb(cards, drawn)
        for drawn in range(cards + 1)
    ]
    return [after - before for before, after in pairwise([Fraction(0), *complete])]


def run_chances(n: int) -> list[Fraction]:
    """The chance of 0, 1, 2 ... falls in n cards: Euler's numbers over all orders."""
    orders = [1]
    for size in range(2, n + 1):
        padded = [0, *orders, 0]
        orders = [(k + 1) * padded[k + 1] + (size - k) * padded[k] for k in range(size)]
    return [Fraction(each, factorial(n)) for each in orders]


# --- statistics -------------------------------------------------------------------------------


def _squares(test: str, looks_at: str, statistic: float, freedom: int) -> Finding:
    p = chi_square(statistic, freedom)
    return Finding(test, looks_at, statistic, "chi-square", freedom, p)


def _fit(
    test: str, looks_at: str, values: NDArray[np.int64], chances: Sequence[Fraction]
) -> Finding:
    """Counted values against their chances; neighbours share a cell until it expects enough."""
    seen = np.bincount(values, minlength=len(chances)).tolist()
    cells: list[tuple[int, Fraction]] = []
    share, expected = 0, Fraction(0)
    for got, chance in zip(seen, chances, strict=True):
        share, expected = share + got, expected + chance * len(values)
        if expected >= FEWEST:
            cells.append((share, expected))
            share, expected = 0, Fraction(0)
    last, mean = cells[-1]
    cells[-1] = last + share, mean + expected
    statistic = sum((got - mean) ** 2 / mean for got, mean in cells)
    return _squares(test, looks_at, float(statistic), len(cells) - 1)


def _same(rows: Decks) -> int:
    """How many pairs of rows are equal."""
    whole = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}")
    counts = np.unique(whole, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _centred(decks: Decks) -> tuple[NDArray[np.int8], int]:
    """Cards as odd or even numbers about nought, and the sum of their squares in a deck."""
    n = decks.shape[1]
    return (2 * decks.astype(np.int8) - (n - 1)).astype(np.int8), n * (n * n - 1) // 3


def _products(one: NDArray[np.int8], other: NDArray[np.int8]) -> Square:
    """Sums over decks of the products of every two places; whole numbers, so exact."""
    total = np.zeros((one.shape[1], other.shape[1]))
    for start in range(0, len(one), CHUNK):
        here = slice(start, start + CHUNK)
        total += one[here].T.astype(np.float64) @ other[here].astype(np.float64)
    return total
