"""Two configurations of one game side by side: what differs, and what that does to the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from croupier.analysis.par.exposure import awards, caps
from croupier.analysis.par.settings import Setting, listed, settings
from croupier.analysis.par.sheet import Bet, bets
from croupier.analysis.solve import solve
from croupier.house.submission import House
from croupier.law.clause import Clause
from croupier.law.refused import Refused


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that is not the same in both; None where one table does not know it."""

    key: str
    first: Setting | None
    second: Setting | None

    def clauses(self) -> tuple[Clause, ...]:
        """Those that govern it, once each."""
        found = (each.clause for each in (self.first, self.second) if each and each.clause)
        return tuple({clause.id: clause for clause in found}.values())


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of both tables; None where one does not offer the wager."""

    name: str
    kind: str  # percent, number, rounded (a root, which has no fraction) or cents
    first: Fraction | None
    second: Fraction | None

    @property
    def change(self) -> Fraction | None:
        """From the first to the second."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Comparison:
    first: House
    second: House
    unlawful: tuple[tuple[str, ...], tuple[str, ...]]
    differences: tuple[Difference, ...]
    wagers: dict[str, tuple[Figure, ...]]  # by the name of the wager
    exposure: tuple[Figure, ...]


def compare(first: House, second: House) -> Comparison:
    if first.game is not second.game:
        raise Refused(
            f"{first.game.title} and {second.game.title} have no wager in common; "
            "compare two tables of one game."
        )
    solutions = solve(first), solve(second)
    mine, others = (
        {bet.title: bet for bet in bets(house, solution)}
        for house, solution in zip((first, second), solutions, strict=True)
    )
    return Comparison(
        first=first,
        second=second,
        unlawful=(solutions[0].unlawful, solutions[1].unlawful),
        differences=tuple(_differences(first, second)),
        wagers={
            title: tuple(_figures(mine.get(title), others.get(title)))
            for title in dict.fromkeys((*mine, *others))
        },
        exposure=tuple(_exposure(first, second)),
    )


def _differences(first: House, second: House) -> Iterator[Difference]:
    mine, others = ({each.key: each for each in settings(house)} for house in (first, second))
    for key in dict.fromkeys((*mine, *others)):
        one, other = mine.get(key), others.get(key)
        if one is None or other is None or one.value != other.value:
            yield Difference(key, one, other)


FIGURES: dict[str, tuple[str, Callable[[Bet], Fraction]]] = {
    "edge": ("percent", lambda bet: bet.edge),
    "element of risk": ("percent", lambda bet: bet.hold),
    "average wager": ("number", lambda bet: bet.book.average_wager),
    "hit frequency": ("percent", lambda bet: bet.book.hit_frequency),
    "variance": ("number", lambda bet: bet.book.variance),
    "standard deviation": ("rounded", lambda bet: Fraction(bet.book.standard_deviation)),
}


def _figures(first: Bet | None, second: Bet | None) -> Iterator[Figure]:
    for name, (kind, of) in FIGURES.items():
        yield Figure(name, kind, of(first) if first else None, of(second) if second else None)


def _exposure(first: House, second: House) -> Iterator[Figure]:
    """The largest award of each wager, and of those that share a payout limit."""
    found: list[dict[str, Fraction]] = []
    for house in (first, second):
        mine = {f"largest award, {each.wager}": Fraction(each.win) for each in awards(house)}
        for each in caps(house):
            wagers = listed(each.wagers)
            mine[f"could win, {wagers}"] = Fraction(each.win)
            mine[f"at most wins, {wagers}"] = Fraction(each.win - each.withheld)
        found.append(mine)
    for name in dict.fromkeys((*found[0], *found[1])):
        yield Figure(name, "cents", found[0].get(name), found[1].get(name))
