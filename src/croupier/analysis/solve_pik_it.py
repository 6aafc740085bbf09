"""Pik-It: three cards, five cards or none, with nothing of the dealer's in sight."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.deals import CHOOSE, Counts, Hands, all_hands, distinct_hands
from croupier.analysis.many import on_all_cores
from croupier.analysis.removal import Numbers, below_and_equal
from croupier.analysis.side_bets import fixed_bet, three_card_classes
from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import pik_it_nets, unit
from croupier.analysis.unqualified import below_bound
from croupier.cards.evaluator import FIVE_CARD_KIND, best_three_of_five, evaluate3, evaluate5
from croupier.cards.kernel import kernel
from croupier.cards.quick import strengths
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard
from croupier.games import pik_it
from croupier.house.submission import House
from croupier.rules.game import Versus

DEALER = int(CHOOSE[47, 5])
PLAYS = ("", "play 3", "play 5")  # in the order ties are broken: the last of equals


@kernel
def each_best_three(hands: Hands, numbers: Numbers) -> None:
    for at in range(len(hands)):
        h = hands[at]
        numbers[at] = best_three_of_five(h[0], h[1], h[2], h[3], h[4])


def best_threes(hands: Hands) -> Numbers:
    numbers = np.zeros(len(hands), np.uint16)
    each_best_three(hands, numbers)
    return numbers


class Deals:
    """Counts per hand of mine (one of each suit pattern), whatever the wagers pay."""

    def __init__(self) -> None:
        dealer, mine = all_hands(5), distinct_hands(5)
        self.weights = mine.weights
        self.numbers = evaluate5(mine.hands)
        size = len(mine.hands)
        self.below_5, self.upto_5 = np.zeros((2, size), np.int64)
        self.below_3, self.upto_3 = np.zeros((2, size), np.int64)
        self.unqualified = np.zeros(size, np.int64)
        five, three = evaluate5(dealer), best_threes(dealer)
        mine_3 = best_threes(mine.hands)
        self.bound = strengths(5).index(pik_it.QUALIFYING)

        def sweep(numbers: Numbers, my_numbers: Numbers, below: Counts, upto: Counts) -> None:
            order = np.argsort(numbers, kind="stable")
            my_order = np.argsort(my_numbers, kind="stable")
            below_and_equal(dealer, order, numbers, mine.hands, my_order, my_numbers, below, upto)

        on_all_cores(
            [
                (sweep, (five, self.numbers, self.below_5, self.upto_5)),
                (sweep, (three, mine_3, self.below_3, self.upto_3)),
                (
                    below_bound,
                    (dealer, five, self.bound, mine.hands, self.numbers, self.unqualified),
                ),
            ]
        )


def solve(house: House, deals: Deals | None = None) -> Solution:
    terms = house.terms()
    deals = deals or Deals()
    nets = pik_it_nets(terms)
    dealers = {"play 3": _versus_3(deals), "play 5": _versus_5(deals)}
    values = np.stack(
        [
            np.full(len(deals.weights), DEALER * int(nets[""][0, 0])),
            *((dealers[play] * nets[play][None]).sum(axis=(1, 2)) for play in ("play 3", "play 5")),
        ]
    )
    best = len(PLAYS) - 1 - values[::-1].argmax(axis=0)
    tied = (values == values.max(axis=0)).sum(axis=0) > 1
    ties = int(deals.weights[tied].sum()) * DEALER
    ante = unit(terms)
    main = merged(_outcomes(house, deals, best, dealers, nets, ante))
    sides = _side_bets(house)
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=main,
        side_bets=sides,
        whole=_whole(house, deals, best, dealers, nets, ante),
        ties={"play": ties} if ties else {},
        tie_broken="play 5 before play 3 before a fold",
    )


def _versus_3(deals: Deals) -> Counts:
    """dealers[hand, versus + 1, qualified] by three cards, where qualification has no bearing."""
    found = np.zeros((len(deals.weights), 3, 2), np.int64)
    found[:, 2, 1] = deals.below_3
    found[:, 1, 1] = deals.upto_3 - deals.below_3
    found[:, 0, 1] = DEALER - deals.upto_3
    return found


def _versus_5(deals: Deals) -> Counts:
    """dealers[hand, versus + 1, qualified] by five cards."""
    found = np.zeros((len(deals.weights), 3, 2), np.int64)
    strong = deals.numbers >= deals.bound
    low, below, upto = deals.unqualified, deals.below_5, deals.upto_5
    found[:, 2, 0] = np.where(strong, low, below)
    found[:, 2, 1] = np.where(strong, below - low, 0)
    found[:, 1, 0] = np.where(strong, 0, upto - below)
    found[:, 1, 1] = np.where(strong, upto - below, 0)
    found[:, 0, 0] = np.where(strong, 0, low - upto)
    found[:, 0, 1] = np.where(strong, DEALER - upto, DEALER - low)
    return found


def _rows(
    deals: Deals,
    best: NDArray[np.int64],
    dealers: dict[str, Counts],
    nets: dict[str, NDArray[np.int64]],
    ante: int,
) -> Iterator[tuple[FiveCard, str, bool | None, Fraction, int]]:
    """(kind of hand, play, qualified, net of ante and play, count)."""
    kind = FIVE_CARD_KIND[deals.numbers]
    for at, play in enumerate(PLAYS):
        for k in FiveCard:
            weights = np.where((best == at) & (kind == k), deals.weights, 0)
            if not play:
                count = int(weights.sum()) * DEALER
                yield k, "fold", None, Fraction(int(nets[""][0, 0]), ante), count
                continue
            counts = (dealers[play] * weights[:, None, None]).sum(axis=0)
            for versus in range(3):
                for qualified in (False, True):
                    net = Fraction(int(nets[play][versus, int(qualified)]), ante)
                    seen = None if play == "play 3" else qualified
                    yield k, play, seen, net, int(counts[versus, int(qualified)])


def _outcomes(
    house: House,
    deals: Deals,
    best: NDArray[np.int64],
    dealers: dict[str, Counts],
    nets: dict[str, NDArray[np.int64]],
    ante: int,
) -> Iterator[Outcome]:
    for k, play, qualified, net, count in _rows(deals, best, dealers, nets, ante):
        yield Outcome(net, count, play, FIVE_CARD_LINES[k], qualified, _stake(house, play))


def _stake(house: House, play: str) -> Fraction:
    times = 0 if play == "fold" else house.multiples[play.replace(" ", "-")][0]
    return Fraction(1 + times)


def _whole(
    house: House,
    deals: Deals,
    best: NDArray[np.int64],
    dealers: dict[str, Counts],
    nets: dict[str, NDArray[np.int64]],
    ante: int,
) -> Book:
    """With the 5 card bonus that nobody can leave out; it depends on the hand alone."""
    terms = house.terms()
    bonus = {
        k: pik_it.settle_five_card_bonus(
            pik_it.Outcome(FIVE_CARD_LINES[k], Versus.LOWER, Versus.LOWER, True),
            ante,
            terms,
        ).net
        for k in FiveCard
    }
    return merged(
        Outcome(
            net + Fraction(bonus[k], ante),
            count,
            play,
            FIVE_CARD_LINES[k],
            qualified,
            _stake(house, play) + 1,
        )
        for k, play, qualified, net, count in _rows(deals, best, dealers, nets, ante)
    )


def _side_bets(house: House) -> dict[str, Book]:
    terms = house.terms()
    low = Versus.LOWER
    counts = np.bincount(FIVE_CARD_KIND[evaluate5(all_hands(5))], minlength=10)
    books = {
        "five-card-bonus": fixed_bet(
            terms,
            {FIVE_CARD_LINES[k]: int(counts[k]) for k in FiveCard},
            lambda hand, amount: pik_it.settle_five_card_bonus(
                pik_it.Outcome(hand, low, low, True), amount, terms
            ),
        )
    }
    if "three-card-bonus" in house.offered:
        pays = lambda hand, amount: pik_it.settle_three_card_bonus(  # noqa: E731
            pik_it.Outcome("high-card", low, low, True, picked=hand), amount, terms
        )
        books["three-card-bonus"] = fixed_bet(
            terms, three_card_classes(evaluate3(all_hands(3))), pays
        )
        # What the bonus would be worth if a player could look first: why ruling P2 stands.
        books["three-card-bonus, informed"] = fixed_bet(
            terms, three_card_classes(best_threes(all_hands(5))), pays
        )
    return books
