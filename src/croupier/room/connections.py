"""The WebSockets that are open in this process: counted, found by session or name, and closed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from croupier.law.refused import Refused
from croupier.room.door.buckets import Buckets
from croupier.room.door.sessions import Session
from croupier.room.limits import Limits

GOING_AWAY, POLICY, BROKEN, TRY_LATER = 1001, 1008, 1011, 1013
GOODBYE_SECONDS = 2.0  # for clients to take the close frame when the room closes


class Open(Protocol):
    """One WebSocket after its hello."""

    @property
    def session(self) -> Session: ...

    @property
    def queued(self) -> int: ...

    def close(self, code: int, sentence: str) -> None: ...

    async def closed(self) -> None: ...


class Connections:
    def __init__(self, limits: Limits | None = None) -> None:
        self.set_limits(limits or Limits())
        self.queued = 0  # bytes that wait for clients
        self._open: dict[str, set[Open]] = {}  # by session
        self._addresses: Counter[str] = Counter()  # sockets, with or without a hello

    def set_limits(self, limits: Limits) -> None:
        self.limits = limits
        self._messages = {staff: Buckets(limits.messages(staff)) for staff in (False, True)}
        self._replays = Buckets(limits.replays)

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def __iter__(self) -> Iterator[Open]:
        return (each for found in tuple(self._open.values()) for each in tuple(found))

    # --- counting -------------------------------------------------------------------------------

    @contextmanager
    def opening(self, address: str) -> Iterator[None]:
        """A socket from this address, from before its hello until it is closed."""
        if self._addresses.total() >= self.limits.sockets:
            raise Refused("The room has as many connections as it can serve: try again later.")
        if self._addresses[address] >= self.limits.sockets_address:
            raise Refused("Too many connections from this address: close one first.")
        self._addresses[address] += 1
        try:
            yield
        finally:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def add(self, connection: Open) -> None:
        found = self._open.setdefault(connection.session.id, set())
        if len(found) >= self.limits.sockets_session:
            raise Refused("Too many connections of this session: close a tab first.")
        found.add(connection)

    def discard(self, connection: Open) -> None:
        id = connection.session.id
        if id in self._open:
            self._open[id].discard(connection)
            if not self._open[id]:
                del self._open[id]

    def charge(self, session: Session, cost: float, *, staff: bool) -> float:
        """Take the price of a message; the seconds its session has to wait."""
        return self._messages[staff].charge(session.id, cost)

    def may_replay(self, session: Session) -> bool:
        return not self._replays.charge(session.id, 0)

    def replayed(self, session: Session, moments: int) -> None:
        self._replays.charge(session.id, moments)

    def queue(self, change: int) -> None:
        """So many bytes more, or fewer, wait for clients. Above the limit of the room, the client
        with the most is closed."""
        self.queued += change
        while self.queued > self.limits.queued_room:
            slowest = max(self, key=lambda each: each.queued, default=None)
            if slowest is None or not slowest.queued:
                return
            slowest.close(TRY_LATER, "This connection does not read what it is sent.")

    # --- finding and closing --------------------------------------------------------------------

    def of_session(self, id: str) -> tuple[Open, ...]:
        return tuple(self._open.get(id, ()))

    def of_name(self, name: str) -> tuple[Open, ...]:
        return tuple(each for each in self if each.session.name == name)

    def close_session(self, id: str, sentence: str = "The session has ended.") -> None:
        """Close the sockets of a session that has ended. Call it on the event loop."""
        self.close(self.of_session(id), sentence)

    def close_name(self, name: str, sentence: str = "The session has ended.") -> None:
        """Close every socket of a person. Call it on the event loop."""
        self.close(self.of_name(name), sentence)

    def close(self, connections: tuple[Open, ...], sentence: str) -> None:
        for each in connections:
            each.close(POLICY, sentence)

    async def goodbye(self) -> None:
        """The room closes. A client that does not read is not waited for."""
        leaving = tuple(self)
        for each in leaving:
            each.close(GOING_AWAY, "The room closes.")
        if leaving:
            waits = [asyncio.ensure_future(each.closed()) for each in leaving]
            await asyncio.wait(waits, timeout=GOODBYE_SECONDS)
            for each_wait in waits:
                each_wait.cancel()
