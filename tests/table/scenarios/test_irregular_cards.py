"""Cards seen too early, found face up, or drawn in error: 32.13(a)-(c), MA 15, 18.12, 38.12 and
the supplied rules of Caribbean Stud; rulings K8, K9, U7, L7, M8, P11."""

from __future__ import annotations

import pytest
from scenario import (
    ALL_BOOKS,
    BETS,
    CARIBBEAN,
    GIVE_UP,
    MA_UTH,
    NJ_UTH,
    PIK_IT,
    RIDE,
    a_round,
    cited,
    dealt_by,
    play,
)

each_book = pytest.mark.parametrize("book", ALL_BOOKS)
uth = pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])


# --- the dealer's card, or a community card, exposed too early ------------------------------


@uth
@pytest.mark.clause("NJ 19:47-32.13(a)", "MA UTH 15(a)")
@pytest.mark.ruling("U7", "K8", "M8")
def test_uth_an_exposed_card_of_the_dealer_voids_all_hands_but_trips_is_played_out(
    book: str,
) -> None:
    """Folded players get their wagers back too; the board is completed and trips settled."""
    clause = cited(book, "NJ 19:47-32.13(a)")
    play(
        book,
        f"""
        seats 3
        1: bets 10 10, trips 5
        2: bets 10 10
        3: bets 10 10, trips 5
        deal 9s 9c / 7c 2d / Ah 4h / Ts Td / 9d 8h 3s 4c Jd
        1: play 4x
        2: check
        3: check
        2: check
        3: check
        2: fold
        report exposed -> card exposed dealer [{clause}], all hands void, trips stay
        void all
        3: fold -> refused: NOT_THIS_STEP
        auto -> seat 3 trips lost 5, seat 1 trips won 15, round over
        1: net +15
        2: net 0
        3: net -5
        2: chips 10000
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(a)", "MA UTH 15(a)")
@pytest.mark.ruling("U7")
def test_uth_exposed_before_the_flop_the_board_is_still_dealt_for_trips(book: str) -> None:
    play(
        book,
        """
        bets 10 10, trips 5
        deal 9s 9c / Ts Td / 9d 8h 3s 4c Jd / 2c 2h
        report exposed -> trips stay
        check          -> refused: NOT_THIS_STEP
        auto           -> burned 2c, 9d 8h 3s, burned 2h, 4c Jd, trips won 15, round over
        net +15
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(a)", "MA UTH 15(a)")
def test_uth_without_trips_the_round_is_simply_over(book: str) -> None:
    play(
        book,
        """
        bets 10 10
        deal
        report exposed -> trips go too, ante returned 10, blind returned 10
        auto           -> round over, not community dealt
        net 0
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(a)", "MA UTH 15(a)")
def test_uth_once_everybody_has_folded_or_played_an_exposed_card_changes_nothing(
    book: str,
) -> None:
    clause = cited(book, "NJ 19:47-32.13(a)")
    late = f"refused: NOT_AN_IRREGULARITY_NOW [{clause}]"
    play(
        book,
        f"""
        seats 2
        report exposed -> {late}
        all: bets 10 10
        report exposed -> {late}
        no more bets
        report exposed -> {late}
        deal
        1: play 4x
        2: play 4x
        report exposed -> {late}
        """,
    )


@pytest.mark.clause("SUPPLIED S2.7(a)")
@pytest.mark.ruling("S2", "K8")
def test_caribbean_an_exposed_hole_card_voids_all_hands_and_lowers_the_meter_again() -> None:
    play(
        CARIBBEAN,
        """
        seats 2
        all: bets 10, progressive 1
        deal
        1: fold
        report exposed -> all hands void [SUPPLIED S2.7(a)], folded ante returned 10
        auto           -> round over
        1: net 0
        2: net 0
        1: chips 10000
        2: chips 10000
        inventory 100000
        meter 10000
        """,
    )
    play(
        CARIBBEAN,
        """
        bets 10
        deal
        bet
        report exposed -> refused: NOT_AN_IRREGULARITY_NOW [SUPPLIED S2.7(a)]
        """,
    )


@pytest.mark.clause("NJ 19:47-18.12")
@pytest.mark.ruling("L7", "K8")
def test_ride_a_community_card_exposed_early_voids_all_hands() -> None:
    """A bet already taken back stays with its player; the swept bonus chip comes back."""
    for before in ("", "withdraw 1", "withdraw 1\nreveal"):
        play(
            RIDE,
            f"""
            bets 10 10 10, let it ride bonus 1, three card bonus 5
            deal Td Tc Th / 2s Ts 2h
            {before}
            report exposed -> card exposed community, all hands void, let it ride bonus returned 1
            auto -> round over
            net 0
            chips 10000
            inventory 100000
            """,
        )
    play(
        RIDE,
        """
        bets 10 10 10
        deal
        ride
        ride
        reveal
        report exposed -> refused: NOT_AN_IRREGULARITY_NOW
        """,
    )


@pytest.mark.clause("NJ 13:69F-38.12(d)")
@pytest.mark.ruling("P4", "P11", "K8")
def test_pik_it_a_dealers_card_exposed_before_the_reveal_voids_all_hands() -> None:
    """Bonuses already settled stay settled; ante and play come back, a folded ante too."""
    play(
        PIK_IT,
        """
        seats 3
        all: bets 10 10
        deal 2c 4d 6h 8s Td / Qc Qd 3h 3s 7s / Kc Jd 9h 7c 4h
        3: fold
        2: play 5
        report exposed -> all hands void [NJ 13:69F-38.12(d)], folded ante returned 10
        auto           -> round over
        1: net 0
        2: net +10
        3: net -10
        """,
    )
    play(
        PIK_IT,
        """
        bets 10 10
        deal
        play 5
        auto off
        report exposed -> all hands void [NJ 13:69F-38.12(d)]
        """,
    )
    play(
        PIK_IT,
        """
        bets 10 10
        deal
        play 5
        reveal dealer
        report exposed -> refused: NOT_AN_IRREGULARITY_NOW [NJ 13:69F-38.12(d)]
        """,
    )


# --- face up in the shoe or the deck --------------------------------------------------------

# What the first seat is dealt singly from 2c 3c 4c ..., once the third card is gone.
FIRST_HAND = {
    NJ_UTH: "2c 5c",
    MA_UTH: "2c 5c",
    CARIBBEAN: "2c 5c 7c 9c Jc",
    RIDE: "2c 5c 7c",
    PIK_IT: "2c 5c 7c 9c Jc",
}
TOP = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc"


@each_book
@pytest.mark.twins("NJ 19:47-32.13(b)")
@pytest.mark.ruling("K9", "K6")
def test_one_card_face_up_goes_to_the_rack_and_the_deal_goes_on(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(b)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        report face-up         -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        {BETS[book]}
        report face-up         -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        top {TOP}
        report face-up after 52 -> refused: NOT_AN_IRREGULARITY_NOW
        report face-up after 2 -> card face up deck [{clause}], 4c racked [{clause}]
        discard rack face up 1
        deal
        hand seat 1 {FIRST_HAND[book]}
        {GIVE_UP[book]}
        auto                   -> round over
        discard rack 52
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.13(b)")
@pytest.mark.ruling("K9", "K8")
def test_a_second_card_face_up_voids_all_hands_and_the_cards_are_reshuffled(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(b)")
    trips = ", trips 5" if book in (NJ_UTH, MA_UTH) else ""
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {BETS[book]}{trips}
        no more bets
        top {TOP}
        report face-up -> 2c racked, not all hands void
        report face-up -> 3c racked, all hands void [{clause}], trips go too
        deal           -> refused: NOT_THIS_STEP
        auto           -> round over
        discard rack 52
        net 0
        chips 10000
        {a_round(book)}
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(b)", "MA UTH 15(b)")
@pytest.mark.ruling("K9", "U7", "M8")
def test_uth_face_up_after_the_initial_cards_one_changes_nothing_a_second_leaves_only_trips(
    book: str,
) -> None:
    play(
        book,
        """
        seats 2
        1: bets 10 10, trips 5
        2: bets 10 10
        deal 9s 9c / Kh Kd / Ts Td / 9d 8h 3s 4c Jd / 2c 2h
        1: play 4x
        report face-up -> 2c racked, not all hands void
        2: check
        burn           -> 9d
        community      -> 8h 3s 2h
        report face-up -> 4c racked, all hands void, trips stay, seat 1 ante returned 10
        auto           -> 2d 2s, seat 1 trips won 45, round over    # full of deuces
        1: net +45
        2: net 0
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(b)", "MA UTH 15(b)")
def test_uth_once_the_board_is_out_no_card_is_being_dealt(book: str) -> None:
    play(
        book,
        """
        bets 10 10
        check
        check
        community
        report face-up -> refused: NOT_AN_IRREGULARITY_NOW
        """,
    )


# --- drawn in error -------------------------------------------------------------------------


@each_book
@pytest.mark.twins("NJ 19:47-32.13(c)")
def test_a_card_drawn_in_error_unseen_is_the_next_card(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(c)")
    start = f"{dealt_by(book, 'manual shoe')}\n{BETS[book]}\nno more bets\ntop {TOP}\n"
    rest = f"deal\n{GIVE_UP[book]}\nauto -> round over"
    told = play(
        book, f"{start}\nreport drawn in error -> card drawn in error deck [{clause}]\n{rest}"
    )
    plain = play(book, f"{start}\n{rest}")
    assert told.table == plain.table
    play(book, f"report drawn in error -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]")
