"""Counting the stub: 32.7(f), 32.8(e), 32.9(e) and their twins; rulings K6, K7, S4."""

from __future__ import annotations

import pytest
from scenario import (
    ALL_BOOKS,
    CARIBBEAN,
    FROM_THE_STUB,
    MA_UTH,
    NJ_UTH,
    PIK_IT,
    RIDE,
    TO_THE_STUB,
    a_round,
    cited,
    dealt_by,
    play,
)

WAYS = [("manual shoe", "32.7(f)"), ("hand", "32.8(e)"), ("automated shoe", "32.9(e)")]
STUB = {NJ_UTH: 41, MA_UTH: 41, CARIBBEAN: 42, RIDE: 46, PIK_IT: 42}

each_book = pytest.mark.parametrize("book", ALL_BOOKS)
each_way = pytest.mark.parametrize(("way", "number"), WAYS)


@each_book
@each_way
@pytest.mark.twins("NJ 19:47-32.7(f)", "NJ 19:47-32.8(e)", "NJ 19:47-32.9(e)")
def test_the_stub_is_counted_at_the_fifth_round_and_need_not_be_before(
    book: str, way: str, number: str
) -> None:
    uncounted = f"{TO_THE_STUB[book]}\ndue no\nrack stub -> stub racked {STUB[book]}\n"
    uncounted += f"{FROM_THE_STUB[book]}\nauto -> round over\n"
    play(
        book,
        f"""
        {dealt_by(book, way)}
        {uncounted * 4}
        {TO_THE_STUB[book]}
        rack stub  -> refused: STUB_COUNT_IS_DUE [{cited(book, f"NJ 19:47-{number}")}]
        due yes
        count stub -> stub counted {STUB[book]} [{cited(book, "NJ 19:47-32.7(f)1")}]
        {FROM_THE_STUB[book]}
        {uncounted * 4}
        {TO_THE_STUB[book]}
        rack stub  -> refused: STUB_COUNT_IS_DUE
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.7(f)", "NJ 19:47-32.7(f)1")
@pytest.mark.ruling("K6")
def test_a_stub_may_be_counted_sooner_and_the_five_rounds_begin_again(book: str) -> None:
    counted = f"{TO_THE_STUB[book]}\ncount stub -> stub counted {STUB[book]}\n"
    counted += FROM_THE_STUB[book]
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {a_round(book) * 2}
        {counted}
        {a_round(book) * 3}
        due no
        {a_round(book)}
        due yes
        {TO_THE_STUB[book]}
        rack stub -> refused: STUB_COUNT_IS_DUE
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.7(f)2")
@pytest.mark.ruling("K6", "K7", "K8")
@pytest.mark.parametrize("off", [-1, 1])
def test_a_wrong_count_without_a_misdeal_voids_all_hands_and_removes_the_deck(
    book: str, off: int
) -> None:
    clause = cited(book, "NJ 19:47-32.7(f)2")
    stub = STUB[book] + off
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {TO_THE_STUB[book]}
        count stub {stub} -> all hands void [{clause}], round over, red removed [{clause}]
        deck red gone
        discard rack 0
        net 0
        chips 10000
        inventory 100000
        {a_round(book)}
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.7(f)2")
@pytest.mark.ruling("K7", "K8")
def test_a_wrong_count_explained_by_a_misdeal_voids_all_hands_but_the_deck_stays(
    book: str,
) -> None:
    clause = cited(book, "NJ 19:47-32.7(f)2")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {TO_THE_STUB[book]}
        count stub {STUB[book] + 1} misdealt -> all hands void [{clause}], not red removed
        void all
        clear -> round over
        deck red in the discard rack
        discard rack 52
        net 0
        {a_round(book)}
        """,
    )


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
@pytest.mark.ruling("K7")
def test_at_the_stub_count_trips_go_back_with_the_rest(book: str) -> None:
    play(
        book,
        """
        bets 10 10, trips 5
        deal 2c 2d / Ah Kh / 2h 2s 9c Tc Jd
        check
        check
        count stub 40 -> trips go too, ante returned 10, blind returned 10, trips returned 5
        net 0
        """,
    )


# --- a shuffler that counts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "way"),
    [
        (CARIBBEAN, "automated shoe"),
        *((book, way) for book in (RIDE, PIK_IT) for way in ("hand", "automated shoe")),
    ],
)
@pytest.mark.clause("NJ 19:47-16.9(f)", "NJ 19:47-18.7(f)", "NJ 13:69F-39.7(f)")
@pytest.mark.ruling("S4")
def test_a_counting_shuffler_takes_the_place_of_the_count(book: str, way: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, way)}
        set counting = true
        {a_round(book) * 6}
        due no
        {TO_THE_STUB[book]}
        rack stub -> stub racked
        """,
    )


@pytest.mark.clause("NJ 19:47-16.8(e)", "NJ 19:47-16.9(f)")
@pytest.mark.ruling("S4")
def test_at_caribbean_stud_only_with_the_automated_shoe() -> None:
    play(
        CARIBBEAN,
        f"""
        {dealt_by(CARIBBEAN, "hand")}
        set counting = true
        {a_round(CARIBBEAN) * 4}
        due yes
        bets 10
        rack stub -> refused: STUB_COUNT_IS_DUE [NJ 19:47-16.8(e)]
        """,
    )


@pytest.mark.parametrize("book", [NJ_UTH, MA_UTH])
@pytest.mark.clause("NJ 19:47-32.8(e)", "MA UTH 8(e)")
def test_at_ultimate_texas_holdem_nothing_takes_its_place(book: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "hand")}
        set counting = true
        {a_round(book) * 4}
        due yes
        """,
    )


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        (CARIBBEAN, "NJ 19:47-16.9(f)"),
        (RIDE, "NJ 19:47-18.7(f)"),
        (PIK_IT, "NJ 13:69F-39.7(f)"),
    ],
)
@pytest.mark.clause("NJ 19:47-16.9(f)", "NJ 19:47-18.7(f)", "NJ 13:69F-39.7(f)")
def test_a_deck_the_shuffler_does_not_count_to_52_leaves_the_table(book: str, clause: str) -> None:
    for counted in (51, 53):
        play(
            book,
            f"""
            {dealt_by(book, "automated shoe")}
            set counting = true
            seats 1
            shuffle red counting {counted} -> red removed [{clause}]
            deck red gone
            {a_round(book)}
            """,
        )


# --- the shoe is loaded after shuffle and cut -----------------------------------------------


@each_book
@pytest.mark.twins("NJ 19:47-32.9(b)1")
def test_the_automated_shoe_takes_only_shuffled_cards_and_must_be_there(book: str) -> None:
    loaded = cited(book, "NJ 19:47-32.9(b)1")
    play(
        book,
        f"""
        {dealt_by(book, "automated shoe")}
        seats 1
        load red
        auto off
        {TO_THE_STUB[book].splitlines()[0]}
        no more bets -> refused: DECK_MUST_BE_READY
        shuffle red
        remove shoe
        no more bets -> refused: DEVICE_NOT_HERE [{loaded}]
        install shoe
        no more bets -> red in play
        """,
    )
