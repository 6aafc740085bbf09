"""A solution as data and as words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.analysis.solution import Book, Meter, Solution


def fraction(value: Fraction) -> str:
    """p/q, as the exact values are always written."""
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction, digits: int = 4) -> str:
    """Rounded half up for reading, from the exact value."""
    scaled = abs(value) * 10 ** (digits + 2)
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d} %"


def as_data(solution: Solution) -> dict[str, Any]:
    main = solution.main
    data: dict[str, Any] = {
        "game": solution.game,
        "rulebook": solution.rulebook,
        "legal": solution.legal,
        "unlawful": list(solution.unlawful),
        "strategy": solution.strategy,
        **_beside_optimal(solution),
        "combinations": main.combinations,
        **_figures(main),
        "element_of_risk": fraction(main.element_of_risk),
        "average_wager": fraction(main.average_wager),
        "actions": {name: fraction(share) for name, share in main.actions().items()},
        "outcomes": _rows(main),
        "ties": solution.ties,
        "tie_broken": solution.tie_broken,
        "side_bets": {
            name: {
                **_figures(book),
                "combinations": book.combinations,
                "hit_frequency": fraction(book.hit_frequency),
                "outcomes": _rows(book),
                **_meter(solution.meters.get(name)),
            }
            for name, book in solution.side_bets.items()
        },
        "whole_game": _whole(solution.whole or main),
        "seconds": round(solution.seconds, 3),
    }
    return data


def _beside_optimal(solution: Solution) -> dict[str, Any]:
    """What optimal play costs, and how much more this way to play does."""
    if solution.optimal_edge is None or solution.cost is None:
        return {}
    return {
        "optimal_house_edge": fraction(solution.optimal_edge),
        "cost": fraction(solution.cost),
    }


def _meter(meter: Meter | None) -> dict[str, Any]:
    """Dollars exactly, and in cents rounded up."""
    if meter is None:
        return {}
    return {
        "per_10000_of_meter": fraction(meter.per_10000),
        "break_even_meter": fraction(meter.break_even),
        "break_even_meter_cents": meter.break_even_cents,
    }


def _whole(book: Book) -> dict[str, Any]:
    return {**_figures(book), "element_of_risk": fraction(book.element_of_risk)}


def _figures(book: Book) -> dict[str, Any]:
    return {
        "net": fraction(book.net),
        "house_edge": fraction(-book.net),
        "standard_deviation": str(book.standard_deviation),
    }


def _rows(book: Book) -> list[dict[str, Any]]:
    return [
        {
            "net": fraction(o.net),
            "action": o.action,
            "line": o.line,
            "qualified": o.qualified,
            "count": o.count,
        }
        for o in book.outcomes
    ]
