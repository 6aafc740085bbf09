"""What the room counts for whoever runs it, in Prometheus' format. The processes of one room on one
machine count together: any of them tells the figures of all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from croupier.law.refused import Refused
from croupier.ledger.keeper import Answer
from croupier.table.commands import Command
from croupier.table.events import RoundEnded

TOGETHER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of one room count
LOCAL = "127.0.0.1"

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
delayed = Counter("croupier_delayed", "Messages above their session's rate", registry=registry)


def count(request: Command, answer: Answer) -> None:
    refused = str(answer.refused.code) if answer.refused else ""
    answered.labels(type(request).__name__, refused).inc()
    rounds.inc(sum(isinstance(each, RoundEnded) for each in answer.events))


def page() -> bytes:
    return generate_latest(_counted())


def _counted() -> CollectorRegistry:
    """By this process, or by all processes that count together."""
    if TOGETHER not in os.environ:
        return registry
    all_of_us = CollectorRegistry()
    MultiProcessCollector(all_of_us)  # type: ignore[no-untyped-call]
    return all_of_us


@contextmanager
def served(port: int) -> Iterator[None]:
    """Answer to this machine on a port of its own, without a session; 0: do not."""
    if not port:
        yield
        return
    try:
        server, thread = start_http_server(port, LOCAL, _counted())
    except OSError as error:
        why = error.strerror or error
        raise Refused(f"--metrics-port {port} cannot be listened at: {why}.") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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
