"""What a check of a round's file came to."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from croupier.ledger.replay import OLD_FORMAT, Story

NAMED = 3  # differences told one by one


class Result(StrEnum):
    AGREES = "agrees"
    DIFFERS = "does not agree"
    UNCHECKED = "not checked"
    PINNED = "pinned now"  # a key seen for the first time: there was nothing to compare it with


class Check(Struct, frozen=True):
    name: str
    result: Result
    sentence: str


def verdict(checks: Iterable[Check]) -> Result:
    """All agree, or something differs, or something could not be checked."""
    results = {check.result for check in checks}
    for worse in (Result.DIFFERS, Result.UNCHECKED):
        if worse in results:
            return worse
    return Result.AGREES


def agrees(name: str, sentence: str) -> Check:
    return Check(name, Result.AGREES, sentence)


def differs(name: str, sentence: str) -> Check:
    return Check(name, Result.DIFFERS, sentence)


def unchecked(name: str, sentence: str) -> Check:
    return Check(name, Result.UNCHECKED, sentence)


def check(name: str, agrees: bool, sentence: str) -> Check:
    return Check(name, Result.AGREES if agrees else Result.DIFFERS, sentence)


def several(sentences: list[str]) -> str:
    more = len(sentences) - NAMED
    return "; ".join(sentences[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def missing(told: Story, name: str, what: str) -> Check:
    """A file of version 1 may lack it; from one of version 2 it was taken away."""
    if told.format == OLD_FORMAT:
        return unchecked(name, f"A file of version 1 has no {what}.")
    return differs(name, f"The file has no {what}.")
