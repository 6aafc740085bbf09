"""Strategies as rules: an ordered list of conditions and actions for each betting point.

The first rule whose conditions all hold decides; where none does, the player does the first of the
options: check, fold or withdraw. docs/STRATEGIES.md has the words and some examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from croupier.analysis.plan import Choices, Flags
from croupier.analysis.strategies.features import FEATURES, Kind, feature, seen_at
from croupier.analysis.strategies.situations import Numbers, Situations, number_of
from croupier.cards.card import RANK_LETTERS
from croupier.cards.quick import strengths
from croupier.cards.ranking import FIVE_CARD_LINES, THREE_CARD_LINES
from croupier.law.refused import Refused
from croupier.rules.bounds import said

Test = Callable[[Situations], Flags]
Range = tuple[int, int]  # from the lowest number to the highest

LONGEST_NUMBER = 9  # digits


class _Wrong(Exception):
    """What is wrong with a rule, to be said with its place in the file."""


@dataclass(frozen=True, slots=True)
class Rule:
    action: str
    tests: tuple[Test, ...]

    def holds(self, rows: Situations) -> Flags:
        found = np.ones(len(rows), np.bool_)
        for test in self.tests:
            found &= test(rows)
        return found


@dataclass(frozen=True, slots=True)
class Rules:
    """A strategy read from a file; ``source`` names the file in messages."""

    source: str
    about: str
    rules: Mapping[str, tuple[Rule, ...]]  # by betting point
    at_a_time: int = 1 << 17

    def choose(self, rows: Situations) -> Choices:
        chosen = np.zeros(len(rows), np.uint8)
        undecided = np.ones(len(rows), np.bool_)
        for place, rule in enumerate(self.rules.get(rows.point, ()), 1):
            number = number_of(rule.action, rows.options)
            if number is None:
                raise Refused(
                    f"{self.source}: {rows.point}, rule {place}: {rule.action!r} is not on offer; "
                    f"there are {', '.join(rows.options)}."
                )
            holds = undecided & rule.holds(rows)
            chosen[holds] = number
            undecided &= ~holds
        return chosen


# --- reading --------------------------------------------------------------------------------


def read_rules(data: Mapping[str, Any], source: str, game: str, points: tuple[str, ...]) -> Rules:
    """A strategy from a file's data, or one sentence on what is wrong with it."""
    known = ("game", "about", *points)
    for key in data:
        if key not in known:
            raise Refused(f"{source}: there is no key {key!r}; there are {', '.join(known)}.")
    if data.get("game") != game:
        raise Refused(f"{source} must say game = {game!r} to be played there.")
    if not isinstance(data.get("about", ""), str):
        raise Refused(f"{source}: about must be text.")
    rules = {}
    for point in points:
        listed = data.get(point, [])
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise Refused(f"{source}: {point} must be a list of rules, each under [[{point}]].")
        read = []
        for place, entry in enumerate(listed, 1):
            try:
                read.append(_rule(entry, point))
            except _Wrong as wrong:
                raise Refused(f"{source}: {point}, rule {place}: {wrong}.") from None
        rules[point] = tuple(read)
    return Rules(source, data.get("about", ""), rules)


def _rule(entry: Mapping[str, Any], point: str) -> Rule:
    action = entry.get("do")
    if not isinstance(action, str):
        raise _Wrong("it needs an action in quotes, such as do = 'play'")
    return Rule(action, tuple(_test(name, entry[name], point) for name in entry if name != "do"))


def _test(name: str, wanted: Any, point: str) -> Test:
    """A condition: one thing wanted of a feature, or a list of which any will do."""
    if name not in seen_at(point):
        raise _Wrong(f"there is no {name!r} to look at here; there are {', '.join(seen_at(point))}")
    each = wanted if isinstance(wanted, list) else [wanted]
    if not each:
        raise _Wrong(f"{name} has nothing to be")
    kind = FEATURES[name].kind
    if kind is Kind.HOLE:
        chart = np.any([_holes(text) for text in each], axis=0)
        return lambda rows: chart[feature(rows, name)]
    if kind is Kind.HELD:
        held = sum({1 << _rank(text) - 2 for text in each})
        return lambda rows: feature(rows, name) & held != 0
    tests = [_comparison(name, kind, text, point) for text in each]
    return lambda rows: np.any([test(rows) for test in tests], axis=0)


_FORM = re.compile(r"(?P<below><\s*)?(?P<of>[^<+.]+)(?P<more>\+)?(?:\.\.(?P<to>[^<+.]+))?")


def _comparison(name: str, kind: Kind, wanted: Any, point: str) -> Test:
    """``X``, ``X+`` (at least), ``<X`` (below) or ``X..Y``; true and false for a yes or no."""
    if isinstance(wanted, bool):
        return lambda rows: (feature(rows, name) != 0) == wanted
    found = _FORM.fullmatch(str(wanted).strip())
    marks = sum(bool(found[mark]) for mark in ("below", "more", "to")) if found else 0
    if kind is Kind.FLAG or not isinstance(wanted, str | int) or not found or marks > 1:
        raise _Wrong(f"{name} cannot be {wanted!r}")
    of = found["of"].strip()
    if of in seen_at(point) and FEATURES[of].kind is kind:
        least: Callable[[Situations], Numbers | int] = lambda rows: feature(rows, of)  # noqa: E731
        most = least
    else:
        low, high = _range(name, kind, of)
        least, most = (lambda rows: low), (lambda rows: high)
    if found["below"]:
        return lambda rows: feature(rows, name) < least(rows)
    if found["more"]:
        return lambda rows: feature(rows, name) >= least(rows)
    if found["to"]:
        last = _range(name, kind, found["to"].strip())[1]
        return lambda rows: (feature(rows, name) >= least(rows)) & (feature(rows, name) <= last)
    return lambda rows: (feature(rows, name) >= least(rows)) & (feature(rows, name) <= most(rows))


def _range(name: str, kind: Kind, text: str) -> Range:
    match kind:
        case Kind.RANK:
            rank = _rank(text)
            return rank, rank
        case Kind.HAND:
            return _hands(5, text)
        case Kind.THREE:
            return _hands(3, text)
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise _Wrong(f"{name} is compared with a number, not with {said(text)!r}")
    return int(text), int(text)


def _rank(text: Any) -> int:
    if not isinstance(text, str | int) or len(str(text)) != 1 or str(text) not in RANK_LETTERS:
        raise _Wrong(f"{text!r} is no rank; write 2 to 9, T, J, Q, K or A")
    return RANK_LETTERS.index(str(text)) + 2


@cache
def _hands(size: int, text: str) -> Range:
    """The numbers of the hands that a text means: a kind, such as ``two-pair``, or ranks, such as
    ``TT`` for a pair of tens, ``AK`` for ace and king without a pair, or ``AKJ83``."""
    lines: Mapping[Any, str] = FIVE_CARD_LINES if size == 5 else THREE_CARD_LINES
    all_hands = strengths(size)
    found = [at for at, (kind, _) in enumerate(all_hands) if lines[kind] == text]
    if not found and set(text) <= set(RANK_LETTERS) and len(text) <= size:
        kind = _kind_of_ranks(text)
        ranks = tuple(dict.fromkeys(_rank(letter) for letter in text))
        found = [
            at
            for at, strength in enumerate(all_hands)
            if lines[strength.kind] == kind and strength.ranks[: len(ranks)] == ranks
        ]
    if not found:
        raise _Wrong(
            f"{text!r} is no hand; write one of {', '.join(lines.values())}, or ranks such as TT"
        )
    return found[0], found[-1]


def _kind_of_ranks(text: str) -> str:
    """The kind that ranks alone make, the larger groups being named first."""
    groups = tuple(n for n in map(text.count, dict.fromkeys(text)) if n > 1)
    return {
        (2,): "pair",
        (2, 2): "two-pair",
        (3,): "three-of-a-kind",
        (3, 2): "full-house",
        (4,): "four-of-a-kind",
    }.get(groups, "high-card")


def _holes(text: Any) -> Flags:
    """Places in the chart: ``33``, ``A2``, ``K5o``, ``Q6s``; with ``+`` also better kickers, or
    higher pairs."""
    letters = f"[{RANK_LETTERS}]"
    found = re.fullmatch(rf"({letters})({letters})([so]?)(\+?)", str(text))
    if not found or (found[1] == found[2] and found[3]):
        raise _Wrong(f"{text!r} is no pair of hole cards; write such as 33+, A2+, K5o+ or JTs")
    low, high = sorted(RANK_LETTERS.index(letter) for letter in (found[1], found[2]))
    chart = np.zeros(169, np.bool_)
    if low == high:
        for rank in range(low, 13 if found[4] else low + 1):
            chart[rank * 14] = True
        return chart
    for kicker in range(low, high if found[4] else low + 1):
        if found[3] != "o":
            chart[kicker * 13 + high] = True
        if found[3] != "s":
            chart[high * 13 + kicker] = True
    return chart
