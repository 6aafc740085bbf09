"""Options of the commands that look after a room's data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.ledger.catalogue import Schema
    from croupier.ledger.place import Place

RoomStore = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", help="A SQLite file or postgresql://...; else in the data."
    ),
]
RoomData = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="The room's data directory, with its keys.")
]
DATA = Path("croupier-data")


def place_of(store: str, data: Path) -> Place:
    """As ``croupier room`` with the same options finds it."""
    from croupier.ledger.ledger import SQLITE
    from croupier.ledger.place import Place
    from croupier.room.settings import Settings

    settings = Settings(data=data, store=store)
    base = settings.beside or Path(settings.where.removeprefix(SQLITE))
    return Place(settings.where, base)


def schemas() -> tuple[Schema, ...]:
    """Every group of tables a room's database has."""
    from croupier.ledger.backup import LEDGER
    from croupier.room.door.register import SCHEMA

    return LEDGER, SCHEMA
