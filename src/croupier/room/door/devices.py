"""Known devices: browsers in which somebody has logged in before.

Each has a random token in a cookie; the database holds its hash and the names it is known for. A
known device is only exempt from the waits that strangers cause. It opens nothing by itself.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock
from croupier.ledger.sql import Change
from croupier.room.door.register import Register
from croupier.room.door.tokens import TOKEN, hashed

LIFE = timedelta(days=180)
MOST_EACH = 20  # devices of one account


class Devices:
    def __init__(self, register: Register, clock: Clock) -> None:
        self._register = register
        self._clock = clock

    def known(self, token: str, name: str) -> str:
        """The id of the device if it is known for this name; else nothing."""
        rows = self._register.look(
            "SELECT id FROM devices WHERE id = ? AND name = ? AND seen > ?",
            hashed(token),
            name,
            stamp(self._clock() - LIFE),
        )
        return str(rows[0][0]) if rows else ""

    def remembered(self, token: str, name: str) -> tuple[str, list[Change]]:
        """A new token for the device, known for this name and those the old one was known for."""
        fresh, now = secrets.token_urlsafe(TOKEN), stamp(self._clock())
        new, old = hashed(fresh), hashed(token)
        return fresh, [
            ("DELETE FROM devices WHERE seen <= ?", (stamp(self._clock() - LIFE),)),
            ("DELETE FROM devices WHERE id = ? AND name = ?", (old, name)),
            ("UPDATE devices SET id = ? WHERE id = ?", (new, old)),
            ("INSERT INTO devices VALUES (?, ?, ?)", (new, name, now)),
            (
                "DELETE FROM devices WHERE name = ? AND id NOT IN "
                "(SELECT id FROM devices WHERE name = ? ORDER BY seen DESC LIMIT ?)",
                (name, name, MOST_EACH),
            ),
        ]


def forgotten(name: str) -> Change:
    """No device is known for this name any more."""
    return ("DELETE FROM devices WHERE name = ?", (name,))
