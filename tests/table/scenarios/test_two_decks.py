"""Two decks beside an automated shuffler: 32.2(b)3 to 5 and their twins."""

from __future__ import annotations

import pytest
from scenario import ALL_BOOKS, BETS, GIVE_UP, a_round, cited, dealt_by, play

from croupier.table.events import NoMoreBetsAnnounced

each_book = pytest.mark.parametrize("book", ALL_BOOKS)


@each_book
@pytest.mark.twins("NJ 19:47-32.2(b)3")
def test_one_deck_is_in_the_shuffler_while_the_other_is_dealt(book: str) -> None:
    """A deck that the device has finished lies in it until its round; one elsewhere is refused."""
    clause = cited(book, "NJ 19:47-32.2(b)3")
    play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        seats 1
        shuffle red
        auto off
        {BETS[book]}
        deck red ready to deal
        deck blue received
        no more bets -> refused: OTHER_DECK_MUST_BE_IN_SHUFFLER [{clause}]
        inspect blue
        verify blue
        spread blue
        wash blue
        no more bets -> refused: OTHER_DECK_MUST_BE_IN_SHUFFLER [{clause}]
        load blue
        no more bets -> red in play
        shuffle blue -> deck shuffled
        """,
    )


@each_book
@pytest.mark.twins("NJ 19:47-32.2(b)4")
def test_each_deck_serves_every_other_round(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.2(b)4")
    played = play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        {a_round(book) * 3}
        load red
        shuffle red
        {BETS[book]}
        no more bets red  -> refused: DECKS_MUST_ALTERNATE [{clause}]
        no more bets blue -> blue in play
        """,
    )
    dealt = [ev.colour for ev in played.events if isinstance(ev, NoMoreBetsAnnounced)]
    assert dealt == ["red", "blue", "red", "blue"]


@each_book
@pytest.mark.twins("NJ 19:47-32.2(b)5")
def test_the_rack_holds_the_cards_of_one_deck_only(book: str) -> None:
    clause = cited(book, "NJ 19:47-32.2(b)5")
    play(
        book,
        f"""
        {dealt_by(book, "two decks")}
        {BETS[book]}
        {GIVE_UP[book]}
        auto -> round over
        discard rack 52
        auto off
        {BETS[book]}
        no more bets -> refused: RACK_HOLDS_ANOTHER_DECK [{clause}]
        load red
        discard rack 0
        no more bets -> blue in play
        """,
    )


@each_book
def test_with_one_deck_nothing_alternates(book: str) -> None:
    played = play(book, f"{dealt_by(book, 'automated shoe')}\n{a_round(book) * 3}")
    dealt = [ev.colour for ev in played.events if isinstance(ev, NoMoreBetsAnnounced)]
    assert dealt == ["red"] * 3
