"""How high the highest of several hands is: the Cover All wager of Ultimate Texas Hold'em.

Two to seven hands share one board. The holdings that reach a kind of hand on a board are edges
between the 47 other cards, and the highest hand falls short of the kind when none of the holdings
dealt is an edge. So by inclusion and exclusion it is enough to know how many matchings of up to
seven edges there are: sets of holdings that reach the kind and share no card.

Nothing here knows what makes a full house. The evaluator says which holdings are edges; cards that
reach the kind with any other card are counted apart, and what is left falls into small pieces whose
matchings are counted one by one.
"""

from __future__ import annotations

from functools import cache
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.counting.boards import RANK_BOARDS, SUIT_BOARDS, ranks_index
from croupier.analysis.counting.deals import Counts, Distinct, Hands, distinct_hands
from croupier.analysis.counting.flops import suit_board
from croupier.cards.evaluator import FIVE_CARD_FIRST, seven
from croupier.cards.kernel import Int, inlined, kernel
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.law.refused import Refused

Ints = NDArray[np.int64]

MOST = 7  # hands: six players and the dealer (ruling M2)
OTHERS = 47  # cards that are not on the board
HOLDINGS = 1081  # pairs of them

KINDS = tuple(kind for kind in FiveCard if kind >= FiveCard.FULL_HOUSE)
LEAST = np.array([FIVE_CARD_FIRST[kind] for kind in KINDS], np.int64)
BELOW = "below"


# --- boards ---------------------------------------------------------------------------------


@kernel
def _gather(hands: Hands, weights: Counts, boards: Hands, totals: Counts) -> None:
    """One board of each kind, and how many boards are of the kind."""
    ranks, beside = np.zeros((2, 5), np.int64)
    for at in range(len(hands)):
        of_suit = np.zeros(4, np.int64)
        for i in range(5):
            ranks[i] = hands[at, i] >> 2
            of_suit[hands[at, i] & 3] += 1
        kind = ranks_index(ranks)
        for suit in range(4):
            if of_suit[suit] >= 3:
                mask, n = np.int64(0), 0
                beside[0] = -1
                for card in hands[at]:
                    if card & 3 == suit:
                        mask |= np.int64(1) << np.int64(card >> 2)
                    else:
                        beside[n] = card >> 2
                        n += 1
                low, high = (beside[0], beside[1]) if n == 2 else (-1, beside[0])
                kind = RANK_BOARDS + suit_board(mask, low, high)
        boards[kind] = hands[at]
        totals[kind] += weights[at]


def board_kinds() -> Distinct:
    """One board of each kind, and how many it stands for. With three of a suit a kind is the ranks
    in and beside that suit, else the ranks alone: no more tells holdings apart."""
    boards = np.zeros((RANK_BOARDS + SUIT_BOARDS, 5), np.uint8)
    totals = np.zeros(len(boards), np.int64)
    _gather(*distinct_hands(5), boards, totals)
    return Distinct(boards[totals > 0], totals[totals > 0])


# --- matchings ------------------------------------------------------------------------------
# A set of cards is an integer with a bit for each; an edge is a set of two.


@inlined
def _piece(edges: Ints, start: Int, stop: Int) -> Int:
    """Put the edges that hang together with the first one next to it; returns where they end."""
    cards = edges[start]
    end = start + 1
    grown = True
    while grown:
        grown = False
        for at in range(end, stop):
            if edges[at] & cards:
                cards |= edges[at]
                edges[at], edges[end] = edges[end], edges[at]
                end += 1
                grown = True
    return end


@inlined
def _count_piece(edges: Ints, start: Int, stop: Int, chosen: Ints, found: Ints) -> None:
    """found[j]: sets of j of these edges that share no card, by trying them all."""
    found[:] = 0
    found[0] = 1
    cards: Int = np.int64(0)
    size, at = 0, start
    while True:
        if at == stop or size == MOST:
            if size == 0:
                return
            size -= 1
            at = chosen[size]
            cards ^= edges[at]
        elif not edges[at] & cards:
            cards |= edges[at]
            chosen[size] = at
            size += 1
            found[size] += 1
        at += 1


@kernel
def count_matchings(edges: Ints, count: Int, degrees: Ints, matchings: Ints) -> None:
    """matchings[j]: sets of j of these edges, among 47 cards, that share no card. Spoils the edges.

    A star is a card with an edge to every other card.
    """
    chosen, found, before = np.zeros((3, MOST + 1), np.int64)
    stars, others = np.int64(0), OTHERS
    for card in range(52):
        if degrees[card] == OTHERS - 1:
            stars |= np.int64(1) << card
            others -= 1
    stop = 0
    for at in range(count):
        if not edges[at] & stars:
            edges[stop] = edges[at]
            stop += 1
    matchings[:] = 0
    matchings[0] = 1
    start = 0
    while start < stop:
        end = _piece(edges, start, stop)
        _count_piece(edges, start, end, chosen, found)
        before[:] = matchings
        for j in range(1, MOST + 1):
            for k in range(1, j + 1):
                matchings[j] += found[k] * before[j - k]
        start = end
    for cards in range(others, OTHERS):  # one star more, alone or with any card not yet matched
        for j in range(MOST, 0, -1):
            matchings[j] += matchings[j - 1] * (cards - 2 * (j - 1))


@kernel
def board_matchings(boards: Hands, matchings: Ints) -> None:
    """matchings[board, kind, j]: sets of j holdings that share no card, each of that kind of hand
    or a higher one."""
    edges = np.zeros((len(LEAST), HOLDINGS), np.int64)
    counts = np.zeros(len(LEAST), np.int64)
    degrees = np.zeros((len(LEAST), 52), np.int64)
    for at in range(len(boards)):
        b = boards[at]
        taken = np.int64(0)
        for card in b:
            taken |= np.int64(1) << np.int64(card)
        counts[:] = 0
        degrees[:] = 0
        for high in range(52):
            if taken >> high & 1:
                continue
            for low in range(high):
                if taken >> low & 1:
                    continue
                number = np.int64(seven(b[0], b[1], b[2], b[3], b[4], low, high))
                kind = 0
                while kind < len(LEAST) and number >= LEAST[kind]:
                    edges[kind, counts[kind]] = np.int64(1) << high | np.int64(1) << low
                    counts[kind] += 1
                    degrees[kind, high] += 1
                    degrees[kind, low] += 1
                    kind += 1
        for kind in range(len(LEAST)):
            count_matchings(edges[kind], counts[kind], degrees[kind], matchings[at, kind])


# --- deals ----------------------------------------------------------------------------------


def _pairs(cards: int, times: int) -> int:
    """Ways to deal two cards from so many, one hand after the other."""
    return prod(comb(cards - 2 * i, 2) for i in range(times))


def deals(n: int) -> int:
    """Boards of five cards, and n hands of two for each."""
    return comb(52, 5) * _pairs(OTHERS, n)


@cache
def all_matchings() -> dict[FiveCard, list[int]]:
    """For each kind of hand, matchings of 0 to 7 edges, all boards together."""
    boards, weights = board_kinds()
    matchings = np.zeros((len(boards), len(KINDS), MOST + 1), np.int64)
    board_matchings(boards, matchings)
    # One board's matchings fit into 64 bits, but not their sum: halves of 32 bits are added apart.
    low = np.tensordot(weights, matchings & 0xFFFFFFFF, 1)
    high = np.tensordot(weights, matchings >> 32, 1)
    return {
        kind: [(int(high[i, j]) << 32) + int(low[i, j]) for j in range(MOST + 1)]
        for i, kind in enumerate(KINDS)
    }


def deals_without(matchings: list[int], n: int) -> int:
    """Deals of n hands none of which is an edge: j of the hands may be, with alternating signs."""
    return sum(
        (-1) ** j * comb(n, j) * factorial(j) * matchings[j] * _pairs(OTHERS - 2 * j, n - j)
        for j in range(n + 1)
    )


@cache
def highest_hands(n: int) -> dict[str, int]:
    """Of all deals of n hands, how many have their highest hand of each kind."""
    if not 1 <= n <= MOST:
        raise Refused(f"Cover All is counted for one to {MOST} hands, not for {n}.")
    found = {}
    above = deals(n)
    for kind in reversed(KINDS):
        without = deals_without(all_matchings()[kind], n)
        found[FIVE_CARD_LINES[kind]] = above - without
        above = without
    return {**found, BELOW: above}
