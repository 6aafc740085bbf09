"""The plan of a strategy: it is asked once at every situation that a plan tells apart.

A situation that the strategy's own earlier choices rule out is not asked about.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from croupier.analysis.counting.deals import Hands, distinct_hands
from croupier.analysis.many import parts
from croupier.analysis.plan import CaribbeanPlan, Choices, PikItPlan, Plan, RidePlan
from croupier.analysis.progress import Tell, silent
from croupier.analysis.strategies.situations import Situations, options
from croupier.analysis.strategies.strategy import Strategy
from croupier.house.submission import House


class Asking:
    """One strategy asked at one table, telling how far it has come."""

    def __init__(self, house: House, strategy: Strategy, tell: Tell = silent) -> None:
        self.house, self.strategy, self.tell = house, strategy, tell

    def at(
        self, point: str, count: int, rows: Callable[[int, int], tuple[Hands, Hands]]
    ) -> Choices:
        """Ask about ``count`` situations; ``rows(start, stop)`` are their hands and shown cards."""
        chosen = np.zeros(count, np.uint8)
        choices = options(self.house, point)
        for start, stop in parts(count, count // self.strategy.at_a_time + 1):
            hand, shown = rows(start, stop)
            situations = Situations(self.house.game.id, point, choices, hand, shown)
            chosen[start:stop] = self.strategy.choose(situations)
            self.tell(f"asking at {point}", stop, count)
        return chosen


def nothing_shown(hands: Hands) -> tuple[Hands, Hands]:
    return hands, np.zeros((len(hands), 0), np.uint8)


def plan_of(house: House, strategy: Strategy, tell: Tell = silent) -> Plan:
    asking = Asking(house, strategy, tell)
    match house.game.id:
        case "ultimate-texas-holdem":
            from croupier.analysis.strategies.strategy_holdem import holdem_plan

            return holdem_plan(asking)
        case "caribbean-stud":
            return CaribbeanPlan(bets=_with_each_card(asking, "after-deal", 5) > 0)
        case "let-it-ride":
            threes = distinct_hands(3).hands
            first = asking.at("bet-1", len(threes), lambda a, b: nothing_shown(threes[a:b]))
            return RidePlan(first=first > 0, second=_with_each_card(asking, "bet-2", 3) > 0)
    fives = distinct_hands(5).hands
    return PikItPlan(asking.at("play", len(fives), lambda a, b: nothing_shown(fives[a:b])))


def _with_each_card(asking: Asking, point: str, size: int) -> Choices:
    """Choices by hand and one card shown beside it."""
    hands = distinct_hands(size).hands
    others = np.ones((len(hands), 52), np.bool_)
    for card in hands.T:
        others[np.arange(len(hands)), card] = False
    at, card = np.nonzero(others)
    chosen = np.zeros((len(hands), 52), np.uint8)
    chosen[at, card] = asking.at(
        point, len(at), lambda a, b: (hands[at[a:b]], card[a:b, None].astype(np.uint8))
    )
    return chosen
