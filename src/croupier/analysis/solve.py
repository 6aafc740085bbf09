"""solve(house): optimal play and the house edge, exactly."""

from __future__ import annotations

import time
from dataclasses import replace

from croupier.analysis.solution import Solution
from croupier.house.check import check
from croupier.house.submission import House


def solve(house: House) -> Solution:
    """The exact solution of one configuration, legal or not."""
    started = time.perf_counter()
    match house.game.id:
        case "ultimate-texas-holdem":
            from croupier.analysis import solve_holdem

            found = solve_holdem.solve(house)
        case "caribbean-stud":
            from croupier.analysis import solve_caribbean

            found = solve_caribbean.solve(house)
        case "let-it-ride":
            from croupier.analysis import solve_ride

            found = solve_ride.solve(house)
        case _:
            from croupier.analysis import solve_pik_it

            found = solve_pik_it.solve(house)
    unlawful = tuple(str(violation) for violation in check(house).violations)
    return replace(found, seconds=time.perf_counter() - started, unlawful=unlawful)
