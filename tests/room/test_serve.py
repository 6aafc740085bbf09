"""``croupier room`` as a process: it opens, closes when told to, and survives being killed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from room_driver import Running, free_port

from croupier.law.refused import Refused
from croupier.room.serve import serve
from croupier.room.settings import Settings

COMMAND = "import typer; from croupier.cli.room import room; typer.run(room)"


class Elsewhere(Running):
    """A room in another process."""

    def __init__(self, port: int) -> None:
        self.at = f"127.0.0.1:{port}"
        self.origin = f"http://{self.at}"


@contextmanager
def process(data: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The process, and what it said until it was open."""
    told: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-u", "-c", COMMAND, "--data", data, "--port", str(port), "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout
        try:
            for line in running.stdout:
                told.append(line)
                if "Write it down" in line or (len(told) == 1 and (data / "again").exists()):
                    break
            (data / "again").touch()
            yield running, told
        finally:
            running.kill()


def test_the_first_start_tells_the_owners_password_once(tmp_path: Path) -> None:
    port = free_port()
    with process(tmp_path, port) as (running, told):
        assert told[0] == f"The room is open at http://127.0.0.1:{port}/\n"
        password = told[1].split()[-1]
        client = httpx2.Client(base_url=f"http://127.0.0.1:{port}")
        came = client.post("/api/login", json={"name": "owner", "password": password})
        assert came.json()["role"] == "owner"
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) in (0, -signal.SIGTERM)
    with process(tmp_path, port) as (running, told):
        assert len(told) == 1
        assert password not in told[0]


def test_killed_in_the_middle_of_a_round_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    port, table = free_port(), "uth-1"
    with process(tmp_path, port) as (running, _):
        player = Elsewhere(port).guest().connect()
        player.look(table)
        player.sit(table, 1)
        player.bet(table)
        player.until_may(table, "Choose")
        before = player.tables[table]
        running.kill()
        running.wait(20)
    with process(tmp_path, port):
        player.connect()
        after = player.look(table)
        assert after["version"] >= before["version"]
        hands = [each["view"]["round"]["positions"][0]["cards"] for each in (before, after)]
        assert hands[0] == hands[1]
        assert player.play(table) == 1
        player.disconnect()


def test_an_address_that_is_taken_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(data=tmp_path, port=taken.getsockname()[1])
        with pytest.raises(Refused, match="Nobody can listen at"):
            serve(settings, lambda room: None)
