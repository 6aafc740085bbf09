"""The guard: what is let in, what is turned away and with which words, and what is written down."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from room_door import ORIGIN, PASSWORD, Browser, Door, code
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import WebSocketDenialResponse
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.room.door.buckets import MOST, Buckets, Rate
from croupier.room.door.guard import COOKIE, CSRF, address
from croupier.room.door.roles import Role
from croupier.room.limits import Limits


async def page(request: Request) -> Response:
    return PlainTextResponse("a page")


async def length(request: Request) -> Response:
    return JSONResponse({"length": len(await request.body())})


async def broken(request: Request) -> Response:
    raise ZeroDivisionError("the secret of the house")


async def greet(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("hello")
    await socket.close()


MORE = (
    Route("/", page, methods=["GET", "POST"]),
    Route("/api/check", length, methods=["POST"]),
    Route("/api/law", broken),
    Route("/api/unlisted", page),
    WebSocketRoute("/ws", greet),
)


@pytest.fixture
def browser(in_file: Door) -> Iterator[Browser]:
    with in_file.browser(in_file.app(MORE)) as opened:
        yield opened


def player(browser: Browser) -> Browser:
    assert browser.say("/api/guest").status_code == 200
    return browser


# --- what goes out --------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/law", "/nowhere", "/api/nowhere"])
def test_every_answer_wears_the_headers(browser: Browser, path: str) -> None:
    headers = browser.get(path).headers
    policy = dict(each.split(" ", 1) for each in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["img-src"] == "'self' data:"
    assert policy["connect-src"] == "'self' ws://testserver"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Strict-Transport-Security" not in headers
    assert ("no-store" in headers.get("Cache-Control", "")) == path.startswith("/api/")


def test_over_https_browsers_are_told_to_stay_there_and_the_cookie_is_secure(
    in_file: Door,
) -> None:
    app = in_file.app(MORE, origins=["https://testserver"])
    answer = in_file.browser(app, "https://testserver").post("/api/guest")
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert "; Secure" in answer.headers["Set-Cookie"]
    assert "wss://testserver" in answer.headers["Content-Security-Policy"]


def test_the_cookie_is_for_http_only_and_for_this_site_only(browser: Browser) -> None:
    cookie = browser.post("/api/guest").headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    parts = {each.strip().lower() for each in cookie.split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/", "max-age=604800"} <= parts
    assert "secure" not in parts


def test_what_breaks_tells_nothing_of_why(browser: Browser) -> None:
    answer = browser.get("/api/law")
    assert (answer.status_code, code(answer)) == (500, "BROKEN")
    assert "secret" not in answer.text


# --- where it comes from --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (ORIGIN, True),
        (ORIGIN.upper(), True),
        ("http://evil.example", False),
        ("https://testserver", False),
        ("http://testserver:81", False),
        ("http://testserver.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_our_own_pages_may_change_anything_or_open_a_socket(
    browser: Browser, origin: str, let_in: bool
) -> None:
    headers = {"Origin": origin}
    for path in ("/api/guest", "/"):
        answer = browser.post(path, headers=headers)
        assert answer.status_code == (200 if let_in else 403)
        assert let_in or code(answer) == "WRONG_ORIGIN"
    if let_in:
        with browser.websocket_connect("/ws", headers=headers) as socket:
            assert socket.receive_text() == "hello"
    else:
        with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/ws", headers=headers):
            pass


def test_a_socket_without_an_origin_is_refused_in_a_sentence(browser: Browser) -> None:
    with pytest.raises(WebSocketDenialResponse) as shut, browser.websocket_connect("/ws"):
        pass
    assert (shut.value.status_code, code(shut.value)) == (403, "WRONG_ORIGIN")


@pytest.mark.parametrize(
    ("host", "let_in"),
    [
        ("testserver", True),
        ("TestServer", True),
        ("testserver:80", True),
        ("testserver:443", False),
        ("testserver.evil.example", False),
        ("evil.example", False),
        ("127.0.0.1", False),
        ("", False),
    ],
)
def test_requests_and_sockets_to_another_host_are_refused(
    browser: Browser, host: str, let_in: bool
) -> None:
    headers = {"Host": host, "Origin": ORIGIN}
    for method, path in (("GET", "/"), ("GET", "/api/me"), ("POST", "/api/guest")):
        answer = browser.request(method, path, headers=headers)
        assert (answer.status_code == 421) != let_in
        assert let_in or code(answer) == "WRONG_HOST"
    if let_in:
        with browser.websocket_connect("/ws", headers=headers) as socket:
            assert socket.receive_text() == "hello"
    else:
        with (
            pytest.raises(WebSocketDenialResponse) as shut,
            browser.websocket_connect("/ws", headers=headers),
        ):
            pass
        assert (shut.value.status_code, code(shut.value)) == (421, "WRONG_HOST")


def test_anybody_may_read_a_page_from_anywhere(browser: Browser) -> None:
    assert browser.get("/", headers={"Origin": "http://evil.example"}).text == "a page"


# --- the token of the session ---------------------------------------------------------------


def test_nothing_is_changed_without_the_token_of_the_session(browser: Browser) -> None:
    player(browser)
    for given in ({}, {CSRF: ""}, {CSRF: browser.csrf[:-1]}, {CSRF: browser.csrf + "x"}):
        answer = browser.post("/api/ticket", headers=given)
        assert (answer.status_code, code(answer)) == (403, "WRONG_TOKEN")
    assert browser.post("/api/ticket", headers={CSRF: browser.csrf}).status_code == 200


def test_coming_in_needs_no_token_even_with_a_session(browser: Browser) -> None:
    player(browser)
    assert browser.post("/api/guest").status_code == 200


def test_the_token_of_one_session_is_no_good_for_another(in_file: Door) -> None:
    app = in_file.app()
    ada, eve = player(in_file.browser(app)), player(in_file.browser(app))
    ada.csrf = eve.csrf
    assert code(ada.say("/api/ticket")) == "WRONG_TOKEN"


def test_what_nobody_listed_is_not_served(browser: Browser) -> None:
    player(browser)
    assert browser.get("/api/unlisted").status_code == 404
    wrong = browser.delete("/api/me")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET, HEAD")
    assert browser.get("/api/me/").status_code == 404


# --- how often and how much -----------------------------------------------------------------


def test_an_address_that_asks_too_fast_waits_and_others_do_not(in_file: Door) -> None:
    app = in_file.app(MORE, Limits(address=Rate(2, 5), too_fast_seconds=0))
    here, there = Browser(app), Browser(app, address="192.0.2.2")
    assert [here.get("/").status_code for _ in range(6)] == [200] * 5 + [429]
    assert there.get("/").status_code == 200
    answer = here.get("/")
    assert (code(answer), answer.headers["Retry-After"]) == ("TOO_FAST", "1")
    in_file.watch.wait(seconds=0.5)
    assert [here.get("/").status_code for _ in range(2)] == [200, 429]


def test_a_session_that_asks_too_fast_waits_wherever_it_is(in_file: Door) -> None:
    app = in_file.app(MORE, Limits(session=Rate(1, 3), too_fast_seconds=0))
    here, there = player(Browser(app)), Browser(app, address="192.0.2.2")
    there.cookies = here.cookies
    asked = [each.get("/api/me").status_code for each in (here, there, here, there)]
    assert asked == [200, 200, 200, 429]


def test_coming_in_is_slower_than_looking(in_file: Door) -> None:
    app = in_file.app(MORE, Limits(costly=Rate(0.1, 2), too_fast_seconds=0))
    came = [Browser(app).post("/api/guest").status_code for _ in range(3)]
    assert came == [200, 200, 429]
    answer = Browser(app).post("/api/login", json={"name": "Ada", "password": PASSWORD})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
    assert Browser(app).get("/").status_code == 200


def test_buckets_do_not_grow_without_end() -> None:
    buckets = Buckets(Rate(1, 2), lambda: 0.0)
    for number in range(MOST + 100):
        assert buckets.take(str(number)) == 0
    assert len(buckets._kept) <= MOST


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_a_house_counts_as_one_address(client: str, counted: str) -> None:
    assert address({"client": (client, 1)}) == counted


@pytest.mark.parametrize(("size", "status"), [(65_535, 200), (65_536, 200), (65_537, 413)])
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_has_at_most_64_kib(
    browser: Browser, size: int, status: int, announced: bool
) -> None:
    player(browser)
    parts = (b"x" * each for each in (size - 1_000, 1_000))
    content: Any = b"x" * size if announced else parts
    answer = browser.post("/api/check", content=content, headers={CSRF: browser.csrf})
    assert answer.status_code == status
    assert status == 413 or answer.json() == {"length": size}


def test_a_body_that_trickles_in_is_cut_off(in_file: Door) -> None:
    app = in_file.app(MORE, Limits(body_seconds=0.2))
    sent: list[Message] = []

    async def trickle() -> Message:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(b"host", b"testserver")],
        "scheme": "http",
        "client": ("192.0.2.1", 1),
    }
    asyncio.run(asyncio.wait_for(app(scope, trickle, send), 5))
    assert sent[0]["status"] == 408


# --- coming and going -----------------------------------------------------------------------


def test_a_guest_comes_in_with_one_click_and_stays_the_same_guest(browser: Browser) -> None:
    assert code(browser.get("/api/me")) == "WHO_ARE_YOU"
    me = browser.say("/api/guest").json()
    assert me["name"].startswith("Guest ")
    assert (me["role"], me["bank"], me["seats"]) == ("player", 100_000, [])
    assert browser.get("/api/me").json() == me
    assert browser.say("/api/guest").json() == me


def test_logging_in_ends_the_session_the_browser_had(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    browser = player(in_file.browser())
    before = browser.cookies[COOKIE]
    assert browser.say("/api/login", name="Ada", password=PASSWORD).json()["name"] == "Ada"
    assert browser.cookies[COOKIE] != before
    assert in_file.sessions.find(before) is None


def test_logging_out_ends_the_session_and_takes_the_cookie(in_file: Door) -> None:
    browser = player(in_file.browser())
    token = browser.cookies[COOKIE]
    assert browser.say("/api/logout").status_code == 204
    assert COOKIE not in browser.cookies
    assert in_file.sessions.find(token) is None


def test_a_new_password_logs_out_everywhere_but_here(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    app = in_file.app()
    here, there = in_file.browser(app), in_file.browser(app)
    for each in (here, there):
        assert each.say("/api/login", name="Ada", password=PASSWORD).status_code == 200
    assert here.say("/api/password", old=PASSWORD, new="short").status_code == 422
    assert there.get("/api/me").status_code == 200
    assert here.say("/api/password", old=PASSWORD, new="royal flush").status_code == 200
    assert here.get("/api/me").json()["name"] == "Ada"
    assert there.get("/api/me").status_code == 401


def test_one_answer_whichever_credential_is_wrong_and_a_wait_after_three(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    browser = in_file.browser()
    tries = (("Ada", "wrong"), ("Nobody", PASSWORD), ("Ada", ""), ("Ada", PASSWORD))
    answers = [browser.say("/api/login", name=name, password=word) for name, word in tries]
    assert [each.status_code for each in answers] == [401, 401, 401, 429]
    assert len({each.text for each in answers[:3]}) == 1
    assert code(answers[3]) == "WAIT"


def test_the_owner_makes_accounts_and_lists_them(in_file: Door) -> None:
    password = in_file.people.first_start()
    owner = in_file.browser()
    owner.say("/api/login", name="owner", password=password)
    made = owner.say("/api/accounts", name="Sam", password=PASSWORD, role="supervisor")
    assert made.status_code == 201
    again = owner.say("/api/accounts", name="sam", password=PASSWORD, role="player")
    assert (again.status_code, code(again)) == (409, "NAME_TAKEN")
    listed = owner.get("/api/accounts").json()
    assert [(each["name"], each["role"]) for each in listed] == [
        ("owner", "owner"),
        ("Sam", "supervisor"),
    ]
    assert "argon2" not in owner.get("/api/accounts").text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"name":"\xff","password":"x"}',
        b'{"name":"\\ud800","password":"x"}',
        b'{"name":1,"password":"x"}',
        b'{"name":"Ada"}',
        b'{"name":"Ada","password":"x","more":1}',
        b'{"name":"Ada","password":"' + b"x" * 257 + b'"}',
        b"[" * 5_000,
    ],
)
def test_a_body_that_cannot_be_read_is_refused_in_one_sentence(
    browser: Browser, body: bytes
) -> None:
    answer = browser.post("/api/login", content=body)
    assert (answer.status_code, code(answer)) == (400, "BAD_REQUEST")


# --- what is written down -------------------------------------------------------------------


def test_every_refused_authorisation_is_written_down(
    in_file: Door, caplog: pytest.LogCaptureFixture
) -> None:
    browser = in_file.browser(in_file.app(MORE))
    with caplog.at_level(logging.INFO, "croupier.room.refused"):
        browser.get("/api/me")
        browser.say("/api/login", name="Ada", password="a wrong one")
        name = browser.say("/api/guest").json()["name"]
        browser.get("/api/accounts")
        browser.post("/api/ticket", headers={"Origin": ORIGIN})
        browser.post("/api/ticket", headers={"Origin": "http://evil.example"})
        with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/ws"):
            pass
    noted = [json.loads(each.getMessage()) for each in caplog.records]
    assert all(datetime.fromisoformat(each["time"]).utcoffset() == timedelta() for each in noted)
    told = [(each["action"], each["code"], each["name"], each["role"]) for each in noted]
    assert told == [
        ("GET /api/me", "WHO_ARE_YOU", "", "nobody"),
        ("POST /api/login", "WRONG_CREDENTIALS", "", "nobody"),
        ("GET /api/accounts", "FORBIDDEN", name, "player"),
        ("POST /api/ticket", "WRONG_TOKEN", name, "player"),
        ("POST /api/ticket", "WRONG_ORIGIN", "", "nobody"),
        ("SOCKET /ws", "WRONG_ORIGIN", "", "nobody"),
    ]
    assert {each["address"] for each in noted} == {"192.0.2.1"}
    loud = [each.levelno >= logging.WARNING for each in caplog.records]
    assert loud == [False, *[True] * 5], "a page that asks who it is alarms nobody"
    assert "a wrong one" not in caplog.text


def test_nobody_is_let_in_when_sessions_cannot_be_read(in_file: Door) -> None:
    browser = player(in_file.browser())
    in_file.sessions.register.change(("DROP TABLE sessions", ()))
    answer = browser.get("/api/me")
    assert (answer.status_code, code(answer)) == (503, "UNREAD")
