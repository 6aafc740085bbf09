"""Is a house legal, and is it wise: pay tables, payout limits, warnings."""

from __future__ import annotations

import pytest

from croupier.house.check import check
from croupier.house.submission import read_data

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"

Found = list[tuple[str, object, str | None]]


def violations(book: str, **changes: object) -> Found:
    found = check(read_data({"rulebook": book, **changes})).violations
    return [(v.key, v.value, v.clause.id if v.clause else None) for v in found]


def warnings(book: str, **changes: object) -> list[tuple[str, object, str, str | None]]:
    report = check(read_data({"rulebook": book, **changes}))
    assert report.legal
    return [
        (v.key, v.value, v.sentence, v.clause.id if v.clause else None) for v in report.warnings
    ]


# --- pay tables: no less than printed -------------------------------------------------------


@pytest.mark.clause("NJ 19:47-32.11(d)", "MA UTH 11(d)")
@pytest.mark.clause("NJ 19:47-18.11(b)", "NJ 19:47-18.11(d)", "NJ 19:47-18.11(e)")
@pytest.mark.clause("NJ 13:69F-39.11(b)", "NJ 13:69F-39.11(c)")
@pytest.mark.ruling("U9")
@pytest.mark.parametrize(
    ("book", "wager", "table", "line", "below", "on", "above", "cite"),
    [
        *(
            (book, "trips", table, "three-of-a-kind", "299 to 100", "3 to 1", "301 to 100", cite)
            for book, cite in ((NJ, "NJ 19:47-32.11(d)"), (MA, "MA UTH 11(d)"))
            for table in "ABCD"
        ),
        (NJ, "trips", "A", "flush", "699/100", "7", "15 to 2", "NJ 19:47-32.11(d)"),
        (RIDE, "main", "law", "full-house", "10 to 1", "11 to 1", "12 to 1", "NJ 19:47-18.11(b)"),
        (RIDE, "bonus", "law", "flush", "$49.99", "$50", "$50.01", "NJ 19:47-18.11(d)"),
        *(
            (RIDE, "three-card", table, "pair", "1 to 2", "2 to 2", "3 to 2", "NJ 19:47-18.11(e)")
            for table in "ABCDEF"
        ),
        *(
            (PIK_IT, "five-card-bonus", table, "full-house", "9", "10", "11", "NJ 13:69F-39.11(b)")
            for table in "12"
        ),
        *(
            (PIK_IT, "three-card-bonus", table, "straight", "5", "6", "7", "NJ 13:69F-39.11(c)")
            for table in "123"
        ),
    ],
)
def test_a_house_pays_at_least_the_printed_line_and_may_pay_more(
    book: str, wager: str, table: str, line: str, below: str, on: str, above: str, cite: str
) -> None:
    def paying(award: str) -> Found:
        return violations(book, pay={wager: {"table": table, line: award}})

    assert paying(on) == []
    assert paying(above) == []
    ((key, _, found),) = paying(below)
    assert (key, found) == (f"pay.{wager}.{line}", cite)


@pytest.mark.clause("NJ 19:47-32.11(d)")
@pytest.mark.ruling("U9")
def test_32_11_d__a_table_equal_to_another_printed_one_is_legal_however_it_is_written() -> None:
    table_d = {"four-of-a-kind": "20", "full-house": "7", "flush": "6", "straight": "5"}
    assert violations(NJ, pay={"trips": {"table": "A", **table_d}}) == []
    short = {**table_d, "full-house": "13 to 2"}
    assert violations(NJ, pay={"trips": {"table": "A", **short}}) == [
        ("pay.trips.full-house", "13 to 2", "NJ 19:47-32.11(d)")
    ]


@pytest.mark.clause("NJ 19:47-32.11(d)")
def test_32_11_d__every_line_that_falls_short_is_named_with_what_the_law_pays() -> None:
    low = {"flush": "1 to 1", "straight": "1 to 1", "three-of-a-kind": "1 to 1"}
    found = check(read_data({"rulebook": NJ, "pay": {"trips": low}})).violations
    assert [(v.key, v.value, v.sentence) for v in found] == [
        ("pay.trips.flush", "1 to 1", "the law pays no less than 7 to 1 (table A)."),
        ("pay.trips.straight", "1 to 1", "the law pays no less than 4 to 1 (table A)."),
        ("pay.trips.three-of-a-kind", "1 to 1", "the law pays no less than 3 to 1 (table A)."),
    ]


@pytest.mark.clause("NJ 19:47-18.11(e)")
@pytest.mark.ruling("L1")
@pytest.mark.parametrize(
    ("table", "line", "award", "legal"),
    [
        ("D", "mini-royal", "51 to 1", True),
        ("D", "mini-royal", "50 to 1", True),
        ("D", "mini-royal", "49 to 1", True),  # above table A, whose mini-royal is paid 40
        ("A", "mini-royal", "40 to 1", True),
        ("A", "mini-royal", "39 to 1", False),  # less than the straight flush it also is
        ("D", "mini-royal", "1 to 1", False),
        ("D", "royal-flush", "1 to 1", False),  # the same three cards by another name
    ],
)
def test_18_11_e__a_mini_royal_is_never_paid_less_than_a_straight_flush(
    table: str, line: str, award: str, legal: bool
) -> None:
    found = violations(RIDE, pay={"three-card": {"table": table, line: award}})
    assert (found == []) is legal
    assert {cite for _, _, cite in found} <= {"NJ 19:47-18.11(e)"}


# --- pay tables: exactly as printed ---------------------------------------------------------

BLIND = {
    "royal-flush": "500 to 1",
    "straight-flush": "50 to 1",
    "four-of-a-kind": "10 to 1",
    "full-house": "3 to 1",
    "flush": "3 to 2",
    "straight": "1 to 1",
}


@pytest.mark.twins("NJ 19:47-32.11(c)")
@pytest.mark.parametrize(("book", "cite"), [(NJ, "NJ 19:47-32.11(c)"), (MA, "MA UTH 11(c)")])
@pytest.mark.parametrize(
    ("line", "award"), [("flush", "2 to 1"), ("flush", "1 to 1"), ("three-of-a-kind", "1 to 1")]
)
def test_32_11_c__the_blind_pays_neither_more_nor_less(
    book: str, cite: str, line: str, award: str
) -> None:
    assert violations(book, pay={"blind": BLIND}) == []
    assert violations(book, pay={"blind": {line: award}}) == [
        ("pay.blind", {**BLIND, line: award}, cite)
    ]


@pytest.mark.clause("MA UTH 13(f)", "MA UTH 13(k)")
@pytest.mark.parametrize(
    ("hands", "full_house", "cite"),
    [
        ("2", "12 to 1", "MA UTH 13(k)"),
        ("3", "8 to 1", "MA UTH 13(k)"),
        ("4", "6 to 1", "MA UTH 13(k)"),
        ("5", "5 to 1", "MA UTH 13(k)"),
        ("6", "4 to 1", "MA UTH 13(k)"),
        ("7", "4 to 1", "MA UTH 13(f)"),
    ],
)
def test_ma_13__cover_all_pays_exactly_its_table_for_each_number_of_hands(
    hands: str, full_house: str, cite: str
) -> None:
    assert violations(MA, pay={"cover-all": {hands: {"full-house": full_house}}}) == []
    ((key, value, found),) = violations(MA, pay={"cover-all": {hands: {"full-house": "13 to 1"}}})
    assert (key, found) == (f"pay.cover-all.{hands}", cite)
    assert isinstance(value, dict)
    assert value["full-house"] == "13 to 1"


@pytest.mark.clause("SUPPLIED S2.5(b)")
@pytest.mark.ruling("S2")
def test_s2_5_b__caribbean_studs_bet_pays_exactly_as_supplied() -> None:
    assert violations(CARIBBEAN, pay={"bet": {"flush": "5 to 1", "pair": "1 to 1"}}) == []
    for award in ("4 to 1", "6 to 1"):
        ((key, _, cite),) = violations(CARIBBEAN, pay={"bet": {"flush": award}})
        assert (key, cite) == ("pay.bet", "SUPPLIED S2.5(b)")


@pytest.mark.parametrize(
    ("book", "wager", "line", "award", "cite"),
    [
        (NJ, "trips", "pair", "$5", "NJ 19:47-32.11(d)"),  # chips that stay are paid at odds
        (NJ, "trips", "pair", "5 %", "NJ 19:47-32.11(d)"),  # there is no meter
        (RIDE, "bonus", "two-pair", "2 to 1", "NJ 19:47-18.11(d)"),  # the chip is gone
        (PIK_IT, "five-card-bonus", "pair", "$1", "NJ 13:69F-39.11(b)"),
    ],
)
def test_a_wager_is_paid_in_its_own_way(
    book: str, wager: str, line: str, award: str, cite: str
) -> None:
    ((key, _, found),) = violations(book, pay={wager: {line: award}})
    assert (key, found) == (f"pay.{wager}.{line}", cite)


# --- payout limits --------------------------------------------------------------------------

HIGH = {"ante": [100, 500]}


@pytest.mark.twins("NJ 19:47-32.11(e)")
@pytest.mark.clause("NJ 19:47-18.11(c)", "SUPPLIED S2.6(a)", "SUPPLIED S2.6(b)")
@pytest.mark.ruling("H3", "H5", "K10")
@pytest.mark.parametrize(
    ("book", "changes", "below", "floor", "cite"),
    [
        (NJ, {}, "49,999.99", "50,000", "NJ 19:47-32.11(e)"),
        (MA, {}, "49,999.99", "50,000", "MA UTH 11(e)"),
        # ante 100, play 400, blind 50,000; and trips of $1 at 50 to 1 where it is offered
        (NJ, {"limits": HIGH, "offered": []}, "50,499.99", "50,500", "NJ 19:47-32.11(e)"),
        (NJ, {"limits": HIGH}, "50,549.99", "50,550", "NJ 19:47-32.11(e)"),
        (MA, {"limits": HIGH, "offered": []}, "50,499.99", "50,500", "MA UTH 11(e)"),
        (MA, {"limits": HIGH}, "50,549.99", "50,550", "MA UTH 11(e)"),
        (CARIBBEAN, {}, "4,999.99", "5,000", "SUPPLIED S2.6(a)"),
        # 201 times the minimum: ante 25, bet 50 at 100 to 1
        (CARIBBEAN, {"limits": {"ante": [25, 500]}}, "5,024.99", "5,025", "SUPPLIED S2.6(b)"),
        (RIDE, {}, "49,999.99", "50,000", "NJ 19:47-18.11(c)"),
        (RIDE, {"limits": {"main": [20, 500]}}, "59,999.99", "60,000", "NJ 19:47-18.11(c)"),
    ],
)
def test_a_payout_limit_is_at_least_its_floor_and_may_be_higher(
    book: str, changes: dict[str, object], below: str, floor: str, cite: str
) -> None:
    assert violations(book, **changes, payout_limit=floor) == []
    assert violations(book, **changes, payout_limit="1,000,000") == []
    assert violations(book, **changes, payout_limit=below) == [("payout_limit", f"${below}", cite)]


@pytest.mark.clause("NJ 19:47-18.11(c)")
@pytest.mark.ruling("K10")
def test_18_11_c__the_best_round_is_the_best_paid_line_wherever_it_stands() -> None:
    generous = {"limits": {"main": [10, 100]}, "pay": {"main": {"straight-flush": "2,000 to 1"}}}
    # three bets of $10 at 2,000 to 1
    assert violations(RIDE, **generous, payout_limit=60_000) == []
    assert violations(RIDE, **generous, payout_limit="59,999.99") == [
        ("payout_limit", "$59,999.99", "NJ 19:47-18.11(c)")
    ]


@pytest.mark.ruling("K11")
@pytest.mark.parametrize("limits", [["0.01", 100], ["1", "100.01"]])
def test_odds_that_do_not_divide_a_posted_limit_do_not_break_the_check(limits: list[str]) -> None:
    pay = {"trips": {"royal-flush": "101 to 2"}}
    found = violations(NJ, limits={"trips": limits}, pay=pay, payout_limit=60_000)
    assert {key for key, _, _ in found} <= {"limits.trips"}  # legal, or refused for its limits


def test_pik_it_knows_no_payout_limit() -> None:
    assert violations(PIK_IT) == []
    ((key, value, cite),) = violations(PIK_IT, payout_limit=1_000_000)
    assert (key, value) == ("payout_limit", "$1,000,000")
    assert cite is not None
    assert cite.startswith("NJ 13:69F-39.")


# --- warnings: legal, but someone will be sorry ---------------------------------------------


def test_a_maximum_whose_best_hand_exceeds_the_limit_is_warned_of() -> None:
    # ante 500, play 2,000, blind 250,000, trips 5,000
    assert warnings(NJ) == [
        (
            "payout_limit",
            "$50,000",
            "the best hand at the maximum would win $257,500; the rest is not paid.",
            "NJ 19:47-32.11(e)",
        )
    ]


@pytest.mark.parametrize(("maximum", "warned"), [("24.99", 0), ("25", 0), ("25.01", 1)])
def test_a_best_hand_that_only_reaches_the_limit_is_not_warned_of(
    maximum: str, warned: int
) -> None:
    found = warnings(CARIBBEAN, limits={"ante": [5, maximum]}, payout_limit=5_025)
    assert len(found) == warned


@pytest.mark.clause("MA UTH 14(d)")
@pytest.mark.ruling("M6")
def test_ma_14_d__massachusetts_warns_of_both_its_limits() -> None:
    found = warnings(MA)  # and Cover All 100 at 200 to 1
    assert [(value, cite) for _, value, _, cite in found] == [
        ("$50,000", "MA UTH 11(e)"),
        ("$75,000", "MA UTH 14(d)"),
    ]
    assert "would win $257,500;" in found[0][2]
    assert "would win $277,500;" in found[1][2]
    low = {"ante": [5, 90], "trips": [1, 2], "cover-all": [1, 2]}
    assert warnings(MA, limits=low) == []


@pytest.mark.clause("NJ 19:47-18.11(c)")
@pytest.mark.ruling("L6")
def test_18_11_c__let_it_ride_without_its_optional_limit_is_legal_and_warned_of() -> None:
    assert warnings(RIDE) == [
        (
            "payout_limit",
            None,
            "without a limit the best hand at the maximum wins $1,500,000.",
            "NJ 19:47-18.11(c)",
        )
    ]
    assert warnings(RIDE, limits={"main": [5, 16]}, payout_limit=50_000) == []


def test_an_illegal_house_is_not_warned_besides() -> None:
    report = check(read_data({"rulebook": NJ, "adjacent": 2}))
    assert not report.legal
    assert report.warnings == ()
