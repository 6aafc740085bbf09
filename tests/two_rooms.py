"""Processes of one room over one PostgreSQL database or one SQLite file, and players who go from
one to another."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
from room_driver import PATIENCE, Data, Player, Running, free_port
from websockets.exceptions import ConnectionClosed

from croupier.ledger.audit import audit
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.place import FILE
from croupier.ledger.surveillance import watched
from croupier.room.neighbours import owner
from croupier.room.shared import ANSWERED

COMMAND = "import typer; from croupier.cli.room import room; typer.run(room)"
TESTS = Path(__file__).parent
START = 60  # seconds for a process to start, on a machine that has much to do
STARTED = re.compile(r"Started server process \[(\d+)\]")


class Process(Running, ABC):
    """One of those that serve a room."""

    def __init__(self, port: int) -> None:
        self.at = f"127.0.0.1:{port}"
        self.origin = f"http://{self.at}"

    @abstractmethod
    def send_signal(self, number: int) -> None: ...

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        self.send_signal(signal.SIGTERM)

    def freeze(self) -> None:
        self.send_signal(signal.SIGSTOP)

    def back(self) -> None:
        """After it was frozen."""
        self.send_signal(signal.SIGCONT)


class House(ABC):
    """The ledger, and whichever processes serve it."""

    where: str
    data: Path

    @abstractmethod
    def pair(self, table: str) -> tuple[Process, Process]:
        """Two that are open: who deals at the table, and another."""

    @abstractmethod
    def close(self) -> None: ...

    def examine(self) -> dict[str, int]:
        """The ledger is whole: every command judged again, each acted once, no chip lost or made.
        The rounds of each table."""
        ledger = Ledger.at(self.where, beside=self.data / FILE)
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


# --- PostgreSQL: every process is started by itself -----------------------------------------


class Started(Process):
    """``croupier room`` as a process of its own."""

    def __init__(self, dsn: str, data: Path) -> None:
        port = free_port()
        super().__init__(port)
        where = ("--store", dsn, "--data", str(data), "--port", str(port), "--no-browser")
        self._open = False
        self.popen = subprocess.Popen(
            [sys.executable, "-u", "-c", COMMAND, *where],
            stdout=subprocess.PIPE,
            text=True,
        )

    def opened(self) -> Started:
        assert self.popen.stdout
        line = "" if self._open else self.popen.stdout.readline()
        assert self._open or "is open at" in line, line or "the room did not open"
        self._open = True
        return self

    def send_signal(self, number: int) -> None:
        self.popen.send_signal(number)

    def kill(self) -> None:
        super().kill()
        self.popen.wait(PATIENCE)

    def stop(self) -> None:
        super().stop()
        assert self.popen.wait(PATIENCE) in (0, -signal.SIGTERM)


class InPostgres(House):
    def __init__(self, dsn: str, data: Path) -> None:
        self.where = dsn
        self.data = data
        self.processes: list[Started] = []

    def pair(self, table: str) -> tuple[Process, Process]:
        """The first there is owns every table, and whoever is left then."""
        living = [each for each in self.processes if each.popen.poll() is None]
        while len(living) < 2:
            living.append(Started(self.where, self.data))
            self.processes.append(living[-1].opened())
        return living[0], living[1]

    def close(self) -> None:
        for process in self.processes:
            process.popen.kill()
            process.popen.wait(PATIENCE)
            if process.popen.stdout:
                process.popen.stdout.close()


# --- SQLite: one starts the others, and starts them again -----------------------------------


class Neighbour(Process):
    def __init__(self, name: str, port: int) -> None:
        super().__init__(port)
        self.name = name
        self.process = 0  # its number; it changes when it is started again
        self.was = 0

    def opened(self) -> None:
        wait_until(lambda: self.process != self.was)

    def send_signal(self, number: int) -> None:
        os.kill(self.process, number)
        self.was = self.process

    def back(self) -> None:
        """It was killed and started again."""
        self.opened()


class InSqlite(House):
    def __init__(self, data: Path) -> None:
        self.where = str(data / FILE)
        self.data = data
        self.all = [Neighbour(name, free_port()) for name in ("1", "2")]
        ports = (each.at.rpartition(":")[2] for each in self.all)
        self.popen = subprocess.Popen(
            [sys.executable, "-u", TESTS / "neighbours_elsewhere.py", data, *ports],
            env={**os.environ, "PYTHONPATH": f"{TESTS}:{os.environ.get('PYTHONPATH', '')}"},
            stdout=subprocess.PIPE,
            text=True,
        )
        Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        assert self.popen.stdout
        for line in self.popen.stdout:
            name, process = line.split()
            self.all[int(name) - 1].process = int(process)

    def pair(self, table: str) -> tuple[Process, Process]:
        for each in self.all:
            each.opened()
        time.sleep(2 * ANSWERED)  # by then both know that both are there
        first, second = self.all
        dealing = owner(table, dict.fromkeys((each.name for each in self.all), 0))
        return (first, second) if dealing == first.name else (second, first)

    def close(self) -> None:
        self.popen.terminate()
        assert self.popen.wait(2 * PATIENCE) == 0
        assert self.popen.stdout
        self.popen.stdout.close()


# --- SQLite, as it is: all at one address ---------------------------------------------------


class Several(Running):
    """A room in two processes, and the one that started them."""

    def __init__(self, data: Path) -> None:
        port = free_port()
        self.data = data
        self.at = f"127.0.0.1:{port}"
        self.origin = f"http://{self.at}"
        self.metrics = free_port()
        where = ("--data", data, "--port", str(port), "--processes", "2", "--no-browser")
        where += ("--metrics-port", str(self.metrics))
        self.popen = subprocess.Popen(
            [sys.executable, "-u", "-c", COMMAND, *where, "--log-level", "info"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started: list[int] = []
        self.log = ""
        self._hearing = Thread(target=self._hear)
        self._hearing.start()

    def _hear(self) -> None:
        assert self.popen.stderr
        for line in self.popen.stderr:
            self.log += line
            self.started += map(int, STARTED.findall(line))

    def health(self) -> Data:
        """Of whichever process takes the connection."""
        with self.client() as client:
            told: Data = client.get("/health").json()
        return told

    def both(self) -> dict[str, Data]:
        """The health of both, once both are there and share the tables."""
        found: dict[str, Data] = {}

        def there() -> bool:
            with suppress(httpx2.TransportError):
                found.update({(told := self.health())["process"]: told for _ in range(10)})
            return sum(each["deals"] for each in found.values()) == 5 and len(found) == 2

        wait_until(there)
        return found

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.popen.terminate()
        self.popen.wait(2 * PATIENCE)
        self._hearing.join(PATIENCE)
        assert self.popen.stdout
        self.popen.stdout.close()


@contextmanager
def several(data: Path) -> Iterator[Several]:
    room = Several(data)
    try:
        room.both()
        yield room
    finally:
        room.close()


@contextmanager
def closing(made: House) -> Iterator[House]:
    try:
        yield made
    finally:
        made.close()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)


# --- players --------------------------------------------------------------------------------


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


def asked(players: list[Patron], table: str, patience: float = PATIENCE) -> tuple[Patron, Data]:
    """Who must decide now, and a choice."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        for player in players:
            player.sync()
            if choices := player.may(table, "Choose"):
                return player, choices[-1]
        time.sleep(0.01)
    raise AssertionError("nobody was asked")


def finish(players: list[Patron], table: str, seconds: float = PATIENCE) -> None:
    """Decide until the round is over for everybody."""
    deadline = time.monotonic() + seconds
    while any(player.tables[table]["view"]["round"] for player in players):
        assert time.monotonic() < deadline, "play did not go on"
        for player in players:
            player.sync()
            if choices := player.may(table, "Choose"):
                player.do(table, **choices[-1])
        time.sleep(0.01)
