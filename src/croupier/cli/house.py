"""croupier check and croupier sign: a licensee's configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.house.submission import House, Violation

Submission = Annotated[
    Path, typer.Argument(help="A licensee's submission, a TOML file.", show_default=False)
]


def check(
    file: Submission,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    edge: Annotated[bool, typer.Option(help="Compute the edge of a legal table.")] = True,
    player: Annotated[
        bool, typer.Option("--player", help="Also list what only staff may set in a room.")
    ] = False,
) -> None:
    """Say whether a table is legal, every violation with its clause, and whose edge it is."""
    from croupier.house.check import check as judge
    from croupier.house.printed import printed_only
    from croupier.house.submission import Malformed, load

    malformed: list[Violation] = []
    try:
        house = load(file)
    except Malformed as wrong:
        malformed = wrong.violations
        house = wrong.house  # type: ignore[assignment]
    report = judge(house) if house else None
    violations = [*malformed, *(report.violations if report else ())]
    verdict = "Not legal"
    if player and not violations:
        violations, verdict = printed_only(house), "Only staff may open this table"
    warnings = list(report.warnings) if report and not violations else []
    edges = _edges(house, warnings) if edge and not violations else {}
    if as_json:
        found: dict[str, object] = {
            "legal": not violations,
            "violations": [_as_data(v) for v in violations],
            "warnings": [_as_data(v) for v in warnings],
        }
        if edges:
            found["edge"] = {name: exact for name, (exact, _) in edges.items()}
        print(json.dumps(found))
    else:
        for violation in violations:
            print(f"violation: {violation}")
        for warning in warnings:
            print(f"warning: {warning}")
        if violations:
            print(f"{verdict}: {len(violations)} violation{'s'[: len(violations) > 1]}.")
        else:
            print(f"Legal under {house.book.title} ({house.book.source}).")
        for name, (exact, rounded) in edges.items():
            print(f"edge, {name}: {rounded} ({exact})")
    if violations:
        raise typer.Exit(1)


def _edges(house: House, warnings: list[Violation]) -> dict[str, tuple[str, str]]:
    """Each edge exactly and in percent; adds a warning for each that is the player's."""
    from croupier.analysis.par.edge import edges, unwise
    from croupier.analysis.report import fraction, percent
    from croupier.analysis.solve import solve

    found = edges(solve(house))
    warnings += unwise(house, found)
    return {name: (fraction(each), percent(each)) for name, each in found.items()}


def _as_data(violation: Violation) -> dict[str, object]:
    return {
        "key": violation.key,
        "value": _plain(violation.value),
        "sentence": violation.sentence,
        "clause": violation.clause.id if violation.clause else None,
    }


def _plain(value: object) -> object:
    """TOML knows dates, NaN and integers without end; JSON does not."""
    from croupier.rules.bounds import LONGEST_SAID, said

    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, int) and abs(value) >= 10**LONGEST_SAID:
        return said(value)
    return value if isinstance(value, str | int | None) else str(value)


def sign(
    file: Submission,
    clauses: Annotated[
        bool, typer.Option("--clauses", help="Show beside each notice the clause that asks it.")
    ] = False,
) -> None:
    """Print the notices that must stand on the layout or on a sign."""
    from croupier.house.check import check as judge
    from croupier.house.sign import notices
    from croupier.house.submission import load
    from croupier.law.refused import Refused

    house = load(file)
    if violations := judge(house).violations:
        first = violations[0]
        raise Refused(
            f"No sign for a house that is not legal: {first.key}: {first.sentence}", first.clause
        )
    for notice in notices(house):
        print(f"{notice.title}" + (f"  [{notice.clause.id}]" if clauses else ""))
        for line in notice.lines:
            print(f"    {line}")
