"""The database's objects, versions and balances against what they should be."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.law.refused import Refused
from croupier.ledger.catalogue import (
    Catalogue,
    Schema,
    catalogue_of,
    differences,
    expected,
    gaps,
)
from croupier.ledger.reading import OneView
from croupier.ledger.schema import MIGRATIONS, REFUSALS_CHAINED, taken_in_all
from croupier.ledger.sql import SqlStore
from croupier.rules.money import in_dollars

CURRENT = len(MIGRATIONS)


def schema_wrong(store: SqlStore, room: Schema | None) -> Iterator[str]:
    """``room`` is the schema of the room's tables. Where it is not known they are not compared."""
    version = store.schema_version if isinstance(store, OneView) else CURRENT
    found = catalogue_of(store)
    yield from gaps("migrations", _versions(store, "migrations"))
    others: list[tuple[Schema, int]] = []
    if room and room.versions in found.tables:
        done = _versions(store, room.versions)
        yield from gaps(room.versions, done)
        others.append((room, len(done)))
    unknown = room is None and "people_migrations" in found.tables
    foreign = unknown or version < CURRENT
    wrong = list(differences(expected(version, *others), found, version, foreign=foreign))
    if wrong and version < CURRENT and _fits(found, others, foreign=unknown):
        yield (
            f"The store says that its version is {version}, but its tables are those of version "
            f"{CURRENT}: the version was changed."
        )
        return
    yield from wrong


def _fits(found: Catalogue, others: list[tuple[Schema, int]], *, foreign: bool) -> bool:
    ours = expected(CURRENT, *others)
    return not any(differences(ours, found, CURRENT, foreign=foreign))


def _versions(store: SqlStore, table: str) -> list[object]:
    return [row[0] for row in store.look(f"SELECT version FROM {table} ORDER BY version")]


def purses_wrong(store: SqlStore) -> Iterator[str]:
    """What each player took to tables, by the row kept up with every entry and by all movements."""
    if isinstance(store, OneView) and store.schema_version < REFUSALS_CHAINED:
        return  # there are no such rows yet
    try:
        moved = {name: int(cents) for name, cents in store.look(taken_in_all(store.dialect))}
    except (Refused, TypeError, ValueError):
        yield "What players took to tables cannot be added up: a movement cannot be read."
        return
    try:
        kept: dict[str, object] = dict(store.look("SELECT name, taken FROM purses"))
    except Refused:
        return  # the missing table is named elsewhere
    for name in sorted({*moved, *kept}, key=str):
        ours, theirs = moved.get(name, 0), kept.get(name, 0)
        if ours == theirs:
            continue
        if not isinstance(theirs, int):
            yield f"What {name} took to tables cannot be read."
            continue
        what = "raised" if theirs < ours else "lowered"
        yield (
            f"{name} took {in_dollars(ours)} to tables by the movements, and {in_dollars(theirs)} "
            f"by the row of balances: the balance was {what}."
        )
