"""How the room is: whether the process answers, and whether it can do its work.

``/health/live`` answers as long as the process does. ``/health/ready`` answers 503 while the store
cannot be used. ``/health`` tells both, and always answers 200.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.law.refused import Refused
from croupier.ledger.ledger import POSTGRES
from croupier.room.api.answers import answer
from croupier.room.floor import Room
from croupier.room.outage import PROBE_READ, Outage

FRESH = 1.0  # seconds for which one look at the store answers everybody
PATIENCE = 2.0  # seconds for the store to answer
AWAY = "The room cannot reach its store."


class Readiness:
    """Whether the store answers. However many ask, it is looked at once a second, by one thread:
    the event loop does not wait, and a store that hangs holds no second thread."""

    def __init__(
        self,
        look: Callable[[], object],
        outage: Outage,
        *,
        clock: Callable[[], float] = monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self._look = look
        self._outage = outage
        self._clock = clock
        self._patience = patience
        self._answers = False
        self._until: float | None = None  # when the last look is too old
        self._looking: asyncio.Future[bool] | None = None

    async def ready(self) -> bool:
        """The store answers a read, and no write failed lately."""
        return self._outage.over and await self._store_answers() and self._outage.over

    async def _store_answers(self) -> bool:
        if self._until is not None and self._clock() < self._until:
            return self._answers
        if self._looking is None:
            self._looking = asyncio.ensure_future(asyncio.to_thread(self._looked))
            self._looking.add_done_callback(self._note)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(self._looking)
        return False

    def _looked(self) -> bool:
        try:
            self._look()
        except (Refused, OSError):
            return False
        return True

    def _note(self, looking: asyncio.Future[bool]) -> None:
        self._looking = None
        self._answers = not looking.cancelled() and looking.exception() is None and looking.result()
        self._until = self._clock() + FRESH


def _look_at(room: Room) -> Callable[[], object]:
    """Read from the store. A SQLite file that was removed or replaced is still open here, but what
    is written to it is lost."""
    in_file = not room.settings.where.startswith(POSTGRES)
    path = room.settings.file("")
    opened = path.stat().st_ino if in_file else 0

    def look() -> None:
        if in_file and path.stat().st_ino != opened:
            raise Refused("Another file is where the store was.")
        room.register.look(PROBE_READ)

    return look


def routes(room: Room) -> list[Route]:
    readiness = Readiness(_look_at(room), room.outage)

    async def live(request: Request) -> Response:
        return answer({"live": True})

    async def ready(request: Request) -> Response:
        if await readiness.ready():
            return answer({"ready": True})
        return answer({"ready": False, "sentence": AWAY}, 503)

    async def health(request: Request) -> Response:
        """Of the process that answers: its name, the tables there are, and those it deals at."""
        now = await readiness.ready()
        dealt = sum(host.owned for host in room.hosts.values())
        told = {"live": True, "ready": now, "well": now, "process": room.owners.me}
        return answer({**told, "tables": len(room.hosts), "deals": dealt})

    return [
        Route("/health", health),
        Route("/health/live", live),
        Route("/health/ready", ready),
    ]
