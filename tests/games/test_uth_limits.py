"""Ultimate Texas Hold'em: the payout limits of 32.11(e) and MA 14(d)."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import (
    MA_UTH,
    NJ_UTH,
    UTH_BOOKS,
    house,
    progressive_terms,
    terms_of,
    told,
    uth,
    withheld,
)

from croupier.house.check import check

ROYAL = ("As Ks", "4h 4d", "Qs Js Ts 2d 3c")
LIMITS = {NJ_UTH: "NJ 19:47-32.11(e)", MA_UTH: "MA UTH 11(e)"}


def limits(book: str, **changes: Any) -> list[tuple[int, str]]:
    """Each payout limit of this house, in cents, with its clause."""
    return [(each.cents, each.cite.id) for each in terms_of(book, **changes).payout_limits]


# --- how high the limit is -------------------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.11(e)")
@pytest.mark.ruling("K10", "H5")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("offered", "ante", "trips", "cents"),
    [
        (["trips"], [5, 500], [1, 100], 5_000_000),
        ([], [99, 500], [1, 100], 5_000_000),  # 99 x 505 = 49,995, below
        (["trips"], [99, 500], ["0.10", 100], 5_000_000),  # 49,995 + 50 x 0.10, exactly on it
        (["trips"], [99, 500], ["0.11", 100], 5_000_050),  # above by 50 cents
        (["trips"], [99, 500], [1, 100], 5_004_500),
        ([], [100, 500], [1, 100], 5_050_000),  # trips is not offered and does not count
    ],
)
def test_k10__the_limit_is_50_000_or_the_best_round_at_the_minimum_whichever_is_greater(
    book: str, offered: list[str], ante: list[int], trips: list[Any], cents: int
) -> None:
    posted = {"ante": ante, "trips": trips}
    assert limits(book, offered=offered, limits=posted)[0] == (cents, LIMITS[book])


@pytest.mark.ruling("H3")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("posted", "legal"), [("49999.99", False), ("50000", True), ("50000.01", True)]
)
def test_h3__a_house_may_post_at_least_the_limit_of_the_law_never_less(
    book: str, posted: str, legal: bool
) -> None:
    assert check(house(book, payout_limit=posted)).legal is legal
    cents = 5_000_001 if posted == "50000.01" else 5_000_000
    assert limits(book, payout_limit=posted)[0] == (cents, LIMITS[book])


@pytest.mark.clause("NJ 19:47-32.11(e)")
@pytest.mark.ruling("K10")
def test_k10__the_best_round_at_the_minimum_may_lie_on_a_line_below_the_royal_flush() -> None:
    """A house that pays 1,000 to 1 trips on a straight flush: 5 x 5 + 50 x 5 + 1,000 x 100."""
    (limit,) = limits(
        NJ_UTH,
        limits={"ante": [5, 500], "trips": [100, 500]},
        pay={"trips": {"straight-flush": "1,000 to 1"}},
    )
    assert limit == (10_027_500, "NJ 19:47-32.11(e)")


# --- what it holds back ----------------------------------------------------------------------


@pytest.mark.twins("NJ 19:47-32.11(e)")
@pytest.mark.ruling("K10")
@pytest.mark.parametrize("book", UTH_BOOKS)
@pytest.mark.parametrize(
    ("posted", "held"),
    [
        ("50550.01", {}),
        ("50550", {}),  # reached exactly
        ("50549.99", {"trips": 1}),  # exceeded by a cent
        ("50500", {"trips": 5_000}),
        ("50499.99", {"trips": 5_000, "blind": 1}),
        ("50000", {"trips": 5_000, "blind": 50_000}),
    ],
)
def test_k10__a_royal_at_a_hundred_dollars_loses_its_excess_from_trips_then_blind(
    book: str, posted: str, held: dict[str, int]
) -> None:
    """Ante 100, play 400, blind 50,000 and trips 50 at 1 dollar: 50,550 in all."""
    terms = terms_of(book, payout_limit=posted)
    settled = uth(*ROYAL, terms=terms, ante=100, play=4, trips=1)
    assert withheld(settled) == held
    assert sum(s.win for s in settled) == 5_055_000 - sum(held.values())


@pytest.mark.twins("NJ 19:47-32.11(e)")
@pytest.mark.ruling("K10")
@pytest.mark.parametrize("book", UTH_BOOKS)
def test_k10__a_cut_wager_names_the_limit_of_its_own_book(book: str) -> None:
    settled = uth(*ROYAL, book=book, ante=500, play=4)
    assert told(settled) == "ante won 500, play won 2000, blind won 47500"
    assert settled[-1].reason.endswith(f"holds back $202,500 [{LIMITS[book]}].")
    assert settled[-1].net == 4_750_000  # the stake comes back uncut


# --- Massachusetts: 14(d) --------------------------------------------------------------------


def test_new_jersey_has_one_limit_and_massachusetts_two() -> None:
    assert len(limits(NJ_UTH)) == 1
    assert limits(MA_UTH) == [(5_000_000, "MA UTH 11(e)"), (7_500_000, "MA UTH 14(d)")]


@pytest.mark.clause("MA UTH 14(d)", "MA UTH 11(e)")
@pytest.mark.ruling("M6")
@pytest.mark.parametrize(
    ("cover_all", "posted", "held"),
    [
        (124, "50000", {"trips": 5_000, "blind": 50_000}),  # 50,000 + 24,800
        (125, "50000", {"trips": 5_000, "blind": 50_000}),  # 75,000 exactly
        (125, "50000.01", {"trips": 5_000, "blind": 49_999, "cover all": 1}),
        (126, "50000", {"trips": 5_000, "blind": 50_000, "cover all": 20_000}),
        (1, "50550", {}),
    ],
)
def test_m6__11_e_caps_four_wagers_then_75_000_caps_them_with_cover_all(
    cover_all: int, posted: str, held: dict[str, int]
) -> None:
    """The royal of 50,550 again; two hands pay Cover All 200 to 1."""
    terms = terms_of(MA_UTH, payout_limit=posted, limits={"cover-all": [1, 500]})
    settled = uth(*ROYAL, terms=terms, ante=100, play=4, trips=1, cover_all=cover_all)
    assert withheld(settled) == held
    assert sum(s.win for s in settled) <= 7_500_000


@pytest.mark.clause("MA UTH 14(d)")
@pytest.mark.ruling("M6")
def test_m6__a_best_round_above_75_000_still_ends_at_75_000() -> None:
    """At a minimum of 200 dollars 11(e) would allow 200 x 505 + 50 = 101,050."""
    terms = terms_of(MA_UTH, limits={"ante": [200, 500]})
    settled = uth(*ROYAL, terms=terms, ante=200, play=4, trips=1)
    assert sum(s.win for s in settled) == 7_500_000
    assert withheld(settled) == {"trips": 5_000, "blind": 2_600_000}


@pytest.mark.clause("MA UTH 14(d)", "MA UTH 14(c)")
@pytest.mark.ruling("M6", "M5")
def test_m6__the_progressive_is_outside_both_limits() -> None:
    terms = progressive_terms(limits={"cover-all": [1, 500]})
    settled = uth(*ROYAL, terms=terms, ante=500, play=4, trips=5, cover_all=500, progressive=5)
    wins = {s.wager: s.win for s in settled}
    assert wins.pop("progressive") == 10_000_000
    assert sum(wins.values()) == 7_500_000
