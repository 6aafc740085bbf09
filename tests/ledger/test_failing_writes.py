"""Every write of a round fails once: one sentence, nothing changed, and the next try succeeds."""

from __future__ import annotations

import random
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from helpers import ALL_BOOKS, NJ_UTH
from ledger_driver import Ticking

from croupier.law.refused import Refused
from croupier.ledger.audit import audit
from croupier.ledger.checkpoint import Witness
from croupier.ledger.crowd import WAYS, Crowd
from croupier.ledger.faulty import Fault, FaultyDisk, Gremlin, nothing
from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.owner import Owner
from croupier.ledger.store import Unwritten
from croupier.ledger.surveillance import watched
from croupier.table.commands import Command

WRITING = ("begin", "insert", "commit", "append")


class Evening:
    def __init__(self, book: str, folder: Path) -> None:
        self.gremlin = Gremlin(random.Random(book))
        self.path = folder / "evening.db"
        self.owner = Owner(self.path, self.gremlin, Ticking(), grouped=False)
        house = {"rulebook": book, **WAYS[0]}
        self.keeper = Keeper.open(self.owner.ledger, "t1", house, 1_000_000_00)
        self.crowd = Crowd(lambda: self.keeper.kept, self.gremlin.rng, unruly=0)
        self.met: Counter[str] = Counter()

    def sound(self) -> None:
        """The books are in order, and another process reads the same."""
        print("failed:", dict(self.met), "half done: 0")
        self.owner.die()
        ledger = Ledger.at(self.path)
        assert Keeper.resume(ledger, "t1").kept == watched(ledger, "t1").kept == self.keeper.kept
        assert audit(ledger).discrepancies == []
        ledger.close()

    def tried(self, command: Command, command_id: str) -> Answer | Refused:
        """The answer, or the sentence that tells why there is none."""
        try:
            return self.keeper.execute(command, command_id)
        except Refused as refused:
            return refused

    def fails(self, at: int, fault: Fault, operations: tuple[str, ...] = WRITING) -> list[str]:
        """From now on, the so-manyth of these operations does; gives those that were."""
        seen: list[str] = []

        def choose(operation: str) -> Fault | None:
            if operation not in operations:
                return None
            seen.append(operation)
            return fault if len(seen) == at else None

        self.gremlin.choose = choose
        return seen


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.LATE, Fault.TORN])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_nth_write_of_a_round_fails_for_every_n(
    book: str, fault: Fault, tmp_path: Path
) -> None:
    evening = Evening(book, tmp_path)
    for number in count(1):
        command, before = evening.crowd.next(), evening.keeper.kept
        for at in count(1):
            seen = evening.fails(at, fault)
            answer = evening.tried(command, str(number))
            if isinstance(answer, Answer):
                break
            assert isinstance(answer, Unwritten)
            assert str(answer).endswith(".")
            assert str(answer).count("\n") == 0
            assert evening.keeper.kept == before
            evening.met[seen[-1]] += 1
        evening.gremlin.choose = nothing
        assert isinstance(answer, Answer)
        assert answer.events
        assert evening.keeper.execute(command, str(number)) == answer
        if evening.keeper.table.rounds == 3:
            break
    assert set(evening.met) >= {"begin", "insert", "commit"}
    assert evening.met.total() > 100, evening.met
    evening.sound()


def test_the_nth_reading_of_a_round_fails_for_every_n(tmp_path: Path) -> None:
    evening = Evening(NJ_UTH, tmp_path)
    for number in count(1):
        command, before = evening.crowd.next(), evening.keeper.kept
        evening.fails(1, Fault.LATE, ("commit",))
        with pytest.raises(Unwritten):
            evening.keeper.execute(command, str(number))  # so that the table must be read again
        for at in count(1):
            evening.fails(at, Fault.ERROR, ("select",))
            answer = evening.tried(command, str(number))
            if isinstance(answer, Answer):
                break
            assert "cannot be read: disk I/O error" in str(answer)
            assert evening.keeper.kept in (before, watched_kept(evening))
            evening.met["select"] += 1
        assert isinstance(answer, Answer)
        assert answer.events
        if evening.keeper.table.rounds:
            break
    assert evening.met["select"] > 100
    evening.gremlin.choose = nothing
    evening.sound()


def watched_kept(evening: Evening) -> object:
    evening.gremlin.choose = nothing
    return watched(evening.owner.ledger, "t1").kept


# --- a disk that is really full ---------------------------------------------------------------


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file grows beyond this: the kernel writes what fits, then fails."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_a_disk_that_is_full_at_any_byte_of_a_round_leaves_the_table_as_it_was(
    tmp_path: Path,
) -> None:
    evening = Evening(NJ_UTH, tmp_path)
    log = tmp_path / "evening.db-wal"
    for number in count(1):
        command, before = evening.crowd.next(), evening.keeper.kept
        size = log.stat().st_size
        for room in count(0, 1_171):
            with files_up_to(size + room):
                answer = evening.tried(command, str(number))
            if isinstance(answer, Answer):
                break
            assert isinstance(answer, Unwritten)
            assert evening.keeper.kept == before
            evening.met["full"] += 1
        assert isinstance(answer, Answer)
        assert answer.events
        if evening.keeper.table.rounds:
            break
    assert evening.met["full"] > 200
    evening.sound()


# --- the witness ------------------------------------------------------------------------------


def test_a_witness_that_stays_full_is_refused_in_a_sentence_each_time(tmp_path: Path) -> None:
    evening = Evening(NJ_UTH, tmp_path)
    evening.gremlin.choose = lambda operation: Fault.TORN if operation == "append" else None
    for number in count(1):
        command = evening.crowd.next()
        answer = evening.tried(command, str(number))
        if isinstance(answer, Unwritten):
            break
    for _ in range(5):
        answer = evening.tried(command, str(number))
        assert isinstance(answer, Unwritten)
        assert "evening.db.checkpoints cannot be written" in str(answer)
    evening.gremlin.choose = nothing
    evening.keeper.execute(command, str(number))
    assert list(evening.owner.ledger.store.checkpoints("t1"))
    evening.sound()


@pytest.mark.parametrize("garbage", [b"{", b"\0" * 40, b"\xff\xfe\n\n", b'{"table":"\xff"}\n'])
def test_a_witness_with_a_torn_end_still_tells_what_it_told(garbage: bytes, tmp_path: Path) -> None:
    evening = Evening(NJ_UTH, tmp_path)
    while not evening.keeper.table.rounds:
        evening.keeper.execute(evening.crowd.next(), str(evening.keeper.head.sequence))
    path = tmp_path / "evening.db.checkpoints"
    told = list(Witness(path).all())
    assert told
    with path.open("ab") as file:
        file.write(garbage)
    assert list(Witness(path).all()) == told
    assert Witness(path).latest("t1") == told[-1]
    evening.sound()


# --- the keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.LATE, Fault.TORN])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_disk_that_fails_while_keys_are_made_does_not_lock_the_ledger(
    at: int, fault: Fault, tmp_path: Path
) -> None:
    seen: list[str] = []

    def choose(operation: str) -> Fault | None:
        seen.append(operation)
        return fault if len(seen) == at else None

    disk = FaultyDisk(Gremlin(random.Random(1), choose))
    with pytest.raises(OSError, match="No space"):
        Keys(tmp_path / "keys", disk=disk)
    keys = Keys(tmp_path / "keys", disk=disk)
    again = Keys(tmp_path / "keys")
    assert (again.sealing, again.signing) == (keys.sealing, keys.signing)
    assert again.verify(keys.signing, keys.sign(b"words"), b"words")
