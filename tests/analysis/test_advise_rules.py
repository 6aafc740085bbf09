"""Short rules: they are the published ones, and cost what a plan that follows them costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.advice.short_rules import Rule, short_rules
from croupier.analysis.counting.deals import distinct_hands
from croupier.analysis.plan import CaribbeanPlan, PikItPlan
from croupier.analysis.solve import solve
from croupier.analysis.solvers import solve_caribbean, solve_pik_it
from croupier.cards.card import cards
from croupier.cards.evaluator import THREE_CARD_KIND, evaluate5
from croupier.cards.ranking import ThreeCard


def lines(rule: Rule) -> dict[str, str]:
    return {line.group: str(line) for line in rule.lines}


def number(text: str) -> int:
    return int(evaluate5(np.array([cards(text)], np.uint8))[0])


@pytest.fixture(scope="module")
def holdem() -> tuple[Rule, ...]:
    return short_rules(house(NJ_UTH))


def test_the_opening_of_ultimate_texas_holdem_is_the_published_one(
    holdem: tuple[Rule, ...],
) -> None:
    before = holdem[0]
    assert before.decision == "before-flop"
    assert lines(before) == {
        "a pair": "4x with 33 or better, else check",
        "ace, suited": "4x",
        "ace, unsuited": "4x",
        "king, suited": "4x",
        "king, unsuited": "4x with K5o or better, else check",
        "queen, suited": "4x with Q6s or better, else check",
        "queen, unsuited": "4x with Q8o or better, else check",
        "jack, suited": "4x with J8s or better, else check",
        "jack, unsuited": "4x with JTo or better, else check",
    }
    assert before.otherwise == "check"
    assert (before.asked, before.misses, before.cost) == (1, 0, 0)


def test_the_flop_and_the_river_are_nearly_the_published_ones(holdem: tuple[Rule, ...]) -> None:
    """Published: two pair, a pair of one's own but deuces, a ten to a flush; 21 outs."""
    _, flop, river = holdem
    assert lines(flop) == {
        "two pair or better": "2x",
        "three alike on the flop": "2x with a queen of your own, or better, else check",
        "a pair with the flop": "2x",
        "four to a flush": "2x with a ten of your own, or better, else check",
    }
    assert lines(river) == {"a hand": "1x with fewer than 21 outs for the dealer, else fold"}
    assert (flop.otherwise, river.otherwise) == ("check", "")


def test_the_rules_are_asked_as_often_as_hands_have_not_played(holdem: tuple[Rule, ...]) -> None:
    before, flop, river = holdem
    actions = solve(house(NJ_UTH)).main.actions()
    assert flop.asked == before.asked - actions["4x"]
    assert river.asked == flop.asked - actions["2x"] == actions["1x"] + actions["fold"]


def test_all_three_rules_together_cost_less_than_the_published_simple_strategy(
    holdem: tuple[Rule, ...],
) -> None:
    """That one is said to cost 2.43 % of the ante, against 2.185 %."""
    assert all(rule.misses > 0 < rule.cost for rule in holdem[1:])
    assert sum(rule.cost for rule in holdem) < Fraction("0.0243") - Fraction("0.02185")


def test_caribbean_stud_bets_from_ace_king_jack_eight_three() -> None:
    """Published: 5.316 % of the ante."""
    (rule,) = short_rules(house(CARIBBEAN))
    assert lines(rule) == {"a hand": "bet with A-K-J-8-3 or better, else fold"}
    optimal = solve(house(CARIBBEAN)).main.net
    assert round(rule.cost - optimal, 5) == Fraction("0.05316")

    def net(least: int) -> Fraction:
        bets = np.repeat(solve_caribbean.known_deals().numbers[:, None] >= least, 52, axis=1)
        return solve(house(CARIBBEAN), CaribbeanPlan(bets=bets)).main.net

    threshold = number("Ah Kd Jc 8s 3h")
    assert net(threshold) == optimal - rule.cost
    assert net(threshold - 1) < net(threshold) > net(threshold + 1)


def test_let_it_ride_has_the_published_rules_and_they_miss_nothing() -> None:
    first, second = short_rules(house(RIDE))
    assert lines(first) == {
        "a hand that pays already": "ride",
        "three suited, three straights possible": "ride",
        "three suited, two straights possible": (
            "ride with at least one card from ten up, else withdraw"
        ),
        "three suited, one straight possible": (
            "ride with at least two cards from ten up, else withdraw"
        ),
    }
    assert lines(second) == {
        "a hand that pays already": "ride",
        "four suited, two straights possible": "ride",
        "four suited, one straight possible": "ride",
        "four suited, no straight possible": "ride",
        "four unsuited, two straights possible": "ride",
    }
    for rule in (first, second):
        assert (rule.otherwise, rule.misses, rule.cost) == ("withdraw", 0, 0)


def test_another_pay_table_has_other_rules() -> None:
    """With 12 to 1 on a straight even the inside draws ride."""
    _, second = short_rules(house(RIDE, pay={"main": {"straight": "12 to 1"}}))
    assert lines(second)["four unsuited, one straight possible"].startswith("ride")


def test_pik_it_costs_what_a_plan_by_the_same_rule_costs() -> None:
    here = house(PIK_IT)
    (rule,) = short_rules(here)
    assert lines(rule) == {
        "best three: high-card": "play 5 with A-K-J-8-3 or better, else fold",
        "best three: pair": "play 5",
        "best three: flush": "play 5 with 9-9-5-3-2 or better, else play 3",
        "best three: straight": "play 3",
        "best three: three-of-a-kind": "play 3",
        "best three: straight-flush": "play 3",
        "best three: royal-flush": "play 3",
    }
    assert rule.otherwise == ""
    hands = distinct_hands(5)
    five = evaluate5(hands.hands)
    three = THREE_CARD_KIND[solve_pik_it.best_threes(hands.hands)]
    plays = np.where(three >= ThreeCard.FLUSH, 1, 2)
    plays[(three == ThreeCard.FLUSH) & (five >= number("9c 9d 5c 3c 2c"))] = 2
    plays[(three == ThreeCard.HIGH_CARD) & (five < number("Ah Kd Jc 8s 3h"))] = 0
    followed = solve(here, PikItPlan(plays=plays.astype(np.uint8))).main
    assert followed.net == solve(here).main.net - rule.cost
    best = solve_pik_it.best_plan(here).plays
    missed = int(hands.weights[plays != best].sum())
    assert rule.misses == Fraction(missed, 2_598_960)
