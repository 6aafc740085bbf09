"""What the room counts for whoever watches over it, in Prometheus' words. The processes of one
room on one machine count together: any of them tells the figures of all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from croupier.ledger.keeper import Answer
from croupier.table.commands import Command
from croupier.table.events import RoundEnded

TOGETHER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of one room count

registry = CollectorRegistry()
sockets = Gauge("croupier_sockets", "Sockets open", registry=registry, multiprocess_mode="livesum")
tables = Gauge("croupier_tables", "Tables hosted", registry=registry, multiprocess_mode="livemax")
rounds = Counter("croupier_rounds", "Rounds finished", registry=registry)
answered = Counter(
    "croupier_commands", "Commands answered", ("command", "refused"), registry=registry
)
commands = Histogram(
    "croupier_command_seconds",
    "From a command to its answer on the disk",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
    registry=registry,
)
misunderstood = Counter("croupier_misunderstood", "Frames nobody understood", registry=registry)


def count(request: Command, answer: Answer) -> None:
    refused = str(answer.refused.code) if answer.refused else ""
    answered.labels(type(request).__name__, refused).inc()
    rounds.inc(sum(isinstance(each, RoundEnded) for each in answer.events))


def page() -> bytes:
    if TOGETHER not in os.environ:
        return generate_latest(registry)
    all_of_us = CollectorRegistry()
    MultiProcessCollector(all_of_us)  # type: ignore[no-untyped-call]
    return generate_latest(all_of_us)


@contextmanager
def together() -> Iterator[None]:
    """Whatever processes are started meanwhile count together."""
    with TemporaryDirectory() as folder:
        os.environ[TOGETHER] = folder
        try:
            yield
        finally:
            del os.environ[TOGETHER]


def gone(process: int) -> None:
    """What it had open is closed."""
    mark_process_dead(process)  # type: ignore[no-untyped-call]
