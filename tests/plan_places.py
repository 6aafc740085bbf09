"""Where a plan for Ultimate Texas Hold'em keeps its answer for given cards, in plain Python."""

from __future__ import annotations

from functools import cache

from croupier.analysis.counting.deals import CHOOSE, distinct_hands
from croupier.cards.card import Card


def chart_place(hole: tuple[Card, ...]) -> int:
    low, high = sorted(hole)
    suited = low & 3 == high & 3
    return (low >> 2) * 13 + (high >> 2) if suited else (high >> 2) * 13 + (low >> 2)


def pair_place(a: int, b: int) -> int:
    low, high = sorted((a, b))
    return low + high * (high + 1) // 2


@cache
def flop_places() -> dict[tuple[int, ...], int]:
    return {tuple(flop): at for at, flop in enumerate(distinct_hands(3).hands.tolist())}


def flop_place(hole: tuple[Card, ...], flop: tuple[Card, ...]) -> tuple[int, int]:
    """Suits are renamed by the ranks they hold on the flop, the greatest set first."""
    ranks = [sum(1 << (each >> 2) for each in flop if each & 3 == suit) for suit in range(4)]
    renamed = sorted(range(4), key=lambda suit: -ranks[suit])

    def turned(each: Card) -> int:
        return each & ~3 | renamed.index(each & 3)

    board = tuple(sorted(map(turned, flop)))
    others = [each for each in range(52) if each not in board]
    low, high = sorted(others.index(turned(each)) for each in hole)
    return flop_places()[board], low + high * (high - 1) // 2


def river_place(hole: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[str, int, int]:
    suits = [each & 3 for each in board]
    suit = max(range(4), key=suits.count)
    if suits.count(suit) < 3:
        ranks = sorted(each >> 2 for each in board)
        place = sum(int(CHOOSE[rank + k, k + 1]) for k, rank in enumerate(ranks))
        return "by_ranks", place, pair_place(hole[0] >> 2, hole[1] >> 2)
    clubs = sorted(each >> 2 for each in board if each & 3 == suit)
    others = [each >> 2 for each in board if each & 3 != suit]
    place = sum(int(CHOOSE[rank, k + 1]) for k, rank in enumerate(clubs))
    if len(clubs) == 3:
        place = place * 91 + pair_place(*others)
    elif len(clubs) == 4:
        place = 286 * 91 + place * 13 + others[0]
    else:
        place += 286 * 91 + 715 * 13
    codes = [(each >> 2) + (0 if each & 3 == suit else 13) for each in hole]
    return "by_suit", place, pair_place(*codes)
