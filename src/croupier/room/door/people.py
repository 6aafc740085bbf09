"""Who comes into the room: guests, named players, and the staff.

A wrong name and a wrong password get the same sentence after the same work. Three failures within
half an hour close an account, and an address, until the first of them is half an hour old.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock, utc
from croupier.ledger.sql import Change
from croupier.ledger.store import Fenced
from croupier.room.door.register import Register
from croupier.room.door.roles import Role
from croupier.rules.money import Cents

GUEST_CHIPS: Cents = 1_000_00
PLAYER_CHIPS: Cents = 10_000_00
MOST_FAILURES = 3
CLOSED_FOR = timedelta(minutes=30)
OWNER = "owner"
SHORTEST, LONGEST = 8, 256  # characters of a password
NAME = re.compile(r"[^\W_](([^\W_]|[ .'-]){0,30}[^\W_])?")
FINDING_A_NUMBER = 20  # tries, each with room for more guests

STRANGER = "There is no such name and password."
CLOSED = "Too many failed attempts: try again in half an hour."


class Person(Struct, frozen=True):
    name: str
    role: Role
    guest: bool
    came: str


class People:
    """The accounts. Methods wait for the disk or hash: call them from a thread."""

    def __init__(
        self, register: Register, *, clock: Clock = utc, hasher: PasswordHasher | None = None
    ) -> None:
        self.register = register
        self.clock = clock
        self._hasher = hasher or PasswordHasher()
        self._nobodys = self._hasher.hash(secrets.token_hex())  # checked when a name is unknown
        self._checking = Lock()  # one at a time, or many at once would all be the third

    # --- coming ---------------------------------------------------------------------------------

    def guest(self) -> Person:
        """Somebody new under a number nobody had: the ledger remembers every name for ever."""
        for tried in range(FINDING_A_NUMBER):
            name = f"Guest {1000 + secrets.randbelow(9 * 10 ** (3 + tried // 3))}"
            try:
                return self._enter(name, Role.PLAYER, "", GUEST_CHIPS)
            except Fenced:
                continue
        raise Refused("The room is full.", code="ROOM_FULL")

    def add(self, name: str, password: str, role: Role) -> Person:
        """A named account; players get chips to play with."""
        if not NAME.fullmatch(name) or folded(name).startswith("guest"):
            raise Refused(
                "A name has 1 to 32 letters, digits, spaces, dots, hyphens or apostrophes, "
                "begins and ends with a letter or digit, and does not begin with Guest.",
                code="BAD_NAME",
            )
        if role is Role.NOBODY:
            raise Refused("An account is a player's, supervisor's, auditor's or owner's.")
        hashed = self._hashed(password)
        try:
            return self._enter(name, role, hashed, PLAYER_CHIPS if role is Role.PLAYER else 0)
        except Fenced:
            raise Refused(f"The name {name} is taken.", code="NAME_TAKEN") from None

    def first_start(self) -> str | None:
        """Make the owner's account if there is no owner; its password is told this once."""
        if self.register.look("SELECT 1 FROM people WHERE role = ?", Role.OWNER.value):
            return None
        password = secrets.token_urlsafe(15)
        try:
            self._enter(OWNER, Role.OWNER, self._hashed(password), 0)
        except Fenced:  # another process was first
            return None
        return password

    def _enter(self, name: str, role: Role, password: str, chips: Cents) -> Person:
        now = stamp(self.clock())
        changes: list[Change] = [
            (
                "INSERT INTO people VALUES (?, ?, ?, ?, ?)",
                (folded(name), name, role.value, password, now),
            )
        ]
        if chips:
            changes.append(("INSERT INTO grants VALUES (?, ?, ?)", (name, now, chips)))
        self.register.change(*changes)
        return Person(name, role, not password, now)

    # --- knowing --------------------------------------------------------------------------------

    def find(self, name: str) -> Person | None:
        found = self._row(name)
        return found and found[0]

    def everybody(self) -> list[Person]:
        """The named accounts; guests come and go."""
        rows = self.register.look(
            "SELECT name, role, came FROM people WHERE password <> '' ORDER BY folded"
        )
        return [Person(name, Role(role), False, came) for name, role, came in rows]

    def granted(self, name: str) -> Cents:
        """All the chips this person was ever given to play with."""
        ((cents,),) = self.register.look(
            "SELECT coalesce(sum(cents), 0) FROM grants WHERE name = ?", name
        )
        return int(cents)

    def _row(self, name: str) -> tuple[Person, str] | None:
        if not NAME.fullmatch(name):
            return None
        rows = self.register.look(
            "SELECT name, role, password, came FROM people WHERE folded = ?", folded(name)
        )
        if not rows:
            return None
        known, role, password, came = rows[0]
        return Person(known, Role(role), not password, came), password

    # --- passwords ------------------------------------------------------------------------------

    def log_in(self, name: str, password: str, address: str) -> Person:
        with self._checking:
            return self._checked(name, password, address)

    def change_password(self, name: str, old: str, new: str, address: str) -> Person:
        """Every session of this person ends with the old password."""
        with self._checking:
            person = self._checked(name, old, address)
            self.register.change(
                (
                    "UPDATE people SET password = ? WHERE folded = ?",
                    (self._hashed(new), folded(person.name)),
                ),
                ("DELETE FROM sessions WHERE name = ?", (person.name,)),
            )
            return person

    def _checked(self, name: str, password: str, address: str) -> Person:
        now = self.clock()
        account, place = f"name {_digest(folded(name))}", f"address {address}"
        if any(self._failures(who, now) >= MOST_FAILURES for who in (account, place)):
            raise Refused(CLOSED, code="LOCKED")
        found = self._row(name)
        fits = self._fits(found[1] if found else "", password)
        if found is None or not fits:
            failed = "INSERT INTO failures VALUES (?, ?)"
            self.register.change(
                ("DELETE FROM failures WHERE time <= ?", (stamp(now - CLOSED_FOR),)),
                (failed, (account, stamp(now))),
                (failed, (place, stamp(now))),
            )
            raise Refused(STRANGER, code="WRONG_CREDENTIALS")
        # The address keeps its failures: its owner's success would let it guess on elsewhere.
        self.register.change(("DELETE FROM failures WHERE who = ?", (account,)))
        return found[0]

    def _failures(self, who: str, now: datetime) -> int:
        ((failures,),) = self.register.look(
            "SELECT count(*) FROM failures WHERE who = ? AND time > ?",
            who,
            stamp(now - CLOSED_FOR),
        )
        return int(failures)

    def _fits(self, hashed: str, password: str) -> bool:
        """As much work for a stranger, or a guest who has none, as for an account."""
        try:
            return self._hasher.verify(hashed or self._nobodys, password)
        except (Argon2Error, InvalidHashError):
            return False

    def _hashed(self, password: str) -> str:
        if not SHORTEST <= len(password) <= LONGEST:
            raise Refused(
                f"A password has {SHORTEST} to {LONGEST} characters.", code="BAD_PASSWORD"
            )
        return self._hasher.hash(password)


def folded(name: str) -> str:
    """Names that look alike are one name."""
    return unicodedata.normalize("NFKC", name).casefold()


def _digest(name: str) -> str:
    """Anything may be typed for a name, a password too: what failed is kept as a hash."""
    return sha256(name.encode(errors="replace")).hexdigest()
