"""Reading a script: one line a command, what it should give after an arrow, and a header that
says which house. What the commands mean is said in ``commands``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from croupier.games.registry import game_named, game_under
from croupier.house.check import check
from croupier.house.submission import read_data, read_toml
from croupier.law.refused import Refused
from croupier.rules.bounds import MOST_CHIPS, MOST_INVENTORY, read_amount, said
from croupier.rules.money import Cents, dollars

_COMMENT = re.compile(r"(^|\s)#.*$")
_PREFIX = re.compile(r"([A-Za-z0-9][\w ]*?)\s*:\s*(.*)")
_COMMA = re.compile(r",(?![^\[]*\])")  # not inside the brackets of a citation
_HEADER = ("game", "rulebook", "set", "seats")


@dataclass(frozen=True, slots=True)
class Line:
    """One command as it was written."""

    number: int
    text: str
    who: str  # before the colon: a seat, a name, a role, or nothing
    words: str
    expected: tuple[str, ...] = ()

    def wrong(self, sentence: str) -> Refused:
        return Refused(f"Line {self.number}: {sentence}")


PLAYERS_CHIPS = dollars(10_000)
TABLE_INVENTORY = dollars(100_000)


@dataclass(slots=True)
class Header:
    """Which house, who is seated, and what everybody brings."""

    house: dict[str, Any] = field(default_factory=dict)
    seats: int = 0
    chips: Cents = PLAYERS_CHIPS
    inventory: Cents = TABLE_INVENTORY


def read(text: str) -> tuple[Header, tuple[Line, ...]]:
    """The header and the lines of a script, or the first thing that cannot be read."""
    header = Header()
    lines: list[Line] = []
    for number, written in enumerate(text.splitlines(), 1):
        bare = _COMMENT.sub("", written).strip()
        if not bare:
            continue
        line = _line(number, bare)
        word, _, rest = bare.partition(" ")
        if word not in _HEADER:
            if not header.house:
                raise line.wrong("say first which game is played, such as: game let-it-ride")
            lines.append(line)
        elif lines:
            raise line.wrong(f"{word!r} belongs above the first act.")
        else:
            _read_header(header, line, word, rest.strip())
    if not header.house:
        raise Refused("A script says first which game is played, such as: game let-it-ride")
    _must_be_legal(header)
    return header, tuple(lines)


def _line(number: int, bare: str) -> Line:
    command, arrow, expected = bare.partition("->")
    who, words = "", command.strip()
    if found := _PREFIX.fullmatch(words):
        who, words = found[1].removeprefix("seat "), found[2]
    phrases = tuple(_phrases(expected))
    line = Line(number, bare, who, " ".join(words.split()), phrases)
    if not line.words:
        raise line.wrong("there is no command.")
    if arrow and not phrases:
        raise line.wrong("nothing is expected after the arrow.")
    return line


def _phrases(text: str) -> Iterator[str]:
    for phrase in _COMMA.split(text):
        if clean := " ".join(phrase.split()):
            yield clean


def _read_header(header: Header, line: Line, word: str, rest: str) -> None:
    if word in ("game", "rulebook"):
        if header.house.get("rulebook"):
            raise line.wrong("the game is named already.")
        try:
            book = game_named(rest).books[0].id if word == "game" else rest
            game_under(book)
        except Refused as refused:
            raise line.wrong(refused.sentence) from None
        header.house["rulebook"] = book
    elif word == "seats":
        if len(rest) != 1 or not rest.isdecimal() or not int(rest):
            raise line.wrong(f"{said(rest)!r} is not a number of seats.")
        header.seats = int(rest)
    else:
        _set(header, line, rest)


def _set(header: Header, line: Line, rest: str) -> None:
    key, equals, value = (part.strip() for part in rest.partition("="))
    if not key or not equals or not value:
        raise line.wrong("write a house's choice as: set key = value")
    if key in ("chips", "inventory"):
        try:
            most = MOST_CHIPS if key == "chips" else MOST_INVENTORY
            setattr(header, key, read_amount(value, f"The amount of {key}", most))
        except Refused as refused:
            raise line.wrong(refused.sentence) from None
        return
    *tables, last = key.split(".")
    into = header.house
    for table in tables:
        into = into.setdefault(table, {})
        if not isinstance(into, dict):
            raise line.wrong(f"{table!r} is set to a value above.")
    into[last] = _value(value)


def _value(text: str) -> object:
    """As TOML reads it; a bare word is text, and so is money with cents."""
    try:
        found: object = read_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return found if isinstance(found, str | bool | int | list) else text


def _must_be_legal(header: Header) -> None:
    if "rulebook" not in header.house:
        raise Refused("A script says which game is played, such as: game let-it-ride")
    house = read_data(header.house)
    if violations := check(house).violations:
        first = violations[0]
        raise Refused(f"This house is not legal: {first.key}: {first.sentence}", first.clause)
    if header.seats > house.positions:
        raise Refused(f"This table has {house.positions} seats, not {header.seats}.")
