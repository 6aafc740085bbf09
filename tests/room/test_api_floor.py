"""What a supervisor sees and may order, over HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from room_driver import Player, Running, running

from croupier.law.clause import clause
from croupier.room.api.desk import TITLES, desk
from croupier.room.api.glance import SHORT, alerts, stage, stub_count
from croupier.room.door.roles import COMMANDS, FLOOR, Role
from croupier.table.dealing import ROUNDS_PER_COUNT
from croupier.table.events import TableOpened
from croupier.table.evolve import evolve


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def boss(room: Running) -> Iterator[Player]:
    came = room.staff(Role.SUPERVISOR).connect()
    yield came
    came.disconnect()


def seen(boss: Player, table: str, query: str = "") -> dict[str, Any]:
    answer = boss.client.get(f"/api/supervisor/{table}{query}", timeout=60)
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def acts(boss: Player, table: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in seen(boss, table)["acts"]}


def test_the_floor_shows_every_table_with_its_money_and_equipment(
    room: Running, boss: Player
) -> None:
    told = boss.client.get("/api/supervisor").json()
    assert [each["table"]["id"] for each in told] == list(room.room.hosts)
    for each in told:
        glance, table = each["table"], room.room.host(each["table"]["id"]).table
        assert glance["inventory"] == table.inventory
        assert glance["stub"]["every"] == 5
        assert clause(glance["stub"]["clause"]).book in (table.house.book.id, "nj-caribbean-stud")
        assert [deck["colour"] for deck in glance["decks"]] == [d.colour for d in table.decks]
        assert (glance["meter"] is None) == (table.house.progressive is None)
        assert each["drift"] is None


@pytest.mark.parametrize("path", ["/api/supervisor", "/api/supervisor/uth-1"])
def test_only_the_floor_may_look(room: Running, boss: Player, path: str) -> None:
    assert room.client().get(path).status_code == 401
    assert room.guest().client.get(path).status_code == 403
    assert room.staff(Role.AUDITOR).client.get(path).status_code == 403
    assert room.staff(Role.OWNER).client.get(path).status_code == 200
    assert boss.client.get("/api/supervisor/nowhere").status_code == 404


def test_a_waiting_table_says_for_whom_and_since_when_and_that_nobody_is_there(
    room: Running, boss: Player
) -> None:
    player, table = room.guest().connect(), "caribbean-1"
    player.look(table)
    player.sit(table, 3)
    player.bet(table)
    player.until_may(table, "Choose")
    asked = seen(boss, table)["table"]["asked"]
    assert (asked["seat"], asked["player"], asked["present"]) == (3, player.name, True)
    since = asked["since"]
    refused = boss.ask(table, "FillInventory", amount=0)
    assert refused
    boss.do(table, "FillInventory", amount=500)  # the table moves, but still waits for the same
    player.disconnect()
    deadline = time.monotonic() + 5
    while (glance := seen(boss, table)["table"])["asked"]["present"]:
        assert time.monotonic() < deadline
    assert glance["asked"]["since"] == since
    assert glance["stage"] == "Seat 3 decides: bet or fold"
    assert [each["kind"] for each in glance["alerts"]] == ["absent"]
    assert glance["layout"] == glance["seats"][2]["wagers"]["ante"]


def test_an_irregularity_is_offered_only_while_it_can_happen(room: Running, boss: Player) -> None:
    table = "uth-1"
    before = acts(boss, table)
    assert set(before) == {name for name, roles in COMMANDS.items() if roles == FLOOR}
    assert before["ReportExposedCard"]["refused"]["clause"] == "NJ 19:47-32.13(a)"
    assert before["FillInventory"]["refused"] is None
    player = room.guest().connect()
    player.look(table)
    player.sit(table, 2)
    player.settle(table)
    assert acts(boss, table)["OrderRecut"]["fields"][0]["choices"] == ["red"]
    assert acts(boss, table)["OrderRecut"]["refused"] is None
    player.bet(table)
    player.until_may(table, "Choose")
    now = acts(boss, table)
    assert now["ReportExposedCard"]["refused"] is None
    assert now["ReportExposedCard"]["clause"] == "NJ 19:47-32.13(a)"
    assert now["OrderRecut"]["refused"]["clause"] == "NJ 19:47-32.4(d)"
    place, cards = now["ReportWrongNumber"]["fields"]
    assert place["choices"] == ["seat 2", "dealer"]
    assert (cards["least"], cards["most"]) == (0, 4)
    player.disconnect()


def test_what_the_desk_offers_the_table_accepts(room: Running, boss: Player) -> None:
    """Each act that is not refused, with the values its form begins with, is ruled on."""
    for table in room.room.hosts:
        boss.look(table)
        for name, act in acts(boss, table).items():
            said = {field["name"]: field["value"] for field in act["fields"]}
            boss.say("preview", id=name, table=table, do={"name": name, **said})
            heard = boss.until(lambda each: each["type"] == "preview")
            assert (heard["refused"] is None) == (act["refused"] is None) or name == "ChangeMethod"


def test_the_community_card_is_named_where_there_is_no_dealers_hand(room: Running) -> None:
    kept = room.room.host("ride-1").keeper.kept
    titles = {act.name: act.title for act in desk(kept)}
    assert titles["ReportExposedCard"] == "A community card was exposed early"
    assert len(titles) == len(TITLES)


def test_drift_is_counted_when_asked_and_again_after_the_next_round(
    room: Running, boss: Player
) -> None:
    player, table = room.guest().connect(), "ride-1"
    player.look(table)
    player.sit(table, 1)
    assert seen(boss, table, "?drift=1")["drift"] == []
    for hands in (1, 2):
        player.bet(table)
        player.play(table)
        player.settle(table)
        (main,) = seen(boss, table, "?drift=1")["drift"]
        assert (main["wager"], main["hands_compared"]) == ("main", hands)
        assert main["base_wagered"] == 5_00 * hands
        assert main["actual_win"] == main["win_by_pay_table"]
        # The published total: 1,822,224 bets lost over 51,979,200 deals.
        theoretical = Fraction(main["theoretical_win"])
        assert theoretical / main["base_wagered"] == Fraction(1_822_224, 51_979_200)
        assert main["theoretical_win_cents"] == round(theoretical)
    player.disconnect()


# --- alerts and words, from tables made for them --------------------------------------------


def table_of(book: str, inventory: int = 100_000_00, **more: Any) -> Any:
    return evolve(None, TableOpened("t", {"rulebook": book, **more}, inventory))


def told(table: Any) -> list[str]:
    return [each.kind for each in alerts(table, None)]


def test_a_short_inventory_a_jam_a_missing_device_and_a_due_count_raise_alerts() -> None:
    book = "nj-ultimate-texas-holdem"
    assert told(table_of(book, SHORT)) == []
    assert told(table_of(book, SHORT - 1)) == ["inventory"]
    shoe = table_of(book, dealing="automated shoe", shuffling="automated")
    assert told(replace(shoe, devices=frozenset({"shuffler", "shoe"}))) == []
    assert told(replace(shoe, devices=frozenset({"shuffler"}))) == ["device"]
    jammed = replace(shoe, devices=frozenset({"shuffler", "shoe"}), jammed=frozenset({"shoe"}))
    assert told(jammed) == ["jam"]
    almost = replace(table_of(book), since_count=ROUNDS_PER_COUNT - 2)
    assert told(almost) == []
    assert stub_count(almost).rounds_left == 1
    due = replace(table_of(book), since_count=ROUNDS_PER_COUNT - 1)
    assert told(due) == ["stub"]


def test_a_counting_shuffler_waives_the_count_where_the_text_says_so() -> None:
    waived = stub_count(table_of("nj-let-it-ride", counting=True, shuffling="automated"))
    assert (waived.waived, waived.rounds_left, waived.due) == (True, None, False)
    here = stub_count(table_of("nj-ultimate-texas-holdem", shuffling="automated"))
    assert not here.waived


def test_an_empty_table_is_open_and_one_with_players_is_between_rounds() -> None:
    table = table_of("nj-pik-it-poker")
    assert stage(table, None) == "Open, nobody seated"
    seated = replace(table, seats=("Ada", *table.seats[1:]))
    assert stage(seated, None) == "Between rounds"
