"""One-time links with which somebody sets a new password. The database holds their hashes."""

from __future__ import annotations

import secrets
from datetime import timedelta

from croupier.law.refused import Refused
from croupier.ledger.entry import stamp
from croupier.ledger.sql import Change
from croupier.ledger.store import Fenced
from croupier.room.door.people import People, Person
from croupier.room.door.tokens import TOKEN, hashed

LIFE = timedelta(hours=24)
PAGE = "/password#"  # the token is in the fragment, which browsers send to nobody


class Links:
    """Methods wait for the disk or hash: call them from a thread."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._register = people.register

    def reset(self, name: str, *, by: str) -> str:
        """Void the password at once, and make a link to set a new one."""
        return self.make(self._people.void_password(name, by=by))

    def make(self, person: Person) -> str:
        """A link for an account whose password nobody knows. It replaces earlier ones."""
        token, now = secrets.token_urlsafe(TOKEN), self._people.clock()
        self._register.change(
            ("DELETE FROM links WHERE until <= ? OR name = ?", (stamp(now), person.name)),
            (
                "INSERT INTO links VALUES (?, 0, ?, ?)",
                (hashed(token), person.name, stamp(now + LIFE)),
            ),
        )
        return PAGE + token

    def whose(self, token: str) -> tuple[str, str]:
        """Who may set a password with it, and until when."""
        rows = self._register.look(
            "SELECT name, until FROM links WHERE link = ? AND used = 0 AND until > ?",
            hashed(token),
            stamp(self._people.clock()),
        )
        if not rows:
            raise Refused(
                "This link has been used or is too old: ask the room's owner for another.",
                code="NO_SUCH_LINK",
            )
        return rows[0]

    def use(self, token: str, password: str) -> Person:
        """Set the password, once."""
        name, until = self.whose(token)
        used: Change = ("INSERT INTO links VALUES (?, 1, ?, ?)", (hashed(token), name, until))
        try:
            return self._people.set_password(name, password, by=f"link of {name}", changes=[used])
        except Fenced:
            self.whose(token)  # refused, unless the trouble is another one
            raise
