"""Logging in and out, one's own password and name, over HTTP. The guard has let the request in."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Annotated, Protocol

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from croupier.law.refused import Refused
from croupier.room.api.answers import answer
from croupier.room.api.endpoints import Nothing, Served
from croupier.room.bank import Bank
from croupier.room.door import devices
from croupier.room.door.closing import close_sockets
from croupier.room.door.guard import COOKIE, address
from croupier.room.door.links import Links
from croupier.room.door.logins import Arrival, Logins
from croupier.room.door.passwords import LONGEST
from croupier.room.door.people import People, Person
from croupier.room.door.roles import Role
from croupier.room.door.sessions import Session, Sessions, life
from croupier.rules.money import Cents

DEVICE_COOKIE = "croupier_device"
Words = Annotated[str, Meta(max_length=LONGEST)]


class LogIn(Struct, frozen=True, forbid_unknown_fields=True):
    name: Words
    password: Words


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    old: Words
    new: Words


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    name: Words
    password: Words


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """Of a one-time link: what stands behind its #."""

    token: Words


class LinkPassword(Struct, frozen=True, forbid_unknown_fields=True):
    token: Words
    password: Words


class Link(Struct, frozen=True):
    """Who may set a password with a link, and until when."""

    name: str
    until: str


class Seat(Struct, frozen=True):
    table: str
    seat: int


class Standing(Struct, frozen=True):
    """What somebody has in the bank, and where he sits."""

    bank: Cents
    seats: tuple[Seat, ...] = ()


class Me(Struct, frozen=True):
    name: str
    role: Role
    guest: bool
    csrf: str
    bank: Cents
    seats: tuple[Seat, ...]
    failed: int = 0  # log-ins with this name that failed since the visit before


class Ticket(Struct, frozen=True):
    ticket: str


class Spending(Protocol):
    def spending(self, name: str) -> AbstractAsyncContextManager[None]: ...


class House(Protocol):
    """What of a room is needed here."""

    @property
    def people(self) -> People: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def bank(self) -> Bank: ...
    @property
    def owners(self) -> Spending: ...
    @property
    def connections(self) -> object: ...

    async def standing(self, name: str) -> Standing:
        """What a person has in the bank, and where he sits."""

    def guest_named(self, guest: str, name: str) -> None:
        """A guest has become a named player, whose tables the guest's are now."""


def served(house: House) -> list[Served]:
    door = Door(house)
    return [
        Served("POST", "/api/guest", door.guest, "Come in as a guest", Me, Nothing),
        Served("POST", "/api/login", door.log_in, "Come in by name", Me, LogIn, refuses=(401,)),
        Served("POST", "/api/logout", door.log_out, "Go out", status=204),
        Served("GET", "/api/me", door.me, "Who you are", Me),
        Served("POST", "/api/password", door.password, "A new password", Me, NewPassword),
        Served("POST", "/api/name", door.name, "A name for a guest", Me, NewName, refuses=(409,)),
        Served("POST", "/api/ticket", door.ticket, "A ticket for the socket", Ticket),
        Served("POST", "/api/link", door.link, "Whose a one-time link is", Link, Token),
        Served(
            "POST",
            "/api/link/password",
            door.link_password,
            "A new password by a one-time link",
            Me,
            LinkPassword,
        ),
    ]


class Door:
    def __init__(self, house: House) -> None:
        self.house = house
        self.people = house.people
        self.sessions = house.sessions
        self.logins = Logins(house.people)
        self.links = Links(house.people)
        # Hashing is slow on purpose. A crowd that logs in must not take every thread for it.
        self.hashing = CapacityLimiter(1)

    async def guest(self, request: Request, given: Nothing) -> Response:
        """Who is here already stays who he is."""
        session: Session | None = request.state.session
        if session:
            return await self._me(session)
        return await self._enter(request, await run_in_threadpool(self.people.guest))

    async def log_in(self, request: Request, given: LogIn) -> Response:
        """Sets a second cookie, by which the browser is known: failed log-ins of others do not
        make it wait."""
        arrival = await run_sync(
            self.logins.log_in,
            given.name,
            given.password,
            address(request.scope),
            _device(request),
            limiter=self.hashing,
        )
        return await self._arrive(request, arrival)

    async def log_out(self, request: Request) -> Response:
        session: Session = request.state.session
        await self._end(session)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_https(request))
        return response

    async def me(self, request: Request) -> Response:
        return await self._me(request.state.session)

    async def password(self, request: Request, given: NewPassword) -> Response:
        """Every session of this person ends; this browser gets a new one."""
        session: Session = request.state.session
        if session.guest:
            raise Refused("A guest has no password: take a name first.", code="A_GUEST")
        arrival = await run_sync(
            self.logins.change_password,
            session.name,
            given.old,
            given.new,
            address(request.scope),
            _device(request),
            limiter=self.hashing,
        )
        close_sockets(self.house.connections, name=session.name)
        return await self._arrive(request, arrival)

    async def name(self, request: Request, given: NewName) -> Response:
        """A guest becomes a named player and keeps the chips and open tables. The guest may not
        be at a table."""
        session: Session = request.state.session
        guest = Person(session.name, session.role, session.guest, "")
        async with self.house.bank.lock(guest.name), self.house.owners.spending(guest.name):
            self.house.bank.forget(guest.name)
            stands = await self.house.standing(guest.name)
            if stands.seats:
                raise Refused(
                    f"Stand up from table {stands.seats[0].table} before you take a name.",
                    code="SEATED",
                )
            person = await run_sync(
                self.people.take_name,
                guest,
                given.name,
                given.password,
                stands.bank,
                limiter=self.hashing,
            )
            self.house.bank.forget(guest.name)
        self.house.guest_named(guest.name, person.name)
        close_sockets(self.house.connections, name=guest.name)
        arrival = await run_in_threadpool(self.logins.arrive, person, _device(request))
        return await self._arrive(request, arrival)

    async def ticket(self, request: Request) -> Ticket:
        session: Session = request.state.session
        return Ticket(await run_in_threadpool(self.sessions.ticket, session))

    async def link(self, request: Request, given: Token) -> Link:
        return Link(*await run_in_threadpool(self.links.whose, given.token))

    async def link_password(self, request: Request, given: LinkPassword) -> Response:
        """The link is used up, and whoever had it is logged in."""
        person = await run_sync(self.links.use, given.token, given.password, limiter=self.hashing)
        close_sockets(self.house.connections, name=person.name)
        arrival = await run_in_threadpool(self.logins.arrive, person, _device(request))
        return await self._arrive(request, arrival)

    async def _arrive(self, request: Request, arrival: Arrival) -> Response:
        response = await self._enter(request, arrival.person, arrival.failed)
        response.set_cookie(
            DEVICE_COOKIE,
            arrival.device,
            max_age=int(devices.LIFE.total_seconds()),
            path="/api/",
            httponly=True,
            samesite="strict",
            secure=_https(request),
        )
        return response

    async def _enter(self, request: Request, person: Person, failed: int = 0) -> Response:
        """A new session; the one the browser had is over."""
        if request.state.session:
            await self._end(request.state.session)
        token, session = await run_in_threadpool(self.sessions.begin, person, failed)
        response = await self._me(session)
        response.set_cookie(
            COOKIE,
            token,
            max_age=int(life(session).total_seconds()),
            httponly=True,
            samesite="strict",
            secure=_https(request),
        )
        return response

    async def _end(self, session: Session) -> None:
        await run_in_threadpool(self.sessions.end, session)
        close_sockets(self.house.connections, session=session.id)

    async def _me(self, session: Session) -> Response:
        stands = await self.house.standing(session.name)
        return answer(
            Me(
                session.name,
                session.role,
                session.guest,
                session.csrf,
                stands.bank,
                stands.seats,
                session.failed,
            )
        )


def _device(request: Request) -> str:
    return request.cookies.get(DEVICE_COOKIE, "")[:LONGEST]


def _https(request: Request) -> bool:
    return request.url.scheme == "https"
