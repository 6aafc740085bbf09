"""Shuffle, cut, recut and the idle table: 32.4 and its twins in all five books."""

from __future__ import annotations

import pytest
from scenario import ALL_BOOKS, BETS, a_round, cited, dealt_by, play

from croupier.cards.card import DECK, spell

each_book = pytest.mark.parametrize("book", ALL_BOOKS)
SORTED = spell(DECK)
READY = """
auto off
receive red
inspect red
verify red
spread red
1: sit 1000
wash red
"""


@each_book
@pytest.mark.twins("NJ 19:47-32.4(a)")
@pytest.mark.ruling("K12")
def test_a_shuffle_returns_exactly_the_cards_that_went_in(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(a)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {READY}
        shuffle red to As Kd                           -> refused: NOT_A_PERMUTATION [{clause}]
        shuffle red to {SORTED.replace("As", "Ks")}    -> refused: NOT_A_PERMUTATION [{clause}]
        shuffle red to {SORTED.replace("As", "Jo")}    -> refused: NOT_A_PERMUTATION [{clause}]
        device: shuffle red                            -> refused: NOT_THIS_SHUFFLING [{clause}]
        load red                                       -> refused: NOT_THIS_SHUFFLING [{clause}]
        shuffle red to {SORTED}                        -> deck shuffled [{clause}]
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.4(a)")
def test_the_cards_are_shuffled_again_after_every_round(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(a)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {a_round(book)}
        discard rack 52
        deck red in the discard rack
        auto off
        {BETS[book]}
        no more bets -> refused: DECK_MUST_BE_READY [{clause}]
        cut 20       -> refused: DECK_NOT_AT_THIS_STEP
        shuffle red  -> deck shuffled [{clause}]
        discard rack 0
        cut 20
        no more bets
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.4(b)1")
def test_a_deck_from_the_device_is_dealt_without_a_cut(book: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "hand")}
        {READY}
        dealer: shuffle red -> refused: NOT_THIS_SHUFFLING
        shuffle red         -> refused: DECK_NOT_AT_THIS_STEP
        load red
        shuffle red         -> deck shuffled [{cited(book, "NJ 19:47-32.4(b)1")}]
        deck red ready to deal
        cut 20              -> refused: DECK_NOT_AT_THIS_STEP
        recut               -> refused: NOTHING_TO_RECUT
        {BETS[book]}
        no more bets        -> red in play
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.4(b)2", "NJ 19:47-32.4(c)2")
def test_a_deck_shuffled_by_hand_is_cut_before_it_is_dealt(book: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {READY}
        shuffle red
        {BETS[book]}
        no more bets -> refused: DECK_MUST_BE_READY
        cut 10
        cut 10       -> refused: DECK_NOT_AT_THIS_STEP [{cited(book, "NJ 19:47-32.4(b)2")}]
        no more bets -> red in play
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.4(c)1ii")
@pytest.mark.ruling("K12")
def test_a_cut_takes_at_least_ten_cards_from_the_top(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(c)1ii")
    for cards, answer in (
        (0, f"refused: CUT_AT_LEAST_TEN [{clause}]"),
        (9, f"refused: CUT_AT_LEAST_TEN [{clause}]"),
        (10, "cut 10"),
        (11, "cut 11"),
        (51, "cut 51"),
        (52, f"refused: CUT_AT_LEAST_TEN [{clause}]"),
    ):
        play(
            book, f"{dealt_by(book, 'manual shoe')}\n{READY}\nshuffle red\ncut {cards} -> {answer}"
        )


@each_book
@pytest.mark.twins(
    "NJ 19:47-32.4(c)1i", "NJ 19:47-32.4(c)1ii", "NJ 19:47-32.4(c)1iii", "NJ 19:47-32.4(c)1iv"
)
def test_the_cards_cut_lie_below_the_rest_and_no_cover_card_stays_among_them(book: str) -> None:
    played = play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {READY}
        shuffle red to {SORTED}
        cut 13 -> cut 13 [{cited(book, "NJ 19:47-32.4(c)1iii")}]
        """,
    )
    deck = played.table.deck("red")
    assert deck is not None
    assert deck.cards == DECK[13:] + DECK[:13]
    assert len(deck.cards) == 52  # the cover card is none of them


@each_book
@pytest.mark.twins("NJ 19:47-32.4(d)")
def test_a_supervisor_may_order_a_recut_after_the_cut_and_before_the_deal(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(d)")
    played = play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {READY}
        recut         -> refused: NOTHING_TO_RECUT [{clause}]
        shuffle red to {SORTED}
        recut         -> refused: NOTHING_TO_RECUT [{clause}]
        cut 13
        dealer: recut -> refused: NOT_THIS_ROLE
        recut         -> recut ordered [{clause}]
        {BETS[book]}
        no more bets  -> refused: DECK_MUST_BE_READY
        cut 9         -> refused: CUT_AT_LEAST_TEN
        cut 26
        no more bets
        recut         -> refused: NOTHING_TO_RECUT [{clause}]
        """,
    )
    assert played.table.now.stub == DECK[39:] + DECK[:39]


@each_book
@pytest.mark.twins("NJ 19:47-32.4(e)")
def test_an_idle_table_spreads_the_cards_and_shows_them_to_whoever_comes(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(e)")
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {a_round(book)}
        1: stand
        auto off
        spread red face down -> deck spread [{clause}]
        deck red spread face down
        face up red          -> refused: NO_PLAYER_HAS_ARRIVED [{clause}]
        wash red             -> refused: DECK_NOT_AT_THIS_STEP
        2: sit 500
        shuffle red          -> refused: DECK_NOT_AT_THIS_STEP
        face up red          -> deck spread [{clause}]
        wash red             -> deck washed [{cited(book, "NJ 19:47-32.3(c)")}]
        shuffle red          -> deck shuffled
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.4(e)")
def test_an_idle_table_may_spread_face_up_but_not_while_there_is_gaming(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.4(e)")
    played = play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {a_round(book)}
        auto off
        {BETS[book]}
        spread red  -> refused: TABLE_IS_NOT_IDLE [{clause}]
        take back
        spread red  -> deck spread [{clause}]
        face up red -> refused: DECK_NOT_AT_THIS_STEP [{clause}]
        wash red
        """,
    )
    deck = played.table.deck("red")
    assert deck is not None
    assert sorted(deck.cards) == list(DECK)
    assert played.table.rack == ()


@each_book
def test_shuffle_and_cut_are_not_the_players(book: str) -> None:
    play(
        book,
        f"""
        {dealt_by(book, "manual shoe")}
        {READY}
        supervisor: shuffle red -> refused: NOT_THIS_ROLE
        shuffle red
        supervisor: cut 20      -> refused: NOT_THIS_ROLE
        """,
    )
