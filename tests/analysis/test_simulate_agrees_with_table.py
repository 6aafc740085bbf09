"""Two ways through the same decks: the table with its referee, dealer and chips, and the simulation
with its look-ups and tabulated settlements. Every round must net the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from engine_driver import FROM_THE_HAND, Evening, plain_order, rich_order
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE

from croupier.analysis import solve
from croupier.analysis.counting.boards import pair_index, ranks_index
from croupier.analysis.counting.deals import distinct_hands
from croupier.analysis.counting.flops import suit_board
from croupier.analysis.plan import CaribbeanPlan, HoldemPlan, PikItPlan, Plan, RidePlan
from croupier.analysis.simulation.simulate import Simulation
from croupier.analysis.simulation.simulated_games import net_tables
from croupier.cards.card import Card
from croupier.house.submission import read_data
from croupier.table import commands as c
from croupier.table.commands import Actor, player
from croupier.table.procedure import Step
from croupier.table.state import Position, Table

# Every side bet is on. A meter that nobody raises stands still; a royal flush, which empties it,
# brings it back to its seed at once.
STILL = {"meter": 10_000, "seed": 10_000, "contribution": 0}
HOUSES: dict[str, dict[str, Any]] = {
    NJ_UTH: {"rulebook": NJ_UTH, **FROM_THE_HAND},
    MA_UTH: {
        "rulebook": MA_UTH,
        **FROM_THE_HAND,
        "offered": ["trips", "cover-all", "progressive"],
        "pay": {
            "trips": "A",
            "progressive": {"royal-flush": "100 %", "straight-flush": "$1,000", "flush": "$50"},
        },
        "progressive": STILL,
    },
    CARIBBEAN: {
        "rulebook": CARIBBEAN,
        **FROM_THE_HAND,
        "pay": {"progressive": {"straight-flush": "$1,000"}},
        "progressive": STILL,
    },
    RIDE: {"rulebook": RIDE, **FROM_THE_HAND},
    PIK_IT: {"rulebook": PIK_IT, **FROM_THE_HAND},
}
WAGERS = {
    "ultimate-texas-holdem": {"ante": 5_00, "blind": 5_00, "trips": 3_00},
    "caribbean-stud": {"ante": 5_00, "progressive": 1_00},
    "let-it-ride": {
        **{f"bet {n}": 5_00 for n in (1, 2, 3)},
        "let it ride bonus": 1_00,
        "three card bonus": 2_00,
    },
    "pik-it": {"ante": 5_00, "5 card bonus": 5_00, "3 card bonus": 4_00},
}
ONLY_MASSACHUSETTS = {"cover all": 2_00, "progressive": 5_00}

Hand = Sequence[int]


# --- the plan, read hand by hand ------------------------------------------------------------


@cache
def places(size: int) -> dict[tuple[int, ...], int]:
    hands = distinct_hands(size).hands.tolist()
    return {tuple(hand): at for at, hand in enumerate(hands)}


def place(hand: Hand) -> tuple[int, Callable[[int], int]]:
    """Where a hand stands in a plan, and the renaming of suits that brings it there."""
    for suits in permutations(range(4)):

        def renamed(card: int, suits: tuple[int, ...] = suits) -> int:
            return card // 4 * 4 + suits[card % 4]

        at = places(len(hand)).get(tuple(sorted(map(renamed, hand))))
        if at is not None:
            return at, renamed
    raise AssertionError(f"{hand} has no place")


def before_the_flop(plan: HoldemPlan, hole: Hand) -> int:
    low, high = sorted(hole)
    suited = low % 4 == high % 4
    return int(plan.before[low // 4 * 13 + high // 4 if suited else high // 4 * 13 + low // 4])


def after_the_flop(plan: HoldemPlan, hole: Hand, flop: Hand) -> int:
    at, renamed = place(flop)
    others = [n for n in range(52) if n not in map(renamed, flop)]
    low, high = sorted(others.index(renamed(each)) for each in hole)
    return int(plan.after[at, high * (high - 1) // 2 + low])


def at_the_river(plan: HoldemPlan, hole: Hand, board: Hand) -> int:
    for suit in range(4):
        inside = [n // 4 for n in board if n % 4 == suit]
        if len(inside) >= 3:
            beside = sorted(n // 4 for n in board if n % 4 != suit)
            low, high = [-1, *beside][-2:] if beside else (-1, -1)
            codes = sorted(n // 4 + (0 if n % 4 == suit else 13) for n in hole)
            kind = suit_board(sum(1 << rank for rank in inside), low, high)
            return int(plan.by_suit[kind, pair_index(*codes)])
    low, high = sorted(n // 4 for n in hole)
    kind = ranks_index(np.array(sorted(n // 4 for n in board)))
    return int(plan.by_ranks[kind, pair_index(low, high)])


def says(plan: Plan, table: Table, point: str, p: Position) -> dict[str, Any]:
    """What a player with this plan says."""
    now = table.now
    match plan:
        case HoldemPlan():
            times = {
                "before-flop": lambda: before_the_flop(plan, p.cards),
                "after-flop": lambda: after_the_flop(plan, p.cards, now.community),
                "after-river": lambda: at_the_river(plan, p.cards, now.community),
            }[point]()
            if times:
                return {"verb": "play", "times": times}
            return {"verb": "fold" if point == "after-river" else "check"}
        case CaribbeanPlan():
            at, renamed = place(p.cards)
            up_card = now.dealer[-1]  # the last, where cards are dealt one by one
            return {"verb": "bet" if plan.bets[at, renamed(up_card)] else "fold"}
        case RidePlan():
            at, renamed = place(p.cards)
            if point == "bet-1":
                return {"verb": "ride" if plan.first[at] else "withdraw", "wager": "bet 1"}
            rides = plan.second[at, renamed(now.community_shown[0])]
            return {"verb": "ride" if rides else "withdraw", "wager": "bet 2"}
        case PikItPlan():
            if point == "pick":
                return {"verb": "pick", "cards": (1, 2, 3)}
            return {"verb": ("fold", "play 3", "play 5")[plan.plays[place(p.cards)[0]]]}


# --- at the table ---------------------------------------------------------------------------


class Planned(Evening):
    """An evening with every wager placed and every decision by the plan."""

    def __init__(self, book: str, plan: Plan, seats: int, seed: int) -> None:
        super().__init__(HOUSES[book], seats=range(1, seats + 1), seed=seed, chips=10**9)
        self.plan = plan
        self.order: list[Card] = []
        self.placed = dict(WAGERS[self.table.house.game.id])
        if book == MA_UTH:
            self.placed |= ONLY_MASSACHUSETTS
        self.arrive()

    def shuffle(self, cards: Sequence[Card]) -> list[Card]:
        rich = self.rng.random() < 0.5
        self.order = rich_order(self.rng) if rich else plain_order(self.rng)
        return self.order

    def wagers(self, seat: int, who: Actor) -> c.Command:
        return c.PlaceWagers(who, seat, self.placed)

    def choice(self, step: Step, p: Position) -> c.Command:
        return c.Choose(player(p.player), p.seat, **says(self.plan, self.table, step.point, p))

    def nets(self) -> list[int]:
        """Play a round; what each seat is up or down."""
        before = dict(self.table.players)
        self.rounds(1)
        self.log.clear()
        self.commands.clear()
        return [self.table.players[f"p{n}"] - before[f"p{n}"] for n in self.seats]


def laid_out(order: Hand, book: str, seats: int) -> list[int]:
    """The cards of a deck dealt one by one, as the simulation wants them: shared ones first."""
    if book in (NJ_UTH, MA_UTH):
        hands, rest = dealt(order, seats + 1, 2)
        shared = [*rest[1:4], *rest[5:7], *hands[-1]]  # a card is burned before each
    elif book == RIDE:
        hands, _ = dealt(order, seats + 1, 3)
        shared = list(hands[-1][1:])  # the first is burned
    else:
        hands, _ = dealt(order, seats + 1, 5)
        shared = [hands[-1][-1], *hands[-1][:-1]]  # the dealer's last card is the up-card
    return [*shared, *(card for hand in hands[:-1] for card in hand)]


def dealt(order: Hand, places: int, each: int) -> tuple[list[Hand], Hand]:
    """In turn to every player and last to the dealer or the community."""
    stop = places * each
    return [order[at:stop:places] for at in range(places)], order[stop:]


@cache
def plan_of(book: str) -> Plan:
    return solve.best_plan(read_data(HOUSES[book]))


def agree(book: str, seats: int, rounds: int, seed: int) -> set[int]:
    """Play both ways; the nets that were seen."""
    evening = Planned(book, plan_of(book), seats, seed)
    played, rows = [], []
    for _ in range(rounds):
        played.append(evening.nets())
        rows.append(laid_out(evening.order, book, seats))
    house = evening.table.house
    simulation = Simulation(house, plan_of(book), seats)
    classes = simulation.classes(np.array(rows, np.uint8))
    nets = sum(net_tables(simulation.game, evening.placed, house.terms()).values())
    assert isinstance(nets, np.ndarray)
    simulated = nets[classes]
    wrong = np.flatnonzero((simulated != np.array(played)).any(axis=1))
    assert [(rows[at], played[at], simulated[at].tolist()) for at in wrong[:3]] == []
    return set(simulated.ravel().tolist())


@pytest.mark.parametrize("book", HOUSES)
def test_table_and_simulation_agree_on_every_round(book: str) -> None:
    assert len(agree(book, seats=1, rounds=200, seed=1)) > 5


@pytest.mark.parametrize("book", HOUSES)
def test_they_agree_where_several_players_share_a_table(book: str) -> None:
    assert len(agree(book, seats=3, rounds=60, seed=2)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("book", HOUSES)
def test_they_agree_on_a_hundred_thousand_rounds(book: str) -> None:
    """20,000 of each rulebook, half of them on decks where high hands are common."""
    assert len(agree(book, seats=1, rounds=20_000, seed=3)) > 12
