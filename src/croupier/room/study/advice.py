"""Questions of players: what a choice is worth, and how each hand is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from croupier.analysis.advice.advise import Situation, advise
from croupier.analysis.advice.advise_report import advice_data, charts_data, opening_data
from croupier.analysis.advice.chart import charts, opening_chart
from croupier.cards.card import cards
from croupier.house.submission import read_data
from croupier.room.study.ways import Chart
from croupier.rules.money import Cents


class Option(Struct, frozen=True):
    option: str
    value: str  # per unit of the base wager
    decimal: str
    cost: str  # what it gives away against the best
    cost_cents: str


class Advised(Struct, frozen=True):
    game: str
    rulebook: str
    decision: str
    hand: str
    board: str
    dealer: str
    next: str
    seen: str
    ante: Cents
    best: str
    options: list[Option]


class Start(Struct, frozen=True):
    name: str = msgspec.field(name="class")  # AA, AKs, AKo
    hands: int
    best: str
    values: dict[str, str]


class Charted(Struct, frozen=True, omit_defaults=True):
    """The opening of Ultimate Texas Hold'em, 13 by 13; kinds of hands in the other games."""

    opening: list[Start] | None = None
    charts: list[Chart] | None = None


def advised(
    house: Mapping[str, Any], hand: str, board: str, dealer: str, seen: str, ante: Cents
) -> Advised:
    """Cards are written as people write them."""
    submitted = read_data(house)
    known = Situation(cards(hand), cards(board), cards(dealer), (), cards(seen))
    advice = advise(submitted, known)
    return msgspec.convert(advice_data(submitted, known, advice, ante), Advised)


def charted(house: Mapping[str, Any]) -> Charted:
    submitted = read_data(house)
    if "before-flop" in submitted.multiples:
        rows = opening_data(opening_chart(submitted))
        return Charted(opening=msgspec.convert(rows, list[Start]))
    return Charted(charts=msgspec.convert(charts_data(charts(submitted)), list[Chart]))
