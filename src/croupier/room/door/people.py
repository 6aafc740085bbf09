"""The accounts of a room: guests, named players and staff.

Every change is an entry of the administration chain and a change of the room's tables in one
transaction. Those transactions are written one after the other, because each extends the chain, so
that conditions checked inside of one hold when it is committed.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import StrEnum

from argon2 import PasswordHasher
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    AccountAdded,
    AccountDeleted,
    AccountDisabled,
    AccountEnabled,
    AdminEvent,
    Administration,
    ChipsGranted,
    GuestNamed,
    PasswordChanged,
    RoleChanged,
    SessionsEnded,
    digest_of,
)
from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock, utc
from croupier.ledger.sql import Change, Row
from croupier.ledger.store import Fenced
from croupier.room.door import devices, passwords
from croupier.room.door.names import admit, folded, skeleton
from croupier.room.door.passwords import Passwords
from croupier.room.door.register import Register, required
from croupier.room.door.roles import STAFF, Role
from croupier.rules.money import Cents

GUEST_CHIPS: Cents = 1_000_00
PLAYER_CHIPS: Cents = 10_000_00
OWNER = "owner"  # the first account
ROOM = "room"  # who does what nobody asked for
MIGRATION = "migration"
MOST_LISTED = 500
LONGEST_NAME = 64  # characters of what is looked up; older names may be longer once normalised
FINDING_A_NUMBER = 20  # tries, each with room for more guests

COLUMNS = "name, role, guest, came, state, password"
ACTIVE = "people WHERE name = ? AND state = 'active'"
PLAYERS_LAST = """CASE state WHEN 'deleted' THEN 1 ELSE 0 END,
    CASE role WHEN 'player' THEN 1 ELSE 0 END, folded"""
NEWEST = "came DESC"
TABLES_TO = "UPDATE plans SET opened_by = ? WHERE opened_by = ?"
AN_OWNER = "people WHERE role = 'owner' AND state = 'active'"


class State(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    DELETED = "deleted"


class Person(Struct, frozen=True):
    name: str
    role: Role
    guest: bool
    came: str
    state: State = State.ACTIVE

    @property
    def actor(self) -> str:
        """As the administration chain names who did something."""
        return f"{self.role} {self.name}"


class People:
    """Methods wait for the disk or hash: call them from a thread."""

    def __init__(
        self,
        register: Register,
        administration: Administration,
        *,
        clock: Clock = utc,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self.register = register
        self.administration = administration
        self.clock = clock
        self.passwords = Passwords(hasher)
        self._adopt()

    def _adopt(self) -> None:
        """Add the accounts of an older store to the chain: once, whoever opens it first."""
        done = "SELECT 1 FROM adopted WHERE what = 'people'"
        if self.register.look(done):
            return
        people = self.register.look(f"SELECT {COLUMNS} FROM people ORDER BY came, folded")
        grants = self.register.look("SELECT name, cents FROM grants ORDER BY time, name")
        events: list[AdminEvent] = [
            AccountAdded(name, role, bool(guest), digest_of(password))
            for name, role, guest, _, _, password in people
        ]
        events += [ChipsGranted(name, int(cents)) for name, cents in grants]
        changes: list[Change] = [
            ("INSERT INTO adopted VALUES ('people', ?)", (stamp(self.clock()),))
        ]
        looks = "INSERT INTO looks VALUES (?, ?) ON CONFLICT DO NOTHING"
        changes += [(looks, (skeleton(name), name)) for name, _, guest, *_ in people if not guest]
        try:
            if events:
                self.administration.record(MIGRATION, events, *changes)
            else:
                self.register.change(*changes)
        except Fenced:
            if not self.register.look(done):  # else another process was first
                raise

    # --- new accounts ---------------------------------------------------------------------------

    def guest(self) -> Person:
        """A guest has a number nobody had before: the ledger remembers every name for ever."""
        for tried in range(FINDING_A_NUMBER):
            name = f"Guest {1000 + secrets.randbelow(9 * 10 ** (3 + tried // 3))}"
            try:
                return self._enter(name, Role.PLAYER, "", GUEST_CHIPS, by=ROOM)
            except Fenced:
                continue
        raise Refused("The room is full.", code="ROOM_FULL")

    def add(self, name: str, password: str, role: Role, *, by: str = ROOM) -> Person:
        """A named account; players get chips to play with."""
        name = self._free(name, role)
        hashed = self.passwords.hashed(passwords.check(password, name, role))
        return self._add(name, role, hashed, by)

    def add_without_password(self, name: str, role: Role, *, by: str) -> Person:
        """The same, until somebody sets a password with a link."""
        return self._add(self._free(name, role), role, self.passwords.unusable(), by)

    def _add(self, name: str, role: Role, hashed: str, by: str) -> Person:
        try:
            return self._enter(name, role, hashed, PLAYER_CHIPS if role is Role.PLAYER else 0, by)
        except Fenced:
            raise self._taken(name) from None

    def first_start(self) -> str | None:
        """Make the owner's account if there is no owner. Its password is returned this once."""
        if self.register.look(f"SELECT 1 FROM {AN_OWNER}"):
            return None
        password = secrets.token_urlsafe(15)
        try:
            self._enter(OWNER, Role.OWNER, self.passwords.hashed(password), 0, ROOM)
        except Fenced:  # another process was first
            return None
        return password

    def take_name(self, guest: Person, name: str, password: str, chips: Cents) -> Person:
        """A guest becomes a named player and takes chips and open tables along. Nobody may be
        spending the chips meanwhile, and the guest may not be at a table."""
        if not guest.guest:
            raise Refused("You have a name already.", code="NOT_A_GUEST")
        name = self._free(name, Role.PLAYER)
        hashed = self.passwords.hashed(passwords.check(password, name, Role.PLAYER))
        now = stamp(self.clock())
        events, changes = _entering(name, Role.PLAYER, hashed, chips, now)
        events.append(GuestNamed(guest.name, name, tables=True))
        changes.append((TABLES_TO, (name, guest.name)))
        if chips:
            events.append(ChipsGranted(guest.name, -chips))
            changes.append(_grant(guest.name, -chips, now))
        events.append(AccountDeleted(guest.name))
        changes += [*required(ACTIVE, guest.name), *_deleted(guest.name)]
        try:
            self.administration.record(guest.actor, events, *changes)
        except Fenced:
            self._still(guest.name, State.ACTIVE)
            raise self._taken(name) from None
        return Person(name, Role.PLAYER, False, now)

    def _free(self, name: str, role: Role) -> str:
        """The name as it will be stored. It is asked for before the password is hashed."""
        if role is Role.NOBODY:
            raise Refused("An account is a player's, supervisor's, auditor's or owner's.")
        name = admit(name)
        if self._resembled(name):
            raise self._taken(name)
        return name

    def _resembled(self, name: str) -> str:
        """The account that has this name, or one that looks like it."""
        rows = self.register.look("SELECT name FROM people WHERE folded = ?", folded(name))
        rows += self.register.look("SELECT name FROM looks WHERE skeleton = ?", skeleton(name))
        return str(rows[0][0]) if rows else ""

    def _taken(self, name: str) -> Refused:
        other = self._resembled(name)
        if not other or folded(other) == folded(name):
            return Refused(f"The name {name} is taken.", code="NAME_TAKEN")
        return Refused(f"The name {name} looks like {other}, which is taken.", code="NAME_TAKEN")

    def _enter(self, name: str, role: Role, hashed: str, chips: Cents, by: str) -> Person:
        now = stamp(self.clock())
        events, changes = _entering(name, role, hashed, chips, now)
        self.administration.record(by, events, *changes)
        return Person(name, role, not hashed, now)

    # --- changes of accounts --------------------------------------------------------------------

    def change_role(self, name: str, role: Role, *, by: str) -> Person:
        """The person's sessions end. A player who joins the staff needs a new password, because
        staff passwords are longer: the old one stops working."""
        person = self._account(name)
        if role is Role.NOBODY or role is person.role:
            raise Refused(f"{person.name} is {person.role.one} already.", code="NO_CHANGE")
        events: list[AdminEvent] = [RoleChanged(person.name, role.value)]
        changes: list[Change] = [
            ("UPDATE people SET role = ? WHERE name = ?", (role.value, person.name)),
            *_ended(person.name),
        ]
        if person.role is Role.PLAYER and role in STAFF:
            unusable = self.passwords.unusable()
            events.append(PasswordChanged(person.name, digest_of(unusable)))
            changes += _new_password(person.name, unusable)
        self._record(person, by, events, changes)
        return Person(person.name, role, False, person.came)

    def disable(self, name: str, *, by: str) -> Person:
        person = self._account(name, guests=True)
        self._record(
            person,
            by,
            [AccountDisabled(person.name)],
            [
                ("UPDATE people SET state = 'disabled' WHERE name = ?", (person.name,)),
                *_ended(person.name),
            ],
        )
        return Person(person.name, person.role, person.guest, person.came, State.DISABLED)

    def enable(self, name: str, *, by: str) -> Person:
        person = self.there(name)
        if person.state is not State.DISABLED:
            raise Refused(f"The account {person.name} is not disabled.", code="NO_CHANGE")
        self._record(
            person,
            by,
            [AccountEnabled(person.name)],
            [("UPDATE people SET state = 'active' WHERE name = ?", (person.name,))],
        )
        return Person(person.name, person.role, person.guest, person.came)

    def delete(self, name: str, *, by: str) -> Person:
        """The name stays taken. The password hash and everything about visits is removed."""
        person = self.there(name)
        self._record(person, by, [AccountDeleted(person.name)], _deleted(person.name))
        return Person(person.name, person.role, person.guest, person.came, State.DELETED)

    def set_password(
        self, name: str, password: str, *, by: str, changes: Sequence[Change] = ()
    ) -> Person:
        """Every session of this person ends, every link is void, no device is known any more."""
        person = self._account(name)
        hashed = self.passwords.hashed(passwords.check(password, person.name, person.role))
        self._change_password(person, hashed, by, changes)
        return person

    def void_password(self, name: str, *, by: str, changes: Sequence[Change] = ()) -> Person:
        """The same with a password that nobody knows."""
        person = self._account(name)
        self._change_password(person, self.passwords.unusable(), by, changes)
        return person

    def _change_password(
        self, person: Person, hashed: str, by: str, changes: Sequence[Change]
    ) -> None:
        events = [PasswordChanged(person.name, digest_of(hashed))]
        self._record(person, by, events, [*_new_password(person.name, hashed), *changes])

    def end_sessions(self, name: str, *, by: str) -> Person:
        person = self.there(name)
        self._record(person, by, [SessionsEnded(person.name)], _ended(person.name))
        return person

    def _record(
        self, person: Person, by: str, events: Sequence[AdminEvent], changes: Sequence[Change]
    ) -> None:
        """With the conditions that must still hold: the account is as it was read, and somebody
        owns the room afterwards."""
        as_read = "people WHERE name = ? AND role = ? AND state = ?"
        before = required(as_read, person.name, person.role.value, person.state.value)
        after = required(AN_OWNER) if person.role is Role.OWNER else []
        try:
            self.administration.record(by, events, *before, *changes, *after)
        except Fenced:
            self._still(person.name, person.state, person.role)
            if after and self._owners() <= 1:
                raise Refused(
                    f"{person.name} is the room's last owner: make another one first.",
                    code="LAST_OWNER",
                ) from None
            raise

    def _still(self, name: str, state: State, role: Role | None = None) -> None:
        found = self.find(name)
        if found is None or found.state is not state or (role and found.role is not role):
            raise Refused(
                f"Somebody else has just changed the account {name}: look again.", code="CHANGED"
            )

    def _owners(self) -> int:
        return int(self.register.look(f"SELECT count(*) FROM {AN_OWNER}")[0][0])

    def there(self, name: str) -> Person:
        person = self.find(name)
        if person is None or person.state is State.DELETED:
            raise Refused(f"There is no account {name!r}.", code="NO_SUCH_ACCOUNT")
        return person

    def _account(self, name: str, *, guests: bool = False) -> Person:
        """An active account, named unless guests will do."""
        person = self.there(name)
        if person.state is not State.ACTIVE:
            raise Refused(f"The account {person.name} is disabled.", code="DISABLED")
        if person.guest and not guests:
            raise Refused(
                f"{person.name} is a guest: guests have no password and no other role.",
                code="A_GUEST",
            )
        return person

    # --- looking up -----------------------------------------------------------------------------

    def find(self, name: str) -> Person | None:
        found = self.row(name)
        return found and found[0]

    def row(self, name: str) -> tuple[Person, str] | None:
        """A person and the stored hash of the password, which is empty if there is none."""
        if not name.isprintable() or len(name) > LONGEST_NAME:
            return None
        rows = self.register.look(f"SELECT {COLUMNS} FROM people WHERE folded = ?", folded(name))
        return (_person(rows[0]), rows[0][5]) if rows else None

    def listed(self, like: str = "", *, guests: bool = False) -> list[Person]:
        """Accounts, staff first: the named ones, or the newest guests. ``like`` is the beginning
        of a name. What is deleted comes last."""
        rows = self.register.look(
            f"SELECT {COLUMNS} FROM people WHERE guest = ? AND substr(folded, 1, ?) = ? "
            f"ORDER BY {NEWEST if guests else PLAYERS_LAST} LIMIT {MOST_LISTED}",
            int(guests),
            len(folded(like)),
            folded(like),
        )
        return [_person(row) for row in rows]

    def granted(self, name: str) -> Cents:
        """All the chips this person was ever given to play with."""
        ((cents,),) = self.register.look(
            "SELECT coalesce(sum(cents), 0) FROM grants WHERE name = ?", name
        )
        return int(cents)


def _person(row: Row) -> Person:
    name, role, guest, came, state, _ = row
    return Person(name, Role(role), bool(guest), came, State(state))


def _entering(
    name: str, role: Role, hashed: str, chips: Cents, now: str
) -> tuple[list[AdminEvent], list[Change]]:
    """A new account, which is a guest's if it has no password."""
    guest = not hashed
    events: list[AdminEvent] = [AccountAdded(name, role.value, guest, digest_of(hashed))]
    changes: list[Change] = [
        (
            "INSERT INTO people (folded, name, role, password, came, guest) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (folded(name), name, role.value, hashed, now, int(guest)),
        )
    ]
    if not guest:
        changes.append(("INSERT INTO looks VALUES (?, ?)", (skeleton(name), name)))
    if chips:
        events.append(ChipsGranted(name, chips))
        changes.append(_grant(name, chips, now))
    return events, changes


def _grant(name: str, cents: Cents, now: str) -> Change:
    return ("INSERT INTO grants VALUES (?, ?, ?)", (name, now, cents))


def _ended(name: str) -> list[Change]:
    return [("DELETE FROM sessions WHERE name = ?", (name,))]


def _new_password(name: str, hashed: str) -> list[Change]:
    return [
        ("UPDATE people SET password = ? WHERE name = ?", (hashed, name)),
        ("DELETE FROM links WHERE name = ? AND used = 0", (name,)),
        devices.forgotten(name),
        *_ended(name),
    ]


def _deleted(name: str) -> list[Change]:
    return [
        ("UPDATE people SET state = 'deleted' WHERE name = ?", (name,)),
        *_new_password(name, ""),
        ("DELETE FROM visits WHERE name = ?", (name,)),
    ]
