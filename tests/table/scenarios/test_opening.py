"""Opening the table: 32.3 and its twins in all five books."""

from __future__ import annotations

import pytest
from scenario import (
    ALL_BOOKS,
    BETS,
    CARIBBEAN,
    MA_UTH,
    NJ_UTH,
    PIK_IT,
    RIDE,
    cited,
    dealt_by,
    kinds,
    play,
)

each_book = pytest.mark.parametrize("book", ALL_BOOKS)


@each_book
@pytest.mark.twins("NJ 19:47-32.3(a)", "NJ 19:47-32.3(b)", "NJ 19:47-32.3(c)", "NJ 19:47-32.4(a)")
@pytest.mark.ruling("K12")
def test_a_deck_is_inspected_verified_spread_seen_washed_and_shuffled_in_that_order(
    book: str,
) -> None:
    received, spread, washed, shuffled = (
        cited(book, f"NJ 19:47-{number}") for number in ("32.3(a)", "32.3(b)", "32.3(c)", "32.4(a)")
    )
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        auto off
        inspect red -> refused: NO_SUCH_DECK [{received}]
        receive red -> deck received [{received}]
        verify red  -> refused: DECK_NOT_AT_THIS_STEP [{spread}]
        spread red  -> refused: DECK_NOT_AT_THIS_STEP
        inspect red -> deck inspected
        inspect red -> refused: DECK_NOT_AT_THIS_STEP [{received}]
        spread red  -> refused: DECK_NOT_AT_THIS_STEP
        verify red  -> deck verified [{spread}]
        wash red    -> refused: DECK_NOT_AT_THIS_STEP [{washed}]
        spread red face down -> refused: DECK_NOT_AT_THIS_STEP [{spread}]
        spread red  -> deck spread [{spread}]
        wash red    -> refused: NO_PLAYER_HAS_ARRIVED [{washed}]
        shuffle red -> refused: DECK_NOT_AT_THIS_STEP [{shuffled}]
        1: sit 1000
        wash red    -> deck washed [{washed}]
        cut 20      -> refused: DECK_NOT_AT_THIS_STEP
        shuffle red -> deck shuffled [{shuffled}]
        deck red shuffled, to be cut
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.3(a)")
@pytest.mark.parametrize(
    ("deck", "fault"),
    [
        ("receive red without As", "the As is missing"),
        ("receive red without As with Kd", "the Kd is doubled, the As is missing"),
        ("receive red with Jo", "the Jo does not belong"),
    ],
)
def test_a_deck_that_is_not_52_different_cards_leaves_on_inspection(
    book: str, deck: str, fault: str
) -> None:
    played = play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        auto off
        {deck}
        inspect red -> red removed [{cited(book, "NJ 19:47-32.3(a)")}]
        deck red gone
        receive red -> deck received
        inspect red -> deck inspected
        """,
    )
    removed = next(ev for ev in played.events if type(ev).__name__ == "DeckRemoved")
    assert removed.reason == f"On inspection {fault}."


@each_book
@pytest.mark.twins("NJ 19:47-32.3(a)")
def test_the_floorperson_verifies_what_the_dealer_inspected(book: str) -> None:
    play(
        book,
        """
        auto off
        receive red
        supervisor: inspect red -> refused: NOT_THIS_ROLE
        inspect red
        dealer: verify red -> refused: NOT_THIS_ROLE
        verify red -> deck verified
        """,
    )


@pytest.mark.parametrize("book", [RIDE, PIK_IT])
@pytest.mark.clause(
    "NJ 19:47-18.4(a)",
    "NJ 19:47-18.5(b)2",
    "NJ 13:69F-39.5(a)",
    "NJ 13:69F-39.6(b)2",
)
def test_pre_shuffled_cards_skip_the_opening_but_are_cut(book: str) -> None:
    received = cited(book, "NJ 19:47-32.3(a)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        set preshuffled = true
        auto off
        receive red preshuffled without As -> refused: NOT_A_PERMUTATION [{received}]
        receive red preshuffled -> deck received [{received}]
        deck red shuffled, to be cut
        1: sit 1000
        {BETS[book]}
        no more bets -> refused: DECK_MUST_BE_READY
        cut 10
        no more bets -> red in play
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.3(a)")
def test_a_house_without_pre_shuffled_cards_refuses_them(book: str) -> None:
    received = cited(book, "NJ 19:47-32.3(a)")
    play(
        book,
        f"""
        auto off
        receive red preshuffled -> refused: PRESHUFFLED_NOT_ALLOWED [{received}]
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.3(d)")
def test_each_of_two_decks_goes_through_every_step_by_itself(book: str) -> None:
    played = play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        auto off
        receive red
        receive blue
        inspect red  -> deck inspected [{cited(book, "NJ 19:47-32.3(d)")}]
        verify blue  -> refused: DECK_NOT_AT_THIS_STEP
        verify red
        spread blue  -> refused: DECK_NOT_AT_THIS_STEP
        spread red
        1: sit 1000
        wash blue    -> refused: DECK_NOT_AT_THIS_STEP
        wash red
        load blue    -> refused: DECK_NOT_AT_THIS_STEP
        load red
        shuffle blue -> refused: DECK_NOT_AT_THIS_STEP
        shuffle red
        deck red ready to deal
        deck blue received
        auto on
        {BETS[book]}
        deal
        """,
    )
    names = kinds(played)
    for step in ("Inspected", "Verified", "Washed", "Shuffled"):
        assert names.count(f"Deck{step}") == 2, step
    assert names.count("DeckSpread") == 2


@each_book
@pytest.mark.twins("NJ 19:47-32.2(b)", "NJ 19:47-32.2(b)2")
def test_a_second_deck_needs_the_shuffler_and_another_colour(book: str) -> None:
    second, colours = (cited(book, f"NJ 19:47-{number}") for number in ("32.2(b)", "32.2(b)2"))
    play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        auto off
        receive green -> refused: NO_SUCH_DECK
        receive red
        receive red   -> refused: BACKS_MUST_DIFFER [{colours}]
        receive blue
        remove blue
        remove shoe
        remove shuffler
        method manual / manual shoe
        receive blue  -> refused: DECK_ALREADY_HERE [{second}]
        """,
    )


@pytest.mark.parametrize(
    ("book", "one"),
    [
        (NJ_UTH, "NJ 19:47-32.2(a)"),
        (MA_UTH, "MA UTH 2(a)"),
        (CARIBBEAN, "SUPPLIED S2.11(a)"),
        (RIDE, "NJ 19:47-18.2(a)"),
        (PIK_IT, "NJ 13:69F-39.2(a)"),
    ],
)
@pytest.mark.twins("NJ 19:47-32.2(a)", "NJ 19:47-18.2(a)")
def test_a_table_with_one_deck_takes_no_other(book: str, one: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        auto off
        receive blue -> refused: NO_SUCH_DECK [{one}]
        receive red
        receive blue -> refused: DECK_ALREADY_HERE [{one}]
        """,
    )


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
def test_the_automatic_dealer_opens_the_table_by_the_same_steps(book: str) -> None:
    played = play(book, f"{dealt_by(book, 'manual shoe')}\nseats 1\nbets 10 10\ndeal")
    names = [name for name in kinds(played) if name.startswith("Deck")]
    assert names == [
        "DeckReceived",
        "DeckInspected",
        "DeckVerified",
        "DeckSpread",
        "DeckWashed",
        "DeckShuffled",
        "DeckCut",
    ]
