"""Questions for tests of the study. Workers import this module in place of the real questions."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from croupier.law.clause import clause
from croupier.law.refused import Refused

CLAUSE = "NJ 19:47-32.10(h)2"


def note(log: str, label: str) -> bytes:
    """Write down that the question was begun."""
    with open(log, "a", encoding="utf-8") as file:
        file.write(f"{label}\n")
    return msgspec.json.encode(label)


def hold(log: str, label: str) -> bytes:
    """The same, and compute until somebody puts a file beside the log."""
    answer = note(log, label)
    while not Path(f"{log}.release").exists():
        time.sleep(0.005)
    return answer


def refuse() -> bytes:
    raise Refused("It has no price.", clause(CLAUSE), "NO_PRICE")


def fail() -> bytes:
    raise RuntimeError(f"in {os.getcwd()}")


def exhaust() -> bytes:
    return bytes(1 << 40)


QUESTIONS: dict[str, Callable[..., bytes]] = {
    "note": note,
    "hold": hold,
    "refuse": refuse,
    "fail": fail,
    "exhaust": exhaust,
}
