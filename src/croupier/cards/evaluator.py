"""The ranking of hands, fast: the compiled twin of :mod:`croupier.cards.ranking`.

A hand is worth a number. Better hands have higher numbers, equal hands the same one, and no
number is left out: five cards give 0 (7-5-4-3-2 unsuited) to 7461 (royal flush), three cards
0 (5-3-2 unsuited) to 740 (A-K-Q suited), in Pik-It's order.

How it works. Every card has a 64-bit key: the low half tells its rank, four counters at the
top tell its suit. The keys of a hand are added. If a suit counter shows a flush, the ranks
of that suit, as 13 bits, are the index of the answer. If not, only ranks matter, and the low
bits of the sum lead to the answer through two tables (see ``perfect_hash``).

The tables are made when this module is imported, by code that shares no line with
``ranking``, so the tests that find the two equal prove something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards.kernel import Codes, Numbers, inlined, kernel, perfect_hash
from croupier.law.refused import Refused

Card = int | np.integer[Any]
Number = Any  # unsigned; numpy's types do not tell what an element of an array is
Hands = NDArray[np.uint8]

# The kinds, lowest first: the numbers of ranking.FiveCard and ranking.ThreeCard.
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS = range(8)
STRAIGHT_FLUSH, ROYAL_FLUSH = 8, 9
HIGH_CARD_3, PAIR_3, FLUSH_3, STRAIGHT_3, TRIPS_3, STRAIGHT_FLUSH_3, ROYAL_FLUSH_3 = range(7)

# --- the law, on sets of ranks --------------------------------------------------------------
# A set of ranks is 13 bits, bit 0 the two. Of two sets of one size, the greater number is the
# set with the highest card that they do not share: so kickers compare. A code orders hands
# by kind, then by the ranks of the defining group, then by kickers.


@kernel
def code(kind: int, group: int, kickers: int) -> int:
    return kind << 28 | group << 14 | kickers


@kernel
def top(size: int, ranks: int) -> int:
    """The highest of these ranks, ``size`` of them, or all where there are fewer."""
    found = 0
    for bit in range(12, -1, -1):
        if size > 0 and ranks >> bit & 1:
            found |= 1 << bit
            size -= 1
    return found


@kernel
def run(size: int, ranks: int) -> int:
    """The highest sequence as a bit: 0 is none, 1 begins with the low ace, 2 with the two."""
    with_low_ace = ranks << 1 | ranks >> 12
    best = 0
    for bottom in range(15 - size):
        if with_low_ace >> bottom & (1 << size) - 1 == (1 << size) - 1:
            best = 1 << bottom
    return best


@kernel
def unsuited_five(ones: int, twos: int, threes: int, fours: int) -> int:
    """The best five cards by ranks alone, given the ranks held once or more, twice or more..."""
    if fours:
        quads = top(1, fours)
        return code(QUADS, quads, top(1, ones & ~quads))
    trips = top(1, threes)
    if trips and twos & ~trips:
        return code(FULL_HOUSE, trips, top(1, twos & ~trips))
    if run(5, ones):
        return code(STRAIGHT, run(5, ones), 0)
    if trips:
        return code(TRIPS, trips, top(2, ones & ~trips))
    pairs = top(2, twos)
    if top(1, pairs) != pairs:
        return code(TWO_PAIR, pairs, top(1, ones & ~pairs))
    if pairs:
        return code(PAIR, pairs, top(3, ones & ~pairs))
    return code(HIGH_CARD, 0, top(5, ones))


@kernel
def unsuited_three(ones: int, twos: int, threes: int) -> int:
    """The best three cards by ranks alone."""
    if threes:
        return code(TRIPS_3, top(1, threes), 0)
    if run(3, ones):
        return code(STRAIGHT_3, run(3, ones), 0)
    if twos:
        pair = top(1, twos)
        return code(PAIR_3, pair, top(1, ones & ~pair))
    return code(HIGH_CARD_3, 0, top(3, ones))


@kernel
def suited_codes(size: int, flush: int, straight_flush: int, royal_flush: int) -> Codes:
    """For each set of ranks, held in one suit, the best ``size`` cards; -1 if too few."""
    codes = np.full(1 << 13, -1, np.int64)
    for ranks in range(1 << 13):
        if run(size, ranks) == 1 << 14 - size:
            codes[ranks] = code(royal_flush, 0, 0)
        elif run(size, ranks):
            codes[ranks] = code(straight_flush, run(size, ranks), 0)
        elif top(size, ranks) != top(size - 1, ranks):
            codes[ranks] = code(flush, 0, top(size, ranks))
    return codes


# --- making the tables ----------------------------------------------------------------------


@kernel
def unsuited_codes(held: Codes) -> tuple[Codes, Codes]:
    """The best five and the best three cards of each column of ranks held."""
    fives = np.empty(held.shape[1], np.int64)
    threes = np.empty(held.shape[1], np.int64)
    for at in range(held.shape[1]):
        fives[at] = unsuited_five(held[0, at], held[1, at], held[2, at], held[3, at])
        threes[at] = unsuited_three(held[0, at], held[1, at], held[2, at])
    return fives, threes


def choices(size: int) -> tuple[Codes, Codes, Codes]:
    """All choices of ``size`` ranks: the sum of their keys, the best five, the best three."""
    found = np.zeros((6, 1), np.int64)  # how many cards so far, sum of their keys, ranks held
    for rank, key in enumerate(RANK_KEYS):
        more = [[n, n * key, *((n >= times) << rank for times in (1, 2, 3, 4))] for n in range(5)]
        found = np.hstack([found[:, found[0] + n <= size] + np.c_[more[n]] for n in range(5)])
    complete = found[:, found[0] == size]
    return complete[1], *unsuited_codes(complete[2:])


def numbered(codes: Codes, order: Codes) -> Numbers:
    """The place of each code in the order; -1, which stands for no hand, becomes 0."""
    return np.searchsorted(order, codes).astype(np.uint16)


# Powers of a number found by search: no two hands of seven have sums equal in their lowest
# 29 bits, no two of five in their lowest 23, no two of three in their lowest 16.
RANK_KEYS = [pow(4112891, rank + 1, 1 << 32) for rank in range(13)]
SUIT_COUNTS = 48  # from this bit on, four counters of four bits each

# The key of each card, and its rank in the set of its suit, 16 bits for each suit. There is
# an entry for each byte, so that no index is out of range.
CARD_KEYS, CARD_RANKS = np.zeros(256, np.uint64), np.zeros(256, np.uint64)
for _card in range(52):
    _rank, _suit = divmod(_card, 4)
    CARD_KEYS[_card] = RANK_KEYS[_rank] + (1 << SUIT_COUNTS + 4 * _suit)
    CARD_RANKS[_card] = 1 << _rank + 16 * _suit

_sums_7, _codes_7, _ = choices(7)
_sums_5, _codes_5, _codes_3_of_5 = choices(5)
_sums_3, _, _codes_3 = choices(3)
_flushes_5 = suited_codes(5, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
_flushes_3 = suited_codes(3, FLUSH_3, STRAIGHT_FLUSH_3, ROYAL_FLUSH_3)
_order_5 = np.unique(np.append(_codes_5, _flushes_5[_flushes_5 >= 0]))
_order_3 = np.unique(np.append(_codes_3, _flushes_3[_flushes_3 >= 0]))

# The kind of each number, and the first number of each kind.
FIVE_CARD_KIND = (_order_5 >> 28).astype(np.uint8)
THREE_CARD_KIND = (_order_3 >> 28).astype(np.uint8)
FIVE_CARD_FIRST = numbered(np.arange(10) << 28, _order_5)
THREE_CARD_FIRST = numbered(np.arange(7) << 28, _order_3)

SEVEN_SHIFTS, SEVEN = perfect_hash(_sums_7, numbered(_codes_7, _order_5), 13, 16)
FIVE_SHIFTS, FIVE = perfect_hash(_sums_5, numbered(_codes_5, _order_5), 10, 13)
THREE_OF_FIVE = perfect_hash(_sums_5, numbered(_codes_3_of_5, _order_3), 10, 13)[1]
THREE_SHIFTS, THREE = perfect_hash(_sums_3, numbered(_codes_3, _order_3), 6, 10)
FLUSHES = numbered(_flushes_5, _order_5)
FLUSHES_3 = numbered(_flushes_3, _order_3)

# --- one hand, inside other kernels ---------------------------------------------------------
# All is unsigned: of unsigned and signed numba makes a float, and an index that might be
# negative costs a test. The tables are globals, which numba freezes into the machine code;
# as arguments they would cost many times as much. Cards are not checked here.

U8, U64 = np.uint8, np.uint64
FIVE_SUITED = U64(0x3333 << SUIT_COUNTS)  # with this added, five of a suit make an 8,
THREE_SUITED = U64(0x5555 << SUIT_COUNTS)  # and with this, three;
SUITED = U64(0x8888 << SUIT_COUNTS)  # here the 8 shows


@inlined
def key(card: Card) -> Number:
    return CARD_KEYS[U8(card)]


@inlined
def ranks(card: Card) -> Number:
    return CARD_RANKS[U8(card)]


@inlined
def ranks_of_suit(total: Number, held: Number) -> Number:
    """Of the ranks held in four suits, those in the suit whose counter shows."""
    diamonds, hearts, spades = total >> U64(55), total >> U64(59), total >> U64(63)
    suit = (diamonds & U64(1)) + U64(2) * (hearts & U64(1)) + U64(3) * spades
    return held >> U64(16) * suit & U64(0x1FFF)


@inlined
def seven(a: Card, b: Card, c: Card, d: Card, e: Card, f: Card, g: Card) -> Number:
    """The number of the best five of seven cards."""
    total = FIVE_SUITED + key(a) + key(b) + key(c) + key(d) + key(e) + key(f) + key(g)
    if total & SUITED:
        held = ranks(a) | ranks(b) | ranks(c) | ranks(d) | ranks(e) | ranks(f) | ranks(g)
        return FLUSHES[ranks_of_suit(total, held)]
    return SEVEN[total & U64(0xFFFF) ^ SEVEN_SHIFTS[total >> U64(16) & U64(0x1FFF)]]


@inlined
def five(a: Card, b: Card, c: Card, d: Card, e: Card) -> Number:
    """The number of five cards."""
    total = FIVE_SUITED + key(a) + key(b) + key(c) + key(d) + key(e)
    if total & SUITED:
        held = ranks(a) | ranks(b) | ranks(c) | ranks(d) | ranks(e)
        return FLUSHES[ranks_of_suit(total, held)]
    return FIVE[total & U64(0x1FFF) ^ FIVE_SHIFTS[total >> U64(13) & U64(0x3FF)]]


@inlined
def three(a: Card, b: Card, c: Card) -> Number:
    """The number of three cards."""
    total = THREE_SUITED + key(a) + key(b) + key(c)
    if total & SUITED:
        return FLUSHES_3[ranks_of_suit(total, ranks(a) | ranks(b) | ranks(c))]
    return THREE[total & U64(0x3FF) ^ THREE_SHIFTS[total >> U64(10) & U64(0x3F)]]


@inlined
def best_three_of_five(a: Card, b: Card, c: Card, d: Card, e: Card) -> Number:
    """The number of the best three of five cards: of their ranks, or of three in one suit."""
    total = THREE_SUITED + key(a) + key(b) + key(c) + key(d) + key(e)
    best = THREE_OF_FIVE[total & U64(0x1FFF) ^ FIVE_SHIFTS[total >> U64(13) & U64(0x3FF)]]
    if total & SUITED:
        held = ranks(a) | ranks(b) | ranks(c) | ranks(d) | ranks(e)
        best = max(best, FLUSHES_3[ranks_of_suit(total, held)])
    return best


# --- many hands -----------------------------------------------------------------------------


@kernel
def each_seven(hands: Hands, numbers: Numbers) -> None:
    for at in range(len(hands)):
        h = hands[at]
        numbers[at] = seven(h[0], h[1], h[2], h[3], h[4], h[5], h[6])


@kernel
def each_five(hands: Hands, numbers: Numbers) -> None:
    for at in range(len(hands)):
        h = hands[at]
        numbers[at] = five(h[0], h[1], h[2], h[3], h[4])


@kernel
def each_three(hands: Hands, numbers: Numbers) -> None:
    for at in range(len(hands)):
        h = hands[at]
        numbers[at] = three(h[0], h[1], h[2])


def _evaluate(size: int, each: Callable[[Hands, Numbers], None], hands: Hands) -> Numbers:
    if hands.dtype != np.uint8 or hands.ndim != 2 or hands.shape[1] != size:
        raise Refused(
            f"Hands of {size} cards are an array of uint8 with {size} columns, "
            f"not one of {hands.dtype} with the shape {hands.shape}."
        )
    if (highest := hands.max(initial=0)) > 51:
        raise Refused(f"Cards are numbers from 0 to 51, and {highest} is none.")
    numbers = np.empty(len(hands), np.uint16)
    each(np.ascontiguousarray(hands), numbers)
    return numbers


def evaluate7(hands: Hands) -> Numbers:
    """The number of the best five of each row of seven. A card twice in it is not noticed."""
    return _evaluate(7, each_seven, hands)


def evaluate5(hands: Hands) -> Numbers:
    """The number of each row of five. A card twice in it is not noticed."""
    return _evaluate(5, each_five, hands)


def evaluate3(hands: Hands) -> Numbers:
    """The number of each row of three. A card twice in it is not noticed."""
    return _evaluate(3, each_three, hands)
