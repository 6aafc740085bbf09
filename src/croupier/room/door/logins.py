"""Logging in with name and password, and changing the password.

An unknown name and a wrong password get the same sentence after the same work. How soon somebody
may try again is in ``attempts``.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.administration import AccountUnlocked
from croupier.ledger.entry import stamp
from croupier.ledger.sql import Change, Row
from croupier.room.door.attempts import Attempts, Counted, by_address, by_device, by_name
from croupier.room.door.devices import Devices
from croupier.room.door.people import People, Person, State
from croupier.room.door.roles import STAFF
from croupier.room.door.sessions import IDLE

STRANGER = "There is no such name and password."
FAILED = """INSERT INTO visits VALUES (?, '', 1)
    ON CONFLICT (name) DO UPDATE SET failed = visits.failed + 1"""
VISITED = """INSERT INTO visits VALUES (?, ?, 0)
    ON CONFLICT (name) DO UPDATE SET seen = excluded.seen, failed = 0"""

log = logging.getLogger("croupier.room.accounts")


class Arrival(Struct, frozen=True):
    """Somebody who gave the right password."""

    person: Person
    failed: int  # log-ins with this name since the last good one
    device: str  # the new token of the device


class Seen(Struct, frozen=True):
    """What is known of an account's visits."""

    seen: str  # empty: never
    failed: int
    wait: int  # seconds that strangers have to wait
    sessions: int


class Logins:
    """Methods wait for the disk or hash: call them from a thread."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._register = people.register
        self._clock = people.clock
        self._attempts = Attempts(people.register, people.clock)
        self._devices = Devices(people.register, people.clock)

    def log_in(self, name: str, password: str, address: str, device: str = "") -> Arrival:
        """``device`` is the token of a browser that may be known."""
        found = self.people.row(name)
        counted = self._counted(found[0].name if found else name, address, device)
        before = self._attempts.begin(
            counted, *([(FAILED, (found[0].name,))] if found and found[1] else ())
        )
        fits = self.people.passwords.fits(found[1] if found else "", password)
        if found is None or not fits:
            if found and found[0].role in STAFF:
                self._warn(found[0].name, before[0], address)
            raise Refused(STRANGER, code="WRONG_CREDENTIALS")
        if found[0].state is not State.ACTIVE:
            raise Refused("This account is disabled: ask the room's owner.", code="DISABLED")
        failed = self._failed(found[0].name) - 1  # without this one
        return self._arrived(found[0], before, device, failed)

    def arrive(self, person: Person, device: str = "") -> Arrival:
        """Somebody who has just set a password with a link."""
        return self._arrived(person, [by_name(person.name)], device, self._failed(person.name))

    def change_password(
        self, name: str, old: str, new: str, address: str, device: str = ""
    ) -> Arrival:
        """Every session of this person ends with the old password."""
        arrival = self.log_in(name, old, address, device)
        person = self.people.set_password(name, new, by=arrival.person.actor)
        return self.arrive(person, arrival.device)

    def _counted(self, name: str, address: str, device: str) -> list[Counted]:
        if device and (known := self._devices.known(device, name)):
            return [by_device(known, name)]
        return [by_name(name), by_address(address)]

    def _arrived(self, person: Person, before: list[Counted], device: str, failed: int) -> Arrival:
        """The address keeps its failures, or its owner could guess on after each good log-in."""
        of_person, *of_address = before
        token, remembered = self._devices.remembered(device, person.name)
        changes: list[Change] = [self._attempts.forgotten(of_person)]
        for each in of_address:
            changes += self._attempts.taken_back(each)
        visited = (VISITED, (person.name, stamp(self._clock())))
        self._register.change(*changes, *remembered, visited)
        return Arrival(person, failed, token)

    def _failed(self, name: str) -> int:
        rows = self._register.look("SELECT failed FROM visits WHERE name = ?", name)
        return int(rows[0][0]) if rows else 0

    def _warn(self, name: str, before: Counted, address: str) -> None:
        """Staff accounts only, and only once somebody has to wait: a few hundred lines a day."""
        failures = before.failures + 1
        if wait := before.growth.wait(failures):
            line = {
                "time": stamp(self._clock()),
                "event": "failed log-ins to a staff account",
                "name": name,
                "failures": failures,
                "wait": wait,
                "address": address,
            }
            log.warning("%s", msgspec.json.encode(line).decode())

    # --- what the owner sees --------------------------------------------------------------------

    def seen(self, *names: str) -> dict[str, Seen]:
        """For each of these names, which are accounts."""
        now = self._clock()
        visits = self._of("SELECT name, seen, failed FROM visits WHERE {}", names)
        sessions = self._of(
            "SELECT name, count(*) FROM sessions WHERE {} AND seen > ? GROUP BY name",
            names,
            stamp(now - IDLE),
        )
        counted = self._attempts.read([by_name(name) for name in names])
        found = {}
        for name, each in zip(names, counted, strict=True):
            last, failed = visits.get(name, ("", 0))
            (open_now,) = sessions.get(name, (0,))
            found[name] = Seen(last, int(failed), each.wait(now), int(open_now))
        return found

    def _of(self, statement: str, names: Sequence[str], *values: str) -> dict[str, Row]:
        if not names:
            return {}
        these = f"name IN ({', '.join('?' * len(names))})"
        rows = self._register.look(statement.format(these), *names, *values)
        return {row[0]: row[1:] for row in rows}

    def unlock(self, name: str, *, by: str) -> Person:
        """Nobody has to wait for this name any more."""
        person = self.people.there(name)
        cleared = self._attempts.unlocked(person.name)
        self.people.administration.record(by, [AccountUnlocked(person.name)], *cleared)
        return person
