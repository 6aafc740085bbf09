"""Let It Ride: the three bets and both bonuses, 18.6 to 18.11."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import RIDE, cited, house, only, ride, terms_of, told, withheld

from croupier.house.check import check
from croupier.rules.settlement import total

# kind: the player's three, the two community cards
HANDS = {
    "royal flush": ("As Ks Qs", "Js Ts"),
    "straight flush": ("9s 8s 7s", "6s 5s"),
    "four-of-a-kind": ("9s 9h 9d", "9c 5s"),
    "full house": ("9s 9h 9d", "5c 5s"),
    "flush": ("Qs 9s 7s", "6s 2s"),
    "straight": ("9s 8h 7d", "6c 5s"),
    "three-of-a-kind": ("9s 9h 9d", "5c 7s"),
    "two pair": ("9s 9h 5d", "5c 7s"),
    "pair of aces": ("As Ah 8d", "5c 7s"),
    "pair of tens": ("Ts Th 8d", "5c 7s"),
    "pair of nines": ("9s 9h 8d", "5c 7s"),
    "ace-high": ("As Kh 8d", "5c 7s"),
}


def each(result: str) -> str:
    """All three bets with the same result."""
    return ", ".join(f"bet {n} {result}" for n in (1, 2, 3))


@pytest.mark.clause("NJ 19:47-18.11(b)")
@pytest.mark.ruling("K3")
@pytest.mark.parametrize(
    ("kind", "odds"), [*zip(HANDS, (1_000, 200, 50, 11, 8, 5, 3, 2, 1, 1), strict=False)]
)
def test_18_11_b__every_riding_bet_is_paid_by_the_table(kind: str, odds: int) -> None:
    settled = ride(*HANDS[kind], bets=7)
    assert told(settled) == each(f"won {7 * odds}")
    assert {s.clause.id for s in settled} == {"NJ 19:47-18.11(b)"}


@pytest.mark.clause("NJ 19:47-18.10(g)2")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("ace-high", "lost"), ("pair of nines", "lost"), ("pair of tens", "won 5")],
)
def test_18_10_g_2__a_hand_below_a_pair_of_tens_loses_and_a_pair_of_tens_pays(
    kind: str, expected: str
) -> None:
    settled = ride(*HANDS[kind])
    assert told(settled) == each(expected)
    if expected == "lost":
        assert {s.clause.id for s in settled} == {"NJ 19:47-18.10(g)2"}


@pytest.mark.clause("NJ 19:47-18.11(b)")
@pytest.mark.ruling("U9")
@pytest.mark.parametrize(("flush", "legal"), [("7", False), ("8", True), ("9", True)])
def test_18_11_b__a_house_pays_at_least_the_printed_odds(flush: str, legal: bool) -> None:
    changes = {"pay": {"main": {"flush": f"{flush} to 1"}}}
    assert check(house(RIDE, **changes)).legal is legal
    settled = ride(*HANDS["flush"], terms=terms_of(RIDE, **changes))
    assert told(settled) == each(f"won {5 * int(flush)}")


@pytest.mark.clause('NJ 19:47-18.1 "Hand"', 'NJ 19:47-18.1 "Community card"', "NJ 19:47-18.10(g)1")
@pytest.mark.parametrize(
    ("player", "community", "expected"),
    [
        ("2s 3h 8d", "Tc Ts", "won 5"),  # the pair lies on the board and counts for the player
        ("Ts 3h 8d", "Tc 2s", "won 5"),  # one card from each side
        ("As Kh Qd", "Jc Ts", "won 25"),  # all five together
    ],
)
def test_18_1_hand__five_cards_are_the_players_three_and_both_community_cards(
    player: str, community: str, expected: str
) -> None:
    assert told(ride(player, community)) == each(expected)


@pytest.mark.clause('NJ 19:47-18.1 "Let it ride"')
@pytest.mark.ruling("L8")
@pytest.mark.parametrize(
    ("withdraw", "expected", "net"),
    [
        ((), "bet 1 won 5, bet 2 won 5, bet 3 won 5", 1_500),
        ((1,), "bet 1 returned, bet 2 won 5, bet 3 won 5", 1_000),
        ((2,), "bet 2 returned, bet 1 won 5, bet 3 won 5", 1_000),
        ((1, 2), "bet 1 returned, bet 2 returned, bet 3 won 5", 500),
    ],
)
def test_l8__either_bet_rides_or_returns_on_its_own_and_bet_3_always_plays(
    withdraw: tuple[int, ...], expected: str, net: int
) -> None:
    won = ride(*HANDS["pair of tens"], withdraw=withdraw)
    assert (told(won), total(won)) == (expected, net)
    lost = ride(*HANDS["pair of nines"], withdraw=withdraw)
    assert told(lost) == expected.replace("won 5", "lost")
    assert total(lost) == -net


# --- the one-dollar bonus --------------------------------------------------------------------


@pytest.mark.clause("NJ 19:47-18.11(d)", "NJ 19:47-18.6A(c)", "NJ 19:47-18.6A(a)")
@pytest.mark.ruling("K3", "L5")
@pytest.mark.parametrize(
    ("kind", "sum_paid"), [*zip(HANDS, (25_000, 2_500, 400, 200, 50, 25, 5), strict=False)]
)
def test_18_11_d__the_bonus_pays_a_fixed_sum_and_its_swept_dollar_is_gone(
    kind: str, sum_paid: int
) -> None:
    settled = only(ride(*HANDS[kind], bonus=True), "let it ride bonus")
    assert told([settled]) == f"let it ride bonus won {sum_paid}"
    assert settled.net == 100 * sum_paid - 100
    assert settled.clause.id == "NJ 19:47-18.11(d)"


@pytest.mark.clause("NJ 19:47-18.6A(a)")
@pytest.mark.parametrize("kind", ["two pair", "pair of aces", "ace-high"])
def test_18_6a_a__the_bonus_loses_below_three_of_a_kind(kind: str) -> None:
    settled = ride(*HANDS[kind], bonus=True)
    lost = only(settled, "let it ride bonus")
    assert (lost.result, lost.net) == ("lost", -100)
    assert cited(settled, "let it ride bonus") == "NJ 19:47-18.6A(a)"


@pytest.mark.clause("NJ 19:47-18.6A(d)", "NJ 19:47-18.6B(d)")
@pytest.mark.parametrize("kind", HANDS)
@pytest.mark.parametrize("withdraw", [(), (1, 2)])
def test_18_6a_d__neither_bonus_has_any_bearing_on_the_other_wagers(
    kind: str, withdraw: tuple[int, ...]
) -> None:
    alone = ride(*HANDS[kind], withdraw=withdraw)
    beside = ride(*HANDS[kind], withdraw=withdraw, bonus=True, three_card=5)
    assert {s.wager: s for s in alone}.items() <= {s.wager: s for s in beside}.items()
    riding = ride(*HANDS[kind], bonus=True, three_card=5)
    for bonus in ("let it ride bonus", "three card bonus"):
        assert only(beside, bonus) == only(riding, bonus)  # whatever was withdrawn


# --- the three card bonus --------------------------------------------------------------------

THREES = {
    "mini-royal": "As Ks Qs",
    "straight flush": "Ks Qs Js",
    "three-of-a-kind": "9s 9h 9d",
    "straight": "As 2h 3d",
    "flush": "Ks As 2s",
    "pair": "2s 2h 3d",
}
TABLES = {
    "A": (40, 40, 30, 6, 4, 1),
    "B": (40, 40, 30, 5, 4, 1),
    "C": (40, 40, 30, 6, 3, 1),
    "D": (50, 40, 30, 6, 4, 1),
    "E": (50, 40, 30, 5, 4, 1),
    "F": (50, 40, 30, 6, 3, 1),
}
LINES = [
    (table, kind, odds)
    for table, column in TABLES.items()
    for kind, odds in zip(THREES, column, strict=True)
]


@pytest.mark.clause(
    "NJ 19:47-18.11(e)",
    "NJ 19:47-18.6B(c)",
    "NJ 19:47-18.3(c)",
    "NJ 19:47-18.3(c)1",
    "NJ 19:47-18.3(c)2",
    "NJ 19:47-18.3(c)3",
    "NJ 19:47-18.3(c)4",
    "NJ 19:47-18.3(c)5",
    "NJ 19:47-18.3(c)6",
)
@pytest.mark.ruling("L1", "L9", "K3")
@pytest.mark.parametrize(("table", "kind", "odds"), LINES)
def test_18_11_e__the_three_card_bonus_is_paid_once_by_the_table_the_house_picked(
    table: str, kind: str, odds: int
) -> None:
    """Tables A to C print N/A for the mini-royal, which is paid as a straight flush there."""
    terms = terms_of(RIDE, pay={"three-card": table})
    settled = ride(THREES[kind], "7c 5d", terms=terms, three_card=7)
    assert told([only(settled, "three card bonus")]) == f"three card bonus won {7 * odds}"
    assert only(settled, "three card bonus").net == 700 * odds  # the stake lies there and returns


@pytest.mark.clause("NJ 19:47-18.3(c)", "NJ 19:47-18.3(c)4", "NJ 19:47-18.6B(a)")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("player", ["Ks Ah 2h", "As Kh Jd", "7s 5h 2d"])
def test_18_3_c__less_than_a_pair_loses_and_king_ace_two_is_no_straight(
    table: str, player: str
) -> None:
    terms = terms_of(RIDE, pay={"three-card": table})
    settled = ride(player, "9c 9d", terms=terms, three_card=7)
    assert told([only(settled, "three card bonus")]) == "three card bonus lost"
    assert cited(settled, "three card bonus") == "NJ 19:47-18.3(c)"


@pytest.mark.clause("NJ 19:47-18.6B(a)")
def test_18_6b_a__only_the_players_own_three_cards_count() -> None:
    settled = ride("As 9h 4d", "9c 9d", three_card=5)
    assert told([only(settled, "three card bonus")]) == "three card bonus lost"
    assert told(ride("4s 4h 9d", "2c 7s", three_card=5)[3:]) == "three card bonus won 5"


@pytest.mark.ruling("L9")
def test_l9__a_three_card_flush_pays_less_than_a_straight_yet_no_hand_is_paid_both() -> None:
    """The list of what is eligible puts flush before straight; the table decides the money."""
    straight = ride("As 2h 3d", "7c 9d", three_card=1)
    flush = ride("Ks As 2s", "7c 9d", three_card=1)
    both = ride("5s 6s 7s", "Kc 9d", three_card=1)
    assert [only(s, "three card bonus").win for s in (straight, flush, both)] == [600, 400, 4_000]


# --- order and limit -------------------------------------------------------------------------


@pytest.mark.clause("NJ 19:47-18.10(g)3")
@pytest.mark.ruling("L5")
@pytest.mark.parametrize(
    ("player", "community"),
    [
        ("Ts Th 8d", "5c 7s"),  # bets and three card bonus win, the one-dollar bonus loses
        ("Ts 9h 4d", "Tc 2s"),  # bets win, both bonuses lose
        ("9s 9h 8d", "5c 7s"),  # bets lose, the three card bonus wins
    ],
)
def test_18_10_g_3__a_players_losing_wagers_are_collected_before_the_winning_ones_are_paid(
    player: str, community: str
) -> None:
    settled = ride(player, community, bonus=True, three_card=5)
    results = [s.result.value for s in settled if s.result in ("won", "lost")]
    assert sorted(results) == results  # "lost" before "won"
    assert set(results) == {"lost", "won"}


ROYAL = HANDS["royal flush"]


@pytest.mark.clause("NJ 19:47-18.11(c)")
@pytest.mark.ruling("L6", "K10")
@pytest.mark.parametrize(
    ("posted", "held"),
    [
        (None, {}),
        ("60000.01", {}),
        ("60000", {}),  # reached exactly
        ("59999.99", {"bet 3": 1}),  # exceeded by a cent
        ("50000", {"bet 3": 1_000_000}),
    ],
)
def test_l6__a_limit_binds_only_when_posted_and_covers_neither_bonus(
    posted: str | None, held: dict[str, int]
) -> None:
    """Three bets of 20 dollars at 1,000 to 1; beside them 25,000 and 40 to 1 on 100."""
    terms = terms_of(RIDE, **({"payout_limit": posted} if posted else {}))
    settled = ride(*ROYAL, terms=terms, bets=20, bonus=True, three_card=100)
    assert withheld(settled) == held
    assert only(settled, "let it ride bonus").win == 2_500_000
    assert only(settled, "three card bonus").win == 400_000


@pytest.mark.clause("NJ 19:47-18.11(c)")
@pytest.mark.ruling("L6", "K10")
@pytest.mark.parametrize(
    ("minimum", "posted", "legal"),
    [
        (5, "49999.99", False),
        (5, "50000", True),
        (16, "50000", True),  # 3 x 16 x 1,000 = 48,000
        (17, "50999.99", False),  # 51,000
        (17, "51000", True),
    ],
)
def test_l6__a_posted_limit_is_at_least_50_000_and_the_best_round_at_the_minimum(
    minimum: int, posted: str, legal: bool
) -> None:
    changes: dict[str, Any] = {"limits": {"main": [minimum, 500]}, "payout_limit": posted}
    assert check(house(RIDE, **changes)).legal is legal


@pytest.mark.clause("NJ 19:47-18.11(c)")
@pytest.mark.ruling("K10")
def test_k10__the_best_round_at_the_minimum_may_lie_on_a_line_below_the_royal_flush() -> None:
    """Three bets of 10 dollars at 2,000 to 1 on a straight flush win 60,000."""
    changes: dict[str, Any] = {
        "limits": {"main": [10, 500]},
        "pay": {"main": {"straight-flush": "2,000 to 1"}},
    }
    assert not check(house(RIDE, payout_limit="59999.99", **changes)).legal
    assert check(house(RIDE, payout_limit="60000", **changes)).legal
