"""A backup put back: first seen to be whole and not older than what was signed, then written, and
audited in the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.archive import Archive
from croupier.ledger.audit import Report, audit
from croupier.ledger.backup import LEDGER, read_keys, restore, restore_keys, target
from croupier.ledger.catalogue import Schema
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Witness
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.losses import Loss, accept, accepted, lost
from croupier.ledger.place import Place
from croupier.ledger.reading import Untouched, reading

CHAINS = "SELECT DISTINCT table_id FROM entries"


class Lost(Refused):
    """The copy is older than what was signed, and nobody said that this is accepted."""

    def __init__(self, losses: Sequence[Loss], command: str) -> None:
        told = " ".join(map(str, losses))
        super().__init__(f"{told} Nothing was changed; {command} accepts that and records it.")
        self.losses = losses


class Restored(Struct, frozen=True):
    rows: dict[str, int]
    losses: list[Loss]
    report: Report


def restore_backup(
    file: Path,
    place: Place,
    schemas: Sequence[Schema],
    *,
    keys: Path | None = None,
    witnesses: Sequence[Path] = (),
    accept_loss: bool = False,
) -> Restored:
    """Write a backup to an empty place and audit it there. ``witnesses`` are copies of the witness
    file, beside the one that may be at the place."""
    archive = Archive(file)
    key_files = read_keys(keys) if keys else {}
    known = _keys(place, key_files)
    losses = _lost(_heads(archive), place, known, witnesses)
    if losses and not accept_loss:
        raise Lost(losses, "--accept-loss")
    rows = restore(archive, target(place.where), schemas)
    if key_files:
        restore_keys(key_files, place.keys)
    return Restored(rows, losses, _settled(place, losses, schemas))


def accept_copy(
    place: Place,
    schemas: Sequence[Schema],
    *,
    witnesses: Sequence[Path] = (),
    accept_loss: bool = False,
) -> Restored:
    """The same for a copy that was put in its place by other means."""
    looked = reading(place.where, place.base)
    try:
        names = [row[0] for row in looked.view.stream(CHAINS)]
        found = {name: looked.store.head(name) for name in names}
    finally:
        looked.close()
    heads = {name: Head.of(entry) for name, entry in found.items() if entry}
    losses = _lost(heads, place, _keys(place, {}), witnesses)
    if losses and not accept_loss:
        raise Lost(losses, "--accept-loss")
    return Restored({}, losses, _settled(place, losses, schemas))


def _keys(place: Place, files: dict[str, str]) -> Keys:
    """Those of the place and those that are to be restored there, without writing any."""
    there = place.keys.is_dir() and any(place.keys.glob("*.key"))
    if not there and not files:
        raise Refused(
            f"There are no keys in {place.keys}: give their backup with --keys. Without them no "
            "table can be opened."
        )
    disk = Untouched()
    for name, text in files.items():
        disk.create(place.keys / name, text.encode())
    try:
        return Keys(place.keys, disk=disk)
    except OSError as error:
        raise Refused(f"The keys cannot be read: {error}.") from None


def _heads(archive: Archive) -> dict[str, Head]:
    """Where each chain of a backup ends. Reads all of it, so a damaged file is refused here."""
    heads: dict[str, Head] = {}
    for section, row in archive.rows():
        if section.table == "entries":
            found = dict(zip(section.columns, row, strict=True))
            table, sequence = str(found["table_id"]), found["sequence"]
            if isinstance(sequence, int) and (
                table not in heads or sequence > heads[table].sequence
            ):
                heads[table] = Head(sequence, str(found["hash"]), str(found["time"]))
    return heads


def _lost(
    heads: dict[str, Head], place: Place, keys: Keys, witnesses: Sequence[Path]
) -> list[Loss]:
    for path in witnesses:
        if not path.is_file():
            raise Refused(f"There is no witness file at {path}.")
    all_of_them = [place.witness, *map(Witness, witnesses)]
    return lost(heads, all_of_them, keys, accepted(place.witness, keys))


def _settled(place: Place, losses: Sequence[Loss], schemas: Sequence[Schema]) -> Report:
    """Record the losses, tell the witness what it missed, and audit."""
    ledger = Ledger.at(place.where, beside=place.base)
    try:
        accept(ledger, losses)
        view = reading(place.where, place.base)
        try:
            names = [row[0] for row in view.view.stream(CHAINS)]
        finally:
            view.close()
        for name in names:
            head = ledger.store.head(name)
            ledger.witnessed(name, head.sequence if head else 0)
    finally:
        ledger.close()
    looked = reading(place.where, place.base)
    try:
        room = next((each for each in schemas if each != LEDGER), None)
        return audit(looked, room=room)
    finally:
        looked.close()
