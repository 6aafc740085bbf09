"""Advice, charts and short rules as data."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from croupier.analysis.advice.advise import Advice, Situation
from croupier.analysis.advice.chart import Cell, Chart
from croupier.analysis.advice.short_rules import Rule
from croupier.analysis.report import fraction
from croupier.cards.card import spell
from croupier.house.submission import House
from croupier.rules.money import Cents


def rounded(value: Fraction, digits: int = 6) -> str:
    """A decimal for reading, from the exact value."""
    scaled = round(abs(value) * 10**digits)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{scaled // 10**digits}.{scaled % 10**digits:0{digits}d}"


def advice_data(house: House, situation: Situation, advice: Advice, ante: Cents) -> dict[str, Any]:
    return {
        "game": house.game.id,
        "rulebook": house.book.id,
        "decision": advice.decision,
        "hand": spell(situation.hand),
        "board": spell(situation.board),
        "dealer": spell(situation.dealer),
        "next": spell(situation.coming),
        "seen": spell(situation.seen),
        "ante": ante,
        "best": advice.best.name,
        "options": [
            {
                "option": option.name,
                "value": fraction(option.value),
                "decimal": rounded(option.value),
                "cost": fraction(option.cost),
                "cost_cents": fraction(option.cost * ante),
            }
            for option in advice.options
        ],
    }


def opening_data(rows: Iterable[Iterable[Cell]]) -> list[dict[str, Any]]:
    return [
        {
            "class": cell.name,
            "hands": cell.hands,
            "best": cell.advice.best.name,
            "values": {option.name: fraction(option.value) for option in cell.advice.options},
        }
        for row in rows
        for cell in row
    ]


def charts_data(charts: Iterable[Chart]) -> list[dict[str, Any]]:
    return [
        {
            "decision": chart.decision,
            "rows": [
                {
                    "hands": row.hands,
                    "share": fraction(row.share),
                    "best": {option: fraction(share) for option, share in row.options.items()},
                    "value": fraction(row.value),
                }
                for row in chart.rows
            ],
        }
        for chart in charts
    ]


def rules_data(rules: Iterable[Rule]) -> list[dict[str, Any]]:
    return [
        {
            "decision": rule.decision,
            "lines": [
                {
                    "group": line.group,
                    "option": line.option,
                    "better": line.better,
                    "rest": line.rest,
                }
                for line in rule.lines
            ],
            "otherwise": rule.otherwise,
            "asked": fraction(rule.asked),
            "misses": fraction(rule.misses),
            "cost": fraction(rule.cost),
        }
        for rule in rules
    ]
