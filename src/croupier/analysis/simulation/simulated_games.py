"""The four games as a simulation deals them: cards, digits of a class, and what a class settles to.

Kernels play the rounds and name their classes; a class is then settled by the game itself, all
wagers of the hand at once, so that no rule is written twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np

from croupier.analysis.counting.cover_all import MOST
from croupier.analysis.counting.deals import Counts, Hands
from croupier.analysis.exact import Exact, must_fit
from croupier.analysis.plan import CaribbeanPlan, HoldemPlan, PikItPlan, Plan, RidePlan
from croupier.analysis.simulation import decisions, rounds
from croupier.analysis.simulation.rounds import FIVES, THREES, Classes
from croupier.analysis.tabulate import unit
from croupier.games import caribbean_stud, let_it_ride, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.house.submission import House
from croupier.law.refused import Refused
from croupier.rules.bounds import said
from croupier.rules.game import Versus
from croupier.rules.money import Cents
from croupier.rules.paytable import FIVE_CARD_CLASSES, THREE_CARD_CLASSES
from croupier.rules.settlement import Settlement
from croupier.rules.terms import Terms

Wagers = Mapping[str, Cents]


class Rounds(ABC):
    """Rounds of one game under one plan, with so many seats taken."""

    shared: ClassVar[int]  # cards that belong to no seat
    main: ClassVar[frozenset[str]]  # the wagers a solution calls the main ones
    sizes: tuple[int, ...]  # of the digits of a class

    def __init__(self, house: House, seats: int) -> None:
        most = min(house.positions, house.game.most_positions)
        if not 1 <= seats <= most:
            raise Refused(f"This table seats 1 to {most} players, not {said(seats)}.")
        self.house, self.seats = house, seats
        self.cards = self.shared + seats * house.game.cards_each

    @abstractmethod
    def play(self, cards: Hands, classes: Classes) -> None:
        """The class of every seat of every row of cards."""

    def can_be(self, digits: tuple[int, ...]) -> bool:
        """Whether cards can come to this class; where many cannot, it saves settling them."""
        return True

    @abstractmethod
    def settled(
        self, digits: tuple[int, ...], wagers: Wagers, terms: Terms
    ) -> tuple[Settlement, ...]:
        """A hand of this class, settled by the game."""


class Holdem(Rounds):
    shared = 7
    main = frozenset({"ante", "blind", "play"})

    def __init__(self, house: House, plan: HoldemPlan, seats: int) -> None:
        super().__init__(house, seats)
        if "cover-all" in house.offered and seats >= MOST:
            raise Refused(f"Cover All is for up to {MOST} hands, the dealer's among them.")
        self.tables = decisions.holdem(plan)
        times = max(int(plan.before.max()), int(self.tables.times.max()))
        self.flops = FIVES if "progressive" in house.offered else 1
        self.highests = FIVES if "cover-all" in house.offered else 1
        self.sizes = (1 + times, FIVES, 3, 2, self.flops, self.highests)

    def play(self, cards: Hands, classes: Classes) -> None:
        rounds.holdem_choices(cards, *self.tables, classes)
        rounds.holdem_outcomes(cards, self.flops, self.highests, classes)

    def can_be(self, digits: tuple[int, ...]) -> bool:
        """No hand is below its own cards at the flop, or above the highest; classes begin with the
        highest."""
        _, hand, _, _, flop, highest = digits
        return highest <= hand and (flop >= hand or self.flops == 1)

    def settled(
        self, digits: tuple[int, ...], wagers: Wagers, terms: Terms
    ) -> tuple[Settlement, ...]:
        times, hand, versus, qualified, flop, highest = digits
        outcome = uth.Outcome(
            FIVE_CARD_CLASSES[hand],
            Versus(versus - 1),
            bool(qualified),
            folded=not times,
            highest=FIVE_CARD_CLASSES[highest],
            hands=self.seats + 1,
            flop=FIVE_CARD_CLASSES[flop],
        )
        return uth.settle(outcome, {**wagers, "play": times * wagers["ante"]}, terms)


class Caribbean(Rounds):
    shared = 5
    main = frozenset({"ante", "bet"})
    sizes = (2, FIVES, 3, 2)

    def __init__(self, house: House, plan: CaribbeanPlan, seats: int) -> None:
        super().__init__(house, seats)
        self.tables = decisions.caribbean(plan)

    def play(self, cards: Hands, classes: Classes) -> None:
        rounds.caribbean_choices(cards, *self.tables, classes)
        rounds.caribbean_outcomes(cards, classes)

    def settled(
        self, digits: tuple[int, ...], wagers: Wagers, terms: Terms
    ) -> tuple[Settlement, ...]:
        bets, hand, versus, qualified = digits
        outcome = caribbean_stud.Outcome(
            FIVE_CARD_CLASSES[hand], Versus(versus - 1), bool(qualified), folded=not bets
        )
        bet = terms.multiples["bet"][0] * wagers["ante"]
        return caribbean_stud.settle(outcome, {**wagers, "bet": bet}, terms)


class Ride(Rounds):
    shared = 2
    main = frozenset(bet.name for bet in let_it_ride.BETS)
    sizes = (2, 2, FIVES, THREES)

    def __init__(self, house: House, plan: RidePlan, seats: int) -> None:
        super().__init__(house, seats)
        self.tables = decisions.ride(plan)

    def play(self, cards: Hands, classes: Classes) -> None:
        rounds.ride_choices(cards, *self.tables, classes)
        rounds.ride_outcomes(cards, classes)

    def settled(
        self, digits: tuple[int, ...], wagers: Wagers, terms: Terms
    ) -> tuple[Settlement, ...]:
        first, second, hand, three = digits
        riding = {"bet 1": first, "bet 2": second}
        outcome = let_it_ride.Outcome(
            FIVE_CARD_CLASSES[hand],
            THREE_CARD_CLASSES[three],
            withdrawn=frozenset(bet for bet, rides in riding.items() if not rides),
        )
        return let_it_ride.settle(outcome, wagers, terms)


class PikIt(Rounds):
    shared = 5
    main = frozenset({"ante", "play 3", "play 5"})
    sizes = (3, FIVES, 3, 2, THREES)

    def __init__(self, house: House, plan: PikItPlan, seats: int) -> None:
        super().__init__(house, seats)
        self.tables = decisions.pik_it(plan)

    def play(self, cards: Hands, classes: Classes) -> None:
        rounds.pik_it_choices(cards, *self.tables, classes)
        rounds.pik_it_outcomes(cards, classes)

    def settled(
        self, digits: tuple[int, ...], wagers: Wagers, terms: Terms
    ) -> tuple[Settlement, ...]:
        play, hand, versus, qualified, picked = digits
        played = ("", "play 3", "play 5")[play]
        stands = Versus(versus - 1)  # by the cards that are played; nothing asks for the others
        outcome = pik_it.Outcome(
            FIVE_CARD_CLASSES[hand],
            stands,
            stands,
            bool(qualified),
            played,
            THREE_CARD_CLASSES[picked],
        )
        if played:
            times = terms.multiples[played.replace(" ", "-")][0]
            wagers = {**wagers, played: times * wagers["ante"]}
        return pik_it.settle(outcome, wagers, terms)


def rounds_of(house: House, plan: Plan, seats: int) -> Rounds:
    match plan:
        case HoldemPlan():
            return Holdem(house, plan, seats)
        case CaribbeanPlan():
            return Caribbean(house, plan, seats)
        case RidePlan():
            return Ride(house, plan, seats)
        case PikItPlan():
            return PikIt(house, plan, seats)


# --- what the classes are worth -------------------------------------------------------------


class Part(NamedTuple):
    """One wager, or several settled together: what its base wager is, and what each class nets."""

    name: str  # as a solution calls it
    amount: Cents
    nets: Counts  # [class]


def unit_wagers(house: House) -> dict[str, Cents]:
    """Every wager on offer, each of a size on which every line pays whole cents."""
    base = unit(house.terms())
    return {
        wager.name: wager.exactly or base
        for wager in house.game.wagers_under(house.book)
        if wager.before_the_deal and (wager.required or wager.key in house.offered)
    }


def net_tables(game: Rounds, wagers: Wagers, terms: Terms) -> dict[str, Counts]:
    """nets[wager][class]: the game's own settlement, tabulated over all classes."""
    size = int(np.prod(game.sizes))
    nets: dict[str, Exact] = {w.name: np.zeros(size, object) for w in game.house.game.wagers}
    for at, digits in enumerate(np.ndindex(game.sizes)):
        for settled in game.settled(digits, wagers, terms) if game.can_be(digits) else ():
            nets[settled.wager][at] = settled.net
    for each in nets.values():
        must_fit(each.tolist(), len(nets))  # a part adds up some of the wagers
    return {name: each.astype(np.int64) for name, each in nets.items()}


def parts(game: Rounds, wagers: Wagers, terms: Terms) -> list[Part]:
    """The main wagers together, each side bet, and all that is required where that is more."""
    nets = net_tables(game, wagers, terms)
    required = [w for w in game.house.game.wagers if w.required]
    main = np.sum([nets[name] for name in game.main], axis=0)
    found = [Part("main", wagers[required[0].name], main)]
    for wager in game.house.game.wagers:
        if wager.name in wagers and wager.name not in game.main:
            key = f"{wager.key}, {game.seats + 1} hands" if wager is uth.COVER_ALL else wager.key
            found.append(Part(key, wagers[wager.name], nets[wager.name]))
            if wager.required:
                found.append(Part("whole", found[0].amount, main + nets[wager.name]))
    return found
