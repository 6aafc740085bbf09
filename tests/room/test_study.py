"""The study: one thing at a time, the newest question of each, and nobody waits for it to close."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from threading import Event

import pytest

from croupier.law.refused import Refused
from croupier.room.api.study import Study


def test_one_thing_is_worked_out_at_a_time() -> None:
    at_once: list[int] = []
    working = 0

    def work() -> None:
        nonlocal working
        working += 1
        at_once.append(working)
        time.sleep(0.02)
        working -= 1

    async def all_of_them() -> None:
        study = Study()
        await asyncio.gather(*(study.work(work) for _ in range(5)))

    asyncio.run(all_of_them())
    assert at_once == [1] * 5


def test_of_what_waits_only_the_newest_of_each_is_worked_out() -> None:
    done: list[str] = []
    busy = Event()

    def note(what: str) -> bool:
        done.append(what)
        return True

    async def ask() -> list[bool | BaseException]:
        study = Study()
        asked = [asyncio.create_task(study.work(busy.wait))]
        for who, what in (("a", "a1"), ("a", "a2"), ("b", "b1"), ("a", "a3")):
            await asyncio.sleep(0)
            asked.append(asyncio.create_task(study.newest(who, partial(note, what))))
        await asyncio.sleep(0)
        busy.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    found = asyncio.run(ask())
    assert done == ["b1", "a3"]
    assert [isinstance(each, Refused) for each in found] == [False, True, True, False, False]


def test_what_goes_wrong_is_told_to_whoever_asked() -> None:
    def refuse() -> None:
        raise Refused("It has no price.")

    with pytest.raises(Refused, match="no price"):
        asyncio.run(Study().work(refuse))


def test_nobody_waits_for_it_when_the_room_closes() -> None:
    never = Event()

    async def give_up() -> None:
        await asyncio.wait_for(Study().work(never.wait), 0.05)

    started = time.perf_counter()
    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert time.perf_counter() - started < 5
    never.set()
