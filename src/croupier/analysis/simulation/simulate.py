"""Rounds by the million, each decided by a plan and settled by the game.

Rounds are cut into chunks, and every chunk has random numbers of its own (``random_deals``), so
the same seed gives the same counts however many workers there are and wherever they work. What a
chunk brings back is whole numbers: how often each class of outcome came about.

With several seats the hands of one round hang together: they share the dealer's cards. What a mean
is worth is then judged by what all seats of a round make together, round by round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from croupier.analysis.counting.deals import Counts, Hands
from croupier.analysis.plan import Plan
from croupier.analysis.simulation import random_deals
from croupier.analysis.simulation import simulated_games as games
from croupier.analysis.simulation.rounds import Classes, square_sums, tally
from croupier.analysis.tabulate import unlimited
from croupier.house.submission import House
from croupier.law.refused import Refused

CHUNK = 1 << 16  # rounds
MOST_AT_ONCE = 1 << 31  # what all seats together may make in a round, so that squares fit a word


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What so many rounds came to."""

    rounds: int
    counts: Counts  # [class], all seats together
    squares: tuple[int, ...]  # per part: the squares of what the seats of a round make together;
    # none where there is one seat, since they follow from the counts

    def __add__(self, other: Tally) -> Tally:
        squares = tuple(a + b for a, b in zip(self.squares, other.squares, strict=True))
        return Tally(self.rounds + other.rounds, self.counts + other.counts, squares)


class Simulation:
    """A house's rounds under a plan. Payout limits are left aside, as in a solution."""

    def __init__(self, house: House, plan: Plan, seats: int = 1) -> None:
        self.house, self.plan, self.seats = house, plan, seats
        self.game = games.rounds_of(house, plan, seats)
        self.parts = games.parts(self.game, games.unit_wagers(house), unlimited(house.terms()))
        too_large = any(seats * int(abs(part.nets).max()) >= MOST_AT_ONCE for part in self.parts)
        if seats > 1 and too_large:  # only rounds of several seats are squared in kernels
            raise Refused("Sums this large are solved, but simulated for one seat only.")

    def classes(self, cards: Hands) -> Classes:
        """The classes of given rounds: a row of cards each, as ``rounds`` lays them out."""
        found = np.empty((len(cards), self.seats), np.uint32)
        self.game.play(cards, found)
        return found

    def nothing(self) -> Tally:
        squares = (0,) * len(self.parts) if self.seats > 1 else ()
        return Tally(0, np.zeros(int(np.prod(self.game.sizes)), np.int64), squares)

    def chunk(self, seed: int, number: int, rounds: int = CHUNK) -> Tally:
        """Deal and play the first rounds of a chunk."""
        state = np.empty(4, np.uint64)
        random_deals.start(np.uint64(seed), np.uint64(number), state)
        cards = np.empty((rounds, self.game.cards), np.uint8)
        random_deals.deal(state, cards)
        classes = self.classes(cards)
        counts = self.nothing().counts
        tally(classes, counts)
        return Tally(rounds, counts, tuple(self._squares(classes)))

    def _squares(self, classes: Classes) -> Iterator[int]:
        for part in self.parts if self.seats > 1 else ():
            halves = np.zeros(2, np.int64)
            square_sums(classes, part.nets, halves)
            yield int(halves[0]) + (int(halves[1]) << 32)


def chunks(rounds: int) -> Iterator[tuple[int, int]]:
    """The number of each chunk, and how many of its rounds are played: all but in the last."""
    whole, rest = divmod(rounds, CHUNK)
    yield from ((number, CHUNK) for number in range(whole))
    if rest:
        yield whole, rest


def on_threads(simulation: Simulation, seed: int, rounds: int, workers: int) -> Iterator[Tally]:
    """The tallies of all chunks in their order; whoever stops early has the first ones whole."""
    waiting: deque[Future[Tally]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for number, count in chunks(rounds):
                waiting.append(pool.submit(simulation.chunk, seed, number, count))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
