"""The administration chain against its signatures, the folder of keys, and the room's own tables.

Whoever changes a row behind the room's back does not change the chain, and cannot sign another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from croupier.ledger.administration import (
    ACTIVE,
    DELETED,
    Account,
    KeyAdded,
    Plan,
    Standing,
    admin_event,
    digest_of,
)
from croupier.ledger.audit_signatures import Signatures
from croupier.ledger.catalogue import Catalogue, catalogue_of
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.discrepancy import Discrepancies
from croupier.ledger.entry import Entry
from croupier.ledger.keys import PublicKeys
from croupier.ledger.ledger import Ledger
from croupier.ledger.sql import ROOM, Row, SqlStore
from croupier.rules.money import in_dollars

CHAINED_SINCE = 5  # the version of the room's tables from which on every change is in the chain


class RoomAudit:
    """The chain from its first entry to its last. Afterwards ``standing`` is the room as the chain
    has it, and ``keys`` are the keys to check the tables' checkpoints with."""

    def __init__(
        self,
        ledger: Ledger,
        witnessed: Iterable[Checkpoint],
        elsewhere: Mapping[str, Iterable[Checkpoint]],
    ) -> None:
        self.ledger = ledger
        self.wrong = Discrepancies(ROOM)
        self.notes: list[str] = []
        self.standing = Standing()
        self.entries = 0
        self._head = Head()
        self._entries = list(ledger.store.read(ROOM))
        self._fold()
        # Keys that the chain names are good for checking it though somebody removed their files.
        chain = {key: bytes.fromhex(public) for key, public in self.standing.public.items()}
        self.keys = PublicKeys({**ledger.keys.public, **chain})
        self.signatures = Signatures(
            self.keys, ledger.store.checkpoints(ROOM), witnessed, self.wrong, elsewhere
        )

    @property
    def there(self) -> bool:
        """Whether the ledger has such a chain; one without a room has none."""
        signatures = self.signatures
        said = signatures.witnessed.union(*signatures.elsewhere.values())
        return bool(self.entries or signatures.stored or said)

    def audit(self) -> None:
        if not self.there:
            self._missing()
            return
        for entry in self._entries:
            self.signatures.see(entry)
        self.signatures.end(self._head.sequence, self.ledger.witness)
        self._signed_to_the_end()
        self._keys_in_order()
        self._keys_in_the_folder()
        if self.standing.keys:
            # From here on only keys of the chain are good.
            self.keys = PublicKeys({key: self.keys.public[key] for key in self.standing.keys})
        self._tables()
        if isinstance(self.ledger.store, SqlStore):
            RoomTables(self.ledger.store, self.standing, self.wrong).compare()

    def _missing(self) -> None:
        """Unless the room's tables are of before there was such a chain."""
        store = self.ledger.store
        if not isinstance(store, SqlStore):
            return
        found = catalogue_of(store)
        versions = rows_of(store, found, "people_migrations", ("version", 0))
        people = len(rows_of(store, found, "people", ("name", "")))
        if people and (CHAINED_SINCE,) in versions:
            sentence = f"The administration chain is missing: the room has {people:,} accounts."
            self.wrong.add(0, sentence)

    # --- the chain ----------------------------------------------------------------------------

    def _fold(self) -> None:
        for entry in self._entries:
            self.entries += 1
            self._follow(entry)
            try:
                event = admin_event(entry)
            except (msgspec.MsgspecError, TypeError) as error:
                self.wrong.add(entry.sequence, f"What was done cannot be read: {error}.")
                continue
            if entry.sequence == 1 and not isinstance(event, KeyAdded):
                self.wrong.add(1, "The administration chain does not begin with a key.")
            if wrong := self.standing.see(event, entry.sequence):
                self.wrong.add(entry.sequence, wrong)

    def _follow(self, entry: Entry) -> None:
        try:
            wrong = flaw(entry, ROOM, self._head)
        except TypeError:  # a damaged file may hold anything
            wrong = "it cannot be read"
        if wrong:
            self.wrong.add(entry.sequence, f"In the chain {wrong}.")
        sequence = entry.sequence if isinstance(entry.sequence, int) else self._head.sequence + 1
        self._head = Head(sequence, entry.hash, max(str(entry.time), self._head.time))

    def _signed_to_the_end(self) -> None:
        """Every change is signed at once. What is behind the last signature was not written by
        the room."""
        signed = [each.sequence for _, each in self.signatures.trusted]
        last = max((each for each in signed if each <= self._head.sequence), default=0)
        if last < self._head.sequence:
            for entry in self._entries:
                if isinstance(entry.sequence, int) and entry.sequence > last:
                    self.wrong.add(entry.sequence, "No key of the room has signed this entry.")

    # --- keys ---------------------------------------------------------------------------------

    def _keys_in_order(self) -> None:
        """A key that is added later is recorded under a key from before."""
        standing, first = self.standing, set(self.standing.first_keys)
        trusted = sorted((each for _, each in self.signatures.trusted), key=_sequence)
        for each in trusted:
            if standing.keys.get(each.key, each.sequence + 1) > each.sequence:
                sentence = f"This is signed by {each.key}, a key that the chain did not have then."
                self.wrong.add(each.sequence, sentence)
        for key, added in standing.keys.items():
            behind = next((each for each in trusted if each.sequence >= added), None)
            if key in first or behind is None:
                continue
            if standing.keys.get(behind.key, added) >= added:
                sentence = f"The key {key} is added, but no key from before has signed that."
                self.wrong.add(added, sentence)

    def _keys_in_the_folder(self) -> None:
        folder, chain = self.ledger.keys, self.standing.keys
        if not chain:
            return
        for key in folder.in_order():
            if key not in chain:
                self.wrong.add(
                    0,
                    f"The folder of keys holds the signing key {key}, which the administration "
                    "chain does not name: it was added.",
                )
            elif folder.public[key].hex() != self.standing.public[key]:
                self.wrong.add(0, f"The signing key {key} is another than the chain names.")
        self._removed_keys()
        both = [key for key in folder.in_order() if key in chain]
        if both != [key for key in chain if key in both]:
            self.wrong.add(0, "The signing keys in the folder have changed places.")

    def _removed_keys(self) -> None:
        removed = [key for key in self.standing.keys if key not in self.ledger.keys.public]
        used = {each.key for each in self._all_stored()} if removed else set()
        for key in removed:
            if key in used:
                self.wrong.add(
                    0,
                    f"The signing key {key}, which the administration chain names, is not in the "
                    "folder of keys: it was removed.",
                )
            else:
                self.notes.append(
                    f"The signing key {key} was recorded, but is not in the folder of keys. It has "
                    "signed nothing."
                )

    def _all_stored(self) -> Iterator[Checkpoint]:
        yield from self.signatures.stored
        for name in self.ledger.store.tables():
            yield from self.ledger.store.checkpoints(name)

    # --- tables -------------------------------------------------------------------------------

    def _tables(self) -> None:
        """Every table that was ever open is there, with the entry it began with; and no other."""
        store, standing = self.ledger.store, self.standing
        there = set(store.tables())
        for name, first in standing.listed.items():
            entry = store.entry(name, 1) if name in there else None
            if entry is None:
                self.wrong.add(
                    0, f"The table {name} was opened in this room, but is gone: it was deleted."
                )
            elif entry.hash != first:
                sentence = f"The table {name} does not begin with the entry it was opened with."
                self.wrong.add(0, sentence)
        for name in sorted(there - standing.listed.keys() - standing.plans.keys(), key=str):
            self.wrong.add(
                0, f"The table {name} is in the store, but nobody opened it in this room."
            )


def _sequence(checkpoint: Checkpoint) -> int:
    return checkpoint.sequence


class RoomTables:
    """What the room keeps in tables of its own, against the chain."""

    def __init__(self, store: SqlStore, standing: Standing, wrong: Discrepancies) -> None:
        self.store = store
        self.standing = standing
        self.wrong = wrong
        self._catalogue = catalogue_of(store)

    def compare(self) -> None:
        self._people()
        self._grants()
        self._plans()

    def _rows(self, table: str, *columns: tuple[str, object]) -> list[Row]:
        return rows_of(self.store, self._catalogue, table, *columns)

    def _say(self, sentence: str) -> None:
        self.wrong.add(0, sentence)

    def _people(self) -> None:
        columns = (("name", ""), ("role", ""), ("password", ""), ("guest", None), ("state", ACTIVE))
        if "people" not in self._catalogue.tables:
            return
        found = {row[0]: row[1:] for row in self._rows("people", *columns)}
        for name, account in self.standing.accounts.items():
            if name not in found:
                self._say(
                    f"The account {name} is not in the room's table: it was deleted behind the "
                    "room's back."
                )
            else:
                self._account(name, account, found[name])
        for name in found.keys() - self.standing.accounts.keys():
            self._say(
                f"The account {name} was added behind the room's back: the administration chain "
                "does not know it."
            )

    def _account(self, name: str, account: Account, row: Row) -> None:
        role, password, guest, state = row
        if role != account.role:
            self._say(
                f"The role of {name} is {role} in the room's table, and {account.role} by the "
                "administration chain: it was changed."
            )
        if digest_of(str(password)) != account.password:
            self._say(
                f"The password hash of {name} is not the one in the administration chain: it was "
                "replaced."
            )
        if state != account.state:
            self._say(
                f"The account {name} is {state} in the room's table, and {account.state} by the "
                "administration chain: it was changed."
            )
        if guest is not None and bool(guest) != account.guest and account.state != DELETED:
            kind = "a guest" if account.guest else "no guest"
            self._say(f"By the administration chain {name} is {kind}: the room's table differs.")

    def _grants(self) -> None:
        if "grants" not in self._catalogue.tables:
            return
        found: dict[str, int] = {}
        for name, cents in self._rows("grants", ("name", ""), ("cents", 0)):
            found[name] = found.get(name, 0) + (cents if isinstance(cents, int) else 0)
        granted = self.standing.granted
        for name in sorted({*found, *granted}, key=str):
            ours, theirs = granted.get(name, 0), found.get(name, 0)
            if ours != theirs:
                what = "raised" if theirs > ours else "lowered"
                self._say(
                    f"{name} was granted {in_dollars(ours)} by the administration chain, and "
                    f"{in_dollars(theirs)} by the room's table: the balance was {what}."
                )

    def _plans(self) -> None:
        columns = ("table_id", "opened_by", "betting_seconds", "decision_seconds")
        if "plans" not in self._catalogue.tables:
            return
        rows = self._rows("plans", *((name, "") for name in columns))
        found = {row[0]: Plan(*row[1:]) for row in rows}
        for table, plan in self.standing.plans.items():
            if table not in found:
                self._say(f"The plan of table {table} is gone: it was deleted.")
            elif found[table].opened_by != plan.opened_by:
                self._say(
                    f"Table {table} was opened by {plan.opened_by or 'the room'}, not by "
                    f"{found[table].opened_by or 'the room'}, as its plan says: it was changed."
                )
            elif found[table] != plan:
                self._say(f"The clocks of table {table} are not those it was opened with.")
        for table in found.keys() - self.standing.plans.keys():
            self._say(f"There is a plan of table {table}, which nobody made in this room.")


def rows_of(
    store: SqlStore, found: Catalogue, table: str, *columns: tuple[str, object]
) -> list[Row]:
    """Of a table that may be older and lack some columns, which then have the value given."""
    if table not in found.tables:
        return []
    there = found.tables[table].columns
    wanted = [name for name, _ in columns if name in there]
    rows = store.look(f"SELECT {', '.join(wanted)} FROM {table}")
    return [
        tuple(dict(zip(wanted, row, strict=True)).get(name, other) for name, other in columns)
        for row in rows
    ]
