"""Rounds played from their cards: what class of outcome each seat ends in.

A row of cards is one round. Shared cards come first, then each seat's: in Ultimate Texas Hold'em
five community cards and the dealer's two, then two a seat; in Caribbean Stud and Pik-It the
dealer's five (the first is the up-card), then five a seat; in Let It Ride the two community cards
that count, in the order they are shown, then three a seat.

A class is a number made of digits, as an hour is of minutes and seconds; which digits stands above
each game. Hands are classed as settlement tells them apart. There is no money here.

Each game has two kernels: one makes every decision of all rounds, the other looks at the cards. A
processor that need not guess the one while it waits for the other does both in half the time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import CODE_PAIRS, PAIR, RANK_PAIRS, pair_index
from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.analysis.counting.flops import kind_of
from croupier.analysis.plan import Choices, Flags
from croupier.analysis.side_bets import five_card_classes
from croupier.analysis.simulation.decisions import (
    LOOKS,
    PAIRS,
    Masks,
    Packed,
    Places,
    pair_number,
    rank_slot,
    turned,
    unpacked,
)
from croupier.cards.evaluator import (
    SUITED,
    THREE_CARD_KIND,
    THREE_SUITED,
    best_three_of_five,
    five,
    key,
    ranks,
    ranks_of_suit,
    seven,
    three,
)
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.quick import strengths
from croupier.games import caribbean_stud, pik_it
from croupier.rules.paytable import FIVE_CARD_CLASSES, THREE_CARD_CLASSES

Classes = NDArray[np.uint32]

I64, U64 = np.int64, np.uint64
FIVES, THREES = len(FIVE_CARD_CLASSES), len(THREE_CARD_CLASSES)
FIVE_CLASS = five_card_classes()
THREE_CLASS = (THREES - 1 - THREE_CARD_KIND).astype(np.uint8)  # the classes begin with the highest
CARIBBEAN_QUALIFIES = strengths(5).index(caribbean_stud.QUALIFYING)
PIK_IT_QUALIFIES = strengths(5).index(pik_it.QUALIFYING)
SUIT_NUMBERS = U64(0x0003_0002_0001_0000)  # where the evaluator would have each suit's ranks


@inlined
def versus(mine: Int, dealers: Int) -> Int:
    """0 below the dealer's, 1 equal, 2 above."""
    return I64(mine > dealers) - I64(mine < dealers) + 1


@inlined
def number_of_three(a: Int, b: Int, c: Int) -> Int:
    """The combinatorial number of three cards in any order."""
    low, high = min(a, b), max(a, b)
    middle = max(low, min(high, c))
    return CHOOSE[max(high, c), 3] + CHOOSE[middle, 2] + min(low, c)


@inlined
def number_of_five(a: Int, b: Int, c: Int, d: Int, e: Int) -> Int:
    """The combinatorial number of five cards in any order: nine exchanges put them in order."""
    a, b = min(a, b), max(a, b)
    d, e = min(d, e), max(d, e)
    c, e = min(c, e), max(c, e)
    c, d = min(c, d), max(c, d)
    a, d = min(a, d), max(a, d)
    a, c = min(a, c), max(a, c)
    b, e = min(b, e), max(b, e)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return CHOOSE[e, 5] + CHOOSE[d, 4] + CHOOSE[c, 3] + CHOOSE[b, 2] + a


# --- Ultimate Texas Hold'em -----------------------------------------------------------------
# times the ante, hand, versus, qualified, hand at the flop, highest hand at the table; the last two
# only where a wager looks at them


@inlined
def at_the_river(
    b: Hands, x: Int, y: Int, by_ranks: Packed, suit_boards: Places, by_suit: Packed
) -> Int:
    """Which multiple the plan plays with cards x and y when the board is out."""
    total = THREE_SUITED + key(b[0]) + key(b[1]) + key(b[2]) + key(b[3]) + key(b[4])
    if not total & SUITED:
        pair = pair_index(min(x, y) >> 2, max(x, y) >> 2)
        return unpacked(by_ranks, I64(rank_slot(total)) * RANK_PAIRS + pair)
    held = ranks(b[0]) | ranks(b[1]) | ranks(b[2]) | ranks(b[3]) | ranks(b[4])
    suit = I64(ranks_of_suit(total, SUIT_NUMBERS))
    board = I64(suit_boards[ranks_of_suit(total, held)])
    low = high = I64(-1)
    for k in range(5):  # at most two are beside the suit
        rank = I64(b[k] >> 2)
        if b[k] & 3 != suit:
            low, high = min(max(low, rank), high), max(high, rank)
    if low >= 0:
        board += pair_index(low, high)
    elif high >= 0:
        board += high
    return unpacked(by_suit, board * CODE_PAIRS + kind_of(x, y, suit))


@kernel
def holdem_choices(
    rounds: Hands,
    multiples: Choices,
    before: Choices,
    places: Places,
    turns: Choices,
    after: Packed,
    by_ranks: Packed,
    suit_boards: Places,
    by_suit: Packed,
    classes: Classes,
) -> None:
    """classes: times the ante. Who has not played yet is listed for the next betting point."""
    waiting = np.empty(len(rounds) + 1, np.int64)
    for seat in range(classes.shape[1]):
        first, second = 7 + 2 * seat, 8 + 2 * seat
        left = 0
        for row in range(len(rounds)):
            times = before[rounds[row, first], rounds[row, second]]
            classes[row, seat] = times
            waiting[left] = row
            left += times == 0
        still = 0
        for k in range(left):
            row = waiting[k]
            b = rounds[row]
            flop = number_of_three(I64(b[0]), I64(b[1]), I64(b[2]))
            turn = I64(turns[flop])
            pair = pair_number(turned(I64(b[first]), turn), turned(I64(b[second]), turn))
            times = multiples[unpacked(after, I64(places[flop]) * PAIRS + pair)]
            classes[row, seat] = times
            waiting[still] = row
            still += times == 0
        for k in range(still):
            b = rounds[waiting[k]]
            choice = at_the_river(b, I64(b[first]), I64(b[second]), by_ranks, suit_boards, by_suit)
            classes[waiting[k], seat] = multiples[choice]


@kernel
def holdem_outcomes(rounds: Hands, flops: Int, highests: Int, classes: Classes) -> None:
    """flops, highests: the sizes of the last two digits, 1 where nobody looks at them."""
    seats = classes.shape[1]
    for row in range(len(rounds)):
        b = rounds[row]
        dealers = I64(seven(b[0], b[1], b[2], b[3], b[4], b[5], b[6]))
        highest = dealers
        for seat in range(seats):
            x, y = b[7 + 2 * seat], b[8 + 2 * seat]
            mine = I64(seven(b[0], b[1], b[2], b[3], b[4], x, y))
            highest = max(highest, mine)
            found = I64(classes[row, seat]) * FIVES + I64(FIVE_CLASS[mine])
            found = (found * 3 + versus(mine, dealers)) * 2 + I64(dealers >= PAIR)
            found *= flops
            if flops > 1:
                found += I64(FIVE_CLASS[five(b[0], b[1], b[2], x, y)])
            classes[row, seat] = found * highests
        if highests > 1:
            for seat in range(seats):
                classes[row, seat] += FIVE_CLASS[highest]


# --- Caribbean Stud -------------------------------------------------------------------------
# bet or fold, hand, versus, qualified


@kernel
def caribbean_choices(rounds: Hands, bets: Packed, masks: Masks, classes: Classes) -> None:
    for row in range(len(rounds)):
        for seat in range(classes.shape[1]):
            h = rounds[row, 5 + 5 * seat : 10 + 5 * seat]
            number = number_of_five(I64(h[0]), I64(h[1]), I64(h[2]), I64(h[3]), I64(h[4]))
            choice = I64(unpacked(bets, number))
            if choice == LOOKS:
                choice = I64(masks[number] >> U64(rounds[row, 0]) & U64(1))
            classes[row, seat] = choice


@kernel
def caribbean_outcomes(rounds: Hands, classes: Classes) -> None:
    for row in range(len(rounds)):
        r = rounds[row]
        dealers = I64(five(r[0], r[1], r[2], r[3], r[4]))
        qualified = I64(dealers >= CARIBBEAN_QUALIFIES)
        for seat in range(classes.shape[1]):
            h = r[5 + 5 * seat : 10 + 5 * seat]
            mine = I64(five(h[0], h[1], h[2], h[3], h[4]))
            found = I64(classes[row, seat]) * FIVES + I64(FIVE_CLASS[mine])
            classes[row, seat] = (found * 3 + versus(mine, dealers)) * 2 + qualified


# --- Let It Ride ----------------------------------------------------------------------------
# bet 1 rides, bet 2 rides, hand, three cards


@kernel
def ride_choices(rounds: Hands, first: Flags, second: Masks, classes: Classes) -> None:
    for row in range(len(rounds)):
        for seat in range(classes.shape[1]):
            h = rounds[row, 2 + 3 * seat : 5 + 3 * seat]
            number = number_of_three(I64(h[0]), I64(h[1]), I64(h[2]))
            rides = I64(second[number] >> U64(rounds[row, 0]) & U64(1))
            classes[row, seat] = I64(first[number]) * 2 + rides


@kernel
def ride_outcomes(rounds: Hands, classes: Classes) -> None:
    for row in range(len(rounds)):
        r = rounds[row]
        for seat in range(classes.shape[1]):
            h = r[2 + 3 * seat : 5 + 3 * seat]
            hand = I64(FIVE_CLASS[five(r[0], r[1], h[0], h[1], h[2])])
            found = I64(classes[row, seat]) * FIVES + hand
            classes[row, seat] = found * THREES + I64(THREE_CLASS[three(h[0], h[1], h[2])])


# --- Pik-It ---------------------------------------------------------------------------------
# fold, three or five cards, hand, versus by the cards that are played, qualified, the three picked


@kernel
def pik_it_choices(rounds: Hands, plays: Packed, classes: Classes) -> None:
    for row in range(len(rounds)):
        for seat in range(classes.shape[1]):
            h = rounds[row, 5 + 5 * seat : 10 + 5 * seat]
            number = number_of_five(I64(h[0]), I64(h[1]), I64(h[2]), I64(h[3]), I64(h[4]))
            classes[row, seat] = unpacked(plays, number)


@kernel
def pik_it_outcomes(rounds: Hands, classes: Classes) -> None:
    """The player picks the first three cards, unseen, for the 3 card bonus."""
    for row in range(len(rounds)):
        r = rounds[row]
        dealers = I64(five(r[0], r[1], r[2], r[3], r[4]))
        dealers_3 = I64(best_three_of_five(r[0], r[1], r[2], r[3], r[4]))
        qualified = I64(dealers >= PIK_IT_QUALIFIES)
        for seat in range(classes.shape[1]):
            h = r[5 + 5 * seat : 10 + 5 * seat]
            play = I64(classes[row, seat])
            mine = I64(five(h[0], h[1], h[2], h[3], h[4]))
            by_three = versus(I64(best_three_of_five(h[0], h[1], h[2], h[3], h[4])), dealers_3)
            by_five = versus(mine, dealers)
            stands = by_five + I64(play == 1) * (by_three - by_five)  # no branch to guess
            found = ((play * FIVES + I64(FIVE_CLASS[mine])) * 3 + stands) * 2 + qualified
            classes[row, seat] = found * THREES + I64(THREE_CLASS[three(h[0], h[1], h[2])])


# --- counting -------------------------------------------------------------------------------


@kernel
def tally(classes: Classes, counts: Counts) -> None:
    for row in range(len(classes)):
        for seat in range(classes.shape[1]):
            counts[classes[row, seat]] += 1


@kernel
def square_sums(classes: Classes, worth: Counts, halves: Counts) -> None:
    """Add the squares of what all seats of a round make together, their lower 32 bits apart from
    the others, since the sum may be too long for a word."""
    for row in range(len(classes)):
        total = I64(0)
        for seat in range(classes.shape[1]):
            total += worth[classes[row, seat]]
        square = total * total
        halves[0] += square & 0xFFFFFFFF
        halves[1] += square >> 32
