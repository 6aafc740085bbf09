"""Processes of one room over one PostgreSQL database, and players who go from one to another."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from room_driver import PATIENCE, Data, Player, Running, free_port
from websockets.exceptions import ConnectionClosed

from croupier.ledger.audit import audit
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.place import FILE
from croupier.ledger.surveillance import watched

COMMAND = "import typer; from croupier.cli.room import room; typer.run(room)"


class Process(Running):
    """``croupier room`` as a process of its own."""

    def __init__(self, dsn: str, data: Path) -> None:
        port = free_port()
        self.at = f"127.0.0.1:{port}"
        self.origin = f"http://{self.at}"
        where = ("--store", dsn, "--data", str(data), "--port", str(port), "--no-browser")
        self._open = False
        self.popen = subprocess.Popen(
            [sys.executable, "-u", "-c", COMMAND, *where],
            stdout=subprocess.PIPE,
            text=True,
        )

    def opened(self) -> Process:
        assert self.popen.stdout
        line = "" if self._open else self.popen.stdout.readline()
        assert self._open or "is open at" in line, line or "the room did not open"
        self._open = True
        return self

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait(PATIENCE)

    def stop(self) -> None:
        self.popen.send_signal(signal.SIGTERM)
        assert self.popen.wait(PATIENCE) in (0, -signal.SIGTERM)


class House:
    """The database, and whichever processes serve it."""

    def __init__(self, dsn: str, data: Path) -> None:
        self.dsn = dsn
        self.data = data
        self.processes: list[Process] = []

    def process(self) -> Process:
        """One more; it may not have opened yet."""
        self.processes.append(Process(self.dsn, self.data))
        return self.processes[-1]

    def pair(self) -> tuple[Process, Process]:
        """Two that are open. The first there is owns every table, and whoever is left then."""
        living = [each for each in self.processes if each.popen.poll() is None]
        while len(living) < 2:
            living.append(self.process().opened())
        return living[0], living[1]

    def examine(self) -> dict[str, int]:
        """The ledger is whole: every command judged again, each acted once, no chip lost or made.
        The rounds of each table."""
        ledger = Ledger.at(self.dsn, beside=self.data / FILE)
        try:
            assert audit(ledger).discrepancies == []
            rounds = {}
            for name in ledger.store.tables():
                watched(ledger, name)
                table = Keeper.resume(ledger, name).table
                assert table.accounts() == 0
                rounds[name] = table.rounds
            return rounds
        finally:
            ledger.close()


@contextmanager
def house(dsn: str, data: Path) -> Iterator[House]:
    made = House(dsn, data)
    try:
        yield made
    finally:
        for process in made.processes:
            process.popen.kill()
            process.popen.wait(PATIENCE)
            if process.popen.stdout:
                process.popen.stdout.close()


class Patron(Player):
    """A player who notices gaps, and what was not answered."""

    def __init__(self, running: Running, client: Any, me: Data) -> None:
        super().__init__(running, client, me)
        self.unanswered: dict[str, Data] = {}  # what was said, by its id

    @classmethod
    def guest_of(cls, running: Running) -> Patron:
        client = running.client()
        return cls(running, client, client.post("/api/guest", json={}).json())

    def connect(self) -> Patron:
        super().connect()
        return self

    def hear(self, timeout: float = PATIENCE) -> Data:
        before = dict(self.tables)
        heard = super().hear(timeout)
        if heard["type"] == "happened":
            assert heard["from"] == before[heard["table"]]["version"], "there is a gap"
        if heard["type"] == "answer":
            self.unanswered.pop(heard["id"], None)
        return heard

    def say(self, type: str, **fields: Any) -> None:
        if type == "command":
            self.unanswered[fields["id"]] = fields
        super().say(type, **fields)

    def move(self, to: Running, table: str = "") -> None:
        """Go on at another process: with the version one has, and saying again what nobody
        answered."""
        with suppress(ConnectionClosed, OSError):
            if self.socket:
                self.disconnect()
        self.running = to
        self.client.base_url = to.origin
        self.connect()
        if table:
            self.watch(table, self.tables[table]["version"])
        for fields in list(self.unanswered.values()):
            self.say("command", **fields)
            answered = fields["id"]
            answer = self.until(
                lambda heard, wanted=answered: heard["type"] == "answer" and heard["id"] == wanted  # type: ignore[misc]
            )
            assert answer["refused"] is None


def asked(players: list[Patron], table: str) -> tuple[Patron, Data]:
    """Who must decide now, and a choice."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for player in players:
            player.sync()
            if choices := player.may(table, "Choose"):
                return player, choices[-1]
        time.sleep(0.01)
    raise AssertionError("nobody was asked")


def finish(players: list[Patron], table: str, seconds: float = 5.0) -> None:
    """Decide until the round is over for everybody."""
    deadline = time.monotonic() + seconds
    while any(player.tables[table]["view"]["round"] for player in players):
        assert time.monotonic() < deadline, "play did not go on"
        for player in players:
            player.sync()
            if choices := player.may(table, "Choose"):
                player.do(table, **choices[-1])
        time.sleep(0.01)
