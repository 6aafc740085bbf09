"""The server's connections: how many there may be, and how long each may take.

uvicorn closes idle keep-alive connections and drops WebSockets that do not answer pings. It does
not limit connections, half-sent requests, clients that do not read, or WebSocket control frames;
the protocols here add that.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable, Collection
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Any, cast

import h11
from uvicorn._types import ASGIReceiveEvent
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame

from croupier.room.door.buckets import Buckets
from croupier.room.door.guard import counted
from croupier.room.limits import Limits

PIECE = 1024  # bytes of WebSocket frames that are parsed in one step
CLOSING_SECONDS = 5.0  # for what is still to be sent when a connection is closed
POLICY = 1008


class Line:
    """What is watched of every connection, whatever it speaks."""

    state: State
    transport: asyncio.Transport
    unwritable_since: float | None = None
    closing_since: float | None = None

    def expired(self, now: float) -> bool:
        """Whether this connection must be cut."""
        if self.transport.is_closing():
            self.closing_since = self.closing_since or now
            return now - self.closing_since >= CLOSING_SECONDS
        stalled = self.unwritable_since is not None
        return stalled and now - (self.unwritable_since or now) >= self.state.limits.stalled_seconds

    def hurry(self, now: float) -> None:
        """Close what waits for the client for too long."""


class State(ServerState):
    """What all connections of one server share."""

    def __init__(
        self,
        limits: Limits,
        proxies: Collection[str] = (),
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__()
        self.limits = limits
        self.tls = tls
        self.clock = clock
        self.control = Buckets(limits.control_frames, clock)
        self._proxies = [ip_network(each, strict=False) for each in proxies]
        self._open: dict[asyncio.Transport, tuple[str, Line]] = {}
        self._addresses: Counter[str] = Counter()

    def admit(self, transport: asyncio.Transport, line: Line) -> bool:
        """Count a new connection; False where there are too many."""
        client = get_remote_addr(transport)
        address = counted(client[0]) if client else ""
        full = len(self._open) >= self.limits.connections
        if full or self._addresses[address] >= self._most(client[0] if client else ""):
            return False
        self._addresses[address] += 1
        self._open[transport] = (address, line)
        return True

    def _most(self, host: str) -> int:
        """Everybody behind a proxy has its address."""
        try:
            found = ip_address(host)
        except ValueError:
            return self.limits.connections
        if any(found in network for network in self._proxies):
            return self.limits.connections
        return self.limits.connections_address

    def replace(self, transport: asyncio.Transport, new: asyncio.Transport, line: Line) -> None:
        """The same connection speaks another protocol from now on."""
        if transport in self._open:
            address, _ = self._open.pop(transport)
            self._open[new] = (address, line)

    def release(self, transport: asyncio.Transport) -> None:
        address, _ = self._open.pop(transport, ("", None))
        if address:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def sweep(self) -> None:
        """Once a second: cut what is stuck, close what waits for too long."""
        now = self.clock()
        for transport, (_, line) in tuple(self._open.items()):
            if line.expired(now):
                transport.abort()
            elif not line.transport.is_closing():
                line.hurry(now)

    def abort_handshakes(self) -> None:
        for transport, (_, line) in tuple(self._open.items()):
            if isinstance(line, TlsFront):
                transport.abort()


def plain_answer(status: str, sentence: str) -> bytes:
    body = sentence.encode()
    head = f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8"
    return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class HttpProtocol(Line, H11Protocol):
    """HTTP/1.1 with a limit on connections and on the time that headers take."""

    def __init__(
        self,
        config: Config,
        server_state: State,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.state = server_state
        self._waiting_since: float | None = None  # for headers
        self._heard = False  # anything of the headers that are waited for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if not self.state.admit(transport, self):
            transport.write(plain_answer("503 Service Unavailable", "Too many connections."))
            transport.abort() if transport.get_extra_info("sslcontext") else transport.close()
            self.transport = transport
            return
        self.take(transport)

    def take(self, transport: asyncio.Transport) -> None:
        """A connection that is counted already."""
        super().connection_made(transport)
        self._waiting_since = self.state.clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self.state.release(self.transport)
        if self.flow is not None:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.flow is None or self.transport.is_closing():  # refused, or given up
            return
        self._heard = True
        if self._waiting_since is None and not self._answering:
            self._waiting_since = self.state.clock()
        super().data_received(data)
        if self._answering:
            self._waiting_since, self._heard = None, False

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def hurry(self, now: float) -> None:
        if self._waiting_since is None:
            return
        if now - self._waiting_since < self.state.limits.header_seconds:
            return
        if self._heard:
            sentence = "The request took too long to arrive."
            self.transport.write(plain_answer("408 Request Timeout", sentence))
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unwritable_since = self.state.clock()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.unwritable_since = None

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # the answer to this request has begun already
            self.transport.close()

    def _should_upgrade(self) -> bool:
        return self.scope["method"] == "GET" and super()._should_upgrade()


class SocketProtocol(Line, WebSocketsSansIOProtocol):
    """A WebSocket that is parsed in small steps, only as fast as the application takes messages."""

    def __init__(
        self,
        config: Config,
        server_state: State,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.state = server_state
        self.close_timeout = CLOSING_SECONDS
        self._unparsed = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.state.replace(self.transport, self.transport, self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.state.release(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()

    def _parse(self) -> None:
        """Until there is a message for the application; it asks for more when it has taken it."""
        while self._unparsed and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self._unparsed[:PIECE])
            del self._unparsed[:PIECE]
            super().data_received(piece)
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self._refuse_handshake()

    async def receive(self) -> ASGIReceiveEvent:
        message = await super().receive()
        self._parse()
        return message

    def handle_ping(self) -> None:
        self._count_control_frame()
        if self.writable.is_set():
            super().handle_ping()
        else:  # the client does not read: pongs would pile up
            self.conn.data_to_send()

    def handle_pong(self, event: Frame) -> None:
        self._count_control_frame()
        super().handle_pong(event)

    def _count_control_frame(self) -> None:
        if self.state.control.charge(str(id(self)), 1):
            self._refuse("Too many pings.")

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= self.state.limits.fragments:
            self._refuse("A message has too many fragments.")
        else:
            super().handle_cont(event)

    def _refuse(self, sentence: str) -> None:
        if self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY})
        self.conn.fail(POLICY, sentence)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()

    def _refuse_handshake(self) -> None:
        """websockets is stricter about headers than h11, which has read this request already."""
        self.close_sent = True
        self.transport.write(plain_answer("400 Bad Request", "Invalid HTTP request received."))
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unwritable_since = self.state.clock()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.unwritable_since = None


class TlsFront(Line, asyncio.Protocol):
    """Counts a connection before its TLS handshake, and limits the time that takes."""

    def __init__(
        self,
        config: Config,
        server_state: State,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.state = server_state
        self._loop = _loop or asyncio.get_running_loop()
        self._http = HttpProtocol(config, server_state, app_state, _loop)
        self._early = bytearray()  # of the request, before the handshake is seen to be over
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if not self.state.admit(self.transport, self):
            self.transport.abort()
            return
        self.transport.pause_reading()
        self._task = self._loop.create_task(self._handshake())

    async def _handshake(self) -> None:
        assert self.state.tls
        raw = self.transport
        try:
            secured = await self._loop.start_tls(
                raw,
                self,
                self.state.tls,
                server_side=True,
                ssl_handshake_timeout=self.state.limits.header_seconds,
            )
        except (OSError, asyncio.CancelledError):
            secured = None
        if secured is None or secured.is_closing():
            self.state.release(raw)
            raw.abort()
            return
        self.state.replace(raw, secured, self._http)
        self._http.take(secured)
        secured.set_protocol(self._http)
        if self._early:
            self._http.data_received(bytes(self._early))

    def data_received(self, data: bytes) -> None:
        self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.state.release(self.transport)
