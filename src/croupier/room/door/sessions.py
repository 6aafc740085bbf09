"""Sessions: who a browser belongs to, and the tickets that let it open a socket.

A token is 256 bits nobody could have guessed. The database holds its hash only, so that whoever
reads the database cannot walk in with what he finds.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from msgspec import Struct

from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock, utc
from croupier.ledger.sql import Row
from croupier.ledger.store import Fenced
from croupier.room.door.people import Person
from croupier.room.door.register import Register
from croupier.room.door.roles import Role

IDLE, GUEST_IDLE = timedelta(minutes=30), timedelta(hours=24)
LIFE, GUEST_LIFE = timedelta(hours=12), timedelta(days=7)
TICKET = timedelta(seconds=30)
NOTED = timedelta(minutes=1)  # how far the time last seen may lag behind
TOKEN = 32  # bytes

FOUND = (
    "SELECT s.id, s.name, p.role, p.password = '', s.csrf, s.began, s.seen "
    "FROM sessions s JOIN people p ON p.name = s.name WHERE s.id = ?"
)


class Session(Struct, frozen=True):
    id: str  # the token's hash
    name: str
    role: Role
    guest: bool
    csrf: str
    began: str
    seen: str


class Sessions:
    """Methods wait for the disk: call them from a thread."""

    def __init__(self, register: Register, *, clock: Clock = utc) -> None:
        self.register = register
        self.clock = clock

    def begin(self, person: Person) -> tuple[str, Session]:
        """The token for the cookie, and what it stands for."""
        token, now = secrets.token_urlsafe(TOKEN), self.clock()
        session = Session(
            hashed(token),
            person.name,
            person.role,
            person.guest,
            secrets.token_urlsafe(TOKEN),
            stamp(now),
            stamp(now),
        )
        self.register.change(
            ("DELETE FROM sessions WHERE began <= ?", (stamp(now - GUEST_LIFE),)),
            (
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                (session.id, session.name, session.csrf, session.began, session.seen),
            ),
        )
        return token, session

    def find(self, token: str) -> Session | None:
        """The session of a cookie, if it still lives. Being asked for keeps it alive."""
        return self.renew(hashed(token))

    def living(self, id: str) -> Session | None:
        """The session of this id, if it still lives. An open socket asks this from time to time:
        a page that lies open is idle."""
        rows = self.register.look(FOUND, id)
        if not rows:
            return None
        session = _session(rows[0])
        if not _lives(session, self.clock()):
            self.end(session)
            return None
        return session

    def renew(self, id: str) -> Session | None:
        """The same, because somebody did something."""
        session, now = self.living(id), self.clock()
        if session and session.seen <= stamp(now - NOTED):
            self.register.change(("UPDATE sessions SET seen = ? WHERE id = ?", (stamp(now), id)))
        return session

    def end(self, session: Session) -> None:
        self.register.change(("DELETE FROM sessions WHERE id = ?", (session.id,)))

    # --- tickets --------------------------------------------------------------------------------

    def ticket(self, session: Session) -> str:
        """Opens one socket within half a minute."""
        ticket, now = secrets.token_urlsafe(TOKEN), self.clock()
        self.register.change(
            ("DELETE FROM tickets WHERE until <= ?", (stamp(now - TICKET),)),
            (
                "INSERT INTO tickets VALUES (?, 0, ?, ?)",
                (hashed(ticket), session.id, stamp(now + TICKET)),
            ),
        )
        return ticket

    def redeem(self, ticket: str) -> Session | None:
        """The session a ticket was given to, once."""
        rows = self.register.look(
            "SELECT ticket, session, until FROM tickets WHERE ticket = ? AND used = 0 "
            "AND until > ?",
            hashed(ticket),
            stamp(self.clock()),
        )
        if not rows:
            return None
        try:
            self.register.change(("INSERT INTO tickets VALUES (?, 1, ?, ?)", rows[0]))
        except Fenced:
            return None
        return self.living(rows[0][1])


def life(session: Session) -> timedelta:
    return GUEST_LIFE if session.guest else LIFE


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _session(row: Row) -> Session:
    id, name, role, guest, csrf, began, seen = row
    return Session(id, name, Role(role), bool(guest), csrf, began, seen)


def _lives(session: Session, now: datetime) -> bool:
    idle = GUEST_IDLE if session.guest else IDLE
    return session.began > stamp(now - life(session)) and session.seen > stamp(now - idle)
