"""Worlds tortured one after another, each from its own seed, until one breaks or time is up."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from croupier.ledger.surveillance import Violation
from croupier.ledger.world import World
from croupier.rules.money import Cents

MEMORY = Path("/dev/shm")  # syncs are simulated, so the files may lie in memory

Tell = Callable[[int, int], None]  # seconds gone, of how many


class Suffered(Struct):
    """What the worlds went through, all told."""

    worlds: int = 0
    rounds: int = 0
    commands: int = 0  # acknowledged
    refused: int = 0
    duplicates: int = 0  # of these, each had its first answer
    entries: int = 0
    recoveries: int = 0
    moved: Cents = 0
    faults: dict[str, int] = {}
    mishaps: dict[str, int] = {}  # what senders and processes met with
    failed: int | None = None  # the seed of the world that broke
    violation: str = ""


def torture(seed: int, steps: int = 2_000) -> World:
    """One world, to its end; a Violation when something happens that never must."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as home:
        world = World(seed, Path(home), steps)
        try:
            asyncio.run(world.live())
        finally:
            world.close()
    return world


def run(seed: int, seconds: float = 0, tell: Tell | None = None) -> Suffered:
    """At least one world, then the worlds of the next seeds until time is up or one breaks."""
    suffered = Suffered()
    began = time.monotonic()
    while not suffered.worlds or (time.monotonic() - began < seconds and suffered.failed is None):
        try:
            _add(suffered, torture(seed))
        except Exception as error:  # a Violation, or a bug that should have been told in a sentence
            said = str(error) if isinstance(error, Violation) else repr(error)
            suffered.failed, suffered.violation = seed, said
        suffered.worlds += 1
        seed += 1
        if tell:
            tell(int(time.monotonic() - began), int(seconds))
    return suffered


def _add(suffered: Suffered, world: World) -> None:
    tally = Counter(world.tally)
    suffered.rounds += tally.pop("rounds", 0)
    suffered.commands += tally.pop("commands", 0)
    suffered.refused += tally.pop("refused", 0)
    suffered.duplicates += tally.pop("duplicates", 0)
    suffered.entries += tally.pop("entries", 0)
    suffered.recoveries += tally.pop("recoveries", 0)
    suffered.moved += tally.pop("money", 0)
    tally.pop("answers", 0)
    suffered.mishaps = dict(Counter(suffered.mishaps) + tally)
    suffered.faults = dict(Counter(suffered.faults) + world.faults)
