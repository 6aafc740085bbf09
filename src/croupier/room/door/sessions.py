"""Sessions: who a browser belongs to, and the tickets that let it open a socket.

A token is 256 random bits. The database holds its hash only, so that reading it opens nothing. A
session ends with its account's log-out, new password, new role, disabling or deletion: its row is
deleted in the same transaction.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from msgspec import Struct

from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock, utc
from croupier.ledger.sql import Row
from croupier.ledger.store import Fenced
from croupier.room.door.people import Person
from croupier.room.door.register import Register
from croupier.room.door.roles import Role
from croupier.room.door.tokens import TOKEN, hashed

IDLE, GUEST_IDLE = timedelta(minutes=30), timedelta(hours=24)
LIFE, GUEST_LIFE = timedelta(hours=12), timedelta(days=7)
TICKET = timedelta(seconds=30)
NOTED = timedelta(minutes=1)  # how far the time last seen may lag behind

FOUND = (
    "SELECT s.id, s.name, p.role, p.guest, s.csrf, s.began, s.seen, s.failed "
    "FROM sessions s JOIN people p ON p.name = s.name WHERE s.id = ? AND p.state = 'active'"
)


class Session(Struct, frozen=True):
    id: str  # the token's hash
    name: str
    role: Role
    guest: bool
    csrf: str
    began: str
    seen: str
    failed: int = 0  # log-ins that failed since the visit before


class Sessions:
    """Methods wait for the disk: call them from a thread."""

    def __init__(self, register: Register, *, clock: Clock = utc) -> None:
        self.register = register
        self.clock = clock

    def begin(self, person: Person, failed: int = 0) -> tuple[str, Session]:
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
            failed,
        )
        self.register.change(
            ("DELETE FROM sessions WHERE began <= ?", (stamp(now - GUEST_LIFE),)),
            (
                "INSERT INTO sessions (id, name, csrf, began, seen, failed) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (session.id, session.name, session.csrf, session.began, session.seen, failed),
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
            self.register.change(
                ("UPDATE sessions SET seen = ? WHERE id = ?", (stamp(now), id)),
                ("UPDATE visits SET seen = ? WHERE name = ?", (stamp(now), session.name)),
            )
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


def _session(row: Row) -> Session:
    id, name, role, guest, csrf, began, seen, failed = row
    return Session(id, name, Role(role), bool(guest), csrf, began, seen, int(failed))


def _lives(session: Session, now: datetime) -> bool:
    idle = GUEST_IDLE if session.guest else IDLE
    return session.began > stamp(now - life(session)) and session.seen > stamp(now - idle)
