"""Two processes that both believe a table is theirs: each write has one author."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import NJ_UTH, RIDE
from ledger_driver import at
from process_driver import READY, Start, contend, template

from croupier.ledger.audit import audit
from croupier.ledger.crowd import WAYS
from croupier.ledger.entry import Entry
from croupier.ledger.keeper import NEAR, Answer, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Fenced
from croupier.ledger.surveillance import watched
from croupier.table import commands as c
from croupier.table.commands import player

EACH = 120  # commands


@pytest.fixture(scope="module")
def start() -> Iterator[Start]:
    with template() as started:
        yield started


@pytest.mark.parametrize("book", [NJ_UTH, RIDE])
def test_two_owners_of_one_table_never_write_the_same_entry(
    start: Start, where: str, beside: Path, book: str
) -> None:
    ledger = Ledger.at(where, beside=beside)
    Keeper.open(ledger, "t1", {"rulebook": book, **WAYS[1]}, 1_000_000_00)
    answers: list[Answer] = []
    fenced = []
    pipes = [start(contend, where, beside, "t1", me, EACH)[1] for me in ("left ", "right ")]
    for pipe in pipes:
        assert pipe.recv() == READY
    for pipe in pipes:
        pipe.send(READY)
    for pipe in pipes:
        said, times = pipe.recv()
        answers += said
        fenced.append(times)
        pipe.close()
    eye = watched(ledger, "t1")
    acted = [each for each in answers if not each.refused]
    for answer in acted:
        eye.confirm(answer)
    assert len(answers) == 2 * EACH
    assert len(eye.answers) == len(acted) + 1  # the opening
    print(book, "written:", len(acted), "fenced:", fenced)
    assert sum(fenced) > 0, "they never met"
    assert audit(ledger).discrepancies == []
    ledger.close()


def test_a_table_may_be_opened_while_another_process_writes_to_it(
    where: str, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its witness then knows more than was just read; nothing was cut off."""
    one, other = at(where, beside, checkpoint_every=1), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    read = other.store.read

    def reading(table: str, after: int = 0) -> Iterator[Entry]:
        yield from read(table, after)
        first.execute(c.SitDown(player("Ann"), 1, 500_00), "id 1")

    monkeypatch.setattr(other.store, "read", reading)
    second = Keeper.resume(other, "t1")
    monkeypatch.undo()
    assert not any(second.table.seats)  # Ann is not seen yet
    with pytest.raises(Fenced):
        second.execute(c.SitDown(player("Bob"), 2, 500_00), "id 2")
    assert second.execute(c.BuyChips(player("Ann"), 5_00), "id 3").events
    one.close()
    other.close()


def test_nobody_is_refused_by_what_is_past(where: str, beside: Path) -> None:
    """A keeper that would refuse looks whether another has written meanwhile."""
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    second = Keeper.resume(other, "t1")
    first.execute(c.SitDown(player("Ann"), 1, 500_00), "id 1")
    assert second.execute(c.BuyChips(player("Ann"), 5_00), "id 2").events
    assert second.execute(c.BuyChips(player("Bob"), 5_00), "id 3").refused
    one.close()
    other.close()


def test_what_another_process_wrote_is_told_like_ones_own(where: str, beside: Path) -> None:
    """In order, whole, with its author; whether one asks for it or meets it while writing."""
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    second = Keeper.resume(other, "t1")
    told: list[tuple[Answer, int]] = []
    second.subscribe(lambda answer, table: told.append((answer, second.head.sequence)))
    written = [first.execute(c.SitDown(player("Ann"), 1, 500_00), "id 1", "a friend")]
    written += [each for _ in range(4) if (each := first.deal(close_bets=False))]
    asyncio.run(second.catch_up(first.head.sequence))
    assert [answer for answer, _ in told] == written
    assert [at for _, at in told] == [each.first + len(each.events) - 1 for each in written]
    assert written[0].actor == "a friend"
    assert second.kept == first.kept
    written.append(first.execute(c.BuyChips(player("Ann"), 5_00), "id 2"))
    with pytest.raises(Fenced):
        second.execute(c.SitDown(player("Bob"), 2, 500_00), "id 3")
    written.append(second.execute(c.SitDown(player("Bob"), 2, 500_00), "id 3"))
    assert [answer for answer, _ in told] == written
    one.close()
    other.close()


def test_what_another_wrote_is_read_at_once_and_told_where_it_is_near(
    where: str, beside: Path
) -> None:
    """From where one stands, or from a snapshot when that is far."""
    every = NEAR + 50
    one, other = (at(where, beside, seed=seed, snapshot_every=every) for seed in (1, 2))
    first = Keeper.open(one, "t1", {"rulebook": NJ_UTH}, 1_000_00)
    second = Keeper.resume(other, "t1")
    told: list[Answer] = []
    second.subscribe(lambda answer, table: told.append(answer))
    for times in (3, NEAR // 2 + 1, every // 2 + 1):
        told.clear()
        for number in range(times):
            first.execute(c.SitDown(player("Ann"), 1, 500_00), f"sit {times} {number}")
            first.execute(c.StandUp(player("Ann"), 1), f"stand {times} {number}")
        assert second.written() == first.head.sequence
        assert second.look(first.head.sequence) == (times == 3)
        assert (second.kept, second.head) == (first.kept, first.head)
        assert len(told) == (6 if times == 3 else 0)
    assert second.execute(c.SitDown(player("Bob"), 2, 500_00), "id 3").events
    one.close()
    other.close()
