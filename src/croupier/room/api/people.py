"""Coming in, going out, and the owner's accounts, over HTTP. The guard has let the request in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from msgspec import Meta, Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from croupier.room.api.answers import answer
from croupier.room.api.endpoints import Nothing, Served
from croupier.room.door.guard import COOKIE, address
from croupier.room.door.people import LONGEST, People, Person
from croupier.room.door.roles import Role
from croupier.room.door.sessions import Session, Sessions, life
from croupier.rules.money import Cents

Words = Annotated[str, Meta(max_length=LONGEST)]


class LogIn(Struct, frozen=True, forbid_unknown_fields=True):
    name: Words
    password: Words


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    name: Words
    password: Words
    role: Literal["player", "supervisor", "auditor", "owner"]


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    old: Words
    new: Words


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


class Account(Struct, frozen=True):
    name: str
    role: Role
    came: str


class Ticket(Struct, frozen=True):
    ticket: str


def served(
    people: People,
    sessions: Sessions,
    standing: Callable[[str], Awaitable[Standing]],
) -> list[Served]:
    """``standing`` knows what a person has in the bank and where he sits."""
    door = Door(people, sessions, standing)
    return [
        Served("POST", "/api/guest", door.guest, "Come in as a guest", Me, Nothing),
        Served("POST", "/api/login", door.log_in, "Come in by name", Me, LogIn, refuses=(401,)),
        Served("POST", "/api/logout", door.log_out, "Go out", status=204),
        Served("GET", "/api/me", door.me, "Who you are", Me),
        Served("POST", "/api/password", door.password, "A new password", Me, NewPassword),
        Served("POST", "/api/ticket", door.ticket, "A ticket for the socket", Ticket),
        Served("GET", "/api/accounts", door.accounts, "Who has an account", list[Account]),
        Served(
            "POST",
            "/api/accounts",
            door.new_account,
            "A new account",
            Account,
            NewAccount,
            status=201,
            refuses=(409,),
        ),
    ]


class Door:
    def __init__(
        self,
        people: People,
        sessions: Sessions,
        standing: Callable[[str], Awaitable[Standing]],
    ) -> None:
        self.people = people
        self.sessions = sessions
        self.standing = standing
        # Hashing is slow on purpose; a crowd that logs in must not take every thread for it.
        self.hashing = CapacityLimiter(1)

    async def guest(self, request: Request, given: Nothing) -> Response:
        """Who is here already stays who he is."""
        session: Session | None = request.state.session
        if session:
            return await self._me(session)
        return await self._enter(request, await run_in_threadpool(self.people.guest))

    async def log_in(self, request: Request, given: LogIn) -> Response:
        person = await run_sync(
            self.people.log_in,
            given.name,
            given.password,
            address(request.scope),
            limiter=self.hashing,
        )
        return await self._enter(request, person)

    async def log_out(self, request: Request) -> Response:
        await run_in_threadpool(self.sessions.end, request.state.session)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_https(request))
        return response

    async def me(self, request: Request) -> Response:
        return await self._me(request.state.session)

    async def password(self, request: Request, given: NewPassword) -> Response:
        """Every session ends; this browser gets a new one."""
        session: Session = request.state.session
        person = await run_sync(
            self.people.change_password,
            session.name,
            given.old,
            given.new,
            address(request.scope),
            limiter=self.hashing,
        )
        return await self._enter(request, person)

    async def ticket(self, request: Request) -> Ticket:
        session: Session = request.state.session
        return Ticket(await run_in_threadpool(self.sessions.ticket, session))

    async def accounts(self, request: Request) -> list[Account]:
        everybody = await run_in_threadpool(self.people.everybody)
        return [_account(each) for each in everybody]

    async def new_account(self, request: Request, given: NewAccount) -> Account:
        person = await run_sync(
            self.people.add, given.name, given.password, Role(given.role), limiter=self.hashing
        )
        return _account(person)

    async def _enter(self, request: Request, person: Person) -> Response:
        """A new session; the one the browser had is over."""
        if request.state.session:
            await run_in_threadpool(self.sessions.end, request.state.session)
        token, session = await run_in_threadpool(self.sessions.begin, person)
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

    async def _me(self, session: Session) -> Response:
        stands = await self.standing(session.name)
        return answer(
            Me(
                session.name,
                session.role,
                session.guest,
                session.csrf,
                stands.bank,
                stands.seats,
            )
        )


def _account(person: Person) -> Account:
    return Account(person.name, person.role, person.came)


def _https(request: Request) -> bool:
    return request.url.scheme == "https"
