"""The store fails while people play: a PostgreSQL server that is stopped and started again, a disk
on which nothing can be written, a witness file that cannot be written, a process that is killed."""

from __future__ import annotations

import json
import os
import resource
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from postgres_server import fresh_schema, start, started, stop
from room_driver import Data, Player, Running, free_port, running
from two_rooms import COMMAND, wait_until

from croupier.ledger.audit import audit
from croupier.ledger.place import FILE
from croupier.ledger.reading import reading

TABLE = "uth-1"
NOT_SAVED = (
    "The room cannot save right now. Your last action was not carried out; try again in a moment."
)
UNKNOWN = (
    "The room cannot save right now, and cannot tell yet whether your last action was carried "
    "out; look again in a moment."
)


def said(player: Player, name: str, command_id: str = "", **fields: Any) -> Data:
    """Whatever comes back for a command: its answer, or trouble."""
    command_id = command_id or secrets.token_hex(8)
    player.say("command", id=command_id, table=TABLE, do={"name": name, **fields})
    return player.until(lambda heard: heard.get("id") == command_id)


def insist(player: Player, name: str, command_id: str, **fields: Any) -> Data:
    """Send the same command until it is answered, as a browser does."""
    heard: Data = {}

    def answered() -> bool:
        heard.update(said(player, name, command_id, **fields))
        return heard["type"] == "answer" and (
            heard["refused"] is None or heard["refused"]["code"] != "STORE_DOWN"
        )

    wait_until(answered)
    return heard


def ready(room: Running) -> bool:
    with room.client() as client:
        return bool(client.get("/health/ready").status_code == 200)


def seated(room: Running, seat: int = 1) -> Player:
    player = room.guest().connect()
    player.look(TABLE)
    player.sit(TABLE, seat)
    return player


def examine(where: str, beside: Path) -> int:
    """The ledger is whole; how far the table has come."""
    ledger = reading(where, beside)
    try:
        assert audit(ledger).discrepancies == []
        head = ledger.store.head(TABLE)
        assert head
        return head.sequence
    finally:
        ledger.close()


# --- PostgreSQL -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_server() -> Iterator[Any]:
    """One that no other test uses."""
    with started() as server:
        yield server


def test_a_database_that_stops_and_starts_again_interrupts_play_and_harms_nothing(
    own_server: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dsn = fresh_schema(own_server)
    with running(tmp_path, store=dsn) as room:
        player = seated(room)
        player.bet(TABLE)
        choice = player.until_may(TABLE, "Choose")[-1]
        kept = player.tables[TABLE]["version"]
        caplog.clear()
        stop(own_server)
        try:
            heard = [said(player, **choice) for _ in range(5)]
            with room.client() as client:
                told = client.get("/health/ready")
                assert told.status_code == 503
                assert client.get("/health/live").json() == {"live": True}
                whole = client.get("/health").json()
            assert not room.room.outage.over
        finally:
            start(own_server)
        assert (whole["live"], whole["ready"]) == (True, False)
        assert told.json() == {"ready": False, "sentence": "The room cannot reach its store."}
        for each in heard:
            sentence = (
                each["sentence"] if each["type"] == "trouble" else each["refused"]["sentence"]
            )
            assert sentence in (NOT_SAVED, UNKNOWN)
        assert heard[-1]["type"] == "answer"
        assert heard[-1]["refused"] == {"code": "STORE_DOWN", "sentence": NOT_SAVED, "clause": None}
        wait_until(lambda: ready(room))
        told_once(caplog)
        player.play(TABLE)
        assert player.tables[TABLE]["version"] > kept
        version = player.tables[TABLE]["version"]
        player.disconnect()
    assert examine(dsn, tmp_path / FILE) >= version


def told_once(caplog: pytest.LogCaptureFixture) -> None:
    """Each thing that is to say about the outage is in the log once, without a traceback."""
    lines = [each for each in caplog.records if each.name.startswith("croupier")]
    wait_until(lambda: any("used again" in each.getMessage() for each in caplog.records))
    assert not any(each.exc_info for each in lines)
    texts = [each.getMessage().split(":")[0] for each in caplog.records if each in lines]
    assert len(texts) == len(set(texts)), texts
    assert len([each for each in texts if each == "the store cannot be used"]) == 1


# --- SQLite ---------------------------------------------------------------------------------


class Elsewhere(Running):
    """A room in a process of its own, whose disk can be full."""

    def __init__(self, data: Path) -> None:
        port = free_port()
        self.at = f"127.0.0.1:{port}"
        self.origin = f"http://{self.at}"
        self.log: list[Data] = []
        where = ("--data", str(data), "--port", str(port), "--no-browser")
        self.popen = subprocess.Popen(
            [sys.executable, "-u", "-c", COMMAND, *where],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.popen.stdout
        assert "is open at" in self.popen.stdout.readline()
        self._hearing = Thread(target=self._hear)
        self._hearing.start()

    def _hear(self) -> None:
        assert self.popen.stderr
        for line in self.popen.stderr:
            self.log.append(json.loads(line))

    def disk(self, *, full: bool) -> None:
        """No file of this process can be written, or all can."""
        _, most = resource.prlimit(self.popen.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.popen.pid, resource.RLIMIT_FSIZE, (0 if full else most, most))

    def about_the_store(self) -> list[str]:
        return [each["event"] for each in self.log if each["logger"] == "croupier.room.store"]


@contextmanager
def elsewhere(data: Path) -> Iterator[Elsewhere]:
    room = Elsewhere(data)
    try:
        yield room
    finally:
        room.popen.kill()
        room.popen.wait(20)
        room._hearing.join(20)
        for pipe in (room.popen.stdout, room.popen.stderr):
            assert pipe
            pipe.close()


def test_a_full_disk_interrupts_play_and_is_told_once(tmp_path: Path) -> None:
    with elsewhere(tmp_path) as room:
        player = seated(room)
        for _ in range(2):
            wager = {"seat": 1, "wagers": {"ante": 5_00, "blind": 5_00}}
            room.disk(full=True)
            heard = [said(player, "PlaceWagers", **wager) for _ in range(20)]
            assert not ready(room)
            room.disk(full=False)
            assert {each["type"] for each in heard} == {"answer"}
            assert {each["refused"]["sentence"] for each in heard} == {NOT_SAVED}
            assert str(tmp_path) not in json.dumps(heard)
            wait_until(lambda: ready(room))
            player.bet(TABLE)
            player.play(TABLE)
        lines = room.about_the_store()
        assert [each.split(":")[0].split(" after")[0] for each in lines] == [
            "the store cannot be used",
            "the store can be used again",
        ] * 2
        assert [each for each in room.log if "trouble" in each] == []
        version = player.tables[TABLE]["version"]
        player.disconnect()
    assert examine(str(tmp_path / FILE), tmp_path / FILE) >= version


def test_killed_while_its_disk_is_full_the_room_loses_nothing_it_acknowledged(
    tmp_path: Path,
) -> None:
    with elsewhere(tmp_path) as room:
        player = seated(room)
        player.bet(TABLE)
        player.until_may(TABLE, "Choose")
        version = player.tables[TABLE]["version"]
        room.disk(full=True)
        choice = player.may(TABLE, "Choose")[-1]
        assert said(player, **choice)["refused"]["code"] == "STORE_DOWN"
        room.popen.kill()
        room.popen.wait(20)
    assert examine(str(tmp_path / FILE), tmp_path / FILE) == version
    with elsewhere(tmp_path) as room:
        player.running = room
        player.client.base_url = room.origin
        player.connect()
        player.look(TABLE)
        player.play(TABLE)
        player.disconnect()


# --- a command that was kept, though writing it failed ----------------------------------------


@pytest.fixture
def in_file(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as room:
        yield room


def test_a_command_that_was_kept_is_never_called_refused(in_file: Running, tmp_path: Path) -> None:
    """The database takes it, the witness file does not: nobody may say that nothing happened."""
    witness = tmp_path / f"{FILE}.checkpoints"
    player = in_file.guest().connect()
    player.look(TABLE)
    in_file.room.ledger.checkpoint_every = 1
    witness.touch()
    witness.rename(tmp_path / "aside")
    witness.mkdir()  # so that nothing can be appended
    sit = {"seat": 1, "chips": 500_00}
    heard = [said(player, "SitDown", "once", **sit) for _ in range(5)]
    assert {each["type"] for each in heard} == {"trouble"}
    assert {each["sentence"] for each in heard} == {UNKNOWN}
    witness.rmdir()
    (tmp_path / "aside").rename(witness)
    assert insist(player, "SitDown", "once", **sit)["refused"] is None
    wait_until(lambda: ready(in_file))
    player.sync()
    assert player.tables[TABLE]["view"]["seats"][0] == player.name
    assert in_file.room.bank.holds(player.name) == 500_00
    player.disconnect()
    assert examine(str(tmp_path / FILE), tmp_path / FILE) > 0


def test_nobodys_time_runs_out_while_nobody_could_act(own_server: Any, tmp_path: Path) -> None:
    dsn = fresh_schema(own_server)
    with running(tmp_path, store=dsn, decision_seconds=600) as room:
        player, other = seated(room), seated(room, 2)  # a player alone has no clock
        for each in (player, other):
            each.bet(TABLE)
        player.until_may(TABLE, "Choose")
        before = player.tables[TABLE]["clocks"]["decision_ends"]
        assert before
        stop(own_server)
        try:
            said(player, **player.may(TABLE, "Choose")[-1])
        finally:
            start(own_server)
        wait_until(lambda: ready(room))

        def later() -> bool:
            player.sync()
            ends = player.tables[TABLE]["clocks"]["decision_ends"]
            return ends is not None and ends > before

        wait_until(later)
        for each in (player, other):
            each.disconnect()


# --- what is not an outage ---------------------------------------------------------------------


def test_a_statement_that_fails_is_no_outage(in_file: Running) -> None:
    """Else whoever finds a question the database cannot answer would stop every table."""
    room = in_file.room
    with pytest.raises(Exception, match="overflow"):
        room.register.look("SELECT sum(9223372036854775807) FROM (VALUES (1), (2))")
    assert room.outage.over


def test_a_file_that_was_replaced_is_not_ready(in_file: Running, tmp_path: Path) -> None:
    wait_until(lambda: ready(in_file))
    (tmp_path / FILE).rename(tmp_path / "moved")
    (tmp_path / FILE).touch()
    wait_until(lambda: not ready(in_file))
    os.replace(tmp_path / "moved", tmp_path / FILE)
    wait_until(lambda: ready(in_file))
