"""solve(house): what a game costs under optimal play, or any other, exactly."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from croupier.analysis.plan import Plan
from croupier.analysis.progress import Tell, silent
from croupier.analysis.solution import Solution
from croupier.house.check import check
from croupier.house.submission import House
from croupier.law.refused import Refused

PAIR_OF_TENS = "tens-or-better"


def _solver(house: House) -> Any:
    """The module that knows the game; kernels are loaded only for the game that is asked for."""
    match house.game.id:
        case "ultimate-texas-holdem":
            from croupier.analysis.solvers import solve_holdem

            return solve_holdem
        case "caribbean-stud":
            from croupier.analysis.solvers import solve_caribbean

            return solve_caribbean
        case "let-it-ride":
            from croupier.analysis.solvers import solve_ride

            return solve_ride
        case _:
            from croupier.analysis.solvers import solve_pik_it

            return solve_pik_it


def _has_a_price(house: House) -> None:
    """A house may break the law and still be solved, but not leave out what there is to price."""
    if "progressive" in house.offered and "progressive" not in house.pay:
        raise Refused("A progressive without pay lines has no price; give [pay.progressive].")
    if house.game.id != "let-it-ride":
        for key, table in house.pay.items():
            if any(line.name == PAIR_OF_TENS for line in table):
                raise Refused(
                    f"pay.{key}: {PAIR_OF_TENS} is a line of Let It Ride; here a pair is a pair."
                )


def best_plan(house: House, tell: Tell = silent) -> Plan:
    """Optimal play."""
    plan: Plan = _solver(house).best_plan(house, tell=tell)
    return plan


def plan_for(house: House, strategy: str, tell: Tell = silent) -> Plan:
    """The plan of a strategy, by its name or its file."""
    from croupier.analysis.strategies.strategy import OPTIMAL, load
    from croupier.analysis.strategies.strategy_plan import plan_of

    if strategy == OPTIMAL:
        return best_plan(house, tell)
    return plan_of(house, load(house.game.id, strategy), tell)


def solve(house: House, plan: Plan | None = None, tell: Tell = silent) -> Solution:
    """Every outcome of one configuration, legal or not, under a plan or under optimal play."""
    started = time.perf_counter()
    _has_a_price(house)
    found: Solution = _solver(house).solve(house, plan, tell=tell)
    return replace(
        found,
        seconds=time.perf_counter() - started,
        unlawful=tuple(str(violation) for violation in check(house).violations),
        strategy="a plan" if plan else found.strategy,
        optimal_edge=None if plan else -found.main.net,
    )


def evaluate(house: House, strategy: str, tell: Tell = silent) -> Solution:
    """A strategy's solution, with what optimal play would give beside it."""
    from croupier.analysis.strategies.strategy import OPTIMAL

    if strategy == OPTIMAL:
        return solve(house, tell=tell)
    started = time.perf_counter()
    plan = plan_for(house, strategy, tell)
    best = solve(house, tell=tell)
    return replace(
        solve(house, plan, tell),
        strategy=strategy,
        optimal_edge=best.optimal_edge,
        seconds=time.perf_counter() - started,
    )
