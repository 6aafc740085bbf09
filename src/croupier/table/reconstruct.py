"""From the discard rack back to the hands: cards are picked up so that each can be rebuilt."""

from __future__ import annotations

from croupier.cards.card import Card
from croupier.law.clause import rulebook
from croupier.law.refused import Refused

law = rulebook("nj-ultimate-texas-holdem")

RECONSTRUCT = law("32.10(i)")

Hands = dict[str, tuple[Card, ...]]


def reconstruct(rack: tuple[Card, ...], log: tuple[tuple[str, int], ...]) -> Hands:
    """Each place's cards in their order, from the rack and the public log of what went into it.

    The rack is read from the bottom. Besides the hands ("seat 1", "dealer", "community") this
    gives what else was put there: "burned", "face up" and "stub".
    """
    logged = sum(count for _, count in log)
    if logged != len(rack):
        sentence = f"The rack holds {len(rack)} cards, but {logged} were put into it."
        raise Refused(sentence, RECONSTRUCT)
    hands: Hands = {}
    at = 0
    for place, count in log:
        hands[place] = hands.get(place, ()) + rack[at : at + count]
        at += count
    return hands
