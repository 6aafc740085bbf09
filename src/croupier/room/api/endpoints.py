"""One address of the API is one entry: what it takes, what it gives, and who answers.

The routes and the OpenAPI document are both made from these entries, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.house.submission import Malformed
from croupier.law.refused import Refused
from croupier.room.api.answers import answer, refusal, refused
from croupier.room.door.guard import address, note

Kind = TypeVar("Kind", bound=Struct)
ALARMING = ("WRONG_CREDENTIALS", "WAIT")  # somebody may be trying doors: written down


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class Served(Struct, frozen=True):
    """The handler gets the request, and the body or the query where one is read. It returns what
    ``gives`` says, or a whole response."""

    method: str
    path: str
    handler: Callable[..., Awaitable[object]]
    says: str  # in a few words
    gives: Any = None  # the type of the answer; None where it has no content
    takes: type[Struct] | None = None  # the body
    asks: type[Struct] | None = None  # the query
    status: int = 200
    media: tuple[str, ...] = ("application/json",)
    refuses: tuple[int, ...] = ()  # statuses beyond those that follow from the rest


def routes(all_served: Iterable[Served]) -> list[Route]:
    return [Route(each.path, _told(each), methods=[each.method]) for each in all_served]


def _told(served: Served) -> Callable[[Request], Awaitable[Response]]:
    async def tell(request: Request) -> Response:
        try:
            given: list[Struct] = []
            if served.takes:
                given.append(await read(request, served.takes))
            if served.asks:
                given.append(asked(request, served.asks))
            found = await served.handler(request, *given)
        except Malformed as illegal:
            return _illegal(illegal)
        except Refused as why:
            if why.code in ALARMING:
                action = f"{request.method} {request.url.path}"
                note(action, why.code, request.state.session, address(request.scope))
            if why.code.startswith("NO_SUCH_"):
                return refusal(404, why.code, why.sentence)
            return refused(why)
        return found if isinstance(found, Response) else answer(found, served.status)

    return tell


async def read(request: Request, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(f"The request cannot be read: {error}.", code="BAD_REQUEST") from None


def asked(request: Request, kind: type[Kind]) -> Kind:
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(f"The address cannot be read: {error}.", code="BAD_REQUEST") from None


def _illegal(illegal: Malformed) -> Response:
    """A house no regulation allows, line by line."""
    violations = [
        {
            "key": each.key,
            "sentence": each.sentence,
            "clause": each.clause.id if each.clause else None,
        }
        for each in illegal.violations
    ]
    first = violations[0]
    said = {"code": "ILLEGAL_HOUSE", "sentence": first["sentence"], "clause": first["clause"]}
    return answer({"error": {**said, "violations": violations}}, 422)
