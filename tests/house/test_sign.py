"""The signs a table must hang: what each book asks, in the words it allows."""

from __future__ import annotations

import re

import pytest

from croupier.games import pik_it
from croupier.house.sign import notices
from croupier.house.submission import read_data

NJ = "nj-ultimate-texas-holdem"
MA = "ma-ultimate-texas-holdem"
CARIBBEAN = "nj-caribbean-stud"
RIDE = "nj-let-it-ride"
PIK_IT = "nj-pik-it-poker"
RULEBOOKS = (NJ, MA, CARIBBEAN, RIDE, PIK_IT)

PAID = re.compile(
    r"(\d[\d,]* to \d+|win \$[\d,.]+|win \d+ % of the meter|push)"
)  # the only words an award may use
MA_PROGRESSIVE = {
    "offered": ["trips", "cover-all", "progressive"],
    "progressive": {"meter": 10_000, "seed": 10_000, "contribution": 4},
    "pay": {"progressive": {"royal-flush": "100 %", "full-house": "$300", "straight": "9 to 1"}},
}


def sign(book: str, **changes: object) -> dict[str, tuple[tuple[str, ...], str]]:
    """Title -> its lines and the clause that asks for them."""
    found = list(notices(read_data({"rulebook": book, **changes})))
    titles = [notice.title for notice in found]
    assert len(titles) == len(set(titles)) or book == MA  # which has two payout limits
    return {notice.title: (notice.lines, notice.clause.id) for notice in found}


def every_line(book: str, **changes: object) -> list[str]:
    house = read_data({"rulebook": book, **changes})
    return [text for notice in notices(house) for text in (notice.title, *notice.lines)]


@pytest.mark.twins("NJ 19:47-32.11(a)")
@pytest.mark.ruling("K3")
@pytest.mark.parametrize("book", RULEBOOKS)
def test_32_11_a__no_sign_ever_says_for(book: str) -> None:
    changes = MA_PROGRESSIVE if book == MA else {}
    lines = every_line(book, match_play=book != RIDE, **changes)
    assert len(lines) > 10
    assert [line for line in lines if re.search(r"\bfor\b", line, re.IGNORECASE)] == []


@pytest.mark.twins("NJ 19:47-32.11(a)")
@pytest.mark.ruling("K3")
@pytest.mark.parametrize(
    ("book", "lines"), [(NJ, 15), (MA, 15 + 24 + 3), (CARIBBEAN, 16), (RIDE, 21), (PIK_IT, 15)]
)
def test_32_11_a__every_award_is_stated_with_to_or_win(book: str, lines: int) -> None:
    changes = MA_PROGRESSIVE if book == MA else {}
    house = read_data({"rulebook": book, **changes})
    stated = [line.partition(": ")[2] for n in notices(house) for line in n.lines if ": " in line]
    stated += [line for n in notices(house) for line in n.lines if line == "1 to 1"]
    stated = [award for award in stated if not award.endswith("the ante")]  # a multiple
    stated = [award for award in stated if award != "the ante is returned"]
    assert all(PAID.fullmatch(award) for award in stated), stated
    assert len(stated) == lines


@pytest.mark.parametrize(
    ("book", "wording"),
    [
        (NJ, "NJ 19:47-32.11(a)"),
        (MA, "MA UTH 11(a)"),
        (CARIBBEAN, "SUPPLIED S2.10(a)"),
        (RIDE, "NJ 19:47-18.11(a)"),
        (PIK_IT, "NJ 13:69E-1.13Y(b)4"),
    ],
)
@pytest.mark.twins("NJ 19:47-32.11(a)")
@pytest.mark.clause("NJ 13:69E-1.13Y(b)4")
def test_a_sign_is_headed_by_the_licensees_name_and_the_game(book: str, wording: str) -> None:
    title = read_data({"rulebook": book}).game.title
    assert sign(book, name="Boardwalk Club")["Boardwalk Club"] == ((title,), wording)


def test_32_11__ultimate_texas_holdems_sign() -> None:
    found = sign(NJ, pay={"trips": "D"}, limits={"ante": [10, "99.50"]})
    assert found["Ante: limits"] == (("$10 to $99.50",), 'NJ 19:47-32.1 "Ante"')
    assert found["Ante and play"] == (("1 to 1",), "NJ 19:47-32.11(a)")
    assert found["Blind"] == (
        (
            "Royal flush: 500 to 1",
            "Straight flush: 50 to 1",
            "Four-of-a-kind: 10 to 1",
            "Full house: 3 to 1",
            "Flush: 3 to 2",
            "Straight: 1 to 1",
            "Less than a straight: push",
        ),
        "NJ 19:47-32.11(c)",
    )
    assert found["Trips"][0][2:4] == ("Four-of-a-kind: 20 to 1", "Full house: 7 to 1")
    assert found["Dealer's qualifying hand"] == (
        ("Dealer below a pair: the ante is returned",),
        "NJ 19:47-32.10(g)",
    )
    assert found["Payout limit per hand"] == (
        ("Ante, play, blind and trips together win at most $50,000",),
        "NJ 19:47-32.11(e)",
    )
    assert not any(title.startswith("Cover all") for title in found)


def test_a_wager_not_on_offer_is_not_on_the_sign() -> None:
    found = sign(NJ, offered=[])
    assert "Trips" not in found
    assert "Trips: limits" not in found
    assert "Progressive: wager" not in sign(CARIBBEAN, offered=[])
    assert "Let it ride bonus: wager" not in sign(RIDE, offered=["three-card"])


@pytest.mark.parametrize(
    ("book", "fixed"),
    [
        (NJ, {}),
        (CARIBBEAN, {"Progressive: wager": "exactly $1"}),
        (RIDE, {"Let it ride bonus: wager": "exactly $1"}),
        (PIK_IT, {}),
    ],
)
def test_only_a_wager_the_law_fixes_is_posted_with_its_amount(
    book: str, fixed: dict[str, str]
) -> None:
    posted = {title: lines for title, (lines, _) in sign(book).items()}
    found = {title: lines[0] for title, lines in posted.items() if title.endswith(": wager")}
    assert found == fixed


@pytest.mark.clause("MA UTH 13(c)", "MA UTH 13(f)", "MA UTH 13(k)")
@pytest.mark.ruling("M2")
@pytest.mark.parametrize(
    ("hands", "odds"),
    [
        (2, (200, 100, 70, 12)),
        (3, (150, 80, 50, 8)),
        (4, (125, 70, 40, 6)),
        (5, (100, 40, 35, 5)),
        (6, (80, 40, 30, 4)),
        (7, (70, 30, 20, 4)),
    ],
)
def test_ma_13_c__cover_all_is_posted_by_the_number_of_hands_with_the_dealers(
    hands: int, odds: tuple[int, ...]
) -> None:
    royal, straight_flush, quads, full_house = odds
    assert sign(MA)[f"Cover all, {hands} hands with the dealer's"] == (
        (
            f"Royal flush: {royal} to 1",
            f"Straight flush: {straight_flush} to 1",
            f"Four-of-a-kind: {quads} to 1",
            f"Full house: {full_house} to 1",
        ),
        "MA UTH 13(c)",
    )


@pytest.mark.clause("MA UTH 14(a)")
@pytest.mark.ruling("M5")
def test_ma_14__the_progressive_is_posted_with_its_amount_and_the_houses_lines() -> None:
    found = sign(MA, **MA_PROGRESSIVE)
    assert found["Progressive: wager"] == (("exactly $5",), "MA UTH 14(a)")
    assert found["Progressive"][0] == (
        "Royal flush: win 100 % of the meter",
        "Full house: win $300",
        "Straight: 9 to 1",
    )


@pytest.mark.clause("MA UTH 14(d)")
@pytest.mark.ruling("M6")
def test_ma_14_d__both_payout_limits_are_posted() -> None:
    lines = every_line(MA)
    assert "Ante, play, blind and trips together win at most $50,000" in lines
    assert "Ante, play, blind, trips and cover all together win at most $75,000" in lines


@pytest.mark.ruling("S2", "S5")
def test_s2__caribbean_studs_sign_cites_the_supplied_rules_as_supplied() -> None:
    found = sign(CARIBBEAN)
    assert found["Bet"][1] == "SUPPLIED S2.5(b)"
    assert found["Bet"][0][0] == "Royal flush: 100 to 1"
    assert found["Progressive: wager"] == (("exactly $1",), "NJ 19:47-16.6(c)")
    assert found["Progressive"] == (
        (
            "Royal flush: win 100 % of the meter",
            "Straight flush: win 10 % of the meter",
            "Four-of-a-kind: win $500",
            "Full house: win $100",
            "Flush: win $50",
        ),
        "SUPPLIED S2.8(a)",
    )
    assert found["Payout limit per hand"] == (
        ("Ante and bet together win at most $5,000",),
        "SUPPLIED S2.6(a)",
    )


@pytest.mark.clause("NJ 19:47-18.6A(c)", "NJ 19:47-18.11(d)", "NJ 19:47-18.11(c)")
@pytest.mark.ruling("L6")
def test_18_11__let_it_rides_sign_states_sums_and_a_limit_only_where_there_is_one() -> None:
    found = sign(RIDE)
    assert found["Bets 1, 2 and 3, each: limits"] == (("$5 to $500",), "NJ 19:47-18.6(d)")
    assert found["Bets 1, 2 and 3"][0][0] == "Royal flush: 1,000 to 1"
    assert found["Bonus"][0] == (
        "Royal flush: win $25,000",
        "Straight flush: win $2,500",
        "Four-of-a-kind: win $400",
        "Full house: win $200",
        "Flush: win $50",
        "Straight: win $25",
        "Three-of-a-kind: win $5",
    )
    assert "Payout limit per hand" not in found
    assert sign(RIDE, payout_limit=60_000)["Payout limit per hand"] == (
        ("Bet 1, bet 2 and bet 3 together win at most $60,000",),
        "NJ 19:47-18.11(c)",
    )


# --- Pik-It: 1.13Y --------------------------------------------------------------------------


@pytest.mark.clause("NJ 13:69E-1.13Y(b)3", "NJ 13:69E-1.13Y(c)")
def test_1_13y_b_3_c__odds_of_every_wager_are_posted() -> None:
    found = sign(PIK_IT, pay={"five-card-bonus": "2", "three-card-bonus": "3"})
    assert found["Ante, play 3 and play 5"] == (("1 to 1",), "NJ 13:69E-1.13Y(b)3")
    assert found["Five card bonus"] == (
        (
            "Royal flush: 750 to 1",
            "Straight flush: 250 to 1",
            "Four-of-a-kind: 50 to 1",
            "Full house: 10 to 1",
            "Flush: 6 to 1",
            "Straight: 4 to 1",
            "Three-of-a-kind: 2 to 1",
            "Two pair: 1 to 1",
        ),
        "NJ 13:69E-1.13Y(c)",
    )
    assert found["Three card bonus"][0][:2] == ("Royal flush: 80 to 1", "Straight flush: 35 to 1")
    assert found["Three card bonus"][1] == "NJ 13:69E-1.13Y(c)"


@pytest.mark.clause("NJ 13:69E-1.13Y(d)", "NJ 13:69E-1.13Y(d)1")
@pytest.mark.ruling("P1")
def test_1_13y_d_1__the_sign_says_how_many_antes_play_3_and_play_5_are() -> None:
    found = sign(PIK_IT, multiples={"play-3": 1, "play-5": 2})
    assert found["Play wagers"] == (
        ("Play 3: equal to the ante", "Play 5: two times the ante"),
        "NJ 13:69E-1.13Y(d)1",
    )


@pytest.mark.clause("NJ 13:69E-1.13Y(d)2", "NJ 13:69E-1.13Y(d)2i", "NJ 13:69E-1.13Y(d)2ii")
def test_1_13y_d_2__two_more_notices_where_the_dealer_must_qualify_and_only_there() -> None:
    with_qualifier = sign(PIK_IT, qualifier=True)
    assert with_qualifier["Dealer's qualifying hand"] == (
        ("The dealer qualifies with ace, king, four, three, two or better",),
        "NJ 13:69E-1.13Y(d)2i",
    )
    assert with_qualifier["Play 3"] == (
        ("Dealer qualification has no bearing on a play 3 wager",),
        "NJ 13:69E-1.13Y(d)2ii",
    )
    without = sign(PIK_IT, qualifier=False)
    assert set(with_qualifier) - set(without) == {"Dealer's qualifying hand", "Play 3"}


@pytest.mark.clause(
    "NJ 13:69E-1.13Y(b)1i",
    "NJ 13:69E-1.13Y(b)1ii",
    "NJ 13:69E-1.13Y(b)1iii",
    "NJ 13:69E-1.13Y(b)1iv",
    "NJ 13:69E-1.13Y(b)1v",
)
def test_1_13y_b_1__every_wager_of_pik_it_has_its_own_area() -> None:
    assert {name: cite.id for name, cite in pik_it.GAME.areas.items()} == {
        "ante": "NJ 13:69E-1.13Y(b)1i",
        "5 card bonus": "NJ 13:69E-1.13Y(b)1ii",
        "3 card bonus": "NJ 13:69E-1.13Y(b)1iii",
        "play 3": "NJ 13:69E-1.13Y(b)1iv",
        "play 5": "NJ 13:69E-1.13Y(b)1v",
    }
    assert {w.name for w in pik_it.GAME.wagers} == set(pik_it.GAME.areas)
