"""The PAR sheet's figures against the solution's, and against small cases done by hand."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import comb

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.par.sheet import Bet, Sheet, sheet
from croupier.analysis.solution import Book, Outcome
from croupier.law.refused import Refused


@cache
def sheet_of(book: str) -> Sheet:
    if book != MA_UTH:
        return sheet(house(book))
    return sheet(
        house(
            book,
            offered=["trips", "cover-all", "progressive"],
            pay={"progressive": {"royal-flush": "100 %", "straight-flush": "10 %"}},
            progressive={"meter": 10_000, "seed": 10_000, "contribution": 1},
        )
    )


def bet(book: str, key: str) -> Bet:
    return next(each for each in sheet_of(book).bets if each.key == key)


def by_hand(*outcomes: tuple[int, int]) -> Bet:
    """A wager that nets so much in so many of its deals."""
    book = Book(tuple(Outcome(Fraction(net), count) for net, count in outcomes))
    return Bet("coin", "Coin", "the coin", book, ())


# --- every wager ----------------------------------------------------------------------------


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_probabilities_of_every_wager_add_to_one(book: str) -> None:
    for each in sheet_of(book).bets:
        assert sum(line.count for line in each.lines) == each.book.combinations
        net = sum(line.net * line.count for line in each.lines) / each.book.combinations
        assert net == each.book.net == -each.edge


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_figures_are_the_solutions(book: str) -> None:
    found = sheet_of(book)
    solution = found.solution
    assert found.main.edge == -(solution.whole or solution.main).net
    assert bet(book, "main").hold == solution.main.element_of_risk
    books = {each.key: each.book for each in found.bets}
    real = {name for name in solution.side_bets if "informed" not in name}
    assert {name: books[name] for name in real} == {n: solution.side_bets[n] for n in real}


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_wagers_of_the_main_game_add_up_to_it(book: str) -> None:
    main = bet(book, "main")
    parts = [each for each in sheet_of(book).bets if not each.alone and each.key != "main"]
    assert len(parts) > 1
    assert sum(part.edge for part in parts) == main.edge
    assert sum(part.book.average_wager for part in parts) == main.book.average_wager


def test_pik_it_is_led_by_all_that_must_be_wagered_and_leaves_out_what_nobody_can_bet() -> None:
    keys = [each.key for each in sheet_of(PIK_IT).bets]
    assert keys[:2] == ["whole", "main"]
    assert "three-card-bonus" in keys
    assert not any("informed" in key for key in keys)


def test_a_bet_that_rides_is_paid_by_its_line_and_one_withdrawn_comes_back() -> None:
    """Bet 3 always rides, so its lines are the five-card hands: 20 deals to each."""
    lines = {line.name: line for line in bet(RIDE, "bet 3").lines}
    assert (lines["royal flush"].count, lines["royal flush"].pays) == (4 * 20, "1,000 to 1")
    assert lines["tens or better"].net == 1
    first = {line.name: line for line in bet(RIDE, "bet 1").lines}
    assert (first["returned"].pays, first["returned"].net) == ("comes back", 0)


def test_trips_lines_are_the_seven_card_hands() -> None:
    """The classic frequencies of the best five of seven."""
    counts = {line.name: line.count for line in bet(NJ_UTH, "trips").lines}
    assert counts["royal flush"] == 4_324
    assert counts["full house"] == 3_473_184
    assert sum(counts.values()) == comb(52, 7)


# --- volatility -----------------------------------------------------------------------------


def test_a_fair_coin_has_the_volatility_of_its_z() -> None:
    coin = by_hand((1, 1), (-1, 1))
    assert coin.volatility("90 %") == Decimal("1.645")
    assert coin.volatility("99 %") == Decimal("2.576")
    assert coin.interval(10_000, "90 %") == (Decimal("0.98355"), Decimal("1.01645"))
    assert coin.interval(1_000_000, "99 %") == (Decimal("0.997424"), Decimal("1.002576"))
    assert coin.rounds_enough == 0


def test_a_long_shot_needs_many_rounds_before_its_interval_can_be_trusted() -> None:
    """One in a hundred: squared skewness (1 - 2p)^2 / p(1 - p) = 97.0101; 25 times that."""
    assert by_hand((99, 1), (-1, 99)).rounds_enough == 2_426


def test_the_interval_of_every_wager_narrows_by_the_root_of_the_rounds() -> None:
    for each in sheet_of(CARIBBEAN).bets:
        wide, narrow = each.interval(1_000, "95 %"), each.interval(100_000, "95 %")
        ratio = (wide[1] - wide[0]) / (narrow[1] - narrow[0])
        assert abs(ratio - 10) < Decimal("1e-20")


# --- exposure -------------------------------------------------------------------------------


def test_the_best_round_at_the_maximum_is_held_to_the_payout_limit() -> None:
    """A royal flush: ante 500, play 4 x 500, blind 500 x 500, trips 50 x 100."""
    found = sheet_of(NJ_UTH)
    assert {each.wager: each.win for each in found.awards} == {
        "ante": 500_00,
        "blind": 250_000_00,
        "play": 2_000_00,
        "trips": 5_000_00,
    }
    (cap,) = found.caps
    assert (cap.win, cap.limit, cap.withheld) == (257_500_00, 50_000_00, 207_500_00)
    assert cap.clause.id == "NJ 19:47-32.11(e)"


def test_massachusetts_caps_all_bets_but_the_progressive_as_well() -> None:
    """Cover All pays 200 to 1 on $100 with two hands."""
    named, everything = sheet_of(MA_UTH).caps
    assert (named.win, named.limit) == (257_500_00, 50_000_00)
    assert (everything.win, everything.limit) == (277_500_00, 75_000_00)


def test_a_table_without_a_limit_is_exposed_to_all_of_it() -> None:
    (ride,) = sheet_of(RIDE).caps
    assert (ride.win, ride.limit, ride.withheld) == (3 * 1_000 * 500_00, None, 0)
    (pik_it,) = sheet_of(PIK_IT).caps  # one of the plays, not both
    assert pik_it.win == 500_00 + 2 * 500_00 + 1_000 * 500_00


def test_a_progressive_without_lines_is_refused() -> None:
    with pytest.raises(Refused, match=r"without pay lines has no price"):
        sheet(house(MA_UTH, offered=["trips", "progressive"]))


# --- the opening chart ----------------------------------------------------------------------


def test_the_opening_chart_holds_every_start_and_is_worth_the_game() -> None:
    found = sheet_of(NJ_UTH)
    assert len({start.name for start in found.opening}) == 169
    assert sum(start.hands for start in found.opening) == comb(52, 2)
    worth = sum(max(start.check, start.play) * start.hands for start in found.opening)
    assert worth / comb(52, 2) == found.solution.main.net


@pytest.mark.parametrize(
    ("plays", "checks"),
    [("33", "22"), ("A2o", "K4o"), ("K5o", "Q7o"), ("K2s", "Q5s"), ("Q8o", "J9o"), ("J8s", "J7s")],
)
def test_the_opening_chart_turns_where_the_published_one_does(plays: str, checks: str) -> None:
    times = {start.name: start.times for start in sheet_of(NJ_UTH).opening}
    assert (times[plays], times[checks]) == (4, 0)


def test_only_ultimate_texas_holdem_has_an_opening_chart() -> None:
    assert sheet_of(CARIBBEAN).opening == ()
