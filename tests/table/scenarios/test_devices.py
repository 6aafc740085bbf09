"""Devices that jam, and changing them: 32.13(e)-(g) and their twins in all five books."""

from __future__ import annotations

import pytest
from scenario import (
    ALL_BOOKS,
    BETS,
    CARIBBEAN,
    NJ_UTH,
    PIK_IT,
    RIDE,
    a_round,
    cited,
    dealt_by,
    play,
)

each_book = pytest.mark.parametrize("book", ALL_BOOKS)


@each_book
@pytest.mark.twins("NJ 19:47-32.13(e)")
def test_a_jammed_shuffler_means_the_cards_are_shuffled_again(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(e)")
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        seats 1
        load red
        auto off
        jam shuffler -> shuffler jam shuffler [{clause}]
        deck red washed and stacked
        jam shuffler -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        {BETS[book]}
        no more bets -> refused: DECK_MUST_BE_READY
        load red
        shuffle red
        no more bets
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.13(f)")
@pytest.mark.ruling("K8")
def test_a_jammed_shoe_voids_the_round_and_all_cards_are_reshuffled(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(f)")
    trips = ", trips 5" if book == NJ_UTH else ""
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        seats 1
        jam shoe       -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        {BETS[book]}{trips}
        jam shoe       -> refused: NOT_AN_IRREGULARITY_NOW [{clause}]
        no more bets
        jam shoe       -> shoe jam shoe [{clause}], all hands void [{clause}], trips go too
        deal           -> refused: NOT_THIS_STEP
        auto           -> round over
        net 0
        chips 10000
        discard rack 52
        shuffle red
        {a_round(book)}
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.13(f)")
def test_once_the_shoe_has_dealt_or_where_none_is_used_nothing_can_jam(book: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        {BETS[book]}
        deal
        jam shoe -> refused: NOT_AN_IRREGULARITY_NOW
        """,
    )
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {BETS[book]}
        no more bets
        jam shoe     -> refused: NOT_AN_IRREGULARITY_NOW
        jam shuffler -> refused: NOT_AN_IRREGULARITY_NOW
        """,
    )


@pytest.mark.clause("NJ 13:69F-38.12(f)", "NJ 13:69F-39.9(c)2")
@pytest.mark.ruling("P11", "K8")
def test_pik_it_a_jam_before_the_dealers_stack_is_out_leaves_settled_bonuses_settled() -> None:
    play(
        PIK_IT,
        f"""
        {dealt_by(PIK_IT, "automated shoe")}
        set dealer_stack = 2
        seats 2
        all: bets 10 10
        deal Qc Qd 3h 3s 7s / 2c 4d 6h 8s Td
        2: fold
        1: play 5
        jam shoe -> all hands void, seat 1 ante returned 10, folded ante returned 10
        auto     -> round over
        1: net +10
        2: net -10
        """,
    )


@pytest.mark.clause("SUPPLIED S2.7(f)", "NJ 19:47-18.12(e)")
@pytest.mark.ruling("K8", "S5")
@pytest.mark.parametrize(
    ("book", "bets"),
    [(CARIBBEAN, "bets 10, progressive 1"), (RIDE, "bets 10 10 10, let it ride bonus 1")],
)
def test_a_chip_already_swept_comes_back_when_the_shoe_jams(book: str, bets: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        {bets}
        sweep -> swept 1
        jam shoe
        auto  -> round over
        chips 10000
        inventory 100000
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.13(g)")
def test_a_device_leaves_the_table_before_another_method_is_used(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(g)")
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        {a_round(book)}
        dealer: remove shoe              -> refused: NOT_THIS_ROLE
        method automated / manual shoe   -> refused: DEVICE_MUST_BE_REMOVED_FIRST [{clause}]
        method manual / automated shoe   -> refused: DEVICE_MUST_BE_REMOVED_FIRST [{clause}]
        install shoe                     -> refused: DEVICE_MUST_BE_REMOVED_FIRST [{clause}]
        remove shoe                      -> device removed [{clause}]
        remove shoe                      -> refused: DEVICE_NOT_HERE [{clause}]
        method manual / manual shoe      -> refused: DEVICE_MUST_BE_REMOVED_FIRST [{clause}]
        method automated / spoon         -> refused: NOT_THIS_STEP [{clause}]
        method automated / manual shoe   -> method changed [{clause}]
        remove shuffler
        method manual / hand             -> refused: NOT_THIS_SHUFFLING
        method automated / hand          -> refused: DEVICE_NOT_HERE [{clause}]
        method manual / manual shoe      -> method changed
        {a_round(book)}
        install shuffler                 -> device installed
        method automated / hand          -> method changed
        {a_round(book)}
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.13(g)")
def test_devices_and_methods_change_only_between_rounds(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.13(g)")
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        {BETS[book]}
        deal
        remove shoe                    -> refused: ROUND_IN_PROGRESS [{clause}]
        install shuffler               -> refused
        method automated / manual shoe -> refused: ROUND_IN_PROGRESS [{clause}]
        remove red                     -> refused: ROUND_IN_PROGRESS
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.2(b)", "NJ 19:47-32.13(g)")
def test_without_the_shuffler_one_of_two_decks_must_go(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.2(b)")
    play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        {a_round(book)}
        remove shoe
        remove shuffler
        method manual / manual shoe -> refused: NOT_THIS_SHUFFLING [{clause}]
        remove blue                 -> blue removed
        method manual / manual shoe -> method changed
        {a_round(book)}
        """,
    )
