"""Pik-It: three cards, five cards or none, with nothing of the dealer's in sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from croupier.analysis.counting.deals import CHOOSE, Counts, Hands, all_hands, distinct_hands
from croupier.analysis.counting.removal import Numbers, below_and_equal
from croupier.analysis.counting.unqualified import below_bound
from croupier.analysis.plan import PikItPlan
from croupier.analysis.progress import Tell, made_once, run_telling, silent
from croupier.analysis.side_bets import fixed_bet, three_card_classes
from croupier.analysis.solution import Book, Outcome, Solution, merged
from croupier.analysis.tabulate import pik_it_nets, unit
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

    def __init__(self, tell: Tell = silent) -> None:
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

        run_telling(
            tell,
            "hands",
            [
                (sweep, (five, self.numbers, self.below_5, self.upto_5)),
                (sweep, (three, mine_3, self.below_3, self.upto_3)),
                (
                    below_bound,
                    (dealer, five, self.bound, mine.hands, self.numbers, self.unqualified),
                ),
            ],
        )


known_deals = made_once(Deals)


class Play:
    """What each way to play each hand is worth under one table of nets."""

    def __init__(self, house: House, deals: Deals) -> None:
        terms = house.terms()
        self.house, self.deals = house, deals
        self.ante = unit(terms)
        self.nets = pik_it_nets(terms)
        self.dealers = {"play 3": _versus_3(deals), "play 5": _versus_5(deals)}

    def values(self) -> Counts:
        """values[play, hand], in the order of PLAYS."""
        fold = np.full(len(self.deals.weights), DEALER * int(self.nets[""][0, 0]))
        played = (
            (self.dealers[play] * self.nets[play][None]).sum(axis=(1, 2)) for play in PLAYS[1:]
        )
        return np.stack([fold, *played])


def _best(values: Counts) -> PikItPlan:
    return PikItPlan(plays=(len(PLAYS) - 1 - values[::-1].argmax(axis=0)).astype(np.uint8))


def best_plan(house: House, deals: Deals | None = None, tell: Tell = silent) -> PikItPlan:
    return _best(Play(house, deals or known_deals(tell)).values())


def solve(
    house: House,
    plan: PikItPlan | None = None,
    deals: Deals | None = None,
    tell: Tell = silent,
) -> Solution:
    """Every outcome under a plan, or under optimal play."""
    deals = deals or known_deals(tell)
    play = Play(house, deals)
    tied = 0
    if plan is None:
        values = play.values()
        plan = _best(values)
        ties = (values == values.max(axis=0)).sum(axis=0) > 1
        tied = int(deals.weights[ties].sum()) * DEALER
    rows = list(_rows(play, plan))
    return Solution(
        game=house.game.id,
        rulebook=house.book.id,
        main=merged(_outcomes(house, rows)),
        side_bets=_side_bets(house),
        whole=_whole(play, rows),
        ties={"play": tied} if tied else {},
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


# Kind of hand, play, qualified, net of ante and play, count.
Row = tuple[FiveCard, str, bool | None, Fraction, int]


def _rows(play: Play, plan: PikItPlan) -> Iterator[Row]:
    kind, all_weights = FIVE_CARD_KIND[play.deals.numbers], play.deals.weights
    for at, name in enumerate(PLAYS):
        nets = play.nets[name]
        for k in FiveCard:
            weights = np.where((plan.plays == at) & (kind == k), all_weights, 0)
            if not name:
                count = int(weights.sum()) * DEALER
                yield k, "fold", None, Fraction(int(nets[0, 0]), play.ante), count
                continue
            counts = (play.dealers[name] * weights[:, None, None]).sum(axis=0)
            for versus in range(3):
                for qualified in (False, True):
                    net = Fraction(int(nets[versus, int(qualified)]), play.ante)
                    seen = None if name == "play 3" else qualified
                    yield k, name, seen, net, int(counts[versus, int(qualified)])


def _outcomes(house: House, rows: Iterable[Row]) -> Iterator[Outcome]:
    for k, play, qualified, net, count in rows:
        yield Outcome(net, count, play, FIVE_CARD_LINES[k], qualified, _stake(house, play))


def _stake(house: House, play: str) -> Fraction:
    times = 0 if play == "fold" else house.multiples[play.replace(" ", "-")][0]
    return Fraction(1 + times)


def _whole(play: Play, rows: Iterable[Row]) -> Book:
    """With the 5 card bonus that nobody can leave out; it depends on the hand alone."""
    terms = play.house.terms()
    bonus = {
        k: pik_it.settle_five_card_bonus(
            pik_it.Outcome(FIVE_CARD_LINES[k], Versus.LOWER, Versus.LOWER, True),
            play.ante,
            terms,
        ).net
        for k in FiveCard
    }
    return merged(
        Outcome(
            net + Fraction(bonus[k], play.ante),
            count,
            name,
            FIVE_CARD_LINES[k],
            qualified,
            _stake(play.house, name) + 1,
        )
        for k, name, qualified, net, count in rows
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
