"""Chunks of a simulation on other machines, through Dask.

The plan is solved once, here, and sent packed; every worker unfolds it once. Tasks are small, and a
few for each worker are out at a time. A worker that dies takes nothing along: Dask gives its tasks
to another, and the same chunk comes to the same counts anywhere.
"""

from __future__ import annotations

import importlib
import pickle
import zlib
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from croupier.analysis.simulation.simulate import Simulation, Tally, chunks
from croupier.house.submission import read_data
from croupier.law.refused import Refused

TOGETHER = 16  # chunks in a task: about a tenth of a second
AHEAD = 4  # tasks out for each thread of a worker
RETRIES = 5
PATIENCE = 10  # seconds in which scheduler and workers must have answered


def packed(simulation: Simulation) -> bytes:
    data = dict(simulation.house.source), simulation.plan, simulation.seats
    return zlib.compress(pickle.dumps(data), 1)


@lru_cache(maxsize=1)
def unpacked(package: bytes) -> Simulation:
    source, plan, seats = pickle.loads(zlib.decompress(package))
    return Simulation(read_data(source), plan, seats)


def played(package: bytes, seed: int, numbers: list[tuple[int, int]]) -> Tally:
    """What a worker does: some chunks, one after the other."""
    simulation = unpacked(package)
    total = simulation.nothing()
    for number, rounds in numbers:
        total += simulation.chunk(seed, number, rounds)
    return total


def handed_on(package: bytes) -> bytes:
    """A task of its own, so that the package crosses the wire once for each worker, and Dask can
    make it again when the worker that had it is gone."""
    return package


def on_cluster(simulation: Simulation, seed: int, rounds: int, address: str) -> Iterator[Tally]:
    """The tallies of all chunks in their order, some chunks at a time."""
    with _connected(address) as client:
        package = client.submit(handed_on, packed(simulation), pure=False)
        most = AHEAD * sum(client.nthreads().values())
        left = chunks(rounds)
        waiting: deque[Any] = deque()
        try:
            while numbers := list(islice(left, TOGETHER)):
                waiting.append(
                    client.submit(played, package, seed, numbers, retries=RETRIES, pure=False)
                )
                if len(waiting) > most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            client.cancel(list(waiting))


def _connected(address: str) -> Any:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise Refused('A cluster needs Dask: pip install "croupier[cluster]".') from None
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError):  # nobody there, or no address
        raise Refused(f"No scheduler answers at {address!r}.") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise Refused(f"The scheduler at {address} has no workers.") from None
    return client
