"""croupier compare: two configurations of one game side by side."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from croupier.analysis.par.compare import Comparison, Figure
    from croupier.analysis.par.settings import Setting

First = Annotated[Path, typer.Argument(help="A submission, a TOML file.", show_default=False)]
Second = Annotated[Path, typer.Argument(help="Another of the same game.", show_default=False)]


def compare(
    first: First,
    second: Second,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, money in cents.")] = False,
) -> None:
    """Say what differs between two tables, clause by clause, and what it does to every wager."""
    from croupier.analysis.par.compare import compare as side_by_side
    from croupier.house.submission import load

    found = side_by_side(load(first), load(second))
    if as_json:
        print(json.dumps(as_data(found)))
    else:
        show(found, str(first), str(second))


def as_data(found: Comparison) -> dict[str, Any]:
    return {
        "game": found.first.game.id,
        "rulebooks": [found.first.book.id, found.second.book.id],
        "unlawful": [list(each) for each in found.unlawful],
        "differences": [
            {"key": each.key, "first": _setting(each.first), "second": _setting(each.second)}
            for each in found.differences
        ],
        "wagers": {
            title: {figure.name: _figure(figure) for figure in figures}
            for title, figures in found.wagers.items()
        },
        "exposure": {figure.name: _figure(figure) for figure in found.exposure},
    }


def _setting(setting: Setting | None) -> dict[str, str | None] | None:
    if setting is None:
        return None
    clause = setting.clause.id if setting.clause else None
    return {"value": setting.value, "clause": clause}


def _figure(figure: Figure) -> dict[str, str | int | None]:
    """Fractions exactly; money in cents."""
    values = {"first": figure.first, "second": figure.second, "change": figure.change}
    return {name: _exact(figure, value) for name, value in values.items()}


def _exact(figure: Figure, value: Fraction | None) -> str | int | None:
    from croupier.analysis.report import fraction

    if value is None:
        return None
    if figure.kind == "rounded":
        return str(Decimal(value.numerator) / value.denominator)
    return int(value) if figure.kind == "cents" else fraction(value)


def show(found: Comparison, first: str, second: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for name, unlawful in zip((first, second), found.unlawful, strict=True):
        for words in unlawful:
            console.print(f"{name} is illegal: {words}", markup=False)
    if not found.differences:
        console.print("No setting differs.")
        return
    settings = Table("setting", first, second, "clause", box=None, pad_edge=False)
    for column in settings.columns:
        column.overflow = "fold"
    for each in found.differences:
        values = (setting.value if setting else "-" for setting in (each.first, each.second))
        settings.add_row(each.key, *values, ", ".join(c.id for c in each.clauses()))
    console.print(settings)
    figures = Table("", first, second, "change", "exactly", box=None, pad_edge=False)
    for column in figures.columns[1:4]:
        column.justify = "right"
    figures.columns[4].overflow = "fold"  # to the last digit
    for title, rows in (*found.wagers.items(), ("Exposure", found.exposure)):
        changed = [figure for figure in rows if figure.first != figure.second]
        figures.add_row()
        figures.add_row(title + ("" if changed else ": no change"), style="bold")
        for figure in changed:
            figures.add_row(f"  {figure.name}", *_row(figure))
    console.print(figures)


def _row(figure: Figure) -> tuple[str, ...]:
    from croupier.analysis.report import fraction

    values = (figure.first, figure.second, figure.change)
    exact = figure.change if figure.kind in ("percent", "number") else None
    exactly = "" if exact is None else fraction(exact)
    return *(_rounded(figure, value) for value in values), exactly


def _rounded(figure: Figure, value: Fraction | None) -> str:
    from croupier.analysis.report import percent
    from croupier.rules.money import in_dollars

    if value is None:
        return "-"
    if figure.kind == "cents":
        return in_dollars(int(value))
    return percent(value) if figure.kind == "percent" else f"{float(value):.6f}"
