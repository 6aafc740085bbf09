"""Wagers that look at a hand and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.solution import Book, Outcome, merged
from croupier.analysis.tabulate import unit
from croupier.cards.evaluator import FIVE_CARD_KIND, THREE_CARD_KIND
from croupier.cards.quick import strengths
from croupier.cards.ranking import THREE_CARD_LINES, ThreeCard
from croupier.rules.paytable import FIVE_CARD_CLASSES, hand_class
from croupier.rules.settlement import Settlement
from croupier.rules.terms import Terms

Numbers = NDArray[np.uint16]


@cache
def five_card_classes() -> NDArray[np.uint8]:
    """The class of each of the evaluator's numbers, as settlement tells hands apart."""
    index = {name: at for at, name in enumerate(FIVE_CARD_CLASSES)}
    return np.array([index[hand_class(s)] for s in strengths(5)], np.uint8)


def three_card_classes(numbers: Numbers) -> dict[str, int]:
    """How many of these three-card hands are of each class."""
    counts = np.bincount(THREE_CARD_KIND[numbers], minlength=len(ThreeCard))
    return {THREE_CARD_LINES[kind]: int(counts[kind]) for kind in ThreeCard}


def kinds(numbers: Numbers) -> NDArray[np.int64]:
    """How many of these hands are of each of the ten kinds."""
    return np.bincount(FIVE_CARD_KIND[numbers], minlength=10).astype(np.int64)


def fixed_bet(
    terms: Terms,
    counts: Mapping[str, int],
    settle: Callable[[str, int], Settlement],
    amount: int = 0,
) -> Book:
    """A wager paid by the class of one hand: settled once per class, weighted by its count."""
    wager = amount or unit(terms)
    found = []
    for hand, count in counts.items():
        settled = settle(hand, wager)
        line = settled.line or hand
        found.append(Outcome(Fraction(settled.net, wager), int(count), line=line))
    return merged(found)
