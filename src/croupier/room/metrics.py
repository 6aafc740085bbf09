"""What the room counts for whoever watches over it, in Prometheus' words."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from croupier.ledger.keeper import Answer
from croupier.table.commands import Command
from croupier.table.events import RoundEnded

registry = CollectorRegistry()
sockets = Gauge("croupier_sockets", "Sockets open", registry=registry)
tables = Gauge("croupier_tables", "Tables hosted", registry=registry)
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
    return generate_latest(registry)
