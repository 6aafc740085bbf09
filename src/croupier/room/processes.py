"""A room in several processes on this machine. This one starts them, and again whichever dies or
falls silent; it passes on what they say to each other, and tells them who is there. It knows
nothing of tables. When it ends they end, however it ends.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from time import monotonic

from croupier.room import metrics
from croupier.room.neighbours import LONGEST_LINE
from croupier.room.shared import TICK
from croupier.room.words import AnyWord, Beat, Bye, Present, heard, spoken

SILENT = 8  # seconds after which a process that says nothing is taken for dead
AGAIN = 1.0  # seconds before one that died is started again
PATIENCE = 10  # seconds for those that are told to stop

log = logging.getLogger("croupier.room.processes")

Main = Callable[[str, socket.socket, bool], None]  # its name, its line, whether it is the first


class Process:
    """One of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.heard = 0.0  # when it last gave a sign of life; 0 while it is not there
        self.running: SpawnProcess | None = None
        self._out: asyncio.StreamWriter | None = None

    async def start(self, main: Main, *, first: bool) -> asyncio.StreamReader:
        """What it says from now on."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.running = get_context("spawn").Process(
                target=main, args=(self.name, theirs, first), name=f"room {self.name}"
            )
            self.running.start()
        words, self._out = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
        return words

    def tell(self, word: bytes) -> None:
        if self._out:
            self._out.write(word)

    def hang_up(self) -> None:
        assert self._out
        self._out.close()
        self.heard, self._out = 0.0, None

    async def ended(self) -> int | None:
        """Once it is; how. It has said its last word, and should not be long."""
        assert self.running
        await asyncio.to_thread(self.running.join, PATIENCE)
        self.send(signal.SIGKILL)
        await asyncio.to_thread(self.running.join)
        metrics.gone(self.running.pid or 0)
        return self.running.exitcode

    def send(self, number: signal.Signals) -> None:
        if self.running and self.running.exitcode is None:
            (self.running.kill if number is signal.SIGKILL else self.running.terminate)()


class Processes:
    def __init__(self, number: int, main: Main, metrics_port: int = 0) -> None:
        self._main = main
        self._metrics_port = metrics_port
        self._all = [Process(str(each)) for each in range(1, number + 1)]
        self._over = asyncio.Event()
        self._open = asyncio.Event()  # the first is there, or never will be
        self._code = 0

    async def run(self) -> int:
        """Until a signal comes; the exit code. The first begins alone: it may have to set up
        everything, and whoever watches hears of it once."""
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, self._end)
        with metrics.together(), metrics.served(self._metrics_port):
            return await self._run()

    async def _run(self) -> int:
        first, *others = self._all
        kept = [self._begin(first)]
        await self._open.wait()
        if not self._over.is_set():
            kept += map(self._begin, others)
        watching = asyncio.create_task(self._watch())
        await self._over.wait()
        watching.cancel()
        self._signal(signal.SIGTERM)
        _, left = await asyncio.wait(kept, timeout=PATIENCE)
        if left:
            self._signal(signal.SIGKILL)
        await asyncio.gather(*kept)
        return self._code

    def _begin(self, process: Process) -> asyncio.Task[None]:
        """Whatever goes wrong in keeping it ends the room: nothing is worse than half of one."""
        keeping = asyncio.create_task(self._keep(process))
        keeping.add_done_callback(lambda _: self._end())
        return keeping

    def _end(self) -> None:
        self._over.set()
        self._open.set()

    def _signal(self, number: signal.Signals) -> None:
        for process in self._all:
            process.send(number)

    # --- one of them ----------------------------------------------------------------------------

    async def _keep(self, process: Process) -> None:
        while not self._over.is_set():
            words = await process.start(self._main, first=not self._open.is_set())
            with suppress(ConnectionError):  # killed before it had read everything
                async for line in words:
                    self._pass_on(process, line)
            process.hang_up()
            self._tell(Bye(process.name))
            self._tell_who_is_there()
            code = await process.ended()
            if not self._open.is_set():  # it would not start a second time either
                self._code = code or 1
                self._end()
            if not self._over.is_set():
                log.error("process %s ended with %s, and is started again", process.name, code)
                await asyncio.sleep(AGAIN)

    async def _watch(self) -> None:
        """A process that hangs is no better than a dead one."""
        while True:
            await asyncio.sleep(TICK)
            for process in self._all:
                if process.heard and monotonic() - process.heard > SILENT:
                    log.error("process %s is silent", process.name)
                    process.send(signal.SIGKILL)

    # --- between them ---------------------------------------------------------------------------

    def _pass_on(self, process: Process, line: bytes) -> None:
        if not isinstance(heard(line), Beat):
            for other in self._all:
                if other is not process:
                    other.tell(line)
            return
        new, process.heard = not process.heard, monotonic()
        if new:
            self._open.set()
            self._tell_who_is_there()

    def _tell_who_is_there(self) -> None:
        there = [process.name for process in self._all if process.heard]
        self._tell(Present("", there))

    def _tell(self, word: AnyWord) -> None:
        for process in self._all:
            process.tell(f"{spoken(word)}\n".encode())
