"""The administration chain: accounts, roles, grants, tables and pauses of a room, signed.

A room keeps its people and settings in ordinary tables of the database. Every change of these is
also an entry of one chain, written in the same transaction and signed at once. The audit folds the
chain and compares it with the tables, so that a row changed behind the room's back is named.

The chain lies in the ledger's own ``entries`` under a name that no table can have.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import astuple

from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import signed
from croupier.ledger.entry import Entry, chained, stamp, text
from croupier.ledger.keys import Keys
from croupier.ledger.outside import Clock, Entropy, utc
from croupier.ledger.sql import CHECKPOINTS, ENTRIES, ROOM, Change, SqlStore
from croupier.ledger.store import Fenced
from croupier.rules.money import Cents

TRIES = 50  # when other processes write to the chain at the same time


class AdminEvent(Struct, frozen=True, tag=True):
    """Something that was done to the room itself, not at one of its tables."""


class KeyAdded(AdminEvent, frozen=True, tag=True):
    """A key that may sign from here on. The first entry of the chain names the first key."""

    key: str  # its id
    public: str  # hexadecimal


class AccountAdded(AdminEvent, frozen=True, tag=True):
    name: str
    role: str
    guest: bool
    password: str  # the digest of the stored password hash; empty for a guest


class GuestNamed(AdminEvent, frozen=True, tag=True):
    """A guest became a named player. The account ``name`` is added and takes over the chips."""

    guest: str
    name: str


class RoleChanged(AdminEvent, frozen=True, tag=True):
    name: str
    role: str


class PasswordChanged(AdminEvent, frozen=True, tag=True):
    name: str
    password: str  # as in AccountAdded


class AccountDisabled(AdminEvent, frozen=True, tag=True):
    name: str


class AccountEnabled(AdminEvent, frozen=True, tag=True):
    name: str


class AccountDeleted(AdminEvent, frozen=True, tag=True):
    """The name stays taken for ever: the ledger's history is under it."""

    name: str


class ChipsGranted(AdminEvent, frozen=True, tag=True):
    """Below zero where chips went to another account."""

    name: str
    cents: Cents


class TablePlanned(AdminEvent, frozen=True, tag=True):
    """Somebody is about to open a table. A crash may come before it is open."""

    table: str
    opened_by: str
    betting_seconds: int
    decision_seconds: int


class TableListed(AdminEvent, frozen=True, tag=True):
    """The table is open: its first entry has this hash."""

    table: str
    hash: str


class TableDelisted(AdminEvent, frozen=True, tag=True):
    """The table is closed. Its history stays in the ledger."""

    table: str
    reason: str


class TablePaused(AdminEvent, frozen=True, tag=True):
    table: str
    at: str  # the device before whose work the table pauses; empty: at once


class TableResumed(AdminEvent, frozen=True, tag=True):
    table: str


AnyAdminEvent = (
    KeyAdded
    | AccountAdded
    | GuestNamed
    | RoleChanged
    | PasswordChanged
    | AccountDisabled
    | AccountEnabled
    | AccountDeleted
    | ChipsGranted
    | TablePlanned
    | TableListed
    | TableDelisted
    | TablePaused
    | TableResumed
)

_decoder: Decoder[AnyAdminEvent] = Decoder(AnyAdminEvent)


def admin_event(entry: Entry) -> AnyAdminEvent:
    return _decoder.decode(entry.event)


def digest_of(password_hash: str) -> str:
    """What the chain says of a stored password hash, so that a replaced one is found."""
    return sha256(password_hash.encode()).hexdigest() if password_hash else ""


class Administration:
    """Writes the chain. Methods wait for the disk: call them from a thread."""

    def __init__(
        self,
        store: SqlStore,
        keys: Keys,
        *,
        clock: Clock = utc,
        entropy: Entropy,
    ) -> None:
        self._store = store
        self._keys = keys
        self._clock = clock
        self._entropy = entropy
        self._lock = Lock()
        self._head: Head | None = None

    def record(self, by: str, events: Sequence[AdminEvent], *changes: Change) -> None:
        """Write the events and the changes of the room's tables that go with them: all or nothing.

        ``by`` is who did it, such as "owner Ann". Raises Fenced if one of the changes conflicts
        with what is there, and Unwritten if the store cannot write.
        """
        with self._lock:
            for left in reversed(range(TRIES)):
                head = self._head or self._stored_head()
                entries = self._entries(head, by, events)
                checkpoint = signed(self._keys, ROOM, Head.of(entries[-1]))
                rows: list[Change] = [(ENTRIES, astuple(each)) for each in entries]
                rows.append((CHECKPOINTS, astuple(checkpoint)))
                self._head = None  # unknown until the commit succeeds
                try:
                    self._store.change(*rows, *changes)
                except Fenced:
                    # Either another process extended the chain, or one of the changes conflicts.
                    if not left or self._stored_head() == head:
                        raise
                    continue
                self._head = Head.of(entries[-1])
                break
        self._store.tell([checkpoint])

    def _stored_head(self) -> Head:
        last = self._store.head(ROOM)
        return Head.of(last) if last else Head()

    def _entries(self, head: Head, by: str, events: Sequence[AdminEvent]) -> list[Entry]:
        time = stamp(self._clock(), head.time)
        command_id = f"room {time} {self._entropy(6).hex()}"
        entries: list[Entry] = []
        for event in events:
            entry = chained(
                ROOM, head.sequence + 1, time, by, command_id, "", text(event), head.hash
            )
            entries.append(entry)
            head = Head.of(entry)
        return entries
