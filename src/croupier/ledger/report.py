"""An audit as a report for a regulator: what was audited, with which keys and software, what was
found, what was not checked, and where the money went. ``report_html`` and ``report_pdf`` write it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

import croupier
from croupier.law.refused import Refused
from croupier.ledger import manifest
from croupier.ledger.audit import Report
from croupier.ledger.drift import Drift
from croupier.ledger.reconcile import Account
from croupier.ledger.report_data import Audited, Key, TableAudited
from croupier.rules.money import Cents

ALWAYS = (  # what no audit of a store can show
    "Whether a public key is the house's own. Compare its fingerprint with one the house gave you.",
    "Whether entries were cut off behind the last checkpoint that somebody else has a copy of.",
    "Whether players are the people they are named after.",
)

COUNTED = {  # where the audit's own name for a number is too short
    "moved": "Money moved",
    "promised": "Shuffles promised",
    "revealed": "Shuffles revealed",
    "outstanding": "Shuffles not revealed yet",
}


class Column(Struct, frozen=True):
    title: str
    right: bool = False  # numbers
    code: bool = False  # hashes and keys


class Table(Struct, frozen=True):
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""
    total: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    title: str
    blocks: tuple[Table, ...] = ()
    note: str = ""
    points: tuple[str, ...] = ()
    alarm: bool = False


class Document(Struct, frozen=True):
    title: str
    subtitle: str
    verdict: str
    agrees: bool
    sections: tuple[Section, ...]
    maker: str


# --- the document ---------------------------------------------------------------------------


def document(found: Audited, alarm: float) -> Document:
    wrong = _wrong(found, alarm)
    return Document(
        title="Audit report",
        subtitle=f"{found.store} · {_seconds(found.time)}",
        verdict=_verdict(found, wrong),
        agrees=not wrong,
        sections=(
            _subject(found),
            _findings(found.report),
            _unchecked(found),
            _counts(found),
            _keys(found.keys),
            _reconciliation(found.tables),
            _drift(found.tables, alarm),
        ),
        maker=f"Croupier {croupier.__version__}",
    )


def _wrong(found: Audited, alarm: float) -> list[str]:
    """What does not agree, in few words."""
    wrong = []
    if findings := len(found.report.discrepancies):
        wrong.append("1 finding" if findings == 1 else f"{findings:,} findings")
    if unbalanced := [each.name for each in found.tables if not each.balances]:
        wrong.append(f"tables that do not balance: {', '.join(unbalanced)}")
    drifted = [each.wager for t in found.tables for each in t.drift if each.alarms(alarm)]
    if drifted:
        wrong.append(f"wagers beyond {alarm:g} standard deviations: {', '.join(drifted)}")
    return wrong


def _verdict(found: Audited, wrong: list[str]) -> str:
    unchecked = len(found.report.unchecked) + len(found.unread)
    said = "; ".join(wrong)
    if not wrong:
        said = "What was checked agrees" if unchecked else "Everything that was checked agrees"
        said += ", and every table balances to the cent"
    parts = "1 part was" if unchecked == 1 else f"{unchecked} parts were"
    return f"{said}." + (f" {parts} not checked." if unchecked else "")


def _subject(found: Audited) -> Section:
    times = [each.money for each in found.tables if each.money.entries]
    first = min((each.first for each in times), default="")
    last = max((each.last for each in times), default="")
    package = Path(croupier.__file__).parent
    facts = [
        ("Store", found.store),
        ("Audited at", _seconds(found.time)),
        ("Tables", ", ".join(each.name for each in found.tables) or "none that could be read"),
        ("First entry", _seconds(first)),
        ("Last entry", _seconds(last)),
        ("Software", f"Croupier {croupier.__version__}"),
        ("SHA-256 of its manifest", manifest.fingerprint(package)),
        ("Installation", _installation(package)),
    ]
    rows = tuple((name, value) for name, value in facts)
    return Section("What was audited", (Table((Column(""), Column("")), rows),))


def _installation(package: Path) -> str:
    try:
        genuine = manifest.verify_install(package).genuine
    except Refused:
        return "a checkout of the source, not a release with a manifest"
    return "every file as it was released" if genuine else "NOT as it was released"


def _findings(report: Report) -> Section:
    if not report.discrepancies:
        return Section("Findings", note="None.")
    rows = tuple(
        (each.table or "the ledger", f"{each.sequence:,}" if each.sequence else "", each.sentence)
        for each in report.discrepancies
    )
    columns = (Column("Table"), Column("Entry", right=True), Column("Finding"))
    return Section("Findings", (Table(columns, rows),), alarm=True)


def _unchecked(found: Audited) -> Section:
    return Section(
        "What was not checked",
        points=(*found.report.unchecked, *found.unread, *ALWAYS),
        note="What this audit could not look at, and what no audit of a store can show.",
    )


def _counts(found: Audited) -> Section:
    rows = tuple(
        (
            each.name,
            f"1 to {each.head.sequence:,}",
            f"{each.money.commands:,}",
            f"{each.money.rounds:,}",
            _seconds(each.money.first),
            _seconds(each.money.last),
        )
        for each in found.tables
    )
    columns = (
        Column("Table"),
        Column("Entries", right=True),
        Column("Commands", right=True),
        Column("Rounds", right=True),
        Column("From"),
        Column("To"),
    )
    heads = tuple((each.name, f"{each.head.sequence:,}", each.head.hash) for each in found.tables)
    totals = tuple((name, shown) for name, shown in _totals(found.report))
    return Section(
        "Tables",
        (
            Table(columns, rows),
            Table(
                (Column("Table"), Column("Entry", right=True), Column("Hash", code=True)),
                heads,
                "Last entry of each table",
            ),
            Table((Column(""), Column("", right=True)), totals, "Counted by the audit"),
        ),
    )


def _totals(report: Report) -> list[tuple[str, str]]:
    """Every number the audit counts, whatever it may count in time."""
    counted: dict[str, Any] = to_builtins(report)
    return [
        (
            COUNTED.get(name, name.replace("_", " ").capitalize()),
            exact_dollars(value) if name == "moved" else f"{value:,}",
        )
        for name, value in counted.items()
        if isinstance(value, int)
    ]


def _keys(keys: Sequence[Key]) -> Section:
    rows = tuple(
        (each.id, each.fingerprint, f"{each.signed:,}", "in use" if each.in_use else "replaced")
        for each in keys
    )
    columns = (
        Column("Key"),
        Column("Fingerprint, SHA-256 of the public key", code=True),
        Column("Checkpoints", right=True),
        Column(""),
    )
    return Section("Signing keys", (Table(columns, rows),) if rows else ())


def _reconciliation(tables: Sequence[TableAudited]) -> Section:
    blocks = [
        _account(each, account)
        for each in tables
        for account in each.money.accounts()
        if account.held or any(line.cents for line in account.lines)
    ]
    return Section(
        "Reconciliation",
        tuple(blocks),
        "The lines are added up from the events, what is held from the movements stored beside "
        "them. The two must agree exactly.",
        alarm=not all(each.balances for each in tables),
    )


def _account(table: TableAudited, account: Account) -> Table:
    rows = [(line.words.capitalize(), exact_dollars(line.cents)) for line in account.lines]
    rows.append(("Closing by these lines", exact_dollars(account.due)))
    rows.append(("Held by the movements", exact_dollars(account.held)))
    return Table(
        (Column(""), Column("", right=True)),
        tuple(rows),
        f"Table {table.name}: {account.name}",
        total=(balance_words(account), exact_dollars(account.difference)),
    )


def balance_words(account: Account) -> str:
    return "Difference: it balances" if not account.difference else "Difference: DOES NOT BALANCE"


def _drift(tables: Sequence[TableAudited], alarm: float) -> Section:
    blocks = []
    for each in tables:
        if each.drift:
            blocks += [_money(each), _compared(each, alarm)]
    return Section(
        "Win of each wager",
        tuple(blocks),
        "The win by the pay table is the actual win, less what was won in rounds with a void hand "
        "or not over, plus what was paid on coupons, less what payout limits withheld. It is "
        f"compared with the theoretical win. Alarm beyond {alarm:g} standard deviations; against "
        "optimal play only if the house wins less, because a player who plays worse loses more.",
    )


MONEY = (
    *("settled", "collected from players", "paid to players", "returned to players"),
    "actual win",
)
COMPARED = (
    *("hands", "base wagered", "not compared", "on coupons", "withheld"),
    *("win by the pay table", "theoretical win", "z"),
)


def money_row(each: Drift) -> tuple[str, ...]:
    """Under the titles of ``MONEY``."""
    cents = (each.collected, each.paid, each.returned, each.actual_win)
    return (f"{each.settled:,}", *map(exact_dollars, cents))


def compared_row(each: Drift) -> tuple[str, ...]:
    """Under the titles of ``COMPARED``."""
    cents = (each.wagered, each.not_compared, each.on_coupons, each.withheld)
    wins = (each.win_by_pay_table, round(each.theoretical_win))
    return (f"{each.hands:,}", *map(exact_dollars, (*cents, *wins)), f"{each.z:+.2f}")


def _money(table: TableAudited) -> Table:
    columns = (Column("Wager"), *(Column(_titled(title), right=True) for title in MONEY))
    rows = tuple((each.wager, *money_row(each)) for each in table.drift)
    sums = [sum(getattr(each, name) for each in table.drift) for name in ("collected", "paid")]
    back = sum(each.returned for each in table.drift)
    won = sum(each.actual_win for each in table.drift)
    settled = f"{sum(each.settled for each in table.drift):,}"
    total = ("together", settled, *map(exact_dollars, (*sums, back, won)))
    note = ""
    if not table.tied:
        note = f"By the accounts above the house won {exact_dollars(table.money.actual_win)}."
    return Table(columns, rows, f"Table {table.name}: all settled wagers", note, total)


def _compared(table: TableAudited, alarm: float) -> Table:
    columns = (
        Column("Wager"),
        *(Column(_titled(title), right=True) for title in COMPARED),
        Column("Against"),
    )
    rows = tuple(
        (
            each.wager,
            *compared_row(each),
            each.against + (", ALARM" if each.alarms(alarm) else ""),
        )
        for each in table.drift
    )
    return Table(columns, rows, f"Table {table.name}: compared with the mathematics")


def _titled(words: str) -> str:
    return words if words == "z" else words.capitalize()


def _seconds(time: str) -> str:
    """2026-01-31 20:00:07 UTC."""
    return f"{time[:10]} {time[11:19]} UTC" if time else "none"


def exact_dollars(cents: Cents) -> str:
    """$1,250.00, always with cents."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}.{part:02d}"
