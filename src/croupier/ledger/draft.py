"""From a judged command to all that is written of it, and the state it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.accounts import agree, carried, standing, transfers
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import signed
from croupier.ledger.entry import Entry, chained, named, stamp, text
from croupier.ledger.kept import Kept, evolve
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening, secrets_of
from croupier.ledger.shuffles import due
from croupier.ledger.store import Batch, Movement, Remembered
from croupier.rules.money import Cents
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
) -> Draft:
    """The answer goes into entries with what it makes due: seeds to reveal, the next promise. Each
    event's money is booked, and both bookkeepings must agree, or nothing comes of it."""
    happened = list(answer)
    movements: list[Movement] = []
    balances: Mapping[str, Cents] = standing(kept.table) if kept else {}
    for sequence, happening in enumerate(answer, head.sequence + 1):
        if moved := transfers(kept.table if kept else None, happening):
            balances = carried(balances, moved)
            for number, each in enumerate(moved, 1):
                source, target, cents = each.source, each.target, each.cents
                movements.append(Movement(table, sequence, number, source, target, cents))
        kept = evolve(kept, happening)
    assert kept is not None
    agree(balances, standing(kept.table))
    for record in due(kept.shuffles, kept.table, ledger.entropy):
        happened.append(record)
        kept = evolve(kept, record)
    entries = _entries(ledger, table, head, asked, happened)
    last = Head.of(entries[-1])
    before, after = head.sequence, last.sequence
    over = RoundEnded in map(type, answer)
    batch = Batch(
        entries=entries,
        movements=tuple(movements),
        refusals=refusals,
        checkpoints=(
            (signed(ledger.keys, table, last),)
            if over or after // ledger.checkpoint_every > before // ledger.checkpoint_every
            else ()
        ),
        snapshots=(
            (snapshot.sealed(ledger.sealer, kept, after, last.hash),)
            if after // ledger.snapshot_every > before // ledger.snapshot_every
            else ()
        ),
    )
    return Draft(batch, tuple(happened), kept, last)


def _entries(
    ledger: Ledger, table: str, head: Head, asked: Asked, happened: list[Happening]
) -> tuple[Entry, ...]:
    """Chained to the head, secrets sealed; the first carries the command."""
    time, command_id, actor = stamp(ledger.clock(), head.time), asked.command_id, asked.actor
    command, sealed = asked.text, ledger.sealer.sealed
    if secrets_of(type(asked.request)):
        command = text(sealed(asked.request, table, head.sequence + 1, "command"))
    entries, previous = [], head.hash
    for sequence, happening in enumerate(happened, head.sequence + 1):
        if secrets_of(type(happening)):
            happening = sealed(happening, table, sequence, "event")
        event = text(happening)
        entry = chained(table, sequence, time, actor, command_id, command, event, previous)
        entries.append(entry)
        previous, command = entry.hash, ""
    return tuple(entries)
