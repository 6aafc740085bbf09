"""Advice against a dealer's five cards, those known and every choice of the rest: Caribbean Stud
and Pik-It."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from croupier.analysis.advice.advise import Situation
from croupier.analysis.counting.deals import CHOOSE, Counts, Hands
from croupier.analysis.counting.subsets import nth, step
from croupier.analysis.many import cores, on_all_cores, parts
from croupier.analysis.tabulate import caribbean_nets, pik_it_nets, unit
from croupier.cards.evaluator import FIVE_CARD_KIND, best_three_of_five, five
from croupier.cards.kernel import Int, kernel
from croupier.cards.quick import strengths
from croupier.cards.ranking import Strength
from croupier.games import caribbean_stud, pik_it
from croupier.house.submission import House


@kernel
def _walk(
    mine: Hands, known: Hands, left: Hands, bound: Int, start: Int, stop: Int, found: Counts
) -> None:
    """found[versus by five + 1, versus by three + 1, qualified]: the dealer's hands. The numbers
    from start to stop are of sets of all cards to come but the lowest."""
    places = np.zeros(4 - len(known), np.int64)
    h = np.zeros(4, np.uint8)
    h[: len(known)] = known
    my_five = np.int64(five(mine[0], mine[1], mine[2], mine[3], mine[4]))
    my_three = np.int64(best_three_of_five(mine[0], mine[1], mine[2], mine[3], mine[4]))
    nth(start, places)
    for _ in range(start, stop):
        for at in range(len(places)):
            h[len(known) + at] = left[places[at]]
        for lowest in left[: places[0]] if len(places) else left:
            by_five = np.int64(five(lowest, h[0], h[1], h[2], h[3]))
            by_three = np.int64(best_three_of_five(lowest, h[0], h[1], h[2], h[3]))
            versus_5 = 1 + (my_five > by_five) - (my_five < by_five)
            versus_3 = 1 + (my_three > by_three) - (my_three < by_three)
            found[versus_5, versus_3, int(by_five >= bound)] += 1
        step(places)


def _dealers(s: Situation, qualifying: Strength) -> Counts:
    # Of a dealer's hand known in full the last card counts as the only one that may come.
    known = np.array(s.dealer[:4], np.uint8)
    left = np.array(s.dealer[4:] or s.left, np.uint8)
    runs = parts(int(CHOOSE[len(left), 4 - len(known)]), 4 * cores())
    found = np.zeros((len(runs), 3, 3, 2), np.int64)
    mine, bound = np.array(s.hand, np.uint8), strengths(5).index(qualifying)
    on_all_cores(
        (_walk, (mine, known, left, bound, start, stop, found[run]))
        for run, (start, stop) in enumerate(runs)
    )
    total: Counts = found.sum(axis=0)
    return total


def caribbean_values(house: House, situation: Situation) -> dict[str, Fraction]:
    """Of ante and bet."""
    terms = house.terms()
    dealers = _dealers(situation, caribbean_stud.QUALIFYING).sum(axis=1)
    kind = FIVE_CARD_KIND[five(*map(int, situation.hand))]
    nets = caribbean_nets(terms, house.multiples["bet"][0])[kind]
    deals = int(dealers.sum()) * unit(terms)
    return {
        "bet": Fraction(int((dealers * nets[:, :, 1]).sum()), deals),
        "fold": Fraction(int((dealers * nets[:, :, 0]).sum()), deals),
    }


def pik_it_values(house: House, situation: Situation) -> dict[str, Fraction]:
    """Of ante and play; the 5 card bonus is settled before the player is asked."""
    terms = house.terms()
    nets = pik_it_nets(terms)
    dealers = _dealers(situation, pik_it.QUALIFYING)
    deals = int(dealers.sum()) * unit(terms)
    by_five, by_three = dealers.sum(axis=1), dealers.sum(axis=0)
    return {
        "play 5": Fraction(int((by_five * nets["play 5"]).sum()), deals),
        "play 3": Fraction(int((by_three * nets["play 3"]).sum()), deals),
        "fold": Fraction(int((by_five * nets[""]).sum()), deals),
    }
