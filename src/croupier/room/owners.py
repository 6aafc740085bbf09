"""Who deals at which table. Any process of a room lets players act at any table; the one that owns
it deals there and runs its clocks. A process that is alone owns every table."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakValueDictionary

from croupier.law.refused import Refused
from croupier.ledger.outside import make_private
from croupier.room.hosts import TableHost
from croupier.room.words import AnyWord


class Floor(Protocol):
    """What is owned."""

    @property
    def hosts(self) -> dict[str, TableHost]: ...

    def wrote(self, table: str, version: int) -> Coroutine[Any, Any, None]:
        """Somebody has written so far."""

    def closed(self, table: str) -> Coroutine[Any, Any, None]:
        """Another process closed a table."""

    def pass_tables(self, guest: str, name: str) -> None:
        """The tables of a guest are this player's."""

    def catch_up(self) -> Coroutine[Any, Any, None]:
        """Others may have written anything."""


class Alone:
    me = "alone"

    def __init__(self) -> None:
        self._counting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextmanager
    def opening(self) -> Iterator[None]:
        """While the room is opened: one process at a time."""
        yield

    def start(self, floor: Floor) -> None:
        pass

    async def stop(self) -> None:
        pass

    def hosted(self, host: TableHost) -> None:
        """There is a new table."""
        host.own(True)

    def unhosted(self, host: TableHost) -> None:
        """A table was closed."""

    def say(self, word: AnyWord) -> None:
        """Tell the other processes."""

    def wrote(self, table: str, version: int) -> None:
        """Tell them that this one wrote so far."""

    @asynccontextmanager
    async def spending(self, name: str) -> AsyncIterator[None]:
        """One task at a time among all processes, for each name: while a player's chips are
        counted and spent, or a table is opened."""
        async with self._counting.setdefault(name, asyncio.Lock()):
            yield


class Lock:
    """A file in SQLite is for one room. It is let go when that ends, however it ends."""

    def __init__(self, path: Path) -> None:
        try:
            make_private(path)
            self._held = sqlite3.connect(
                path, timeout=0, isolation_level=None, check_same_thread=False
            )
            self._held.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Refused("Another process serves this room.") from None
            raise Refused(f"{path} cannot be opened: {error}.") from None
        except OSError as error:
            raise Refused(f"{path} cannot be opened: {error.strerror or error}.") from None

    def close(self) -> None:
        self._held.close()
