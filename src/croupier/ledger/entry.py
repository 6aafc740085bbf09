"""One line of the ledger: who asked what, what happened, and the hash that chains it to the last.

Events and commands are kept as the JSON text msgspec gives them: fields in the order they are
declared, wagers in the order they were named, for that order decides in which they are settled.
The hash is over the text as it is stored, so nobody who checks it has to write JSON our way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import Struct
from msgspec.json import Decoder, Encoder

from croupier.ledger.accounts import Transfer
from croupier.ledger.records import AnyHappening, AnyRequest, Happening
from croupier.table.commands import Actor, Command, Role

GENESIS = "0" * 64  # what stands before the first entry

_as_declared = Encoder()
_sorted = Encoder(order="sorted")
_happening = Decoder(AnyHappening)
_request = Decoder(AnyRequest)
_transfers = Decoder(tuple[Transfer, ...])


class Entry(Struct, frozen=True, gc=False):
    table: str
    sequence: int  # 1, 2, 3 ... at each table
    time: str  # UTC, never earlier than the entry before
    actor: str
    command_id: str
    command: str  # on the first entry of what it brought about, else nothing
    event: str
    previous: str  # the hash of the entry before
    hash: str = ""
    moved: str = ""  # what money, as JSON; not hashed, for it follows from the event

    def happening(self) -> Happening:
        """The event or record, its secrets still sealed."""
        happening: Happening = _happening.decode(self.event)
        return happening

    def request(self) -> Command | None:
        """The command this entry begins to answer, its secrets still sealed."""
        if not self.command:
            return None
        request: Command = _request.decode(self.command)
        return request

    def transfers(self) -> tuple[Transfer, ...]:
        """What money the event moved."""
        if not self.moved:
            return ()
        transfers: tuple[Transfer, ...] = _transfers.decode(self.moved)
        return transfers


def answers(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """What each command brought about; its first entry carries it."""
    written: list[Entry] = []
    for entry in entries:
        if entry.command and written:
            yield written
            written = []
        written.append(entry)
    if written:
        yield written


def canonical(value: object) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: what hashes and signatures are over."""
    return _sorted.encode(value)


def text(thing: Struct | tuple[Transfer, ...]) -> str:
    """An event, a record, a command or what was moved, as it is stored."""
    return _as_declared.encode(thing).decode()


class _Content(Struct, frozen=True, gc=False):
    """What is hashed: every field before the hash, by name, so that as declared is canonical."""

    actor: str
    command: str
    command_id: str
    event: str
    previous: str
    sequence: int
    table: str
    time: str


def digest(entry: Entry) -> str:
    """SHA-256 over the canonical JSON of every field but the hash and what follows it."""
    content = _Content(
        entry.actor,
        entry.command,
        entry.command_id,
        entry.event,
        entry.previous,
        entry.sequence,
        entry.table,
        entry.time,
    )
    return sha256(_as_declared.encode(content)).hexdigest()


def chained(
    table: str,
    sequence: int,
    time: str,
    actor: str,
    command_id: str,
    command: str,
    event: str,
    previous: str,
    moved: str = "",
) -> Entry:
    """An entry with its hash, behind the one of that hash."""
    content = _Content(actor, command, command_id, event, previous, sequence, table, time)
    own = sha256(_as_declared.encode(content)).hexdigest()
    return Entry(table, sequence, time, actor, command_id, command, event, previous, own, moved)


def fingerprint(request: Command) -> str:
    """What tells two commands apart when one of them is not kept."""
    return sha256(canonical(request)).hexdigest()


def stamp(moment: datetime, last: str = "") -> str:
    """The time of an entry; a clock that jumps back does not take the ledger with it."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    if utc.microsecond:  # as JSON has it, which is made ten times as fast
        told = _as_declared.encode(utc)[1:-1].decode()
    else:
        told = utc.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
    return told if told > last else last


def named(by: Actor) -> str:
    """An actor as the ledger writes one."""
    return f"player {by.player}" if by.role is Role.PLAYER else str(by.role)
