"""Busy processes write to one SQLite file in turn."""

from __future__ import annotations

import asyncio
import fcntl
import multiprocessing
import os
import random
from pathlib import Path
from threading import Thread

from croupier.games.registry import RULEBOOKS
from croupier.ledger.audit import audit
from croupier.ledger.crowd import Crowd
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger

PROCESSES, TABLES, COMMANDS = 3, 4, 150


def test_who_comes_second_waits_for_his_turn(tmp_path: Path) -> None:
    ledger = Ledger.at(tmp_path / "ledger.db", queue=True)
    held = os.open(tmp_path / "ledger.db.queue", os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX)
    opening = Thread(
        target=Keeper.open, args=(ledger, "t", {"rulebook": RULEBOOKS[0]}, 1_000_00), daemon=True
    )
    opening.start()
    opening.join(0.3)
    assert opening.is_alive()
    assert ledger.store.tables() == [], "whoever reads need not wait"
    os.close(held)  # as when its process dies
    opening.join(10)
    assert ledger.store.tables() == ["t"]
    ledger.close()


def play(path: Path, first: int) -> None:
    """Some tables at full speed."""

    async def one(keeper: Keeper) -> None:
        crowd = Crowd(lambda: keeper.kept, random.Random(keeper.name), unruly=0)
        for number in range(COMMANDS):
            assert not (await keeper.perform(crowd.next(), f"c{number}")).refused

    async def all_of_them() -> None:
        ledger = Ledger.at(path, group=True, queue=True)
        await asyncio.gather(
            *(
                one(Keeper.open(ledger, f"t{n}", {"rulebook": RULEBOOKS[n % 5]}, 10_000_000_00))
                for n in range(first, first + TABLES)
            )
        )
        ledger.close()

    asyncio.run(all_of_them())


def test_processes_that_write_as_fast_as_they_can_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    Ledger.at(path).close()
    context = multiprocessing.get_context("fork")
    playing = [
        context.Process(target=play, args=(path, number * TABLES)) for number in range(PROCESSES)
    ]
    for each in playing:
        each.start()
    for each in playing:
        each.join(100)
        assert each.exitcode == 0
    ledger = Ledger.at(path)
    found = audit(ledger)
    assert found.discrepancies == []
    assert len(ledger.store.tables()) == PROCESSES * TABLES
    assert found.commands == PROCESSES * TABLES * (COMMANDS + 1)
    ledger.close()
