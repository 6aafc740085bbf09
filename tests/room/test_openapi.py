"""The document tells exactly the API there is, and the API keeps to it, whatever it is asked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from room_driver import PASSWORD, Running, running
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from croupier.room.app import served
from croupier.room.door.guard import COOKIE, CSRF
from croupier.room.door.links import Links
from croupier.room.door.roles import ANYONE, ENDPOINTS, Role

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
]
# The mathematics take seconds, and hashing a password is slow on purpose: fewer examples.
FEWER = {
    "POST /api/login",
    "POST /api/password",
    "POST /api/name",
    "POST /api/link",
    "POST /api/link/password",
    *(each for each in ENDPOINTS if each.startswith("POST /api/accounts")),
    "POST /api/edge",
    "POST /api/par",
    "POST /api/compare",
    "POST /api/strategies",
    "POST /api/strategies/{name}",
    "GET /api/law/clauses/{id}",
    "GET /api/audit",
    "GET /api/audit/{table}",
    "GET /api/supervisor",
    "GET /api/supervisor/{table}",
}
FEW, MANY = 4, 15


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """With one round behind its third table."""
    kept = (f"atlantic={'ab' * 32}",)
    with running(Path(tmp_path_factory.mktemp("room")), witness_for=kept) as opened:
        guest = opened.guest().connect()
        guest.look("caribbean-1")
        guest.sit("caribbean-1", 1)
        guest.bet("caribbean-1")
        guest.play("caribbean-1")
        guest.disconnect()
        yield opened


@pytest.fixture(scope="module")
def document(room: Running) -> dict[str, Any]:
    told: dict[str, Any] = room.client().get("/openapi.json").json()
    return told


@pytest.fixture(scope="module")
def schema(room: Running, document: dict[str, Any]) -> Any:
    told = schemathesis.openapi.from_dict(document)
    told.config.update(base_url=room.origin)
    return told


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


# --- the document -------------------------------------------------------------------------------


def test_every_address_served_is_described_and_no_other(
    room: Running, document: dict[str, Any]
) -> None:
    there = [f"{each.method} {each.path}" for each in served(room.room)]
    assert len(there) == len(set(there))
    assert set(operations(document)) == set(there)


def test_whoever_may_come_somewhere_finds_something_there(room: Running) -> None:
    assert {f"{each.method} {each.path}" for each in served(room.room)} == set(ENDPOINTS)


def test_an_address_says_who_may_call_it_and_what_it_needs_for_that(
    document: dict[str, Any],
) -> None:
    for action, operation in operations(document).items():
        roles = ENDPOINTS[action]
        assert operation["summary"]
        if roles == ANYONE:
            assert operation["security"] == []
            assert "401" not in operation["responses"] or action == "POST /api/login"
        else:
            (needs,) = operation["security"]
            assert set(needs) == {"session"} if action.startswith("GET") else {"session", "token"}
            assert {"401", "403"} <= set(operation["responses"])
            for role in Role:
                assert (role in operation["description"].rpartition("For: ")[2]) == (role in roles)


def test_cookie_and_header_are_those_the_guard_looks_at(document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert (schemes["session"]["in"], schemes["session"]["name"]) == ("cookie", COOKIE)
    assert (schemes["token"]["in"], schemes["token"]["name"]) == ("header", CSRF)


def test_every_refusal_has_the_one_shape(document: dict[str, Any]) -> None:
    for operation in operations(document).values():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                assert response == {"$ref": f"#/components/responses/{status}"}
    shapes = [each["content"] for each in document["components"]["responses"].values()]
    one = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    assert shapes == [one] * len(shapes)


def test_ids_of_operations_are_different(document: dict[str, Any]) -> None:
    ids = [each["operationId"] for each in operations(document).values()]
    assert len(ids) == len(set(ids))


# --- the API against it -------------------------------------------------------------------------


class Caller:
    """Somebody with a session, who comes in again when it has ended."""

    def __init__(self, room: Running, role: Role) -> None:
        self.room, self.role = room, role
        self.name = f"{role} {secrets.token_hex(4)}"
        room.room.people.add(self.name, PASSWORD, role)

    def words(self) -> dict[str, str]:
        """What stands for a capital word in ``PROPER``, new each time."""
        people = self.room.room.people
        target, disabled = (f"Target {secrets.token_hex(4)}" for _ in range(2))
        person = people.add(target, PASSWORD, Role.PLAYER)
        people.add(disabled, PASSWORD, Role.PLAYER)
        people.disable(disabled, by="test")
        token = Links(people).make(person).partition("#")[2]
        return {"NAME": self.name, "TARGET": target, "DISABLED": disabled, "TOKEN": token}

    def come_in(self) -> None:
        people, sessions = self.room.room.people, self.room.room.sessions
        person = people.find(self.name)
        assert person
        self.token, self.session = sessions.begin(person)

    def credentials(self) -> dict[str, dict[str, str]]:
        return {"headers": {CSRF: self.session.csrf}, "cookies": {COOKIE: self.token}}

    def call(self, case: Case) -> Any:
        response = case.call(timeout=60, **self.credentials())
        if response.status_code == 401:
            self.come_in()
        return response


HOUSE = {"rulebook": "nj-let-it-ride"}
TARGET = {"path_parameters": {"name": "TARGET"}}
ATLANTIC = {"path_parameters": {"name": "atlantic"}}
# Every address, asked as it should be by somebody who may.
PROPER: dict[str, dict[str, Any]] = {
    "GET /metrics": {},
    "POST /api/guest": {"body": {}},
    "POST /api/login": {"body": {"name": "NAME", "password": PASSWORD}},
    "POST /api/logout": {},
    "GET /api/me": {},
    "POST /api/password": {"body": {"old": PASSWORD, "new": PASSWORD}},
    "POST /api/name": {"body": {"name": "Fay", "password": PASSWORD}},
    "POST /api/link": {"body": {"token": "TOKEN"}},
    "POST /api/link/password": {"body": {"token": "TOKEN", "password": PASSWORD}},
    "POST /api/ticket": {},
    "GET /api/accounts": {},
    "POST /api/accounts": {"body": {"name": "Ada", "password": PASSWORD, "role": "player"}},
    "POST /api/accounts/{name}/role": {**TARGET, "body": {"role": "auditor"}},
    "POST /api/accounts/{name}/disable": {**TARGET, "body": {}},
    "POST /api/accounts/{name}/enable": {"path_parameters": {"name": "DISABLED"}, "body": {}},
    "POST /api/accounts/{name}/delete": {**TARGET, "body": {}},
    "POST /api/accounts/{name}/reset": {**TARGET, "body": {}},
    "POST /api/accounts/{name}/unlock": {**TARGET, "body": {}},
    "POST /api/accounts/{name}/end-sessions": {**TARGET, "body": {}},
    "GET /api/tables": {},
    "POST /api/tables": {"body": {"house": HOUSE, "decision_seconds": 30}},
    "GET /api/tables/{id}": {"path_parameters": {"id": "pikit-1"}},
    "DELETE /api/tables/{id}": {"path_parameters": {"id": "uth-2"}},
    "GET /api/tables/{id}/rounds": {"path_parameters": {"id": "caribbean-1"}},
    "GET /api/tables/{id}/rounds/{n}": {"path_parameters": {"id": "caribbean-1", "n": 1}},
    "GET /api/presets": {},
    "POST /api/check": {"body": {"house": HOUSE, "form": True}},
    "POST /api/edge": {"body": {"house": {"table": "ride-1"}}},
    "POST /api/advise": {"body": {"game": "caribbean", "hand": "Ah Kh Qh Jh Th", "dealer": "2c"}},
    "GET /api/chart": {"query": {"game": "ride"}},
    "POST /api/par": {"body": {"house": HOUSE}},
    "POST /api/compare": {"body": {"a": HOUSE, "b": {"table": "ride-1"}}},
    "POST /api/strategies": {"body": {"house": {"table": "ride-1"}}},
    "POST /api/strategies/{name}": {
        "path_parameters": {"name": "always-ride"},
        "body": {"house": {"table": "ride-1"}},
    },
    "GET /api/audit": {},
    "GET /api/audit/{table}": {"path_parameters": {"table": "caribbean-1"}},
    "POST /api/witness/{name}": {**ATLANTIC, "body": {"checkpoints": []}},
    "GET /api/witness/{name}": {**ATLANTIC, "query": {"after": 0}},
    "GET /api/witness/{name}/heads": ATLANTIC,
    "GET /api/law": {},
    "GET /api/law/clauses": {"query": {"q": "ante"}},
    "GET /api/law/clauses/{id}": {"path_parameters": {"id": "NJ 19:47-32.10(h)2"}},
    "GET /api/supervisor": {},
    "GET /api/supervisor/{table}": {"path_parameters": {"table": "uth-1"}},
}


@pytest.fixture(scope="module")
def callers(room: Running) -> dict[Role, Caller]:
    return {role: Caller(room, role) for role in (Role.PLAYER, Role.OWNER)}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_asked_as_it_should_be_each_address_answers_as_told(
    callers: dict[Role, Caller], schema: Any, endpoint: str
) -> None:
    method, path = endpoint.split(" ")
    caller = callers[Role.OWNER if Role.OWNER in ENDPOINTS[endpoint] else Role.PLAYER]
    if endpoint == "POST /api/name":  # only guests may
        caller = Caller(caller.room, Role.PLAYER)
        caller.name = caller.room.room.people.guest().name
    caller.come_in()
    proper = json.dumps(PROPER[endpoint])
    for word, stands_for in caller.words().items():
        proper = proper.replace(f'"{word}"', f'"{stands_for}"')
    asked = json.loads(proper)
    case = schema[path][method].Case(**asked)
    response = caller.call(case)
    assert response.status_code in (200, 201, 204), response.text
    case.validate_response(response, checks=CHECKS)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.OWNER])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_whatever_is_asked_the_answer_is_one_the_document_tells_of(
    callers: dict[Role, Caller], schema: Any, endpoint: str, role: Role
) -> None:
    method, path = endpoint.split(" ")
    operation, caller = schema[path][method], callers[role]
    caller.come_in()
    examples = MANY if role in ENDPOINTS[endpoint] and endpoint not in FEWER else FEW
    for mode in GenerationMode if operation.body or operation.query else [GenerationMode.POSITIVE]:
        strategy = operation.as_strategy(mode, **caller.credentials())

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def ask(case: Case) -> None:
            case.validate_response(caller.call(case), checks=CHECKS)

        ask()
