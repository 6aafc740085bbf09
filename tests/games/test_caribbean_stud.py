"""Caribbean Stud: 16.10(a), then the supplied rules of ruling S2."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import CARIBBEAN, caribbean, cited, house, only, terms_of, told, withheld

from croupier.cards.card import cards
from croupier.cards.ranking import rank_five
from croupier.games import caribbean_stud
from croupier.house.check import check
from croupier.rules.settlement import total

QUALIFIED = "Ah Kd 4c 3s 2h"  # the lowest hand that qualifies
HANDS = {
    "royal flush": "As Ks Qs Js Ts",
    "straight flush": "9s 8s 7s 6s 5s",
    "four-of-a-kind": "9s 9h 9d 9c 5s",
    "full house": "9s 9h 9d 5c 5s",
    "flush": "Qs 9s 7s 6s 2s",
    "straight": "9s 8h 7d 6c 5s",
    "three-of-a-kind": "9s 9h 9d 5c 7s",
    "two pair": "9s 9h 5d 5c 7s",
    "one pair": "9s 9h 8d 5c 7s",
    "ace-king-queen": "As Ks Qc 9c 7s",
}


@pytest.mark.clause("SUPPLIED S2.2(a)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize(
    ("dealer", "qualified"),
    [
        ("Ah Qd Jc Ts 9h", False),  # the best hand below
        ("Ah Kd 4c 3s 2h", True),  # the lowest above: nothing lies between
        ("Ah Kd 5c 3s 2h", True),
        ("Kh Qd Jc Ts 6h", False),
        ("2h 2d 3c 4s 5h", True),
        ("Ah 2d 3c 4s 5h", True),  # a straight, though its ace is low
    ],
)
def test_s2_2_a__the_dealer_qualifies_with_at_least_ace_king_four_three_two(
    dealer: str, qualified: bool
) -> None:
    assert caribbean_stud.qualifies(rank_five(cards(dealer))) is qualified
    bet = "bet won 200" if qualified else "bet returned"
    assert told(caribbean("8s 8h 8d 8c 7s", dealer)) == f"ante won 5, {bet}"


@pytest.mark.clause("SUPPLIED S2.4(a)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize("player", ["As Ks Qs Js Ts", "7s 5h 4d 3c 2s", "Ad Qs Js Td 9s"])
def test_s2_4_a__against_no_qualifier_the_ante_wins_and_the_bet_returns_whatever_the_hand(
    player: str,
) -> None:
    settled = caribbean(player, "Ah Qd Jc Tc 9h")
    assert told(settled) == "ante won 5, bet returned"
    assert {s.clause.id for s in settled} == {"SUPPLIED S2.4(a)"}
    assert total(settled) == 500


@pytest.mark.clause("SUPPLIED S2.4(b)", "SUPPLIED S2.4(c)", "SUPPLIED S2.4(d)", "SUPPLIED S2.5(a)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize(
    ("player", "expected", "clauses"),
    [
        ("As Ks 4s 3d 2s", "ante pushed, bet pushed", {"SUPPLIED S2.4(c)"}),
        ("As Qs Js Td 9s", "ante lost, bet lost", {"SUPPLIED S2.4(b)"}),
        ("As Ks 5s 3d 2s", "ante won 5, bet won 10", {"SUPPLIED S2.5(a)", "SUPPLIED S2.5(b)"}),
    ],
)
def test_s2_4_b_c_d__a_qualified_dealer_beats_ties_or_loses_to_each_hand(
    player: str, expected: str, clauses: set[str]
) -> None:
    settled = caribbean(player, QUALIFIED)
    assert told(settled) == expected
    assert {s.clause.id for s in settled} == clauses


@pytest.mark.clause("SUPPLIED S2.5(a)", "SUPPLIED S2.5(b)", "SUPPLIED S2.4(d)")
@pytest.mark.ruling("S2", "K3")
@pytest.mark.parametrize(
    ("kind", "odds"), [*zip(HANDS, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True)]
)
def test_s2_5_b__the_bet_is_paid_by_the_hand_and_the_ante_always_1_to_1(
    kind: str, odds: int
) -> None:
    settled = caribbean(HANDS[kind], QUALIFIED, ante=7)
    assert told(settled) == f"ante won 7, bet won {14 * odds}"
    assert cited(settled, "ante") == "SUPPLIED S2.5(a)"
    assert cited(settled, "bet") == "SUPPLIED S2.5(b)"


@pytest.mark.clause("NJ 19:47-16.10(a)")
@pytest.mark.parametrize("dealer", [QUALIFIED, "Ah Qd Jc Tc 6h"])
def test_16_10_a__a_fold_forfeits_the_ante_whatever_the_dealer_has(dealer: str) -> None:
    settled = caribbean("9s 9h 8d 5c 7s", dealer, fold=True)
    assert told(settled) == "ante lost"
    assert cited(settled, "ante") == "NJ 19:47-16.10(a)"


# --- the progressive -------------------------------------------------------------------------


@pytest.mark.clause("SUPPLIED S2.8(a)")
@pytest.mark.ruling("S5", "K3")
@pytest.mark.parametrize(
    ("kind", "win"),
    [*zip(HANDS, ("10000", "1000", "500", "100", "50", *[""] * 5), strict=True)],
)
@pytest.mark.parametrize("dealer", [QUALIFIED, "Ah Qd Jc Tc 6h"])
def test_s2_8_a__the_progressive_pays_its_lines_whatever_the_dealer_has(
    kind: str, win: str, dealer: str
) -> None:
    settled = only(caribbean(HANDS[kind], dealer, progressive=True), "progressive")
    assert told([settled]) == (f"progressive won {win}" if win else "progressive lost")
    assert settled.clause.id == "SUPPLIED S2.8(a)"
    assert settled.net == (100 * int(win) if win else 0) - 100  # the chip is swept either way


@pytest.mark.clause("SUPPLIED S2.8(b)")
@pytest.mark.ruling("S5")
def test_s2_8_b__a_fold_forfeits_the_progressive_even_with_a_royal_flush() -> None:
    settled = caribbean("As Ks Qs Js Ts", QUALIFIED, fold=True, progressive=True)
    assert told(settled) == "ante lost, progressive lost"
    assert cited(settled, "progressive") == "SUPPLIED S2.8(b)"


@pytest.mark.clause("SUPPLIED S2.8(c)")
@pytest.mark.ruling("S5", "H2")
@pytest.mark.parametrize(
    ("meter", "sharing", "each"),
    [(1_000_000, 1, 1_000_000), (1_000_000, 2, 500_000), (1_000_001, 2, 500_000)],
)
def test_s2_8_c__two_royals_share_the_meter_and_the_odd_cent_stays_on_it(
    meter: int, sharing: int, each: int
) -> None:
    terms = terms_of(CARIBBEAN).with_meter(meter)
    settled = caribbean(
        HANDS["royal flush"], QUALIFIED, terms=terms, progressive=True, sharing=sharing
    )
    assert only(settled, "progressive").win == each
    clause = "SUPPLIED S2.8(c)" if sharing > 1 else "SUPPLIED S2.8(a)"
    assert cited(settled, "progressive") == clause


@pytest.mark.clause("SUPPLIED S2.8(a)", "SUPPLIED S2.8(c)")
@pytest.mark.ruling("S5")
@pytest.mark.parametrize(
    ("kind", "win"), [("straight flush", 100_000), ("four-of-a-kind", 50_000), ("flush", 5_000)]
)
def test_s2_8_c__only_royals_share_and_a_lesser_hand_beside_them_is_paid_in_full_by_8_a(
    kind: str, win: int
) -> None:
    settled = caribbean(HANDS[kind], QUALIFIED, progressive=True, sharing=2)
    paid = only(settled, "progressive")
    assert (paid.win, paid.clause.id) == (win, "SUPPLIED S2.8(a)")


# --- the payout limit ------------------------------------------------------------------------


def limit(**changes: Any) -> tuple[int, str]:
    (found,) = terms_of(CARIBBEAN, **changes).payout_limits
    return found.cents, found.cite.id


@pytest.mark.clause("SUPPLIED S2.6(a)", "SUPPLIED S2.6(b)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize(
    ("minimum", "expected"),
    [
        (5, (500_000, "SUPPLIED S2.6(a)")),
        (24, (500_000, "SUPPLIED S2.6(a)")),  # 201 x 24 = 4,824
        ("24.87", (500_000, "SUPPLIED S2.6(a)")),  # 4,998.87
        ("24.88", (500_088, "SUPPLIED S2.6(b)")),  # 5,000.88
        (25, (502_500, "SUPPLIED S2.6(b)")),
    ],
)
def test_s2_6_a_b__the_limit_is_5_000_or_201_times_the_minimum_where_that_exceeds_it(
    minimum: int | str, expected: tuple[int, str]
) -> None:
    assert limit(limits={"ante": [minimum, 500]}) == expected


@pytest.mark.clause("SUPPLIED S2.6(b)")
@pytest.mark.ruling("S2")
@pytest.mark.parametrize(
    ("posted", "legal"), [("5024.99", False), ("5025", True), ("5025.01", True)]
)
def test_s2_6_b__a_posted_limit_is_at_least_201_times_the_minimum(posted: str, legal: bool) -> None:
    changes: dict[str, Any] = {"limits": {"ante": [25, 500]}, "payout_limit": posted}
    assert check(house(CARIBBEAN, **changes)).legal is legal
    assert limit(**changes)[0] == (502_501 if posted == "5025.01" else 502_500)


@pytest.mark.clause("SUPPLIED S2.6(a)", "SUPPLIED S2.6(c)")
@pytest.mark.ruling("S2", "K10")
@pytest.mark.parametrize(
    ("kind", "ante", "posted", "held"),
    [
        ("two pair", 1_000, None, {}),  # 1,000 + 4,000, exactly on it
        ("royal flush", 24, None, {}),  # 4,824
        ("royal flush", 25, None, {"bet": 2_500}),  # 5,025
        ("royal flush", 25, "5025", {}),
        ("royal flush", 25, "5024.99", {"bet": 1}),  # exceeded by a cent
        ("royal flush", 500, None, {"bet": 9_550_000}),
    ],
)
def test_s2_6_a_c__ante_and_bet_stop_at_the_limit_and_the_progressive_is_no_part_of_it(
    kind: str, ante: int, posted: str | None, held: dict[str, int]
) -> None:
    terms = terms_of(CARIBBEAN, **({"payout_limit": posted} if posted else {}))
    settled = caribbean(HANDS[kind], QUALIFIED, ante=ante, terms=terms, progressive=True)
    assert withheld(settled) == held
    progressive = only(settled, "progressive").win
    assert progressive == (1_000_000 if kind == "royal flush" else 0)
