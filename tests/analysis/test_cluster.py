"""Simulations past one process: the same counts from a cluster, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster
from helpers import RIDE, house

from croupier.analysis.simulation import cluster
from croupier.analysis.simulation.cluster import TOGETHER, on_cluster, packed, played, unpacked
from croupier.analysis.simulation.simulate import CHUNK, Simulation, Tally, on_threads
from croupier.analysis.solve import best_plan
from croupier.law.refused import Refused

ROUNDS = 24 * TOGETHER * CHUNK + 77


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return Simulation(house(RIDE), best_plan(house(RIDE)), 2)


@pytest.fixture(scope="module")
def expected(simulation: Simulation) -> Tally:
    return added(simulation, on_threads(simulation, 11, ROUNDS, 2))


@pytest.fixture
def scheduler() -> Iterator[Any]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two:
        yield two


def added(simulation: Simulation, tallies: Iterator[Tally]) -> Tally:
    return sum(tallies, simulation.nothing())


def same(a: Tally, b: Tally) -> bool:
    return a.rounds == b.rounds and a.squares == b.squares and bool((a.counts == b.counts).all())


def test_a_worker_unfolds_the_package_and_plays_its_chunks(simulation: Simulation) -> None:
    package = packed(simulation)
    assert len(package) < 1_000_000
    assert unpacked(package).seats == 2
    found = played(package, 11, [(3, CHUNK), (4, 100)])
    assert same(found, simulation.chunk(11, 3) + simulation.chunk(11, 4, 100))


def test_a_killed_worker_changes_nothing(
    simulation: Simulation, expected: Tally, scheduler: Any
) -> None:
    with Client(scheduler) as client:
        processes = client.run(os.getpid)
    assert len(processes) == 2
    total, killed = simulation.nothing(), False
    for tally in on_cluster(simulation, 11, ROUNDS, scheduler.scheduler_address):
        total += tally
        if not killed:  # the rest, or what of it is already played, is on its way
            os.kill(next(iter(processes.values())), signal.SIGKILL)
            killed = True
    assert killed
    assert same(total, expected)
    with Client(scheduler) as client:
        client.wait_for_workers(2)
        assert set(client.run(os.getpid).values()) != set(processes.values())


def test_an_address_where_nobody_is_is_refused(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(Refused, match=r"No scheduler answers at 'tcp://127.0.0.1:9'"):
        next(on_cluster(simulation, 1, 1, "tcp://127.0.0.1:9"))
    with pytest.raises(Refused, match=r"No scheduler answers at 'here'"):
        next(on_cluster(simulation, 1, 1, "here"))


def test_a_scheduler_without_workers_is_refused(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with (
        LocalCluster(n_workers=0, dashboard_address=None) as nobody,
        pytest.raises(Refused, match="has no workers"),
    ):
        next(on_cluster(simulation, 1, 1, nobody.scheduler_address))


def test_without_dask_the_command_says_what_to_install(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refused, match=r'pip install "croupier\[cluster\]"'):
        next(on_cluster(simulation, 1, 1, "tcp://127.0.0.1:9"))
