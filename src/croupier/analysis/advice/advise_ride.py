"""Advice for Let It Ride: every choice of the community cards to come.

Bets do not touch each other, so a bet that may be withdrawn is worth what it pays or nothing.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from croupier.analysis.advice.advise import Situation
from croupier.analysis.side_bets import five_card_classes
from croupier.analysis.tabulate import ride_nets, unit
from croupier.cards.evaluator import evaluate5
from croupier.house.submission import House
from croupier.rules.paytable import FIVE_CARD_CLASSES


def values(house: House, situation: Situation) -> dict[str, Fraction]:
    """Of the bet in question alone."""
    s, terms = situation, house.terms()
    fixed = (*s.hand, *s.board, *s.coming)
    hands = np.array([fixed + rest for rest in combinations(s.left, 5 - len(fixed))], np.uint8)
    counts = np.bincount(five_card_classes()[evaluate5(hands)], minlength=len(FIVE_CARD_CLASSES))
    nets = ride_nets(terms, FIVE_CARD_CLASSES)
    total = sum(int(n) * nets[name] for name, n in zip(FIVE_CARD_CLASSES, counts, strict=True))
    return {"ride": Fraction(total, len(hands) * unit(terms)), "withdraw": Fraction(0)}
