"""Ultimate Texas Hold'em before the flop: what each of the 169 classes of hole cards is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from croupier.analysis.progress import Tell, silent
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.card import RANK_LETTERS, Card
from croupier.house.submission import House

# Deals that follow upon one pair of hole cards: the flop, turn and river, the dealer's holding.
AFTER = comb(50, 3) * comb(47, 2) * comb(45, 2)
CLASSES = 169


def hole_class(a: Card, b: Card) -> int:
    """Where two cards stand in the chart of 13 by 13: suited hands above the diagonal."""
    low, high = sorted((a >> 2, b >> 2))
    return low * 13 + high if a.suit == b.suit else high * 13 + low


def name(place: int) -> str:
    """AA, AKs or AKo."""
    row, column = divmod(place, 13)
    ranks = RANK_LETTERS[max(row, column)] + RANK_LETTERS[min(row, column)]
    return ranks + ("s" if row < column else "o" if row > column else "")


def ways(place: int) -> int:
    """How many pairs of cards are of this class."""
    row, column = divmod(place, 13)
    return 4 if row < column else 12 if row > column else 6


@dataclass(frozen=True, slots=True)
class Opening:
    """Sums over all deals, by class: of each multiple of the ante, the highest first, and of a
    check; in cents on an ante of ``unit``."""

    raises: Mapping[int, tuple[int, ...]]
    check: tuple[int, ...]
    unit: int

    def values(self, place: int) -> dict[str, Fraction]:
        """Each option's value for one class, in antes."""
        options = {f"{times}x": sums for times, sums in self.raises.items()}
        deals = ways(place) * AFTER * self.unit
        return {
            option: Fraction(sums[place], deals)
            for option, sums in (options | {"check": self.check}).items()
        }


@dataclass(frozen=True, slots=True)
class _Question:
    """What the answer depends on; houses that pay alike share it."""

    nets: bytes
    multiples: tuple[tuple[str, tuple[int, ...]], ...]
    unit: int
    tell: Tell = field(compare=False)


def opening(house: House, tell: Tell = silent) -> Opening:
    """From the solver; the answer is kept for the life of the process."""
    terms = house.terms()
    multiples = tuple((key, times) for key, times in house.multiples.items() if key != "blind")
    nets = holdem_nets(terms, (2, *(n for _, times in multiples for n in times)))
    return _answer(_Question(nets.tobytes(), multiples, unit(terms), tell))


@lru_cache(maxsize=16)
def _answer(asked: _Question) -> Opening:
    from croupier.analysis.solvers.solve_holdem import Play, known_deals

    nets = np.frombuffer(asked.nets, np.int64).reshape(10, 3, 2, -1)
    play = Play(known_deals(asked.tell), nets, dict(asked.multiples), asked.tell)
    raises = {n: tuple(play.raises[n].tolist()) for n in sorted(play.raises, reverse=True)}
    return Opening(raises, tuple(play.check.tolist()), asked.unit)
