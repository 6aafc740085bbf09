"""Advice for Ultimate Texas Hold'em: every board and every dealer's holding of the cards left.

A board is judged once, for each multiple of the ante and for the best end of a hand that has not
yet played, and is added to every flop it may have begun with. What is best after a flop is then
the greater of two sums, and a check before the flop is worth the sum of those.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from croupier.analysis import exact
from croupier.analysis.advice.advise import Situation
from croupier.analysis.advice.opening import hole_class, opening
from croupier.analysis.counting.boards import PAIR
from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.analysis.counting.subsets import nth, step
from croupier.analysis.many import cores, parts
from croupier.analysis.progress import Tell, run_telling
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.evaluator import FIVE_CARD_KIND, seven
from croupier.cards.kernel import Int, inlined, kernel
from croupier.house.submission import House

RUNS = 64
FOLD = 0  # a play wager of no antes
BEST = 0  # the column of a hand that has not yet played and ends as is best


@inlined
def _against(mine: Int, board: Hands, rest: Hands, dealer: Hands, found: Counts) -> None:
    """found[versus + 1, qualified]: the dealer's holdings, of cards known and of the rest."""
    below = upto = low = total = 0
    firsts = dealer[:1] if len(dealer) else rest
    seconds = dealer[1:] if len(dealer) == 2 else rest
    for i in range(len(firsts)):
        for j in range(0 if len(dealer) else i + 1, len(seconds)):
            theirs = seven(board[0], board[1], board[2], board[3], board[4], firsts[i], seconds[j])
            below += theirs < mine
            upto += theirs <= mine
            low += theirs < PAIR
            total += 1
    found[:] = 0
    if mine >= PAIR:
        found[2, 0], found[2, 1] = low, below - low
        found[1, 1], found[0, 1] = upto - below, total - upto
    else:
        found[2, 0], found[1, 0] = below, upto - below
        found[0, 0], found[0, 1] = low - upto, total - low


@kernel
def _walk(
    hole: Hands,
    fixed: Hands,
    left: Hands,
    dealer: Hands,
    nets: Counts,
    last: Counts,
    flops: Counts,
    start: Int,
    stop: Int,
    sums: Counts,
) -> None:
    """sums[flop, column]: BEST, then one column for each multiple in ``nets``; ``last`` are those
    that may be chosen at the river. ``flops`` are masks: which of the cards to come, in ascending
    order, are on the flop."""
    places = np.zeros(5 - len(fixed), np.int64)
    board = np.zeros(5, np.uint8)
    board[: len(fixed)] = fixed
    rest = np.zeros(len(left) - len(places), np.uint8)
    found = np.zeros((3, 2), np.int64)
    worth = np.zeros(1 + nets.shape[3], np.int64)
    nth(start, places)
    for _ in range(start, stop):
        dealt = 0
        for place in range(len(left)):
            if dealt < len(places) and places[dealt] == place:
                board[len(fixed) + dealt] = left[place]
                dealt += 1
            else:
                rest[place - dealt] = left[place]
        mine = np.int64(seven(board[0], board[1], board[2], board[3], board[4], hole[0], hole[1]))
        _against(mine, board, rest, dealer, found)
        net = nets[FIVE_CARD_KIND[mine]]
        worth[:] = 0
        for versus in range(3):
            for qualified in range(2):
                for times in range(nets.shape[3]):
                    worth[1 + times] += found[versus, qualified] * net[versus, qualified, times]
        worth[BEST] = worth[1 + last[0]]
        for times in last:
            worth[BEST] = max(worth[BEST], worth[1 + times])
        for mask in flops:
            flop = np.int64(0)
            size = 0
            for at in range(len(places)):
                if mask >> at & 1:
                    size += 1
                    flop += CHOOSE[places[at], size]
            for column in range(len(worth)):
                sums[flop, column] += worth[column]
        step(places)


def values(house: House, situation: Situation, decision: str, tell: Tell) -> dict[str, Fraction]:
    """Of ante, blind and play. Before the flop, with nothing known beside the hand, from the
    solver's 169 classes, else from every board."""
    if situation.known == situation.hand:
        return opening(house, tell).values(hole_class(*situation.hand))
    return from_every_board(house, situation, decision, tell)


def from_every_board(
    house: House, situation: Situation, decision: str, tell: Tell
) -> dict[str, Fraction]:
    s = situation
    terms, multiples = house.terms(), house.multiples
    at_river = (FOLD, *multiples["after-river"])
    times = sorted({*at_river, *multiples["after-flop"], *multiples["before-flop"]})
    nets = holdem_nets(terms, times)[..., times]
    sums = _sums(s, nets, [times.index(n) for n in at_river], tell)
    columns = {n: sums[:, 1 + at] for at, n in enumerate(times)}
    check = sums[:, BEST]
    if decision == "before-flop":
        check = np.max([check, *(columns[n] for n in multiples["after-flop"])], axis=0)
    # The sums hold every deal as often as its flop can be told from its other cards.
    to_come = 5 - len(s.board) - len(s.coming)
    deals = (
        comb(len(s.left), to_come)
        * len(_flop_masks(to_come))
        * comb(len(s.left) - to_come, 2 - len(s.dealer))
    )

    def value(sums: Counts) -> Fraction:
        return Fraction(exact.summed(sums), deals * unit(terms))

    found = {f"{n}x": value(columns[n]) for n in sorted(multiples[decision], reverse=True)}
    if decision == "after-river":
        return found | {"fold": value(columns[FOLD])}
    return found | {"check": value(check)}


def _flop_masks(to_come: int) -> list[int]:
    """Which of the cards to come can be on the flop; of five to come three, of four two..."""
    on_flop = max(0, to_come - 2)
    return [sum(1 << at for at in flop) for flop in combinations(range(to_come), on_flop)]


def _sums(s: Situation, nets: Counts, last: list[int], tell: Tell) -> Counts:
    fixed, left = np.array((*s.board, *s.coming), np.uint8), np.array(s.left, np.uint8)
    to_come = 5 - len(fixed)
    masks = _flop_masks(to_come)
    runs = parts(comb(len(left), to_come), RUNS if to_come > 2 else cores())
    flops = comb(len(left), max(0, to_come - 2))
    sums = np.zeros((len(runs), flops, 1 + nets.shape[3]), np.int64)
    known = (
        np.array(s.hand, np.uint8),
        fixed,
        left,
        np.array(s.dealer, np.uint8),
        nets,
        np.array(last, np.int64),
        np.array(masks, np.int64),
    )
    run_telling(tell, "boards", ((_walk, (*known, *run, sums[at])) for at, run in enumerate(runs)))
    total: Counts = sums.sum(axis=0)
    return total
