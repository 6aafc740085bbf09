"""``croupier room --processes``: several processes at one address, over one SQLite file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from room_driver import PATIENCE, Data, free_port
from two_rooms import COMMAND, Patron, Several, asked, finish, several, wait_until

from croupier.law.refused import Refused
from croupier.ledger.audit import audit
from croupier.ledger.ledger import Ledger
from croupier.ledger.place import FILE
from croupier.room.floor import Room
from croupier.room.neighbours import owner
from croupier.room.serve import serve
from croupier.room.settings import Settings


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    with several(tmp_path_factory.mktemp("room")) as opened:
        yield opened


def living(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- who deals where ------------------------------------------------------------------------


def test_every_table_has_one_owner_and_keeps_it_when_others_come_and_go() -> None:
    tables = [f"table-{number}" for number in range(300)]
    two = {table: owner(table, {"1": 0, "2": 0}) for table in tables}
    three = {table: owner(table, {"3": 0, "1": 0, "2": 0}) for table in tables}
    assert 100 < sum(each == "1" for each in two.values()) < 200
    assert all(three[table] in (two[table], "3") for table in tables)
    assert 60 < sum(each == "3" for each in three.values()) < 140
    assert owner("table-1", {}) == ""


def test_the_process_with_the_most_players_of_a_table_deals_there() -> None:
    assert {owner(f"table-{number}", {"1": 1, "2": 2}) for number in range(50)} == {"2"}
    assert {owner(f"table-{number}", {"1": 1, "2": 0}) for number in range(50)} == {"1"}


def test_the_processes_share_the_tables(room: Several) -> None:
    names = ("caribbean-1", "pikit-1", "ride-1", "uth-1", "uth-2")
    for process, told in room.both().items():
        assert told["deals"] == sum(owner(name, {"1": 0, "2": 0}) == process for name in names)


# --- at one address -------------------------------------------------------------------------


def test_players_of_one_address_play_at_tables_of_both_processes(room: Several) -> None:
    """Whichever process a player is connected to, and whichever deals."""
    players = [Patron.guest_of(room).connect() for _ in range(4)]
    for table in ("uth-1", "ride-1", "pikit-1"):
        for seat, player in enumerate(players, 1):
            player.look(table)
            player.sit(table, seat, 200_00)
        for _ in range(2):
            for player in players:
                player.bet(table)
            asked(players, table)
            finish(players, table, 2 * PATIENCE)
        for seat, player in enumerate(players, 1):
            player.do(table, "StandUp", seat=seat)
    for player in players:
        assert player.client.get("/api/me").json()["seats"] == []
        player.disconnect()


def test_what_nobody_watches_is_up_to_date_for_whoever_asks(room: Several) -> None:
    """The lobby, a seat and a bank of one who is asked about at any process."""
    player, table = Patron.guest_of(room).connect(), "caribbean-1"
    player.look(table)
    player.sit(table, 3, 150_00)
    bank = player.me["bank"] - 150_00

    def seen(_: int) -> tuple[bool, list[Data], int]:
        with room.client() as client:
            client.cookies.update(player.client.cookies)
            lobby = {each["id"]: each for each in client.get("/api/tables").json()}
            me = client.get("/api/me").json()
        return player.name in lobby[table]["seats"], me["seats"], me["bank"]

    with ThreadPoolExecutor(8) as threads:
        wait_until(
            lambda: (
                set(map(str, threads.map(seen, range(16))))
                == {str((True, [{"table": table, "seat": 3}], bank))}
            )
        )
    player.do(table, "StandUp", seat=3)
    player.disconnect()


def test_the_figures_are_those_of_all_processes(room: Several) -> None:
    def figure(name: str) -> float:
        found = httpx2.get(f"http://127.0.0.1:{room.metrics}/metrics").text
        families = text_string_to_metric_families(found)
        return sum(s.value for each in families for s in each.samples if s.name == name)

    wait_until(lambda: figure("croupier_sockets") == 0)  # of players who went
    guests = [Patron.guest_of(room).connect() for _ in range(6)]
    assert {figure("croupier_sockets") for _ in range(10)} == {6}
    assert {figure("croupier_tables") for _ in range(10)} == {5}
    assert len({figure("croupier_rounds_total") for _ in range(10)}) == 1
    for guest in guests:
        guest.disconnect()


# --- processes that die ---------------------------------------------------------------------


def test_a_process_that_dies_is_started_again_and_play_goes_on(tmp_path: Path) -> None:
    with several(tmp_path) as room:
        assert room.popen.stdout
        assert room.popen.stdout.readline() == f"The room is open at {room.origin}/\n"
        assert "password" in room.popen.stdout.readline()
        for process in tuple(room.started):
            os.kill(process, signal.SIGKILL)
            wait_until(lambda gone=process: room.started[-1] != gone and not living(gone))  # type: ignore[misc]
            room.both()
            player = Patron.guest_of(room).connect()
            player.look("ride-1")
            player.sit("ride-1", 1)
            player.bet("ride-1")
            asked([player], "ride-1")
            finish([player], "ride-1", 2 * PATIENCE)
            player.do("ride-1", "StandUp", seat=1)
            player.disconnect()
        assert len(room.started) == 4
        room.popen.terminate()
        assert room.popen.wait(2 * PATIENCE) == 0
        assert not any(map(living, room.started))
    ledger = Ledger.at(tmp_path / FILE)
    assert audit(ledger).discrepancies == []
    assert ledger.store.head("ride-1") is not None
    ledger.close()


def test_processes_do_not_outlive_the_one_that_started_them(tmp_path: Path) -> None:
    with several(tmp_path) as room:
        room.popen.kill()
        wait_until(lambda: not any(map(living, room.started)))
        assert "the process that started this one is gone" in room.log


# --- what is refused ------------------------------------------------------------------------


def test_a_room_in_several_processes_is_not_opened_a_second_time(room: Several) -> None:
    with pytest.raises(Refused, match="Another process serves this room"):
        Room(Settings(data=room.data))
    with pytest.raises(Refused, match="Another process serves this room"):
        serve(Settings(data=room.data, port=free_port(), processes=2), lambda room: None)


def test_processes_over_postgresql_are_started_one_by_one(tmp_path: Path) -> None:
    there = Settings(data=tmp_path, store="postgresql://nowhere", port=free_port(), processes=2)
    with pytest.raises(Refused, match=r"--processes is for a SQLite file\."):
        serve(there, lambda room: None)


@pytest.mark.parametrize("processes", [1, 2])
def test_data_that_cannot_be_kept_there_is_refused(tmp_path: Path, processes: int) -> None:
    (tmp_path / "file").touch()
    there = Settings(data=tmp_path / "file" / "data", port=free_port(), processes=processes)
    with pytest.raises(Refused, match=r"The data directory \S+ cannot be made: Not a directory\."):
        serve(there, lambda room: None)


def test_a_room_that_cannot_open_says_why_once_and_ends(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("this is no ledger" * 100)
    where = ("--data", tmp_path, "--port", str(free_port()), "--processes", "3", "--no-browser")
    ended = subprocess.run(
        [sys.executable, "-c", COMMAND, *where], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert re.fullmatch(r"Refused: \S+ cannot be opened as a ledger: [^\n]+\n", ended.stderr)
