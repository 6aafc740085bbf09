"""Ultimate Texas Hold'em from the flop: what turn and river are worth to every holding.

For one flop the sum over all turns and rivers is, for a holding, a sum by ranks alone (as if no
flush were possible) and for each suit of the flop a correction over the turns and rivers that do
make one possible. Corrections depend on the holding only by its cards of that suit and the ranks of
the others, so they are summed once per flop for each of 351 kinds of holding, row by row of the
river's values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.boards import (
    CODE_PAIRS,
    CODES,
    FIVE_SUITED,
    FOUR_SUITED,
    RANK_PAIRS,
    Values,
    pair_index,
    ranks_index,
)
from croupier.analysis.deals import CHOOSE, Counts, Hands
from croupier.cards.kernel import inlined, kernel

Sums = NDArray[np.int64]
PER_FLOP = 1176  # holdings of two of the other 49 cards


@inlined
def suit_board(mask: int, low: int, high: int) -> int:
    """The kind of board: ranks of the suit, and the ranks beside it (-1 where there is none)."""
    size = 0
    index = np.int64(0)
    for r in range(13):
        if mask >> r & 1:
            size += 1
            index += CHOOSE[r, size]
    if size == 3:
        return index * 91 + pair_index(low, high)
    if size == 4:
        return FOUR_SUITED + index * 13 + high
    return FIVE_SUITED + index


@inlined
def _ordered(flop: NDArray[np.int64], x: int, y: int, out: NDArray[np.int64]) -> int:
    """The rank board of a flop with two more ranks."""
    out[0], out[1], out[2], out[3], out[4] = flop[0], flop[1], flop[2], x, y
    for i in range(3, 5):
        k = i
        while k > 0 and out[k] < out[k - 1]:
            out[k], out[k - 1] = out[k - 1], out[k]
            k -= 1
    return ranks_index(out)


@inlined
def _by_rank(flop: NDArray[np.int64], by_ranks: Values, table: Sums) -> None:
    """Every turn and river by rank alone: table[pair of ranks]."""
    left = np.full(13, 4, np.int64)
    for r in flop:
        left[r] -= 1
    table[:] = 0
    five = np.zeros(5, np.int64)
    for y in range(13):
        for x in range(y + 1):
            if left[x] < 1 or left[y] < 1 or (x == y and left[x] < 2):
                continue
            row = by_ranks[_ordered(flop, x, y, five)]
            for high in range(13):
                for low in range(high + 1):
                    at_x = left[x] - (low == x) - (high == x)
                    at_y = left[y] - (low == y) - (high == y)
                    ways = at_x * (at_x - 1) // 2 if x == y else at_x * at_y
                    if ways > 0:
                        pair = pair_index(low, high)
                        for k in range(3):
                            table[pair, k] += ways * np.int64(row[pair, k])


@inlined
def _add_row(
    table: Sums,
    kinds: NDArray[np.int64],
    count: int,
    suited: int,
    mask: int,
    y: int,
    z: int,
    left: NDArray[np.int64],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    pairs: NDArray[np.int64],
    row: Values,
    plain: Values,
    against: int,
) -> None:
    """Add one turn and river (``suited`` of its cards are of the suit, the others have the ranks y
    and z) to each kind of holding, less what the ranks alone had counted for it."""
    for i in range(count):
        kind = kinds[i]
        first, second = firsts[kind], seconds[kind]
        if first < 13 and mask >> first & 1:
            continue
        if second < 13 and mask >> second & 1:
            continue
        ways = np.int64(1)
        if suited < 2:
            at_z = left[z] - (first == 13 + z) - (second == 13 + z)
            if suited == 1:
                ways = at_z
            elif y == z:
                ways = at_z * (at_z - 1) // 2
            else:
                ways = at_z * (left[y] - (first == 13 + y) - (second == 13 + y))
        if ways > 0:
            pair = pairs[kind]
            for k in range(3):
                table[kind, k] += ways * (
                    np.int64(row[kind, k]) - against * np.int64(plain[pair, k])
                )


@inlined
def _by_suit(
    flop: NDArray[np.int64],
    suit_mask: int,
    beside: NDArray[np.int64],
    by_ranks: Values,
    by_suit: Values,
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    pairs: NDArray[np.int64],
    table: Sums,
) -> None:
    """Turns and rivers that give the board three or more of one suit: table[pair of codes]."""
    table[:] = 0
    on_flop = 3 - len(beside)
    left = np.full(13, 3, np.int64)  # cards of other suits
    for r in beside:
        left[r] -= 1
    kinds = np.empty(CODE_PAIRS, np.int64)
    count = 0
    for kind in range(CODE_PAIRS):
        first, second = firsts[kind], seconds[kind]
        if first < 13 and (suit_mask >> first & 1 or first == second):
            continue
        if second < 13 and suit_mask >> second & 1:
            continue
        if first >= 13 and left[first - 13] < 1 + (first == second):
            continue
        if second >= 13 and left[second - 13] < 1:
            continue
        kinds[count] = kind
        count += 1
    five = np.zeros(5, np.int64)
    against = 1 if on_flop < 3 else 0  # with a suited flop nothing was counted by rank
    low = high = np.int64(-1)
    if len(beside) == 2:
        low, high = min(beside[0], beside[1]), max(beside[0], beside[1])
    elif len(beside) == 1:
        high = beside[0]
    for x in range(13):  # both of the suit
        if suit_mask >> x & 1:
            continue
        for y in range(x):
            if suit_mask >> y & 1:
                continue
            mask = suit_mask | 1 << x | 1 << y
            row = by_suit[suit_board(mask, low, high)]
            plain = by_ranks[_ordered(flop, y, x, five)]
            _add_row(
                table, kinds, count, 2, mask, 0, 0, left, firsts, seconds, pairs, row, plain, against
            )
    if on_flop < 2:
        return
    for x in range(13):  # one of the suit
        if suit_mask >> x & 1:
            continue
        mask = suit_mask | 1 << x
        for z in range(13):
            if left[z] < 1:
                continue
            if on_flop == 2:
                board = suit_board(mask, min(high, z), max(high, z))
            else:
                board = suit_board(mask, -1, z)
            plain = by_ranks[_ordered(flop, min(x, z), max(x, z), five)]
            _add_row(
                table,
                kinds,
                count,
                1,
                mask,
                0,
                z,
                left,
                firsts,
                seconds,
                pairs,
                by_suit[board],
                plain,
                against,
            )
    if on_flop < 3:
        return
    for z in range(13):  # none of the suit
        for y in range(z + 1):
            row = by_suit[suit_board(suit_mask, y, z)]
            _add_row(
                table,
                kinds,
                count,
                0,
                suit_mask,
                y,
                z,
                left,
                firsts,
                seconds,
                pairs,
                row,
                by_ranks[0],
                0,
            )


@kernel
def code_pairs(
    firsts: NDArray[np.int64], seconds: NDArray[np.int64], pairs: NDArray[np.int64]
) -> None:
    """The two codes of each kind of holding, and its pair of ranks."""
    for high in range(CODES):
        for low in range(high + 1):
            kind = pair_index(low, high)
            firsts[kind], seconds[kind] = low, high
            a, b = low % 13, high % 13
            pairs[kind] = pair_index(min(a, b), max(a, b))


@kernel
def flop_sums(
    flops: Hands, start: int, stop: int, by_ranks: Values, by_suit: Values, sums: Sums
) -> None:
    """sums[flop, holding]: over all turns and rivers, of each value at the river. Holdings are the
    pairs of the other 49 cards in the order of their numbers."""
    firsts = np.empty(CODE_PAIRS, np.int64)
    seconds = np.empty(CODE_PAIRS, np.int64)
    pairs = np.empty(CODE_PAIRS, np.int64)
    code_pairs(firsts, seconds, pairs)
    rank_table = np.zeros((RANK_PAIRS, 3), np.int64)
    suit_tables = np.zeros((4, CODE_PAIRS, 3), np.int64)
    ranks = np.zeros(3, np.int64)
    beside = np.zeros(3, np.int64)
    for at in range(start, stop):
        masks = np.zeros(4, np.int64)
        for i in range(3):
            ranks[i] = flops[at, i] >> 2
            masks[flops[at, i] & 3] |= 1 << ranks[i]
        mono = False
        for suit in range(4):
            if masks[suit]:
                n = 0
                for i in range(3):
                    if flops[at, i] & 3 != suit:
                        beside[n] = ranks[i]
                        n += 1
                mono = mono or n == 0
                _by_suit(
                    ranks,
                    masks[suit],
                    beside[:n],
                    by_ranks,
                    by_suit,
                    firsts,
                    seconds,
                    pairs,
                    suit_tables[suit],
                )
        if not mono:
            _by_rank(ranks, by_ranks, rank_table)
        holding = 0
        for b in range(52):
            if b == flops[at, 0] or b == flops[at, 1] or b == flops[at, 2]:
                continue
            for a in range(b):
                if a == flops[at, 0] or a == flops[at, 1] or a == flops[at, 2]:
                    continue
                for k in range(3):
                    total = np.int64(0)
                    if not mono:
                        total = rank_table[pair_index(a >> 2, b >> 2), k]
                    for suit in range(4):
                        if masks[suit]:
                            first = (a >> 2) + (0 if a & 3 == suit else 13)
                            second = (b >> 2) + (0 if b & 3 == suit else 13)
                            kind = pair_index(min(first, second), max(first, second))
                            total += suit_tables[suit, kind, k]
                    sums[at, holding, k] = total
                holding += 1


@kernel
def preflop_sums(
    flops: Hands, weights: Counts, sums: Sums, twice: NDArray[np.bool_], totals: Sums
) -> None:
    """totals[holding class]: over all flops, checking on (then playing on as ``twice`` says), and
    the values of playing once and twice. Classes: suited above, offsuit below the diagonal."""
    for at in range(len(flops)):
        holding = 0
        for b in range(52):
            if b == flops[at, 0] or b == flops[at, 1] or b == flops[at, 2]:
                continue
            for a in range(b):
                if a == flops[at, 0] or a == flops[at, 1] or a == flops[at, 2]:
                    continue
                low, high = a >> 2, b >> 2
                kind = low * 13 + high if a & 3 == b & 3 else high * 13 + low
                s = sums[at, holding]
                totals[kind, 0] += weights[at] * (s[2] if twice[at, holding] else s[0])
                totals[kind, 1] += weights[at] * s[1]
                totals[kind, 2] += weights[at] * s[2]
                holding += 1
