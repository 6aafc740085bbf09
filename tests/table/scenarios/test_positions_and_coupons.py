"""How many positions one player may hold (32.12 and twins, L10, P12, S6), and match play (K5)."""

from __future__ import annotations

import pytest
from scenario import BETS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, cited, play

# --- how many positions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        (NJ_UTH, "NJ 19:47-32.12"),
        (MA_UTH, "MA UTH 12"),
        (CARIBBEAN, "NJ 19:47-16.6(e)"),
        (RIDE, "NJ 19:47-18.6(e)"),
        (PIK_IT, "NJ 13:69F-39.3(e)"),
    ],
)
@pytest.mark.clause(
    "NJ 19:47-32.12", "MA UTH 12", "NJ 19:47-16.6(e)", "NJ 19:47-18.6(e)", "NJ 13:69F-39.3(e)"
)
@pytest.mark.ruling("S6", "L10", "P12")
def test_a_player_has_one_position_unless_the_house_permits_more(book: str, clause: str) -> None:
    play(
        book,
        f"""
        anna at 2: sit 500
        anna at 3: sit 500 -> refused: ONE_POSITION_EACH [{clause}]
        ben at 3: sit 500
        """,
    )


@pytest.mark.clause("NJ 19:47-18.6(e)", "NJ 19:47-18.6(d)")
@pytest.mark.ruling("L10")
def test_at_let_it_ride_two_adjacent_positions_each_have_their_own_three_bets() -> None:
    play(
        RIDE,
        """
        set adjacent = 2
        anna at 2: sit 500
        anna at 4: sit -> refused: POSITIONS_MUST_BE_ADJACENT [NJ 19:47-18.6(e)]
        anna at 3: sit
        anna at 4: sit -> refused: ONE_POSITION_EACH [NJ 19:47-18.6(e)]
        2: bets 10 10 10
        3: bets 20 20 20
        deal Tc Td 2h / 3c 4d 7s / Kd 9h 9s
        2: withdraw 1  -> seat 2 bet 1 returned 10
        3: ride 1
        2: ride 2
        3: withdraw 2  -> seat 3 bet 2 returned 20
        settle 3       -> bet 1 lost 20, bet 3 lost 20
        settle 2       -> bet 2 won 20, bet 3 won 20       # two pair: the nines and the tens
        2: net +40
        3: net -40
        2: chips 500
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.3(e)")
@pytest.mark.ruling("P12")
def test_at_pik_it_three_adjacent_positions_at_most() -> None:
    play(
        PIK_IT,
        """
        set adjacent = 3
        anna at 2: sit 500
        anna at 4: sit -> refused: POSITIONS_MUST_BE_ADJACENT [NJ 13:69F-39.3(e)]
        anna at 3: sit
        anna at 1: sit
        anna at 4: sit -> refused: ONE_POSITION_EACH [NJ 13:69F-39.3(e)]
        all: bets 10 10
        deal
        reveal seat 3
        3: fold
        2: fold
        1: fold
        auto           -> round over
        """,
    )


@pytest.mark.clause("NJ 13:69F-39.3(e)")
@pytest.mark.ruling("P12")
def test_at_pik_it_all_positions_wagered_in_a_round_are_adjacent() -> None:
    """Seats 1 and 3 alone are not, though the player holds seat 2 between them. Whether that is
    refused with the wager or when bets close is the table's affair."""
    refused = "refused: POSITIONS_MUST_BE_ADJACENT [NJ 13:69F-39.3(e)]"
    ways = (f"3: bets 10 10 -> {refused}", f"3: bets 10 10\nno more bets -> {refused}")
    start = "set adjacent = 3\nanna at 1: sit 500\nanna at 2: sit\nanna at 3: sit\n1: bets 10 10\n"
    held = []
    for way in ways:
        try:
            play(PIK_IT, start + way)
        except AssertionError:
            continue
        held.append(way)
    assert len(held) == 1


# --- match play -----------------------------------------------------------------------------


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH, CARIBBEAN, PIK_IT])
@pytest.mark.ruling("K5")
def test_a_coupon_needs_a_house_that_takes_it_and_chips_of_at_least_its_value(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.6(a)")
    bets = BETS[book]
    play(book, f"seats 1\n{bets}, coupon 10 -> refused: MATCH_PLAY_NOT_OFFERED [{clause}]")
    play(
        book,
        f"""
        set match_play = true
        seats 1
        {bets}, coupon 11 -> refused: MATCH_PLAY_NEEDS_CHIPS [{clause}]
        {bets}, coupon 10 -> wagers placed
        take back
        {bets}, coupon 9  -> wagers placed
        """,
    )


@pytest.mark.ruling("K5")
def test_a_coupon_goes_only_on_a_wager_paid_1_to_1() -> None:
    play(
        RIDE,
        """
        seats 1
        bets 10 10 10, coupon 10 -> refused: MATCH_PLAY_NOT_OFFERED
        """,
    )


@pytest.mark.ruling("K5")
def test_one_coupon_per_player_and_round_also_on_two_positions() -> None:
    play(
        PIK_IT,
        """
        set adjacent = 2
        set match_play = true
        anna at 1: sit 500
        anna at 2: sit
        1: bets 10 10, coupon 10
        2: bets 10 10, coupon 10 -> refused
        2: bets 10 10
        """,
    )


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
@pytest.mark.ruling("K5", "K8")
def test_when_all_hands_are_void_a_coupon_comes_back_even_to_a_player_who_folded(
    book: str,
) -> None:
    play(
        book,
        """
        set match_play = true
        seats 2
        all: bets 10 10, coupon 10
        all: check
        all: check
        1: fold        -> coupon drop box
        report exposed -> folded ante returned 10, seat 2 ante returned 10, coupon kept
        auto           -> round over
        drop box 0
        1: chips 10000
        2: chips 10000
        """,
    )
