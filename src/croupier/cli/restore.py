"""croupier restore: a backup put back, audited, and never older than anybody knows of unsaid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.place_options import DATA, RoomData, RoomStore, place_of, schemas

if TYPE_CHECKING:
    from croupier.ledger.restoring import Restored


def restore(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The backup; without one, the store as it is."),
    ] = None,
    store: RoomStore = "",
    data: RoomData = DATA,
    keys: Annotated[
        Path | None, typer.Option("--keys", metavar="FILE", help="The backup of the keys.")
    ] = None,
    witness: Annotated[
        list[Path] | None,
        typer.Option("--witness", metavar="FILE", help="A copy of the witness file, to compare."),
    ] = None,
    accept_loss: Annotated[
        bool,
        typer.Option("--accept-loss", help="Accept that signed history is lost, and record it."),
    ] = False,
) -> None:
    """Restore a backup into an empty place and audit it. An older copy than what was signed is
    refused unless --accept-loss says otherwise. Without FILE the store that is there is compared
    with its witnesses. Exits 1 where the audit finds something."""
    from croupier.ledger.restoring import accept_copy, restore_backup

    place, witnesses = place_of(store, data), tuple(witness or ())
    if file is None:
        done = accept_copy(place, schemas(), witnesses=witnesses, accept_loss=accept_loss)
    else:
        done = restore_backup(
            file,
            place,
            schemas(),
            keys=keys,
            witnesses=witnesses,
            accept_loss=accept_loss,
        )
        print(f"{sum(done.rows.values()):,} rows restored")
    _show(done)
    if done.report.discrepancies:
        raise typer.Exit(1)


def _show(done: Restored) -> None:
    for loss in done.losses:
        print(loss)
    if not done.losses:
        print("Nothing that was signed is missing, as far as the witness file knows.")
    for each in done.report.discrepancies:
        print(each)
    for sentence in done.report.unchecked:
        print(sentence)
    found = len(done.report.discrepancies)
    entries = f"{done.report.tables:,} tables and {done.report.entries:,} entries audited"
    print(f"{entries}: {f'{found:,} discrepancies' if found else 'everything agrees'}.")
