"""The socket: who is at the other end, what they say, and what they are told, in order.

Whatever cannot be understood gets one sentence and harms nothing; ten in a minute end it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import random
from time import monotonic

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from croupier.law.refused import Refused
from croupier.ledger.store import StoreTrouble
from croupier.room import messages as m
from croupier.room import metrics
from croupier.room.door.guard import address, note
from croupier.room.door.roles import Role, may
from croupier.room.door.sessions import Session
from croupier.room.floor import Room
from croupier.room.hosts import TableHost
from croupier.room.troubles import plain

HELLO_SECONDS = 5
MOST_WRONG, WITHIN = 10, 60.0  # misunderstandings, in so many seconds
MOST_WAITING = 2_000  # messages for a client that does not read
CHECK_SECONDS = 10  # whether the session still lives
GOING_AWAY, POLICY, FAILED, TRY_LATER = 1001, 1008, 1011, 1013


def endpoint(room: Room) -> Callable[[WebSocket], Awaitable[None]]:
    async def serve(socket: WebSocket) -> None:
        if m.SUBPROTOCOL not in socket.scope.get("subprotocols", ()):
            await socket.close(POLICY, f"Speak {m.SUBPROTOCOL}.")
            return
        await socket.accept(subprotocol=m.SUBPROTOCOL)
        with metrics.sockets.track_inprogress(), suppress(WebSocketDisconnect):
            if session := await _hello(room, socket):
                await Connection(room, socket, session).serve()

    return serve


async def _hello(room: Room, socket: WebSocket) -> Session | None:
    """Who this is; nobody, and the socket is closed."""
    session = None
    sentence = "Say hello with a ticket first."
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            said = m.understood(await _frame(socket))
        if isinstance(said, m.Hello):
            session = await room.redeem(said.ticket)
            if session is None:
                note("hello", "NO_TICKET", None, address(socket.scope))
            sentence = "This ticket opens nothing: get another."
    except (Refused, TimeoutError):
        pass
    if session is None:
        with suppress(RuntimeError):
            await socket.send_text(m.encoded(m.Error(sentence)).decode())
            await socket.close(POLICY, sentence)
    return session


async def _frame(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    if message.get("text") is None:
        raise Refused("Messages are text.")
    return str(message["text"])


class Connection:
    """One browser, welcomed."""

    def __init__(self, room: Room, socket: WebSocket, session: Session) -> None:
        self.room = room
        self.socket = socket
        self.session = session
        self._watched: set[TableHost] = set()
        self._waiting: asyncio.Queue[m.Told | int] = asyncio.Queue()  # a number closes
        self._reason = ""  # why the socket is closed
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)
        self._acted = False

    @property
    def name(self) -> str:
        return self.session.name

    @property
    def _address(self) -> str:
        return address(self.socket.scope)

    @property
    def role(self) -> Role:
        return self.session.role

    # --- telling --------------------------------------------------------------------------------

    def tell(self, message: m.Told) -> None:
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)
        else:
            self._close(TRY_LATER)

    def _close(self, code: int) -> None:
        """After this nothing is told; whoever comes back is told what was missed."""
        self._leave()
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(code)

    def drop(self, sentence: str) -> None:
        self._reason = sentence
        self._close(FAILED)

    async def goodbye(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            if self.socket.application_state is WebSocketState.CONNECTED:
                await self.socket.close(GOING_AWAY)

    async def _send(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # the other end has gone
            while not isinstance(message := await self._waiting.get(), int):
                await self.socket.send_text(m.encoded(message).decode())
            await self.socket.close(message, self._reason)

    async def _check(self) -> None:
        """A page that lies open is idle; only who does something stays."""
        while await self.room.lives(self.session, acted=self._acted):
            self._acted = False
            await asyncio.sleep(CHECK_SECONDS * (0.5 + random()))  # not all at once
        self._close(POLICY)

    # --- hearing --------------------------------------------------------------------------------

    async def serve(self) -> None:
        self.tell(m.Welcome(self.name, str(self.role)))
        self.room.connections.add(self)
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._check())]
        try:
            while True:
                frame = ""
                try:
                    frame = await _frame(self.socket)
                    await self._hear(m.understood(frame))
                except StoreTrouble as trouble:  # ours, not the client's
                    self.tell(m.Error(trouble.sentence, m.id_of(frame)))
                except Refused as wrong:
                    self._misunderstood(plain(wrong).sentence, m.id_of(frame))
        finally:
            self.room.connections.discard(self)
            self._leave()
            for task in tasks:
                task.cancel()

    def _leave(self) -> None:
        for host in self._watched:
            host.unwatch(self)
        self._watched.clear()

    def _misunderstood(self, sentence: str, said: str | None) -> None:
        metrics.misunderstood.inc()
        self.tell(m.Error(sentence, said))
        self._wrong.append(monotonic())
        if len(self._wrong) == MOST_WRONG and self._wrong[-1] - self._wrong[0] < WITHIN:
            self._close(POLICY)

    async def _hear(self, said: m.AnySaid) -> None:
        kind = type(said).__name__.lower()
        if not may(self.role, kind):
            note(kind, "NOT_THIS_ROLE", self.session, self._address)
            raise Refused(f"To {kind} is not for the {self.role}.")
        match said:
            case m.Hello():
                raise Refused("You have said hello already.")
            case m.Ping():
                self.tell(m.Pong(said.n))
                return
        host = self.room.host(said.table)
        self._acted |= isinstance(said, m.Command | m.Ready)
        match said:
            case m.Watch():
                self._watched.add(host)
                host.watch(self, said.after)
            case m.Unwatch():
                self._watched.discard(host)
                host.unwatch(self)
            case m.Command():
                answer = await self.room.outage.perform(
                    host, said.do, said.id, self.name, self.role
                )
                refused = answer.refused if isinstance(answer, m.Answer) else None
                if refused and refused.code == "NOT_THIS_ROLE":
                    note(str(said.do.get("name")), "NOT_THIS_ROLE", self.session, self._address)
                self.tell(answer)
            case m.Preview():
                self.tell(host.preview(said.do, said.id, self.name, self.role))
            case m.Ready():
                host.ready(self.name)
            case m.Pause():
                await host.pause(f"{self.role} {self.name}", said.at)
            case m.Resume():
                await host.resume(f"{self.role} {self.name}")
            case m.Act():
                self.tell(await host.act_for(said.seat, said.id, f"{self.role} {self.name}"))
