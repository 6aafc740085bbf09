"""What may be placed before the deal: every refusal with its code, its clause and its place."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, UTH_BOOKS, house, progressive_terms
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.ultimate_texas_holdem import GAME as UTH
from croupier.law.refused import Refused
from croupier.rules.placing import verify, wrongs
from croupier.rules.refusals import Refusal

Placed = dict[str, int]


def refusal(book: str, placed: Placed, **changes: Any) -> tuple[str, str]:
    """The code and clause by which these wagers are refused, or two empty words."""
    table = house(book, **changes)
    try:
        verify(table.game, placed, table.terms())
    except Refused as refused:
        return refused.code, str(refused.clause)
    return "", ""


def main(amount: int = 500, **more: int) -> Placed:
    """Ante and blind of this many cents, and more."""
    return {"ante": amount, "blind": amount, **{k.replace("_", " "): v for k, v in more.items()}}


MASSACHUSETTS = {
    'NJ 19:47-32.1 "Ante"': 'MA UTH 1 "Ante"',
    'NJ 19:47-32.1 "Blind"': 'MA UTH 1 "Blind"',
    'NJ 19:47-32.1 "Trips wager"': 'MA UTH 1 "Trips wager"',
    "NJ 19:47-32.6(c)": "MA UTH 6(c)",
    "NJ 19:47-32.11(c)": "MA UTH 11(c)",
    "NJ 19:47-32.11(d)": "MA UTH 11(d)",
}


def under(book: str, new_jersey: str) -> str:
    """The id of this clause of New Jersey in the book."""
    return new_jersey if book == NJ_UTH else MASSACHUSETTS[new_jersey]


PRECEDENCE = [
    "WAGER_UNKNOWN",
    "WAGER_NOT_OFFERED",
    "WAGER_NEEDS_ANOTHER",
    "WAGER_REQUIRED",
    "AMOUNT_IS_FIXED",
    "WITHIN_POSTED_LIMITS",
    "WAGERS_MUST_BE_EQUAL",
    "MUST_BE_PAYABLE_EXACTLY",
]


def test_the_refusals_of_a_wager_are_listed_in_their_order_of_precedence() -> None:
    assert [code for code in Refusal if code in PRECEDENCE] == PRECEDENCE


AMOUNTS = st.sampled_from([0, 99, 100, 101, 499, 500, 501, 10_001, 50_000, 50_001])


@given(
    placed=st.dictionaries(
        st.sampled_from(["ante", "blind", "trips", "cover all", "progressive", "insurance"]),
        AMOUNTS,
    ),
    offers=st.booleans(),
)
def test_all_that_is_wrong_comes_in_order_of_precedence_and_the_first_refuses(
    placed: Placed, offers: bool
) -> None:
    terms = progressive_terms() if offers else house(MA_UTH, offered=[]).terms()
    found = list(wrongs(UTH, placed, terms))
    order = [PRECEDENCE.index(each.code) for each in found]
    assert order == sorted(order)
    if found:
        with pytest.raises(Refused) as refused:
            verify(UTH, placed, terms)
        assert str(refused.value) == str(found[0])
    else:
        verify(UTH, placed, terms)
    lawful = (
        placed.get("ante") in (500, 50_000)
        and placed.get("blind") == placed["ante"]
        and "insurance" not in placed
        and all(not placed.get(w) or offers for w in ("trips", "cover all", "progressive"))
        and all(placed.get(w, 0) in (0, 100, 101, 499, 500, 501) for w in ("trips", "cover all"))
        and (
            not placed.get("progressive") or (placed["progressive"] == 500 and placed.get("trips"))
        )
    )
    assert bool(found) != bool(lawful)


# --- Ultimate Texas Hold'em, both books -----------------------------------------------------


@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("name", ["play", "insurance"])
def test_only_wagers_of_the_layout_are_placed_before_the_deal(book: str, name: str) -> None:
    cite = under(book, 'NJ 19:47-32.1 "Ante"')
    assert refusal(book, {**main(), name: 500}) == ("WAGER_UNKNOWN", cite)


@pytest.mark.parametrize("book", UTH_BOOKS)
def test_a_wager_the_table_does_not_offer_is_refused(book: str) -> None:
    cite = under(book, 'NJ 19:47-32.1 "Trips wager"')
    assert refusal(book, main(trips=500), offered=[]) == ("WAGER_NOT_OFFERED", cite)
    assert refusal(book, main(trips=500), offered=["trips"]) == ("", "")
    assert refusal(book, main(), offered=[]) == ("", "")


@pytest.mark.parametrize("name", ["cover all", "progressive"])
def test_new_jersey_knows_neither_cover_all_nor_a_progressive(name: str) -> None:
    code, cite = refusal(NJ_UTH, {**main(), name: 500})
    assert code in ("WAGER_UNKNOWN", "WAGER_NOT_OFFERED")
    assert cite.startswith("NJ 19:47-32.")  # no table is refused by another state's law


@pytest.mark.twins("NJ 19:47-32.6(c)")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_6_c__trips_is_made_only_beside_ante_and_blind(book: str) -> None:
    refused = ("WAGER_NEEDS_ANOTHER", under(book, "NJ 19:47-32.6(c)"))
    assert refusal(book, {"trips": 500}) == refused
    assert refusal(book, {"ante": 500, "trips": 500}) == refused
    assert refusal(book, {"blind": 500, "trips": 500}) == refused
    assert refusal(book, main(trips=500)) == ("", "")


@pytest.mark.twins('NJ 19:47-32.1 "Ante"', 'NJ 19:47-32.1 "Blind"')
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_32_1__ante_and_blind_are_both_required_and_equal_to_the_cent(book: str) -> None:
    ante, blind = (under(book, f'NJ 19:47-32.1 "{name}"') for name in ("Ante", "Blind"))
    assert refusal(book, {"blind": 500}) == ("WAGER_REQUIRED", ante)
    assert refusal(book, {"ante": 500}) == ("WAGER_REQUIRED", blind)
    assert refusal(book, {}) == ("WAGER_REQUIRED", ante)
    assert refusal(book, {"ante": 500, "blind": 499}) == ("WAGERS_MUST_BE_EQUAL", blind)
    assert refusal(book, {"ante": 500, "blind": 501}) == ("WAGERS_MUST_BE_EQUAL", blind)
    assert refusal(book, {"ante": 500, "blind": 500}) == ("", "")


@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("ante", [499, 500, 50_000, 50_001])
def test_the_ante_is_at_least_the_posted_minimum_and_at_most_the_maximum(
    book: str, ante: int
) -> None:
    outside = ("WITHIN_POSTED_LIMITS", under(book, 'NJ 19:47-32.1 "Ante"'))
    assert refusal(book, main(ante)) == (("", "") if ante in (500, 50_000) else outside)


@pytest.mark.ruling("U10")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize("trips", [99, 100, 101, 777, 10_000, 10_001])
def test_u10__trips_is_any_amount_within_its_own_limits_whatever_the_ante(
    book: str, trips: int
) -> None:
    outside = ("WITHIN_POSTED_LIMITS", under(book, 'NJ 19:47-32.1 "Trips wager"'))
    expected = ("", "") if 100 <= trips <= 10_000 else outside
    assert refusal(book, main(500, trips=trips)) == expected
    assert refusal(book, main(50_000, trips=trips)) == expected


@pytest.mark.ruling("K11")
@pytest.mark.twins("NJ 19:47-32.11(c)")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_k11__a_blind_of_odd_cents_could_not_be_paid_3_to_2_and_is_refused(book: str) -> None:
    refused = ("MUST_BE_PAYABLE_EXACTLY", under(book, "NJ 19:47-32.11(c)"))
    assert [refusal(book, main(cents)) for cents in (500, 501, 502)] == [
        ("", ""),
        refused,
        ("", ""),
    ]


@pytest.mark.ruling("K11")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_k11__a_houses_own_trips_line_of_halves_refuses_odd_cents_too(book: str) -> None:
    pay = {"trips": {"straight": "9 to 2"}}
    refused = ("MUST_BE_PAYABLE_EXACTLY", under(book, "NJ 19:47-32.11(d)"))
    assert refusal(book, main(trips=101), pay=pay) == refused
    assert refusal(book, main(trips=102), pay=pay) == ("", "")
    assert refusal(book, main(trips=101)) == ("", "")


# --- Massachusetts only ---------------------------------------------------------------------


@pytest.mark.clause("MA UTH 13(a)")
@pytest.mark.ruling("M4")
def test_13_a__cover_all_is_placed_before_the_deal_beside_ante_and_blind() -> None:
    needs = ("WAGER_NEEDS_ANOTHER", "MA UTH 13(a)")
    assert refusal(MA_UTH, {"cover all": 500}) == needs
    assert refusal(MA_UTH, {"ante": 500, "cover all": 500}) == needs
    assert refusal(MA_UTH, main(cover_all=500)) == ("", "")
    assert refusal(MA_UTH, main(cover_all=500), offered=["trips"]) == (
        "WAGER_NOT_OFFERED",
        "MA UTH 13(a)",
    )


@pytest.mark.clause("MA UTH 14(a)", "MA UTH 14(b)")
@pytest.mark.ruling("M5")
def test_14_a_b__the_progressive_is_exactly_five_dollars_beside_ante_blind_and_trips() -> None:
    terms = progressive_terms()

    def first(placed: Placed) -> str:
        return next((f"{r.code} {r.clause}" for r in wrongs(UTH, placed, terms)), "")

    assert first(main(trips=100, progressive=499)) == "AMOUNT_IS_FIXED MA UTH 14(a)"
    assert first(main(trips=100, progressive=500)) == ""
    assert first(main(trips=100, progressive=501)) == "AMOUNT_IS_FIXED MA UTH 14(a)"
    assert first(main(progressive=500)) == "WAGER_NEEDS_ANOTHER MA UTH 14(b)"
    assert first({"progressive": 500}) == "WAGER_NEEDS_ANOTHER MA UTH 14(b)"
    assert refusal(MA_UTH, main(trips=100, progressive=500)) == (
        "WAGER_NOT_OFFERED",
        "MA UTH 14(a)",
    )  # off unless the house supplies one


# --- the other games ------------------------------------------------------------------------


@pytest.mark.clause("NJ 19:47-16.6(c)")
@pytest.mark.ruling("S5")
def test_16_6_c__the_progressive_is_exactly_one_dollar_and_needs_an_ante() -> None:
    fixed = ("AMOUNT_IS_FIXED", "NJ 19:47-16.6(c)")
    assert refusal(CARIBBEAN, {"ante": 500, "progressive": 99}) == fixed
    assert refusal(CARIBBEAN, {"ante": 500, "progressive": 100}) == ("", "")
    assert refusal(CARIBBEAN, {"ante": 500, "progressive": 101}) == fixed
    assert refusal(CARIBBEAN, {"progressive": 100}) == ("WAGER_NEEDS_ANOTHER", "NJ 19:47-16.6(c)")
    assert refusal(CARIBBEAN, {"ante": 499}) == ("WITHIN_POSTED_LIMITS", "NJ 19:47-16.6(b)")
    assert refusal(CARIBBEAN, {"ante": 500, "bet": 1_000})[0] == "WAGER_UNKNOWN"


@pytest.mark.clause("NJ 19:47-18.6(d)")
def test_18_6_d__three_bets_are_required_and_equal() -> None:
    def bets(*cents: int, **more: int) -> tuple[str, str]:
        placed = {f"bet {n}": amount for n, amount in enumerate(cents, 1)}
        return refusal(RIDE, placed)

    assert bets(500, 500, 500) == ("", "")
    assert bets(500, 500) == ("WAGER_REQUIRED", "NJ 19:47-18.6(d)")
    assert bets() == ("WAGER_REQUIRED", "NJ 19:47-18.6(d)")
    assert bets(500, 501, 500) == ("WAGERS_MUST_BE_EQUAL", "NJ 19:47-18.6(d)")
    assert bets(501, 501, 500) == ("WAGERS_MUST_BE_EQUAL", "NJ 19:47-18.6(d)")
    assert bets(499, 499, 499) == ("WITHIN_POSTED_LIMITS", "NJ 19:47-18.6(d)")


THREE_BETS = {"bet 1": 500, "bet 2": 500, "bet 3": 500}


@pytest.mark.clause("NJ 19:47-18.6A(a)", "NJ 19:47-18.6A(b)")
def test_18_6a_b__the_bonus_is_one_dollar_where_offered_and_beside_three_bets() -> None:
    bonus = "let it ride bonus"
    cite = "NJ 19:47-18.6A(b)"
    assert refusal(RIDE, {**THREE_BETS, bonus: 99}) == ("AMOUNT_IS_FIXED", cite)
    assert refusal(RIDE, {**THREE_BETS, bonus: 100}) == ("", "")
    assert refusal(RIDE, {**THREE_BETS, bonus: 101}) == ("AMOUNT_IS_FIXED", cite)
    assert refusal(RIDE, {"bet 1": 500, "bet 3": 500, bonus: 100}) == ("WAGER_NEEDS_ANOTHER", cite)
    assert refusal(RIDE, {**THREE_BETS, bonus: 100}, offered=[]) == (
        "WAGER_NOT_OFFERED",
        cite.replace("(b)", "(a)"),
    )


@pytest.mark.clause("NJ 19:47-18.6B(a)", "NJ 19:47-18.6B(b)")
def test_18_6b_b__the_three_card_bonus_is_made_where_offered_and_beside_three_bets() -> None:
    bonus = "three card bonus"
    cite = "NJ 19:47-18.6B(b)"
    assert refusal(RIDE, {**THREE_BETS, bonus: 777}) == ("", "")
    assert refusal(RIDE, {"bet 1": 500, bonus: 100}) == ("WAGER_NEEDS_ANOTHER", cite)
    assert refusal(RIDE, {**THREE_BETS, bonus: 100}, offered=[]) == (
        "WAGER_NOT_OFFERED",
        cite.replace("(b)", "(a)"),
    )
    assert refusal(RIDE, {**THREE_BETS, bonus: 99}) == ("WITHIN_POSTED_LIMITS", cite)


@pytest.mark.clause(
    "NJ 13:69F-39.3(a)", 'NJ 13:69F-39.1 "Ante wager"', 'NJ 13:69F-39.1 "5 card bonus wager"'
)
def test_39_3_a__ante_and_5_card_bonus_are_required_and_equal_and_the_3_card_bonus_optional() -> (
    None
):
    five = 'NJ 13:69F-39.1 "5 card bonus wager"'
    ante = 'NJ 13:69F-39.1 "Ante wager"'
    both = {"ante": 500, "5 card bonus": 500}
    assert refusal(PIK_IT, both) == ("", "")
    assert refusal(PIK_IT, {**both, "3 card bonus": 100}) == ("", "")
    assert refusal(PIK_IT, {"ante": 500}) == ("WAGER_REQUIRED", five)
    assert refusal(PIK_IT, {"5 card bonus": 500}) == ("WAGER_REQUIRED", ante)
    assert refusal(PIK_IT, {"ante": 500, "5 card bonus": 501}) == ("WAGERS_MUST_BE_EQUAL", five)
    assert refusal(PIK_IT, {"ante": 500, "3 card bonus": 100}) == (
        "WAGER_NEEDS_ANOTHER",
        "NJ 13:69F-39.3(a)",
    )
    assert refusal(PIK_IT, {"ante": 499, "5 card bonus": 499}) == ("WITHIN_POSTED_LIMITS", ante)


@pytest.mark.clause('NJ 13:69F-39.1 "3 card bonus wager"')
def test_39_1__the_3_card_bonus_has_its_own_limits_and_may_be_withheld_by_the_house() -> None:
    both = {"ante": 500, "5 card bonus": 500}
    cite = 'NJ 13:69F-39.1 "3 card bonus wager"'
    for cents, code in ((99, "WITHIN_POSTED_LIMITS"), (100, ""), (10_000, "")):
        expected = (code, cite if code else "")
        assert refusal(PIK_IT, {**both, "3 card bonus": cents}) == expected
    assert refusal(PIK_IT, {**both, "3 card bonus": 100}, offered=[]) == ("WAGER_NOT_OFFERED", cite)
