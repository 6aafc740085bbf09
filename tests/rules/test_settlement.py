"""Settlements and payout limits, apart from any game."""

from __future__ import annotations

import pytest
from helpers import MA_UTH, NJ_UTH, told, withheld

from croupier.law.clause import rulebook
from croupier.rules.limits import PayoutLimit, capped
from croupier.rules.odds import Share, Sum, to
from croupier.rules.paytable import Line
from croupier.rules.settlement import (
    Settlement,
    lost,
    pushed,
    returned,
    total,
    under,
    won,
    won_line,
)
from croupier.rules.wager import Wager

law = rulebook(NJ_UTH)
CITE = law("32.11(e)")
STAYS = Wager("trips", "trips", CITE)
SWEPT = Wager("bonus", "bonus", CITE, swept=True)


def test_a_result_carries_its_wager_its_clause_and_its_reason() -> None:
    settled = won(STAYS, 500, CITE, "The hand is higher", to(3, 2))
    assert (settled.wager, settled.amount, settled.win, settled.net) == ("trips", 500, 750, 750)
    assert settled.clause is CITE
    assert settled.reason == "The hand is higher; pays 3 to 2."


@pytest.mark.ruling("K3")
def test_k3__a_chip_that_stays_comes_back_beside_the_win_and_a_swept_chip_is_gone() -> None:
    line = Line("flush", Sum(5_000))
    assert won_line(STAYS, 100, line, CITE).net == 5_000
    assert won_line(SWEPT, 100, line, CITE).net == 4_900
    assert lost(STAYS, 100, CITE, "Below").net == lost(SWEPT, 100, CITE, "Below").net == -100


def test_a_push_and_a_return_move_no_money() -> None:
    assert [each(STAYS, 500, CITE, "Tied").net for each in (pushed, returned)] == [0, 0]
    assert told([pushed(STAYS, 500, CITE, "Tied"), returned(STAYS, 500, CITE, "Back")]) == (
        "trips pushed, trips returned"
    )


@pytest.mark.ruling("S5", "H2")
def test_a_line_paid_from_a_shared_meter_says_so() -> None:
    settled = won_line(SWEPT, 100, Line("royal-flush", Share(100)), CITE, meter=1_001, sharing=2)
    assert settled.win == 500
    assert settled.reason == "Royal flush pays 100 % of the meter, shared by 2."


def test_the_total_is_the_sum_of_the_nets() -> None:
    settled = [
        won(STAYS, 500, CITE, "Higher", to(4)),
        lost(STAYS, 300, CITE, "Lower"),
        pushed(STAYS, 900, CITE, "Tied"),
        won_line(SWEPT, 100, Line("straight", Sum(2_500)), CITE),
    ]
    assert total(settled) == 2_000 - 300 + 0 + 2_400


def test_settlements_cite_the_twin_clause_of_the_tables_own_book() -> None:
    settled = [won(STAYS, 500, law("32.11(b)"), "Higher"), lost(STAYS, 5, law("32.10(h)1"), "Low")]
    assert [s.clause.id for s in under(rulebook(MA_UTH), settled)] == [
        "MA UTH 11(b)",
        "MA UTH 10(h)(1)",
    ]
    assert [s.clause.id for s in under(law, settled)] == [
        "NJ 19:47-32.11(b)",
        "NJ 19:47-32.10(h)1",
    ]


# --- payout limits --------------------------------------------------------------------------


def wins(**cents: int) -> list[Settlement]:
    """Wagers settled in this order, each having won so much on a stake of one cent."""
    return [won(Wager(name, name, CITE), 1, CITE, "Higher", to(win)) for name, win in cents.items()]


def limit(cents: int, *covers: str) -> PayoutLimit:
    return PayoutLimit(cents, covers, CITE)


@pytest.mark.ruling("K10")
@pytest.mark.parametrize(
    ("cap", "held"),
    [
        (101, {}),
        (100, {}),  # reached exactly
        (99, {"trips": 1}),  # exceeded by a cent
        (70, {"trips": 30}),
        (69, {"trips": 30, "blind": 1}),
        (20, {"trips": 30, "blind": 50}),
        (9, {"trips": 30, "blind": 50, "play": 10, "ante": 1}),
    ],
)
def test_k10__what_exceeds_the_limit_comes_off_the_wager_settled_last_first(
    cap: int, held: dict[str, int]
) -> None:
    settled = wins(ante=10, play=10, blind=50, trips=30)
    covered = limit(cap, "ante", "play", "blind", "trips")
    assert withheld(capped(settled, [covered])) == held
    assert sum(s.win for s in capped(settled, [covered])) == min(cap, 100)


@pytest.mark.ruling("K10")
def test_k10__only_winnings_of_the_wagers_named_count_and_stakes_never() -> None:
    ante, trips = Wager("ante", "ante", CITE), Wager("trips", "trips", CITE)
    settled = [pushed(ante, 10**9, CITE, "Tied"), won(trips, 10, CITE, "Higher")]
    assert withheld(capped(settled, [limit(10, "ante", "trips")])) == {}
    assert withheld(capped(wins(ante=50, bonus=999), [limit(50, "ante")])) == {}


@pytest.mark.ruling("K10", "M6")
def test_m6__a_second_limit_is_laid_over_what_the_first_left() -> None:
    first, second = limit(50, "ante", "trips"), limit(75, "ante", "trips", "cover all")
    after = capped(wins(ante=40, trips=20, **{"cover all": 30}), [first, second])
    assert withheld(after) == {"trips": 10, "cover all": 5}
    assert sum(s.win for s in after) == 75


def test_what_two_limits_hold_back_from_one_wager_adds_up() -> None:
    both = [limit(75, "ante", "trips"), limit(65, "ante", "trips")]
    assert withheld(capped(wins(ante=60, trips=20), both)) == {"trips": 15}


@pytest.mark.ruling("K10")
def test_k10__a_cut_win_says_how_much_was_held_back_and_by_which_clause() -> None:
    (cut,) = capped(wins(trips=5_000), [limit(4_950, "trips")])
    assert (cut.win, cut.withheld, cut.result) == (4_950, 50, "won")
    assert cut.reason.endswith("The payout limit of $49.50 holds back $0.50 [NJ 19:47-32.11(e)].")
