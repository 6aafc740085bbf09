"""What a solution says: exact counts of outcomes, and everything that follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil

from croupier.rules.money import Cents, dollars


@dataclass(frozen=True, slots=True)
class Outcome:
    """So many deals end with this net, per unit of the base wager."""

    net: Fraction
    count: int
    action: str = ""
    line: str = ""
    qualified: bool | None = None
    wagered: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Book:
    """Outcomes of one wager, or of several settled together."""

    outcomes: tuple[Outcome, ...]

    @property
    def combinations(self) -> int:
        return sum(o.count for o in self.outcomes)

    @property
    def net(self) -> Fraction:
        return self._mean(o.net * o.count for o in self.outcomes)

    @property
    def average_wager(self) -> Fraction:
        return self._mean(o.wagered * o.count for o in self.outcomes)

    @property
    def element_of_risk(self) -> Fraction:
        return -self.net / self.average_wager

    @property
    def variance(self) -> Fraction:
        return self._mean(o.net * o.net * o.count for o in self.outcomes) - self.net**2

    @property
    def standard_deviation(self) -> Decimal:
        """To twelve digits; the variance itself is exact."""
        with localcontext() as context:
            context.prec = 30
            root = (Decimal(self.variance.numerator) / Decimal(self.variance.denominator)).sqrt()
            context.prec = 12
            return +root

    @property
    def hit_frequency(self) -> Fraction:
        return Fraction(sum(o.count for o in self.outcomes if o.net > 0), self.combinations)

    def actions(self) -> dict[str, Fraction]:
        total: Counter[str] = Counter()
        for o in self.outcomes:
            total[o.action] += o.count
        return {name: Fraction(n, self.combinations) for name, n in total.items()}

    def _mean(self, terms: Iterable[Fraction]) -> Fraction:
        return sum(terms, Fraction(0)) / self.combinations


def merged(outcomes: Iterable[Outcome]) -> Book:
    """Outcomes that look alike become one."""
    counts: Counter[tuple[Fraction, str, str, bool | None, Fraction]] = Counter()
    for o in outcomes:
        if o.count:
            counts[o.net, o.action, o.line, o.qualified, o.wagered] += o.count
    return Book(
        tuple(
            Outcome(net, count, action, line, qualified, wagered)
            for (net, action, line, qualified, wagered), count in counts.items()
        )
    )


@dataclass(frozen=True, slots=True)
class Meter:
    """What a wager that pays shares of a meter nets, per unit wagered: a straight line."""

    at_nothing: Fraction
    per_dollar: Fraction

    @property
    def per_10000(self) -> Fraction:
        """What each $10,000 on the meter returns."""
        return 10_000 * self.per_dollar

    @property
    def break_even(self) -> Fraction:
        """The meter in dollars at which the wager costs nothing."""
        return max(-self.at_nothing / self.per_dollar, Fraction(0))

    @property
    def break_even_cents(self) -> Cents:
        """The first meter in whole cents at which the wager does not lose."""
        return ceil(100 * self.break_even)


def meter_line(at: Callable[[Cents], Book]) -> Meter | None:
    """The line through the books at two meters; nothing where the meter has no bearing."""
    million = dollars(1_000_000)  # every share of it is whole cents
    empty, full = at(0).net, at(million).net
    return Meter(empty, (full - empty) / 1_000_000) if full != empty else None


@dataclass(frozen=True, slots=True)
class Solution:
    """The truth about one configuration under one way to play."""

    game: str
    rulebook: str
    main: Book  # the wagers that meet the dealer's hand, or the three bets of Let It Ride
    side_bets: dict[str, Book]
    whole: Book | None = None  # all required wagers together, where that is more than the main ones
    ties: dict[str, int] = field(default_factory=dict)  # deals at a tie between decisions
    tie_broken: str = ""
    seconds: float = 0.0
    unlawful: tuple[str, ...] = ()  # what the law says against this configuration
    meters: dict[str, Meter] = field(default_factory=dict)  # of side bets that pay from one
    strategy: str = "optimal"
    optimal_edge: Fraction | None = None  # of the main wagers, where it has been worked out

    @property
    def legal(self) -> bool:
        return not self.unlawful

    @property
    def cost(self) -> Fraction | None:
        """How much more than optimal play this way to play gives away."""
        return None if self.optimal_edge is None else -self.main.net - self.optimal_edge
