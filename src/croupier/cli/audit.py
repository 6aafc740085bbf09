"""croupier audit: everything a ledger says, held against everything else it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at
from croupier.cli.options import Json

if TYPE_CHECKING:
    from croupier.ledger.audit import Report
    from croupier.ledger.drift import Drift
    from croupier.ledger.evidence import Evidence
    from croupier.ledger.reading import Reading
    from croupier.ledger.report import Document
    from croupier.ledger.report_data import TableAudited

ALARM = 3.5  # standard deviations


def audit(
    store: StoreAt = "",
    table: TableId = "",
    drift: Annotated[
        bool,
        typer.Option(
            "--drift",
            help="Instead reconcile each table to the cent, and compare with the mathematics.",
        ),
    ] = False,
    alarm: Annotated[float, typer.Option("--alarm", min=0, help="The z that is alarming.")] = ALARM,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Also write a report with all of it: .html or .pdf."
        ),
    ] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option(
            "--witness",
            metavar="FILE|URL",
            help="A copy of the checkpoints kept elsewhere; it may be an older one.",
        ),
    ] = None,
    beside: Beside = None,
    as_json: Json = False,
) -> None:
    """Verify a ledger: chain, signatures, promises, every decision and every cent. Exits 1 where
    something does not agree, does not balance, or has drifted."""
    write = _writer(report) if report else None
    evidence = _evidence(witness or [])
    with looking_at(store, beside) as ledger:
        if write and report:
            audited = _audited(ledger, table, evidence)
            fine = _reported(ledger, audited, store, table, alarm, write, report, as_json=as_json)
        elif drift:
            fine = _drifted(ledger, table, alarm, as_json=as_json)
        else:
            found = _audited(ledger, table, evidence)
            fine = not found.discrepancies
            (_print_json if as_json else _show)(found)
    if not fine:
        raise typer.Exit(1)


def _evidence(places: list[str]) -> list[Evidence]:
    """Read before the ledger, which may be in play."""
    from croupier.ledger.evidence import evidence

    return [evidence(each) for each in places]


def _audited(ledger: Reading, table: str, evidence: list[Evidence]) -> Report:
    """With the room's own tables, and the key that was pinned when it was first audited here."""
    from croupier.ledger.audit import audit as audit_ledger
    from croupier.ledger.known_keys import default_path
    from croupier.room.door.register import SCHEMA

    return audit_ledger(ledger, table, witnesses=evidence, room=SCHEMA, known=default_path())


# --- the report -----------------------------------------------------------------------------


def _writer(path: Path) -> Callable[[Document], bytes]:
    """What writes this kind of file, found before anything is audited."""
    from croupier.law.refused import Refused

    match path.suffix.lower():
        case ".html":
            from croupier.ledger.report_html import page

            return page
        case ".pdf":
            try:
                from croupier.ledger.report_pdf import pdf
            except ModuleNotFoundError as missing:
                needs = f"A report in .pdf needs {missing.name}"
                raise Refused(f'{needs}: pip install "croupier[par]".') from None
            return pdf
    raise Refused(f"A report is written as .html or .pdf, not as {path.name!r}.")


def _reported(
    ledger: Reading,
    audit: Report,
    store: str,
    table: str,
    alarm: float,
    write: Callable[[Document], bytes],
    path: Path,
    *,
    as_json: bool,
) -> bool:
    from croupier.ledger.entry import stamp
    from croupier.ledger.outside import utc
    from croupier.ledger.place import default_place
    from croupier.ledger.report import document
    from croupier.ledger.report_data import audited
    from croupier.ledger.whole_file import write_whole

    found = audited(ledger, audit, store or str(default_place()), table, stamp(utc()))
    made = document(found, alarm)
    write_whole(path, write(made))
    (_print_json if as_json else _show)(found.report)
    if not as_json:
        print(f"{path}: {made.verdict}")
    return made.agrees


# --- the audit ------------------------------------------------------------------------------


def _print_json(report: Report) -> None:
    from msgspec import to_builtins

    print(json.dumps({"agrees": not report.discrepancies, **to_builtins(report)}))


def _show(report: Report) -> None:
    from croupier.rules.money import in_dollars

    for each in report.discrepancies:
        print(each)
    for sentence in (*report.unchecked, *report.restored, *report.notes):
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


# --- drift and reconciliation ---------------------------------------------------------------


def _drifted(ledger: Reading, table: str, alarm: float, *, as_json: bool) -> bool:
    from croupier.ledger.reading import legible
    from croupier.ledger.replay import chosen_tables
    from croupier.ledger.report_data import table_audited

    names = chosen_tables(ledger, table)
    with legible():
        found = [table_audited(ledger, name) for name in names]
    (_print_drift_json if as_json else _show_drift)(found, alarm)
    alarming = [each for t in found for each in t.drift if each.alarms(alarm)]
    return not alarming and all(each.balances for each in found)


def _print_drift_json(found: list[TableAudited], alarm: float) -> None:
    tables = [
        {
            "table": each.name,
            "balances": each.balances,
            "actual_win": each.money.actual_win,
            "accounts": [
                {
                    "account": account.name,
                    "lines": {line.name: line.cents for line in account.lines},
                    "closing_by_lines": account.due,
                    "held_by_movements": account.held,
                    "difference": account.difference,
                }
                for account in each.money.accounts()
            ],
            "wagers": [_wager(wager, alarm) for wager in each.drift],
        }
        for each in found
    ]
    fine = all(each.balances for each in found)
    print(json.dumps({"alarm": alarm, "balances": fine, "tables": tables}))


def _wager(each: Drift, alarm: float) -> dict[str, Any]:
    theoretical = each.theoretical_win
    return {
        "wager": each.wager,
        "against": each.against,
        "settled": each.settled,
        "collected_from_players": each.collected,
        "paid_to_players": each.paid,
        "returned_to_players": each.returned,
        "actual_win": each.actual_win,
        "hands_compared": each.hands,
        "base_wagered": each.wagered,
        "win_not_compared": each.not_compared,
        "paid_on_coupons": each.on_coupons,
        "withheld_by_limits": each.withheld,
        "win_by_pay_table": each.win_by_pay_table,
        "theoretical_win": f"{theoretical.numerator}/{theoretical.denominator}",
        "z": round(each.z, 4),
        "alarm": each.alarms(alarm),
    }


def _show_drift(found: list[TableAudited], alarm: float) -> None:
    from croupier.ledger.report import exact_dollars

    for each in found:
        _show_wagers(each, alarm)
        for account in each.money.accounts():
            if account.held or any(line.cents for line in account.lines):
                print(f"\n{account.name.capitalize()} of table {each.name}")
                for line in account.lines:
                    print(f"  {line.words:42}{exact_dollars(line.cents):>18}")
                print(f"  {'= closing by these lines':42}{exact_dollars(account.due):>18}")
                print(f"  {'held by the movements':42}{exact_dollars(account.held):>18}")
        print(f"\n{_balance(each)}\n")
    print(
        f"Alarm beyond {alarm:g} standard deviations; against optimal play only if the house "
        "wins less, because a player who plays worse loses more."
    )


def _balance(each: TableAudited) -> str:
    from croupier.ledger.report import exact_dollars

    if each.balances:
        return f"Table {each.name} balances to the cent."
    apart = [
        f"{account.name} by {exact_dollars(account.difference)}"
        for account in each.money.accounts()
        if account.difference
    ]
    if not each.tied:
        won = exact_dollars(sum(wager.actual_win for wager in each.drift))
        apart.append(f"wagers won {won}, the accounts {exact_dollars(each.money.actual_win)}")
    return f"Table {each.name} DOES NOT BALANCE: {'; '.join(apart)}."


def _show_wagers(table: TableAudited, alarm: float) -> None:
    from croupier.ledger.report import COMPARED, MONEY, compared_row, money_row

    print(f"Table {table.name}: all settled wagers")
    _print_rows(MONEY, [(each.wager, *money_row(each)) for each in table.drift])
    print(f"\nTable {table.name}: compared with the mathematics")
    rows = [
        (each.wager, *compared_row(each), each.against + (", ALARM" if each.alarms(alarm) else ""))
        for each in table.drift
    ]
    _print_rows((*COMPARED, "against"), rows)


def _print_rows(titles: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("wager")
    for title in titles:
        table.add_column(title, justify="left" if title == "against" else "right")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False, width=max(150, Console().width)).print(table)
