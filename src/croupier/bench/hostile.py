"""How long an honest player waits next to hostile clients, one kind after another, then all.

Every row has a fresh room in a process of its own, on one core, with its usual limits. The player
and the hostile clients run on the other cores. A player's command is timed until its broadcast is
back, by which time it is on the disk. A second guest asks the coach once a second.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from rich.console import Console
from rich.table import Table as Sheet

from croupier.bench import attackers
from croupier.bench.bots import Bot
from croupier.bench.room import PATIENCE, Process, cores, percentile, sheet, started
from croupier.law.refused import Refused
from croupier.ledger.place import FILE
from croupier.room import logs
from croupier.room.floor import Room
from croupier.room.serve import Server
from croupier.room.settings import Settings

KINDS = tuple(attackers.KINDS)
ALL = "all"
AIM = 0.100  # seconds that 99 of 100 commands stay below
TABLE = "uth-1"
LOG = "log"
PACE = (0.02, 0.1)  # seconds between a command and the next
WARM_UP = 4.0  # seconds before anything is measured: the table gets a history, the coach a worker
QUESTION_EVERY = 1.0
QUESTION_PATIENCE = 60.0
ASKERS_NUMBER = 10_000  # far from the attackers'


def serve_room(at: socket.socket, core: int, started: Connection, data: Path) -> None:
    os.sched_setaffinity(0, {core})
    with open(data / LOG, "w") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
    logs.write("warning")
    room = Room(Settings(data=data, port=at.getsockname()[1], betting_seconds=0))
    Server(room, lambda room: started.send(True)).run([at])


class Row(Struct):
    """What an honest player met next to one kind of hostile clients."""

    kind: str
    waits: list[float]  # seconds, of each command
    stalls: list[float]  # seconds, until the dealer had done what comes between two commands
    questions: list[float]  # seconds, of each answer of the coach
    sent: int  # by the hostile clients
    turned_away: int
    busy: float  # of one core: the room's process
    workers: float  # the same: its children
    ledger: int  # bytes it grew
    log: int  # the same
    memory: int  # bytes the room's process grew
    workers_memory: int  # bytes of its children at the end

    @property
    def p99(self) -> float:
        return percentile(self.waits, 99)


def chosen(kinds: Sequence[str]) -> tuple[str, ...]:
    """These kinds, or all where none is named."""
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise Refused(f"There are no hostile clients {unknown[0]!r}; there are {', '.join(KINDS)}.")
    return tuple(dict.fromkeys(kinds)) or KINDS


def run(
    seconds: float = 10.0, kinds: Sequence[str] = KINDS, console: Console | None = None
) -> None:
    """Measure and print. ``seconds`` is what each row takes."""
    console = console or Console(highlight=False)
    rows = [measured("nobody", (), seconds)]
    rows += [measured(kind, (kind,), seconds) for kind in kinds]
    if len(kinds) > 1:
        rows.append(measured(ALL, kinds, seconds))
    console.print(_commands(rows))
    console.print(_costs(rows))
    console.print(judged(rows))


def measured(name: str, kinds: Sequence[str], seconds: float) -> Row:
    with (
        TemporaryDirectory() as folder,
        cores() as core,
        started(serve_room, core, Path(folder)) as room,
    ):
        return asyncio.run(_measured(name, kinds, room, Path(folder), seconds))


async def _measured(
    name: str, kinds: Sequence[str], room: Process, data: Path, seconds: float
) -> Row:
    bot = await Bot(room.port, 0, TABLE, PACE).come()
    asker = attackers.Attack(room.port, TABLE, ASKERS_NUMBER, 0)
    await asker.enter()
    warm = time.perf_counter() + WARM_UP
    await asyncio.gather(bot.play(warm, thinking=True), _questions(asker, warm))
    with _attacking(kinds, room.port, seconds) as pipe:
        before, start = _Usage(room, data), time.perf_counter()
        if pipe:
            pipe.send(True)
        until = start + seconds
        _, questions = await asyncio.gather(
            bot.play(until, thinking=True), _questions(asker, until)
        )
        took = time.perf_counter() - start
        after = _Usage(room, data)
        sent, turned_away = await asyncio.to_thread(_report, pipe) if pipe else ({}, {})
    with suppress(*attackers.FAILURES):
        await bot.leave()
    return Row(
        name,
        bot.waits,
        bot.stalls,
        questions,
        sum(sent.values()),
        sum(turned_away.values()),
        (after.busy - before.busy) / took,
        (after.workers_busy - before.workers_busy) / took,
        after.ledger - before.ledger,
        after.log - before.log,
        after.memory - before.memory,
        after.workers_memory,
    )


@contextmanager
def _attacking(kinds: Sequence[str], port: int, seconds: float) -> Iterator[Connection | None]:
    """The process of the hostile clients, until it has ended."""
    if not kinds:
        yield None
        return
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(
        target=attackers.run, args=(tuple(kinds), port, TABLE, seconds, there), daemon=True
    )
    process.start()
    there.close()
    try:
        if not here.poll(PATIENCE):
            raise RuntimeError("The hostile clients did not come in.")
        here.recv()
        yield here
    finally:
        process.join(attackers.DRAIN)
        process.kill()
        process.join()


def _report(pipe: Connection) -> tuple[dict[str, int], dict[str, int]]:
    if not pipe.poll(PATIENCE):
        return {}, {}
    sent, turned_away = pipe.recv()
    return sent, turned_away


async def _questions(asker: attackers.Attack, until: float) -> list[float]:
    """Short questions, each about another hand. The last is waited for after the attack as well."""
    waits: list[float] = []
    async with asker.line() as line:
        while (start := time.perf_counter()) < until:
            hand = asker.rng.sample(attackers.DECK, 3)
            body = {"game": "ride", "hand": " ".join(hand)}
            with suppress(TimeoutError):
                async with asyncio.timeout(QUESTION_PATIENCE):
                    await line.request("POST", "/api/advise", body)
            waits.append(time.perf_counter() - start)
            await asyncio.sleep(min(QUESTION_EVERY, max(0.0, until - time.perf_counter())))
    return waits


class _Usage:
    """What a room has used so far."""

    def __init__(self, room: Process, data: Path) -> None:
        self.busy = room.busy()
        self.memory = room.memory()
        self.workers_busy = room.children_busy()
        self.workers_memory = sum(child.memory() for child in room.children())
        self.log = (data / LOG).stat().st_size
        self.ledger = sum(each.stat().st_size for each in data.glob(f"{FILE}*"))


# --- printing -------------------------------------------------------------------------------


def _commands(rows: Sequence[Row]) -> Sheet:
    made = sheet(
        f"An honest player's commands next to {attackers.CLIENTS} hostile clients of each kind, ms",
        *("", "commands", "p50", "p99", "max", "dealer max", "questions", "p50", "max"),
    )
    for row in rows:
        made.add_row(
            row.kind,
            str(len(row.waits)),
            *_milliseconds(row.waits, 50, 99, 100),
            *_milliseconds(row.stalls, 100),
            str(len(row.questions)),
            *_milliseconds(row.questions, 50, 100),
        )
    return made


def _costs(rows: Sequence[Row]) -> Sheet:
    made = sheet(
        "What the hostile clients did, and what it cost the room",
        *(
            "",
            "sent",
            "turned away",
            "core",
            "workers",
            "ledger MB",
            "log MB",
            "memory MB",
            "workers MB",
        ),
    )
    for row in rows:
        made.add_row(
            row.kind,
            f"{row.sent:,}",
            f"{row.turned_away:,}",
            f"{row.busy:.0%}",
            f"{row.workers:.0%}",
            *(f"{size / 1e6:,.2f}" for size in (row.ledger, row.log, row.memory)),
            f"{row.workers_memory / 1e6:,.0f}",
        )
    return made


def _milliseconds(waits: Sequence[float], *percentiles: int) -> Iterator[str]:
    for each in percentiles:
        yield f"{percentile(waits, each) * 1e3:,.1f}" if waits else ""


def judged(rows: Sequence[Row]) -> str:
    """The slowest row beside the aim; where nobody acted nothing can be said."""
    acted = [row for row in rows if row.waits]
    if not acted:
        return "Nobody acted in so short a time."
    worst = max(acted, key=lambda row: row.p99)
    how = "below" if worst.p99 < AIM else "not below"
    return (
        f"The highest p99 is {worst.p99 * 1e3:,.1f} ms ({worst.kind}), {how} the "
        f"{AIM * 1e3:.0f} ms aimed at."
    )
