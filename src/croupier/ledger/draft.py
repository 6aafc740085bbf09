"""From a judged command to all that is written of it, and the state it leads to."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.accounts import Transfer, balanced, transfers
from croupier.ledger.chain import Head, RefusalHead
from croupier.ledger.checkpoint import NO_REFUSALS, signed
from croupier.ledger.entry import chained, named, stamp, text
from croupier.ledger.kept import Kept, evolve
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening, secrets_of
from croupier.ledger.shuffles import due
from croupier.ledger.store import Batch, Remembered
from croupier.table.commands import Command
from croupier.table.events import RoundEnded

LONGEST_ID = 64
LONGEST_COMMAND = 20_000  # characters of JSON


class Asked(Struct, frozen=True, gc=False):
    """A command with the id its sender gave it, who asked, and its JSON, secrets in the clear."""

    request: Command
    command_id: str
    actor: str
    text: str


def asked(request: Command, command_id: str, actor: str = "") -> Asked:
    """As it can be kept; the rest is refused before it is judged. Where no ``actor`` is named, it
    is whoever the command says."""
    if not 1 <= len(command_id) <= LONGEST_ID:
        raise Refused(f"A command's id has 1 to {LONGEST_ID} characters.")
    try:
        plain = text(request)
    except (UnicodeEncodeError, OverflowError):
        plain = ""
    readable = (command_id + actor).isprintable() and "\\u00" not in plain
    if not readable or not 0 < len(plain) <= LONGEST_COMMAND:
        raise Refused(f"A command is at most {LONGEST_COMMAND:,} plain characters.")
    return Asked(request, command_id, actor or named(request.by), plain)


class Draft(Struct, frozen=True, gc=False):
    batch: Batch
    happened: tuple[Happening, ...]
    kept: Kept
    head: Head


def draft(
    ledger: Ledger,
    table: str,
    kept: Kept | None,
    head: Head,
    asked: Asked,
    answer: Sequence[Happening],
    refusals: tuple[Remembered, ...] = (),
    refused: RefusalHead = NO_REFUSALS,
) -> Draft:
    """The answer goes into entries with what it makes due: seeds to reveal, the next promise. Each
    event's money is booked, and both bookkeepings must agree, or nothing comes of it. ``refused``
    is where the stored refusals stand, ``refusals`` are those that follow."""
    sealed, start = ledger.sealer.sealed, kept.table if kept else None
    time, sequence, previous = stamp(ledger.clock(), head.time), head.sequence, head.hash
    command, command_id, actor = asked.text, asked.command_id, asked.actor
    if secrets_of(type(asked.request)):
        command = text(sealed(asked.request, table, sequence + 1, "command"))
    happened, entries = list(answer), []
    all_moved: list[Transfer] = []
    before = start
    for happening in happened:
        sequence += 1
        if moved := transfers(before, happening):
            all_moved += moved
        kept = evolve(kept, happening)
        before = kept.table
        if happening.secret:
            happening = sealed(happening, table, sequence, "event")
        event, money = text(happening), text(moved) if moved else ""
        entry = chained(table, sequence, time, actor, command_id, command, event, previous, money)
        entries.append(entry)
        previous, command = entry.hash, ""  # only the first carries the command
        if sequence == head.sequence + len(answer):  # what all of it makes due comes behind it
            happened += due(kept.shuffles, before, ledger.entropy)
    assert kept is not None
    balanced(start, all_moved, kept.table)
    last = Head(sequence, previous, time)
    if refusals:
        refused = RefusalHead(refusals[-1].number, refusals[-1].hash)
    batch = Batch(
        entries=tuple(entries),
        refusals=refusals,
        checkpoints=(
            (signed(ledger.keys, table, last, refused),)
            if _passed(ledger.checkpoint_every, head, last) or RoundEnded in map(type, answer)
            else ()
        ),
        snapshots=(
            (snapshot.sealed(ledger.sealer, kept, sequence, previous),)
            if _passed(ledger.snapshot_every, head, last)
            else ()
        ),
    )
    return Draft(batch, tuple(happened), kept, last)


def _passed(every: int, before: Head, after: Head) -> bool:
    return after.sequence // every > before.sequence // every
