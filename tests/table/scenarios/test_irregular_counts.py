"""A wrong number of cards: 32.13(d), MA 15(d), 18.12(c), 38.12(c), SUPPLIED S2.7(d); K7, K8, U8."""

from __future__ import annotations

import pytest
from scenario import BETS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, a_round, cited, dealt_by, play

uth = pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])


@uth
@pytest.mark.clause("NJ 19:47-32.13(d)", "MA UTH 15(d)")
@pytest.mark.ruling("K7", "K8", "U8")
@pytest.mark.parametrize("cards", [1, 3])
def test_uth_a_hand_with_too_few_or_too_many_cards_is_void_its_trips_with_it(
    book: str, cards: int
) -> None:
    clause = cited(book, "NJ 19:47-32.13(d)")
    play(
        book,
        f"""
        seats 2
        all: bets 10 10, trips 5
        deal Ah Ad / 9s 9c / Kh Qd
        report wrong number seat 2 2 -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        report wrong number seat 3 3 -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        report wrong number seat 2 {cards} -> seat 2 void [{clause}], trips returned 5
        void seat 2
        report wrong number seat 2 {cards} -> refused: NOT_AN_IRREGULARITY_NOW
        1: play 3x
        auto -> seat 1 ante, seat 1 trips, round over, not seat 2 ante
        discard rack 52
        2: net 0
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(d)", "MA UTH 15(d)")
@pytest.mark.ruling("K7")
def test_uth_a_dealer_short_of_a_card_takes_the_next_ones_in_sequence(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(d)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        bets 10 10
        top 2c 3c 4c 5c 6c
        deal
        hand dealer 3c 5c
        report wrong number dealer 1 -> wrong number dealer [{clause}], repaired 1 [{clause}]
        hand dealer 3c 5c
        void nobody
        check
        burn -> 6c
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(d)", "MA UTH 15(d)")
@pytest.mark.ruling("K7", "K8")
def test_uth_a_dealer_with_too_many_cards_or_short_once_cards_lie_up_voids_all_hands(
    book: str,
) -> None:
    clause = cited(book, "NJ 19:47-32.13(d)")
    play(
        book,
        f"""
        bets 10 10, trips 5
        deal
        report wrong number dealer 3 -> all hands void [{clause}], trips go too, trips returned 5
        auto -> round over
        discard rack 52
        net 0
        """,
    )
    play(
        book,
        f"""
        bets 10 10, trips 5
        deal
        check
        community
        report wrong number dealer 1 -> all hands void [{clause}], trips go too
        auto -> round over
        discard rack 52
        net 0
        """,
    )


@uth
@pytest.mark.clause("NJ 19:47-32.13(d)", "MA UTH 15(d)", "NJ 19:47-32.7(f)2", "MA UTH 7(f)(2)")
@pytest.mark.ruling("K7", "H9")
def test_uth_a_wrong_number_found_after_the_stub_still_voids_that_hand(book: str) -> None:
    play(
        book,
        """
        bets 10 10
        deal
        check
        check
        rack stub
        report wrong number seat 1 3 -> seat 1 ante returned 10, seat 1 blind returned 10
        void seat 1
        """,
    )


@pytest.mark.clause("NJ 19:47-18.12(c)")
@pytest.mark.ruling("H9")
def test_let_it_ride_a_player_who_finds_four_cards_voids_all_hands_also_after_the_stub() -> None:
    play(
        "nj-let-it-ride",
        """
        bets 10 10 10
        deal
        rack stub
        withdraw 1
        report wrong number seat 1 4 -> all hands void, seat 1 bet 2 returned 10
        void all
        """,
    )


@pytest.mark.ruling("H9")
def test_uth_without_the_stub_the_dealers_hand_cannot_be_repaired() -> None:
    play(
        NJ_UTH,
        """
        bets 10 10
        deal
        check
        check
        rack stub
        report wrong number dealer 1 -> all hands void
        """,
    )


@pytest.mark.clause("SUPPLIED S2.7(d)")
@pytest.mark.ruling("S2", "K7", "K8")
def test_caribbean_a_players_wrong_number_voids_that_hand_alone() -> None:
    play(
        CARIBBEAN,
        """
        seats 2
        all: bets 10, progressive 1
        deal 2c 2d 9h 5s Kd / 3c 3d 9c 6s Jd / Ac Kh 4s 3h 2h
        report wrong number seat 1 6 -> seat 1 void [SUPPLIED S2.7(d)], meter -0.70
        void seat 1
        2: bet
        auto -> seat 2 ante won 10, round over, not seat 1 ante
        discard rack 52
        1: net 0
        1: chips 10000
        meter 10000.70
        """,
    )


@pytest.mark.clause("SUPPLIED S2.7(d)")
@pytest.mark.ruling("S2", "K7")
def test_caribbean_a_dealers_wrong_number_is_repaired_only_while_all_cards_lie_down() -> None:
    """Dealt singly, the fifth card lies up already; a stack lies face down."""
    play(
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "manual shoe")}
        bets 10
        deal
        report wrong number dealer 4 -> all hands void [SUPPLIED S2.7(d)]
        auto -> round over
        net 0
        """,
    )
    play(
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "automated shoe")}
        bets 10
        deal 2c 2d 9h 5s Kd / Ac Kh 4s 3h 2h
        report wrong number dealer 4 -> repaired 1 [SUPPLIED S2.7(d)]
        hand dealer Ac Kh 4s 3h 2h
        void nobody
        """,
    )


@pytest.mark.parametrize(
    ("book", "clause", "places"),
    [
        (RIDE, "NJ 19:47-18.12(c)", ("seat 1", "community")),
        (PIK_IT, "NJ 13:69F-38.12(c)", ("seat 1", "dealer")),
    ],
)
@pytest.mark.clause("NJ 19:47-18.12(c)", "NJ 13:69F-38.12(c)")
@pytest.mark.ruling("K8")
def test_ride_and_pik_it_any_wrong_number_voids_all_hands_and_forces_a_reshuffle(
    book: str, clause: str, places: tuple[str, str]
) -> None:
    right = 3 if book == RIDE else 5
    for place in places:
        for cards in (right - 1, right + 1):
            play(
                book,
                f"""
                seats 2
                all: {BETS[book]}
                deal
                report wrong number {place} {right} -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
                report wrong number {place} {cards} -> all hands void [{clause}]
                void all
                auto -> round over
                discard rack 52
                1: net 0
                2: net 0
                deck red in the discard rack
                """,
            )


@pytest.mark.clause("NJ 13:69F-38.12(c)")
@pytest.mark.ruling("P11")
def test_pik_it_a_stack_still_in_the_shoe_may_turn_out_wrong_after_bonuses_were_settled() -> None:
    """The bonuses stay settled; ante and play come back."""
    play(
        PIK_IT,
        f"""
        {dealt_by(PIK_IT, "automated shoe")}
        set dealer_stack = 2
        bets 10 10, 3 card bonus 5
        deal Qc Qd 3h 3s 7s
        pick 1 2 3
        play 5
        deliver
        report wrong number dealer 6 -> all hands void, ante returned 10, play 5 returned 20
        auto -> round over
        net +15
        {a_round(PIK_IT)}
        """,
    )
