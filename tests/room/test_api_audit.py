"""The audit over HTTP: it agrees with an honest room, goes on where it ended, names what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from forger import sql
from room_driver import Player, Running, running

from croupier.ledger.audit import audit
from croupier.ledger.reading import reading
from croupier.room.door.roles import Role

TABLE = "ride-1"
PARTS = ("chain", "signatures", "shuffles", "books", "rules")
Data = dict[str, Any]


def evening(room: Running, rounds: int = 2, table: str = TABLE) -> Player:
    player = room.guest().connect()
    player.look(table)
    player.sit(table, room.room.host(table).table.seats.index("") + 1)
    for _ in range(rounds):
        player.bet(table)
        player.play(table)
    player.settle(table)
    return player


def asked(somebody: Player, path: str = "", status: int = 200) -> Any:
    answer = somebody.client.get(f"/api/audit{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


def of(whole: Data, table: str = TABLE) -> Data:
    (found,) = (each for each in whole["tables"] if each["table"] == table)
    return dict(found)


def test_an_honest_room_agrees_and_the_next_look_begins_where_this_one_ended(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as room:
        auditor = room.staff(Role.AUDITOR)
        evening(room).disconnect()
        whole = asked(auditor)
        assert whole["holds"]
        assert whole["findings"] == []
        assert {each["table"] for each in whole["tables"]} == set(room.room.hosts)
        first = of(whole)
        assert all(first[part] for part in PARTS)
        assert (first["since"], first["rounds"], first["findings"]) == (0, 2, [])

        evening(room).disconnect()
        second, full = of(asked(auditor)), of(asked(auditor, "?full=1"))
        assert second["since"] == first["entries"]
        assert full["since"] == 0
        assert {**second, "since": 0} == full

        ledger = reading(room.room.settings.where)
        report = audit(ledger, TABLE)
        ledger.close()
        counts = ("entries", "commands", "rounds", "moved", "promised", "revealed", "outstanding")
        for count in (*counts, "checkpoints"):
            assert full[count] == getattr(report, count), count
        keeper = room.room.host(TABLE).keeper
        assert full["head"]["hash"] == keeper.head.hash
        assert full["last"]["key"] in keeper.ledger.keys.public
        assert full["public_key"] == keeper.ledger.keys.public[full["last"]["key"]].hex()


def test_the_details_have_every_account_and_together_they_are_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player = evening(room)
        found = asked(room.staff(Role.SUPERVISOR), f"/{TABLE}")
        table = room.room.host(TABLE).table
        assert sum(found["balances"].values()) == 0
        assert found["balances"][f"player:{player.name}"] == table.players[player.name]
        assert found["balances"]["inventory"] == table.inventory
        assert found["holds"]
        player.disconnect()


def test_only_those_who_audit_may_ask(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        assert room.client().get("/api/audit").status_code == 401
        asked(room.guest(), status=403)
        asked(room.guest(), f"/{TABLE}", 403)
        for role in (Role.AUDITOR, Role.SUPERVISOR, Role.OWNER):
            assert asked(room.staff(role))["holds"]
        auditor = room.staff(Role.AUDITOR)
        assert asked(auditor, "/nowhere", 404)["error"]["code"] == "NO_SUCH_TABLE"
        asked(auditor, "?full=2", 400)
        asked(auditor, f"/{TABLE}?full=yes", 400)


# --- somebody writes into the database ------------------------------------------------------

AT = "table_id = 'ride-1' AND sequence ="
SIGNED = "SELECT max(sequence) FROM checkpoints WHERE table_id = 'ride-1'"


def last(kind: str) -> str:
    """Where the last event of a kind stands."""
    return (
        "SELECT max(sequence) FROM entries "
        f"WHERE table_id = 'ride-1' AND event LIKE '{{\"type\":\"{kind}\"%'"
    )


FORGERIES = {
    "a flipped byte": (
        f"UPDATE entries SET event = replace(event, '\"win\":', '\"win\":1') WHERE {AT} ?",
        last("WagerSettled"),
        "chain",
    ),
    "an hour later": (
        f"UPDATE entries SET time = replace(time, 'T', 'T2') WHERE {AT} ?",
        last("HandsDealt"),
        "chain",
    ),
    "another sum moved": (
        f"UPDATE entries SET moved = replace(moved, ']]', '0]]') WHERE {AT} ?",
        last("PlayerSat"),
        "books",
    ),
    "another signature": (
        f"UPDATE checkpoints SET signature = substr(signature, 3) || '00' WHERE {AT} ?",
        SIGNED,
        "signatures",
    ),
    "an event that cannot be read": (
        f"UPDATE entries SET event = '{{' WHERE {AT} ?",
        last("RoundEnded"),
        "chain",
    ),
    "another seed revealed": (
        f'UPDATE entries SET event = replace(event, \'"seed":"\', \'"seed":"00\') WHERE {AT} ?',
        last("ShuffleRevealed"),
        "shuffles",
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_was_tampered_with_is_named_by_its_entry(tmp_path: Path, forgery: str) -> None:
    statement, where, part = FORGERIES[forgery]
    with running(tmp_path) as room:
        evening(room).disconnect()
        file = room.room.settings.where
        ((at,),) = sql(file, where)
        sql(file, statement, at)
        auditor = room.staff(Role.AUDITOR)
        whole = asked(auditor)
        found = of(whole)
        assert not whole["holds"]
        assert not found["holds"]
        assert not found[part]
        assert at in [each["entry"] for each in found["findings"] if each["about"] == part]
        assert all(each["holds"] for each in whole["tables"] if each["table"] != TABLE)
        again = of(asked(auditor))  # what was found is not forgotten
        assert all(each in again["findings"] for each in found["findings"])


def test_history_behind_the_last_look_is_seen_by_a_full_one(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        evening(room).disconnect()
        auditor, file = room.staff(Role.AUDITOR), room.room.settings.where
        assert asked(auditor)["holds"]
        sql(file, f"UPDATE entries SET actor = 'somebody' WHERE {AT} 9")
        assert of(asked(auditor))["findings"] == []
        (finding, *_) = of(asked(auditor, "?full=1"))["findings"]
        assert (finding["entry"], finding["about"]) == (9, "chain")


def test_an_end_that_is_cut_off_is_seen_at_once(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        evening(room).disconnect()
        auditor, file = room.staff(Role.AUDITOR), room.room.settings.where
        last = of(asked(auditor))["last"]["sequence"]
        sql(file, f"DELETE FROM entries WHERE table_id = '{TABLE}' AND sequence >= ?", last)
        found = of(asked(auditor))
        assert found["since"] == 0
        assert not found["signatures"]
        assert last in [each["entry"] for each in found["findings"]]


def test_a_table_that_vanished_is_missed(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        evening(room).disconnect()
        file = room.room.settings.where
        for rows in ("entries", "refusals", "checkpoints", "snapshots"):
            sql(file, f"DELETE FROM {rows} WHERE table_id = '{TABLE}'")
        whole = asked(room.staff(Role.OWNER))
        assert not whole["holds"]
        assert TABLE in [each["table"] for each in whole["findings"]]


def test_a_ledger_in_postgresql_is_audited_and_shown_like_one_in_a_file(
    tmp_path: Path, postgres: str
) -> None:
    with running(tmp_path, store=postgres) as room:
        player, auditor = evening(room), room.staff(Role.AUDITOR)
        first = of(asked(auditor))
        assert (first["holds"], first["rounds"]) == (True, 2)
        player.bet(TABLE)
        player.play(TABLE)
        second = asked(auditor, f"/{TABLE}")
        assert (second["holds"], second["rounds"], second["since"]) == (True, 3, first["entries"])
        listed = player.client.get(f"/api/tables/{TABLE}/rounds").json()
        assert [each["number"] for each in listed] == [3, 2, 1]
        shown = player.client.get(f"/api/tables/{TABLE}/rounds/2").json()
        assert shown["proof"]["checkpoint"]["sequence"] == shown["steps"][-1]["version"]
        player.disconnect()
