"""From a judged command to all that is written of it, and the state it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from croupier.ledger import snapshot
from croupier.ledger.accounts import agree, carried, standing, transfers
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import signed
from croupier.ledger.entry import Entry, chained, named, stamp, text
from croupier.ledger.kept import Kept, evolve
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening
from croupier.ledger.shuffles import due
from croupier.ledger.store import Batch, Movement, Remembered
from croupier.rules.money import Cents
from croupier.table.commands import Command
from croupier.table.events import RoundEnded


class Asked(Struct, frozen=True, gc=False):
    """A command with the id its sender gave it, and who asked."""

    request: Command
    command_id: str
    actor: str = ""

    def by(self) -> str:
        """Whoever is named, else whoever the command says."""
        return self.actor or named(self.request.by)


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
            movements += [
                Movement(table, sequence, number, each.source, each.target, each.cents)
                for number, each in enumerate(moved, 1)
            ]
        kept = evolve(kept, happening)
    assert kept is not None
    agree(balances, standing(kept.table))
    for record in due(kept.shuffles, kept.table, ledger.entropy):
        happened.append(record)
        kept = evolve(kept, record)
    entries = _entries(ledger, table, head, asked, happened)
    last = Head.of(entries[-1])
    over = RoundEnded in map(type, answer)
    batch = Batch(
        entries=entries,
        movements=tuple(movements),
        refusals=refusals,
        checkpoint=(
            signed(ledger.keys, table, last)
            if over or _passed(head, last, ledger.checkpoint_every)
            else None
        ),
        snapshot=(
            snapshot.sealed(ledger.sealer, kept, last.sequence, last.hash)
            if _passed(head, last, ledger.snapshot_every)
            else None
        ),
    )
    return Draft(batch, tuple(happened), kept, last)


def _entries(
    ledger: Ledger, table: str, head: Head, asked: Asked, happened: list[Happening]
) -> tuple[Entry, ...]:
    """Chained to the head, secrets sealed; the first carries the command."""
    sealer, time, actor = ledger.sealer, stamp(ledger.clock(), head.time), asked.by()
    command = text(sealer.sealed(asked.request, table, head.sequence + 1, "command"))
    entries, previous = [], head.hash
    for sequence, happening in enumerate(happened, head.sequence + 1):
        event = text(sealer.sealed(happening, table, sequence, "event"))
        entry = chained(table, sequence, time, actor, asked.command_id, command, event, previous)
        entries.append(entry)
        previous, command = entry.hash, ""
    return tuple(entries)


def _passed(before: Head, after: Head, every: int) -> bool:
    return after.sequence // every > before.sequence // every
