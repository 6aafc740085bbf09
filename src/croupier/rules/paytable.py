"""Pay tables: named lines, each with what it pays."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from croupier.cards.card import Rank
from croupier.cards.ranking import FIVE_CARD_LINES, THREE_CARD_LINES, FiveCard, Strength, ThreeCard
from croupier.law.clause import Clause, clause
from croupier.rules.odds import Award, at_least, read_award

# The finite classes of hand that settlement can tell apart, highest first. A pair is two
# classes because Let It Ride pays from tens up.
FIVE_CARD_CLASSES = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "tens-or-better",
    "pair",
    "high-card",
)
THREE_CARD_CLASSES = (
    "royal-flush",
    "straight-flush",
    "three-of-a-kind",
    "straight",
    "flush",
    "pair",
    "high-card",
)

LINE_NAMES = (
    "royal-flush",
    "mini-royal",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "tens-or-better",
    "pair",
    "high-card",
)

# The lines a class is paid by, the most particular first. A table that prints no line for the
# royal pays it as the straight flush it also is (rulings L1, L9).
_LINES = {
    "royal-flush": ("royal-flush", "mini-royal", "straight-flush"),
    "tens-or-better": ("tens-or-better", "pair"),
}


def hand_class(strength: Strength) -> str:
    """The class of a hand: as much of its strength as any pay table looks at."""
    kind = strength.kind
    if isinstance(kind, ThreeCard):
        return THREE_CARD_LINES[kind]
    if kind is FiveCard.ONE_PAIR and strength.ranks[0] >= Rank.TEN:
        return "tens-or-better"
    return FIVE_CARD_LINES[kind]


@cache
def in_words(line: str) -> str:
    """three-of-a-kind stays hyphenated, as the texts write it; other lines lose their hyphens."""
    return line if line.endswith("of-a-kind") or line == "mini-royal" else line.replace("-", " ")


@cache
def a_hand(hand: str) -> str:
    """A class of hand as one would say it: "A pair", "Two pair", "A full house"."""
    if hand in ("two-pair", "three-of-a-kind", "four-of-a-kind"):
        return in_words(hand).capitalize()
    return "A " + {"tens-or-better": "pair", "high-card": "hand without a pair"}.get(
        hand, in_words(hand)
    )


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    award: Award

    def __str__(self) -> str:
        return f"{in_words(self.name)}: {self.award}"


@dataclass(frozen=True, slots=True)
class PayTable:
    """What one wager pays, line by line, and the clause that prints it."""

    wager: str
    name: str
    lines: tuple[Line, ...]
    cite: Clause

    def line_for(self, hand: str) -> Line | None:
        """The line that pays a class of hand, or None where the table prints none."""
        for name in _LINES.get(hand, (hand,)):
            for line in self.lines:
                if line.name == name:
                    return line
        return None

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def shortfalls(self, minimum: PayTable) -> list[tuple[str, Line]]:
        """Where a hand is paid less than by ``minimum``: the line that pays it here (or the one
        that is missing), and the minimum's. Hands are compared, not names of lines."""
        found: dict[str, Line] = {}
        for hand in FIVE_CARD_CLASSES:
            least, mine = minimum.line_for(hand), self.line_for(hand)
            if least and not (mine and at_least(mine.award, least.award)):
                found.setdefault(mine.name if mine else least.name, least)
        return list(found.items())

    def same_awards(self, other: PayTable) -> bool:
        return {(line.name, line.award) for line in self.lines} == {
            (line.name, line.award) for line in other.lines
        }


@dataclass(frozen=True, slots=True)
class Printed:
    """The pay tables the law prints for one wager, and whether a house may pay more."""

    tables: dict[str, PayTable]
    may_pay_more: bool

    @property
    def default(self) -> PayTable:
        return next(iter(self.tables.values()))


def printed_tables(game: str) -> dict[str, Printed]:
    """Read the pay tables of one game's texts: wager key -> its tables by name."""
    data = tomllib.loads((files("croupier.games") / "data" / f"{game}.toml").read_text("utf-8"))
    found: dict[str, Printed] = {}
    for entry in data["paytable"]:
        printed = found.setdefault(entry["wager"], Printed({}, entry["rule"] == "at least"))
        printed.tables[entry["name"]] = PayTable(
            wager=entry["wager"],
            name=entry["name"],
            lines=tuple(Line(name, read_award(pay)) for name, pay in entry["lines"].items()),
            cite=clause(entry["cite"]),
        )
    return found
