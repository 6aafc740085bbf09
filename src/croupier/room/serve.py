"""The room served by uvicorn. When it is told to stop, browsers hear that it goes away, and what
is being written is finished."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from croupier.law.refused import Refused
from croupier.ledger.outside import long_run
from croupier.room import logs
from croupier.room.app import create_app
from croupier.room.door.guard import Limits
from croupier.room.floor import Room
from croupier.room.messages import LONGEST
from croupier.room.settings import Settings

PATIENCE = 5  # seconds for what is under way when it stops


class Server(uvicorn.Server):
    def __init__(
        self,
        room: Room,
        opened: Callable[[Room], None] = lambda room: None,
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


def serve(settings: Settings, opened: Callable[[Room], None]) -> None:
    _free(settings)
    logs.write(settings.log_level)
    Server(Room(settings), opened).run()


def _free(settings: Settings) -> None:
    """Refuse in a sentence what could not be listened at."""
    try:
        with socket.create_server((settings.host, settings.port)):
            pass
    except OSError as error:
        at = f"{settings.host}:{settings.port}"
        raise Refused(f"Nobody can listen at {at}: {error.strerror or error}.") from None
