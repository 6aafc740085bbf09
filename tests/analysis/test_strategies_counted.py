"""Single hands counted out card by card, against what the solvers say they are worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, house
from numpy.typing import NDArray
from plan_places import flop_place, river_place

from croupier.analysis.counting import rivers
from croupier.analysis.counting.deals import all_hands, distinct_hands
from croupier.analysis.solvers import solve_caribbean, solve_holdem, solve_pik_it
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.card import DECK, Card, cards, spell
from croupier.cards.evaluator import FIVE_CARD_KIND, evaluate5, evaluate7
from croupier.cards.ranking import FIVE_CARD_LINES, FiveCard, rank_five
from croupier.games import caribbean_stud, pik_it
from croupier.games import ultimate_texas_holdem as uth
from croupier.rules.game import Versus
from croupier.rules.settlement import total

random = Random(32)
RIVERS = [
    *(spell(random.sample(DECK, 7)) for _ in range(3)),
    "Qh 9d Kc 8s 6d 4c 2h",  # close to a fold
    "2c 3d Ah Jh 9h 6h Kd",  # four of a suit
    "7c 7d As Ks Qs Js Ts",  # a royal flush for everybody
]
FLOPS = [spell(random.sample(DECK, 5)), "9h 8h 7h 6d 2c"]
HANDS = [random.randrange(134_459) for _ in range(2)]  # places among the distinct hands of five


def holdem_net(outcome: uth.Outcome, times: int) -> int:
    terms = house(NJ_UTH).terms()
    ante = unit(terms)
    return total(uth.settle(outcome, {"ante": ante, "blind": ante, "play": times * ante}, terms))


FOLD = holdem_net(uth.Outcome("high-card", Versus.LOWER, True, folded=True), 0)


@cache
def holdem() -> tuple[solve_holdem.Deals, solve_holdem.Play]:
    deals = solve_holdem.known_deals()
    nets = holdem_nets(house(NJ_UTH).terms(), (2, 4))
    return deals, solve_holdem.Play(deals, nets, dict(house(NJ_UTH).multiples))


def river_values(name: str, board: int, holding: int) -> list[int]:
    """The solver's: played on as is best, played once, played twice."""
    deals, play = holdem()
    counts = getattr(deals, name)[board : board + 1, holding : holding + 1]
    values, choices = np.zeros((1, 1, 3), np.int32), np.zeros((1, 1), np.uint8)
    rivers.river_values(np.ascontiguousarray(counts), 0, 1, play.nets, 1, 1, values, choices)
    found: list[int] = values[0, 0].tolist()
    return found


def split(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...], list[Card]]:
    """Hole cards, what is shown beside them, and the cards left."""
    dealt = cards(text)
    return dealt[:2], dealt[2:], [each for each in DECK if each not in dealt]


@pytest.mark.parametrize("dealt", RIVERS)
def test_a_hand_at_the_river_is_worth_what_every_dealer_settled_in_turn_gives(dealt: str) -> None:
    hole, board, others = split(dealt)
    outcomes = [uth.outcome(hole, dealer, board) for dealer in combinations(others, 2)]
    assert len(outcomes) == 990
    once, twice = (sum(holdem_net(o, times) for o in outcomes) for times in (1, 2))
    fold = 990 * FOLD
    name, place, holding = river_place(hole, board)
    assert river_values(name, place, holding) == [max(once, fold), once, twice]
    planned = getattr(holdem()[1].plan, name)[place, holding]
    assert planned == (1 if once >= fold else 0)


@pytest.mark.parametrize("dealt", FLOPS)
def test_a_hand_after_the_flop_is_worth_the_sum_of_its_rivers(dealt: str) -> None:
    hole, flop, others = split(dealt)
    rows = [river_values(*river_place(hole, (*flop, *later))) for later in combinations(others, 2)]
    assert len(rows) == 1081
    found = holdem()[1].sums[flop_place(hole, flop)]
    assert found.tolist() == np.sum(rows, axis=0).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("dealt", FLOPS)
def test_a_hand_after_the_flop_is_worth_what_every_deal_after_it_gives(dealt: str) -> None:
    """All 1,081 turns and rivers, and on each all 990 dealers."""
    hole, flop, others = split(dealt)
    nets = {times: _nets_by_class(times) for times in (1, 2)}
    totals = np.zeros(3, np.int64)
    for later in combinations(others, 2):
        board = (*flop, *later)
        left = [each for each in others if each not in later]
        dealers = evaluate7(
            np.array([(*dealer, *board) for dealer in combinations(left, 2)], np.uint8)
        ).astype(np.int64)
        mine = int(evaluate7(np.array([(*hole, *board)], np.uint8))[0])
        versus, qualified = np.sign(mine - dealers) + 1, FIVE_CARD_KIND[dealers] >= 1
        counts = np.zeros((3, 2), np.int64)
        np.add.at(counts, (versus, qualified.astype(int)), 1)
        once, twice = (int((counts * nets[t][FIVE_CARD_KIND[mine]]).sum()) for t in (1, 2))
        totals += max(once, 990 * FOLD), once, twice
    assert holdem()[1].sums[flop_place(hole, flop)].tolist() == totals.tolist()


def _nets_by_class(times: int) -> list[NDArray[np.int64]]:
    """By kind of hand: nets[versus + 1, qualified]."""
    return [
        np.array(
            [
                [
                    holdem_net(uth.Outcome(FIVE_CARD_LINES[kind], versus, qualified), times)
                    for qualified in (False, True)
                ]
                for versus in Versus
            ]
        )
        for kind in FiveCard
    ]


@pytest.mark.slow
@pytest.mark.parametrize("place", HANDS)
def test_a_bet_in_caribbean_stud_is_worth_what_every_dealer_settled_in_turn_gives(
    place: int,
) -> None:
    table, deals = house(CARIBBEAN), solve_caribbean.known_deals()
    terms = table.terms()
    ante = unit(terms)
    hand = tuple(map(Card, distinct_hands(5).hands[place].tolist()))
    up = Random(place).choice([each for each in DECK if each not in hand])
    others = [each for each in DECK if each not in (*hand, up)]
    mine = rank_five(hand)
    worth: dict[caribbean_stud.Outcome, int] = {}
    value = count = 0
    for four in combinations(others, 4):
        dealer = rank_five((up, *four))
        outcome = caribbean_stud.Outcome(
            _line(mine.kind), Versus.of(mine, dealer), caribbean_stud.qualifies(dealer)
        )
        if outcome not in worth:
            wagers = {"ante": ante, "bet": 2 * ante}
            worth[outcome] = total(caribbean_stud.settle(outcome, wagers, terms))
        value += worth[outcome] + ante  # above a fold, which loses the ante
        count += 1
    assert count == solve_caribbean.HIDDEN
    assert solve_caribbean.values(table, deals)[place, up] == value
    assert solve_caribbean.best_plan(table).bets[place, up] == (value >= 0)


def _line(kind: object) -> str:
    assert isinstance(kind, FiveCard)
    return FIVE_CARD_LINES[kind]


@pytest.mark.parametrize("place", HANDS)
def test_a_play_in_pik_it_is_worth_what_every_dealer_gives(place: int) -> None:
    table, deals = house(PIK_IT), solve_pik_it.known_deals()
    terms = table.terms()
    ante = unit(terms)
    hand = distinct_hands(5).hands[[place]]
    dealers = all_hands(5)[~np.isin(all_hands(5), hand).any(axis=1)]
    assert len(dealers) == solve_pik_it.DEALER
    number: dict[str, Callable[..., NDArray[np.uint16]]] = {
        "play 3": solve_pik_it.best_threes,
        "play 5": evaluate5,
    }
    qualified = evaluate5(dealers) >= deals.bound
    values = [-solve_pik_it.DEALER * ante]
    for played, evaluate in number.items():
        versus = np.sign(int(evaluate(hand)[0]) - evaluate(dealers).astype(np.int64))
        value = 0
        for way in Versus:
            for enough in (False, True):
                outcome = pik_it.Outcome("high-card", way, way, enough, played)
                wagers = {"ante": ante, played: 2 * ante}
                settled = total(pik_it.settle(outcome, wagers, terms))
                value += settled * int(((versus == way) & (qualified == enough)).sum())
        values.append(value)
    assert solve_pik_it.Play(table, deals).values()[:, place].tolist() == values
