"""Money in whole cents, and what a winning wager is paid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.law.refused import Refused
from croupier.rules.money import dollars, in_dollars, read_dollars
from croupier.rules.odds import Award, Odds, Share, Sum, at_least, read_award, to
from croupier.rules.settlement import payment


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("5", 500),
        ("$5", 500),
        ("12.50", 1_250),
        ("12.5", 1_250),
        ("0.01", 1),
        ("$2,500", 250_000),
        (" $ 1,000,000.99 ", 100_000_099),
    ],
)
def test_money_is_read_as_whole_cents(text: str, cents: int) -> None:
    assert read_dollars(text) == cents


@pytest.mark.parametrize(
    "text", ["", "five", "12.505", "1,5", "12,34,567", "-5", "5.", ".5", "1e3", "9" * 5_000]
)
def test_what_is_not_dollars_and_whole_cents_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="The tip"):
        read_dollars(text, "The tip")


@pytest.mark.parametrize(
    ("cents", "text"),
    [(500, "$5"), (125_050, "$1,250.50"), (-300, "-$3"), (7, "$0.07"), (0, "$0"), (-5, "-$0.05")],
)
def test_money_is_written_as_dollars(cents: int, text: str) -> None:
    assert in_dollars(cents) == text


@settings(deadline=None)
@given(cents=st.integers(0, 10**12))
def test_money_written_reads_back(cents: int) -> None:
    assert read_dollars(in_dollars(cents)) == cents
    assert dollars(cents) == cents * 100


@pytest.mark.ruling("K11")
def test_k11__three_to_two_is_exact_on_even_cents_and_never_rounded_on_odd_ones() -> None:
    odds = to(3, 2)
    assert [odds.exact_on(cents) for cents in (499, 500, 501)] == [False, True, False]
    assert (odds.on(500), odds.on(502), odds.on(2)) == (750, 753, 3)
    with pytest.raises(AssertionError):
        odds.on(501)


@pytest.mark.ruling("K3")
@pytest.mark.parametrize(
    ("award", "amount", "win"),
    [
        (to(1), 500, 500),
        (to(3, 2), 500, 750),
        (to(1_000), 1, 1_000),
        (Sum(2_500), 100, 2_500),
        (Sum(2_500), 700, 2_500),
        (Share(100), 100, 1_000_001),
        (Share(10), 100, 100_000),
    ],
)
def test_k3__odds_pay_beside_the_stake_a_sum_pays_itself_a_share_pays_of_the_meter(
    award: Award, amount: int, win: int
) -> None:
    assert payment(award, amount, meter=1_000_001) == win


@pytest.mark.ruling("H2")
def test_h2__a_shared_meter_pays_whole_cents_and_the_odd_cent_stays_on_it() -> None:
    assert Share(100).of(1_000_001, 2) == 500_000  # one cent of 1,000,001 stays
    assert Share(100).of(1_000_000, 3) == 333_333
    assert Share(10).of(1_000_009) == 100_000
    assert Share(10).of(1_000_009, 3) == 33_333


@pytest.mark.parametrize(
    ("text", "award"),
    [
        ("3 to 2", Odds(3, 2)),
        ("3:2", Odds(3, 2)),
        ("3/2", Odds(3, 2)),
        ("500", Odds(500, 1)),
        ("1,000 to 1", Odds(1_000, 1)),
        ("$2,500", Sum(250_000)),
        ("$0.50", Sum(50)),
        ("10 %", Share(10)),
        ("100%", Share(100)),
        ("10 % of the meter", Share(10)),
    ],
)
def test_an_award_is_read_as_odds_a_sum_or_a_share(text: str, award: Award) -> None:
    assert read_award(text) == award
    assert read_award(str(award)) == award


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 for 2",
        "3 to 0",
        "even",
        "-1",
        "1.5",
        "101 %",
        "$",
        "$1.005",
        ",",
        "1,5 to 1",
        "9" * 5_000,
    ],
)
def test_what_is_no_award_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_award(text)


@pytest.mark.ruling("U9")
@pytest.mark.parametrize(
    ("award", "minimum", "enough"),
    [
        (to(6, 1), to(7), False),
        (to(7, 1), to(7), True),
        (to(14, 2), to(7), True),
        (to(15, 2), to(7), True),
        (to(13, 2), to(7), False),
        (Sum(499), Sum(500), False),
        (Sum(500), Sum(500), True),
        (Sum(501), Sum(500), True),
        (Share(9), Share(10), False),
        (Share(10), Share(10), True),
        (Sum(10**9), to(1), False),
        (to(10**9), Sum(1), False),
    ],
)
def test_u9__no_less_than_means_below_fails_and_on_or_above_passes(
    award: Award, minimum: Award, enough: bool
) -> None:
    assert at_least(award, minimum) is enough
