"""The room served by uvicorn. When it is told to stop, browsers hear that it goes away, and what
is being written is finished."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from functools import partial

import uvicorn

from croupier.law.refused import Refused
from croupier.ledger.ledger import POSTGRES
from croupier.ledger.outside import long_run
from croupier.room import logs
from croupier.room.app import create_app
from croupier.room.door.guard import Limits
from croupier.room.floor import Room
from croupier.room.messages import LONGEST
from croupier.room.owners import Lock
from croupier.room.settings import Settings

PATIENCE = 5  # seconds for what is under way when it stops
BACKLOG = 2048  # connections that wait to be taken

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
        super().__init__(
            uvicorn.Config(
                create_app(room, limits=limits),
                host=room.settings.host,
                port=room.settings.port,
                log_config=None,
                ws="websockets-sansio",
                ws_max_size=LONGEST,
                ws_per_message_deflate=False,  # a view is a few kilobytes; a core is dearer
                timeout_graceful_shutdown=PATIENCE,
                server_header=False,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        long_run()
        if self.started:
            self.opened(self.room)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.room.goodbye()
        await super().shutdown(sockets)


def serve(settings: Settings, opened: Opened) -> int:
    """Until it is told to stop; the exit code."""
    logs.write(settings.log_level)
    with listening(settings) as at:
        if settings.processes > 1:
            return _several(settings, opened, at)
        Server(Room(settings), opened).run([at])
    return 0


def _several(settings: Settings, opened: Opened, at: socket.socket) -> int:
    from croupier.room.processes import Processes

    if settings.where.startswith(POSTGRES):
        raise Refused(
            "In PostgreSQL a room has as many processes as are started, each at a port of its own; "
            "--processes is for a SQLite file."
        )
    settings.make_data()
    lock = Lock(settings.file(".lock"))
    try:
        one = partial(one_of_several, settings, opened, at)
        return asyncio.run(Processes(settings.processes, one).run())
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
    try:
        return socket.create_server((settings.host, settings.port), backlog=BACKLOG)
    except OSError as error:
        at = f"{settings.host}:{settings.port}"
        raise Refused(f"Nobody can listen at {at}: {error.strerror or error}.") from None
