"""Every accepted house is worked out exactly, up to the largest odds and the finest fractions.

A solution's net is counted from outcomes: how often each, times what it nets, in Python's integers.
The same net follows from the values that the kernels add in machine words when they look for the
best play. The two agree only where nothing overflowed.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE

from croupier.analysis import exact
from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.opening import AFTER
from croupier.analysis.advice.points import Point, points
from croupier.analysis.advice.short_rules import short_rules
from croupier.analysis.counting.rivers import ONCE, RIVER, TWICE, width
from croupier.analysis.progress import silent
from croupier.analysis.simulation.risk import one_round, results
from croupier.analysis.simulation.simulate import Simulation
from croupier.analysis.simulation.simulate_report import figures
from croupier.analysis.solution import Book, Solution
from croupier.analysis.solve import best_plan, solve
from croupier.analysis.solvers import solve_caribbean, solve_holdem, solve_pik_it, solve_ride
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.card import DECK, cards
from croupier.house.submission import House, read_data, recalled
from croupier.law.refused import Refused
from croupier.rules.bounds import MOST_MULTIPLE, MOST_ODDS, MOST_PARTS
from croupier.rules.paytable import FIVE_CARD_CLASSES

# The largest odds, the finest fractions, and as many multiples as there may be.
FINE = "9999/10000"
LINES = {"royal-flush": MOST_ODDS, "straight-flush": "9999999999/10000", "flush": FINE}
ODD_LINES = {"straight": "1/10000", "pair": FINE, "high-card": "1 to 10000"}
FOUR = {"before-flop": [1, 4, 7, 10], "after-flop": [1, 2, 3, 10], "after-river": [1, 2, 3, 5]}
HOUSES: dict[str, dict[str, Any]] = {
    "uth": {
        "rulebook": NJ_UTH,
        "pay": {"blind": LINES | ODD_LINES, "trips": LINES | ODD_LINES},
        "multiples": FOUR,
    },
    "uth, Massachusetts": {
        "rulebook": MA_UTH,
        "pay": {"blind": LINES, "trips": ODD_LINES, "cover-all": {"4": LINES}},
    },
    "caribbean": {
        "rulebook": CARIBBEAN,
        "pay": {"bet": LINES | ODD_LINES, "progressive": {"flush": "$10,000,000,000"}},
        "multiples": {"bet": 10},
        "progressive": {"meter": 10**10, "seed": 10**10, "contribution": 1},
    },
    "ride": {
        "rulebook": RIDE,
        "pay": {
            "main": LINES | ODD_LINES,
            "three-card": {"mini-royal": MOST_ODDS, "pair": FINE},
            "bonus": {"high-card": "$10,000,000,000"},
        },
    },
    "pik-it": {
        "rulebook": PIK_IT,
        "pay": {"five-card-bonus": LINES | ODD_LINES, "three-card-bonus": {"pair": FINE}},
        "multiples": {"play-3": 10, "play-5": 1},
    },
}


@pytest.fixture(scope="module")
def solutions() -> dict[str, tuple[House, Solution]]:
    return {name: (read_data(data), solve(read_data(data))) for name, data in HOUSES.items()}


# --- sums -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [1, 20, 40, 62])
def test_sums_are_those_of_pythons_integers(bits: int) -> None:
    rng = random.Random(bits)
    weights = [rng.randrange(1 << 30) for _ in range(500)]
    values = [rng.randint(-(1 << bits), 1 << bits) for _ in range(500)]
    cells = [rng.randrange(7) for _ in range(500)]
    both = np.array(weights, np.int64), np.array(values, np.int64)
    assert exact.dot(*both) == sum(w * v for w, v in zip(weights, values, strict=True))
    assert exact.summed(both[1]) == sum(values)
    found = exact.by_cell(np.array(cells, np.int64), 7, *both)
    for cell in range(7):
        mine = [w * v for w, v, c in zip(weights, values, cells, strict=True) if c == cell]
        assert found[cell] == sum(mine)
    as_objects = np.array(values, object)
    assert exact.dot(both[0], as_objects) == exact.dot(*both)
    assert list(exact.by_cell(np.array(cells, np.int64), 7, both[0], as_objects)) == list(found)


@pytest.mark.parametrize("deals", [exact.HOLDEM, exact.CARIBBEAN, exact.PIK_IT, exact.RIDE])
def test_the_bounds_keep_every_kernel_within_a_word(deals: int) -> None:
    """The largest net there is: a line at the most odds, beside an ante and the largest play."""
    largest = MOST_PARTS * (MOST_ODDS + 1 + MOST_MULTIPLE)
    assert exact.fitting([largest, -largest], deals)


def test_what_would_not_fit_is_refused_before_a_kernel_runs() -> None:
    """A table from before there were bounds can be read, but not be worked out wrongly."""
    odds = {"royal-flush": 10**15}
    for book, wager in ((CARIBBEAN, "bet"), (NJ_UTH, "blind"), (RIDE, "main")):
        house = recalled({"rulebook": book, "pay": {wager: odds | {"flush": "1/9999"}}})
        with pytest.raises(Refused, match="too large to be worked out exactly"):
            solve(house)


# --- solutions ------------------------------------------------------------------------------


def recounted(book: Book) -> Fraction:
    return sum((o.net * o.count for o in book.outcomes), Fraction(0)) / book.combinations


def best_value(house: House) -> Fraction:
    """The net of best play, from the kernels' values."""
    match house.game.id:
        case "ultimate-texas-holdem":
            play = holdem_play(house)
            raises = [play.raises[n] for n in house.multiples["before-flop"]]
            best = sum(max(row) for row in zip(play.check, *raises, strict=True))
            return Fraction(best, 1326 * AFTER * unit(house.terms()))
        case "caribbean-stud" | "pik-it":
            [point] = points(house)
            return point.net(point.values.max(axis=0))
        case _:
            one, two = points(house)
            first = one.net(one.values.max(axis=0))
            return first + two.net(two.values.max(axis=0)) + third_bet(house)


def third_bet(house: House) -> Fraction:
    deals = solve_ride.known_deals(silent)
    classes = (deals.counts * deals.weights[:, None, None]).sum(axis=(0, 1))
    table = house.terms().pay["main"]
    total = Fraction(0)
    for hand, count in zip(FIVE_CARD_CLASSES, classes.tolist(), strict=True):
        line = table.line_for(hand)
        total += count * (line.award.fraction if line else -1)  # type: ignore[union-attr]
    return total / int(classes.sum())


def holdem_play(house: House) -> solve_holdem.Play:
    times = (n for choices in house.multiples.values() for n in choices)
    nets = holdem_nets(house.terms(), (2, *times))
    return solve_holdem.Play(solve_holdem.known_deals(silent), nets, house.multiples)


@pytest.mark.parametrize("name", HOUSES)
def test_the_counted_outcomes_give_the_value_the_kernels_found(
    name: str, solutions: dict[str, tuple[House, Solution]]
) -> None:
    house, solution = solutions[name]
    assert recounted(solution.main) == solution.main.net == best_value(house)


@pytest.mark.parametrize(
    ("book", "wager", "line"),
    [
        (NJ_UTH, "trips", "royal-flush"),
        (CARIBBEAN, "bet", "royal-flush"),
        (RIDE, "three-card", "mini-royal"),
        (RIDE, "main", "royal-flush"),
        (PIK_IT, "five-card-bonus", "four-of-a-kind"),
        (PIK_IT, "three-card-bonus", "pair"),
    ],
)
def test_a_net_is_affine_in_odds_that_change_no_decision(book: str, wager: str, line: str) -> None:
    """At the largest odds it lies on the straight line through two small ones."""

    def net(odds: int) -> Fraction:
        found = solve(read_data({"rulebook": book, "pay": {wager: {line: odds}}}))
        return (found.side_bets.get(wager) or found.main).net

    slope = (net(2_000) - net(1_000)) / 1_000
    assert net(MOST_ODDS) == net(1_000) + (MOST_ODDS - 1_000) * slope


# --- Ultimate Texas Hold'em, where words are narrow ------------------------------------------


def test_river_tables_are_as_wide_as_they_must_be() -> None:
    small, large = read_data({"rulebook": NJ_UTH}), read_data(HOUSES["uth"])
    assert width(holdem_nets(small.terms(), (4,))) is np.int32
    assert width(holdem_nets(large.terms(), (10,))) is np.int64


def test_sums_after_a_flop_are_those_of_every_board() -> None:
    """The solver's walk over kinds of board, and the adviser's over single boards."""
    house = read_data(HOUSES["uth"])
    play = holdem_play(house)
    parts = unit(house.terms()) * solve_holdem.AFTER_FLOP
    flops = play.deals.flops.hands
    for at, holding in ((0, 0), (700, 500), (1_754, 1_175)):
        others = [n for n in range(52) if n not in flops[at].tolist()]
        low, high = [(a, b) for b in range(49) for a in range(b)][holding]
        hand = (DECK[others[low]], DECK[others[high]])
        board = tuple(DECK[n] for n in flops[at].tolist())
        options = {o.name: o.value for o in advise(house, Situation(hand, board)).options}
        once, twice, later = (int(play.sums[at, holding, k]) for k in (ONCE, TWICE, RIVER))
        assert options["1x"] == Fraction(once, parts)
        assert options["10x"] == Fraction(once + 9 * (twice - once), parts)
        assert options["check"] == Fraction(later, parts)


def test_before_the_flop_known_cards_are_advised_on_exactly() -> None:
    """Four aces to come at a million to one: any overflow would show in the sum over boards."""
    house = read_data(HOUSES["uth"])
    known = Situation(cards("As Ks"), coming=cards("Qs Js Ts"))
    options = {o.name: o.value for o in advise(house, known).options}
    best = Fraction(MOST_ODDS)  # a royal flush: the blind, and ante and play beside it
    assert best < options["10x"] <= best + 11
    assert options["10x"] - options["1x"] == 9


# --- charts and short rules -----------------------------------------------------------------


def python_net(point: Point) -> Fraction:
    best = [max(column) for column in zip(*point.values.tolist(), strict=True)]
    total = sum(w * v for w, v in zip(point.weights.tolist(), best, strict=True))
    return Fraction(total, point.deals * point.unit)


@pytest.mark.parametrize(
    "name", ["caribbean", "ride", "pik-it", pytest.param("uth", marks=pytest.mark.slow)]
)
def test_points_add_up_as_pythons_integers_do(name: str) -> None:
    for point in points(read_data(HOUSES[name])):
        assert point.net(point.values.max(axis=0)) == python_net(point)


@pytest.mark.parametrize("name", ["caribbean", "ride", "pik-it"])
def test_short_rules_cost_something_and_never_a_fortune(name: str) -> None:
    """An overflow makes a sum negative, and so a rule better than best play."""
    for rule in short_rules(read_data(HOUSES[name])):
        assert 0 <= rule.cost < MOST_ODDS


# --- simulation and risk ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["caribbean", "ride", "pik-it"])
def test_simulated_nets_are_those_of_the_solution(
    name: str, solutions: dict[str, tuple[House, Solution]]
) -> None:
    house, solution = solutions[name]
    simulation = Simulation(house, best_plan(house))
    tally = simulation.chunk(1, 0, 20_000)
    for each in figures(simulation, tally, solution):
        known = {o.net for o in each.book.outcomes}
        assert set(each.histogram) <= known
        assert each.mean == sum(net * n for net, n in each.histogram.items()) / Fraction(20_000)


def test_squares_that_would_not_fit_are_not_simulated() -> None:
    house = read_data(HOUSES["ride"])
    with pytest.raises(Refused, match="simulated for one seat only"):
        Simulation(house, best_plan(house), seats=2)


def test_a_session_at_the_largest_odds_has_an_exact_mean_and_no_overflow() -> None:
    data = {"rulebook": CARIBBEAN, "pay": {"bet": {"royal-flush": MOST_ODDS}}}
    book = solve(read_data(data)).main
    one = one_round(book, 5_00)
    assert one.mean == 5_00 * book.net
    for rounds in (100, 10**12):
        with pytest.raises(Refused, match="too many to tell apart"):
            results(one, rounds)


def test_the_other_solvers_values_are_those_of_pythons_integers() -> None:
    """A sample of Caribbean Stud's and Pik-It's values, added up again."""
    house = read_data(HOUSES["caribbean"])
    deals = solve_caribbean.known_deals(silent)
    values = solve_caribbean.values(house, deals)
    nets = solve_caribbean._nets(house).tolist()
    kinds = solve_caribbean.FIVE_CARD_KIND[deals.numbers]
    rng = random.Random(1)
    for _ in range(300):
        at, up = rng.randrange(len(values)), rng.randrange(52)
        if not deals.dealt[at, up]:
            continue
        low = int(deals.unqualified[at, up])
        below = int(deals.below[at, up]) - low if deals.strong[at] else 0
        equal = int(deals.equal[at, up])
        counts = (low, below, equal, solve_caribbean.HIDDEN - low - below - equal)
        net = nets[kinds[at]]
        expected = sum(n * worth for n, worth in zip(counts, net, strict=False))
        assert int(values[at, up]) == expected - solve_caribbean.HIDDEN * net[4]
    play = solve_pik_it.Play(read_data(HOUSES["pik-it"]), solve_pik_it.known_deals(silent))
    found = play.values()
    for at in rng.sample(range(found.shape[1]), 300):
        for row, name in enumerate(solve_pik_it.PLAYS[1:], 1):
            dealers, table = play.dealers[name][at].tolist(), play.nets[name].tolist()
            assert int(found[row, at]) == sum(
                dealers[v][q] * table[v][q] for v in range(3) for q in range(2)
            )
