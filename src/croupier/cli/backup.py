"""croupier backup: a room's database in one file, while play goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.place_options import DATA, RoomData, RoomStore, place_of, schemas

# Whoever could come in when a backup was made must not be let in by it when it is restored.
WITHOUT = ("sessions", "tickets", "links", "devices")


def backup(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    store: RoomStore = "",
    data: RoomData = DATA,
    keys: Annotated[
        Path | None,
        typer.Option("--keys", metavar="FILE", help="Write the keys too, to a file of their own."),
    ] = None,
) -> None:
    """Write a backup of the store as it is at one moment. Keep the keys somewhere else: whoever has
    both can open every sealed deck and sign in the room's name."""
    from croupier.law.refused import Refused
    from croupier.ledger.backup import backup as write
    from croupier.ledger.backup import backup_keys
    from croupier.ledger.reading import reading

    if keys and keys.absolute() == out.absolute():
        raise Refused("The keys need a file of their own.")
    place = place_of(store, data)
    looked = reading(place.where, place.base)
    try:
        rows = write(looked.view, schemas(), out, without=WITHOUT)
    finally:
        looked.close()
    print(f"{out}: {rows['entries']:,} entries, {sum(rows.values()):,} rows in all")
    if keys:
        print(f"{keys}: {backup_keys(place.keys, keys)} files of keys; keep them elsewhere")
    else:
        print("The keys are not in it: --keys writes them to a file of their own.")
