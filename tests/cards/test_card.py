"""Cards: how they are written, and that a deck holds each once."""

from __future__ import annotations

import pytest

from croupier.cards.card import DECK, Rank, Suit, card, cards, once_each, spell
from croupier.law.refused import Refused


def test_a_deck_is_four_suits_of_thirteen_ranks_each_card_once() -> None:
    assert len({str(each) for each in DECK}) == 52
    assert {(each.rank, each.suit) for each in DECK} == {(r, s) for r in Rank for s in Suit}


@pytest.mark.clause(
    'NJ 19:47-32.1 "Suit"',
    'MA UTH 1 "Suit"',
    'NJ 19:47-18.1 "Suit"',
    'NJ 13:69F-39.1 "Suit"',
)
def test_suits_are_club_diamond_heart_and_spade_and_nothing_else() -> None:
    assert [suit.name for suit in Suit] == ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"]
    assert [card(f"A{letter}").suit.name for letter in "cdhs"] == [suit.name for suit in Suit]
    with pytest.raises(Refused):
        card("Ax")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("As", "As"),
        ("as", "As"),
        ("AS", "As"),
        (" 7c ", "7c"),
        ("Td", "Td"),
        ("td", "Td"),
        ("10d", "Td"),
        ("10♦", "Td"),
        ("k♠", "Ks"),
    ],
)
def test_a_card_is_read_in_every_usual_spelling(written: str, read: str) -> None:
    assert str(card(written)) == read


@pytest.mark.parametrize("written", ["", "A", "1s", "11s", "110d", "Asd", "sA", "Joker", "0h"])
def test_what_is_no_card_is_refused_by_its_own_name(written: str) -> None:
    with pytest.raises(Refused) as refused:
        card(written)
    assert repr(written) in refused.value.sentence


def test_every_card_reads_back_from_its_text_and_from_its_pretty_form() -> None:
    assert [card(str(each)) for each in DECK] == list(DECK)
    assert [card(each.pretty) for each in DECK] == list(DECK)
    assert card("Th").pretty == "10♥"
    assert repr(card("Th")) == "card('Th')"


def test_a_hand_is_read_with_spaces_or_commas_and_spelled_back() -> None:
    assert spell(cards("As, Kd,10c 2h")) == "As Kd Tc 2h"
    assert cards("") == ()


def test_the_same_card_twice_is_refused_in_one_hand_and_across_hands() -> None:
    with pytest.raises(Refused, match="Kd is there twice"):
        cards("Kd 2c Kd")
    with pytest.raises(Refused, match="2c is there twice"):
        once_each(cards("Kd 2c"), cards("As"), cards("2c"))
    once_each(cards("Kd 2c"), cards("As"), cards("2d"))


def test_ranks_run_from_two_to_ace_and_have_their_words() -> None:
    assert [rank.word for rank in (Rank.TWO, Rank.TEN, Rank.JACK, Rank.ACE)] == [
        "two",
        "ten",
        "jack",
        "ace",
    ]
    assert (Rank.SIX.plural, Rank.SEVEN.plural) == ("sixes", "sevens")
    assert Rank.ACE > Rank.KING > Rank.QUEEN > Rank.JACK > Rank.TEN > Rank.TWO
