"""What a number of rounds may bring: how results spread, how likely ruin is, how odd a result was.

One round is a distribution of nets in whole cents, exact, from the solver. All nets are multiples
of one step, so results live on a lattice:

- The result of n rounds is the n-fold convolution of one round, taken as the n-th power of its
  Fourier transform. The lattice is bent to a circle, which holds every possible result or, where
  that would be too many, forty standard deviations and sixteen times the best round.
- Ruin within n rounds follows the bankroll round by round over the lattice, and whoever has nothing
  left stays out. Bankrolls so high that their ruin is less likely than one in 10^12 (Doob's
  inequality) are not followed. Where even so there would be too much to follow, sessions are
  drawn at random instead, and the answer says so and gives its error.

Means and variances are exact fractions; probabilities are floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.exact import must_fit
from croupier.analysis.many import cores, on_all_cores
from croupier.analysis.simulation.random_deals import U64, State, next_word, start
from croupier.analysis.solution import Book
from croupier.cards.kernel import Int, kernel
from croupier.law.refused import Refused
from croupier.rules.money import Cents, in_dollars

Chances = NDArray[np.float64]
Steps = NDArray[np.int64]

FEW_STEPS, MOST_STEPS = 1 << 18, 1 << 24  # of the circle of results
DEVIATIONS, BEST_ROUNDS = 40, 16  # that it holds at least, unless it holds all
MOST_WORK = 3 * 10**9  # steps times outcomes times rounds: some seconds
MOST_DRAWN = 2 * 10**9  # rounds of random sessions, unless that would be
FEWEST_DRAWN = 100  # sessions or fewer
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class OneRound:
    """What one round nets, in cents, and how likely each net is."""

    chances: Mapping[Cents, Fraction]

    @cached_property
    def mean(self) -> Fraction:
        return sum((net * chance for net, chance in self.chances.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((net * net * chance for net, chance in self.chances.items()), Fraction(0))
        return squares - self.mean**2

    @property
    def step(self) -> Cents:
        """All nets are multiples of it."""
        return gcd(*self.chances) or 1

    def on_lattice(self) -> tuple[Steps, Chances]:
        nets = sorted(self.chances)
        must_fit(nets, 1)
        steps = np.array([net // self.step for net in nets], np.int64)
        return steps, np.array([float(self.chances[net]) for net in nets])

    def deviation(self, rounds: int) -> float:
        """The standard deviation of the result of so many rounds, in cents."""
        return sqrt(rounds * self.variance)


def one_round(book: Book, bet: Cents) -> OneRound:
    """A book's outcomes with a base wager of so many cents."""
    chances: dict[Cents, Fraction] = {}
    for outcome in book.outcomes:
        net = outcome.net * bet
        if net.denominator > 1:
            raise Refused(f"A bet of {in_dollars(bet)} would not always be paid in whole cents.")
        chance = Fraction(outcome.count, book.combinations)
        chances[net.numerator] = chances.get(net.numerator, Fraction(0)) + chance
    return OneRound(chances)


# --- how results spread ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Results:
    """The result of a number of rounds: how likely each is, from the lowest up."""

    lowest: Cents
    step: Cents
    chances: Chances

    @cached_property
    def _at_most(self) -> Chances:
        return np.minimum(np.cumsum(self.chances), 1.0)

    def at_most(self, cents: Cents) -> float:
        at = (cents - self.lowest) // self.step
        if at < 0:
            return 0.0
        return float(self._at_most[min(at, len(self.chances) - 1)])

    def at_least(self, cents: Cents) -> float:
        at = max(0, -((self.lowest - cents) // self.step))  # rounded up
        return min(1.0, float(self.chances[at:][::-1].sum()))

    def quantile(self, share: float) -> Cents:
        """The least result that at least this share of all results do not exceed."""
        at = int(np.searchsorted(self._at_most, share * (1 - 1e-12)))
        return self.lowest + self.step * min(at, len(self.chances) - 1)


def results(one: OneRound, rounds: int) -> Results:
    steps, chances = one.on_lattice()
    lowest, highest = rounds * int(steps[0]), rounds * int(steps[-1])
    deviations = ceil(DEVIATIONS * one.deviation(rounds) / one.step)
    enough = max(FEW_STEPS, deviations, BEST_ROUNDS * int(steps[-1] - steps[0]))
    if highest - lowest >= enough:
        lowest = round(rounds * one.mean / one.step) - enough // 2
        highest = lowest + enough
    size = 1 << (highest - lowest).bit_length()
    if size > MOST_STEPS:
        raise Refused(f"The results of {rounds:,} rounds are too many to tell apart.")
    circle = np.zeros(size)
    np.add.at(circle, steps % size, chances)
    found = np.fft.irfft(np.fft.rfft(circle) ** rounds, size)
    found = np.maximum(np.roll(found, -(lowest % size))[: highest - lowest + 1], 0.0)
    return Results(lowest * one.step, one.step, found / found.sum())


# --- ruin -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ruin:
    """How likely a bankroll is lost within a number of rounds."""

    chance: float
    method: str  # "lattice" or "simulation"
    error: float = 0.0  # the standard error, where it was simulated


@kernel
def _follow(steps: Steps, chances: Chances, rounds: Int, money: Int, top: Int) -> float:
    """Round by round; money in steps. Above the top nobody is followed."""
    now = np.zeros(top + 1)
    later = np.zeros(top + 1)
    now[money] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        later[:] = 0.0
        for k in range(len(steps)):
            step, chance = steps[k], chances[k]
            for at in range(1, min(top, -step) + 1):
                ruined += now[at] * chance
            for at in range(max(1, 1 - step), min(top, top - step) + 1):
                later[at + step] += now[at] * chance
        now, later = later, now
    return ruined


@kernel
def _draw(
    steps: Steps,
    cuts: State,
    others: Steps,
    rounds: Int,
    money: Int,
    sessions: Int,
    number: Int,
    ruins: Steps,
) -> None:
    """Random sessions; a column of the table is drawn, and then its own outcome or the other one
    that fills it up (Walker's alias method)."""
    state = np.empty(4, np.uint64)
    start(U64(0), U64(number), state)
    for _ in range(sessions):
        left = money
        for _ in range(rounds):
            column = (next_word(state) >> U64(32)) * U64(len(steps)) >> U64(32)
            at = column if next_word(state) < cuts[column] else U64(others[column])
            left += steps[at]
            if left <= 0:
                ruins[number] += 1
                break


def _columns(chances: Chances) -> tuple[State, Steps]:
    """Equal columns, each filled by one outcome or by two: where the second begins, and which."""
    size = len(chances)
    left = chances * size
    cuts = np.full(size, 2**64 - 1, np.uint64)
    others = np.arange(size)
    small = [k for k in range(size) if left[k] < 1]
    large = [k for k in range(size) if left[k] >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        cuts[low] = int(left[low] * 2**64)
        others[low] = high
        left[high] -= 1 - left[low]
        if left[high] < 1:
            small.append(large.pop())
    return cuts, others


def _height(steps: Steps, chances: Chances, rounds: int) -> int:
    """Money, in steps, from which ruin within so many rounds is less likely than NEGLIGIBLE.

    For any t > 0, exp(-t x result) exceeds exp(t x money) at some time with a chance of at most
    E(exp(-t x net))^rounds / exp(t x money), where that expectation is at least 1.
    """
    least = min(int(steps[0]), 0)
    best = float(-rounds * least)  # more cannot be lost
    for t in np.geomspace(1e-8, 10.0, 400) / max(-least, 1):
        growth = max(0.0, log(float(np.exp(-t * steps) @ chances)))
        best = min(best, (rounds * growth - log(NEGLIGIBLE)) / t)
    return ceil(best)


def ruin(one: OneRound, bankroll: Cents, rounds: int, most_work: int = MOST_WORK) -> Ruin:
    """Ruin is to have lost the whole bankroll at the end of a round; what the next round would cost
    is not asked."""
    steps, chances = one.on_lattice()
    money = -(-bankroll // one.step)
    top = _height(steps, chances, rounds)
    if money > top:
        return Ruin(0.0, "lattice")
    if rounds * top * len(steps) <= most_work:
        return Ruin(min(1.0, _follow(steps, chances, rounds, money, top)), "lattice")
    if rounds * FEWEST_DRAWN > 10 * MOST_DRAWN:
        raise Refused(f"{rounds:,} rounds are too long a way to follow a bankroll.")
    if money + rounds * int(np.abs(steps).max()) >= 1 << 63:
        raise Refused(f"The sums of {rounds:,} rounds are too large to follow a bankroll.")
    shares = cores()
    sessions = ceil(max(FEWEST_DRAWN, MOST_DRAWN / rounds) / shares)
    ruins = np.zeros(shares, np.int64)
    table = _columns(chances)
    on_all_cores((_draw, (steps, *table, rounds, money, sessions, n, ruins)) for n in range(shares))
    share = int(ruins.sum()) / (shares * sessions)
    return Ruin(share, "simulation", sqrt(share * (1 - share) / (shares * sessions)))


# --- how odd a result was -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Surprise:
    """A result beside what was to be expected of it."""

    expected: Fraction
    z: float
    at_most: float  # the chance of a result no higher
    at_least: float  # and no lower

    @property
    def tail(self) -> float:
        """The chance to be as far off, either way."""
        return min(1.0, 2 * min(self.at_most, self.at_least))


def surprise(one: OneRound, rounds: int, result: Cents) -> Surprise:
    expected = rounds * one.mean
    deviation = one.deviation(rounds)
    found = results(one, rounds)
    off = float(result - expected)
    z = off / deviation if deviation else (0.0 if off == 0 else inf * off)
    return Surprise(expected, z, found.at_most(result), found.at_least(result))
