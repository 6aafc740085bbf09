"""Advice against slow enumeration with the readable ranking, and against the solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import helpers
import numpy as np
import pytest
from helpers import CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis.advice.advise import Advice, Situation, advise
from croupier.analysis.advice.advise_holdem import from_every_board
from croupier.analysis.advice.opening import hole_class, opening
from croupier.analysis.counting.deals import distinct_hands
from croupier.analysis.many import cores
from croupier.analysis.progress import silent
from croupier.analysis.solvers import solve_caribbean, solve_holdem, solve_pik_it, solve_ride
from croupier.analysis.tabulate import holdem_nets, unit
from croupier.cards.card import DECK, Card, cards, spell
from croupier.law.refused import Refused

Values = dict[str, Fraction]


def situation(hand: str, **known: str) -> Situation:
    return Situation(cards(hand), **{name: cards(text) for name, text in known.items()})


def all_seen_but(count: int, known: Situation) -> Situation:
    """The same with all but some cards of the deck seen; those left are spread over the ranks."""
    left = known.left[:: len(known.left) // count][:count]
    seen = tuple(card for card in known.left if card not in left)
    return Situation(known.hand, known.board, known.dealer, known.coming, seen)


def values(advice: Advice) -> Values:
    return {option.name: option.value for option in advice.options}


def mean(numbers: Iterable[Fraction]) -> Fraction:
    found = list(numbers)
    return sum(found, Fraction(0)) / len(found)


# --- slow enumeration: the games' own settlement of real cards at $5 ------------------------


@cache
def uth_net(hole: str, dealer: str, board: str, play: int, fold: bool = False) -> Fraction:
    settled = helpers.uth(hole, dealer, board, play=play, fold=fold)
    return Fraction(sum(s.net for s in settled), 500)


def holdings(s: Situation, board: tuple[Card, ...]) -> Iterator[str]:
    left = [card for card in s.left if card not in board]
    for rest in combinations(left, 2 - len(s.dealer)):
        yield spell(sorted((*s.dealer, *rest)))


def slow_river(s: Situation, board: tuple[Card, ...], play: int, fold: bool = False) -> Fraction:
    text = spell(sorted(board))
    return mean(uth_net(spell(s.hand), d, text, play, fold) for d in holdings(s, board))


def boards(s: Situation, flop: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    coming = s.coming[max(0, 3 - len(s.board)) :]
    left = [card for card in s.left if card not in flop]
    return [(*flop, *coming, *rest) for rest in combinations(left, 2 - len(coming))]


def slow_flop(s: Situation, flop: tuple[Card, ...]) -> Values:
    ends = boards(s, flop)
    ends_best = (max(slow_river(s, b, 1), slow_river(s, b, 0, fold=True)) for b in ends)
    return {"2x": mean(slow_river(s, b, 2) for b in ends), "check": mean(ends_best)}


def slow_opening(s: Situation) -> Values:
    known = s.coming[:3]
    flops = [(*known, *rest) for rest in combinations(s.left, 3 - len(known))]
    found = {
        f"{n}x": mean(mean(slow_river(s, b, n) for b in boards(s, flop)) for flop in flops)
        for n in (4, 3)
    }
    return found | {"check": mean(max(slow_flop(s, flop).values()) for flop in flops)}


@pytest.mark.parametrize(
    "known",
    [
        situation("Ah Kd", board="2c 7d Ts Jh 3d"),
        situation("9h 9d", board="2c 7c Tc Jc 3d", dealer="Ac"),
        situation("5h 6h", board="2h 7h Th Jh 3d", dealer="Ah Kd"),
        situation("Ah Kd", board="As Ad Ac Kc Qc", seen="Kh Ks 2c 2d"),
    ],
)
def test_a_river_is_worth_what_slow_enumeration_says(known: Situation) -> None:
    advice = advise(house(NJ_UTH), known)
    assert advice.decision == "after-river"
    assert values(advice) == {
        "1x": slow_river(known, known.board, 1),
        "fold": slow_river(known, known.board, 0, fold=True),
    }


@pytest.mark.parametrize(
    "known",
    [
        situation("Ah 9d", board="2c 7d 9s"),
        situation("Jh Th", board="9h 8h 2c", dealer="Qd"),
        situation("3h 4d", board="2c 7d Ts", coming="5c"),
        situation("3h 4d", board="2c 7d Ts", coming="5c 6c", dealer="Qd"),
    ],
)
def test_a_flop_is_worth_what_slow_enumeration_says(known: Situation) -> None:
    """With few cards left; the river is then played with the same knowledge."""
    known = all_seen_but(8, known)
    advice = advise(house(NJ_UTH), known)
    assert advice.decision == "after-flop"
    assert values(advice) == slow_flop(known, known.board)


@pytest.mark.parametrize(
    "known",
    [
        situation("Ah 9d"),
        situation("Jh Th", dealer="Qd"),
        situation("3h 4d", coming="5c"),
        situation("7h 7d", coming="5c 6c 8c 9d"),
        situation("7h 2d", coming="7c 2c 8c 9d Ts"),
    ],
)
def test_an_opening_is_worth_what_slow_enumeration_says(known: Situation) -> None:
    known = all_seen_but(8, known)
    advice = advise(house(NJ_UTH), known)
    assert advice.decision == "before-flop"
    assert values(advice) == slow_opening(known)


@pytest.mark.parametrize("dealer", ["Qd", "Ad Kc", "2d 4c 6s 8d 9c"])
def test_caribbean_stud_is_worth_what_slow_enumeration_says(dealer: str) -> None:
    known = all_seen_but(9, situation("Ah Kd Jc 8s 3h", dealer=dealer))
    hand = spell(known.hand)

    def net(rest: tuple[Card, ...], fold: bool) -> Fraction:
        settled = helpers.caribbean(hand, spell((*known.dealer, *rest)), fold=fold)
        return Fraction(sum(s.net for s in settled), 500)

    hidden = list(combinations(known.left, 5 - len(known.dealer)))
    assert values(advise(house(CARIBBEAN), known)) == {
        "bet": mean(net(rest, False) for rest in hidden),
        "fold": Fraction(-1),
    }


@pytest.mark.parametrize("hand", ["Ah Kd Jc 8s 3h", "9h 9d 9c 2s 2d", "Ah Kh Qh 2c 2d"])
@pytest.mark.parametrize("dealer", ["", "Qd"])
def test_pik_it_is_worth_what_slow_enumeration_says(hand: str, dealer: str) -> None:
    known = all_seen_but(9, situation(hand, dealer=dealer))

    def net(rest: tuple[Card, ...], played: str) -> Fraction:
        settled = helpers.pikit(hand, spell((*known.dealer, *rest)), played=played)
        return Fraction(sum(s.net for s in settled if s.wager != "5 card bonus"), 500)

    hidden = list(combinations(known.left, 5 - len(known.dealer)))
    assert values(advise(house(PIK_IT), known)) == {
        "play 5": mean(net(rest, "play 5") for rest in hidden),
        "play 3": mean(net(rest, "play 3") for rest in hidden),
        "fold": Fraction(-1),
    }


@pytest.mark.parametrize(
    ("known", "decision"),
    [
        (situation("Ts Js Qs"), "bet-1"),
        (situation("2s 2d Qs", coming="2c"), "bet-1"),
        (situation("Ts Js Qs", board="Ks", seen="As 9s"), "bet-2"),
        (situation("2s 7d Ts", board="9s", coming="Td"), "bet-2"),
    ],
)
def test_let_it_ride_is_worth_what_slow_enumeration_says(known: Situation, decision: str) -> None:
    fixed = (*known.board, *known.coming)

    def net(rest: tuple[Card, ...]) -> Fraction:
        settled = helpers.ride(spell(known.hand), spell((*fixed, *rest)))
        return Fraction(helpers.only(settled, "bet 3").net, 500)

    advice = advise(house(RIDE), known)
    assert advice.decision == decision
    assert values(advice) == {
        "ride": mean(net(rest) for rest in combinations(known.left, 2 - len(fixed))),
        "withdraw": Fraction(0),
    }


# --- what is known, averaged over all it could be, is what is not known ---------------------


@pytest.mark.parametrize(
    ("book", "known", "what", "option"),
    [
        (NJ_UTH, situation("Ah 9d", board="2c 7d 9s"), "seen", "2x"),
        (NJ_UTH, situation("Ah 9d", board="2c 7d 9s"), "dealer", "2x"),
        (NJ_UTH, situation("Ah 9d", board="2c 7d 9s"), "coming", "2x"),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h", dealer="Qd"), "seen", "bet"),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h", dealer="Qd"), "dealer", "bet"),
        (RIDE, situation("Ts Js Qs"), "seen", "ride"),
        (RIDE, situation("Ts Js Qs"), "coming", "ride"),
        (PIK_IT, situation("Ah Kd Jc 8s 3h"), "dealer", "play 3"),
    ],
)
def test_a_card_known_by_chance_changes_nothing_on_average(
    book: str, known: Situation, what: str, option: str
) -> None:
    def with_card(card: Card) -> Situation:
        fields = {name: getattr(known, name) for name in Situation.__slots__}
        return Situation(**fields | {what: (*fields[what], card)})

    here = house(book)
    average = mean(values(advise(here, with_card(card)))[option] for card in known.left)
    assert average == values(advise(here, known))[option]


def test_a_check_before_the_flop_is_worth_the_best_of_every_flop() -> None:
    known = situation("Jh 8d", coming="2c 7d")
    best = [
        advise(house(NJ_UTH), Situation(known.hand, (*known.coming, third))).best.value
        for third in known.left
    ]
    assert values(advise(house(NJ_UTH), known))["check"] == mean(best)


def test_knowledge_is_never_worth_less_than_nothing() -> None:
    """A dealer's card seen at random lets the player choose better, never worse."""
    known = situation("Ah Kd Jc 8s 3h", dealer="Qd")
    informed = mean(
        advise(house(CARIBBEAN), Situation(known.hand, dealer=(*known.dealer, card))).best.value
        for card in known.left
    )
    assert informed > advise(house(CARIBBEAN), known).best.value


# --- the solver ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def play() -> solve_holdem.Play:
    nj = house(NJ_UTH)
    nets = holdem_nets(nj.terms(), (4,))
    return solve_holdem.Play(solve_holdem.known_deals(), nets, nj.multiples)


def some(count: int, total: int) -> list[int]:
    return np.random.default_rng(52).choice(total, count, replace=False).tolist()


def test_flops_have_the_solvers_values(play: solve_holdem.Play) -> None:
    flops = play.deals.flops.hands
    deals = comb(47, 2) * 990 * unit(house(NJ_UTH).terms())
    for at in some(12, len(flops)):
        flop = tuple(Card(card) for card in flops[at])
        others = [card for card in DECK if card not in flop]
        holes = [(low, high) for high in others for low in others if low < high]
        for holding in some(3, len(holes)):
            later, once, twice = (int(total) for total in play.sums[at, holding])
            assert once != twice
            assert values(advise(house(NJ_UTH), Situation(holes[holding], flop))) == {
                "2x": Fraction(twice, deals),
                "check": Fraction(later, deals),
            }


def test_hole_cards_alone_have_the_value_of_their_class() -> None:
    nj = house(NJ_UTH)
    for text in ("Ah Kd", "7s 2s", "2c 2d"):
        found = values(advise(nj, situation(text)))
        assert found == opening(nj).values(hole_class(*cards(text)))
        assert list(found) == ["4x", "3x", "check"]


def test_massachusetts_opens_as_new_jersey_does() -> None:
    known = situation("Kh 5d")
    assert advise(house(MA_UTH), known) == advise(house(NJ_UTH), known)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Kh 5d", "Js 8s", "2c 2d"])
def test_every_board_walked_gives_the_value_of_the_class(text: str) -> None:
    """All 2,118,760 boards against every dealer's holding, and every flop's better choice."""
    nj, known = house(NJ_UTH), situation(text)
    walked = from_every_board(nj, known, "before-flop", silent)
    assert walked == opening(nj).values(hole_class(*known.hand))


def test_caribbean_stud_bets_where_the_plan_bets() -> None:
    here = house(CARIBBEAN)
    bets = solve_caribbean.best_plan(here).bets
    hands = distinct_hands(5).hands
    close = np.flatnonzero(bets.any(axis=1) & ~bets.all(axis=1))
    chosen = [*some(20, len(hands)), *close[some(40, len(close))].tolist()]
    answers = set()
    for at in chosen:
        hand = tuple(Card(card) for card in hands[at])
        for up in (card for card in DECK[at % 7 :: 7] if card not in hand):
            best = advise(here, Situation(hand, dealer=(up,))).best.name
            assert (best == "bet") == bets[at, up]
            answers.add(best)
    assert answers == {"bet", "fold"}


def test_pik_it_has_the_solvers_values() -> None:
    here = house(PIK_IT)
    found = solve_pik_it.Play(here, solve_pik_it.known_deals()).values()
    hands = distinct_hands(5).hands
    deals = solve_pik_it.DEALER * unit(here.terms())
    for at in some(30, len(hands)):
        hand = tuple(Card(card) for card in hands[at])
        fold, three, five = (Fraction(int(total), deals) for total in found[:, at])
        assert values(advise(here, Situation(hand))) == {
            "play 5": five,
            "play 3": three,
            "fold": fold,
        }


def test_let_it_ride_rides_where_the_plan_rides() -> None:
    here = house(RIDE)
    plan = solve_ride.best_plan(here)
    hands = distinct_hands(3).hands
    for at in some(40, len(hands)):
        hand = tuple(Card(card) for card in hands[at])
        assert (advise(here, Situation(hand)).best.name == "ride") == plan.first[at]
        for card in (card for card in DECK[at % 5 :: 5] if card not in hand):
            best = advise(here, Situation(hand, (card,))).best.name
            assert (best == "ride") == plan.second[at, card]


# --- options ---------------------------------------------------------------------------------


def test_costs_are_what_is_given_up_and_the_best_costs_nothing() -> None:
    advice = advise(house(NJ_UTH), situation("Ah Kd"))
    assert advice.best.cost == 0
    for option in advice.options:
        assert option.cost == advice.best.value - option.value
        assert (option.cost == 0) == (option is advice.best)


def test_of_equal_options_the_one_that_bets_is_the_best() -> None:
    """Four to an open straight without a card from ten up: 40 cards lose, 8 pay 5 to 1."""
    advice = advise(house(RIDE), situation("6c 7d 8h", board="9s"))
    assert values(advice) == {"ride": Fraction(0), "withdraw": Fraction(0)}
    assert advice.best.name == "ride"


def test_a_house_that_pays_more_is_worth_more() -> None:
    known = situation("Ts Js Qs", board="Ks")
    richer = house(RIDE, pay={"main": {"royal-flush": "2,000 to 1"}})
    more = values(advise(richer, known))["ride"] - values(advise(house(RIDE), known))["ride"]
    assert more == Fraction(1_000, 48)


def test_several_multiples_after_the_flop_are_options_of_their_own() -> None:
    """Three nines are never folded at the river, so a check is as good as the ante played once."""
    known = situation("9h 9d", board="9c 7d 2s")
    both = values(advise(house(NJ_UTH, multiples={"after-flop": [1, 2]}), known))
    assert list(both) == ["2x", "1x", "check"]
    assert both["2x"] == values(advise(house(NJ_UTH), known))["2x"]
    assert both["check"] == both["1x"] < both["2x"]


# --- what takes long -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "known"),
    [
        (NJ_UTH, situation("Ah Kd")),
        (NJ_UTH, situation("Ah Kd", board="2c 7d Ts")),
        (NJ_UTH, situation("Ah Kd", board="2c 7d Ts Jh 3d")),
        (NJ_UTH, situation("Ah Kd", board="2c 7d Ts", seen="3c 3d")),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h", dealer="Qd")),
        (RIDE, situation("Ts Js Qs")),
        (RIDE, situation("Ts Js Qs", board="Ks")),
        (PIK_IT, situation("Ah Kd Jc 8s 3h")),
    ],
)
def test_once_warm_no_decision_takes_long(book: str, known: Situation) -> None:
    """The game is not solved again, and boards are counted in one step on each core: where they
    are many, there are more steps."""
    here = house(book)
    advise(here, known)
    told: list[tuple[str, int]] = []
    advise(here, known, lambda what, done, steps: told.append((what, steps)))
    assert {what for what, _ in told} <= {"boards"}
    assert max((steps for _, steps in told), default=0) <= cores()


def test_what_takes_long_before_the_flop_is_worked_out_once_for_a_house() -> None:
    told: list[str] = []

    def tell(what: str, done: int, steps: int) -> None:
        told.append(what)

    other = house(NJ_UTH, pay={"blind": {"royal-flush": 501}})
    assert advise(other, situation("Ah Kd"), tell)
    assert told
    told.clear()
    assert advise(other, situation("As Kc"), tell)
    assert told == []


# --- what cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "known", "words"),
    [
        (NJ_UTH, situation("Ah Kd", board="2c 7d Ah"), "The Ah is there twice"),
        (NJ_UTH, situation("Ah Kd", seen="2c", dealer="2c"), "The 2c is there twice"),
        (NJ_UTH, situation("Ah"), "A hand of Ultimate Texas Hold'em is 2 cards, not 1"),
        (NJ_UTH, situation("Ah Kd", board="2c"), "with 0, 3 or 5 community cards in sight"),
        (NJ_UTH, situation("Ah Kd", coming="2c 3c 4c 5c 6c 7c"), "deals 5 community cards"),
        (NJ_UTH, situation("Ah Kd", dealer="2c 3c 4c"), "holds 2 cards"),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h"), "up-card is in sight"),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h", dealer="2c", board="3c"), "no community cards"),
        (CARIBBEAN, situation("Ah Kd Jc 8s 3h", dealer="2c", coming="3c"), "no community cards"),
        (RIDE, situation("Ah Kd Jc", dealer="2c"), "has no hand"),
        (RIDE, situation("Ah Kd Jc", board="2c 3c"), "with 0 or 1 community cards in sight"),
        (PIK_IT, situation("Ah Kd Jc 8s"), "is 5 cards, not 4"),
    ],
)
def test_a_situation_that_cannot_arise_is_refused(book: str, known: Situation, words: str) -> None:
    with pytest.raises(Refused, match=words):
        advise(house(book), known)


def test_a_deck_seen_to_its_end_is_refused() -> None:
    known = all_seen_but(6, situation("Ah Kd"))
    with pytest.raises(Refused, match="6 cards are left, and 7 are still to be dealt"):
        advise(house(NJ_UTH), known)
