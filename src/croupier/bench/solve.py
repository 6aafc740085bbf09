"""How long an exact solution takes: every game, in three kinds of process, and beside a draft.

A solution is everything: the counts of deals, the best play, and every outcome counted. Warm is in
this process with nothing kept but compiled kernels; fresh is a new process, from its start to its
end, with kernels compiled before; cold is a new process that has to compile them all. The draft
(``solve_draft``) is Ultimate Texas Hold'em solved the plain way, warm, on as many cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

import croupier
from croupier.analysis.counting.boards import KIND
from croupier.analysis.many import cores
from croupier.analysis.solvers import solve_caribbean, solve_holdem, solve_pik_it, solve_ride
from croupier.bench import solve_draft
from croupier.bench.evaluator import seconds_of
from croupier.games.registry import game_named
from croupier.house.submission import House, default_house

TURNS = 3


def _boards(deals: solve_holdem.Deals) -> str:
    holdings = [tally[..., KIND] > 0 for tally in (deals.by_ranks, deals.by_suit)]
    boards = sum(int(held.any(axis=1).sum()) for held in holdings)
    return (
        f"{boards:,} kinds of board, {sum(int(held.sum()) for held in holdings):,} of holding on "
        f"them, {len(deals.flops.hands):,} of flop"
    )


def _hands(deals: solve_pik_it.Deals) -> str:
    return f"{len(deals.weights):,} kinds of hand"


def _with_a_card(deals: solve_caribbean.Deals | solve_ride.Deals) -> str:
    return (
        f"{len(deals.weights):,} kinds of hand, {int(deals.dealt.sum()):,} with the card in sight"
    )


@dataclass(frozen=True, slots=True)
class Solver:
    """A game's solver, and how much it looks at."""

    module: Any
    states: Callable[[Any], str]

    def solution(self, house: House) -> Any:
        """From the deals to every outcome, nothing kept from before."""
        return self.module.solve(house, deals=self.module.Deals())


SOLVERS = {
    "uth": Solver(solve_holdem, _boards),
    "caribbean": Solver(solve_caribbean, _with_a_card),
    "ride": Solver(solve_ride, _with_a_card),
    "pikit": Solver(solve_pik_it, _hands),
}


def preset(alias: str) -> House:
    return default_house(game_named(alias).books[0].id)


def warm(alias: str, turns: int) -> float:
    """The median time of a whole solution."""
    solver, house = SOLVERS[alias], preset(alias)
    solver.solution(house)  # loads or compiles the kernels, which is not part of the speed
    return median(seconds_of(lambda: solver.solution(house)) for _ in range(turns))


def in_a_process(alias: str, cache: str = "") -> float:
    """The time of a new process that solves; with a folder for kernels of its own it finds none."""
    script = (
        "from croupier.analysis.solve import solve;"
        "from croupier.house.submission import default_house;"
        f"solve(default_house({preset(alias).book.id!r}))"
    )
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    return time.perf_counter() - start


def beside_the_draft(turns: int) -> tuple[float, float, bool]:
    """Seconds of the draft and of the solver, and whether they find the same edge every time."""
    solver, house = SOLVERS["uth"], preset("uth")
    solve_draft.edge(house, every=10_000)  # compiles its kernels; the solver's are there
    edges: set[Fraction] = set()
    drafts, solutions = [], []
    for _ in range(turns):
        drafts.append(seconds_of(lambda: edges.add(solve_draft.edge(house))))
        solutions.append(seconds_of(lambda: edges.add(-solver.solution(house).main.net)))
    return median(drafts), median(solutions), len(edges) == 1


def run(turns: int = TURNS, cold: bool = False) -> None:
    """Measure and print."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Exact solutions, seconds on {cores()} cores", title_justify="left")
    table.add_column("game", no_wrap=True)
    table.add_column("looks at")
    for column in ("warm", "fresh", *(["cold"] if cold else [])):
        table.add_column(column, justify="right", no_wrap=True)
    for alias, solver in SOLVERS.items():
        times = [warm(alias, turns), in_a_process(alias)]
        if cold:
            with tempfile.TemporaryDirectory() as cache:
                times.append(in_a_process(alias, cache))
        looks_at = solver.states(solver.module.Deals())
        table.add_row(preset(alias).game.title, looks_at, *(f"{took:.2f}" for took in times))
    console = Console()
    console.print(table)
    draft, solution, same = beside_the_draft(turns)
    edges = "the same edge to the last digit" if same else "ANOTHER EDGE"
    console.print(
        f"{preset('uth').game.title} board by board: {draft:.2f} s, "
        f"{draft / solution:.1f} times as long, with {edges}."
    )
    console.print(f"Croupier {croupier.__version__}; warm times are medians of {turns} turns.")
