"""The ranking of hands, readable: one function per kind, in the order of the law.

Each function looks at a hand and returns the ranks that compare it with another hand of
its kind, most telling first, or ``None`` when the hand is not of that kind. Ruling K1:
inside a kind the defining group decides (quads, trips, pairs, the top of a straight), then
the kickers; suits never. Ruling K2: a hand is of the first kind in the list that it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import NamedTuple

from croupier.cards.card import Card, Rank
from croupier.law.clause import Clause, rulebook

law = rulebook("nj-ultimate-texas-holdem")
pik_it = rulebook("nj-pik-it-poker")

Ranks = tuple[Rank, ...]


class FiveCard(IntEnum):
    """Kinds of five-card hand, lowest first. HIGH_CARD is a hand that is none of the others."""

    __hash__ = int.__hash__  # looked up often; Enum's own hash is written in Python

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCard(IntEnum):
    """Kinds of three-card hand in Pik-It's order, lowest first.

    Let It Ride's three card bonus knows the same kinds but does not rank them (ruling L9),
    and calls the royal flush of three cards a mini-royal.
    """

    __hash__ = int.__hash__  # looked up often; Enum's own hash is written in Python

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    ROYAL_FLUSH = 6


class Strength(NamedTuple):
    """How good a hand is. Strengths of hands of the same size compare as the law compares."""

    kind: FiveCard | ThreeCard
    ranks: Ranks


# --- what the kinds are made of -------------------------------------------------------------


def descending(hand: Iterable[Card]) -> Ranks:
    return tuple(sorted((c.rank for c in hand), reverse=True))


def grouped(hand: Iterable[Card]) -> list[tuple[int, Rank]]:
    """(how many, rank), the largest group first, then the highest rank."""
    counts: dict[Rank, int] = {}
    for c in hand:
        counts[c.rank] = counts.get(c.rank, 0) + 1
    return sorted(((n, rank) for rank, n in counts.items()), reverse=True)


def groups_are(hand: Sequence[Card], *sizes: int) -> Ranks | None:
    """The ranks of the groups, when the groups have exactly these sizes."""
    if len({c.rank for c in hand}) != len(sizes):  # nearly always, and soon seen
        return None
    groups = grouped(hand)
    if tuple(n for n, _ in groups) != sizes:
        return None
    return tuple(rank for _, rank in groups)


def one_suit(hand: Iterable[Card]) -> bool:
    return len({c.suit for c in hand}) == 1


# By their size, the sequences with an ace at the bottom.
WHEELS = {size: (Rank.ACE, *(Rank(r) for r in range(size, 1, -1))) for size in (3, 5)}


def run(hand: Sequence[Card]) -> Ranks | None:
    """The top card of a sequence. An ace may stand below a two, and nowhere else in the middle."""
    ranks = descending(hand)
    size = len(ranks)
    if all(ranks[0] - ranks[i] == i for i in range(size)):
        return ranks[:1]
    if ranks == WHEELS[size]:
        return (Rank(size),)
    return None


# --- five cards, in the order of 32.5(b) ----------------------------------------------------


def royal_flush(hand: Sequence[Card]) -> Ranks | None:
    return () if one_suit(hand) and run(hand) == (Rank.ACE,) else None


def straight_flush(hand: Sequence[Card]) -> Ranks | None:
    return run(hand) if one_suit(hand) else None


def four_of_a_kind(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 4, 1)


def full_house(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 3, 2)


def flush(hand: Sequence[Card]) -> Ranks | None:
    return descending(hand) if one_suit(hand) else None


def straight(hand: Sequence[Card]) -> Ranks | None:
    return run(hand)


def three_of_a_kind(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 3, 1, 1)


def two_pair(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 2, 2, 1)


def one_pair(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 2, 1, 1, 1)


# --- three cards, where they differ; in the order of 39.4(c) --------------------------------


def three_alike(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 3)


def pair_of_three(hand: Sequence[Card]) -> Ranks | None:
    return groups_are(hand, 2, 1)


Test = Callable[[Sequence[Card]], Ranks | None]


@dataclass(frozen=True, slots=True)
class Ranking:
    """One list of hands: its kinds from the highest down, and the clauses that order them."""

    size: int
    kinds: tuple[tuple[FiveCard | ThreeCard, Test, Clause], ...]
    none_of_them: FiveCard | ThreeCard
    card_order: Clause
    kind_order: Clause
    ties: Clause

    def strength(self, hand: Sequence[Card]) -> Strength:
        assert len(hand) == self.size
        for kind, test, _ in self.kinds:
            if (ranks := test(hand)) is not None:
                return Strength(kind, ranks)
        return Strength(self.none_of_them, descending(hand))


FIVE_CARD_RANKING = Ranking(
    size=5,
    kinds=(
        (FiveCard.ROYAL_FLUSH, royal_flush, law("32.5(b)1")),
        (FiveCard.STRAIGHT_FLUSH, straight_flush, law("32.5(b)2")),
        (FiveCard.FOUR_OF_A_KIND, four_of_a_kind, law("32.5(b)3")),
        (FiveCard.FULL_HOUSE, full_house, law("32.5(b)4")),
        (FiveCard.FLUSH, flush, law("32.5(b)5")),
        (FiveCard.STRAIGHT, straight, law("32.5(b)6")),
        (FiveCard.THREE_OF_A_KIND, three_of_a_kind, law("32.5(b)7")),
        (FiveCard.TWO_PAIR, two_pair, law("32.5(b)8")),
        (FiveCard.ONE_PAIR, one_pair, law("32.5(b)9")),
    ),
    none_of_them=FiveCard.HIGH_CARD,
    card_order=law("32.5(a)"),
    kind_order=law("32.5(b)"),
    ties=law("32.5(c)"),
)

THREE_CARD_RANKING = Ranking(
    size=3,
    kinds=(
        (ThreeCard.ROYAL_FLUSH, royal_flush, pik_it("39.4(c)1")),
        (ThreeCard.STRAIGHT_FLUSH, straight_flush, pik_it("39.4(c)2")),
        (ThreeCard.THREE_OF_A_KIND, three_alike, pik_it("39.4(c)3")),
        (ThreeCard.STRAIGHT, straight, pik_it("39.4(c)4")),
        (ThreeCard.FLUSH, flush, pik_it("39.4(c)5")),
        (ThreeCard.PAIR, pair_of_three, pik_it("39.4(c)6")),
    ),
    none_of_them=ThreeCard.HIGH_CARD,
    card_order=pik_it("39.4(a)"),
    kind_order=pik_it("39.4(c)"),
    ties=pik_it("39.4(d)"),
)


def rank_five(hand: Sequence[Card]) -> Strength:
    """The strength of exactly five cards."""
    return FIVE_CARD_RANKING.strength(hand)


def rank_three(hand: Sequence[Card]) -> Strength:
    """The strength of exactly three cards."""
    return THREE_CARD_RANKING.strength(hand)


def best_five(cards: Iterable[Card]) -> Strength:
    """The highest five-card hand among these cards (ruling U4: any five of the seven)."""
    return max(rank_five(five) for five in combinations(cards, 5))


def best_three(cards: Iterable[Card]) -> Strength:
    """The highest three-card hand among these cards."""
    return max(rank_three(three) for three in combinations(cards, 3))


@dataclass(frozen=True, slots=True)
class Ranker:
    """A way to rank hands: the readable one here, or its fast twin."""

    five: Callable[[tuple[Card, ...]], Strength]
    three: Callable[[tuple[Card, ...]], Strength]
    best_five: Callable[[tuple[Card, ...]], Strength]  # of seven
    best_three: Callable[[tuple[Card, ...]], Strength]  # of five


READABLE = Ranker(rank_five, rank_three, best_five, best_three)


# --- names ----------------------------------------------------------------------------------

FIVE_CARD_LINES: dict[FiveCard, str] = {
    kind: kind.name.lower().replace("_", "-").replace("one-pair", "pair") for kind in FiveCard
}
THREE_CARD_LINES: dict[ThreeCard, str] = {
    kind: kind.name.lower().replace("_", "-") for kind in ThreeCard
}


def words(strength: Strength) -> str:
    """What a dealer announces: "a pair of aces", "a king-high straight"."""
    return _words(type(strength.kind), strength.kind, strength.ranks)


@cache
def _words(size: type, kind: FiveCard | ThreeCard, ranks: Ranks) -> str:
    """``size`` is there for the cache alone: kinds of three and of five cards share numbers."""
    name = kind.name.lower().replace("_", " ")
    if kind in (FiveCard.ROYAL_FLUSH, ThreeCard.ROYAL_FLUSH) and "ROYAL" in kind.name:
        return "a royal flush"
    if kind.name == "FOUR_OF_A_KIND":
        return f"four {ranks[0].plural}"
    if kind.name == "FULL_HOUSE":
        return f"a full house, {ranks[0].plural} over {ranks[1].plural}"
    if kind.name == "THREE_OF_A_KIND":
        return f"three {ranks[0].plural}"
    if kind.name == "TWO_PAIR":
        return f"two pair, {ranks[0].plural} and {ranks[1].plural}"
    if kind.name in ("ONE_PAIR", "PAIR"):
        return f"a pair of {ranks[0].plural}"
    if kind.name == "HIGH_CARD":
        return f"{ranks[0].word}-high"
    return f"a{'n' if ranks[0].word[0] in 'ae' else ''} {ranks[0].word}-high {name}"
