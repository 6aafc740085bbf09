"""Match play coupons: ruling K5."""

from __future__ import annotations

import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house, told, uth

from croupier.house import finished_hand
from croupier.house.check import check
from croupier.law.clause import clause
from croupier.law.refused import Refused
from croupier.rules.placing import verify_match_play
from croupier.rules.settlement import with_match_play
from croupier.rules.terms import CHIPS_AND_COUPONS

COUPONS = {
    NJ_UTH: "NJ 19:47-32.6(a)",
    MA_UTH: "MA UTH 6(a)",
    CARIBBEAN: "NJ 19:47-16.6(a)",
    RIDE: "NJ 19:47-18.6(a)",
    PIK_IT: "NJ 13:69F-39.3(c)",
}


def refused(book: str, wager: str, coupon: int, chips: int, *, takes: bool = True) -> str:
    """The code and clause by which a coupon is refused, or an empty word."""
    table = house(book, match_play=takes)
    try:
        verify_match_play(table.game, wager, coupon, {wager: chips}, table.terms())
    except Refused as refusal:
        return f"{refusal.code} [{refusal.clause}]"
    return ""


@pytest.mark.twins("NJ 19:47-32.6(a)")
@pytest.mark.ruling("K5")
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_k5__a_coupon_is_taken_only_where_the_house_enables_it(book: str) -> None:
    wager = "bet 1" if book == RIDE else "ante"
    cite = COUPONS[book]
    assert refused(book, wager, 500, 500, takes=False) == f"MATCH_PLAY_NOT_OFFERED [{cite}]"
    even_money_only = f"MATCH_PLAY_ON_EVEN_MONEY_ONLY [{cite}]"
    assert refused(book, wager, 500, 500) == (even_money_only if book == RIDE else "")


@pytest.mark.ruling("K5")
@pytest.mark.parametrize(
    ("book", "taking"),
    [
        (NJ_UTH, {"ante", "play"}),
        (MA_UTH, {"ante", "play"}),
        (CARIBBEAN, {"ante"}),
        (PIK_IT, {"ante", "play 3", "play 5"}),
        (RIDE, set()),
    ],
)
def test_k5__a_coupon_goes_only_on_a_wager_paid_1_to_1(book: str, taking: set[str]) -> None:
    names = [wager.name for wager in house(book).game.wagers]
    assert {name for name in names if not refused(book, name, 500, 500)} == taking


@pytest.mark.ruling("K5")
@pytest.mark.parametrize(("chips", "enough"), [(499, False), (500, True), (501, True)])
def test_k5__a_coupon_needs_chips_of_at_least_its_value(chips: int, enough: bool) -> None:
    expected = "" if enough else "MATCH_PLAY_NEEDS_CHIPS [NJ 19:47-32.6(a)]"
    assert refused(NJ_UTH, "ante", 500, chips) == expected


@pytest.mark.ruling("K5")
@pytest.mark.parametrize("coupon", [0, -500])
def test_k5__a_coupon_without_value_is_refused(coupon: int) -> None:
    expected = "MATCH_PLAY_NEEDS_CHIPS [NJ 19:47-32.6(a)]"
    assert refused(NJ_UTH, "ante", coupon, 500) == expected


@pytest.mark.ruling("K5")
def test_k5__the_refusals_of_a_coupon_come_in_order_of_precedence() -> None:
    assert refused(NJ_UTH, "blind", 500, 1, takes=False).startswith("MATCH_PLAY_NOT_OFFERED")
    assert refused(NJ_UTH, "blind", 500, 1).startswith("MATCH_PLAY_ON_EVEN_MONEY_ONLY")
    assert refused(NJ_UTH, "ante", 500, 1).startswith("MATCH_PLAY_NEEDS_CHIPS")


@pytest.mark.ruling("K5")
@pytest.mark.parametrize(
    ("dealer", "without", "with_coupon"),
    [
        ("4h 4d", "ante won 10", "ante won 15"),
        ("Ah Ad", "ante lost", "ante lost"),
        ("9h Tc", "ante pushed", "ante pushed"),
        ("Qh 3d", "ante pushed", "ante pushed"),  # the dealer has less than a pair
    ],
)
def test_k5__a_win_pays_the_coupons_value_too_and_nothing_else_does(
    dealer: str, without: str, with_coupon: str
) -> None:
    board = "Kd 2c 7s 5c Js" if dealer == "Qh 3d" else "9d 2c 7s 5c Ks"
    ante = uth("9s Th", dealer, board, ante=10)[0]
    assert told([ante]) == without
    assert told([with_match_play(ante, 500, CHIPS_AND_COUPONS)]) == with_coupon


@pytest.mark.ruling("K5")
def test_k5__a_coupon_that_pays_says_so_with_its_clause() -> None:
    ante = uth("9s 9h", "4h 4d", "9d 5c 7s 2d Kc", ante=10)[0]
    paid = with_match_play(ante, 500, clause("MA UTH 6(a)"))
    assert paid.reason.endswith("A match play coupon adds $5 [MA UTH 6(a)].")
    assert with_match_play(ante, 0, CHIPS_AND_COUPONS) == ante


@pytest.mark.ruling("H6")
def test_h6__a_let_it_ride_house_that_enables_match_play_is_refused() -> None:
    (violation,) = check(house(RIDE, match_play=True)).violations
    assert (violation.key, str(violation.clause)) == ("match_play", "NJ 19:47-18.6(a)")
    assert check(house(PIK_IT, match_play=True)).legal


@pytest.mark.clause("NJ 19:47-32.11(e)")
@pytest.mark.ruling("K5", "K10")
def test_k10__a_coupon_does_not_lift_the_winnings_of_a_hand_above_the_payout_limit() -> None:
    """The coupon's value is part of the ante's win, and the limit is on all such wins."""
    finished = finished_hand.ultimate_texas_holdem(
        house(NJ_UTH, match_play=True),
        player="As Ks",
        dealer="4h 4d",
        board="Qs Js Ts 2d 3c",
        ante=50_000,
        play=4,
        fold=False,
        match_play=10_000,
    )
    assert sum(s.win for s in finished.settlements) == 5_000_000
