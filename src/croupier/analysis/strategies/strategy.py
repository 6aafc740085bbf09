"""Strategies: the published ones by name, and a user's own from a file of rules or of Python.

A strategy chooses at rows of situations; a plan is what it chose at all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from croupier.analysis.plan import Choices
from croupier.analysis.strategies.features import feature
from croupier.analysis.strategies.situations import POINTS, Situations, number_of
from croupier.analysis.strategies.strategy_rules import read_rules
from croupier.cards.card import DECK, Card, spell
from croupier.house.submission import read_toml
from croupier.law.refused import Refused

OPTIMAL = "optimal"

# Each has a file of rules in data/strategies, in the folder of its game.
NAMED = {
    "ultimate-texas-holdem": ("simple", "mimic", "never-bluff", "never-raise", "always-raise"),
    "caribbean-stud": (
        *("three-rules", "ak-j83", "matching-rank", "pair-or-better", "mimic"),
        "always-raise",
    ),
    "let-it-ride": ("basic", "paying-hands", "always-ride", "always-withdraw"),
    "pik-it": ("simple", "mimic", "always-five", "always-three"),
}


class Strategy(Protocol):
    @property
    def about(self) -> str: ...

    @property
    def at_a_time(self) -> int:
        """How many situations are put to it at once."""

    def choose(self, rows: Situations) -> Choices:
        """What is done at each row: the number of an option."""


def strategies(game: str) -> dict[str, str]:
    """The names there are for a game, and what each is."""
    return {
        OPTIMAL: "The best there is, by the exact solution.",
        **{name: load(game, name).about for name in NAMED[game]},
    }


def load(game: str, name: str) -> Strategy:
    """A strategy by its name, or from a file of rules (.toml) or of Python (.py)."""
    path = Path(name)
    if path.suffix == ".py":
        return _read_python(path)
    if path.suffix == ".toml":
        return _read_rules(_text(path), str(path), game)
    if name in NAMED[game]:
        text = (files(__package__) / "data" / game / f"{name}.toml").read_text("utf-8")
        return _read_rules(text, name, game)
    known = ", ".join((OPTIMAL, *NAMED[game]))
    raise Refused(f"There is no strategy {name!r}; there are {known}, and files .toml or .py.")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text in UTF-8.") from None


def _read_rules(text: str, source: str, game: str) -> Strategy:
    try:
        data = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{source} is not TOML: {error}.") from None
    return read_rules(data, source, game, POINTS[game])


# --- strategies in Python -------------------------------------------------------------------


class Situation(Struct, frozen=True):
    """One situation, as a function is asked about it."""

    game: str
    point: str
    hand: tuple[Card, ...]
    shown: tuple[Card, ...]  # community cards face up, or the dealer's up-card
    options: tuple[str, ...]
    rows: Situations
    row: int

    def __getitem__(self, name: str) -> int:
        """A feature by its word in the vocabulary of rules, such as ``situation["outs"]``."""
        return int(feature(self.rows, name)[self.row])

    def __str__(self) -> str:
        beside = f" beside {spell(self.shown)}" if self.shown else ""
        return f"{spell(self.hand)}{beside} at {self.point}"


def each(rows: Situations) -> Iterator[Situation]:
    options = tuple(rows.options)
    for row, (hand, shown) in enumerate(zip(rows.hand.tolist(), rows.shown.tolist(), strict=True)):
        yield Situation(
            rows.game,
            rows.point,
            tuple([DECK[card] for card in hand]),
            tuple([DECK[card] for card in shown]),
            options,
            rows,
            row,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A function that is asked at every situation."""

    source: str
    decide: Callable[[Situation], Any]
    about: str = "A function of the user's own."
    at_a_time: int = 1 << 12  # a function is slow: it tells often how far it has come

    def choose(self, rows: Situations) -> Choices:
        chosen = np.zeros(len(rows), np.uint8)
        for situation in each(rows):
            try:
                action = self.decide(situation)
            except Exception as error:
                raise Refused(
                    f"{self.source}: decide failed on {situation}: {_said(error)}."
                ) from None
            number = number_of(action, rows.options)
            if number is None:
                raise Refused(
                    f"{self.source}: decide said {action!r} on {situation}, "
                    f"where there are {', '.join(rows.options)}."
                )
            chosen[situation.row] = number
        return chosen


def _read_python(path: Path) -> Strategy:
    """Run the user's file and take its ``decide``."""
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    text = _text(path)
    try:
        exec(compile(text, str(path), "exec"), names)
    except (Exception, SystemExit) as error:
        raise Refused(f"{path} cannot be run: {_said(error)}.") from None
    decide = names.get("decide")
    if not callable(decide):
        raise Refused(f"{path} must define decide(situation), which returns one of its options.")
    return Asked(str(path), decide)


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(".: ")
