"""A licensee's submission: TOML in, a validated house out.

Reading finds what is malformed (an unknown key, a word where a number belongs). Whether a
well-formed house is legal is another question, asked in ``check``; so a house that the law
would refuse can still be described, and its mathematics computed.

A submission says what differs from the preset of its rulebook; a custom pay table says what
differs from the printed one it names (``table = "B"``, else the first).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from croupier.games.registry import game_under
from croupier.house import values
from croupier.house.bounded import beyond
from croupier.house.violation import Violation as Violation  # also known from here
from croupier.law.clause import Rulebook, rulebook
from croupier.law.refused import Refused
from croupier.rules.bounds import said
from croupier.rules.game import Game
from croupier.rules.money import Cents
from croupier.rules.paytable import LINE_NAMES, Line, PayTable
from croupier.rules.terms import Terms
from croupier.rules.wager import Posted

PROGRESSIVE_LINES = rulebook("ma-ultimate-texas-holdem")("14(c)")  # the house's own (ruling M5)

DEALING = ("manual shoe", "hand", "automated shoe")
SHUFFLING = ("manual", "automated")


class Malformed(Refused):
    """A submission with words that cannot be read: all of them, and the house without them."""

    def __init__(self, violations: list[Violation], house: House | None = None) -> None:
        super().__init__("; ".join(str(v) for v in violations))
        self.violations = violations
        self.house = house


@dataclass(frozen=True, slots=True)
class Progressive:
    """A progressive meter as the house runs it."""

    meter: Cents
    seed: Cents
    contribution: Cents  # what each wager adds to the meter


@dataclass(frozen=True, slots=True)
class House:
    game: Game
    book: Rulebook
    name: str
    offered: tuple[str, ...]
    dealing: str
    shuffling: str
    counting: bool
    preshuffled: bool
    decks: tuple[str, ...]  # the colours of their backs
    alternate: bool
    positions: int
    adjacent: int  # positions one player may hold
    qualifier: bool
    settlement: int  # Pik-It's alternative 1 or 2
    dealer_stack: int  # Pik-It's automated shoe: 39.9(c)1 or 2
    payout_limit: Cents | None
    match_play: bool
    posted: Mapping[str, Posted]
    pay: Mapping[str, PayTable]
    multiples: Mapping[str, tuple[int, ...]]
    progressive: Progressive | None
    source: Mapping[str, Any]  # the submission as it was handed in
    sweeps: bool  # whether a wager on offer is swept before the deal

    def terms(self) -> Terms:
        """What settlement must know of this house."""
        terms = Terms(
            book=self.book,
            pay=self.pay,
            posted=self.posted,
            multiples=self.multiples,
            offered=frozenset(self.offered),
            qualifier=self.qualifier,
            match_play=self.match_play,
            alternative=self.settlement,
            meter=self.progressive.meter if self.progressive else 0,
        )
        terms = terms.with_uneven_odds()
        return replace(terms, payout_limits=self.game.payout_limits(terms, self.payout_limit))


# --- reading --------------------------------------------------------------------------------

_SCALARS: dict[str, tuple[values.Reader, Any]] = {
    "name": (values.text, "The Croupier Room"),
    "offered": (values.texts, ()),
    "dealing": (values.one_of(DEALING), "manual shoe"),
    "shuffling": (values.one_of(SHUFFLING), "manual"),
    "counting": (values.flag, False),
    "preshuffled": (values.flag, False),
    "decks": (values.texts, ("red",)),
    "alternate": (values.flag, None),
    "positions": (values.whole, 6),
    "adjacent": (values.whole, 1),
    "qualifier": (values.flag, True),
    "settlement": (values.whole, 1),
    "dealer_stack": (values.whole, 1),
    "payout_limit": (values.money, None),
    "match_play": (values.flag, False),
}
_TABLES = ("limits", "pay", "multiples", "progressive")
_PROGRESSIVE_KEYS = ("meter", "seed", "contribution")


def preset(rulebook_id: str) -> dict[str, Any]:
    """The preset of a rulebook, as data."""
    game_under(rulebook_id)
    text = (files(__package__) / "presets" / f"{rulebook_id}.toml").read_text("utf-8")
    return tomllib.loads(text)


def read_data(data: Mapping[str, Any]) -> House:
    """Build a house from a submission's data, or say all that is malformed or out of bounds."""
    reading, house = _read(data)
    if wrong := [*reading.wrong, *beyond(house)]:
        raise Malformed(wrong, house)
    return house


def recalled(data: Mapping[str, Any]) -> House:
    """The house of a table that was opened earlier, perhaps before there were bounds."""
    reading, house = _read(data)
    if reading.wrong:
        raise Malformed(reading.wrong, house)
    return house


def _read(data: Mapping[str, Any]) -> tuple[_Reading, House]:
    book_id = data.get("rulebook")
    try:
        game = game_under(said(book_id))
    except Refused as refused:
        raise Malformed([Violation("rulebook", book_id, refused.sentence)]) from None
    merged = _merge(preset(game_id := said(book_id)), data)
    reading = _Reading(game, rulebook(game_id))
    return reading, reading.house(merged)


def load(path: Path) -> House:
    """Read a submission file."""
    try:
        data = read_toml(path.read_text("utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror or error}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} is not TOML: {error}.") from None
    return read_data(data)


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; whatever cannot be read is a TOMLDecodeError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise tomllib.TOMLDecodeError("a number has too many digits") from None
    except RecursionError:
        raise tomllib.TOMLDecodeError("tables are nested too deeply") from None


def default_house(rulebook_id: str) -> House:
    return read_data({"rulebook": rulebook_id})


def _merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        if key in _TABLES and isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = {**merged[key], **value}
        else:
            merged[key] = value
    return merged


class _Reading:
    """One reading of one submission; collects what is wrong instead of stopping at the first."""

    def __init__(self, game: Game, book: Rulebook) -> None:
        self.game = game
        self.book = book
        self.wrong: list[Violation] = []

    def value(self, key: str, reader: values.Reader, value: Any, default: Any = None) -> Any:
        try:
            return reader(value)
        except values.Wrong as wrong:
            self.wrong.append(Violation(key, value, f"{wrong}."))
            return default

    def house(self, data: Mapping[str, Any]) -> House:
        for key in data:
            if key not in _SCALARS and key not in _TABLES and key != "rulebook":
                known = ", ".join(("rulebook", *_SCALARS, *_TABLES))
                self.wrong.append(
                    Violation(key, data[key], f"there is no such key; there are {known}.")
                )
        scalars = {
            key: self.value(key, reader, data[key], default) if key in data else default
            for key, (reader, default) in _SCALARS.items()
        }
        if scalars["alternate"] is None:
            scalars["alternate"] = len(scalars["decks"]) == 2
        tables = {key: self.value(key, values.table, data.get(key, {}), {}) for key in _TABLES}
        return House(
            game=self.game,
            book=self.book,
            posted=self.limits(tables["limits"]),
            pay=self.pay(tables["pay"], "progressive" in scalars["offered"]),
            multiples=self.multiples(tables["multiples"]),
            progressive=self.progressive(tables["progressive"]),
            source=data,
            sweeps=any(w.swept and w.key in scalars["offered"] for w in self.game.wagers),
            **scalars,
        )

    def unknown(self, key: str, value: Any, known: tuple[str, ...]) -> None:
        words = f"there are {', '.join(known)}" if known else "this game has none"
        self.wrong.append(Violation(key, value, f"there is no such key; {words}."))

    def limits(self, data: Mapping[str, Any]) -> dict[str, Posted]:
        known = tuple(
            dict.fromkeys(
                w.key
                for w in self.game.wagers
                if w.before_the_deal and not w.exactly and (not w.equal_to or w.key == "main")
            )
        )
        posted = {}
        for key, value in data.items():
            if key not in known:
                self.unknown(f"limits.{key}", value, known)
            elif (found := self.value(f"limits.{key}", values.limits, value)) is not None:
                posted[key] = found
        return posted

    def pay(self, data: Mapping[str, Any], progressive: bool) -> dict[str, PayTable]:
        printed = self.game.tables
        pay: dict[str, PayTable] = {}
        for key, tables in printed.items():
            if key == "cover-all":
                pay |= {f"cover-all {name}": table for name, table in tables.tables.items()}
            else:
                pay[key] = tables.default
        for key, value in data.items():
            if key not in printed and not (key == "progressive" and progressive):
                self.unknown(f"pay.{key}", value, tuple(printed))
            elif isinstance(value, dict):
                pay |= self.custom(key, value)
            elif key == "cover-all":
                sentence = "there is one table for each number of hands, as in [pay.cover-all.7]."
                self.wrong.append(Violation("pay.cover-all", value, sentence))
            elif key in printed and said(value) in printed[key].tables:
                pay[key] = printed[key].tables[said(value)]
            else:
                names = ", ".join(printed[key].tables) if key in printed else "none"
                self.wrong.append(
                    Violation(f"pay.{key}", value, f"there is no such table; there are {names}.")
                )
        return pay

    def custom(self, key: str, lines: Mapping[str, Any]) -> dict[str, PayTable]:
        printed = self.game.tables.get(key)
        if key == "cover-all":  # one table for each number of hands
            tables: dict[str, PayTable] = {}
            for hands, table in lines.items():
                if printed is None or hands not in printed.tables or not isinstance(table, dict):
                    self.unknown(f"pay.cover-all.{hands}", table, ("2", "3", "4", "5", "6", "7"))
                else:
                    base = printed.tables[hands]
                    tables[f"{key} {hands}"] = self.table(f"{key}.{hands}", key, table, base)
            return tables
        if printed is None:  # the house's own progressive
            return {key: self.table(key, key, lines, PayTable(key, "", (), PROGRESSIVE_LINES))}
        lines = dict(lines)
        name = said(lines.pop("table", printed.default.name))
        if name not in printed.tables:
            self.unknown(f"pay.{key}.table", name, tuple(printed.tables))
        base = printed.tables.get(name, printed.default)
        return {key: self.table(key, key, lines, base)}

    def table(self, where: str, key: str, lines: Mapping[str, Any], base: PayTable) -> PayTable:
        """The base table with some of its lines paid otherwise."""
        paid = {line.name: line for line in base}
        for name, award in lines.items():
            if name not in LINE_NAMES:
                self.unknown(f"pay.{where}.{name}", award, LINE_NAMES)
                continue
            try:
                paid[name] = Line(name, values.award(award))
            except Refused as refused:
                self.wrong.append(Violation(f"pay.{where}.{name}", award, refused.sentence))
        ordered = sorted(paid.values(), key=lambda line: LINE_NAMES.index(line.name))
        return PayTable(key, "custom", tuple(ordered), base.cite)

    def multiples(self, data: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
        rules = self.game.multiples
        found = {
            key: rule.choices[-1:] if rule.house_picks else rule.choices
            for key, rule in rules.items()
        }
        for key, value in data.items():
            if key not in rules:
                self.unknown(f"multiples.{key}", value, tuple(rules))
            else:
                found[key] = self.value(f"multiples.{key}", values.multiples, value, found[key])
        return found

    def progressive(self, data: Mapping[str, Any]) -> Progressive | None:
        for key in data:
            if key not in _PROGRESSIVE_KEYS:
                self.unknown(f"progressive.{key}", data[key], _PROGRESSIVE_KEYS)
        if not data:
            return None
        meter, seed, contribution = (
            self.value(f"progressive.{key}", values.money, data.get(key, 0), 0)
            for key in _PROGRESSIVE_KEYS
        )
        return Progressive(meter, seed, contribution)
