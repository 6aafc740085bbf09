"""Bounds on the shape of a submission before it is read: how long its words are, and how deep its
tables. Its numbers are held to ``rules.bounds`` when it is read, here as everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from croupier.house.violation import Violation

LONGEST = 64  # characters of anything in a submission
DEEPEST = 4  # tables within tables
MOST_WRONG = 20  # that are named


def beyond_bounds(given: object) -> list[Violation]:
    """Words and tables beyond what any house needs, the first of them."""
    return list(islice(_beyond(given, (), 0), MOST_WRONG))


def _beyond(given: object, where: tuple[str, ...], depth: int) -> Iterator[Violation]:
    key = ".".join(where) or "house"
    match given:
        case dict() | list() if depth > DEEPEST:
            yield Violation(key, None, "there are tables within tables within tables.")
        case dict():
            for name, value in given.items():
                if len(name) > LONGEST:
                    yield Violation(key, None, f"a key has at most {LONGEST} characters.")
                else:
                    yield from _beyond(value, (*where, name), depth + 1)
        case list():
            for value in given:
                yield from _beyond(value, where, depth + 1)
        case str() if len(given) > LONGEST or not given.isprintable():
            yield Violation(key, None, f"it has at most {LONGEST} plain characters.")
