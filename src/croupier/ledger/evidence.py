"""Copies of checkpoints that lie elsewhere, read for an audit."""

from __future__ import annotations

from msgspec import Struct

from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.second_witness import target


class Evidence(Struct, frozen=True):
    """What one witness says. It may be older than the ledger."""

    name: str  # as it is told of, such as "The witness /mnt/other/room.checkpoints"
    said: tuple[Checkpoint, ...]


def evidence(where: str) -> Evidence:
    """Of a file, or of another room by its address. Read it before the ledger: a table at work
    goes on."""
    found = target(where)
    return Evidence(found.name, tuple(found.all()))
