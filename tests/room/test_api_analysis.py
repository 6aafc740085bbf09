"""The mathematics and the houses over HTTP."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from room_driver import Player, Running, running

from croupier.games.registry import RULEBOOKS
from croupier.house.submission import default_house
from croupier.ledger.keeper import Keeper
from croupier.room.api.house_form import form
from croupier.room.door.roles import Role
from croupier.room.study.scheduler import Job, Scheduler
from croupier.rules.bounds import MOST_ODDS, MOST_STAKE
from croupier.rules.money import in_dollars

Data = dict[str, Any]

HOLDEM, STUD, RIDE, PIK_IT = (
    "nj-ultimate-texas-holdem",
    "nj-caribbean-stud",
    "nj-let-it-ride",
    "nj-pik-it-poker",
)
PATIENCE = 300  # seconds: kernels may have to be compiled


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def guest(room: Running) -> Player:
    player = room.guest()
    player.client.timeout = PATIENCE
    return player


def asked(guest: Player, path: str, body: Data) -> Data:
    answer = guest.post(path, body)
    assert answer.status_code == 200, answer.text
    found: Data = answer.json()
    return found


# --- whether a house is lawful ----------------------------------------------------------------


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_preset_is_lawful_and_its_form_knows_its_wagers(guest: Player, book: str) -> None:
    told = asked(guest, "/api/check", {"house": {"rulebook": book}, "form": True})
    assert told["legal"] is True
    assert told["violations"] == []
    house = default_house(book)
    keys = {each["key"] for each in told["form"]["wagers"]}
    assert keys == {w.key for w in house.game.wagers_under(house.book) if w.before_the_deal}
    for pay in told["form"]["pay"]:
        key, _, hands = pay["key"].partition(".")
        printed = house.game.tables[key].tables if key in house.game.tables else {}
        for table in pay["tables"]:
            lines = printed[hands or table["name"]].lines if printed else ()
            if lines:
                assert {line["name"]: line["pays"] for line in table["lines"]} == {
                    line.name: str(line.award) for line in lines
                }


def test_a_form_comes_only_when_it_is_asked_for(guest: Player) -> None:
    assert asked(guest, "/api/check", {"house": {"rulebook": RIDE}})["form"] is None


@pytest.mark.parametrize(
    ("house", "key", "clause"),
    [
        ({"rulebook": HOLDEM, "pay": {"trips": {"flush": "5 to 1"}}}, "pay.trips.flush", "32.11"),
        ({"rulebook": RIDE, "decks": ["red", "blue"]}, "decks", "18.2"),
        ({"rulebook": HOLDEM, "dealing": "hand"}, "dealing", "32.8"),
        ({"rulebook": HOLDEM, "limits": {"ante": [10, 5]}}, "limits.ante", "32."),
        ({"rulebook": PIK_IT, "payout_limit": 50_000}, "payout_limit", "39.11"),
    ],
)
def test_a_violation_names_its_field_and_its_clause(
    guest: Player, house: Data, key: str, clause: str
) -> None:
    told = asked(guest, "/api/check", {"house": house})
    assert told["legal"] is False
    found = next(each for each in told["violations"] if each["key"] == key)
    assert clause in found["clause"]
    assert guest.client.get(f"/api/law/clauses/{found['clause']}").status_code == 200


@pytest.mark.parametrize(
    "house",
    [
        {},
        {"rulebook": "nowhere"},
        {"rulebook": ["a"]},
        {"rulebook": HOLDEM, "positions": "six"},
        {"rulebook": HOLDEM, "pay": {"trips": {"flush": "much"}}},
        {"rulebook": HOLDEM, "pay": {"trips": {"flush": "9" * 5000}}},
        {"rulebook": HOLDEM, "pay": {"trips": {"table": {}}}},
        {"rulebook": HOLDEM, "limits": {"ante": ["9" * 5000, 1]}},
        {"rulebook": HOLDEM, "positions": 10**40},
        {"rulebook": HOLDEM, "payout_limit": 10**40},
        {"rulebook": HOLDEM, "limits": {"ante": [5, 10**40]}},
        {"rulebook": HOLDEM, "pay": {"trips": {"flush": 10**40}}},
        {"rulebook": HOLDEM, "name": "\0"},
        {"rulebook": HOLDEM, "wheels": 4},
        {"rulebook": HOLDEM, "limits": {"a": {"b": {"c": {"d": {"e": {}}}}}}},
        {"rulebook": HOLDEM, "limits": [[[[[[1]]]]]]},
        {"rulebook": HOLDEM, "limits": nested(800)},
    ],
)
def test_what_cannot_be_read_is_told_like_a_violation_and_nowhere_priced(
    guest: Player, house: Data
) -> None:
    told = asked(guest, "/api/check", {"house": house})
    assert told["legal"] is False
    assert all(each["sentence"] for each in told["violations"])
    for path, body in (
        ("/api/edge", {"house": house}),
        ("/api/par", {"house": house}),
        ("/api/strategies", {"house": house}),
        ("/api/compare", {"a": house, "b": {"rulebook": RIDE}}),
    ):
        answer = guest.post(path, body)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "ILLEGAL_HOUSE"


@pytest.mark.parametrize("path", ["/api/check", "/api/edge", "/api/par", "/api/strategies"])
@pytest.mark.parametrize("body", [{}, {"house": 7}, {"house": {}, "more": 1}])
def test_a_request_of_another_shape_is_not_read(guest: Player, path: str, body: Data) -> None:
    answer = guest.post(path, body)
    assert answer.status_code == 400
    assert answer.json()["error"]["sentence"]


@pytest.mark.parametrize(
    "award", ["1,000,001 to 1", "99999999999999999999999 to 1", "20,001 to 10007"]
)
def test_odds_beyond_all_reason_are_refused_and_not_counted_wrong(
    guest: Player, award: str
) -> None:
    house = {"rulebook": RIDE, "pay": {"main": {"tens-or-better": award}}}
    told = asked(guest, "/api/check", {"house": house})
    assert told["legal"] is False
    assert [each["key"] for each in told["violations"]] == ["pay.main.tens-or-better"]
    for path in ("/api/edge", "/api/par", "/api/strategies"):
        answer = guest.post(path, {"house": house})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "ILLEGAL_HOUSE"


def test_numbers_are_held_to_the_bounds_that_hold_everywhere(guest: Player) -> None:
    """Whatever the number is, it is refused with the bound of a wager."""
    for beyond in (MOST_STAKE // 100 + 1, 10**13):
        house = {"rulebook": HOLDEM, "limits": {"ante": [5, beyond]}}
        told = asked(guest, "/api/check", {"house": house})
        sentences = [each["sentence"] for each in told["violations"]]
        assert sentences == [f"no wager may be larger than {in_dollars(MOST_STAKE)}."]
    body = {"game": "ride", "hand": "Ah 7d 2c"}
    assert guest.post("/api/advise", {**body, "ante": MOST_STAKE}).status_code == 200
    assert guest.post("/api/advise", {**body, "ante": MOST_STAKE + 1}).status_code == 400


def test_a_table_that_is_older_than_the_bounds_is_not_counted_wrong(tmp_path: Path) -> None:
    house = {"rulebook": RIDE, "pay": {"main": {"tens-or-better": f"{MOST_ODDS + 1} to 1"}}}
    with running(tmp_path) as room:
        Keeper.open(room.room.ledger, "older", house, 100_000_00)
    with running(tmp_path) as room:
        player = room.guest()
        player.client.timeout = PATIENCE
        for path, body in (
            ("/api/edge", {"house": {"table": "older"}}),
            ("/api/par", {"house": {"table": "older"}}),
            ("/api/advise", {"table": "older", "hand": "Ah 7d 2c"}),
        ):
            answer = player.post(path, body)
            assert answer.status_code == 422
            assert f"at most {MOST_ODDS:,} to 1" in answer.json()["error"]["sentence"]


# --- the price --------------------------------------------------------------------------------

# Known from the literature, and counted another way in tests/analysis.
EDGES = [
    (HOLDEM, "main", "50643648973/2317817502000", "2.1850 %"),
    (HOLDEM, "trips", "301629/33446140", "0.9018 %"),
    (STUD, "main", "142031221/2718662100", "5.2243 %"),
    (RIDE, "main", "37963/1082900", "3.5057 %"),
    (RIDE, "three-card", "128/5525", "2.3167 %"),
]


@pytest.mark.parametrize(("book", "wager", "exact", "percent"), EDGES)
def test_the_edge_of_a_preset_is_exact(
    guest: Player, book: str, wager: str, exact: str, percent: str
) -> None:
    told = asked(guest, "/api/edge", {"house": {"rulebook": book}})
    edge = next(each for each in told["edges"] if each["key"] == wager)
    assert edge["edge"] == {"exact": exact, "percent": percent}
    assert edge["favours_player"] is False


def test_a_better_line_costs_the_house_as_often_as_it_comes(guest: Player) -> None:
    """Of 22,100 hands of three cards 52 are three of a kind: each unit more costs 52/22100."""
    asked_before = {"rulebook": RIDE}
    raised = {"rulebook": RIDE, "pay": {"three-card": {"three-of-a-kind": "100 to 1"}}}
    before, after = (
        {each["key"]: Fraction(each["edge"]["exact"]) for each in priced["edges"]}
        for priced in (asked(guest, "/api/edge", {"house": h}) for h in (asked_before, raised))
    )
    printed = next(pay for pay in form(RIDE).pay if pay.key == "three-card").tables[0]
    was = next(line.pays for line in printed.lines if line.name == "three-of-a-kind")
    more = 100 - int(was.split()[0])
    assert before["three-card"] - after["three-card"] == Fraction(52 * more, 22_100)
    assert before["main"] == after["main"]


def test_a_wager_that_favours_the_player_is_told_with_its_clause(guest: Player) -> None:
    house = {"rulebook": RIDE, "pay": {"three-card": {"pair": "2 to 1"}}}
    told = asked(guest, "/api/edge", {"house": house})
    edge = next(each for each in told["edges"] if each["key"] == "three-card")
    assert edge["favours_player"] is True
    assert edge["edge"]["percent"].startswith("-")
    (warning,) = told["warnings"]
    assert warning["key"] == "pay.three-card"
    assert warning["clause"]


def test_a_house_that_was_priced_is_not_worked_out_again(
    room: Running, guest: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its name and limits are: they bear on no edge."""
    house: Data = {"rulebook": HOLDEM}
    first = asked(guest, "/api/edge", {"house": house})
    scheduler, worked_out = room.room.study.scheduler, []

    def ask(*question: Any) -> Job:
        worked_out.append(question)
        return Scheduler.ask(scheduler, *question)

    monkeypatch.setattr(scheduler, "ask", ask)
    named = house | {"name": "Another", "limits": {"ante": [10, 100]}}
    assert asked(guest, "/api/edge", {"house": named}) == first
    assert worked_out == []
    asked(guest, "/api/edge", {"house": house | {"pay": {"trips": {"flush": "8 to 1"}}}})
    assert len(worked_out) == 1


def test_of_many_questions_of_one_session_only_the_newest_is_worked_out(room: Running) -> None:
    """While something long is thought about, the one between is given up."""
    player = room.guest()
    player.client.timeout = PATIENCE
    asked(player, "/api/edge", {"house": {"rulebook": RIDE}})  # a worker is ready after this
    told: dict[int, int] = {}

    def ask(number: int) -> None:
        lines = {"rulebook": HOLDEM, "pay": {"trips": {"flush": f"{10 + number} to 1"}}}
        told[number] = player.post("/api/edge", {"house": lines}).status_code

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
        time.sleep(0.15)  # so that they arrive in this order
    for thread in threads:
        thread.join()
    assert told == {0: 200, 1: 422, 2: 200}


# --- sheets -----------------------------------------------------------------------------------


def test_a_sheet_as_data_has_every_wager_and_its_exact_figures(guest: Player) -> None:
    sheet = asked(guest, "/api/par", {"house": {"rulebook": RIDE}})
    summary = sheet["sections"][0]["blocks"][1]
    assert summary["columns"][:2] == ["Wager", "Edge"]
    assert summary["rows"][0][1]["exact"] == "37963/1082900"
    drawn = [block for part in sheet["sections"] for block in part["blocks"]]
    bars = next(block["bars"] for block in drawn if block["block"] == "distribution")
    assert abs(sum(float(each["probability"]) for each in bars) - 1) < 1e-9
    assert [float(each["net"]) for each in bars] == sorted(float(each["net"]) for each in bars)
    funnel = next(block for block in drawn if block["block"] == "funnel")
    assert abs(float(funnel["mean"]) - (1 - 37963 / 1082900)) < 1e-6
    assert not any(block["block"] == "opening" for block in drawn)


def test_the_sheet_of_ultimate_texas_holdem_opens_with_169_classes(guest: Player) -> None:
    sheet = asked(guest, "/api/par", {"house": {"rulebook": HOLDEM}})
    drawn = [block for part in sheet["sections"] for block in part["blocks"]]
    (starts,) = [block["starts"] for block in drawn if block["block"] == "opening"]
    assert sum(each["hands"] for each in starts) == 52 * 51 // 2
    assert len(starts) == 169
    by_name = {each["name"]: each for each in starts}
    assert by_name["AA"]["best"] == "4x"
    assert by_name["32o"]["best"] == "check"
    chart = guest.client.get("/api/chart?game=uth").json()["opening"]
    assert {each["class"]: each["best"] for each in chart} == {
        name: each["best"] for name, each in by_name.items()
    }


@pytest.mark.parametrize(
    ("format", "begins"), [("html", b"<!doctype html>"), ("pdf", b"%PDF-"), ("xlsx", b"PK")]
)
def test_a_sheet_can_be_taken_away(guest: Player, format: str, begins: bytes) -> None:
    answer = guest.post("/api/par", {"house": {"rulebook": RIDE}, "format": format})
    assert answer.status_code == 200
    assert answer.content.startswith(begins)
    wanted = f'attachment; filename="par-{RIDE}.{format}"'
    assert answer.headers["content-disposition"] == wanted
    if format == "xlsx":
        assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


def test_a_sheet_is_made_of_a_table_by_its_name(guest: Player) -> None:
    by_table = asked(guest, "/api/par", {"house": {"table": "ride-1"}})
    assert by_table == asked(guest, "/api/par", {"house": {"rulebook": RIDE}})
    assert guest.post("/api/par", {"house": {"table": "nowhere"}}).status_code == 404
    assert guest.post("/api/par", {"house": {"table": []}}).status_code == 404


def test_another_format_is_not_known(guest: Player) -> None:
    body = {"house": {"rulebook": RIDE}, "format": "docx"}
    assert guest.post("/api/par", body).status_code == 400


# --- side by side -----------------------------------------------------------------------------


def test_two_houses_differ_where_they_differ(guest: Player) -> None:
    other = {"rulebook": RIDE, "pay": {"three-card": "B"}}
    told = asked(guest, "/api/compare", {"a": {"rulebook": RIDE}, "b": other})
    assert {each["key"] for each in told["differences"]} >= {"pay.three-card"}
    wagers = {each["title"]: each["figures"] for each in told["wagers"]}
    edge = next(each for each in wagers["Three card bonus"] if each["name"] == "edge")
    assert edge["differs"] is True
    change = Fraction(edge["exact_second"]) - Fraction(edge["exact_first"])
    assert change == Fraction(edge["exact_change"]) != 0
    assert not any(each["differs"] for each in wagers["Bet 1, bet 2 and bet 3"])


def test_a_house_does_not_differ_from_itself(guest: Player) -> None:
    told = asked(guest, "/api/compare", {"a": {"rulebook": RIDE}, "b": {"table": "ride-1"}})
    assert told["differences"] == []


def test_two_games_are_not_compared(guest: Player) -> None:
    body = {"a": {"rulebook": RIDE}, "b": {"rulebook": STUD}}
    answer = guest.post("/api/compare", body)
    assert answer.status_code == 422
    assert "one game" in answer.json()["error"]["sentence"]


# --- ways to play -----------------------------------------------------------------------------


def test_ways_to_play_cost_what_they_give_away(guest: Player) -> None:
    told = asked(guest, "/api/strategies", {"house": {"rulebook": RIDE}})
    ways = {each["name"]: each for each in told["ways"]}
    best = Fraction(ways["optimal"]["edge"]["exact"])
    assert best == Fraction(37963, 1082900)
    for way in ways.values():
        cost = Fraction(way["edge"]["exact"]) - best
        assert cost == Fraction(way["cost"]["exact"]) >= 0
    assert [each["decision"] for each in told["rules"]] == ["bet-1", "bet-2"]
    for chart in told["charts"]:
        assert sum(Fraction(row["share"]) for row in chart["rows"]) == 1


def test_a_way_that_takes_long_is_counted_when_somebody_asks(guest: Player) -> None:
    house = {"house": {"rulebook": HOLDEM}}
    ways = {each["name"]: each for each in asked(guest, "/api/strategies", house)["ways"]}
    assert ways["simple"]["edge"] is None
    counted = asked(guest, "/api/strategies/simple", house)
    edge, best = (Fraction(each["edge"]["exact"]) for each in (counted, ways["optimal"]))
    assert counted["name"] == "simple"
    assert edge - best == Fraction(counted["cost"]["exact"]) > 0
    assert round(edge, 4) == Fraction(243, 10_000)
    refused = guest.post("/api/strategies/wishful", house)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "NO_SUCH_WAY")


def test_the_charts_of_a_table_and_of_its_game_agree(room: Running) -> None:
    client = room.client()
    by_table = client.get("/api/chart?table=ride-1")
    assert by_table.json() == client.get("/api/chart?game=ride").json()
    assert "opening" not in by_table.json()
    assert client.get("/api/chart?table=nowhere").status_code == 404
    assert client.get("/api/chart?game=nowhere").status_code == 422
    assert client.get("/api/chart").status_code == 422


@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.AUDITOR, Role.OWNER])
def test_everybody_in_the_room_may_study(room: Running, role: Role) -> None:
    asked(room.staff(role), "/api/check", {"house": {"rulebook": RIDE}})


def test_nobody_else_makes_the_room_think(room: Running) -> None:
    for path in ("/api/check", "/api/edge", "/api/par", "/api/compare", "/api/strategies"):
        assert room.client().post(path, json={}).status_code == 401


@pytest.mark.parametrize("path", ["/api/edge", "/api/par", "/api/strategies"])
@pytest.mark.parametrize(
    "house",
    [
        {"table": "x" * 10_000},
        {"rulebook": RIDE, "pay": {"main": {f"line {n}": "9" * 100 for n in range(500)}}},
    ],
)
def test_what_is_too_long_is_not_sent_back(guest: Player, path: str, house: Data) -> None:
    answer = guest.post(path, {"house": house})
    assert answer.status_code == 422
    assert len(answer.content) < 10_000
