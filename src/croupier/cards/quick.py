"""The readable ranking's answers at the evaluator's speed, for the table.

The evaluator numbers the strengths in order; the readable ranking is asked once for a hand of
each number, so the two can never differ but by the proof that they are twins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np

from croupier.cards import evaluator, ranking
from croupier.cards.card import DECK, Card
from croupier.cards.ranking import Ranker, Strength


def _one_of_each(size: int) -> Iterator[tuple[Card, ...]]:
    """A hand of every strength: each set of ranks in mixed suits, and each flush."""
    for ranks in combinations_with_replacement(range(13), size):
        if all(ranks.count(rank) <= 4 for rank in ranks):
            dealt: dict[int, int] = {}
            hand = []
            for at, rank in enumerate(ranks):
                # Equal ranks take the suits in turn; unequal ones never make a flush by chance.
                suit = dealt.get(rank, at % 2 if ranks.count(rank) == 1 else 0)
                dealt[rank] = suit + 1
                hand.append(Card(4 * rank + suit))
            yield tuple(hand)
    for ranks in combinations(range(13), size):
        yield tuple(Card(4 * rank) for rank in ranks)


@cache
def strengths(size: int) -> tuple[Strength, ...]:
    """The strength of each of the evaluator's numbers."""
    rank, evaluate = {
        5: (ranking.rank_five, evaluator.evaluate5),
        3: (ranking.rank_three, evaluator.evaluate3),
    }[size]
    hands = list(_one_of_each(size))
    numbers = evaluate(np.array(hands, np.uint8))
    by_number = {int(number): hand for number, hand in zip(numbers, hands, strict=True)}
    return tuple(rank(by_number[number]) for number in range(len(by_number)))


def _ranker(number: Callable[..., int], size: int) -> Callable[[tuple[Card, ...]], Strength]:
    @lru_cache(maxsize=64)  # a hand is ranked when it is announced, and again when it is settled
    def strength(cards: tuple[Card, ...]) -> Strength:
        return strengths(size)[number(*[card.real for card in cards])]  # plain ints for the kernel

    return strength


QUICK = Ranker(
    five=_ranker(evaluator.five, 5),
    three=_ranker(evaluator.three, 3),
    best_five=_ranker(evaluator.seven, 5),
    best_three=_ranker(evaluator.best_three_of_five, 3),
)


def load() -> None:
    """Now what the first hand of each size would wait for."""
    for size in (3, 5):
        strengths(size)
    QUICK.best_five(DECK[:7])
    QUICK.best_three(DECK[:5])
    QUICK.five(DECK[:5])
    QUICK.three(DECK[:3])
