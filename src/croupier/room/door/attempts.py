"""Failed log-ins, and how long the next one has to wait.

Three failures are free. Each further one doubles the wait for the next, up to a limit. Failures are
counted by name and by address. Somebody at a known device (see ``devices``) is counted by that
device alone, so that strangers who guess cannot keep the person out.

An attempt is counted before the password is compared and taken back if it was right. Attempts made
at the same time, by several processes too, are therefore counted one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.entry import stamp
from croupier.ledger.outside import Clock
from croupier.ledger.sql import Change
from croupier.ledger.store import Fenced, Unwritten
from croupier.room.door.names import folded
from croupier.room.door.register import Register, required

FREE = 3  # failures without a wait
FORGOTTEN = timedelta(hours=1)  # without a failure; longer than every wait
# Whoever wants a count to be dropped must make this many attempts. Passwords are compared one at a
# time, so that this takes longer than the longest wait.
MOST_ROWS = 50_000
PRUNED_EVERY = timedelta(minutes=1)
TRIES = 50  # when others count at the same time
STILL = """(SELECT coalesce(max(failures), 0) AS most FROM attempts WHERE who = ?) AS found
    WHERE most = ?"""


class Growth(Struct, frozen=True):
    """The first wait and the longest, in seconds."""

    first: int
    longest: int

    def wait(self, failures: int) -> int:
        doubled = min(failures - FREE, 20)  # far beyond the longest
        return min(self.first << doubled, self.longest) if doubled >= 0 else 0


NAME = DEVICE = Growth(5, 300)  # at most 295 guesses a day
ADDRESS = Growth(10, 900)  # at most 104


class Counted(Struct, frozen=True):
    """What is counted, and how far it has come."""

    who: str
    growth: Growth
    failures: int = 0
    last: str = ""

    def wait(self, now: datetime) -> int:
        if not self.failures:
            return 0
        until = datetime.fromisoformat(self.last) + timedelta(
            seconds=self.growth.wait(self.failures)
        )
        return max(0, ceil((until - now).total_seconds()))


class TooSoon(Refused):
    def __init__(self, seconds: int) -> None:
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(f"Too many failed log-ins: wait {seconds} {unit}.", code="WAIT")
        self.seconds = seconds


def by_name(name: str) -> Counted:
    return Counted(f"name {_digest(name)}", NAME)


def by_address(address: str) -> Counted:
    return Counted(f"address {address}", ADDRESS)


def by_device(device: str, name: str) -> Counted:
    return Counted(f"device {device} {_digest(name)}", DEVICE)


def _digest(name: str) -> str:
    """Anything may be typed as a name, a password too, so its hash is kept."""
    return sha256(folded(name).encode(errors="replace")).hexdigest()


class Attempts:
    """Methods wait for the disk: call them from a thread."""

    def __init__(self, register: Register, clock: Clock) -> None:
        self._register = register
        self._clock = clock
        self._pruned: datetime | None = None

    def read(self, counted: Sequence[Counted]) -> list[Counted]:
        """As far as each has come; what is old counts no more."""
        if not counted:
            return []
        marks = ", ".join("?" * len(counted))
        rows = self._register.look(
            f"SELECT who, failures, last FROM attempts WHERE who IN ({marks}) AND last > ? "
            "ORDER BY failures",
            *(each.who for each in counted),
            self._old,
        )
        found = {who: (failures, last) for who, failures, last in rows}
        return [Counted(each.who, each.growth, *found.get(each.who, (0, ""))) for each in counted]

    def begin(self, counted: Sequence[Counted], *changes: Change) -> list[Counted]:
        """Count an attempt as failed, or refuse it because it comes too soon. Returns what was
        counted before. ``changes`` are written with it."""
        self._prune()
        for left in reversed(range(TRIES)):
            before, now = self.read(counted), self._clock()
            if wait := max(each.wait(now) for each in before):
                raise TooSoon(wait)
            try:
                self._register.change(*self._added(before), *changes)
            except Fenced:  # another attempt was counted meanwhile
                if not left:
                    raise
                continue
            break
        return before

    def _added(self, before: Sequence[Counted]) -> list[Change]:
        changes: list[Change] = []
        for each in before:
            who, failures = each.who, each.failures
            changes += [
                ("DELETE FROM attempts WHERE who = ? AND last <= ?", (who, self._old)),
                (
                    "INSERT INTO attempts VALUES (?, ?, ?)",
                    (who, failures + 1, stamp(self._clock())),
                ),
                # Behind the insertion: the row that would have been in its way may have been
                # replaced by a higher count while it waited.
                *required(STILL, who, failures + 1),
                ("DELETE FROM attempts WHERE who = ? AND failures <= ?", (who, failures)),
            ]
        return changes

    def _prune(self) -> None:
        """By itself, because processes that prune at the same time may get in each other's way."""
        now = self._clock()
        if self._pruned and now - self._pruned < PRUNED_EVERY:
            return
        self._pruned = now
        with suppress(Fenced, Unwritten):
            self._register.change(
                ("DELETE FROM attempts WHERE last <= ?", (self._old,)),
                (
                    "DELETE FROM attempts WHERE last < "
                    "(SELECT last FROM attempts ORDER BY last DESC LIMIT 1 OFFSET ?)",
                    (MOST_ROWS,),
                ),
            )

    def forgotten(self, counted: Counted) -> Change:
        """No failures any more."""
        return ("DELETE FROM attempts WHERE who = ?", (counted.who,))

    def unlocked(self, name: str) -> list[Change]:
        """No failures with this name, at its known devices either."""
        whose = (f"device % {_digest(name)}",)
        return [
            self.forgotten(by_name(name)),
            ("DELETE FROM attempts WHERE who LIKE ?", whose),
        ]

    def taken_back(self, before: Counted) -> list[Change]:
        """The attempt that was counted after this was no failure."""
        changes: list[Change] = [
            (
                "DELETE FROM attempts WHERE who = ? AND failures = ?",
                (before.who, before.failures + 1),
            )
        ]
        if before.failures:
            row = (before.who, before.failures, before.last)
            changes.append(("INSERT INTO attempts VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row))
        return changes

    @property
    def _old(self) -> str:
        return stamp(self._clock() - FORGOTTEN)
