"""The WebSocket: who is at the other end, what they say, and what they are told, in order.

A message that cannot be understood, or that fails, is answered with one sentence and harms nothing
else. Ten of these in a minute close the socket. docs/LIMITS.md lists the other limits.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import random
from time import monotonic

from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.law.refused import Refused
from croupier.ledger.store import StoreTrouble
from croupier.room import messages as m
from croupier.room import metrics
from croupier.room.connections import BROKEN, POLICY, TRY_LATER
from croupier.room.door.guard import address, note
from croupier.room.door.roles import Role, may
from croupier.room.door.sessions import Session
from croupier.room.floor import Room
from croupier.room.hosts import TableHost
from croupier.room.limits import COSTS, Limits
from croupier.room.public import BROKEN as BROKEN_SENTENCE
from croupier.room.public import sentence_of
from croupier.room.troubles import plain

MOST_WRONG, WITHIN = 10, 60.0  # misunderstandings, in so many seconds
CHECK_SECONDS = 10  # whether the session still lives
LONGEST_REASON = 120  # bytes; a close frame holds 123

log = logging.getLogger("croupier.room.socket")


def endpoint(room: Room) -> Callable[[WebSocket], Awaitable[None]]:
    async def serve(socket: WebSocket) -> None:
        if m.SUBPROTOCOL not in socket.scope.get("subprotocols", ()):
            await socket.close(POLICY, f"Speak {m.SUBPROTOCOL}.")
            return
        await socket.accept(subprotocol=m.SUBPROTOCOL)
        with metrics.sockets.track_inprogress(), suppress(WebSocketDisconnect):
            await _serve(room, socket)

    return serve


async def _serve(room: Room, socket: WebSocket) -> None:
    try:
        with room.connections.opening(address(socket.scope)):
            if session := await _hello(room, socket):
                await Connection(room, socket, session).serve()
    except Refused as full:
        note("SOCKET", "TOO_MANY_SOCKETS", None, address(socket.scope))
        await _turn_away(socket, full.sentence, TRY_LATER)


async def _hello(room: Room, socket: WebSocket) -> Session | None:
    """Who this is; nobody, and the socket is closed."""
    session = None
    sentence = "Say hello with a ticket first."
    try:
        async with asyncio.timeout(room.connections.limits.hello_seconds):
            said = m.understood(await _frame(socket))
        if isinstance(said, m.Hello):
            session = await room.redeem(said.ticket)
            if session is None:
                note("hello", "NO_TICKET", None, address(socket.scope))
            sentence = "This ticket opens nothing: get another."
    except (Refused, TimeoutError):
        pass
    except WebSocketDisconnect:
        raise
    except Exception:  # such as a database that does not answer
        log.exception("hello failed")
        sentence = BROKEN_SENTENCE
    if session is None:
        await _turn_away(socket, sentence, POLICY)
    return session


async def _turn_away(socket: WebSocket, sentence: str, code: int) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(m.encoded(m.Error(sentence)).decode())
        await socket.close(code, _reason(sentence))


def _reason(sentence: str) -> str:
    return sentence.encode()[:LONGEST_REASON].decode(errors="ignore")


async def _frame(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    if message.get("text") is None:
        raise Refused("Messages are text.")
    return str(message["text"])


class Connection:
    """One browser after its hello."""

    def __init__(self, room: Room, socket: WebSocket, session: Session) -> None:
        self.room = room
        self.socket = socket
        self.session = session
        self.queued = 0  # bytes in ``_waiting``
        self._told = 0  # messages
        self._waiting: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._ending: tuple[int, str] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._watched: set[TableHost] = set()
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)
        self._delayed = 0.0  # seconds of delay without a pause
        self._acted = False

    @property
    def name(self) -> str:
        return self.session.name

    @property
    def role(self) -> Role:
        return self.session.role

    @property
    def _staff(self) -> bool:
        return self.role is not Role.PLAYER

    @property
    def _limits(self) -> Limits:
        return self.room.connections.limits

    @property
    def _address(self) -> str:
        return address(self.socket.scope)

    # --- telling --------------------------------------------------------------------------------

    def tell(self, message: m.Told) -> None:
        """Never raises: a message that cannot be encoded ends this connection and no other."""
        if self._ending:
            return
        try:
            frame = m.encoded(message)
        except Exception:
            log.exception("a message for %s cannot be encoded", self.name)
            self.close(BROKEN, BROKEN_SENTENCE)
            return
        self._told += 1
        self._waiting.append(frame)
        self._news.set()
        self._count(len(frame))
        if self.queued > self._limits.queued_socket:
            self.close(TRY_LATER, "This connection does not read what it is sent.")

    def _count(self, change: int) -> None:
        self.queued += change
        self.room.connections.queue(change)

    def close(self, code: int, sentence: str) -> None:
        """Nothing is told from now on. A client that comes back is told what it missed."""
        if self._ending:
            return
        self._ending = (code, sentence)
        self._leave()
        self._waiting.clear()
        self._count(-self.queued)
        self._news.set()

    async def closed(self) -> None:
        """Once the close frame is handed over, or the client is gone."""
        if self._sender:
            await asyncio.wait([self._sender])

    async def _send(self) -> None:
        with suppress(RuntimeError, WebSocketDisconnect, OSError):  # the other end has gone
            while not self._ending or self._waiting:
                self._news.clear()
                while self._waiting:
                    frame = self._waiting.popleft()
                    self._count(-len(frame))
                    await self.socket.send_text(frame.decode())
                if not self._ending:
                    await self._news.wait()
            code, sentence = self._ending
            await self.socket.close(code, _reason(sentence))

    async def _check(self) -> None:
        """Close when the session has ended, here or in another process. Only commands keep a
        session from going idle; an open page does not."""
        while await self._lives():
            await asyncio.sleep(CHECK_SECONDS * (0.5 + random()))  # not all at once
        self.close(POLICY, "The session has ended.")

    async def _lives(self) -> bool:
        acted, self._acted = self._acted, False
        try:
            return await self.room.lives(self.session, acted=acted)
        except Exception as trouble:  # a database that does not answer ends no session
            log.warning("a session cannot be read: %s", type(trouble).__name__)
            return True

    # --- hearing --------------------------------------------------------------------------------

    async def serve(self) -> None:
        self.room.connections.add(self)
        self.tell(m.Welcome(self.name, str(self.role)))
        self._sender = asyncio.create_task(self._send())
        check = asyncio.create_task(self._check())
        try:
            while True:
                await self._next()
                await asyncio.sleep(0)  # others take their turn, however much is waiting here
        finally:
            self.room.connections.discard(self)
            self._leave()
            self._sender.cancel()
            check.cancel()
            self._count(-self.queued)

    async def _next(self) -> None:
        """Take one message, whatever comes of it."""
        frame = ""
        try:
            frame = await _frame(self.socket)
            if self._ending:  # read no more than the end of the connection
                await self.closed()
                return
            said = m.understood(frame)
            await self._pace(COSTS.get(_kind(said), 1))
            if not self._ending:
                await self._hear(said)
        except StoreTrouble as trouble:  # ours, not the client's
            self.tell(m.Error(trouble.sentence, m.id_of(frame)))
        except Refused as wrong:
            self._misunderstood(sentence_of(plain(wrong)), m.id_of(frame))
        except WebSocketDisconnect:
            raise
        except Exception:
            log.exception("a message failed")
            self._misunderstood(BROKEN_SENTENCE, m.id_of(frame))

    async def _pace(self, cost: float) -> None:
        """Wait where the session sends faster than it may: what is not read yet stays with the
        client. Nothing is lost; who never pauses is closed."""
        wait = self.room.connections.charge(self.session, cost, staff=self._staff)
        if not wait:
            self._delayed = 0.0
            return
        metrics.delayed.inc()
        self._delayed += wait
        if self._delayed > self._limits.delayed_seconds:
            note("SOCKET", "TOO_MANY_MESSAGES", self.session, self._address)
            self.close(POLICY, "Too many messages for too long: slow down.")
        else:
            await asyncio.sleep(wait)

    def _leave(self) -> None:
        for host in self._watched:
            host.unwatch(self)
        self._watched.clear()

    def _misunderstood(self, sentence: str, said: str | None) -> None:
        metrics.misunderstood.inc()
        self.tell(m.Error(sentence, said))
        self._wrong.append(monotonic())
        if len(self._wrong) == MOST_WRONG and self._wrong[-1] - self._wrong[0] < WITHIN:
            self.close(POLICY, "Too many messages that cannot be understood.")

    async def _hear(self, said: m.AnySaid) -> None:
        kind = _kind(said)
        if not may(self.role, kind):
            note(kind, "NOT_THIS_ROLE", self.session, self._address)
            raise Refused(f"To {kind} is not for the {self.role}.")
        match said:
            case m.Hello():
                raise Refused("You have said hello already.")
            case m.Ping():
                self.tell(m.Pong(said.n))
                return
        host = await self.room.current(said.table)
        self._acted |= isinstance(said, m.Command | m.Ready)
        match said:
            case m.Watch():
                self._watch(host, said.after)
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

    def _watch(self, host: TableHost, after: int | None) -> None:
        """A session that was told much again gets the current state instead, which is cheap."""
        most = self._limits.watched(self._staff)
        if host not in self._watched and len(self._watched) >= most:
            raise Refused(f"A connection watches at most {most} tables.")
        self._watched.add(host)
        before = self._told
        may_replay = self.room.connections.may_replay(self.session)
        host.watch(self, after if may_replay else None)
        if (moments := self._told - before) > 1:
            self.room.connections.replayed(self.session, moments)


def _kind(said: m.AnySaid) -> str:
    return type(said).__name__.lower()
