"""What the pages of a PAR sheet are made of. A cell keeps its value, so that a page can round it
and a spreadsheet can reckon with it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import floor

from croupier.analysis.par.sheet import Bet
from croupier.analysis.report import fraction, percent
from croupier.rules.money import in_dollars


class Kind(StrEnum):
    TEXT = "text"
    CODE = "code"  # a key, a hash
    COUNT = "count"
    PERCENT = "percent"
    PROBABILITY = "probability"
    NUMBER = "number"
    NET = "net"  # in units of a wager
    ONE_IN = "one in"
    MONEY = "money"  # in cents
    EXACT = "exact"  # a fraction, to the last digit


@dataclass(frozen=True, slots=True)
class Cell:
    kind: Kind
    value: str | int | Fraction | Decimal

    @property
    def shown(self) -> str:
        match self.value:
            case str() as words:
                return words
            case int() as whole:
                return in_dollars(whole) if self.kind is Kind.MONEY else f"{whole:,}"
            case value if self.kind is Kind.PERCENT:
                return percent(Fraction(value))
            case value if self.kind is Kind.EXACT:
                return fraction(Fraction(value))
            case value if self.kind is Kind.NET:
                return rounded(value, 4).rstrip("0").rstrip(".")
            case value if self.kind is Kind.ONE_IN:
                return rounded(value, 2)
            case value if self.kind is Kind.PROBABILITY:
                return rounded(value, 10)
            case value:
                return rounded(value, 4)


def rounded(value: Fraction | Decimal, digits: int) -> str:
    """Half up, from the exact value."""
    whole = floor(Fraction(value) * 10**digits + Fraction(1, 2))
    return f"{Decimal(whole).scaleb(-digits):,f}"


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    total: Row = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Drawn by each format in its own way: a distribution, a funnel, or the opening chart."""

    kind: str
    title: str
    bet: Bet


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Table | Chart, ...]
    note: str = ""


def text(words: str) -> Cell:
    return Cell(Kind.TEXT, words)


def code(words: str) -> Cell:
    return Cell(Kind.CODE, words)
