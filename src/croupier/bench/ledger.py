"""How many rounds a second are made durable, and what the disk alone would take.

First one table beside the machine's own price for the same bytes: in turn, a few records appended
to a file and each synced, a few inserted and committed by SQLite alone, and a few commands until
their answers, one after another as at a busy table; and again one of each after a pause, as at a
quiet one, where nothing is at hand any more, not even what a bare write needs. Then tables play in
one event loop, as a room's do; their ledger is one SQLite file, and they share its syncs. Last of
them as many in two processes, as a room has them that is opened with ``--processes 2``; their
ledger is again one file. The same again as if every sync took longer, as it does on most disks.
Then a table with a long life is opened, from its snapshot and from its first entry.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import count
from math import ceil
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec.structs import astuple
from rich.table import Table as Sheet

from croupier.bench.evaluator import SEED
from croupier.games.registry import RULEBOOKS
from croupier.ledger import chain, kept
from croupier.ledger.crowd import Crowd
from croupier.ledger.group import Alone, Group
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import long_run
from croupier.ledger.store import Batch, Store
from croupier.rules.money import dollars

TABLES = (1, 10, 50)
LONGER = 2e-3  # seconds more for a sync: a disk of the usual kind
TURNS = 10
A_FEW = 20  # in a row; not more, for the disk has its moods
PAUSE = 5e-3  # seconds
WARM_UP = 300  # commands before the clock starts; by then SQLite writes its log over, not on
WRITE, INSERT, ONE = "write and sync", "SQLite alone", "one table"
INVENTORY = dollars(1_000_000_000)
TOGETHER = 500  # commands under one sync where a long life is written
LONG_LIFE = "long life"


# --- tables at play -------------------------------------------------------------------------


class Slower:
    """A store on a disk that is longer about a sync."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, batches: Sequence[Batch]) -> None:
        self._store.write(batches)
        time.sleep(LONGER)


class Measured(ABC):
    """Tables whose turns are measured."""

    def __init__(self) -> None:
        self.waits: list[float] = []  # seconds from a command to its answer
        self.commands: list[float] = []  # per second, turn by turn
        self.rounds: list[float] = []
        self.busy = 0.0  # seconds of the processor's

    @abstractmethod
    def turn(self, seconds: float) -> None:
        """All tables at once for so long."""

    @abstractmethod
    def close(self) -> None: ...


class Room(Measured):
    """So many tables in one ledger, all games in turn, numbered from the ``first``."""

    def __init__(
        self,
        path: Path,
        tables: int,
        *,
        first: int = 0,
        longer: bool = False,
        queue: bool = False,
    ) -> None:
        super().__init__()
        self.ledger = Ledger.at(path, group=True, queue=queue)
        if longer:
            self.ledger.writer.close()
            self.ledger.writer = Group(Slower(self.ledger.store))  # type: ignore[arg-type]
        self.keepers = [
            Keeper.open(self.ledger, f"t{n}", {"rulebook": RULEBOOKS[n % 5]}, INVENTORY)
            for n in range(first, first + tables)
        ]
        self.crowds = [
            Crowd(lambda keeper=keeper: keeper.kept, random.Random(SEED), unruly=0)  # type: ignore[misc]
            for keeper in self.keepers
        ]
        self._ids = count(1)
        for command in range(WARM_UP):
            self.say(command % tables)

    def say(self, place: int) -> float:
        """The next command at a table; seconds until it was answered."""
        keeper = self.keepers[place]
        command = self.crowds[place].next()
        start = time.perf_counter()
        keeper.execute(command, f"c{next(self._ids)}")
        return time.perf_counter() - start

    def turn(self, seconds: float) -> None:
        asyncio.run(self._turn(seconds))

    async def _turn(self, seconds: float) -> None:
        rounds, waits, busy = self._rounds(), len(self.waits), time.process_time()
        start = time.perf_counter()
        places = range(len(self.keepers))
        await asyncio.gather(*(self._play(place, start + seconds) for place in places))
        took = time.perf_counter() - start
        self.busy += time.process_time() - busy
        self.commands.append((len(self.waits) - waits) / took)
        self.rounds.append((self._rounds() - rounds) / took)

    async def _play(self, place: int, until: float) -> None:
        keeper, crowd = self.keepers[place], self.crowds[place]
        while (start := time.perf_counter()) < until:
            await keeper.perform(crowd.next(), f"c{next(self._ids)}")
            self.waits.append(time.perf_counter() - start)

    def _rounds(self) -> int:
        return sum(keeper.table.rounds for keeper in self.keepers)

    def close(self) -> None:
        self.ledger.close()


class Spread(Measured):
    """The tables of a room in several processes, whose ledger is the same file."""

    def __init__(self, path: Path, tables: int, processes: int, *, longer: bool = False) -> None:
        super().__init__()
        Ledger.at(path).close()  # there before two processes look for it
        share = ceil(tables / processes)
        self._processes = []
        for first in range(0, tables, share):
            ours, theirs = Pipe()
            arguments = (theirs, path, min(share, tables - first), first, longer)
            process = get_context("spawn").Process(target=_elsewhere, args=arguments, daemon=True)
            process.start()
            self._processes.append((process, ours))
        for _, ours in self._processes:
            ours.recv()  # its tables are open

    def turn(self, seconds: float) -> None:
        for _, ours in self._processes:
            ours.send(seconds)
        turns = [ours.recv() for _, ours in self._processes]
        self.commands.append(sum(commands for commands, _, _, _ in turns))
        self.rounds.append(sum(rounds for _, rounds, _, _ in turns))
        for _, _, waits, busy in turns:
            self.waits += waits
            self.busy += busy

    def close(self) -> None:
        for process, ours in self._processes:
            ours.send(None)
            process.join()


def _elsewhere(pipe: Connection, path: Path, tables: int, first: int, longer: bool) -> None:
    """A process with some of the tables: it plays for as long as it is told."""
    long_run()
    room = Room(path, tables, first=first, longer=longer, queue=True)
    pipe.send(None)
    while seconds := pipe.recv():
        waits, busy = len(room.waits), room.busy
        room.turn(seconds)
        pipe.send((room.commands[-1], room.rounds[-1], room.waits[waits:], room.busy - busy))
    room.close()


def together(home: Path, seconds: float, *, longer: bool = False) -> dict[str, Measured]:
    """Few tables and many, in turn."""
    home.mkdir()
    rooms: dict[str, Measured] = {
        str(tables): Room(home / f"{tables}.db", tables, longer=longer) for tables in TABLES
    }
    most = TABLES[-1]
    rooms[f"{most}, in two"] = Spread(home / "two.db", most, 2, longer=longer)
    for _ in range(TURNS):
        for room in rooms.values():
            room.turn(seconds / TURNS)
    for room in rooms.values():
        room.close()
    return rooms


def bytes_per_command(home: Path) -> int:
    """What the ledger keeps of one, on average."""
    room = Room(home / "bytes.db", 1)
    entries = list(room.ledger.store.read(room.keepers[0].name))
    room.close()
    size = sum(len("".join(map(str, astuple(entry)))) for entry in entries)
    return size // sum(bool(entry.command) for entry in entries)


# --- the machine's own price ----------------------------------------------------------------


def bare_write(path: Path, size: int) -> float:
    """Seconds to append a record to a file and sync it."""
    record = bytes(size)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    start = time.perf_counter()
    os.write(descriptor, record)
    os.fsync(descriptor)
    took = time.perf_counter() - start
    os.close(descriptor)
    return took


class Plain:
    """A database of records and nothing else, its log synced like ours."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("CREATE TABLE records (record TEXT)")

    def insert(self, size: int) -> float:
        """Seconds to insert a record and commit it."""
        record = "x" * size
        start = time.perf_counter()
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO records VALUES (?)", (record,))
        self._connection.execute("COMMIT")
        return time.perf_counter() - start

    def close(self) -> None:
        self._connection.close()


def beside(
    home: Path, size: int, seconds: float, *, in_a_row: int = A_FEW, pause: float = 0
) -> dict[str, list[float]]:
    """A bare write, SQLite alone, and one table, in turn; each after a pause, if there is one."""
    home.mkdir()
    room, plain = Room(home / "one.db", 1), Plain(home / "plain.db")
    for _ in range(3 * WARM_UP):  # it changes fewer pages
        plain.insert(size)
    prices: dict[str, Callable[[], float]] = {
        WRITE: lambda: bare_write(home / "bare", size),
        INSERT: lambda: plain.insert(size),
        ONE: lambda: room.say(0),
    }
    waits: dict[str, list[float]] = {name: [] for name in prices}
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or not waits[ONE]:
        for name, price in prices.items():
            for _ in range(in_a_row):
                if pause:
                    time.sleep(pause)
                waits[name].append(price())
    plain.close()
    room.close()
    return waits


# --- a long life ----------------------------------------------------------------------------


class Bulk(Alone):
    """Many commands under one sync: nobody waits for these."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger.store)
        self._waiting: list[Batch] = []

    def write(self, batch: Batch) -> None:
        self._waiting.append(batch)
        if len(self._waiting) >= TOGETHER:
            self.close()

    def close(self) -> None:
        self._store.write(self._waiting)
        self._waiting = []


def live(path: Path, events: int) -> None:
    """A table with so many events behind it."""
    ledger = Ledger.at(path)
    ledger.writer = Bulk(ledger)
    keeper = Keeper.open(ledger, LONG_LIFE, {"rulebook": RULEBOOKS[0]}, INVENTORY)
    crowd = Crowd(lambda: keeper.kept, random.Random(SEED), unruly=0)
    ids = count(1)
    while keeper.head.sequence < events:
        keeper.execute(crowd.next(), f"c{next(ids)}")
    ledger.close()


def opening(path: Path) -> tuple[float, float]:
    """Seconds to open it from its snapshot, and by reading all its entries."""
    start = time.perf_counter()
    ledger = Ledger.at(path)
    keeper = Keeper.resume(ledger, LONG_LIFE)
    opened = time.perf_counter() - start
    start = time.perf_counter()
    entries = chain.follow(ledger.store.read(LONG_LIFE), LONG_LIFE, chain.Head())
    folded = kept.fold(map(ledger.sealer.happening, entries))
    read = time.perf_counter() - start
    assert folded == keeper.kept
    ledger.close()
    return opened, read


# --- measuring ------------------------------------------------------------------------------


def run(seconds: float = 5.0, events: int = 100_000) -> None:
    """Measure and print. ``seconds`` is about what each part takes in all its turns."""
    from rich.console import Console

    console = Console(highlight=False)
    long_run()  # as a room does
    with TemporaryDirectory() as folder:
        home = Path(folder)
        size = bytes_per_command(home)
        title = f"One command, {size:,} bytes, until on the disk, in ms"
        console.print(_prices(beside(home / "busy", size, seconds), title))
        title = f"The same, each after a pause of {PAUSE * 1e3:.0f} ms"
        quiet = beside(home / "quiet", size, seconds, in_a_row=1, pause=PAUSE)
        console.print(_prices(quiet, title))
        console.print(_rooms(together(home / "as it is", seconds), "Tables at once"))
        slower = f"The same, if a sync took {LONGER * 1e3:.0f} ms more"
        console.print(_rooms(together(home / "slower", seconds, longer=True), slower))
        live(home / "long.db", events)
        opened, read = opening(home / "long.db")
        console.print(
            f"A table with {events:,} events behind it opens in {opened:.3f} s from its snapshot, "
            f"in {read:.1f} s from its first entry."
        )


def _prices(waits: dict[str, list[float]], title: str) -> Sheet:
    sheet = _sheet(title)
    for column in ("", "p50", "p99", "beside a bare write"):
        sheet.add_column(column, justify="right" if column else "left")
    for name, took in waits.items():
        ratio = median(took) / median(waits[WRITE])
        sheet.add_row(name, *_times(took), f"{ratio:.2f} times" if name != WRITE else "")
    return sheet


def _rooms(rooms: dict[str, Measured], title: str) -> Sheet:
    sheet = _sheet(f"{title}; last in two processes; the processor's share in ms")
    for column in ("tables", "commands/s", "beside one", "rounds/s", "p50 ms", "p99 ms", "share"):
        sheet.add_column(column, justify="right")
    for tables, room in rooms.items():
        rate = median(room.commands)
        sheet.add_row(
            tables,
            f"{rate:,.0f}",
            f"{rate / median(rooms['1'].commands):.1f} times" if tables != "1" else "",
            f"{median(room.rounds):,.1f}",
            *_times(room.waits),
            f"{room.busy / len(room.waits) * 1e3:.2f}",
        )
    return sheet


def _sheet(title: str) -> Sheet:
    return Sheet(title=title, title_justify="left", title_style="")


def _times(took: Sequence[float]) -> tuple[str, str]:
    ranked = sorted(took)
    return f"{median(ranked) * 1e3:.2f}", f"{ranked[len(ranked) * 99 // 100] * 1e3:.2f}"
