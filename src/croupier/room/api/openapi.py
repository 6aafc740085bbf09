"""The API described for programs: OpenAPI 3.1, made from the same entries as the routes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from croupier import __version__
from croupier.room.api.endpoints import Served
from croupier.room.door.guard import COOKIE, CSRF, SAFE, WITHOUT_TOKEN
from croupier.room.door.roles import ANYONE, ENDPOINTS, Role

Data = dict[str, Any]

REF = "#/components/schemas/{name}"
JSON = "application/json"
COUNTED = ("n",)  # path parameters that are numbers
TELLS = (
    "Tables, rounds, audits, mathematics and law of one room. Money is whole cents; a card is two "
    "letters, and one that may not be seen is ??. Play itself is on the socket /ws.\n\n"
    "POST /api/guest or POST /api/login sets the session's cookie and answers with its csrf, which "
    "every request that is not a GET carries in the header. Whatever is refused is answered in one "
    "shape: a code, one sentence, and the clause where the law says so."
)

# What a refusal's status means, whatever the address.
MEANS = {
    400: "The body or the query cannot be read.",
    401: "Come in as a guest, or log in; or name and password do not fit.",
    403: "Not for this role, without the session's token, or from another site.",
    404: "There is no such thing.",
    405: "Not with this method.",
    408: "The request took too long to arrive.",
    409: "The name is taken.",
    413: "The body is too long.",
    422: "It was understood, and cannot be done.",
    429: "Too often: wait as long as Retry-After says.",
    503: "Just now the room cannot do it: try again.",
}
ALWAYS = (408, 413, 429, 503)


class Violation(Struct, frozen=True):
    """A line of a house's submission that no regulation allows."""

    key: str
    sentence: str
    clause: str | None


class Reason(Struct, frozen=True):
    code: str
    sentence: str
    clause: str | None
    violations: list[Violation] | UnsetType = UNSET


class Refusal(Struct, frozen=True):
    """Why something was not done."""

    error: Reason


def document(all_served: Sequence[Served]) -> Data:
    describer = _Describer(all_served)
    paths: dict[str, Data] = {}
    for each in all_served:
        paths.setdefault(each.path, {})[each.method.lower()] = describer.operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Croupier", "version": __version__, "description": TELLS},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": describer.components,
            "responses": {str(status): describer.refusal(status) for status in MEANS},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "apiKey", "in": "header", "name": CSRF},
            },
        },
    }


class _Describer:
    """All types are described together, so that each has a name of its own."""

    def __init__(self, all_served: Sequence[Served]) -> None:
        types: list[Any] = [Refusal]
        for each in all_served:
            types += [kind for kind in (each.gives, each.takes, each.asks) if kind is not None]
        schemas, self.components = msgspec.json.schema_components(types, ref_template=REF)
        self._schemas = dict(zip(types, schemas, strict=True))

    def operation(self, served: Served) -> Data:
        action = f"{served.method} {served.path}"
        roles = ENDPOINTS.get(action, frozenset())
        operation: Data = {
            "operationId": re.sub(r"\W+", "_", f"{served.method.lower()}{served.path}").strip("_"),
            "tags": [served.handler.__module__.rpartition("api_")[2]],
            "summary": served.says,
            "description": _description(served, roles),
            "parameters": [*_in_path(served), *self._in_query(served)],
            "responses": self._responses(served, roles),
            "security": _security(served, action, roles),
        }
        if served.takes:
            operation["requestBody"] = {
                "required": bool(self._struct(served.takes)["required"]),
                "content": {JSON: {"schema": self._schemas[served.takes]}},
            }
        return operation

    def refusal(self, status: int) -> Data:
        refusal: Data = {
            "description": MEANS[status],
            "content": {JSON: {"schema": self._schemas[Refusal]}},
        }
        if status == 429:
            waits = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
            refusal["headers"] = {"Retry-After": waits}
        return refusal

    def _in_query(self, served: Served) -> list[Data]:
        if not served.asks:
            return []
        struct = self._struct(served.asks)
        return [
            {"name": name, "in": "query", "required": name in struct["required"], "schema": schema}
            for name, schema in struct["properties"].items()
        ]

    def _struct(self, kind: type[Struct]) -> Data:
        name = self._schemas[kind]["$ref"].rpartition("/")[2]
        return dict(self.components[name])

    def _responses(self, served: Served, roles: frozenset[Role]) -> Data:
        done: Data = {"description": served.says}
        if served.gives is not None:
            done["content"] = {
                media: {"schema": self._schemas[served.gives]} if media == JSON else {}
                for media in served.media
            }
        refusals = {
            status: {"$ref": f"#/components/responses/{status}"}
            for status in sorted({*_statuses(served, roles), *served.refuses})
        }
        return {str(status): each for status, each in {served.status: done, **refusals}.items()}


def _in_path(served: Served) -> list[Data]:
    number, words = {"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": number if name in COUNTED else words,
        }
        for name in re.findall(r"{(\w+)}", served.path)
    ]


def _statuses(served: Served, roles: frozenset[Role]) -> list[int]:
    """What may be refused follows from what is asked, and of whom."""
    found = list(ALWAYS)
    if served.takes or served.asks:
        found.append(400)
    if served.takes or served.asks or "{" in served.path:
        found += (404, 422)
    if roles != ANYONE:
        found += (401, 403)
    elif served.method not in SAFE:
        found.append(403)
    return found


def _description(served: Served, roles: frozenset[Role]) -> str:
    said = " ".join((inspect.getdoc(served.handler) or "").split())
    called = "anyone" if roles == ANYONE else ", ".join(role for role in Role if role in roles)
    return f"{said} For: {called}.".strip()


def _security(served: Served, action: str, roles: frozenset[Role]) -> list[Data]:
    """Where anyone may come, nothing is asked for; else the cookie, and the token to change."""
    if roles == ANYONE:
        return []
    needs_token = served.method not in SAFE and action not in WITHOUT_TOKEN
    return [{"session": [], "token": []} if needs_token else {"session": []}]
