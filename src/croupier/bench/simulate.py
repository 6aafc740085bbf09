"""How many rounds a second are simulated, every card dealt and every decision by optimal play.

Nothing on the shelf plays these games, so the peers show what a Python program with a good
evaluator would reach: nine cards from numpy's generator, two hands evaluated and compared, no
decision and no wager. All are measured in the same run, in turns; the median of the turns counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from statistics import median

import numpy as np

import croupier
from croupier.analysis.many import cores
from croupier.analysis.simulation.simulate import CHUNK, Simulation, on_threads
from croupier.analysis.solve import best_plan
from croupier.bench import evaluator
from croupier.bench.evaluator import NOT_INSTALLED, SEED, Caller, seconds_of, version_of
from croupier.games.registry import RULEBOOKS
from croupier.house.submission import default_house

TURNS = 3
PEERS = (evaluator.eval7, evaluator.phevaluator)
PEER_ROUNDS = 1_000  # at a time


class Row:
    """One thing that is measured: rounds per second, turn by turn."""

    def __init__(self, play: Callable[[int], None], least: int) -> None:
        self.play, self.least = play, least
        self.rounds = least
        self.rates: list[float] = []

    def warm_up(self, seconds: float) -> None:
        """Play a little, and see how many rounds fit into a turn."""
        self.play(self.least)
        took = seconds_of(lambda: self.play(self.least))
        self.rounds = self.least * max(1, round(seconds / took))

    def measure(self) -> None:
        self.rates.append(self.rounds / seconds_of(lambda: self.play(self.rounds)))

    def __str__(self) -> str:
        return f"{median(self.rates):,.0f}"


def simulated(simulation: Simulation, workers: int) -> Row:
    def play(rounds: int) -> None:
        deque(on_threads(simulation, SEED, rounds, workers), maxlen=0)

    return Row(play, 4 * workers * CHUNK)


def showdowns(caller: Caller) -> Row:
    """Nine cards, two hands of seven, and which is higher."""
    function, prepare = caller
    rng = np.random.default_rng(SEED)
    decks = np.tile(np.arange(52, dtype=np.uint8), (PEER_ROUNDS, 1))

    def play(rounds: int) -> None:
        for _ in range(rounds // PEER_ROUNDS):
            for row in rng.permuted(decks, axis=1)[:, :9].tolist():
                mine = function(*prepare(row[:7]))
                dealers = function(*prepare([*row[:5], *row[7:]]))
                _ = (mine > dealers) - (mine < dealers)

    return Row(play, PEER_ROUNDS)


def run(seconds: float = 3.0) -> None:
    """Measure and print. ``seconds`` is about what each row takes in all its turns."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    many = cores()
    ours = {}
    for book in RULEBOOKS:
        house = default_house(book)
        simulation = Simulation(house, best_plan(house))
        ours[book] = simulated(simulation, 1), simulated(simulation, many)
    peers = {
        caller.__name__: showdowns(caller()) for caller in PEERS if version_of(caller.__name__)
    }
    rows = [row for pair in ours.values() for row in pair] + list(peers.values())
    for row in rows:
        row.warm_up(seconds / TURNS)
    for _ in range(TURNS):
        for row in rows:
            row.measure()

    table = Table(title="Simulated rounds per second, optimal play", title_justify="left")
    table.add_column("table", no_wrap=True)
    table.add_column("one core", justify="right")
    table.add_column(f"{many} cores", justify="right")
    for book, (one, all_of_them) in ours.items():
        table.add_row(book, str(one), str(all_of_them))
    for name, row in peers.items():
        table.add_row(f"{name} {version_of(name)}, showdowns only", str(row), "")
    for caller in PEERS:
        if caller.__name__ not in peers:
            table.add_row(caller.__name__, escape(NOT_INSTALLED), "", style="dim")
    console = Console()
    console.print(table)
    console.print(
        f"Croupier {croupier.__version__}; median of {TURNS} turns, taken in alternation. A round "
        "is every card dealt, every decision taken and every wager on offer classed for settlement."
    )
