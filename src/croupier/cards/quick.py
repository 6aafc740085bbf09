"""The readable ranking's answers at the evaluator's speed, for the table.

Each strength is asked of the readable ranking once and remembered by the evaluator's number, so
the two can never differ but by the proof that they are twins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.cards import evaluator, ranking
from croupier.cards.card import Card
from croupier.cards.ranking import Ranker, Strength


def _remembered(
    number: Callable[..., int], readable: Callable[[tuple[Card, ...]], Strength]
) -> Callable[[Iterable[Card]], Strength]:
    known: dict[int, Strength] = {}

    def strength(cards: Iterable[Card]) -> Strength:
        hand = tuple(cards)
        index = int(number(*map(int, hand)))
        found = known.get(index)
        if found is None:
            found = known[index] = readable(hand)
        return found

    return strength


QUICK = Ranker(
    five=_remembered(evaluator.five, ranking.rank_five),
    three=_remembered(evaluator.three, ranking.rank_three),
    best_five=_remembered(evaluator.seven, ranking.best_five),
    best_three=_remembered(evaluator.best_three_of_five, ranking.best_three),
)
