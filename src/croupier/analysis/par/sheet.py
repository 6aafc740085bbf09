"""The PAR sheet of a table as data: what a test laboratory asks to see of its mathematics.

All figures are per unit of the initial wager, and follow from exact counts of deals. Payout limits
are left out of them and shown as exposure. The edge is the mean loss per initial wager, the element
of risk the mean loss per unit of all that is wagered in a round; the hold is the element of risk.
The volatility index is z times the standard deviation: after n rounds the return per initial wager
lies within the index over the square root of n of its mean, with the confidence that z stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

from croupier import __version__
from croupier.analysis.counting.cover_all import BELOW
from croupier.analysis.par.exposure import Award, Cap, awards, caps
from croupier.analysis.par.opening import Start, opening
from croupier.analysis.par.settings import Setting, fingerprint, listed, settings
from croupier.analysis.par.wagers import NOT_MADE, names, parts
from croupier.analysis.solution import Book, Outcome, Solution
from croupier.analysis.solve import solve
from croupier.house.submission import House
from croupier.rules.paytable import PayTable, in_words

CONFIDENCE = {"90 %": Decimal("1.645"), "95 %": Decimal("1.960"), "99 %": Decimal("2.576")}
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
BELOW_A_FULL_HOUSE = "below a full house"
ENOUGH = 25  # times the squared skewness: from here on a mean is near enough to normal (Cochran)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a wager: what it pays, and how many deals end on it."""

    name: str
    pays: str
    net: Fraction
    count: int


@dataclass(frozen=True, slots=True)
class Bet:
    """One wager, or several settled together, and its book."""

    key: str
    title: str
    unit: str  # what the figures are per
    book: Book
    lines: tuple[Line, ...]
    alone: bool = True  # False for what is only ever made together with more

    @property
    def edge(self) -> Fraction:
        return -self.book.net

    @property
    def returns(self) -> Fraction:
        """Per initial wager."""
        return 1 + self.book.net

    @property
    def hold(self) -> Fraction:
        return self.book.element_of_risk

    def volatility(self, confidence: str) -> Decimal:
        return CONFIDENCE[confidence] * self.book.standard_deviation

    def interval(self, rounds: int, confidence: str) -> tuple[Decimal, Decimal]:
        """Within which the return per initial wager lies after so many rounds."""
        mean = Decimal(self.returns.numerator) / Decimal(self.returns.denominator)
        reach = self.volatility(confidence) / Decimal(rounds).sqrt()
        return mean - reach, mean + reach

    @property
    def rounds_enough(self) -> int:
        """How many rounds it takes until the interval, a normal one, can be trusted."""
        mean, variance = self.book.net, self.book.variance
        third = sum((o.net - mean) ** 3 * o.count for o in self.book.outcomes)
        squared = Fraction(third, self.book.combinations) ** 2 / variance**3
        return ceil(ENOUGH * squared)


@dataclass(frozen=True, slots=True)
class Sheet:
    house: House
    solution: Solution
    settings: tuple[Setting, ...]
    fingerprint: str
    bets: tuple[Bet, ...]
    awards: tuple[Award, ...]
    caps: tuple[Cap, ...]
    opening: tuple[Start, ...]  # Ultimate Texas Hold'em: the chart of 13 by 13
    date: str  # as given, or nothing: a sheet is the same whenever it is made
    version: str = __version__

    @property
    def main(self) -> Bet:
        """All required wagers together."""
        return self.bets[0]


def sheet(house: House, date: str = "") -> Sheet:
    solution = solve(house)
    found = settings(house)
    return Sheet(
        house=house,
        solution=solution,
        settings=found,
        fingerprint=fingerprint(found),
        bets=bets(house, solution),
        awards=awards(house),
        caps=caps(house),
        opening=opening(house),
        date=date,
    )


def bets(house: House, solution: Solution) -> tuple[Bet, ...]:
    """All required wagers together, then each wager by itself."""
    return tuple(_bets(house, solution))


def _bets(house: House, solution: Solution) -> Iterator[Bet]:
    base = house.game.wagers[0]
    unit = "one bet" if base.key == "main" else f"the {base.name}"
    wagers = names(house)
    if solution.whole:
        required = [w.name for w in house.game.wagers if w.required or w.multiple_of]
        yield Bet("whole", _title(required), unit, solution.whole, _by_net(solution.whole))
    alone = solution.whole is None
    yield Bet("main", _title(wagers), unit, solution.main, _by_net(solution.main), alone)
    for name, book in parts(house, solution).items():
        key = house.game.wager(name).key
        lines = _by_line(book, house.pay.get(key))
        yield Bet(name, name.capitalize(), unit, book, lines, alone=False)
    for name, book in side_bets(solution).items():
        key, _, hands = name.partition(", ")
        wager = next(w for w in house.game.wagers if w.key == key)
        title = wager.name.capitalize() + (f", {hands}" if hands else "")
        table = house.pay[f"{key} {hands.split()[0]}" if hands else key]
        yield Bet(name, title, f"the {wager.name} wager", book, _by_line(book, table))


def side_bets(solution: Solution) -> dict[str, Book]:
    """Those a player can make: nobody picks three cards after a look at them (ruling P2)."""
    return {
        name: book for name, book in solution.side_bets.items() if not name.endswith("informed")
    }


def _title(wagers: list[str] | tuple[str, ...]) -> str:
    return listed(wagers).capitalize()


def _by_net(book: Book) -> tuple[Line, ...]:
    """Wagers settled together have no lines in common: what counts is what they net."""
    counts: Counter[Fraction] = Counter()
    for o in book.outcomes:
        counts[o.net] += o.count
    return tuple(Line("", "", net, counts[net]) for net in sorted(counts, reverse=True))


def _by_line(book: Book, table: PayTable | None) -> tuple[Line, ...]:
    counts: Counter[tuple[str, str, Fraction]] = Counter()
    for o in book.outcomes:
        name = BELOW_A_FULL_HOUSE if o.line == BELOW else in_words(o.line)
        counts[name, _pays(o, table), o.net] += o.count
    order = sorted(counts, key=lambda line: (-line[2], line[0] == NOT_MADE, line[0]))
    return tuple(Line(*line, counts[line]) for line in order)


def _pays(o: Outcome, table: PayTable | None) -> str:
    if o.line == NOT_MADE:
        return "nothing"
    line = table.line_for(o.line) if table else None
    if line and o.net > -o.wagered:
        return str(line.award)
    if o.net > 0:
        return "1 to 1"
    return "loses" if o.net < 0 else "comes back"
