"""A house as the mathematics are asked about it: two that come to the same are one question, and
its answer is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from croupier.house.submission import House


@dataclass(frozen=True, slots=True)
class Question:
    canonical: bytes
    house: House = field(compare=False)  # only carried along


def question(house: House, keys: tuple[str, ...] = ()) -> Question:
    """By the submission with its preset filled in, in one order: all of it, or some keys."""
    source: dict[str, Any] = {
        key: value for key, value in house.source.items() if not keys or key in keys
    }
    return Question(msgspec.json.encode(source, order="sorted"), house)
