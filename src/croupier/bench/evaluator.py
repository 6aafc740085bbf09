"""How many seven-card hands a second, here and in other Python packages.

Every package gets the same random hands, as its own kind of card, made before the clock
starts, and is called the fastest way it offers. All are measured in the same run, in turns,
on one thread; the median of the turns counts.
"""

from __future__ import annotations

import gc
import importlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import starmap
from statistics import median
from typing import Any

import numpy as np

import croupier
from croupier.cards.card import DECK
from croupier.cards.evaluator import Hands, evaluate7
from croupier.cards.kernel import kernel

SEED = 52
ROUNDS = 7
CHECKED = 10_000
MOST = 200_000  # of a peer's hands at a time; many more Python objects would slow it down
NOT_INSTALLED = "not installed (pip install croupier[bench])"

Row = Sequence[int]
# A peer takes one hand at a time: its function, and the arguments for a hand.
Caller = tuple[Callable[..., Any], Callable[[Row], tuple[Any, ...]]]


# --- the peers, each called the fastest way it offers ---------------------------------------


def pkrbot() -> Caller:
    module: Any = importlib.import_module("pkrbot")  # evaluate(), with its cards, is slower
    return module.evaluate_raw, lambda row: (
        bytes(c >> 2 for c in row),
        bytes(c & 3 for c in row),
        7,
    )


def phevaluator() -> Caller:
    module: Any = importlib.import_module("phevaluator")
    try:  # from 0.6 there is native code below its own wrapper, which is several times slower
        module = importlib.import_module("phevaluator._pheval")
    except ImportError:
        return module.evaluate_cards, tuple
    return module.evaluate_7cards, tuple


def eval7() -> Caller:
    module: Any = importlib.import_module("eval7")
    deck = [module.Card(str(card)) for card in DECK]
    return module.evaluate, lambda row: ([deck[c] for c in row],)


def holdem_hand_evaluator() -> Caller:
    module: Any = importlib.import_module("holdem_hand_evaluator")
    return module.evaluate_hand, lambda row: ("".join(str(DECK[c]) for c in row),)


def treys() -> Caller:
    module: Any = importlib.import_module("treys")
    deck = [module.Card.new(str(card)) for card in DECK]
    return module.Evaluator().evaluate, lambda row: (
        [deck[c] for c in row[:2]],
        [deck[c] for c in row[2:]],
    )


PEERS = (pkrbot, phevaluator, eval7, holdem_hand_evaluator, treys)

# --- measuring ------------------------------------------------------------------------------


@kernel
def random_hands(hands: Hands, seed: int) -> None:
    """Fill in hands of seven different cards, every hand as likely as any other."""
    np.random.seed(seed)
    deck = np.arange(52).astype(np.uint8)
    for row in range(len(hands)):
        for at in range(7):
            other = np.random.randint(at, 52)
            deck[at], deck[other] = deck[other], deck[at]
            hands[row, at] = deck[at]


def same_order(numbers: Any, values: Any) -> bool:
    """Whether values rise, or fall, exactly where the numbers rise, and are equal with them."""
    order = np.argsort(numbers)
    steps = np.sign(np.diff(np.asarray(numbers, np.int64)[order]))
    theirs = np.sign(np.diff(np.asarray(values, np.int64)[order]))
    return bool((steps == theirs).all() or (steps == -theirs).all())


def seconds_of(work: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start
    finally:
        gc.enable()


class Peer:
    """A peer with its hands made ready, as many as it evaluates in the given time."""

    def __init__(self, caller: Caller, hands: Hands, seconds: float) -> None:
        self.function, self.prepare = caller
        self.ready = [self.prepare(row) for row in hands[:1_000].tolist()]
        able = int(seconds * self.rate())
        self.ready = [self.prepare(row) for row in hands[: max(1_000, min(able, MOST))].tolist()]

    def agrees(self, hands: Hands) -> bool:
        values = [self.function(*self.prepare(row)) for row in hands.tolist()]
        return same_order(evaluate7(hands), values)

    def rate(self) -> float:
        """Hands per second. The deque keeps nothing, so only the peer's own work counts."""
        return len(self.ready) / seconds_of(
            lambda: deque(starmap(self.function, self.ready), maxlen=0)
        )


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def run(hands: int = 5_000_000, seconds: float = 0.5) -> None:
    """Measure and print. ``seconds`` is about what one turn of one peer may take."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    deals = np.empty((max(hands, CHECKED), 7), np.uint8)
    random_hands(deals, SEED)
    peers = {
        name: Peer(caller(), deals, seconds)
        for caller in PEERS
        if version_of(name := caller.__name__)
    }
    strangers = [name for name, peer in peers.items() if not peer.agrees(deals[:CHECKED])]
    if peers:
        verdict = f"not by {', '.join(strangers)}" if strangers else "by all of them"
        console.print(
            f"Checked before timing: {CHECKED:,} hands are put in the order of Croupier {verdict}."
        )

    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    evaluate7(deals)  # loads or compiles the kernel, which is not part of the speed
    for _ in range(ROUNDS):
        ours.append(len(deals) / seconds_of(lambda: evaluate7(deals)))
        for name, peer in peers.items():
            theirs[name].append(peer.rate())

    table = Table(title="Random seven-card hands, one thread", title_justify="left")
    table.add_column("package", no_wrap=True)
    table.add_column("version")
    table.add_column("hands per second", justify="right")
    table.add_column("Croupier", justify="right", no_wrap=True)
    table.add_row("croupier", croupier.__version__, f"{median(ours):,.0f}", "")
    for name in sorted(peers, key=lambda name: -median(theirs[name])):
        rate = median(theirs[name])
        table.add_row(name, version_of(name), f"{rate:,.0f}", f"{median(ours) / rate:,.1f} times")
    for caller in PEERS:
        if caller.__name__ not in peers:
            table.add_row(caller.__name__, "", escape(NOT_INSTALLED), "", style="dim")
    console.print(table)
    console.print(
        f"{len(deals):,} hands for Croupier, up to {MOST:,} of them for a peer; "
        f"median of {ROUNDS} turns, taken in alternation."
    )
