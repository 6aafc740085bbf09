"""The administration chain: accounts, roles, grants, tables and pauses of a room, signed.

A room keeps its people and settings in ordinary tables of the database. Every change of these is
also an entry of one chain, written in the same transaction and signed at once. The audit folds the
chain and compares it with the tables, so that a row changed behind the room's back is named.

The chain lies in the ledger's own ``entries`` under a name that no table can have.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from threading import Lock

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import astuple, replace

from croupier.law.refused import Refused
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint, Witness, genuine, signed
from croupier.ledger.entry import Entry, chained, stamp, text
from croupier.ledger.keys import Keys, key_id
from croupier.ledger.outside import Clock, Entropy, utc
from croupier.ledger.sql import CHECKPOINTS, ENTRIES, ROOM, Change, SqlStore
from croupier.ledger.store import Fenced, Unwritten
from croupier.rules.money import Cents

ACTIVE, DISABLED, DELETED = "active", "disabled", "deleted"  # states of an account
ROOM_ITSELF = "room"  # the actor where nobody in particular acts
MOST_UNTOLD = 100  # checkpoints that wait for the witness
LOOKED_BACK = 50  # entries before the last one that the witness knows
TRIES = 50  # when other processes write to the chain at the same time


log = logging.getLogger("croupier.administration")


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
    tables: bool = False  # also the guest's open tables; older entries left them with the guest


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


class AccountUnlocked(AdminEvent, frozen=True, tag=True):
    """The waits after failed log-ins with this name are over."""

    name: str


class SessionsEnded(AdminEvent, frozen=True, tag=True):
    """Every session of the account was ended, and nothing else was changed."""

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
    | AccountUnlocked
    | SessionsEnded
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


class Account(Struct):
    """An account as the chain has it."""

    role: str
    guest: bool
    password: str
    state: str = ACTIVE


class Plan(Struct, frozen=True):
    opened_by: str
    betting_seconds: int
    decision_seconds: int


class Standing:
    """What the chain says, folded: the room as it must be."""

    def __init__(self) -> None:
        self.keys: dict[str, int] = {}  # and the entry that added each
        self.public: dict[str, str] = {}
        self.accounts: dict[str, Account] = {}
        self.granted: dict[str, Cents] = {}
        self.plans: dict[str, Plan] = {}
        self.listed: dict[str, str] = {}  # every table that was ever open, by its first hash

    def see(self, event: AdminEvent, sequence: int) -> str:
        """Fold one event. Returns what is wrong with it, where it cannot follow the others."""
        match event:
            case KeyAdded(key=key, public=public):
                return self._key(key, public, sequence)
            case AccountAdded(name=name):
                if name in self.accounts:
                    return f"The account {name} is added a second time."
                self.accounts[name] = Account(event.role, event.guest, event.password)
            case GuestNamed(guest=guest, name=name, tables=True):
                for table, plan in self.plans.items():
                    if plan.opened_by == guest:
                        self.plans[table] = replace(plan, opened_by=name)
            case ChipsGranted(name=name, cents=cents):
                self.granted[name] = self.granted.get(name, 0) + cents
            case TablePlanned(table=table):
                self.plans[table] = Plan(
                    event.opened_by, event.betting_seconds, event.decision_seconds
                )
            case TableListed(table=table, hash=hash):
                if self.listed.setdefault(table, hash) != hash:
                    return f"The table {table} is opened a second time, with another first entry."
            case TableDelisted(table=table):
                self.plans.pop(table, None)
            case (
                RoleChanged(name=name)
                | PasswordChanged(name=name)
                | AccountDisabled(name=name)
                | AccountEnabled(name=name)
                | AccountDeleted(name=name)
                | AccountUnlocked(name=name)
                | SessionsEnded(name=name)
            ):
                return self._change(name, event)
        return ""

    def _key(self, key: str, public: str, sequence: int) -> str:
        try:
            fits = key_id(bytes.fromhex(public)) == key
        except ValueError:
            fits = False
        if not fits:
            return f"The key {key} is not the one it is named after."
        self.keys.setdefault(key, sequence)
        self.public[key] = public
        return ""

    def _change(self, name: str, event: AdminEvent) -> str:
        account = self.accounts.get(name)
        if account is None:
            return f"The account {name} is changed, but was never added."
        match event:
            case RoleChanged(role=role):
                account.role = role
            case PasswordChanged(password=password):
                account.password = password
            case AccountDisabled():
                account.state = DISABLED
            case AccountEnabled():
                account.state = ACTIVE
            case AccountDeleted():
                account.state, account.password = DELETED, ""
        return ""

    @property
    def first_keys(self) -> list[str]:
        """Those the chain begins with. Any other must be recorded under a key from before."""
        return [key for number, key in enumerate(self.keys, 1) if self.keys[key] == number]


class Administration:
    """Writes the chain. Methods wait for the disk: call them from a thread.

    The chain begins with the signing keys of the ledger. From then on only keys that it names are
    used, also where somebody puts another one into the folder.
    """

    def __init__(
        self,
        store: SqlStore,
        keys: Keys,
        *,
        clock: Clock = utc,
        entropy: Entropy,
    ) -> None:
        """``store`` has the ledger's witness, so that this hears of every checkpoint."""
        self._store = store
        self._keys = keys
        self._clock = clock
        self._entropy = entropy
        self._lock = Lock()
        self._head: Head | None = None
        self._untold: list[Checkpoint] = []
        known = [event.key for event in self._events() if isinstance(event, KeyAdded)]
        if known:
            keys.allow_only(known)
        if store.witness:
            self._compare(store.witness)

    def record(self, by: str, events: Sequence[AdminEvent], *changes: Change) -> None:
        """Write the events and the changes of the room's tables that go with them: all or nothing.

        ``by`` is who did it, such as "owner Ann". Raises Fenced if one of the changes conflicts
        with what is there, and Unwritten if the store cannot write.
        """
        with self._lock:
            for left in reversed(range(TRIES)):
                head = self._head or self._stored_head()
                first = [] if head.sequence else self._first_keys()
                done = [*((ROOM_ITSELF, key) for key in first), *((by, event) for event in events)]
                entries = self._entries(head, done)
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
            self._tell([checkpoint])

    def _tell(self, checkpoints: list[Checkpoint]) -> None:
        """The record is kept, so a witness that cannot write does not fail it: it is told again
        with the next record, or at the next start."""
        self._untold = [*self._untold, *checkpoints][-MOST_UNTOLD:]
        try:
            self._store.tell(self._untold)
        except Unwritten as error:
            log.warning("The witness missed a checkpoint of the administration chain: %s", error)
        else:
            self._untold = []

    def rotate_signing(self, by: str) -> str:
        """Sign with a new key from now on. It is recorded under the old key before it is written
        to the folder: a key in the folder that the chain does not name is never used."""
        new = self._keys.draw_signing()
        self.record(by, [KeyAdded(new.id, new.public.hex())])
        return self._keys.take_signing(new)

    def _compare(self, witness: Witness) -> None:
        """See that the witness knows nothing the store has lost, and tell it what it missed when
        this or another process died."""
        last = witness.latest(ROOM)
        if last and genuine(self._keys, last):
            entry = self._store.entry(ROOM, last.sequence)
            if entry is None or entry.hash != last.hash:
                raise Refused(
                    f"A signed checkpoint of the administration chain stands at entry "
                    f"{last.sequence}, which the store does not have: the chain was cut off, or an "
                    "old copy was put back."
                )
        after = max(0, last.sequence - LOOKED_BACK) if last else 0
        said: set[Checkpoint] = set()
        for each in witness.backwards():
            if each.table == ROOM:
                said.add(each)
                if each.sequence <= after:
                    break
        stored = self._store.checkpoints(ROOM, after)
        self._tell([each for each in stored if each not in said])

    def _first_keys(self) -> list[AdminEvent]:
        public = self._keys.public
        return [KeyAdded(key, public[key].hex()) for key in self._keys.in_order()]

    def _events(self) -> Iterator[AdminEvent]:
        return (admin_event(entry) for entry in self._store.read(ROOM))

    def _stored_head(self) -> Head:
        last = self._store.head(ROOM)
        return Head.of(last) if last else Head()

    def _entries(self, head: Head, done: Sequence[tuple[str, AdminEvent]]) -> list[Entry]:
        time = stamp(self._clock(), head.time)
        command_id = f"room {time} {self._entropy(6).hex()}"
        entries: list[Entry] = []
        for by, event in done:
            entry = chained(
                ROOM, head.sequence + 1, time, by, command_id, "", text(event), head.hash
            )
            entries.append(entry)
            head = Head.of(entry)
        return entries
