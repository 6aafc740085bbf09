"""The room's door for tests: a clock that stands still, quick hashes, and browsers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from argon2 import PasswordHasher
from httpx2 import Response
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from croupier.ledger.administration import Administration, AnyAdminEvent, KeyAdded, admin_event
from croupier.ledger.keys import Keys
from croupier.ledger.outside import ENTROPY
from croupier.ledger.sql import ROOM
from croupier.room.api import accounts, people
from croupier.room.api.endpoints import routes
from croupier.room.api.people import Seat, Standing
from croupier.room.bank import Bank
from croupier.room.door.guard import CSRF, Guard
from croupier.room.door.links import Links
from croupier.room.door.logins import Logins
from croupier.room.door.people import People
from croupier.room.door.register import Register
from croupier.room.door.sessions import Sessions
from croupier.room.limits import Limits
from croupier.room.owners import Alone

ORIGIN = "http://testserver"
PASSWORD = "four of a kind"


class Watch:
    """A clock that goes on when told to."""

    def __init__(self) -> None:
        self.now = datetime(2025, 3, 14, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def seconds(self) -> float:
        return self.now.timestamp()

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)


class CountingHasher(PasswordHasher):
    """The real thing with little to do, and how often it was asked."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.asked = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        self.asked += 1
        return super().verify(hash, password)


class Sockets:
    """Whose sockets were closed."""

    def __init__(self) -> None:
        self.closed: list[str] = []

    def close_name(self, name: str) -> None:
        self.closed.append(name)

    def close_session(self, id: str) -> None:
        self.closed.append(id)


class Door:
    """People, sessions and the guard over one register."""

    def __init__(self, register: Register, keys: Path) -> None:
        self.watch = Watch()
        self.hasher = CountingHasher()
        self.register = register
        self.chain = Administration(register, Keys(keys), clock=self.watch, entropy=ENTROPY)
        self.people = People(register, self.chain, clock=self.watch, hasher=self.hasher)
        self.logins = Logins(self.people)
        self.links = Links(self.people)
        self.sessions = Sessions(register, clock=self.watch)
        self.bank = Bank(self.people.granted, lambda name: 0)
        self.owners = Alone()
        self.connections = Sockets()
        self.seats: tuple[Seat, ...] = ()  # of everybody
        self.named: list[tuple[str, str]] = []  # guests and their new names

    async def standing(self, name: str) -> Standing:
        return Standing(self.bank.holds(name), self.seats)

    def guest_named(self, guest: str, name: str) -> None:
        self.named.append((guest, name))

    def said(self) -> list[tuple[str, AnyAdminEvent]]:
        """What the administration chain holds of people: who did it, and what."""
        found = [(entry.actor, admin_event(entry)) for entry in self.register.read(ROOM)]
        return [each for each in found if not isinstance(each[1], KeyAdded)]

    def app(
        self,
        more: Sequence[BaseRoute] = (),
        limits: Limits | None = None,
        origins: Sequence[str] = (ORIGIN,),
    ) -> Starlette:
        return Starlette(
            routes=[*routes([*people.served(self), *accounts.served(self)]), *more],
            middleware=[
                Middleware(
                    Guard,
                    sessions=self.sessions,
                    origins=origins,
                    limits=limits,
                    clock=self.watch.seconds,
                )
            ],
        )

    def browser(self, app: Starlette | None = None, base: str = ORIGIN) -> Browser:
        return Browser(app or self.app(), base)


class Browser(TestClient):
    """Keeps its cookie, and sends the token of its session as our pages do."""

    def __init__(self, app: ASGIApp, base: str = ORIGIN, address: str = "192.0.2.1") -> None:
        super().__init__(app, base_url=base, client=(address, 50000), raise_server_exceptions=False)
        self.csrf = ""

    def say(self, path: str, **body: Any) -> Response:
        answer: Response = self.post(path, json=body, headers={CSRF: self.csrf, "Origin": ORIGIN})
        if answer.status_code == 200 and "csrf" in answer.json():
            self.csrf = answer.json()["csrf"]
        return answer


def code(answer: Response) -> str:
    said = answer.json()["error"]
    assert set(said) == {"code", "sentence", "clause"}
    return str(said["code"])
