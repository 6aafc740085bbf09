"""croupier export: a ledger as tables for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.ledger_options import Beside, StoreAt, TableId, looking_at


def export(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write into.")],
    form: Annotated[str, typer.Option("--format", help="jsonl, csv or parquet.")] = "jsonl",
    what: Annotated[
        str, typer.Option("--what", help="events, rounds, wagers, movements or all.")
    ] = "all",
    store: StoreAt = "",
    table: TableId = "",
    beside: Beside = None,
) -> None:
    """Write events, rounds, wagers and movements to files; docs/EXPORT.md has the columns."""
    from croupier.ledger.export import export as write
    from croupier.ledger.reading import legible
    from croupier.ledger.replay import chosen_tables

    with looking_at(store, beside) as ledger, legible():
        written = write(ledger.store, chosen_tables(ledger, table), out, form, what)
    for name, rows in written.items():
        print(f"{out / name}.{form}: {rows:,} rows")
