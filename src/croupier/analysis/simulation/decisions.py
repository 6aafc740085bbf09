"""A plan spread out over all hands, so that every decision of a simulated round is one look-up.

A plan speaks of one hand for each suit pattern. Here every hand of 52 cards has its own entry, or
the place of its pattern and the turn of suits that leads there: two bits for each suit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import FIVE_SUITED, FOUR_SUITED, RANK_PAIRS, ranks_index
from croupier.analysis.counting.deals import CHOOSE, Hands, all_hands, distinct_hands
from croupier.analysis.many import cores, on_all_cores, parts
from croupier.analysis.plan import (
    CaribbeanPlan,
    Choices,
    Flags,
    HoldemPlan,
    PikItPlan,
    RidePlan,
)
from croupier.cards.evaluator import CARD_KEYS, FIVE_SHIFTS
from croupier.cards.kernel import Int, inlined, kernel
from croupier.law.refused import Refused

Places = NDArray[np.uint32]
Masks = NDArray[np.uint64]
Packed = NDArray[np.uint8]  # two bits for each entry: which of up to four choices

U64 = np.uint64
PAIRS = 1326  # two of 52 cards
SLOTS = 1 << 13  # of the evaluator's table of five ranks
FOLDS, BETS, LOOKS = 0, 1, 2  # Caribbean Stud: whatever the up-card is, or depending on it


class Patterns(NamedTuple):
    """For every hand its place among the distinct ones, and the turn of suits that leads there."""

    places: Places
    turns: Choices


@inlined
def turned(card: Int, turn: Int) -> Int:
    return card & 0xFC | turn >> 2 * (card & 3) & 3


@inlined
def pair_number(a: Int, b: Int) -> Int:
    """The combinatorial number of two cards in any order."""
    low, high = min(a, b), max(a, b)
    return high * (high - 1) // 2 + low


@inlined
def _number(cards: NDArray[np.int64]) -> Int:
    """The combinatorial number of cards; puts them in order."""
    number = np.int64(0)
    for i in range(len(cards)):
        k = i
        while k > 0 and cards[k] < cards[k - 1]:
            cards[k], cards[k - 1] = cards[k - 1], cards[k]
            k -= 1
    for k in range(len(cards)):
        number += CHOOSE[cards[k], k + 1]
    return number


@kernel
def _find_patterns(hands: Hands, distinct: Hands, places: Places, turns: Choices) -> None:
    cards = np.zeros(hands.shape[1], np.int64)
    of_number = np.zeros(len(hands), np.uint32)
    for at in range(len(distinct)):
        cards[:] = distinct[at]
        of_number[_number(cards)] = at
    for at in range(len(hands)):
        masks = np.zeros(4, np.int64)
        for card in hands[at]:
            masks[card & 3] |= 1 << (card >> 2)
        turn = np.int64(0)
        for suit in range(4):  # suits with more or higher cards come first
            place = 0
            for other in range(4):
                if masks[other] > masks[suit] or (masks[other] == masks[suit] and other < suit):
                    place += 1
            turn |= place << 2 * suit
        for k in range(len(cards)):
            cards[k] = turned(np.int64(hands[at, k]), turn)
        places[at] = of_number[_number(cards)]
        turns[at] = turn


@cache
def patterns(size: int) -> Patterns:
    hands = all_hands(size)
    found = Patterns(np.zeros(len(hands), np.uint32), np.zeros(len(hands), np.uint8))
    _find_patterns(hands, distinct_hands(size).hands, *found)
    return found


def packed(choices: Choices) -> Packed:
    """Small tables stay near the processor: that is most of the speed."""
    four = np.pad(choices.ravel(), (0, -choices.size % 4)).reshape(-1, 4)
    found: Packed = np.bitwise_or.reduce(four << np.array([0, 2, 4, 6], np.uint8), axis=1)
    return found


@inlined
def unpacked(choices: Packed, at: Int) -> Int:
    at = U64(at)
    return choices[at >> U64(2)] >> np.uint8(U64(2) * (at & U64(3))) & np.uint8(3)


# --- Ultimate Texas Hold'em -----------------------------------------------------------------


class HoldemDecisions(NamedTuple):
    times: Choices  # the multiples of the ante that the packed tables choose from; first a check
    before: Choices  # [card, card], in antes
    places: Places  # [flop]: its place among the distinct ones
    turns: Choices  # [flop]
    after: Packed  # [distinct flop, pair of cards with their suits turned]
    by_ranks: Packed  # [slot of five ranks, pair of ranks]
    suit_boards: Places  # [set of ranks]: the first board with these in the suit
    by_suit: Packed  # as in the plan


@inlined
def rank_slot(total: Int) -> Int:
    """Where the evaluator keeps five ranks, given the sum of their keys: no two sets of ranks
    share a slot, so it serves as the number of a board."""
    return total & U64(0x1FFF) ^ FIVE_SHIFTS[total >> U64(13) & U64(0x3FF)]


@kernel
def _by_card(before: Choices, by_card: Choices) -> None:
    for high in range(52):
        for low in range(high):
            a, b = low >> 2, high >> 2
            suited = low & 3 == high & 3
            choice = before[a * 13 + b if suited else b * 13 + a]
            by_card[low, high] = by_card[high, low] = choice


@kernel
def _by_pair(flops: Hands, after: Choices, by_pair: Choices) -> None:
    for at in range(len(flops)):
        holding = 0
        for b in range(52):
            if b == flops[at, 0] or b == flops[at, 1] or b == flops[at, 2]:
                continue
            for a in range(b):
                if a == flops[at, 0] or a == flops[at, 1] or a == flops[at, 2]:
                    continue
                by_pair[at, pair_number(a, b)] = after[at, holding]
                holding += 1


@kernel
def _by_slot(by_ranks: Choices, by_slot: Choices) -> None:
    board = np.zeros(5, np.int64)
    for r4 in range(13):
        for r3 in range(r4 + 1):
            for r2 in range(r3 + 1):
                for r1 in range(r2 + 1):
                    for r0 in range(r1 + 1):
                        if r0 == r4:
                            continue
                        board[0], board[1], board[2], board[3], board[4] = r0, r1, r2, r3, r4
                        total = U64(0)
                        for rank in board:
                            total += CARD_KEYS[4 * rank]
                        by_slot[rank_slot(total)] = by_ranks[ranks_index(board)]


@kernel
def _first_boards(firsts: Places) -> None:
    for mask in range(1 << 13):
        size = 0
        index = np.int64(0)
        for rank in range(13):
            if mask >> rank & 1 and size < 5:
                size += 1
                index += CHOOSE[rank, size]
        if size == 3:
            firsts[mask] = index * RANK_PAIRS
        elif size == 4:
            firsts[mask] = FOUR_SUITED + index * 13
        else:
            firsts[mask] = FIVE_SUITED + index


def holdem(plan: HoldemPlan) -> HoldemDecisions:
    flops = distinct_hands(3).hands
    before = np.zeros((52, 52), np.uint8)
    _by_card(plan.before, before)
    after = np.zeros((len(flops), PAIRS), np.uint8)
    _by_pair(flops, plan.after, after)
    by_slot = np.zeros((SLOTS, RANK_PAIRS), np.uint8)
    _by_slot(plan.by_ranks, by_slot)
    firsts = np.zeros(1 << 13, np.uint32)
    _first_boards(firsts)
    times = np.unique(np.concatenate([[0], *map(np.unique, (after, by_slot, plan.by_suit))]))
    if len(times) > 4:
        raise Refused("After the flop a plan may use three multiples of the ante, not more.")
    place = np.searchsorted(times, np.arange(256)).astype(np.uint8)
    return HoldemDecisions(
        np.resize(times, 4).astype(np.uint8),
        before,
        *patterns(3),
        packed(place[after]),
        packed(place[by_slot]),
        firsts,
        packed(place[plan.by_suit]),
    )


# --- Caribbean Stud, Let It Ride ------------------------------------------------------------


class CaribbeanDecisions(NamedTuple):
    bets: Packed  # [hand of five]: FOLDS, BETS or LOOKS
    masks: Masks  # [hand of five]: a bit for each up-card


class RideDecisions(NamedTuple):
    first: Flags  # [hand of three]: bet 1 rides
    second: Masks  # [hand of three]: a bit for each first community card; bet 2 rides


@kernel
def _masks(
    start: Int, stop: Int, places: Places, turns: Choices, chosen: Flags, masks: Masks
) -> None:
    """masks[hand]: for which of the cards that come next the plan says yes."""
    for at in range(start, stop):
        row = chosen[places[at]]
        mask = U64(0)
        for card in range(52):
            if row[turned(card, np.int64(turns[at]))]:
                mask |= U64(1) << U64(card)
        masks[at] = mask


def _spread(size: int, chosen: Flags) -> Masks:
    found = patterns(size)
    masks = np.zeros(len(found.places), np.uint64)
    on_all_cores((_masks, (a, b, *found, chosen, masks)) for a, b in parts(len(masks), 4 * cores()))
    return masks


def caribbean(plan: CaribbeanPlan) -> CaribbeanDecisions:
    """Most hands do the same whatever the up-card is; only the others must look at it."""
    hands = distinct_hands(5).hands
    own = np.zeros(plan.bets.shape, np.bool_)
    np.put_along_axis(own, hands.astype(np.int64), True, axis=1)
    code = np.full(len(hands), LOOKS, np.uint8)
    code[(plan.bets | own).all(axis=1)] = BETS
    code[(~plan.bets | own).all(axis=1)] = FOLDS
    return CaribbeanDecisions(packed(code[patterns(5).places]), _spread(5, plan.bets))


def ride(plan: RidePlan) -> RideDecisions:
    return RideDecisions(plan.first[patterns(3).places], _spread(3, plan.second))


# --- Pik-It ---------------------------------------------------------------------------------


class PikItDecisions(NamedTuple):
    plays: Packed  # [hand of five]: as in the plan


def pik_it(plan: PikItPlan) -> PikItDecisions:
    return PikItDecisions(packed(plan.plays[patterns(5).places]))
