"""Ultimate Texas Hold'em from the flop: all turns and rivers, for every holding.

For one flop the sum over all turns and rivers is, for a holding, a sum by ranks alone (as if no
flush were possible) and for each suit of the flop a correction over the turns and rivers that do
make one possible. Corrections depend on the holding only by its cards of that suit and the ranks of
the others, so they are summed once per flop for each of 351 kinds of holding, row by row of the
river's tables.

The same walk is taken both ways: gathering values from the river to the flop, and spreading how
often each holding gets there from the flop to the river.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import (
    CODE_PAIRS,
    CODES,
    FIVE_SUITED,
    FOUR_SUITED,
    RANK_PAIRS,
    pair_index,
    ranks_index,
)
from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.cards.kernel import Int, inlined, kernel

Sums = NDArray[np.int64]
Values = NDArray[np.int32] | NDArray[np.int64]
Ints = NDArray[np.int64]
COLUMNS = 3  # deals that have played so much or so much are spread apart, three ways in one walk
PER_FLOP = 1176  # holdings of two of the other 49 cards

# A row of the walk: one kind of turn and river after a flop, seen from one suit. Its board among
# the suited boards and among the rank boards, how many of the two cards are of the suit, the ranks
# of the suit on the board, and the ranks of the cards that are not.
BOARD, PLAIN, SUITED, MASK, LOW, HIGH = 0, 1, 2, 3, 4, 5
MOST_ROWS = 300


@inlined
def suit_board(mask: Int, low: Int, high: Int) -> Int:
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
def _rank_board(flop: Ints, x: Int, y: Int, five: Ints) -> Int:
    """The rank board of a flop with two more ranks."""
    five[0], five[1], five[2], five[3], five[4] = flop[0], flop[1], flop[2], x, y
    for i in range(3, 5):
        k = i
        while k > 0 and five[k] < five[k - 1]:
            five[k], five[k - 1] = five[k - 1], five[k]
            k -= 1
    return ranks_index(five)


@inlined
def _put(rows: Ints, n: Int, board: Int, plain: Int, suited: Int, mask: Int, y: Int, z: Int) -> Int:
    rows[n, BOARD] = board
    rows[n, PLAIN] = plain
    rows[n, SUITED] = suited
    rows[n, MASK] = mask
    rows[n, LOW] = y
    rows[n, HIGH] = z
    return n + 1


@inlined
def suit_rows(flop: Ints, on_flop: Int, beside: Ints, left: Ints, rows: Ints) -> Int:
    """Turns and rivers that put three or more of a suit on the board; returns how many rows."""
    five = np.zeros(5, np.int64)
    have = 3 - len(beside)
    low = high = np.int64(-1)
    if len(beside) == 2:
        low, high = min(beside[0], beside[1]), max(beside[0], beside[1])
    elif len(beside) == 1:
        high = beside[0]
    n = 0
    for x in range(13):  # both of the suit
        for y in range(x):
            if not (on_flop >> x & 1 or on_flop >> y & 1):
                mask = on_flop | 1 << x | 1 << y
                plain = _rank_board(flop, y, x, five)
                n = _put(rows, n, suit_board(mask, low, high), plain, 2, mask, 0, 0)
    if have < 2:
        return n
    for x in range(13):  # one of the suit
        if on_flop >> x & 1:
            continue
        mask = on_flop | 1 << x
        for z in range(13):
            if left[z] > 0:
                if have == 2:
                    board = suit_board(mask, min(high, z), max(high, z))
                else:
                    board = suit_board(mask, -1, z)
                plain = _rank_board(flop, min(x, z), max(x, z), five)
                n = _put(rows, n, board, plain, 1, mask, 0, z)
    if have < 3:
        return n
    for z in range(13):  # none of the suit
        for y in range(z + 1):
            n = _put(rows, n, suit_board(on_flop, y, z), 0, 0, on_flop, y, z)
    return n


@inlined
def _suit_ways(row: Ints, first: Int, second: Int, left: Ints) -> Int:
    """How many turns and rivers of this row a kind of holding leaves; 0 where it shares a card."""
    if first < 13 and row[MASK] >> first & 1:
        return 0
    if second < 13 and row[MASK] >> second & 1:
        return 0
    if row[SUITED] == 2:
        return 1
    z = row[HIGH]
    at_z = left[z] - (first == 13 + z) - (second == 13 + z)
    if row[SUITED] == 1:
        return at_z
    y = row[LOW]
    if y == z:
        return at_z * (at_z - 1) // 2
    return at_z * (left[y] - (first == 13 + y) - (second == 13 + y))


@inlined
def _rank_ways(x: Int, y: Int, low: Int, high: Int, left: Ints) -> Int:
    """How many pairs of cards of ranks x and y a holding of two ranks leaves."""
    at_x = left[x] - (low == x) - (high == x)
    if x == y:
        return at_x * (at_x - 1) // 2
    return at_x * (left[y] - (low == y) - (high == y))


@inlined
def _kinds(on_flop: Int, left: Ints, firsts: Ints, seconds: Ints, kinds: Ints) -> Int:
    """The kinds of holding that can be dealt beside this flop."""
    count = 0
    for kind in range(CODE_PAIRS):
        first, second = firsts[kind], seconds[kind]
        if first < 13 and (on_flop >> first & 1 or first == second):
            continue
        if second < 13 and on_flop >> second & 1:
            continue
        if first >= 13 and left[first - 13] < 1 + (first == second):
            continue
        if second >= 13 and left[second - 13] < 1:
            continue
        kinds[count] = kind
        count += 1
    return count


@inlined
def _rank_table(flop: Ints, left: Ints, by_ranks: Values, table: Sums) -> None:
    """Gather every turn and river by rank alone: table[pair of ranks]."""
    table[:] = 0
    five = np.zeros(5, np.int64)
    for y in range(13):
        for x in range(y + 1):
            row = by_ranks[_rank_board(flop, x, y, five)]
            for high in range(13):
                for low in range(high + 1):
                    ways = _rank_ways(x, y, low, high, left)
                    if ways > 0:
                        pair = pair_index(low, high)
                        for k in range(3):
                            table[pair, k] += ways * np.int64(row[pair, k])


@inlined
def _spread_ranks(flop: Ints, left: Ints, table: Sums, to_ranks: Values) -> None:
    """The same walk the other way."""
    five = np.zeros(5, np.int64)
    for y in range(13):
        for x in range(y + 1):
            row = to_ranks[_rank_board(flop, x, y, five)]
            for high in range(13):
                for low in range(high + 1):
                    ways = _rank_ways(x, y, low, high, left)
                    if ways > 0:
                        pair = pair_index(low, high)
                        for k in range(COLUMNS):
                            row[pair, k] += ways * table[pair, k]


@kernel
def code_pairs(firsts: Ints, seconds: Ints, pairs: Ints) -> None:
    """The two codes of each kind of holding, and its pair of ranks."""
    for high in range(CODES):
        for low in range(high + 1):
            kind = pair_index(low, high)
            firsts[kind], seconds[kind] = low, high
            a, b = low % 13, high % 13
            pairs[kind] = pair_index(min(a, b), max(a, b))


@inlined
def _beside(flop: Hands, suit: Int, beside: Ints, left: Ints) -> Int:
    """The ranks of the flop not of this suit, and what is left of the other suits."""
    left[:] = 3
    n = 0
    for card in flop:
        if card & 3 != suit:
            beside[n] = card >> 2
            left[card >> 2] -= 1
            n += 1
    return n


@inlined
def code(card: Int, suit: Int) -> Int:
    return (card >> 2) + (0 if card & 3 == suit else 13)


@inlined
def kind_of(a: Int, b: Int, suit: Int) -> Int:
    """The kind of holding two cards are, seen from a suit."""
    first, second = code(a, suit), code(b, suit)
    return pair_index(min(first, second), max(first, second))


@kernel
def flop_sums(
    flops: Hands, start: Int, stop: Int, by_ranks: Values, by_suit: Values, sums: Sums
) -> None:
    """sums[flop, holding]: each of the river's values over all turns and rivers. Holdings are the
    pairs of the other 49 cards, by their higher card and then the lower."""
    firsts, seconds, pairs = np.empty((3, CODE_PAIRS), np.int64)
    code_pairs(firsts, seconds, pairs)
    rank_table = np.zeros((RANK_PAIRS, 3), np.int64)
    suit_tables = np.zeros((4, CODE_PAIRS, 3), np.int64)
    rows = np.zeros((MOST_ROWS, 6), np.int64)
    kinds = np.zeros(CODE_PAIRS, np.int64)
    ranks, beside = np.zeros((2, 3), np.int64)
    left = np.zeros(13, np.int64)
    for at in range(start, stop):
        flop = flops[at]
        masks = np.zeros(4, np.int64)
        for i in range(3):
            ranks[i] = flop[i] >> 2
            masks[flop[i] & 3] |= 1 << ranks[i]
        by_rank = 1
        for suit in range(4):
            if not masks[suit]:
                continue
            table = suit_tables[suit]
            table[:] = 0
            n = _beside(flop, suit, beside, left)
            if n == 0:
                by_rank = 0  # a suited flop: every board has its three
            count = _kinds(masks[suit], left, firsts, seconds, kinds)
            for r in range(suit_rows(ranks, masks[suit], beside[:n], left, rows)):
                row = rows[r]
                board, plain = by_suit[row[BOARD]], by_ranks[row[PLAIN]]
                for i in range(count):
                    kind = kinds[i]
                    ways = _suit_ways(row, firsts[kind], seconds[kind], left)
                    if ways > 0:
                        for k in range(3):
                            table[kind, k] += ways * (
                                np.int64(board[kind, k]) - by_rank * np.int64(plain[pairs[kind], k])
                            )
        rank_table[:] = 0
        if by_rank:
            left[:] = 4
            for r in ranks:
                left[r] -= 1
            _rank_table(ranks, left, by_ranks, rank_table)
        holding = 0
        for b in range(52):
            if b == flop[0] or b == flop[1] or b == flop[2]:
                continue
            for a in range(b):
                if a == flop[0] or a == flop[1] or a == flop[2]:
                    continue
                for k in range(3):
                    total = rank_table[pair_index(a >> 2, b >> 2), k]
                    for suit in range(4):
                        if masks[suit]:
                            total += suit_tables[suit, kind_of(a, b, suit), k]
                    sums[at, holding, k] = total
                holding += 1


@kernel
def spread(
    flops: Hands,
    weights: Counts,
    column: NDArray[np.uint8],
    share: Int,
    shares: Int,
    to_ranks: Values,
    to_suit: Values,
) -> None:
    """How many deals reach each kind of board and holding, by what they have played till then:
    column[flop, holding] says where to count, or COLUMNS where not to. Does every ``shares``-th
    flop."""
    firsts, seconds, pairs = np.empty((3, CODE_PAIRS), np.int64)
    code_pairs(firsts, seconds, pairs)
    rank_table = np.zeros((RANK_PAIRS, COLUMNS), np.int64)
    suit_tables = np.zeros((4, CODE_PAIRS, COLUMNS), np.int64)
    rows = np.zeros((MOST_ROWS, 6), np.int64)
    kinds = np.zeros(CODE_PAIRS, np.int64)
    ranks, beside = np.zeros((2, 3), np.int64)
    left = np.zeros(13, np.int64)
    for at in range(share, len(flops), shares):
        flop = flops[at]
        masks = np.zeros(4, np.int64)
        for i in range(3):
            ranks[i] = flop[i] >> 2
            masks[flop[i] & 3] |= 1 << ranks[i]
        rank_table[:] = 0
        suit_tables[:] = 0
        holding = 0
        for b in range(52):
            if b == flop[0] or b == flop[1] or b == flop[2]:
                continue
            for a in range(b):
                if a == flop[0] or a == flop[1] or a == flop[2]:
                    continue
                k = column[at, holding]
                if k < COLUMNS:
                    rank_table[pair_index(a >> 2, b >> 2), k] += weights[at]
                    for suit in range(4):
                        if masks[suit]:
                            suit_tables[suit, kind_of(a, b, suit), k] += weights[at]
                holding += 1
        by_rank = 1
        for suit in range(4):
            if not masks[suit]:
                continue
            n = _beside(flop, suit, beside, left)
            if n == 0:
                by_rank = 0
            count = _kinds(masks[suit], left, firsts, seconds, kinds)
            for r in range(suit_rows(ranks, masks[suit], beside[:n], left, rows)):
                row = rows[r]
                board, plain = to_suit[row[BOARD]], to_ranks[row[PLAIN]]
                for i in range(count):
                    kind = kinds[i]
                    ways = _suit_ways(row, firsts[kind], seconds[kind], left)
                    if ways > 0:
                        for k in range(COLUMNS):
                            deals = ways * suit_tables[suit, kind, k]
                            if deals:
                                board[kind, k] += deals
                                plain[pairs[kind], k] -= by_rank * deals
        if by_rank:
            left[:] = 4
            for r in ranks:
                left[r] -= 1
            _spread_ranks(ranks, left, rank_table, to_ranks)


@kernel
def hole_classes(flops: Hands, classes: NDArray[np.uint8]) -> None:
    """classes[flop, holding]: where a holding stands in the chart of 13 by 13; suited hands above
    the diagonal (lower rank first), the others below it."""
    for at in range(len(flops)):
        holding = 0
        for b in range(52):
            if b == flops[at, 0] or b == flops[at, 1] or b == flops[at, 2]:
                continue
            for a in range(b):
                if a == flops[at, 0] or a == flops[at, 1] or a == flops[at, 2]:
                    continue
                low, high = a >> 2, b >> 2
                suited = a & 3 == b & 3
                classes[at, holding] = low * 13 + high if suited else high * 13 + low
                holding += 1
