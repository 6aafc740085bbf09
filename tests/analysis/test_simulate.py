"""Simulated rounds: the same for the same seed, in accord with the exact solution, and honest about
what they are worth."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt

import numpy as np
import pytest
from helpers import ALL_BOOKS, CARIBBEAN, MA_UTH, NJ_UTH, PIK_IT, RIDE, house

from croupier.analysis import solve
from croupier.analysis.plan import HoldemPlan, Plan, RidePlan
from croupier.analysis.simulation.simulate import CHUNK, Simulation, Tally, chunks, on_threads
from croupier.analysis.simulation.simulate_report import Figures, as_data, figures, standard_error
from croupier.analysis.solution import Solution
from croupier.house.submission import House
from croupier.law.refused import Refused

FAR = 4.0  # standard errors; with these seeds nothing is as far off


@cache
def house_of(book: str) -> House:
    if book != MA_UTH:
        return house(book)
    lines = {"royal-flush": "100 %", "straight-flush": "10 %", "full-house": "$300", "flush": "$50"}
    return house(
        book,
        offered=["trips", "cover-all", "progressive"],
        pay={"progressive": lines},
        progressive={"meter": 10_000, "seed": 10_000, "contribution": 1},
    )


@cache
def solved(book: str, strategy: str = "optimal") -> tuple[Plan, Solution]:
    plan = solve.plan_for(house_of(book), strategy)
    return plan, solve.solve(house_of(book), plan)


@cache
def simulation(book: str, seats: int = 1, strategy: str = "optimal") -> Simulation:
    return Simulation(house_of(book), solved(book, strategy)[0], seats)


def total(found: Simulation, seed: int, rounds: int, workers: int = 2) -> Tally:
    return sum(on_threads(found, seed, rounds, workers), found.nothing())


def same(a: Tally, b: Tally) -> bool:
    return a.rounds == b.rounds and a.squares == b.squares and bool((a.counts == b.counts).all())


# --- the same seed, the same rounds ---------------------------------------------------------


def test_rounds_are_cut_into_chunks_and_a_rest() -> None:
    assert list(chunks(2 * CHUNK + 5)) == [(0, CHUNK), (1, CHUNK), (2, 5)]
    assert list(chunks(CHUNK)) == [(0, CHUNK)]
    assert list(chunks(7)) == [(0, 7)]


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_counts_do_not_depend_on_the_number_of_workers(book: str, seats: int) -> None:
    found = simulation(book, seats)
    rounds = 4 * CHUNK + 123
    alone = total(found, 5, rounds, workers=1)
    assert alone.rounds == rounds
    assert alone.counts.sum() == rounds * seats
    assert same(alone, total(found, 5, rounds, workers=3))
    assert not same(alone, total(found, 6, rounds))


def test_who_stops_early_has_the_first_rounds() -> None:
    found = simulation(RIDE)
    first = [tally for tally, _ in zip(on_threads(found, 5, 10**9, 2), range(3), strict=False)]
    assert same(sum(first, found.nothing()), total(found, 5, 3 * CHUNK))


# --- beside the exact solution --------------------------------------------------------------


def far_off(found: list[Figures]) -> list[tuple[str, float | None]]:
    return [(each.name, each.z) for each in found if each.z is None or abs(each.z) > FAR]


def unlikely(each: Figures, hands: int) -> bool:
    """Pearson's test of the histogram, over the nets that are expected at least ten times."""
    rows = [(count, hands * float(share)) for _, count, _, share in each.rows()]
    assert all(expected > 0 for _, expected in rows), "a net came about that cannot"
    kept = [(count, expected) for count, expected in rows if expected >= 10]
    chi = sum((count - expected) ** 2 / expected for count, expected in kept)
    free = len(kept) - 1
    return chi > free + 5 * sqrt(2 * free)


@pytest.mark.parametrize(
    ("book", "parts"),
    [
        (NJ_UTH, ["main", "trips"]),
        (MA_UTH, ["main", "trips", "cover-all, 2 hands", "progressive"]),
        (CARIBBEAN, ["main", "progressive"]),
        (RIDE, ["main", "bonus", "three-card"]),
        (PIK_IT, ["main", "five-card-bonus", "whole", "three-card-bonus"]),
    ],
)
def test_two_million_rounds_agree_with_the_solution(book: str, parts: list[str]) -> None:
    rounds = 2_000_000
    found = figures(simulation(book), total(simulation(book), 1, rounds), solved(book)[1])
    assert [each.name for each in found] == parts
    assert far_off(found) == []
    assert [each.name for each in found if unlikely(each, rounds)] == []


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_full_table_agrees_with_the_solution(book: str) -> None:
    full = simulation(book, 6)
    found = figures(full, total(full, 2, 300_000), solved(book)[1])
    assert far_off(found) == []


@pytest.mark.parametrize(
    ("book", "strategy"),
    [(NJ_UTH, "always-raise"), (CARIBBEAN, "always-raise"), (RIDE, "always-ride")],
)
def test_another_strategy_agrees_with_its_own_solution(book: str, strategy: str) -> None:
    played = simulation(book, 1, strategy)
    found = figures(played, total(played, 3, 1_000_000), solved(book, strategy)[1])
    assert far_off(found) == []
    assert found[0].exact < solved(book)[1].main.net


def test_plans_that_use_several_multiples_are_played_as_they_are() -> None:
    """Three times the ante before the flop and twice or thrice after it: the classes say so."""
    plan = solved(NJ_UTH)[0]
    assert isinstance(plan, HoldemPlan)
    plan = replace(plan, before=np.where(plan.before, 3, 0).astype(np.uint8))
    after = plan.after.copy()
    after[:, ::2] = np.where(after[:, ::2], 3, 0)
    played = Simulation(house_of(NJ_UTH), replace(plan, after=after))
    by_times = total(played, 1, CHUNK).counts.reshape(played.game.sizes).sum(axis=(1, 2, 3, 4, 5))
    assert len(by_times) == 4  # a fold, once, twice, three times
    assert (by_times > 0).all()


# --- what a mean is worth -------------------------------------------------------------------


def test_the_standard_error_is_that_of_the_textbook() -> None:
    """Of 1, 2, 3, 6: mean 3, variance 14 / 3, divided by four rounds."""
    assert standard_error(4, 12, 50) == pytest.approx(sqrt(14 / 3 / 4))
    assert standard_error(1, 5, 25) == 0


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_with_several_seats_rounds_are_judged_not_hands(book: str) -> None:
    """The error follows from what each round makes; counted in numpy from the classes."""
    from croupier.analysis.simulation import random_deals

    full = simulation(book, 6)
    tally = full.chunk(7, 0)
    state = np.zeros(4, np.uint64)
    random_deals.start(np.uint64(7), np.uint64(0), state)
    cards = np.zeros((CHUNK, full.game.cards), np.uint8)
    random_deals.deal(state, cards)
    classes = full.classes(cards)
    for each, part in zip(figures(full, tally, solved(book)[1]), full.parts, strict=True):
        made = part.nets[classes].sum(axis=1) / (6 * part.amount)
        assert float(each.mean) == pytest.approx(made.mean())
        assert each.error == pytest.approx(made.std(ddof=1) / sqrt(CHUNK))


def test_hands_of_one_round_hang_together() -> None:
    """Cover All is the same for every seat, so six seats tell no more than one."""
    full = simulation(MA_UTH, 6)
    tally = full.chunk(7, 0)
    found = {each.name: each for each in figures(full, tally, solved(MA_UTH)[1])}
    cover_all = found["cover-all, 7 hands"]
    alone = sqrt(cover_all.book.variance / CHUNK)
    assert cover_all.error == pytest.approx(alone, rel=0.1)
    assert found["main"].error > 1.2 * sqrt(found["main"].book.variance / CHUNK / 6)


def test_one_round_has_no_error_and_no_z() -> None:
    found = figures(simulation(RIDE), total(simulation(RIDE), 1, 1), solved(RIDE)[1])
    assert [each.z for each in found] == [None, None, None]


def test_the_data_hold_every_net_with_its_exact_share() -> None:
    found = figures(simulation(RIDE), total(simulation(RIDE), 1, 5_000), solved(RIDE)[1])
    rows = as_data(found)["main"]["histogram"]
    assert sum(row["count"] for row in rows) == 5_000
    assert rows[-1] == {"net": "3000/1", "count": 0, "exact_share": "1/649740"}


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, 7])
def test_a_table_seats_as_many_as_the_house_says(seats: int) -> None:
    with pytest.raises(Refused, match=r"seats 1 to 6 players"):
        Simulation(house_of(RIDE), solved(RIDE)[0], seats)


def test_a_deck_serves_no_more_than_it_can() -> None:
    with pytest.raises(Refused, match=r"seats 1 to 9 players"):
        Simulation(house(PIK_IT, positions=30), solved(PIK_IT)[0], 10)


def test_cover_all_is_for_seven_hands() -> None:
    with pytest.raises(Refused, match=r"up to 7 hands"):
        Simulation(replace(house_of(MA_UTH), positions=9), solved(MA_UTH)[0], 7)


def test_a_plan_with_too_many_multiples_is_refused() -> None:
    plan = solved(NJ_UTH)[0]
    assert isinstance(plan, HoldemPlan)
    after = np.arange(plan.after.size, dtype=np.int64).reshape(plan.after.shape) % 5
    with pytest.raises(Refused, match=r"three multiples"):
        Simulation(house_of(NJ_UTH), replace(plan, after=after.astype(np.uint8)))


def test_sums_beyond_a_word_are_refused() -> None:
    plan = solved(RIDE)[0]
    assert isinstance(plan, RidePlan)
    largest = house(RIDE, pay={"main": {"royal-flush": 10**6, "straight": "49999/10000"}})
    with pytest.raises(Refused, match=r"one seat only"):
        Simulation(largest, plan, seats=2)
    assert Simulation(largest, plan).chunk(1, 0, 100).rounds == 100
