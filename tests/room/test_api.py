"""The tables over HTTP, the coach, and the pages there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from posixpath import normpath
from typing import Any

import pytest
from room_driver import Running, running

from croupier.house.submission import default_house
from croupier.room.app import PAGES, STATIC
from croupier.room.door.roles import Role


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


def test_a_new_room_has_a_table_for_every_rulebook(room: Running) -> None:
    tables = room.client().get("/api/tables").json()
    assert [each["rulebook"] for each in tables[:5]] == [
        "nj-ultimate-texas-holdem",
        "ma-ultimate-texas-holdem",
        "nj-caribbean-stud",
        "nj-let-it-ride",
        "nj-pik-it-poker",
    ]
    for each in tables:
        house = default_house(each["rulebook"])
        assert each["free"] == len(each["seats"]) == house.positions
        assert each["title"] == house.game.title
        for key, posted in house.posted.items():
            assert each["limits"][key] == [posted.minimum, posted.maximum]


def test_a_table_tells_its_sign_and_its_rules_with_clauses_one_can_look_up(room: Running) -> None:
    client = room.client()
    for listed in client.get("/api/tables").json():
        table = client.get(f"/api/tables/{listed['id']}").json()
        assert table["rules"]
        for notice in table["sign"]:
            clause = client.get(f"/api/law/clauses/{notice['clause']}").json()
            assert clause["id"] == notice["clause"]
            assert clause["says"]


@pytest.mark.parametrize("path", ["/api/tables/nowhere", "/api/law/clauses/NJ 1:1"])
def test_what_is_not_there_is_not_found(room: Running, path: str) -> None:
    answer = room.client().get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["sentence"]


def test_a_player_opens_three_tables_and_no_more(room: Running) -> None:
    player = room.guest()
    body = {"house": {"rulebook": "nj-let-it-ride"}, "decision_seconds": 30}
    for _ in range(3):
        opened = player.post("/api/tables", body)
        assert opened.status_code == 201
        assert opened.json()["clocks"]["decision_seconds"] == 30
        assert player.client.get(f"/api/tables/{opened.json()['id']}").status_code == 200
    refused = player.post("/api/tables", body)
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "TOO_MANY_TABLES"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"house": {"rulebook": "nj-let-it-ride", "decks": ["red", "red"]}}, 422),
        ({"house": {"rulebook": "nowhere"}}, 422),
        ({"house": {}}, 422),
        ({"house": {"rulebook": "nj-let-it-ride"}, "id": "uth-1"}, 409),
        ({"house": {"rulebook": "nj-let-it-ride"}, "id": "../up"}, 422),
        ({"house": {"rulebook": "nj-let-it-ride"}, "decision_seconds": -1}, 422),
        ({"house": {"rulebook": "nj-let-it-ride"}, "inventory": -1}, 422),
        ({"house": {"rulebook": "nj-let-it-ride"}, "inventory": 10**30}, 422),
        ({"house": {"rulebook": "nj-let-it-ride", "name": "x" * 65}}, 422),
        ({"house": {"rulebook": "nj-let-it-ride", "name": "\0"}}, 422),
        ({"house": 7}, 400),
        ({"home": {}}, 400),
    ],
)
def test_an_unlawful_or_unreadable_table_is_not_opened(
    room: Running, body: dict[str, Any], status: int
) -> None:
    before = set(room.room.hosts)
    answer = room.guest().post("/api/tables", body)
    assert answer.status_code == status
    assert answer.json()["error"]["sentence"]
    assert set(room.room.hosts) == before


def test_the_coach_knows_what_the_player_sees_and_nobody_elses_hand(room: Running) -> None:
    player, other = room.guest().connect(), room.guest()
    table = "caribbean-1"
    player.look(table)
    player.sit(table, 1)
    player.bet(table)
    player.until_may(table, "Choose")
    hand = player.tables[table]["view"]["round"]["positions"][0]["cards"]
    advice = player.post("/api/advise", {"table": table, "seat": 1}).json()
    assert advice["hand"].split() == hand
    assert {each["option"] for each in advice["options"]} == {"bet", "fold"}
    fold = next(each for each in advice["options"] if each["option"] == "fold")
    assert Fraction(fold["value"]) == -1
    assert other.post("/api/advise", {"table": table, "seat": 1}).status_code == 422
    player.play(table)
    assert player.post("/api/advise", {"table": table, "seat": 1}).status_code == 422
    player.disconnect()


def test_the_coach_answers_about_cards_one_names(room: Running) -> None:
    """A royal flush beats every dealer: with a bet it wins, and folding it loses the ante."""
    asked = {"game": "caribbean", "hand": "Ah Kh Qh Jh Th", "dealer": "2c"}
    advice = room.guest().post("/api/advise", asked).json()
    assert advice["best"] == "bet"
    wrong = room.guest().post("/api/advise", {"game": "caribbean", "hand": "Ah Ah"})
    assert wrong.status_code == 422


def test_the_coach_answers_about_cards_at_a_table(room: Running) -> None:
    """Under the house of that table, whatever goes on there."""
    player = room.guest()
    asked = {"hand": "Ah Kh", "board": "2c 5d 9s Jh Qc", "ante": 1000}
    for where, book in (
        ({"table": "uth-1"}, "nj-ultimate-texas-holdem"),
        ({"table": "uth-2"}, "ma-ultimate-texas-holdem"),
        ({"game": "uth"}, "nj-ultimate-texas-holdem"),
    ):
        advice = player.post("/api/advise", {**where, **asked}).json()
        assert (advice["rulebook"], advice["ante"]) == (book, 1000)
        for each in advice["options"]:
            assert Fraction(each["cost_cents"]) == Fraction(each["cost"]) * 1000
    assert player.post("/api/advise", {"table": "nowhere", **asked}).status_code == 404
    assert player.post("/api/advise", {"game": "uth", **asked, "ante": -1}).status_code == 400


def test_health_and_figures_are_told(room: Running) -> None:
    assert room.client().get("/health").json()["well"] is True
    figures = room.staff(Role.SUPERVISOR).client.get("/metrics").text
    assert re.search(r"^croupier_tables \d", figures, re.MULTILINE)


@pytest.mark.parametrize(
    "path", ["/", "/table/uth-1", "/supervisor", "/audit", "/mathematics", "/law"]
)
def test_everything_a_page_asks_for_is_there(room: Running, path: str) -> None:
    client = room.client()
    page = client.get(path)
    assert page.headers["content-type"].startswith("text/html")
    waiting, seen = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)), set()
    assert waiting
    while waiting:
        at = waiting.pop()
        seen.add(at)
        answer = client.get(at)
        assert answer.status_code == 200, at
        assert answer.headers["etag"]
        if at.endswith(".js"):
            folder = at.rsplit("/", 1)[0]
            for name in re.findall(r'(?:from|import) "(\.[^"]+)"', answer.text):
                waiting |= {normpath(f"{folder}/{name}")} - seen


def test_the_lobby_links_to_nothing_that_is_not_there() -> None:
    text = (STATIC / "lobby.html").read_text() + (STATIC / "lobby/lobby.js").read_text()
    links = set(re.findall(r'href[=:] ?["`](/(?!static)[^"`]*)["`]', text))
    assert links <= set(PAGES)
