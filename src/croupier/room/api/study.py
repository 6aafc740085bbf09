"""The study, where one thing is worked out at a time, so that the tables have the other core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from croupier.law.refused import Refused

Made = TypeVar("Made")


class Study:
    def __init__(self) -> None:
        self._one = asyncio.Semaphore(1)
        self._newest: dict[str, object] = {}

    async def work(self, make: Callable[[], Made]) -> Made:
        async with self._one:
            return await _apart(make)

    async def newest(self, who: str, make: Callable[[], Made]) -> Made:
        """The same for those who ask again and again: of what waits, the last is worked out."""
        question = self._newest[who] = object()
        try:
            async with self._one:
                if self._newest[who] is not question:
                    sentence = "A newer question has taken the place of this one."
                    raise Refused(sentence, code="SUPERSEDED")
                return await _apart(make)
        finally:
            if self._newest.get(who) is question:
                del self._newest[who]


async def _apart(make: Callable[[], Made]) -> Made:
    """In a thread of its own that nobody waits for when the room closes."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Made] = loop.create_future()

    def tell(how: Callable[..., None], what: object) -> None:
        if not found.done():  # else whoever asked has gone
            how(what)

    def run() -> None:
        try:
            told = found.set_result, make()
        except Exception as wrong:
            told = found.set_exception, wrong  # type: ignore[assignment]
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, *told)

    Thread(target=run, name="study", daemon=True).start()
    return await found
