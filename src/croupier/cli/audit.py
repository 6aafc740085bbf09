"""croupier audit: everything a ledger says, held against everything else it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at
from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.audit import Report
    from croupier.ledger.drift import Drift

ALARM = 3.5  # standard deviations


def audit(
    store: StoreAt = "",
    table: TableId = "",
    drift: Annotated[
        bool, typer.Option("--drift", help="Compare what was won with the mathematics instead.")
    ] = False,
    alarm: Annotated[
        float, typer.Option("--alarm", min=0, help="With --drift: the z that is alarming.")
    ] = ALARM,
    beside: Beside = None,
    as_json: Json = False,
) -> None:
    """Verify a ledger: chain, signatures, promises, every decision and every cent. Exits 1 where
    something does not agree, or has drifted."""
    with looking_at(store, beside) as ledger:
        if drift:
            from croupier.ledger.drift import drifts
            from croupier.ledger.reading import legible
            from croupier.ledger.replay import chosen_tables

            names = chosen_tables(ledger, table)
            with legible():
                found = [each for name in names for each in drifts(ledger.store, name)]
            fine = not any(each.alarms(alarm) for each in found)
            (_print_drift_json if as_json else _show_drift)(found, alarm)
        else:
            from croupier.ledger.audit import audit as audit_ledger

            report = audit_ledger(ledger, table)
            fine = not report.discrepancies
            (_print_json if as_json else _show)(report)
    if not fine:
        raise typer.Exit(1)


def _print_json(report: Report) -> None:
    from msgspec import to_builtins

    print(json.dumps({"agrees": not report.discrepancies, **to_builtins(report)}))


def _show(report: Report) -> None:
    from croupier.rules.money import in_dollars

    for each in report.discrepancies:
        print(each)
    for sentence in (*report.unchecked, *report.restored):
        print(sentence)
    print(
        f"{_count(report.tables, 'table')}, {_count(report.entries, 'entry', 'entries')}, "
        f"{_count(report.commands, 'command')}, {_count(report.rounds, 'round')}, "
        f"{in_dollars(report.moved)} moved"
    )
    print(
        f"{_count(report.promised, 'shuffle')} promised, {report.revealed:,} revealed, "
        f"{report.outstanding:,} outstanding"
    )
    print(
        f"{_count(report.checkpoints, 'checkpoint')}, {_count(report.snapshots, 'snapshot')}, "
        f"{_count(report.refusals, 'refusal')}"
    )
    if report.discrepancies:
        many = _count(len(report.discrepancies), "discrepancy", "discrepancies")
        print(f"{many}.")
    else:
        print("All that was checked agrees." if report.unchecked else "Everything agrees.")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _print_drift_json(found: list[Drift], alarm: float) -> None:
    told = [
        {
            "table": each.table,
            "wager": each.wager,
            "against": _against(each),
            "hands": each.hands,
            "wagered": each.wagered,
            "won": each.won,
            "expected": f"{each.expected.numerator}/{each.expected.denominator}",
            "z": round(each.z, 4),
            "alarm": each.alarms(alarm),
        }
        for each in found
    ]
    print(json.dumps({"alarm": alarm, "wagers": told}))


def _show_drift(found: list[Drift], alarm: float) -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.rules.money import in_dollars

    rows = Table(box=None, pad_edge=False)
    for column in ("table", "wager"):
        rows.add_column(column)
    for column in ("hands", "wagered", "house won", "expected", "z"):
        rows.add_column(column, justify="right")
    rows.add_column("against")
    for each in found:
        rows.add_row(
            each.table,
            each.wager,
            f"{each.hands:,}",
            in_dollars(each.wagered),
            in_dollars(each.won),
            in_dollars(round(each.expected)),
            f"{each.z:+.2f}",
            _against(each) + (", ALARM" if each.alarms(alarm) else ""),
        )
    Console(highlight=False, width=max(100, Console().width)).print(rows)
    print(
        f"Alarm beyond {alarm:g} standard deviations; against optimal play only when the house "
        "wins less, for whoever plays worse loses more."
    )


def _against(each: Drift) -> str:
    return "exact odds" if each.exact else "optimal play"
