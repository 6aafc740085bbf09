"""The owner's account management over HTTP. The guard has let nobody but owners in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from croupier.law.refused import Refused
from croupier.room.api.endpoints import Nothing, Served
from croupier.room.api.people import House, Words
from croupier.room.door.closing import close_sockets
from croupier.room.door.links import Links
from croupier.room.door.logins import Logins, Seen
from croupier.room.door.people import Person, State
from croupier.room.door.roles import STAFF, Role
from croupier.room.door.sessions import Session

Handler = Callable[..., Awaitable[object]]
SomeRole = Literal["player", "supervisor", "auditor", "owner"]


class Which(Struct, frozen=True, forbid_unknown_fields=True):
    like: Words = ""  # the beginning of a name
    guests: bool = False  # the newest guests instead of the named accounts


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    name: Words
    role: SomeRole
    password: Words = ""  # empty: the person sets it with a one-time link


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    role: SomeRole


class Account(Struct, frozen=True):
    name: str
    role: Role
    state: State
    guest: bool
    came: str
    seen: str  # last; empty: never
    failed: int  # log-ins that failed since the last good one
    wait: int  # seconds that unknown devices wait before the next log-in
    sessions: int


class Given(Struct, frozen=True):
    """An account, and where one was made, a one-time link that is shown this once."""

    account: Account
    link: str = ""


def served(house: House) -> list[Served]:
    desk = Desk(house)

    def act(name: str, handler: Handler, says: str, takes: type[Struct] = Nothing) -> Served:
        path = f"/api/accounts/{{name}}/{name}"
        return Served("POST", path, handler, says, Given, takes)

    return [
        Served("GET", "/api/accounts", desk.accounts, "Accounts", list[Account], asks=Which),
        Served(
            "POST",
            "/api/accounts",
            desk.create,
            "A new account",
            Given,
            NewAccount,
            status=201,
            refuses=(409,),
        ),
        act("role", desk.role, "Another role", NewRole),
        act("disable", desk.disable, "Disable an account"),
        act("enable", desk.enable, "Enable it again"),
        act("delete", desk.delete, "Delete an account"),
        act("reset", desk.reset, "Void the password and give a one-time link"),
        act("unlock", desk.unlock, "Clear the waits after failed log-ins"),
        act("end-sessions", desk.end_sessions, "Log a person out everywhere"),
    ]


class Desk:
    def __init__(self, house: House) -> None:
        self.house = house
        self.people = house.people
        self.logins = Logins(house.people)
        self.links = Links(house.people)
        self.hashing = CapacityLimiter(1)

    async def accounts(self, request: Request, given: Which) -> list[Account]:
        """At most 500: the named accounts with staff first, or the newest guests."""
        found = await run_in_threadpool(self.people.listed, given.like, guests=given.guests)
        seen = await run_in_threadpool(self.logins.seen, *(each.name for each in found))
        return [_account(each, seen[each.name]) for each in found]

    async def create(self, request: Request, given: NewAccount) -> Given:
        role, by = Role(given.role), _actor(request)
        if given.password:
            add = partial(self.people.add, given.name, given.password, role, by=by)
            return await self._given(await run_sync(add, limiter=self.hashing))
        add = partial(self.people.add_without_password, given.name, role, by=by)
        person = await run_sync(add, limiter=self.hashing)
        return await self._given(person, await run_in_threadpool(self.links.make, person))

    async def role(self, request: Request, given: NewRole) -> Given:
        """The person is logged out. A player who joins the staff gets a one-time link, because
        staff passwords are longer."""
        name, role = request.path_params["name"], Role(given.role)
        before = await run_in_threadpool(self.people.there, name)
        if role in STAFF and (seats := (await self.house.standing(before.name)).seats):
            raise Refused(
                f"{before.name} sits at table {seats[0].table}: staff do not play.", code="SEATED"
            )
        change = partial(self.people.change_role, name, role, by=_actor(request))
        person = await run_sync(change, limiter=self.hashing)
        promoted = before.role is Role.PLAYER and role in STAFF
        link = await run_in_threadpool(self.links.make, person) if promoted else ""
        return await self._closed(person, link)

    async def disable(self, request: Request, given: Nothing) -> Given:
        """The person is logged out and cannot log in."""
        return await self._closed(await self._done(request, self.people.disable))

    async def enable(self, request: Request, given: Nothing) -> Given:
        return await self._given(await self._done(request, self.people.enable))

    async def delete(self, request: Request, given: Nothing) -> Given:
        """The password is removed; the name stays taken."""
        return await self._closed(await self._done(request, self.people.delete))

    async def reset(self, request: Request, given: Nothing) -> Given:
        """The old password stops working at once."""
        name = request.path_params["name"]
        reset = partial(self.links.reset, name, by=_actor(request))
        link = await run_sync(reset, limiter=self.hashing)
        return await self._closed(await run_in_threadpool(self.people.there, name), link)

    async def unlock(self, request: Request, given: Nothing) -> Given:
        return await self._given(await self._done(request, self.logins.unlock))

    async def end_sessions(self, request: Request, given: Nothing) -> Given:
        return await self._closed(await self._done(request, self.people.end_sessions))

    async def _done(self, request: Request, change: Callable[..., Person]) -> Person:
        return await run_in_threadpool(change, request.path_params["name"], by=_actor(request))

    async def _closed(self, person: Person, link: str = "") -> Given:
        close_sockets(self.house.connections, name=person.name)
        return await self._given(person, link)

    async def _given(self, person: Person, link: str = "") -> Given:
        seen = await run_in_threadpool(self.logins.seen, person.name)
        return Given(_account(person, seen[person.name]), link)


def _account(person: Person, seen: Seen) -> Account:
    return Account(
        person.name,
        person.role,
        person.state,
        person.guest,
        person.came,
        seen.seen,
        seen.failed,
        seen.wait,
        seen.sessions,
    )


def _actor(request: Request) -> str:
    session: Session = request.state.session
    return f"{session.role} {session.name}"
