"""A room served by several processes: what each does with the words of the others, however they
reach it."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import shuffle
from time import monotonic

from croupier.law.refused import Refused
from croupier.room.hosts import TableHost
from croupier.room.owners import Alone, Floor
from croupier.room.words import AnyWord, At, Bye, Closed, Hello, Here, Named, Wrote, spoken

TICK = 1.0  # seconds between two signs of life
ANSWERED = 0.3  # seconds for others to tell a process that comes how the clocks stand
A_LITTLE = 0.02  # seconds of every one, for what nobody asks for
SPENDING_TRIES, SPENDING_WAIT = 250, 0.02  # and seconds between them


class Shared(Alone):
    def __init__(self, me: str) -> None:
        super().__init__()
        self.me = me
        self._floor: Floor | None = None
        self._words: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, floor: Floor) -> None:
        self._floor = floor
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]

    async def stop(self) -> None:
        """Let go of every table, and say so."""
        for host in self._hosts:
            host.own(False)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.say(Bye(self.me))
        await self._speak([self._words.get_nowait() for _ in range(self._words.qsize())])

    @asynccontextmanager
    async def spending(self, name: str) -> AsyncIterator[None]:
        async with super().spending(name):
            for _ in range(SPENDING_TRIES):
                if await self._hold(name):
                    break
                await asyncio.sleep(SPENDING_WAIT)
            else:
                raise Refused("The room is busy with another of these. Try again.", code="BUSY")
            try:
                yield
            finally:
                await self._let_go(name)

    @abstractmethod
    async def _hold(self, name: str) -> bool:
        """Whether a player's chips are now counted here, and nowhere else until they are let go."""

    @abstractmethod
    async def _let_go(self, name: str) -> None: ...

    @abstractmethod
    async def _listen(self) -> None:
        """Hear what others say and write, and own what is ours to own."""

    @abstractmethod
    async def _speak(self, words: list[str]) -> None: ...

    def say(self, word: AnyWord) -> None:
        self._words.put_nowait(spoken(word))

    async def _send(self) -> None:
        while True:
            words = [await self._words.get()]
            while not self._words.empty():
                words.append(self._words.get_nowait())
            await self._speak(words)

    @property
    def _hosts(self) -> list[TableHost]:
        return list(self._floor.hosts.values()) if self._floor else []

    async def _keep_up(self) -> None:
        """Read what was written where nobody watches, a little at a time: when somebody asks, it
        is not far."""
        until = monotonic() + A_LITTLE
        behind = [host for host in self._hosts if host.following.behind]
        shuffle(behind)
        for host in behind:
            if monotonic() > until:
                return
            await host.look()

    def _say_who_is_here(self) -> None:
        for host in self._hosts:
            names = host.here()
            if names or len(host.audience):
                self.say(Here(self.me, host.name, names, len(host.audience)))

    async def _told(self, word: AnyWord) -> None:
        assert self._floor
        match word:
            case Wrote():
                for table, version in word.versions.items():
                    await self._floor.wrote(table, version)
            case Hello():
                for host in self._hosts:
                    if host.follows:
                        self.say(host.clocks())
                self._say_who_is_here()
            case Bye():
                for host in self._hosts:
                    host.forget(word.by)
            case Named():
                self._floor.pass_tables(word.guest, word.name)
            case Closed():
                await self._floor.closed(word.table)
            case At():
                if word.table in self._floor.hosts:
                    await self._floor.hosts[word.table].told(word)
