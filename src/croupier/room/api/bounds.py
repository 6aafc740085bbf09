"""Bounds on a submission before it is read, and on the odds that are worked out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import lcm

from croupier.house.submission import House, Violation
from croupier.law.refused import Refused
from croupier.rules.odds import Odds

LONGEST = 64  # characters of anything in a submission
LARGEST = 10**12  # of any number
DEEPEST = 4  # tables within tables
MOST_WRONG = 20  # that are named
# Kernels count in 64 bits; this is far beyond what any table pays.
MOST_PAID = 1_000_000  # to 1
MOST_PARTS = 10_000  # of a wager, so that each line pays whole parts


def countable(house: House) -> House:
    """Refuse odds that the kernels cannot count."""
    odds = [
        line.award for table in house.pay.values() for line in table if isinstance(line.award, Odds)
    ]
    if any(each.fraction > MOST_PAID for each in odds):
        raise Refused(f"Odds above {MOST_PAID:,} to 1 are not worked out.", code="TOO_LARGE")
    if lcm(*(each.stake for each in odds)) > MOST_PARTS:
        raise Refused("These odds need parts too small to work out.", code="TOO_LARGE")
    return house


def beyond_bounds(given: object) -> list[Violation]:
    """Words, numbers and tables beyond what any house needs, the first of them."""
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
        case int() if abs(given) > LARGEST:
            yield Violation(key, None, "it is too large a number.")
