"""History that was lost because an older copy of a store was put back.

The witness file knows entries the copy does not have. Whoever runs the room may accept that; then a
signed line says so for ever, in the file ``.restored`` beside the witness file, and every audit
names it. What is signed:

    croupier restore 1\\n{"accepted":"...","hash":"...","kept":120,"lost":180,"table":"t1"}

A checkpoint is covered by such a line if it is of the table, stands behind the last entry that was
kept, and is not younger than the line. So nothing written after the restore is ever covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint, Witness, genuine, signed
from croupier.ledger.entry import canonical, stamp
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import DISK
from croupier.ledger.store import Batch

LABEL = b"croupier restore 1\n"
ENDING = ".restored"

Heads = Mapping[str, Head]  # the last entry of each chain of a copy


class Loss(Struct, frozen=True):
    """What a copy lacks of one chain."""

    table: str
    kept: int  # the sequence of the last entry the copy has; 0 where it does not know the table
    hash: str  # of that entry
    lost: int  # the highest sequence that was signed
    accepted: str = ""  # when somebody accepted it, UTC
    key: str = ""  # the id of the key that signed this
    signature: str = ""

    def __str__(self) -> str:
        ends = f"ends at entry {self.kept}" if self.kept else "is not there"
        sentence = (
            f"Table {self.table} {ends}, but entry {self.lost} was signed: "
            f"{self.kept + 1} to {self.lost} are lost"
        )
        return f"{sentence}; accepted {self.accepted}." if self.accepted else f"{sentence}."

    def covers(self, checkpoint: Checkpoint) -> bool:
        return (
            checkpoint.table == self.table
            and checkpoint.sequence > self.kept
            and checkpoint.time <= self.accepted
        )

    def message(self) -> bytes:
        content = {
            "accepted": self.accepted,
            "hash": self.hash,
            "kept": self.kept,
            "lost": self.lost,
            "table": self.table,
        }
        return LABEL + canonical(content)


# --- finding them ---------------------------------------------------------------------------


def lost(heads: Heads, witnesses: Iterable[Witness], keys: Keys, known: list[Loss]) -> list[Loss]:
    """What signed checkpoints know of each chain and a copy that ends at these heads does not;
    what was accepted before is left out."""
    last: dict[str, int] = {}
    for witness in witnesses:
        for each in witness.all():
            if each.sequence <= max(last.get(each.table, 0), _end(heads, each.table)):
                continue
            if genuine(keys, each) and not any(loss.covers(each) for loss in known):
                last[each.table] = each.sequence
    return [
        Loss(table, _end(heads, table), heads[table].hash if table in heads else "", sequence)
        for table, sequence in sorted(last.items())
    ]


def _end(heads: Heads, table: str) -> int:
    return heads[table].sequence if table in heads else 0


# --- accepting them -------------------------------------------------------------------------


def accept(ledger: Ledger, losses: Iterable[Loss]) -> list[Loss]:
    """Record that these are lost, signed. The witness is told where each chain stands now, so that
    it can be opened again."""
    assert ledger.witness
    accepted = []
    for loss in losses:
        time = stamp(ledger.clock(), _newest(ledger.witness, loss.table))
        made = msgspec.structs.replace(loss, accepted=time, key=ledger.keys.signing)
        signature = ledger.keys.sign(made.message()).hex()
        accepted.append(msgspec.structs.replace(made, signature=signature))
    try:
        lines = b"".join(canonical(each) + b"\n" for each in accepted)
        if lines:
            DISK.append(_path(ledger.witness), lines)
    except OSError as error:
        raise Refused(f"{_path(ledger.witness)} cannot be written: {error}.") from None
    for loss in accepted:
        _stands(ledger, loss)
    return accepted


def _newest(witness: Witness, table: str) -> str:
    """The time of the last checkpoint that is lost: the note must not be older."""
    return max((each.time for each in witness.all() if each.table == table), default="")


def _stands(ledger: Ledger, loss: Loss) -> None:
    entry = ledger.store.head(loss.table)
    if entry is None:
        return
    there = next(ledger.store.checkpoints(loss.table, entry.sequence - 1), None)
    if there:
        ledger.store.tell([there])
    else:
        refused = ledger.store.last_refusal(loss.table)
        checkpoint = signed(ledger.keys, loss.table, Head.of(entry), refused)
        ledger.store.write([Batch(checkpoints=(checkpoint,))])


def accepted(witness: Witness | None, keys: Keys) -> list[Loss]:
    """What was accepted so far, as far as one of our keys signed it."""
    path = _path(witness) if witness else None
    if path is None or not path.is_file():
        return []
    found = []
    for line in DISK.read(path).split(b"\n"):
        try:
            loss = msgspec.json.decode(line, type=Loss)
            signature = bytes.fromhex(loss.signature)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError):
            continue
        if keys.verify(loss.key, signature, loss.message()):
            found.append(loss)
    return found


def _path(witness: Witness) -> Path:
    return witness.path.with_suffix(ENDING)
