"""A plain solver of Ultimate Texas Hold'em, to measure the real one by.

It walks the 134,459 boards that differ in more than the names of suits. On each it ranks the 1,081
holdings, sorts them once, sweeps them with counters for each card, and adds what every holding is
worth into the ten flops the board may have begun with. No classes of boards, no tables by rank.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import PAIR
from croupier.analysis.counting.deals import CHOOSE, Counts, Hands, all_hands, distinct_hands
from croupier.analysis.many import cores, on_all_cores
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.evaluator import FIVE_CARD_KIND, seven
from croupier.cards.kernel import Int, inlined, kernel
from croupier.house.submission import House

HOLDINGS = 1326
OTHERS = 1081  # of 47 cards
DEALER = 990
DEALS = comb(52, 2) * comb(50, 3) * comb(47, 2) * DEALER
RENAMINGS = np.array(list(permutations(range(4))), np.int64)  # of the suits

# What is added up: a hand that has not played yet, ended best, and hands that played once, twice.
LATER, ONCE, TWICE = 0, 1, 2


@inlined
def _renamed(card: Int, suits: Counts) -> Int:
    return card // 4 * 4 + suits[card % 4]


@inlined
def _flop_index(a: Int, b: Int, c: Int) -> Int:
    low, high = min(a, b, c), max(a, b, c)
    return low + CHOOSE[a + b + c - low - high, 2] + CHOOSE[high, 3]


@kernel
def _stand_ins(flops: Hands, place: Counts, stand_in: Counts, renaming: Counts) -> None:
    """For each flop the one that stands for it, and a renaming of suits that leads there."""
    for at in range(len(flops)):
        a, b, c = np.int64(flops[at, 0]), np.int64(flops[at, 1]), np.int64(flops[at, 2])
        for n in range(len(RENAMINGS)):
            s = RENAMINGS[n]
            to = place[_flop_index(_renamed(a, s), _renamed(b, s), _renamed(c, s))]
            if to >= 0:
                stand_in[at], renaming[at] = to, n


@inlined
def _worth(number: Int, counts: Counts, nets: Counts, river: Int, worth: Counts) -> None:
    """What a holding is worth, summed over the dealer's; counts[h] are the dealers below it, not
    above it, and below a pair."""
    below, upto, low = counts
    found = (below, upto - below, low - upto, DEALER - low)
    classes = ((2, 0), (1, 0), (0, 0), (0, 1))
    if number >= PAIR:
        found = (low, below - low, upto - below, DEALER - upto)
        classes = ((2, 0), (2, 1), (1, 1), (0, 1))
    net = nets[FIVE_CARD_KIND[number]]
    worth[:] = 0
    for n in range(4):
        versus, qualified = classes[n]
        worth[LATER] += found[n] * net[versus, qualified, river]
        worth[ONCE] += found[n] * net[versus, qualified, 1]
        worth[TWICE] += found[n] * net[versus, qualified, 2]
    worth[LATER] = max(worth[LATER], DEALER * net[0, 0, 0])


@kernel
def _walk(
    boards: Hands,
    weights: Counts,
    share: Int,
    shares: Int,
    nets: Counts,
    river: Int,
    stand_in: Counts,
    renaming: Counts,
    sums: Counts,
) -> None:
    """sums[flop, holding], from every ``shares``-th board."""
    rest = np.zeros(47, np.int64)
    firsts, seconds, keys = np.zeros((3, OTHERS), np.int64)
    using, using_low, renamed = np.zeros((3, 52), np.int64)
    counts, worth = np.zeros((2, OTHERS, 3), np.int64)
    for at in range(share, len(boards), shares):
        a, b, c, d, e = boards[at]
        n = 0
        for card in range(52):
            if card not in (a, b, c, d, e):
                rest[n] = card
                n += 1
        n = 0
        for i in range(47):
            for j in range(i):
                firsts[n], seconds[n] = rest[j], rest[i]
                keys[n] = np.int64(seven(rest[j], rest[i], a, b, c, d, e)) << 11 | n
                n += 1
        keys.sort()
        using[:] = 0
        using_low[:] = 0
        low = np.searchsorted(keys, np.int64(PAIR) << 11)
        for i in range(low):
            using_low[firsts[keys[i] & 2047]] += 1
            using_low[seconds[keys[i] & 2047]] += 1
        start = 0
        while start < OTHERS:
            stop = start
            while stop < OTHERS and keys[stop] >> 11 == keys[start] >> 11:
                h = keys[stop] & 2047
                counts[h, 0] = start - using[firsts[h]] - using[seconds[h]]
                counts[h, 2] = low - using_low[firsts[h]] - using_low[seconds[h]] + (stop < low)
                stop += 1
            for i in range(start, stop):
                using[firsts[keys[i] & 2047]] += 1
                using[seconds[keys[i] & 2047]] += 1
            for i in range(start, stop):
                h = keys[i] & 2047
                counts[h, 1] = stop - using[firsts[h]] - using[seconds[h]] + 1
                _worth(keys[i] >> 11, counts[h], nets, river, worth[h])
            start = stop
        for i in range(5):
            for j in range(i):
                for k in range(j):
                    board = boards[at]
                    flop = board[k] + CHOOSE[board[j], 2] + CHOOSE[board[i], 3]
                    for card in range(52):
                        renamed[card] = _renamed(card, RENAMINGS[renaming[flop]])
                    row = sums[stand_in[flop]]
                    for h in range(OTHERS):
                        x, y = renamed[firsts[h]], renamed[seconds[h]]
                        holding = min(x, y) + CHOOSE[max(x, y), 2]
                        for n in range(3):
                            row[holding, n] += weights[at] * worth[h, n]


@kernel
def _choose(
    flops: Hands, sums: Counts, times: Int, check: Counts, once: Counts, twice: Counts
) -> None:
    """What a check and plays before the flop are worth, by class of hole cards. Holdings that a
    renaming turns into each other, the flop being left as it is, are one and are summed."""
    total = np.zeros(3, np.int64)
    classes = np.zeros(169, np.int64)
    for at in range(len(flops)):
        a, b, c = np.int64(flops[at, 0]), np.int64(flops[at, 1]), np.int64(flops[at, 2])
        same = np.zeros(len(RENAMINGS), np.bool_)
        for n in range(len(RENAMINGS)):
            s = RENAMINGS[n]
            same[n] = _flop_index(a, b, c) == _flop_index(
                _renamed(a, s), _renamed(b, s), _renamed(c, s)
            )
        classes[:] = 0
        for y in range(52):
            for x in range(y):
                if x in (a, b, c) or y in (a, b, c):
                    continue
                total[:] = 0
                for n in range(len(RENAMINGS)):
                    if same[n]:
                        p, q = _renamed(x, RENAMINGS[n]), _renamed(y, RENAMINGS[n])
                        total += sums[at, min(p, q) + CHOOSE[max(p, q), 2]]
                low, high = x >> 2, y >> 2
                place = low * 13 + high if x & 3 == y & 3 else high * 13 + low
                played = total[ONCE] + (times - 1) * (total[TWICE] - total[ONCE])
                classes[place] += max(total[LATER], played)
                holding = x + CHOOSE[y, 2]
                once[place] += sums[at, holding, ONCE]
                twice[place] += sums[at, holding, TWICE]
        check += classes // same.sum()


def edge(house: House, every: int = 1) -> Fraction:
    """The house edge, for a house with one multiple after the flop and one at the river. Not so
    where only ``every`` so-many-th board is walked, which compiles the kernels in no time."""
    terms, multiples = house.terms(), house.multiples
    (after,), (river,) = multiples["after-flop"], multiples["after-river"]
    nets = holdem_nets(terms, (2, *multiples["before-flop"], after, river))
    flops = distinct_hands(3).hands
    place = np.full(comb(52, 3), -1, np.int64)
    place[[_flop_index(*map(int, flop)) for flop in flops]] = np.arange(len(flops))
    stand_in, renaming = np.zeros((2, len(place)), np.int64)
    _stand_ins(all_hands(3), place, stand_in, renaming)
    sums = np.zeros((cores(), len(flops), HOLDINGS, 3), np.int64)
    boards, weights = distinct_hands(5)
    on_all_cores(
        (_walk, (boards, weights, n, cores() * every, nets, river, stand_in, renaming, sums[n]))
        for n in range(cores())
    )
    check, once, twice = np.zeros((3, 169), np.int64)
    _choose(flops, sums.sum(axis=0), after, check, once, twice)
    raises: list[NDArray[np.int64]] = [
        once + (n - 1) * (twice - once) for n in multiples["before-flop"]
    ]
    return -Fraction(int(np.max([check, *raises], axis=0).sum()), DEALS * unit(terms))
