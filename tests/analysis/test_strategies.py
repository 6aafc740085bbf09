"""Strategies by name: against published totals, against symmetry, and against optimal play."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.counting.deals import distinct_hands
from croupier.analysis.plan import HoldemPlan, RidePlan
from croupier.analysis.report import percent
from croupier.analysis.solution import Solution
from croupier.analysis.solve import best_plan, evaluate, plan_for, solve
from croupier.analysis.strategies.features import FEATURES
from croupier.analysis.strategies.strategy import NAMED, load, strategies
from croupier.analysis.strategies.strategy_holdem import chart_holes
from croupier.analysis.strategies.strategy_plan import Asking, nothing_shown
from croupier.cards.card import Card, spell
from croupier.house.submission import House

pytestmark = pytest.mark.usefixtures("solved_once")

BOOKS = (NJ_UTH, CARIBBEAN, RIDE, PIK_IT)

# Published losses over all 19,933,230,517,200 deals of Caribbean Stud, in antes.
PUBLISHED = {
    "three-rules": 1_041_417_758_724,
    "ak-j83": 1_059_715_400_580,
    "matching-rank": 1_063_176_931_284,
    "pair-or-better": 1_090_272_101_460,
    "mimic": 1_132_600_203_540,
    "always-raise": 3_310_360_338_060,
}


@cache
def evaluated(book: str, strategy: str) -> Solution:
    return solve(house(book), plan_for(house(book), strategy))


@pytest.mark.parametrize(("name", "loss"), PUBLISHED.items())
def test_caribbean_stud_loses_the_published_total_by_every_published_strategy(
    name: str, loss: int
) -> None:
    assert evaluated(CARIBBEAN, name).main.net == Fraction(-loss, 19_933_230_517_200)


def test_the_published_strategies_of_caribbean_stud_are_all_named() -> None:
    assert set(PUBLISHED) == set(NAMED["caribbean-stud"])


def test_the_simple_strategy_of_ultimate_texas_holdem_costs_what_is_published() -> None:
    simple = evaluated(NJ_UTH, "simple")
    assert round(-simple.main.net, 4) == Fraction("0.0243")


def test_a_bet_that_nobody_can_fold_is_fair_so_its_size_does_not_matter() -> None:
    """Always played, the play wager wins as often as it loses; ante and blind make the edge."""
    only_three = house(NJ_UTH, multiples={"before-flop": 3})
    three = solve(only_three, plan_for(only_three, "always-raise")).main
    four = evaluated(NJ_UTH, "always-raise").main
    assert three.net == four.net
    assert three.actions() == {"3x": 1}
    assert four.actions() == {"4x": 1}


def test_three_cards_against_three_cards_is_a_fair_game() -> None:
    assert evaluated(PIK_IT, "always-three").main.net == 0


def test_let_it_ride_without_decisions_is_three_bets_on_five_cards() -> None:
    """By the known numbers of hands among 2,598,960; of the pairs five ranks in 13 pay."""
    paid = {4: 1_000, 36: 200, 624: 50, 3_744: 11, 5_108: 8, 10_200: 5, 54_912: 3, 123_552: 2}
    paid[1_098_240 * 5 // 13] = 1
    one = Fraction(sum(n * (odds + 1) for n, odds in paid.items()), 2_598_960) - 1
    assert evaluated(RIDE, "always-withdraw").main.net == one
    assert evaluated(RIDE, "always-ride").main.net == 3 * one


def test_the_basic_strategy_of_let_it_ride_errs_on_two_low_straight_flush_draws_only() -> None:
    """Read to the letter it counts the ace of A-2-4 and A-3-4 as a high card."""
    best, basic = best_plan(house(RIDE)), plan_for(house(RIDE), "basic")
    assert isinstance(best, RidePlan)
    assert isinstance(basic, RidePlan)
    threes = distinct_hands(3).hands[best.first != basic.first]
    assert [spell(map(Card, hand)) for hand in threes.tolist()] == ["2c 4c Ac", "3c 4c Ac"]
    assert round(-evaluated(RIDE, "basic").main.net, 4) == Fraction("0.0351")


@pytest.mark.parametrize("book", BOOKS)
def test_no_strategy_beats_optimal_play_and_each_counts_every_deal_once(book: str) -> None:
    best = solve(house(book)).main
    for name in NAMED[house(book).game.id]:
        found = evaluated(book, name).main
        assert found.combinations == best.combinations, name
        assert found.net < best.net, name


def test_a_strategy_is_shown_with_what_it_costs_beside_optimal_play() -> None:
    found = evaluate(house(CARIBBEAN), "pair-or-better")
    assert found.strategy == "pair-or-better"
    assert found.optimal_edge == Fraction(1_041_372_912_372, 19_933_230_517_200)
    assert found.cost == Fraction(1_090_272_101_460 - 1_041_372_912_372, 19_933_230_517_200)


def test_optimal_play_by_name_is_the_solution_itself() -> None:
    by_name, solved = evaluate(house(RIDE), "optimal"), solve(house(RIDE))
    assert by_name.main == solved.main
    assert by_name.cost == 0


@pytest.mark.parametrize("book", BOOKS)
def test_counting_the_optimal_plan_gives_the_solution(book: str) -> None:
    assert solve(house(book), best_plan(house(book))).main == solve(house(book)).main


def test_a_strategy_pays_the_progressive_only_where_it_bets() -> None:
    """Blind, nothing is forfeited: the counts of all five-card hands by the supplied awards."""
    sums = 624 * 500 + 3_744 * 100 + 5_108 * 50
    meter = evaluated(CARIBBEAN, "always-raise").meters["progressive"]
    assert meter.at_nothing == Fraction(sums, 2_598_960) - 1
    assert meter.per_10000 == Fraction(10_000 * (4 * 100 + 36 * 10), 100 * 2_598_960)
    assert meter.break_even == Fraction(2_598_960 - sums) / (4 + Fraction(36, 10))


def test_a_meter_at_its_break_even_point_costs_nothing_and_a_cent_less_something() -> None:
    meter = solve(house(CARIBBEAN)).meters["progressive"]
    cents = meter.break_even_cents
    assert meter.at_nothing + meter.per_dollar * Fraction(cents, 100) >= 0
    assert meter.at_nothing + meter.per_dollar * Fraction(cents - 1, 100) < 0
    exactly = house(CARIBBEAN, progressive={"meter": cents // 100})
    assert abs(solve(exactly).side_bets["progressive"].net) < meter.per_dollar


def test_the_progressive_of_massachusetts_has_a_meter_too_and_its_own_wager() -> None:
    lines = {"royal-flush": "100 %", "straight-flush": "10 %", "flush": "$50"}
    supplied = house(
        MA_UTH,
        offered=["trips", "progressive"],
        pay={"progressive": lines},
        progressive={"meter": 100_000, "seed": 10_000, "contribution": 1},
    )
    meter = solve(supplied).meters["progressive"]
    wager = 5
    assert meter.at_nothing == Fraction(
        5_108 * 50 - (2_598_960 - 4 - 36 - 5_108) * wager, 2_598_960 * wager
    )
    assert meter.per_10000 == Fraction(10_000 * (400 + 360), 100 * 2_598_960 * wager)


# --- plans with several multiples -----------------------------------------------------------


def raising(*, aces: int, kings: int) -> HoldemPlan:
    """These pairs raised by so much, everything else checked and folded."""
    folding = plan_for(house(NJ_UTH), "always-raise")
    assert isinstance(folding, HoldemPlan)
    before = np.zeros(169, np.uint8)
    before[12 * 13 + 12], before[11 * 13 + 11] = aces, kings
    return replace(folding, before=before)


def test_a_plan_may_raise_three_times_here_and_four_times_there() -> None:
    books = {
        (aces, kings): solve(house(NJ_UTH), raising(aces=aces, kings=kings)).main
        for aces in (3, 4)
        for kings in (3, 4)
    }
    assert books[3, 4].actions() == {
        "4x": Fraction(6, 1326),
        "3x": Fraction(6, 1326),
        "fold": Fraction(1314, 1326),
    }
    # What is done with aces does not touch what is done with kings.
    assert books[3, 4].net + books[4, 3].net == books[3, 3].net + books[4, 4].net
    assert books[3, 3].net < books[4, 3].net < books[4, 4].net


def test_a_plan_may_use_more_multiples_than_are_counted_in_one_walk(tmp_path: Path) -> None:
    many = house(NJ_UTH, multiples={"before-flop": [3, 4, 5], "after-flop": [1, 2]})
    file = tmp_path / "many.toml"
    raised = "".join(
        f'[[before-flop]]\nhole = "{pair}"\ndo = "{n}x"\n'
        for pair, n in (("AA", 5), ("KK", 4), ("QQ", 3))
    )
    after = '[[after-flop]]\nhole = "JJ"\ndo = "2x"\n[[after-flop]]\nhole = "TT"\ndo = "1x"\n'
    file.write_text(f'game = "ultimate-texas-holdem"\n{raised}{after}')
    actions = solve(many, plan_for(many, str(file))).main.actions()
    assert actions == {
        **{f"{n}x": Fraction(6, 1326) for n in (5, 4, 3, 2, 1)},
        "fold": Fraction(1296, 1326),
    }


def test_the_best_of_several_multiples_is_the_least_or_the_most_and_never_worse_than_one() -> None:
    def table(after: list[int], river: list[int]) -> House:
        return house(NJ_UTH, multiples={"after-flop": after, "after-river": river})

    several = table([1, 2, 3], [1, 2])
    plan = best_plan(several)
    assert isinstance(plan, HoldemPlan)
    # Who would play once after the flop does better to wait.
    assert set(np.unique(plan.after)) == {0, 3}
    assert set(np.unique(plan.by_suit)) == {0, 1, 2}
    best = solve(several, plan).main
    assert set(best.actions()) == {"4x", "3x", "2x", "1x", "fold"}
    assert best.net > solve(table([3], [1])).main.net
    assert best.net > solve(table([3], [2])).main.net


def test_every_named_strategy_says_what_it_is() -> None:
    for game, names in NAMED.items():
        told = strategies(game)
        assert list(told) == ["optimal", *names]
        assert all(about.endswith(".") for about in told.values())


# --- the page about them --------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "STRATEGIES.md").read_text("utf-8")


def page_rows(title: str) -> dict[str, list[str]]:
    """The rows of a game in the table of named strategies, by name."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines()]
    first = next(at for at, row in enumerate(rows) if row[0] == title and len(row) == 5)
    game = [rows[first], *takewhile(lambda row: row[0] == "", rows[first + 1 :])]
    return {row[1].strip("`"): row[2:4] for row in game if len(row) == 5}


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_gives_the_figures_of_every_named_strategy(book: str) -> None:
    game = house(book).game
    best = solve(house(book)).main.net
    figures = {"optimal": [percent(-best), ""]}
    for name in NAMED[game.id]:
        net = evaluated(book, name).main.net
        figures[name] = [percent(-net), percent(best - net)]
    assert page_rows({"pik-it": "Pik-It"}.get(game.id, game.title)) == figures


def test_the_page_explains_every_word_of_the_vocabulary() -> None:
    unexplained = [word for word in FEATURES if f"`{word}`" not in PAGE]
    assert unexplained == ["second", "third", "fourth"]  # "`first` to `fifth`"


def test_the_examples_on_the_page_can_be_played(tmp_path: Path) -> None:
    chart = chart_holes()
    for language, suffix in (("toml", ".toml"), ("python", ".py")):
        (example,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
        file = tmp_path / f"example{suffix}"
        file.write_text(example)
        asking = Asking(house(NJ_UTH), load("ultimate-texas-holdem", str(file)))
        before = asking.at("before-flop", 169, lambda a, b: nothing_shown(chart[a:b]))
        assert before[12 * 13 + 12] == 4  # a pair of aces
        assert before[0 * 13 + 5] == 0
