"""The room served by uvicorn. When it is told to stop, browsers hear that it goes away, and what
is being written is finished."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from functools import partial

import uvicorn
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.outside import long_run
from croupier.room import logs, metrics, tls
from croupier.room.app import create_app
from croupier.room.floor import Room
from croupier.room.limits import Limits
from croupier.room.messages import LONGEST
from croupier.room.owners import Lock
from croupier.room.protocols import HttpProtocol, SocketProtocol, State, TlsAcceptor
from croupier.room.reach import EVERYWHERE
from croupier.room.settings import Settings

PATIENCE = 5  # seconds for what is under way when it stops
BACKLOG = 2048  # connections that wait to be taken
OTHER_FILES = 256  # that a process has open beside its connections

Opened = Callable[[Room], None]


def _quietly(room: Room) -> None:
    pass


class Server(uvicorn.Server):
    def __init__(
        self,
        room: Room,
        opened: Opened = _quietly,
        limits: Limits | None = None,
    ) -> None:
        self.room = room
        self.opened = opened
        limits = limits or Limits()
        settings = room.settings
        super().__init__(
            uvicorn.Config(
                create_app(room, limits=limits),
                host=settings.host,
                port=settings.port,
                log_config=None,
                http=HttpProtocol,
                ws=SocketProtocol,
                ws_max_size=LONGEST,
                ws_per_message_deflate=False,  # a view is a few kilobytes; a core is dearer
                ws_ping_interval=limits.ping_seconds,
                ws_ping_timeout=limits.ping_seconds,
                timeout_keep_alive=limits.keep_alive_seconds,
                timeout_graceful_shutdown=PATIENCE,
                proxy_headers=bool(settings.proxies),
                forwarded_allow_ips=settings.trusted,
                server_header=False,
            )
        )
        most = min(limits.connections, _files() - OTHER_FILES)
        self.state = State(replace(limits, connections=most), settings.trusted)
        self.server_state = self.state
        self.acceptor: TlsAcceptor | None = None
        if settings.tls:
            self.acceptor = TlsAcceptor(self.state, tls.context(settings), self._protocol)

    def _protocol(self) -> HttpProtocol:
        return HttpProtocol(self.config, self.state, self.lifespan.state)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([] if self.acceptor else sockets)
        if self.acceptor:
            for each in sockets or ():
                self.acceptor.start(each)
        long_run()
        if self.started:
            self.opened(self.room)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            self.state.sweep()
            logs.report()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.acceptor:
            self.acceptor.stop()
        await self.room.goodbye()
        await super().shutdown(sockets)


def _files() -> int:
    """How many files this process may have open: as many as the system lets it."""
    try:
        import resource
    except ImportError:  # not on every system
        return sys.maxsize
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard if hard != resource.RLIM_INFINITY else sys.maxsize


def serve(settings: Settings, opened: Opened) -> int:
    """Until it is told to stop; the exit code."""
    settings = settings.checked()
    tls.prepare(settings)
    logs.write(settings.log_level)
    with listening(settings) as at:
        if settings.processes > 1:
            return _several(settings, opened, at)
        with metrics.served(settings.metrics_port):
            Server(Room(settings), opened).run([at])
    return 0


def _several(settings: Settings, opened: Opened, at: socket.socket) -> int:
    from croupier.room.processes import Processes

    settings.make_data()
    lock = Lock(settings.file(".lock"))
    try:
        one = partial(one_of_several, settings, opened, at)
        return asyncio.run(Processes(settings.processes, one, settings.metrics_port).run())
    finally:
        lock.close()


def one_of_several(
    settings: Settings,
    opened: Opened,
    at: socket.socket,
    name: str,
    line: socket.socket,
    first: bool,
) -> None:
    """What each process does."""
    from croupier.room.neighbours import Neighbours

    logs.write(settings.log_level)
    try:
        room = Room(settings, Neighbours(name, line, settings.file(".neighbours")))
        Server(room, opened if first else _quietly).run([at])
    except Refused as refused:
        print(f"Refused: {refused}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:  # the terminal says it to every process
        sys.exit(1)


def listening(settings: Settings) -> socket.socket:
    """Refuse in a sentence what cannot be listened at."""
    six = ":" in settings.host
    both = six and settings.host in EVERYWHERE and socket.has_dualstack_ipv6()
    try:
        return socket.create_server(
            (settings.host, settings.port),
            family=socket.AF_INET6 if six else socket.AF_INET,
            backlog=BACKLOG,
            dualstack_ipv6=both,
        )
    except OSError as error:
        at = f"{settings.host}:{settings.port}"
        raise Refused(f"Nobody can listen at {at}: {error.strerror or error}.") from None
