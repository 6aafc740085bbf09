"""Ultimate Texas Hold'em at the river: every kind of board against every kind of holding.

On a board without three cards of one suit only ranks matter, so 6,175 sets of ranks stand for all
such boards and 91 pairs of ranks for all holdings. With three or more of one suit ("the" suit) a
holding is two cards that are each of the suit or not: 36,608 kinds of board, at most 276 kinds of
holding. Each kind of board sorts its holdings by strength once and sweeps them; counters per kind
of card say how many dealer holdings below mine use none of my cards, since cards of one kind stand
for each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.deals import CHOOSE
from croupier.cards.evaluator import FIVE_CARD_KIND, seven
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.ranking import FiveCard

Tally = NDArray[np.int16]

RANK_BOARDS = 6188  # five ranks with repetition
RANK_PAIRS = 91
SUIT_BOARDS = 286 * 91 + 715 * 13 + 1287
CODES = 26  # a card of the suit by rank, or not of the suit by rank
CODE_PAIRS = 351
DEALER = 990  # the dealer's holdings, my cards and the board gone

FOUR_SUITED = 286 * 91
FIVE_SUITED = FOUR_SUITED + 715 * 13

# What is counted for a holding: its kind of hand plus one (0 where it cannot be held), and of the
# dealer's holdings those below it, those not above it, and those below a pair.
KIND, BELOW, UPTO, UNQUALIFIED = 0, 1, 2, 3

PAIR = int(np.flatnonzero(FIVE_CARD_KIND == FiveCard.ONE_PAIR)[0])


@inlined
def pair_index(low: Int, high: Int) -> Int:
    return low + high * (high + 1) // 2


@inlined
def ranks_index(r: NDArray[np.int64]) -> Int:
    """Five ascending ranks, with repetition."""
    return (
        CHOOSE[r[0], 1]
        + CHOOSE[r[1] + 1, 2]
        + CHOOSE[r[2] + 2, 3]
        + CHOOSE[r[3] + 3, 4]
        + CHOOSE[r[4] + 4, 5]
    )


@inlined
def _sort(
    keys: NDArray[np.int64], count: Int, spare: NDArray[np.int64], starts: NDArray[np.int64]
) -> None:
    """By strength, thirteen bits in two passes of seven and six; a few hundred keys at a time."""
    for shift in (10, 17):
        starts[:] = 0
        for i in range(count):
            starts[(keys[i] >> shift & 127) + 1] += 1
        for i in range(128):
            starts[i + 1] += starts[i]
        for i in range(count):
            place = keys[i] >> shift & 127
            spare[starts[place]] = keys[i]
            starts[place] += 1
        for i in range(count):
            keys[i] = spare[i]


@inlined
def _ways(first: Int, second: Int, copies: NDArray[np.int64]) -> Int:
    """Holdings of this kind: cards of one kind stand for each other."""
    if first == second:
        return copies[first] * (copies[first] - 1) // 2
    return copies[first] * copies[second]


@inlined
def _sweep(
    keys: NDArray[np.int64],
    count: Int,
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    copies: NDArray[np.int64],
    using: NDArray[np.int64],
    using_low: NDArray[np.int64],
    out: Tally,
) -> None:
    """keys: strength and kind of holding, sorted. copies: how many cards of each kind are left.
    using: dealer holdings seen so far that use a card of the kind."""
    using[:] = 0
    using_low[:] = 0
    seen = np.int64(0)
    low = np.int64(0)
    for i in range(count):  # dealers below a pair, for whom every ante goes back
        if keys[i] >> 10 >= PAIR:
            break
        first, second = firsts[keys[i] & 1023], seconds[keys[i] & 1023]
        ways = _ways(first, second, copies)
        low += ways
        using_low[first] += ways
        using_low[second] += ways
    at = 0
    while at < count:
        strength = keys[at] >> 10
        stop = at
        while stop < count and keys[stop] >> 10 == strength:
            kind = keys[stop] & 1023
            first, second = firsts[kind], seconds[kind]
            own = 1 if strength < PAIR else 0  # my own holding, taken off twice
            out[kind, KIND] = FIVE_CARD_KIND[strength] + 1
            out[kind, BELOW] = (
                seen - using[first] // copies[first] - using[second] // copies[second]
            )
            out[kind, UNQUALIFIED] = (
                low - using_low[first] // copies[first] - using_low[second] // copies[second] + own
            )
            stop += 1
        for i in range(at, stop):
            first, second = firsts[keys[i] & 1023], seconds[keys[i] & 1023]
            ways = _ways(first, second, copies)
            seen += ways
            using[first] += ways
            using[second] += ways
        for i in range(at, stop):
            kind = keys[i] & 1023
            first, second = firsts[kind], seconds[kind]
            out[kind, UPTO] = (
                seen - using[first] // copies[first] - using[second] // copies[second] + 1
            )
        at = stop


@kernel
def rank_boards(start: Int, stop: Int, counts: Tally) -> None:
    """Boards without three of a suit: counts[board, pair of ranks]."""
    keys = np.empty(CODE_PAIRS, np.int64)
    spare = np.empty(CODE_PAIRS, np.int64)
    starts = np.zeros(129, np.int64)
    firsts = np.empty(CODE_PAIRS, np.int64)
    seconds = np.empty(CODE_PAIRS, np.int64)
    for high in range(13):
        for low in range(high + 1):
            firsts[pair_index(low, high)] = low
            seconds[pair_index(low, high)] = high
    board = np.zeros(5, np.int64)
    seven_ranks = np.zeros(7, np.int64)
    copies = np.zeros(13, np.int64)
    using = np.zeros(13, np.int64)
    using_low = np.zeros(13, np.int64)
    for top in range(start, stop):
        board[4] = top
        for r3 in range(top + 1):
            board[3] = r3
            for r2 in range(r3 + 1):
                board[2] = r2
                for r1 in range(r2 + 1):
                    board[1] = r1
                    for r0 in range(r1 + 1):
                        board[0] = r0
                        copies[:] = 4
                        for r in board:
                            copies[r] -= 1
                        if copies[top] < 0:
                            continue
                        count = 0
                        for kind in range(RANK_PAIRS):
                            low, high = firsts[kind], seconds[kind]
                            if copies[low] < 1 or copies[high] < 1:
                                continue
                            if low == high and copies[low] < 2:
                                continue
                            _merge(board, low, high, seven_ranks)
                            keys[count] = np.int64(_unsuited(seven_ranks)) << 10 | kind
                            count += 1
                        _sort(keys, count, spare, starts)
                        _sweep(
                            keys,
                            count,
                            firsts,
                            seconds,
                            copies,
                            using,
                            using_low,
                            counts[ranks_index(board)],
                        )


@inlined
def _merge(board: NDArray[np.int64], low: Int, high: Int, out: NDArray[np.int64]) -> None:
    """Seven ranks in ascending order."""
    i = 0
    placed = 0
    for at in range(7):
        take_low = placed == 0 and (i == 5 or low <= board[i])
        take_high = placed == 1 and (i == 5 or high <= board[i])
        if take_low:
            out[at] = low
            placed = 1
        elif take_high:
            out[at] = high
            placed = 2
        else:
            out[at] = board[i]
            i += 1


@inlined
def _unsuited(r: NDArray[np.int64]) -> Int:
    """The strength of seven ascending ranks when no flush is possible: suits in turn."""
    return seven(
        4 * r[0], 4 * r[1] + 1, 4 * r[2] + 2, 4 * r[3] + 3, 4 * r[4], 4 * r[5] + 1, 4 * r[6] + 2
    )


@kernel
def suit_boards(start: Int, stop: Int, counts: Tally) -> None:
    """Boards with three or more of the suit: counts[board, pair of codes], for the sets of suited
    ranks from one mask to another."""
    keys = np.empty(CODE_PAIRS, np.int64)
    spare = np.empty(CODE_PAIRS, np.int64)
    starts = np.zeros(129, np.int64)
    firsts = np.empty(CODE_PAIRS, np.int64)
    seconds = np.empty(CODE_PAIRS, np.int64)
    for high in range(CODES):
        for low in range(high + 1):
            firsts[pair_index(low, high)] = low
            seconds[pair_index(low, high)] = high
    copies = np.zeros(CODES, np.int64)
    using = np.zeros(CODES, np.int64)
    using_low = np.zeros(CODES, np.int64)
    cards = np.zeros(5, np.int64)
    for mask in range(start, stop):
        size = 0
        index = np.int64(0)
        for r in range(13):
            if mask >> r & 1:
                if size < 5:
                    cards[size] = 4 * r
                size += 1
                index += CHOOSE[r, size]
        if size < 3 or size > 5:
            continue
        others = 91 if size == 3 else (13 if size == 4 else 1)
        for other in range(others):
            copies[:13] = 1
            copies[13:] = 3
            for r in range(13):
                if mask >> r & 1:
                    copies[r] = 0
            if size == 3:
                high = 0
                while (high + 1) * (high + 2) // 2 <= other:
                    high += 1
                low = other - high * (high + 1) // 2
                copies[13 + low] -= 1
                copies[13 + high] -= 1
                cards[3] = 4 * low + 1
                cards[4] = 4 * high + (2 if low == high else 1)
                board = index * 91 + other
            elif size == 4:
                copies[13 + other] -= 1
                cards[4] = 4 * other + 1
                board = FOUR_SUITED + index * 13 + other
            else:
                board = FIVE_SUITED + index
            count = 0
            for kind in range(CODE_PAIRS):
                first, second = firsts[kind], seconds[kind]
                if copies[first] < 1 or copies[second] < 1:
                    continue
                if first == second and copies[first] < 2:
                    continue
                a = 4 * first if first < 13 else 4 * (first - 13) + 3
                b = 4 * second if second < 13 else 4 * (second - 13) + 3
                if a == b:
                    b -= 1
                strength = seven(cards[0], cards[1], cards[2], cards[3], cards[4], a, b)
                keys[count] = np.int64(strength) << 10 | kind
                count += 1
            _sort(keys, count, spare, starts)
            _sweep(keys, count, firsts, seconds, copies, using, using_low, counts[board])
