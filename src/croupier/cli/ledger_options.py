"""Options of the commands that look into a ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from croupier.ledger.reading import Reading

StoreAt = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        help="A SQLite file or postgresql://...; croupier.db in your data directory if left out.",
    ),
]
Beside = Annotated[
    Path | None,
    typer.Option(
        "--beside",
        metavar="PATH",
        help="Where PATH.keys and PATH.checkpoints lie, if not beside the SQLite file.",
    ),
]
TableId = Annotated[str, typer.Option("--table", metavar="ID", help="One table of the ledger.")]


@contextmanager
def looking_at(store: str, beside: Path | None) -> Iterator[Reading]:
    """One view of the ledger; nothing of it is changed."""
    from croupier.ledger.ledger import POSTGRES
    from croupier.ledger.place import default_place
    from croupier.ledger.reading import reading

    if store.startswith(POSTGRES):
        beside = beside or default_place()
    opened = reading(store or default_place(), beside)
    try:
        yield opened
    finally:
        opened.close()
