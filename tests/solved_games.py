"""Games solved once for all the tests of a session, whichever process they run in.

A solution takes seconds of both cores, and many tests only ask what it says. What is kept here is
named by all that the calculation looks at, and every calculation is done once in each session.
Tests of the calculation itself do without.
"""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from croupier.analysis.plan import HoldemPlan, Plan
from croupier.analysis.progress import Tell, silent
from croupier.analysis.solvers import solve_holdem
from croupier.analysis.strategies import strategy_plan
from croupier.analysis.strategies.strategy import NAMED, Strategy
from croupier.analysis.strategies.strategy_rules import Rules
from croupier.house.submission import House

Told = list[tuple[str, int, int]]


class Kept:
    """Values in a folder that the processes of a session share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def value(self, make: Callable[[Tell], Any], tell: Tell, *name: Any) -> Any:
        """What ``make`` gives, and tells on its way; made by whoever needs it first."""
        path = self.folder / _digest(name)
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.exists():
                value, told = pickle.loads(path.read_bytes())
                for each in told:
                    tell(*each)
                return value
            steps: Told = []

            def telling(*step: Any) -> None:
                steps.append(step)
                tell(*step)

            value = make(telling)
            path.write_bytes(pickle.dumps((value, steps)))
            return value


def _digest(name: tuple[Any, ...]) -> str:
    found = hashlib.sha256()
    for each in name:
        if isinstance(each, np.ndarray):
            found.update(f"{each.shape} {each.dtype}".encode())
            found.update(np.ascontiguousarray(each).data)
        else:
            found.update(pickle.dumps(each))
    return found.hexdigest()


class KnownPlay:
    """Optimal play of Ultimate Texas Hold'em as far as a solution needs it."""

    def __init__(self, plan: HoldemPlan, ties: dict[str, int], count: Callable[..., Any]) -> None:
        self.plan, self.ties, self.outcome_counts = plan, ties, count


def share(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let solutions and the plans of named strategies be taken from the folder."""
    kept = Kept(folder)
    play, count, plan_of = solve_holdem.Play, solve_holdem.outcome_counts, strategy_plan.plan_of

    def known_counts(
        deals: solve_holdem.Deals, plan: HoldemPlan, nets: Any, tell: Tell = silent
    ) -> Any:
        arrays = (plan.before, plan.after, plan.by_ranks, plan.by_suit, nets)
        return kept.value(lambda tell: count(deals, plan, nets, tell), tell, "counts", *arrays)

    def known_play(
        deals: solve_holdem.Deals, nets: Any, multiples: Any, tell: Tell = silent
    ) -> KnownPlay:
        def make(tell: Tell) -> tuple[HoldemPlan, dict[str, int]]:
            made = play(deals, nets, multiples, tell)
            return made.plan, made.ties

        plan, ties = kept.value(make, tell, "play", nets, sorted(multiples.items()))
        return KnownPlay(plan, ties, partial(known_counts, deals, plan, nets))

    def known_plan(house: House, strategy: Strategy, tell: Tell = silent) -> Plan:
        if not (isinstance(strategy, Rules) and strategy.source in NAMED[house.game.id]):
            return plan_of(house, strategy, tell)  # a user's own may be another under its name
        plan: Plan = kept.value(
            lambda tell: plan_of(house, strategy, tell), tell, "plan", house, strategy.source
        )
        return plan

    monkeypatch.setattr(solve_holdem, "outcome_counts", known_counts)
    monkeypatch.setattr(solve_holdem, "Play", known_play)
    monkeypatch.setattr(strategy_plan, "plan_of", known_plan)
