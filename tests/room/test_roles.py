"""Every role against every endpoint, table command and message."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from room_door import ORIGIN, PASSWORD, Browser, Door, code
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.ledger.records import AddEntropy
from croupier.room.app import create_app
from croupier.room.door.buckets import Rate
from croupier.room.door.guard import COOKIE, CSRF, Guard
from croupier.room.door.people import People
from croupier.room.door.roles import COMMANDS, ENDPOINTS, MESSAGES, Role, endpoint, may
from croupier.room.door.sessions import Sessions
from croupier.room.floor import Room
from croupier.room.limits import Limits
from croupier.room.settings import Settings
from croupier.table import commands

# n nobody, p player, s supervisor, a auditor, o owner
HTTP = """
POST /api/guest                     n p s a o
POST /api/login                     n p s a o
POST /api/logout                    - p s a o
GET  /api/me                        - p s a o
POST /api/password                  - p s a o
POST /api/name                      - p - - -
POST /api/ticket                    - p s a o
POST /api/link                      n p s a o
POST /api/link/password             n p s a o
GET  /api/accounts                  - - - - o
POST /api/accounts                  - - - - o
POST /api/accounts/{name}/role      - - - - o
POST /api/accounts/{name}/disable   - - - - o
POST /api/accounts/{name}/enable    - - - - o
POST /api/accounts/{name}/delete    - - - - o
POST /api/accounts/{name}/reset     - - - - o
POST /api/accounts/{name}/unlock    - - - - o
POST /api/accounts/{name}/end-sessions - - - - o
GET  /api/tables                    n p s a o
POST /api/tables                    - p s - o
GET  /api/tables/{id}               n p s a o
GET  /api/tables/{id}/rounds        - p s a o
GET  /api/tables/{id}/rounds/{n}    - p s a o
DELETE /api/tables/{id}             - p s - o
GET  /api/presets                   n p s a o
POST /api/check                     - p s a o
POST /api/edge                      - p s a o
POST /api/advise                    - p s a o
GET  /api/chart                     n p s a o
POST /api/par                       - p s a o
POST /api/strategies                - p s a o
POST /api/strategies/{name}         - p s a o
POST /api/compare                   - p s a o
GET  /api/audit                     - - s a o
GET  /api/audit/{table}             - - s a o
GET  /api/law                       n p s a o
GET  /api/law/clauses               n p s a o
GET  /api/law/clauses/{id}          n p s a o
GET  /api/supervisor                - - s - o
GET  /api/supervisor/{table}        - - s - o
POST /api/witness/{name}            n p s a o
GET  /api/witness/{name}            n p s a o
GET  /api/witness/{name}/heads      n p s a o
GET  /metrics                       - - s - o
"""

SOCKET = """
SitDown StandUp BuyChips PlaceWagers TakeBackWagers Choose AddEntropy   - p - - -
OrderRecut RemoveDeck RemoveDevice InstallDevice ChangeMethod           - - s - o
FillInventory ReportExposedCard ReportFaceUpCard                        - - s - o
ReportCardDrawnInError ReportWrongNumber ReportJam                      - - s - o
hello watch unwatch command ping                                        - p s a o
ready                                                                   - p - - -
pause resume preview act                                                - - s - o
"""


def table(text: str) -> dict[tuple[str, ...], list[bool]]:
    """The words of each line, and whether each role, in order, may."""
    lines = [line.split() for line in text.strip().splitlines()]
    return {tuple(line[:-5]): [each != "-" for each in line[-5:]] for line in lines}


WRITTEN_HTTP = {" ".join(words): row for words, row in table(HTTP).items()}
WRITTEN_SOCKET = {each: row for words, row in table(SOCKET).items() for each in words}


def test_everything_listed_is_in_the_matrix_and_nothing_else() -> None:
    assert set(WRITTEN_HTTP) == set(ENDPOINTS)
    assert set(WRITTEN_SOCKET) == set(COMMANDS) | set(MESSAGES)


@pytest.mark.parametrize("action", [*WRITTEN_HTTP, *WRITTEN_SOCKET])
def test_each_role_may_do_exactly_what_is_written(action: str) -> None:
    written = (WRITTEN_HTTP | WRITTEN_SOCKET)[action]
    assert [may(role, action) for role in Role] == written


@pytest.mark.parametrize("role", [*Role, "", "king"])
@pytest.mark.parametrize(
    "action", ["", "Settle", "DealHands", "ReceiveDeck", "GET /api", "sitdown"]
)
def test_nobody_may_do_what_is_not_listed(role: str, action: str) -> None:
    assert not may(role, action)


@pytest.mark.parametrize("action", WRITTEN_SOCKET)
def test_an_unknown_role_may_do_nothing(action: str) -> None:
    assert not may("king", action)


def test_every_table_command_of_the_matrix_is_one_a_table_knows() -> None:
    for name in COMMANDS:
        kind = AddEntropy if name == "AddEntropy" else getattr(commands, name)
        assert issubclass(kind, commands.Command)


@pytest.mark.parametrize(
    ("method", "path", "action"),
    [
        ("GET", "/api/tables", "GET /api/tables"),
        ("HEAD", "/api/tables", "GET /api/tables"),
        ("GET", "/api/tables/uth-1", "GET /api/tables/{id}"),
        ("GET", "/api/tables/uth-1/rounds/7", "GET /api/tables/{id}/rounds/{n}"),
        ("GET", "/api/law/clauses", "GET /api/law/clauses"),
        ("DELETE", "/api/tables", ""),
        ("GET", "/api/tables/", None),
        ("GET", "/api/tables//rounds", None),
        ("GET", "/api/tables/a/rounds/7/more", None),
        ("GET", "/api/nothing", None),
    ],
)
def test_a_request_is_for_one_endpoint(method: str, path: str, action: str | None) -> None:
    assert endpoint(method, path) == action


# --- through the guard and the room ---------------------------------------------------------


async def reached(request: Request) -> Response:
    return Response("reached")


@pytest.fixture
def app(in_file: Door) -> Guard:
    """Every endpoint of the matrix, with nothing behind it but a mark."""
    split = [each.split(" ") for each in ENDPOINTS]
    inside = Starlette(routes=[Route(path, reached, methods=[method]) for method, path in split])
    return Guard(inside, sessions=in_file.sessions, origins=[ORIGIN])


def come_in(browser: Browser, people: People, sessions: Sessions, role: Role) -> Browser:
    """With a session of this role, and none for nobody."""
    if role is not Role.NOBODY:
        cookie, session = sessions.begin(
            people.find(f"The {role}") or people.add(f"The {role}", PASSWORD, role)
        )
        browser.cookies.set(COOKIE, cookie)
        browser.csrf = session.csrf
    return browser


@pytest.mark.parametrize("role", Role)
def test_each_role_reaches_exactly_the_endpoints_written(
    in_file: Door, app: Guard, role: Role
) -> None:
    browser = come_in(Browser(app), in_file.people, in_file.sessions, role)
    place = list(Role).index(role)
    for action, written in WRITTEN_HTTP.items():
        method, template = action.split(" ")
        path = re.sub(r"{\w+}", "x", template)
        answer = browser.request(method, path, headers={CSRF: browser.csrf, "Origin": ORIGIN})
        refused = 401 if role is Role.NOBODY else 403
        assert answer.status_code == (200 if written[place] else refused), (role, action)
        assert (answer.text == "reached") == written[place]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return Room(Settings(data=tmp_path_factory.mktemp("room"), origins=(ORIGIN,)))


@pytest.fixture(scope="module")
def served(room: Room) -> Iterator[Browser]:
    with Browser(create_app(room, limits=Limits(session=Rate(1_000, 1_000)))) as opened:
        yield opened


def test_every_endpoint_the_room_serves_is_in_the_matrix(room: Room, served: Browser) -> None:
    routes = [each for each in served.app.routes if isinstance(each, Route)]  # type: ignore[attr-defined]
    paths = [each.path for each in routes if each.path.startswith("/api/")]
    assert len(paths) > 8
    assert [path for path in paths if endpoint("GET", re.sub(r"{.*?}", "x", path)) is None] == []


@pytest.mark.parametrize("role", Role)
def test_the_room_refuses_each_role_what_is_not_written(
    room: Room, served: Browser, role: Role
) -> None:
    served.cookies.clear()
    browser = come_in(served, room.people, room.sessions, role)
    place = list(Role).index(role)
    for action in [action for action, written in WRITTEN_HTTP.items() if not written[place]]:
        method, template = action.split(" ")
        path = re.sub(r"{\w+}", "x", template)
        answer = browser.request(method, path, headers={CSRF: browser.csrf, "Origin": ORIGIN})
        assert code(answer) == ("WHO_ARE_YOU" if role is Role.NOBODY else "FORBIDDEN"), action


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.NOBODY])
def test_each_role_may_say_exactly_what_is_written_on_the_socket(
    room: Room, served: Browser, role: Role
) -> None:
    served.cookies.clear()
    browser = come_in(served, room.people, room.sessions, role)
    place = list(Role).index(role)
    table = next(iter(room.hosts))
    with browser.websocket_connect(
        "/ws", subprotocols=["croupier.1"], headers={"Origin": ORIGIN}
    ) as socket:
        socket.send_json({"type": "hello", "ticket": browser.say("/api/ticket").json()["ticket"]})
        assert socket.receive_json() == {
            "type": "welcome",
            "name": f"The {role}",
            "role": str(role),
            "version": 1,
        }
        for name in COMMANDS:
            # Without its fields: whoever may say it is told that it lacks them.
            asked = {"type": "command", "id": name, "table": table, "do": {"name": name, "x": 1}}
            socket.send_json(asked)
            refused = socket.receive_json()["refused"]
            assert (refused["code"] != "NOT_THIS_ROLE") == WRITTEN_SOCKET[name][place], name
        socket.send_json({"type": "preview", "id": "p", "table": table, "do": {"name": "SitDown"}})
        heard = socket.receive_json()["type"]
        assert heard == ("preview" if WRITTEN_SOCKET["preview"][place] else "error")
        for kind in ("ready", "pause", "resume"):
            socket.send_json({"type": kind, "table": table})
            socket.send_json({"type": "ping", "n": 1})
            heard = socket.receive_json()
            if not WRITTEN_SOCKET[kind][place]:
                assert heard["type"] == "error"
                heard = socket.receive_json()
            assert heard == {"type": "pong", "n": 1}
