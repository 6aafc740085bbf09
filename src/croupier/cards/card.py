"""A playing card, written "Td" or "As"."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from croupier.law.refused import Refused

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"

_RANK_WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]


class Rank(IntEnum):
    __hash__ = int.__hash__  # looked up often; Enum's own hash is written in Python

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def word(self) -> str:
        return _RANK_WORDS[self - 2]

    @property
    def plural(self) -> str:
        return "sixes" if self is Rank.SIX else self.word + "s"


class Suit(IntEnum):
    """No suit ranks above another; the numbers only tell them apart."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Card(int):
    """One of 52, numbered 4 x (rank - 2) + suit, so arrays of cards are arrays of numbers."""

    __slots__ = ()

    @property
    def rank(self) -> Rank:
        return _RANKS[self >> 2]

    @property
    def suit(self) -> Suit:
        return _SUITS[self & 3]

    @property
    def pretty(self) -> str:
        return RANK_LETTERS[self >> 2].replace("T", "10") + SUIT_SYMBOLS[self & 3]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"card({str(self)!r})"


_RANKS = tuple(Rank)
_SUITS = tuple(Suit)
_TEXTS = tuple(rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS)
DECK: tuple[Card, ...] = tuple(Card(number) for number in range(52))
_BY_TEXT = {str(c): c for c in DECK} | {RANK_LETTERS[c >> 2] + SUIT_SYMBOLS[c & 3]: c for c in DECK}


def card(text: str) -> Card:
    """Read one card: rank 2-9, T or 10, J, Q, K, A, then suit c, d, h or s."""
    clean = text.strip().replace("10", "T")
    try:
        return _BY_TEXT[clean[:1].upper() + clean[1:].lower()]
    except KeyError:
        raise Refused(
            f"{text!r} is not a card; write rank and suit, such as As, Td or 7c."
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas; the same card twice is refused."""
    found = tuple(card(word) for word in text.replace(",", " ").split())
    once_each(found)
    return found


@lru_cache(maxsize=8)  # an order is read when it is judged, and again when it is taken
def read_exact(text: str) -> tuple[Card, ...]:
    """Read cards as we write them ourselves, at speed; anything else is a KeyError."""
    return tuple(map(_BY_TEXT.__getitem__, text.split()))


def once_each(*hands: Iterable[Card]) -> None:
    """Refuse a card that lies in two places at once."""
    seen: set[Card] = set()
    for hand in hands:
        for each in hand:
            if each in seen:
                raise Refused(f"The {each} is there twice; a deck holds each card once.")
            seen.add(each)


def spell(hand: Iterable[Card]) -> str:
    return " ".join([_TEXTS[each] for each in hand])
