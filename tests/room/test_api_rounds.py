"""Finished rounds over HTTP: listed, seen again as the rail saw them, and proven."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from forger import sql
from room_driver import Player, Running, play_together, running

from croupier.ledger.chain import Head, follow
from croupier.ledger.entry import Entry, canonical
from croupier.ledger.proof import proof, read_story
from croupier.ledger.reading import reading
from croupier.ledger.replay import story
from croupier.room.api import round_told
from croupier.room.door.roles import Role

TABLES = ["uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1"]
ROUNDS = 5
TURNS = (
    *("UpCardExposed", "CommunityDealt", "CommunityRevealed"),
    *("HandRevealed", "PickedCardsRevealed", "DealerRevealed"),
)
Data = dict[str, Any]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Some rounds of three players at every table."""
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        for table in TABLES:
            rng = random.Random(table)
            players = [opened.guest().connect() for _ in range(3)]
            for seat, player in enumerate(players, 2):
                player.look(table)
                player.sit(table, seat, 900_00)
            players[0].do(table, "AddEntropy", entropy="äny wörds")
            for _ in range(ROUNDS):
                play_together(players, table, rng)
            for player in players:
                player.settle(table)
                player.disconnect()
        yield opened


def told(player: Player, path: str, status: int = 200) -> Any:
    answer = player.client.get(path)
    assert answer.status_code == status, answer.text
    return answer.json()


# --- the list -------------------------------------------------------------------------------


def test_rounds_are_listed_newest_first_page_by_page(room: Running) -> None:
    guest, path = room.guest(), "/api/tables/ride-1/rounds"
    assert [each["number"] for each in told(guest, path)] == [5, 4, 3, 2, 1]
    assert [each["number"] for each in told(guest, f"{path}?limit=2")] == [5, 4]
    assert [each["number"] for each in told(guest, f"{path}?limit=2&before=4")] == [3, 2]
    assert [each["number"] for each in told(guest, f"{path}?before=2&limit=100")] == [1]
    assert told(guest, f"{path}?before=1") == []


@pytest.mark.parametrize("table", TABLES)
def test_a_line_says_who_played_for_how_much_and_what_it_came_to(room: Running, table: str) -> None:
    """What players are up or down together is what their chips say, from the first on."""
    listed = told(room.guest(), f"/api/tables/{table}/rounds")
    now = room.room.host(table).table
    names = [name for name in now.seats if name]
    assert len(names) == 3
    assert all(each["players"] == names for each in listed)
    assert sum(each["net"] for each in listed) == sum(now.players.values()) - 3 * 900_00
    assert all(each["wagered"] > 0 and not each["void"] for each in listed)
    assert [each["shuffle"] for each in listed] == sorted(
        (each["shuffle"] for each in listed), reverse=True
    )
    assert [each["time"] for each in listed] == sorted(
        (each["time"] for each in listed), reverse=True
    )


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("ride-1/rounds?limit=0", 400),
        ("ride-1/rounds?limit=101", 400),
        ("ride-1/rounds?before=0", 400),
        ("ride-1/rounds?before=x", 400),
        ("ride-1/rounds/0", 404),
        ("ride-1/rounds/-1", 404),
        ("ride-1/rounds/six", 404),
        ("ride-1/rounds/٣", 404),
        (f"ride-1/rounds/{'9' * 5000}", 404),
        ("ride-1/rounds/6", 404),
        ("nowhere/rounds", 404),
        ("nowhere/rounds/1", 404),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(room: Running, path: str, status: int) -> None:
    refused = told(room.guest(), f"/api/tables/{path}", status)
    assert refused["error"]["sentence"].endswith(".")


def test_nobody_sees_rounds_without_coming_in(room: Running) -> None:
    assert room.client().get("/api/tables/ride-1/rounds").status_code == 401
    assert room.client().get("/api/tables/ride-1/rounds/1").status_code == 401


# --- step by step ---------------------------------------------------------------------------


def faces(view: Data) -> set[str]:
    shown = view["round"] or {"dealer": [], "community": [], "positions": []}
    hands = [shown["dealer"], shown["community"], *(each["cards"] for each in shown["positions"])]
    return {card for hand in hands for card in hand} - {"??"}


def turned_up(step: Data) -> set[str]:
    event = step["event"]
    return set((event.get("card") or event["cards"]).split()) if event["event"] in TURNS else set()


@pytest.mark.parametrize("table", TABLES)
def test_no_view_shows_a_card_before_it_was_turned_up(room: Running, table: str) -> None:
    """By the command at the latest; and not to those either who see every hand at the end."""
    for looker in (room.guest(), room.staff(Role.AUDITOR)):
        seen_at_all: set[str] = set()
        for number in range(1, ROUNDS + 1):
            turned: set[str] = set()
            steps = told(looker, f"/api/tables/{table}/rounds/{number}")["steps"]
            for _, together in groupby(steps, key=lambda step: step["time"]):
                command = list(together)
                turned |= {card for step in command for card in turned_up(step)}
                for step in command:
                    assert faces(step["view"]) <= turned
                    seen_at_all |= faces(step["view"])
        assert len(seen_at_all) > 15  # the oracle sees


@pytest.mark.parametrize("table", TABLES)
def test_the_steps_are_the_rounds_own_from_the_last_ones_end(room: Running, table: str) -> None:
    guest = room.guest()
    last = 0
    for number in range(1, ROUNDS + 1):
        found = told(guest, f"/api/tables/{table}/rounds/{number}")
        assert (found["table"], found["number"], found["void"]) == (table, number, False)
        versions = [step["version"] for step in found["steps"]]
        assert versions == list(range(last + 1, versions[-1] + 1))
        assert [s["event"]["number"] for s in found["steps"] if "RoundEnded" in s["event"].values()]
        assert all(step["sentence"] and step["actor"] and step["time"] for step in found["steps"])
        assert all(
            step["clause"] == (step["event"].get("clause") or None) for step in found["steps"]
        )
        last = versions[-1]


def test_an_auditor_sees_the_hands_nobody_turned_up(room: Running) -> None:
    path = "/api/tables/caribbean-1/rounds/1"
    assert told(room.guest(), path)["hands"] == {}
    for role in (Role.AUDITOR, Role.SUPERVISOR, Role.OWNER):
        hands = told(room.staff(role), path)["hands"]
        assert {"dealer", "seat 2", "seat 3", "seat 4", "stub"} == set(hands)
        assert sum(len(cards.split()) for cards in hands.values()) == 52


def test_a_round_that_is_not_over_is_not_shown(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player, other = room.guest().connect(), room.guest()
        player.look("uth-1")
        player.sit("uth-1", 1)
        player.bet("uth-1")
        player.until_may("uth-1", "Choose")
        refused = told(other, "/api/tables/uth-1/rounds/1", 422)["error"]
        assert refused["code"] == "NOT_OVER"
        assert "not over" in refused["sentence"]
        assert told(other, "/api/tables/uth-1/rounds/2", 404)["error"]["code"] == "NO_SUCH_ROUND"
        assert told(other, "/api/tables/uth-1/rounds") == []
        player.play("uth-1")
        assert told(other, "/api/tables/uth-1/rounds/1")["number"] == 1
        assert [each["number"] for each in told(other, "/api/tables/uth-1/rounds")] == [1]
        player.disconnect()


def test_a_void_round_says_so(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player, boss = room.guest().connect(), room.staff(Role.SUPERVISOR).connect()
        for each in (player, boss):
            each.look("caribbean-1")
        player.sit("caribbean-1", 1)
        player.bet("caribbean-1")
        player.until_may("caribbean-1", "Choose")
        boss.do("caribbean-1", "ReportExposedCard")
        player.until(lambda heard: "RoundEnded" in str(heard))
        (line,) = told(player, "/api/tables/caribbean-1/rounds")
        assert (line["void"], line["net"], line["won"]) == (True, 0, 0)
        assert told(player, "/api/tables/caribbean-1/rounds/1")["void"] is True
        for each in (player, boss):
            each.disconnect()


# --- the proof ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_the_proof_is_the_file_that_verify_reads(room: Running, tmp_path: Path, table: str) -> None:
    ledger = reading(room.room.settings.where)
    for number in (1, 2, ROUNDS):
        found = told(room.guest(), f"/api/tables/{table}/rounds/{number}")
        file = tmp_path / "round.json"
        file.write_bytes(msgspec.json.encode(found["proof"]))
        own = read_story(file)
        same = story(ledger, table, number)
        assert msgspec.json.encode(own) == msgspec.json.encode(same)
        assert all(check.agrees for check in proof(own))
        words = [words for _, words in own.shuffle.entropy] if own.shuffle else []
        assert words in ([], ["äny wörds"])
    ledger.close()


@pytest.mark.parametrize("table", TABLES)
def test_the_entries_are_chained_from_the_promise_to_a_signature(room: Running, table: str) -> None:
    """With the public key alone, as anybody would."""
    found = told(room.guest(), f"/api/tables/{table}/rounds/3")["proof"]
    entries = msgspec.convert(found["entries"], list[Entry])
    promise = entries[0].happening()
    assert type(promise).__name__ == "ShuffleCommitted"
    assert entries[0].sequence == found["shuffle"]["promised"]
    head = Head(entries[0].sequence - 1, entries[0].previous)
    assert len(list(follow(entries, table, head))) == len(entries)
    checkpoint = found["checkpoint"]
    assert checkpoint["hash"] == entries[-1].hash
    content = ("hash", "refusal", "refusals", "sequence", "table", "time")
    signed = {key: checkpoint[key] for key in content}
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(found["keys"][checkpoint["key"]]))
    message = b"croupier checkpoint 2\n" + canonical(signed)
    public.verify(bytes.fromhex(checkpoint["signature"]), message)


def test_seeds_of_shuffles_to_come_are_in_no_answer(room: Running) -> None:
    for table in TABLES:
        shuffles = room.room.host(table).keeper.kept.shuffles
        assert shuffles.promised
        secret = [shuffles.promised.seed, *(each.seed for each in shuffles.lying.values())]
        text = room.guest().client.get(f"/api/tables/{table}/rounds/{ROUNDS}").text
        assert not [seed for seed in secret if seed in text]


# --- what goes wrong ------------------------------------------------------------------------


def test_a_round_of_endless_entries_is_left_to_the_command_line(
    room: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_told, "MOST_ENTRIES", 10)
    refused = told(room.guest(), "/api/tables/ride-1/rounds/2", 422)["error"]
    assert refused["code"] == "TOO_LONG"


@pytest.mark.parametrize(
    "event", ["{", '{"type":"WagerSettled"}', '{"type":"RoundEnded","number":7}']
)
def test_a_ledger_that_was_tampered_with_breaks_nothing(tmp_path: Path, event: str) -> None:
    with running(tmp_path) as room:
        player = room.guest().connect()
        player.look("ride-1")
        player.sit("ride-1", 1)
        for _ in range(2):
            player.bet("ride-1")
            player.play("ride-1")
        player.disconnect()
        file = room.room.settings.where
        ((at,),) = sql(file, "SELECT min(sequence) FROM entries WHERE event LIKE '%WagerSettled%'")
        sql(
            file,
            "UPDATE entries SET event = ? WHERE table_id = 'ride-1' AND sequence = ?",
            event,
            at,
        )
        for path in ("rounds", "rounds/1", "rounds/2"):
            answer = player.client.get(f"/api/tables/ride-1/{path}")
            assert answer.status_code in (200, 422)
            assert answer.status_code == 200 or answer.json()["error"]["sentence"]
        assert player.client.get("/api/tables/ride-1/rounds/1").status_code == 422
