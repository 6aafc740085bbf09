"""How fast a room tells everyone what happened, on one core, with real sockets and durable writes.

The room runs in a process of its own on one core; the players are in this one, on the others. Each
table has a player; an act is timed from the moment it is sent until its own broadcast is back, by
which time it is on the disk. Players think like people first, then act as fast as they are told.
Beside it, in the same run: the machine's own write and sync, and a bare echo over a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.table import Table as Sheet
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as listen

from croupier.bench.bots import Bot, spectators, together
from croupier.bench.ledger import bare_write
from croupier.law.refused import Refused
from croupier.room.door.buckets import Rate
from croupier.room.floor import Room
from croupier.room.limits import Limits
from croupier.room.serve import Server, listening
from croupier.room.settings import Settings

TABLES = (1, 10, 100)
SPECTATORS = 500
AIM = 0.050  # seconds that 99 of 100 acts stay below, with all tables at a person's pace
FREELY = Rate(1_000_000, 1_000_000)  # everybody comes from one address here
CONNECTIONS = 5_000  # and has a connection
WARM_UP = 2.0  # seconds at full speed, all tables: whatever loads late has loaded then
DEALT = 1.0  # seconds until every dealer has done what there is to do
ECHOES, WRITES = 500, 200
WRITTEN = 900  # bytes: about a command in the ledger
PATIENCE = 120.0  # seconds: a busy machine starts a room slowly


# --- processes of their own -----------------------------------------------------------------


def serve_room(at: socket.socket, core: int, started: Connection, data: Path) -> None:
    """The room as it is, but for the limits on one address."""
    os.sched_setaffinity(0, {core})
    room = Room(Settings(data=data, port=at.getsockname()[1], betting_seconds=0))
    limits = Limits(
        address=FREELY,
        session=FREELY,
        costly=FREELY,
        messages_player=FREELY,
        connections_address=CONNECTIONS,
        sockets_address=CONNECTIONS,
        tables_address=CONNECTIONS,
    )
    Server(room, lambda room: started.send(True), limits).run([at])


def serve_echo(at: socket.socket, core: int, started: Connection) -> None:
    async def echo(line: ServerConnection) -> None:
        async for frame in line:
            await line.send(frame)

    async def run() -> None:
        async with listen(echo, sock=at) as server:
            started.send(True)
            await server.serve_forever()

    os.sched_setaffinity(0, {core})
    asyncio.run(run())


class Process(Struct):
    """One that runs, and what it has used."""

    id: int
    port: int

    def busy(self) -> float:
        """Seconds of the processor's."""
        return self._seconds(11)

    def children_busy(self) -> float:
        """The same of the processes it started, those that have ended included."""
        ended = self._seconds(13)
        return ended + sum(child.busy() for child in self.children())

    def children(self) -> list[Process]:
        threads = Path(f"/proc/{self.id}/task").glob("*/children")
        ids = [int(id) for each in threads for id in each.read_text("utf-8").split()]
        return [Process(id, 0) for id in ids]

    def _seconds(self, field: int) -> float:
        """Two neighbouring fields of its statistics: in its own code, and in the kernel."""
        try:
            text = Path(f"/proc/{self.id}/stat").read_text("utf-8")
        except OSError:  # it has just ended
            return 0.0
        fields = text.rpartition(")")[2].split()
        return (int(fields[field]) + int(fields[field + 1])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes."""
        try:
            pages = Path(f"/proc/{self.id}/statm").read_text("utf-8").split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def started(target: Callable[..., None], core: int, *more: object) -> Iterator[Process]:
    """A process that says when it is ready, until it is no longer needed."""
    context = get_context("spawn")
    here, there = context.Pipe()
    with listening(Settings(port=0)) as at:  # any that is free
        port = at.getsockname()[1]
        process = context.Process(target=target, args=(at, core, there, *more))
        process.start()
    there.close()
    try:
        try:
            ready = here.poll(PATIENCE) and here.recv()
        except EOFError:
            ready = False
        if not ready or process.pid is None:
            raise Refused("The room to be measured did not open.")
        yield Process(process.pid, port)
    finally:
        process.terminate()
        process.join(PATIENCE)


@contextmanager
def cores() -> Iterator[int]:
    """The core that is measured; this process keeps to the others where there are others."""
    if not hasattr(os, "sched_setaffinity"):
        raise Refused("A room is measured on Linux, where a process can be kept to one core.")
    mine = os.sched_getaffinity(0)
    measured = min(mine)
    os.sched_setaffinity(0, mine - {measured} or mine)
    try:
        yield measured
    finally:
        os.sched_setaffinity(0, mine)


# --- measuring ------------------------------------------------------------------------------


class Measured(Struct):
    """Some seconds of a room's life."""

    tables: int
    thinking: bool
    watching: int
    rounds: float  # a second
    commands: float  # a second: the players' and the house's
    busy: float  # of one core
    waits: list[float]  # seconds, of each act

    def judged(self) -> str:
        """Beside what is aimed at; where nobody acted nothing can be said."""
        if not self.waits:
            return "nobody acted in so short a time"
        late = percentile(self.waits, 99)
        how = "below" if late < AIM else "not below"
        return f"p99 is {late * 1e3:.1f} ms, {how} the {AIM * 1e3:.0f} ms aimed at"


async def measured(
    room: Process, bots: Sequence[Bot], seconds: float, *, thinking: bool, watching: int = 0
) -> Measured:
    rounds, busy, start = sum(bot.rounds for bot in bots), room.busy(), time.perf_counter()
    await together(bots, seconds, thinking=thinking)
    took = time.perf_counter() - start
    return Measured(
        len(bots),
        thinking,
        watching,
        (sum(bot.rounds for bot in bots) - rounds) / took,
        sum(bot.told for bot in bots) / took,
        (room.busy() - busy) / took,
        [wait for bot in bots for wait in bot.waits],
    )


class Evening(Struct):
    """All that was measured."""

    rows: list[Measured] = []
    per_table: int = 0  # bytes, with its player and its rounds so far
    per_spectator: int = 0
    idle: tuple[float, float] = (0.0, 0.0)  # of a core, without and with spectators


async def evening(room: Process, tables: Sequence[int], watching: int, seconds: float) -> Evening:
    found, before = Evening(), room.memory()
    bots = [await Bot(room.port, number).come() for number in range(max(tables))]
    await together(bots, WARM_UP, thinking=False)
    for thinking in (True, False):
        for count in tables:
            found.rows.append(await measured(room, bots[:count], seconds, thinking=thinking))
    found.per_table = (room.memory() - before) // len(bots)
    await asyncio.sleep(DEALT)
    quiet, before = await _idle(room, seconds), room.memory()
    watchers = await spectators(room.port, "uth-1", watching)
    found.per_spectator = (room.memory() - before) // max(1, watching)
    found.idle = (quiet, await _idle(room, seconds))
    for thinking in (True, False):
        found.rows.append(await measured(room, bots, seconds, thinking=thinking, watching=watching))
    await asyncio.gather(*(bot.leave() for bot in bots), *(each.close() for each in watchers))
    return found


async def _idle(room: Process, seconds: float) -> float:
    busy = room.busy()
    await asyncio.sleep(seconds)
    return (room.busy() - busy) / seconds


async def echoes(port: int, size: int, count: int) -> list[float]:
    """Seconds a frame takes there and back when nobody thinks about it."""
    frame, waits = "x" * size, []
    async with connect(f"ws://127.0.0.1:{port}") as line:
        for _ in range(count):
            start = time.perf_counter()
            await line.send(frame)
            await line.recv()
            waits.append(time.perf_counter() - start)
    return waits


def run(seconds: float = 5.0, tables: Sequence[int] = TABLES, watching: int = SPECTATORS) -> None:
    """Measure and print. ``seconds`` is what each row takes."""
    from rich.console import Console

    console = Console(highlight=False)
    with TemporaryDirectory() as folder, cores() as core:
        writes = [bare_write(Path(folder) / "bare", WRITTEN) for _ in range(WRITES)]
        with started(serve_echo, core) as peer:
            echo = asyncio.run(echoes(peer.port, WRITTEN, ECHOES))
        console.print(_prices(writes, echo))
        with started(serve_room, core, Path(folder)) as room:
            found = asyncio.run(evening(room, tables, watching, seconds))
    for thinking in (True, False):
        console.print(_rows([row for row in found.rows if row.thinking is thinking], thinking))
    console.print(_words(found, watching))


# --- telling --------------------------------------------------------------------------------


def percentile(waits: Sequence[float], of: int) -> float:
    ranked = sorted(waits)
    return ranked[min(len(ranked) - 1, len(ranked) * of // 100)]


def _prices(writes: Sequence[float], echo: Sequence[float]) -> Sheet:
    made = sheet(f"The machine's own price for {WRITTEN} bytes, in ms", "", "p50", "p99")
    made.add_row("write and sync", *_times(writes))
    made.add_row("echo over a socket", *_times(echo))
    return made


def _rows(rows: Sequence[Measured], thinking: bool) -> Sheet:
    title = "At a table's pace" if thinking else "Flat out"
    columns = ("tables", "watching", "rounds/s", "commands/s", "acts", "p50 ms", "p99 ms")
    made = sheet(f"{title}: from an act to its own broadcast", *columns, "core", "each ms")
    for row in rows:
        made.add_row(
            str(row.tables),
            str(row.watching) if row.watching else "",
            f"{row.rounds:,.1f}",
            f"{row.commands:,.0f}",
            f"{len(row.waits):,}",
            *_times(row.waits),
            f"{row.busy:.0%}",
            f"{row.busy / max(1.0, row.commands) * 1e3:.2f}",
        )
    return made


def _words(found: Evening, watching: int) -> str:
    busiest = max((row for row in found.rows if row.thinking), key=lambda row: row.tables)
    without, with_them = found.idle
    return (
        f"{busiest.tables} tables at a table's pace: {busiest.judged()}.\n"
        f"A table with its player takes {found.per_table / 1e6:.2f} MB, a spectator "
        f"{found.per_spectator / 1e3:.0f} kB.\n"
        f"While nobody plays the room takes {without:.1%} of a core, with {watching} spectators "
        f"{with_them:.1%}."
    )


def sheet(title: str, *columns: str) -> Sheet:
    """Without lines between the columns, so that a narrow terminal shows them all."""
    sheet = Sheet(
        title=title, title_justify="left", title_style="", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for column in columns:
        sheet.add_column(column, justify="right" if column else "left")
    return sheet


def _times(waits: Sequence[float]) -> tuple[str, str]:
    """Where nobody did anything there are none."""
    if not waits:
        return "", ""
    return f"{percentile(waits, 50) * 1e3:.2f}", f"{percentile(waits, 99) * 1e3:.2f}"
