"""Is a house legal: what it offers, its posted limits, its multiples, its coupons."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from croupier.house.check import check
from croupier.house.submission import read_data
from croupier.law.clause import clause

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"

METER = {"meter": 10_000, "seed": 10_000, "contribution": "4.50"}
LINES = {"royal-flush": "100 %", "straight-flush": "10 %", "flush": "$250"}
MA_PROGRESSIVE = {
    "offered": ["trips", "progressive"],
    "progressive": METER,
    "pay": {"progressive": LINES},
}

Found = list[tuple[str, object, str | None]]


def violations(book: str, *changes: Mapping[str, object]) -> Found:
    data: dict[str, object] = {"rulebook": book}
    for change in changes:
        data |= change
    found = check(read_data(data)).violations
    return [(v.key, v.value, v.clause.id if v.clause else None) for v in found]


# --- what may be offered --------------------------------------------------------------------


@pytest.mark.clause(
    "NJ 19:47-32.6(c)", "MA UTH 6(c)", "NJ 19:47-16.6(c)", "NJ 19:47-18.6A(a)", "NJ 19:47-18.6B(a)"
)
@pytest.mark.parametrize(
    ("book", "offered"),
    [
        (NJ, ["trips"]),
        (MA, ["trips"]),
        (MA, ["cover-all"]),
        (MA, ["trips", "cover-all"]),
        (CARIBBEAN, ["progressive"]),
        (RIDE, ["bonus"]),
        (RIDE, ["three-card"]),
        (RIDE, ["three-card", "bonus"]),
        (PIK_IT, ["three-card-bonus"]),
        *((book, []) for book in (NJ, MA, CARIBBEAN, RIDE, PIK_IT)),
    ],
)
def test_a_house_may_offer_the_optional_wagers_of_its_text_or_none(
    book: str, offered: list[str]
) -> None:
    assert violations(book, {"offered": offered}) == []


@pytest.mark.clause("NJ 19:47-32.6(c)", "MA UTH 6(c)")
@pytest.mark.parametrize(
    ("book", "stranger", "cite"),
    [
        (NJ, "cover-all", "NJ 19:47-32.6(c)"),
        (NJ, "progressive", "NJ 19:47-32.6(c)"),
        (NJ, "ante", "NJ 19:47-32.6(c)"),  # required, so not an option
        (NJ, "bonus", "NJ 19:47-32.6(c)"),
        (MA, "blind", "MA UTH 6(c)"),
        (MA, "bonus", "MA UTH 6(c)"),
    ],
)
def test_32_6_c__a_wager_its_text_does_not_know_may_not_be_offered(
    book: str, stranger: str, cite: str
) -> None:
    automated = {"shuffling": "automated"}
    found = violations(book, automated, {"offered": ["trips", stranger]})
    assert found[0] == ("offered", stranger, cite)
    if stranger != "progressive":  # which lacks its meter and lines besides
        assert len(found) == 1


@pytest.mark.parametrize(("book", "own"), [(CARIBBEAN, 16), (RIDE, 18), (PIK_IT, 39)])
def test_a_stranger_is_refused_by_a_clause_of_the_houses_own_book(book: str, own: int) -> None:
    ((key, value, cite),) = violations(book, {"offered": ["trips"]})
    assert (key, value) == ("offered", "trips")
    assert cite is not None
    assert clause(cite).book.startswith(book), f"{cite} is no law of chapter {own}"


# --- Massachusetts: Cover All and the progressive -------------------------------------------

COVER_ALL = {"offered": ["cover-all"], "decks": ["red"], "dealing": "manual shoe"}


@pytest.mark.clause("MA UTH 13(d)")
@pytest.mark.ruling("M4")
def test_ma_13_d__cover_all_is_offered_only_with_the_automated_shuffler() -> None:
    assert violations(MA, COVER_ALL, {"shuffling": "automated"}) == []
    assert violations(MA, COVER_ALL, {"shuffling": "manual"}) == [
        ("offered", "cover-all", "MA UTH 13(d)")
    ]
    assert violations(MA, COVER_ALL, {"shuffling": "manual", "offered": []}) == []


@pytest.mark.clause("MA UTH 13(k)", "MA UTH 13(f)")
@pytest.mark.ruling("M2")
def test_ma_13_k__cover_all_counts_the_dealers_hand_so_six_positions_at_most() -> None:
    assert violations(MA, {"positions": 6}) == []
    assert violations(MA, {"positions": 7}) == [("positions", 7, "MA UTH 13(k)")]
    assert violations(MA, {"positions": 7, "offered": ["trips"]}) == []


@pytest.mark.clause("MA UTH 14(a)", "MA UTH 14(b)", "MA UTH 14(c)")
@pytest.mark.ruling("M5")
def test_ma_14__a_progressive_with_meter_lines_and_trips_beside_it_is_legal() -> None:
    assert violations(MA, MA_PROGRESSIVE) == []


@pytest.mark.parametrize("book", ["nj-let-it-ride", "nj-pik-it-poker"])
def test_a_progressive_where_the_game_has_none_is_a_violation(book: str) -> None:
    found = violations(book, {"offered": ["progressive"]})
    assert [key for key, _, _ in found] == ["offered"]


@pytest.mark.clause("MA UTH 14(b)")
@pytest.mark.ruling("M5")
def test_ma_14_b__the_progressive_needs_trips_on_offer() -> None:
    alone = ["progressive"]
    assert violations(MA, MA_PROGRESSIVE, {"offered": alone}) == [
        ("offered", alone, "MA UTH 14(b)")
    ]


@pytest.mark.clause("MA UTH 14(a)")
@pytest.mark.ruling("M5")
def test_ma_14__the_progressive_needs_a_meter_and_lines_of_the_house() -> None:
    assert violations(MA, MA_PROGRESSIVE, {"progressive": {}}) == [
        ("offered", "progressive", "MA UTH 14(a)")
    ]
    assert violations(MA, MA_PROGRESSIVE, {"pay": {}}) == [
        ("pay.progressive", None, "MA UTH 14(a)")
    ]


@pytest.mark.ruling("M5")
def test_ma_14__a_pay_table_without_a_line_is_no_pay_table() -> None:
    found = violations(MA, MA_PROGRESSIVE, {"pay": {"progressive": {}}})
    assert [key for key, _, _ in found] == ["pay.progressive"]


@pytest.mark.ruling("S5")
def test_16_6_c__caribbean_studs_progressive_has_lines_supplied_but_needs_a_meter() -> None:
    assert violations(CARIBBEAN) == []
    own = {"pay": {"progressive": {"flush": "$1", "royal-flush": "50 %"}}}
    assert violations(CARIBBEAN, own) == []  # the house's own, less than supplied


@pytest.mark.parametrize(
    ("book", "base", "whole", "more", "cite"),
    [
        (CARIBBEAN, {}, "1", "1.01", "NJ 19:47-16.6(c)"),
        (MA, MA_PROGRESSIVE, "5", "5.01", "MA UTH 14(a)"),
    ],
)
def test_a_progressive_wager_adds_at_most_itself_to_the_meter(
    book: str, base: Mapping[str, object], whole: str, more: str, cite: str
) -> None:
    assert violations(book, base, {"progressive": {**METER, "contribution": "0"}}) == []
    assert violations(book, base, {"progressive": {**METER, "contribution": whole}}) == []
    assert violations(book, base, {"progressive": {**METER, "contribution": more}}) == [
        ("progressive.contribution", f"${more}", cite)
    ]


# --- posted limits --------------------------------------------------------------------------


@pytest.mark.ruling("U10")
@pytest.mark.parametrize(
    ("book", "key", "cite"),
    [
        (NJ, "ante", 'NJ 19:47-32.1 "Ante"'),
        (NJ, "trips", 'NJ 19:47-32.1 "Trips wager"'),
        (MA, "ante", 'MA UTH 1 "Ante"'),
        (MA, "trips", 'MA UTH 1 "Trips wager"'),
        (MA, "cover-all", "MA UTH 13(a)"),
        (CARIBBEAN, "ante", "NJ 19:47-16.6(b)"),
        (RIDE, "main", "NJ 19:47-18.6(d)"),
        (RIDE, "three-card", "NJ 19:47-18.6B(b)"),
        (PIK_IT, "ante", 'NJ 13:69F-39.1 "Ante wager"'),
        (PIK_IT, "three-card-bonus", 'NJ 13:69F-39.1 "3 card bonus wager"'),
    ],
)
def test_each_wager_has_its_own_minimum_above_zero_and_not_above_its_maximum(
    book: str, key: str, cite: str
) -> None:
    def posted(minimum: object, maximum: object) -> Found:
        return violations(book, {"limits": {key: [minimum, maximum]}})

    assert posted("0.02", "0.02") == []
    assert posted(10, 20) == []
    assert posted(0, 20) == [(f"limits.{key}", ["$0", "$20"], cite)]
    assert posted("20.01", 20) == [(f"limits.{key}", ["$20.01", "$20"], cite)]


# --- multiples ------------------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69F-39.3(b)")
@pytest.mark.ruling("P1")
@pytest.mark.parametrize("key", ["play-3", "play-5"])
def test_39_3_b__play_3_and_play_5_are_once_or_twice_the_ante(key: str) -> None:
    for legal in (1, 2):
        assert violations(PIK_IT, {"multiples": {key: legal}}) == []
    for illegal in (0, 3):
        assert violations(PIK_IT, {"multiples": {key: illegal}}) == [
            (f"multiples.{key}", [illegal], "NJ 13:69F-39.3(b)")
        ]
    both = [1, 2]  # the house settles on one
    assert violations(PIK_IT, {"multiples": {key: both}}) == [
        (f"multiples.{key}", both, "NJ 13:69F-39.3(b)")
    ]


@pytest.mark.twins("NJ 19:47-32.10(a)", "NJ 19:47-32.10(c)", "NJ 19:47-32.10(e)")
@pytest.mark.twins('NJ 19:47-32.1 "Blind"')
@pytest.mark.clause("SUPPLIED S2.1(a)", 'NJ 13:69F-39.1 "5 card bonus wager"')
@pytest.mark.ruling("U6")
@pytest.mark.parametrize(
    ("book", "key", "law_says", "wrong", "cite"),
    [
        (NJ, "before-flop", [3, 4], [3], "NJ 19:47-32.10(a)"),
        (NJ, "before-flop", [3, 4], [2, 3, 4], "NJ 19:47-32.10(a)"),
        (NJ, "after-flop", [2], [1], "NJ 19:47-32.10(c)"),
        (NJ, "after-river", [1], [2], "NJ 19:47-32.10(e)"),
        (NJ, "blind", [1], [2], 'NJ 19:47-32.1 "Blind"'),
        (MA, "before-flop", [3, 4], [4], "MA UTH 10(a)"),
        (MA, "after-flop", [2], [2, 3], "MA UTH 10(c)"),
        (MA, "after-river", [1], [2], "MA UTH 10(e)"),
        (MA, "blind", [1], [2], 'MA UTH 1 "Blind"'),
        (CARIBBEAN, "bet", [2], [1], "SUPPLIED S2.1(a)"),
        (PIK_IT, "five-card-bonus", [1], [2], 'NJ 13:69F-39.1 "5 card bonus wager"'),
    ],
)
def test_where_the_law_fixes_a_multiple_a_house_has_no_choice(
    book: str, key: str, law_says: list[int], wrong: list[int], cite: str
) -> None:
    assert violations(book, {"multiples": {key: law_says}}) == []
    assert violations(book, {"multiples": {key: wrong}}) == [(f"multiples.{key}", wrong, cite)]


@pytest.mark.parametrize("book", [NJ, MA])
def test_32_10_a__three_and_four_in_any_order_are_the_same_choice(book: str) -> None:
    assert violations(book, {"multiples": {"before-flop": [4, 3]}}) == []


# --- match play -----------------------------------------------------------------------------


@pytest.mark.ruling("K5")
@pytest.mark.parametrize("book", [NJ, MA, CARIBBEAN, PIK_IT])
def test_32_6_a__coupons_may_be_taken_where_a_wager_is_paid_1_to_1(book: str) -> None:
    assert violations(book, {"match_play": True}) == []


@pytest.mark.clause("NJ 19:47-18.6(a)")
@pytest.mark.ruling("H6")
def test_18_6_a__let_it_ride_has_no_wager_for_a_coupon() -> None:
    assert violations(RIDE, {"match_play": False}) == []
    assert violations(RIDE, {"match_play": True}) == [("match_play", True, "NJ 19:47-18.6(a)")]
