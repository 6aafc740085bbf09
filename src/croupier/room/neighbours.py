"""One room served by several processes on one machine, over one SQLite file.

Each has a line to the process that started it (``processes``), which passes on whatever one of them
says and tells all of them who is there. So everybody knows who deals where: the process most of a
table's players are connected to, and where nobody sits, any one that all agree on. Where two
believe for a moment that a table is theirs, the ledger's sequence fences one of them off.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from socket import socket

from croupier.law.refused import Refused
from croupier.ledger.outside import open_private
from croupier.room.hosts import TableHost
from croupier.room.shared import ANSWERED, TICK, Shared
from croupier.room.words import AnyWord, Beat, Bye, Hello, Here, Present, Wrote, heard

LONGEST_LINE = 1 << 22  # bytes
OPENING = 0  # the place of a lock; a player's is elsewhere

log = logging.getLogger("croupier.room.neighbours")


class Neighbours(Shared):
    """``locks`` is a file beside the ledger."""

    def __init__(self, me: str, line: socket, locks: Path) -> None:
        super().__init__(me)
        self._line = line
        self._locks = open_private(locks, os.O_RDWR | os.O_CREAT)
        self._present: list[str] = []
        self._players: dict[tuple[str, str], int] = {}  # seated and connected, by process and table
        self._versions: dict[str, int] = {}  # written since somebody was told
        self._out: asyncio.StreamWriter | None = None

    @contextmanager
    def opening(self) -> Iterator[None]:
        fcntl.lockf(self._locks, fcntl.LOCK_EX, 1, OPENING)
        try:
            yield
        finally:
            fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, OPENING)

    async def stop(self) -> None:
        try:
            await super().stop()
        finally:
            if self._out:
                self._out.close()
            os.close(self._locks)

    def hosted(self, host: TableHost) -> None:
        self._own(host)
        self.wrote(host.name, host.version)

    def unhosted(self, host: TableHost) -> None:
        for place in [place for place in self._players if place[1] == host.name]:
            del self._players[place]

    def _own(self, host: TableHost) -> None:
        there = {each: self._players.get((each, host.name), 0) for each in self._present}
        host.own(owner(host.name, there) == self.me)

    def _note(self, word: AnyWord) -> None:
        """Who is where decides who deals."""
        assert self._floor
        match word:
            case Here():
                self._players[word.by, word.table] = len(word.names)
                if word.table in self._floor.hosts:
                    self._own(self._floor.hosts[word.table])
            case Bye():
                gone = [place for place in self._players if place[0] == word.by]
                for place in gone:
                    del self._players[place]
            case Present():
                self._present = word.processes
                for host in self._hosts:
                    self._own(host)

    async def _hold(self, name: str) -> bool:
        try:
            fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(name))
        except BlockingIOError:
            return False
        return True

    async def _let_go(self, name: str) -> None:
        fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, _place(name))

    # --- saying ---------------------------------------------------------------------------------

    def say(self, word: AnyWord) -> None:
        self._say_what_was_written()  # or what is said might come before what it is about
        super().say(word)
        self._note(word)

    def wrote(self, table: str, version: int) -> None:
        """Told all together, when this process next comes to it."""
        if not self._versions:
            asyncio.get_running_loop().call_soon(self._say_what_was_written)
        self._versions[table] = version

    def _say_what_was_written(self) -> None:
        if self._versions:
            super().say(Wrote(self.me, self._versions))
            self._versions = {}

    async def _speak(self, words: list[str]) -> None:
        if self._out:
            with suppress(ConnectionError):
                self._out.write("".join(f"{word}\n" for word in words).encode())
                await self._out.drain()

    # --- hearing --------------------------------------------------------------------------------

    async def _listen(self) -> None:
        """A process that hears nothing any more is of no use, and ends."""
        try:
            await self._attend()
            log.error("the process that started this one is gone")
        except Exception:
            log.exception("this process is cut off from the others")
        os.kill(os.getpid(), signal.SIGTERM)

    async def _attend(self) -> None:
        assert self._floor
        words, self._out = await asyncio.open_connection(sock=self._line, limit=LONGEST_LINE)
        await self._floor.catch_up()
        beating = asyncio.create_task(self._beat())
        try:
            async for line in words:
                if word := heard(line):
                    await self._told(word)
        finally:
            beating.cancel()

    async def _beat(self) -> None:
        """With the first, a process is there."""
        self.say(Hello(self.me))
        await asyncio.sleep(ANSWERED)
        while True:
            self.say(Beat(self.me))
            self._say_who_is_here()
            with suppress(Refused):  # whoever asks hears why
                await self._keep_up()
            await asyncio.sleep(TICK)

    async def _told(self, word: AnyWord) -> None:
        try:
            self._note(word)
            await super()._told(word)
        except Refused as trouble:
            log.warning("what others wrote cannot be read: %s", trouble)


def owner(table: str, players: Mapping[str, int]) -> str:
    """Who deals there, of these processes: the one with the most of its players, among equals the
    one the table likes best. So no table changes hands because of processes it has nothing to do
    with."""

    def liked(process: str) -> tuple[int, bytes]:
        return players[process], sha256(f"{process} {table}".encode()).digest()

    return max(players, key=liked, default="")


def _place(name: str) -> int:
    """Of a player's lock."""
    return 1 + int.from_bytes(sha256(name.encode()).digest()[:7])
