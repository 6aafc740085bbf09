"""What must hold of any pay table: plans are linear in its odds, optimal play convex and above."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE, house
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.plan import Plan
from croupier.analysis.solution import Solution
from croupier.analysis.solve import best_plan, plan_for, solve
from croupier.analysis.strategies.strategy import NAMED
from croupier.house.submission import House

LINES = {
    RIDE: (
        "main",
        ("royal-flush", "straight-flush", "flush", "straight", "two-pair", "tens-or-better"),
    ),
    CARIBBEAN: ("bet", ("straight-flush", "full-house", "flush", "straight", "pair", "high-card")),
    PIK_IT: ("five-card-bonus", ("royal-flush", "flush", "straight", "two-pair")),
    NJ_UTH: ("blind", ("royal-flush", "straight-flush", "full-house", "flush", "straight")),
}
DEALS = {
    RIDE: 51_979_200,
    CARIBBEAN: 19_933_230_517_200,
    PIK_IT: 2_598_960 * 1_533_939,
    NJ_UTH: 27_813_810_024_000,
}
Odds = tuple[int, ...]
CHEAP = (RIDE, CARIBBEAN, PIK_IT)


def table(book: str, odds: Odds) -> House:
    wager, lines = LINES[book]
    paid = {line: f"{n} to 1" for line, n in zip(lines, odds, strict=True)}
    return house(book, offered=[], pay={wager: paid})


def tables(book: str) -> st.SearchStrategy[tuple[Odds, Odds]]:
    """Two pay tables that have one in the middle between them."""
    size = len(LINES[book][1])
    lower = st.lists(st.integers(0, 60), min_size=size, max_size=size)
    more = st.lists(st.integers(0, 60), min_size=size, max_size=size)
    return st.tuples(lower, more).map(
        lambda drawn: (tuple(drawn[0]), tuple(a + 2 * b for a, b in zip(*drawn, strict=True)))
    )


def middle(one: Odds, other: Odds) -> Odds:
    return tuple((a + b) // 2 for a, b in zip(one, other, strict=True))


def net(solution: Solution) -> Fraction:
    """Of all required wagers: Pik-It's pay table is that of its bonus."""
    return (solution.whole or solution.main).net


@cache
def named_plans(book: str, *names: str) -> list[Plan]:
    """They do not depend on what is paid, so one of each will do."""
    return [plan_for(house(book), name) for name in names or NAMED[house(book).game.id]]


def check_pay_tables(book: str, one: Odds, other: Odds, plans: Iterable[Plan]) -> None:
    between = table(book, middle(one, other))
    best = solve(between)
    assert best.main.combinations == DEALS[book]
    assert 2 * net(best) <= net(solve(table(book, one))) + net(solve(table(book, other)))
    for plan in plans:
        followed = solve(between, plan)
        assert followed.main.combinations == DEALS[book]
        assert net(followed) <= net(best)
        ends = net(solve(table(book, one), plan)) + net(solve(table(book, other), plan))
        assert 2 * net(followed) == ends


@pytest.mark.parametrize("book", CHEAP)
def test_any_plan_is_linear_in_the_odds_and_optimal_play_is_convex_and_above_it(book: str) -> None:
    @settings(max_examples=5)
    @given(tables(book))
    def check(both: tuple[Odds, Odds]) -> None:
        check_pay_tables(book, *both, named_plans(book))

    check()


@pytest.mark.slow
@settings(max_examples=2)
@given(tables(NJ_UTH))
def test_the_same_holds_of_ultimate_texas_holdem(both: tuple[Odds, Odds]) -> None:
    check_pay_tables(NJ_UTH, *both, named_plans(NJ_UTH, "simple", "mimic"))


def test_the_best_plan_for_one_table_loses_something_at_another() -> None:
    """Else convexity would say little."""
    generous = table(RIDE, (60, 60, 60, 60, 60, 60))
    stingy = table(RIDE, (1, 1, 1, 1, 1, 1))
    assert net(solve(stingy, best_plan(generous))) < net(solve(stingy))
    assert net(solve(generous, best_plan(stingy))) < net(solve(generous))
