"""The process dies at every operation of a round of every game; the table goes on where it was."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from helpers import ALL_BOOKS
from ledger_driver import Ticking

from croupier.ledger.audit import audit
from croupier.ledger.crowd import WAYS, Crowd
from croupier.ledger.faulty import Crash, Fault, Gremlin, files, nothing, put_back
from croupier.ledger.keeper import Keeper
from croupier.ledger.kept import Kept
from croupier.ledger.ledger import Ledger
from croupier.ledger.outside import Disk
from croupier.ledger.owner import Owner
from croupier.ledger.surveillance import watched
from croupier.ledger.torture import MEMORY
from croupier.table.commands import Command

WRITING = ("begin", "insert", "commit", "append")

Strikes = Callable[[list[str]], bool]  # by the operations so far


def so_manyth(number: int) -> Strikes:
    return lambda seen: len(seen) == number


def any_of(operation: str) -> Strikes:
    return lambda seen: seen[-1] == operation


class Evening:
    """One table whose process can be killed, or its power cut, at any operation."""

    def __init__(self, book: str, home: Path) -> None:
        self.home = home
        self.disks = 0
        self.clock = Ticking()
        self.rng = random.Random(book)
        self.met: Counter[str] = Counter()
        self.owner = self.started({})
        house = {"rulebook": book, **WAYS[0]}
        self.keeper = Keeper.open(self.owner.ledger, "t1", house, 1_000_000_00)
        self.crowd = Crowd(lambda: self.keeper.kept, self.rng, unruly=0)

    @property
    def kept(self) -> Kept:
        return self.keeper.kept

    def started(self, left: dict[str, bytes]) -> Owner:
        """A new process on what the last one left."""
        self.disks += 1
        folder = self.home / str(self.disks)
        folder.mkdir()
        put_back(folder, left)
        return Owner(folder / "evening.db", Gremlin(self.rng), self.clock, grouped=False)

    def back(self, left: dict[str, bytes]) -> None:
        """The last process is gone, and a new one opens the table."""
        self.owner.die()
        self.owner = self.started(left)
        self.keeper = self.owner.keeper("t1")

    def disk(self) -> dict[str, bytes]:
        return files(self.home / str(self.disks))

    def dies(self, command: Command, command_id: str, fault: Fault, strikes: Strikes) -> str:
        """At the operation that ``strikes`` picks from those of writing; which it was, or nothing
        if it picked none. Then a new process has taken over."""
        seen: list[str] = []

        def choose(operation: str) -> Fault | None:
            if operation not in WRITING:
                return None
            seen.append(operation)
            return fault if strikes(seen) else None

        gremlin = self.owner.gremlin
        gremlin.choose = choose
        try:
            self.keeper.execute(command, command_id)
        except Crash:
            self.back(self.disk() if gremlin.wreck is None else gremlin.wreck)
            self.met[f"{fault}: {seen[-1]}"] += 1
            return seen[-1]
        gremlin.choose = nothing
        return ""

    def played_on(self) -> None:
        """The round to its end and one more, with all that was said before said again."""
        until = self.keeper.table.rounds + 2
        while self.keeper.table.rounds < until:
            self.keeper.execute(self.crowd.next(), f"on {self.keeper.head.sequence}")
        assert watched(self.owner.ledger, "t1").kept == self.kept
        assert audit(self.owner.ledger).discrepancies == []
        self.owner.die()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: these files are opened thousands of times."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_crash_at_any_operation_of_a_round_leaves_the_table_before_or_after_a_command(
    book: str, memory: Path
) -> None:
    evening = Evening(book, memory)
    for number in count(1):
        before, saved = evening.kept, evening.disk()
        command, command_id = evening.crowd.next(), str(number)
        evening.keeper.execute(command, command_id)
        after = evening.kept.table  # the next promise is another each time it is made
        for fault in (Fault.CRASH, Fault.CRASH_LATE):
            for at in count(1):
                evening.back(saved)
                assert evening.kept == before
                operation = evening.dies(command, command_id, fault, so_manyth(at))
                if not operation:
                    break
                done = operation == "append" or (operation == "commit" and fault is not Fault.CRASH)
                assert evening.kept.table == (after if done else before.table)
                first = evening.keeper.execute(command, command_id)
                assert evening.keeper.execute(command, command_id) == first
                assert evening.kept.table == after
        if evening.keeper.table.round is None and evening.met.total() > 200:
            break
    print(book, "crashes:", dict(evening.met), "lost: 0")
    assert evening.keeper.table.rounds
    assert evening.met.total() > 200, evening.met
    evening.played_on()


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_power_failure_amid_any_write_of_a_round_leaves_the_table_before_or_after_a_command(
    book: str, memory: Path
) -> None:
    """Any sectors of the log may be missing that no sync has promised yet."""
    evening = Evening(book, memory)
    ended: Counter[str] = Counter()
    for number in count(1):
        before, saved = evening.kept, evening.disk()
        command, command_id = evening.crowd.next(), str(number)
        first = evening.keeper.execute(command, command_id)
        after = evening.kept.table
        for operation in ("commit",) * 8 + ("append",) * 2:
            evening.back(saved)
            struck = evening.dies(command, command_id, Fault.POWER, any_of(operation))
            if operation == "commit":
                assert evening.kept.table in (before.table, after)
                ended["after" if evening.kept.table == after else "before"] += 1
            elif struck:
                assert evening.kept.table == after
                ended["amid the witness"] += 1
        assert evening.keeper.execute(command, command_id).first == first.first
        assert evening.kept.table == after
        if evening.keeper.table.rounds:
            break
    print(book, "power failures:", dict(ended), "lost: 0")
    assert min(ended.values()) > 3, ended
    evening.played_on()


# --- what the disk is asked for -------------------------------------------------------------


def test_sqlite_writes_ahead_and_syncs_every_commit(tmp_path: Path) -> None:
    ledger = Ledger.at(tmp_path / "evening.db")
    store: Any = ledger.store
    for connection in (store._writer, store._reader):
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA fullfsync").fetchone() == (1,)
    ledger.close()


def test_the_witness_and_the_keys_are_synced_with_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int]] = []
    sync = os.fsync

    def recorded(descriptor: int) -> None:
        sync(descriptor)
        synced.append((os.fstat(descriptor).st_ino, os.fstat(descriptor).st_size))

    monkeypatch.setattr(os, "fsync", recorded)
    disk = Disk()
    key, witness = tmp_path / "a.key", tmp_path / "witness"
    disk.create(key, b"secret")
    assert (key.stat().st_ino, 6) in synced
    assert tmp_path.stat().st_ino in [inode for inode, _ in synced]
    for size in (5, 10):
        synced.clear()
        disk.append(witness, b"line\n")
        assert (witness.stat().st_ino, size) in synced
