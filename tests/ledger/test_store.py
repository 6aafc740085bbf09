"""What a store promises, of both stores alike."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
import pytest
from ledger_driver import at
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.entry import Entry
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.schema import MIGRATIONS
from croupier.ledger.sql import PAGE
from croupier.ledger.store import Batch, Fenced, Movement, Remembered, Snapshot, Store, Unwritten

FILLED = '{"type":"InventoryFilled","amount":100}'


def entry(sequence: int, *, table: str = "t1", command: str = "") -> Entry:
    """An entry; with a command it is the first of an answer, whose id is the command's name."""
    return Entry(
        table=table,
        sequence=sequence,
        time="2025-03-14T20:00:00.000000Z",
        actor="dealer",
        command_id=command or "filled",
        command=f'{{"named":"{command}"}}' if command else "",
        event=FILLED,
        previous="p",
        hash=f"hash {sequence}",
    )


def batch(*entries: Entry, **more: Any) -> Batch:
    return Batch(entries=entries, **more)


def refusal(command_id: str, code: str = "NO_ROUND") -> Remembered:
    time = "2025-03-14T20:00:00.000000Z"
    return Remembered("t1", command_id, time, "dealer", "Settle", "f", code, "No.", "NJ 1")


@pytest.fixture
def store(ledger: Ledger) -> Store:
    return ledger.store


def test_what_is_written_is_read_in_order(store: Store) -> None:
    store.write([batch(entry(1, command="a"), entry(2))])
    store.write([batch(entry(3, command="b"))])
    assert list(store.read("t1")) == [entry(1, command="a"), entry(2), entry(3, command="b")]
    assert list(store.read("t1", after=2)) == [entry(3, command="b")]
    assert store.head("t1") == entry(3, command="b")
    assert store.entry("t1", 2) == entry(2)


def test_where_nothing_was_written_nothing_is_found(store: Store) -> None:
    assert list(store.read("t1")) == []
    assert store.head("t1") is None
    assert store.entry("t1", 1) is None
    assert store.find("t1", "a") is None
    assert store.tables() == []
    assert list(store.snapshots("t1")) == list(store.checkpoints("t1")) == []
    assert list(store.movements("t1")) == list(store.refusals("t1")) == []


def test_tables_are_kept_apart(store: Store) -> None:
    store.write([batch(entry(1, command="a")), batch(entry(1, table="t2", command="a"))])
    assert store.tables() == ["t1", "t2"]
    assert list(store.read("t2")) == [entry(1, table="t2", command="a")]


def test_a_long_history_is_read_page_by_page_and_complete(store: Store) -> None:
    many = 2 * PAGE + 1
    movements = [
        Movement("t1", n, k, "cage", "inventory", 1) for n in range(1, many) for k in (1, 2)
    ]
    store.write([batch(*(entry(n) for n in range(1, many + 1)), movements=tuple(movements))])
    assert [each.sequence for each in store.read("t1")] == list(range(1, many + 1))
    assert list(store.movements("t1")) == movements
    assert list(store.movements("t1", after=5)) == movements[10:]


def test_the_answer_to_a_command_is_found_by_its_id(store: Store) -> None:
    store.write([batch(entry(1, command="a"), entry(2), entry(3))])
    store.write([batch(entry(4, command="b"), refusals=(refusal("c"),))])
    assert store.find("t1", "a") == (entry(1, command="a"), entry(2), entry(3))
    assert store.find("t1", "b") == (entry(4, command="b"),)
    assert store.find("t1", "c") == refusal("c")
    assert store.find("t2", "a") is None
    assert store.find("t1", "filled") is None  # an id of entries that carry no command


def test_a_second_writer_is_fenced_by_the_sequence(store: Store) -> None:
    store.write([batch(entry(1, command="a"))])
    with pytest.raises(Fenced):
        store.write([batch(entry(1, command="b"))])
    assert list(store.read("t1")) == [entry(1, command="a")]


def test_a_command_acts_once(store: Store) -> None:
    store.write([batch(entry(1, command="a"))])
    with pytest.raises(Fenced):
        store.write([batch(entry(2, command="a"))])
    assert store.head("t1") == entry(1, command="a")


@pytest.mark.parametrize("others", [0, 1, 400])
@pytest.mark.parametrize("money", [False, True])
def test_a_command_that_was_refused_does_not_act_afterwards(
    store: Store, others: int, money: bool
) -> None:
    """Alone or among many, in one statement or in several."""
    store.write([Batch(refusals=(refusal("a"),))])
    moved = (Movement("t1", 1, 1, "cage", "inventory", 5),) if money else ()
    group = [batch(entry(1, table=f"x{n}", command="a")) for n in range(others)]
    group.insert(others // 2, batch(entry(1, command="a"), entry(2), movements=moved))
    with pytest.raises(Fenced):
        store.write(group)
    assert store.tables() == []
    assert list(store.movements("t1")) == []
    store.write([each for each in group if each.entries[0].table != "t1"])
    assert len(store.tables()) == others
    assert store.find("t1", "a") == refusal("a")


def test_of_a_write_that_is_fenced_nothing_is_left(store: Store, ledger: Ledger) -> None:
    store.write([batch(entry(1, command="a"))])
    whole = batch(
        entry(1, table="t2", command="a"),
        movements=(Movement("t2", 1, 1, "cage", "inventory", 5),),
        refusals=(refusal("x"),),
        checkpoints=(Checkpoint("t2", 1, "h", "time", "key", "signature"),),
        snapshots=(Snapshot("t2", 1, "h", "state"),),
    )
    with pytest.raises(Fenced):
        store.write([whole, batch(entry(1, command="b"))])
    assert store.tables() == ["t1"]
    assert store.find("t1", "x") is None
    for left in (store.movements("t2"), store.checkpoints("t2"), store.snapshots("t2")):
        assert list(left) == []
    assert ledger.witness is not None
    assert list(ledger.witness.all()) == []


def test_movements_checkpoints_and_snapshots_are_kept_with_their_batch(store: Store) -> None:
    moved = Movement("t1", 1, 1, "cage", "inventory", 5_00)
    checkpoints = [Checkpoint("t1", n, f"h{n}", "time", "key", "s") for n in (1, 2)]
    snapshots = [Snapshot("t1", n, f"h{n}", "state") for n in (1, 2)]
    store.write(
        [
            batch(
                entry(1, command="a"),
                movements=(moved,),
                checkpoints=tuple(checkpoints[:1]),
                snapshots=tuple(snapshots[:1]),
            )
        ]
    )
    store.write(
        [batch(entry(2, command="b"), checkpoints=checkpoints[1:], snapshots=snapshots[1:])]
    )
    assert list(store.movements("t1")) == [moved]
    assert list(store.checkpoints("t1")) == checkpoints
    assert list(store.checkpoints("t1", after=1)) == checkpoints[1:]
    assert list(store.snapshots("t1")) == snapshots[::-1]


def test_a_refusal_remembered_twice_stays_as_it_was_first(store: Store) -> None:
    store.write([Batch(refusals=(refusal("a"),))])
    store.write([Batch(refusals=(refusal("a", "NOT_THIS_STEP"), refusal("b")))])
    assert list(store.refusals("t1")) == [refusal("a"), refusal("b")]


def test_a_movement_of_nothing_or_less_is_not_kept(store: Store) -> None:
    with pytest.raises(Refused):
        store.write([batch(entry(1), movements=(Movement("t1", 1, 1, "cage", "layout", 0),))])
    assert store.head("t1") is None


# --- opening --------------------------------------------------------------------------------


def test_what_was_written_is_there_after_opening_again(where: str, beside: Path) -> None:
    first = at(where, beside)
    first.store.write([batch(entry(1, command="a"))])
    first.close()
    second = at(where, beside)
    assert list(second.store.read("t1")) == [entry(1, command="a")]
    second.close()


def test_two_processes_may_have_it_open_and_see_each_others_work(where: str, beside: Path) -> None:
    first, second = at(where, beside), at(where, beside)
    first.store.write([batch(entry(1, command="a"))])
    second.store.write([batch(entry(2, command="b"))])
    with pytest.raises(Fenced):
        first.store.write([batch(entry(2, command="c"))])
    assert first.store.head("t1") == second.store.head("t1") == entry(2, command="b")
    first.close()
    second.close()


def set_version(where: str, version: int) -> None:
    last = "SELECT max(version) FROM migrations"
    statement = f"UPDATE migrations SET version = {version} WHERE version = ({last})"
    if where.startswith("postgresql"):
        with psycopg.connect(where) as postgres:
            postgres.execute(statement.encode())
    else:
        with sqlite3.connect(where) as sqlite:
            sqlite.execute(statement)


def test_a_newer_schema_is_refused_in_one_sentence(where: str, beside: Path) -> None:
    at(where, beside).close()
    set_version(where, len(MIGRATIONS) + 1)
    with pytest.raises(Refused, match="written by a newer Croupier"):
        at(where, beside)
    set_version(where, len(MIGRATIONS))
    at(where, beside).close()


def test_an_older_store_is_brought_forward_and_keeps_what_it_has(
    where: str, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = at(where, beside)
    old.store.write([batch(entry(1, command="a"))])
    old.close()
    later = (*MIGRATIONS, ("CREATE TABLE notes (said TEXT NOT NULL)",))
    monkeypatch.setattr("croupier.ledger.sql.MIGRATIONS", later)
    for _ in range(2):  # and not brought forward twice
        new = at(where, beside)
        assert list(new.store.read("t1")) == [entry(1, command="a")]
        assert new.store._rows("SELECT * FROM notes", ()) == []  # type: ignore[attr-defined]
        new.close()


def test_a_store_of_the_first_version_is_read_as_it_is_and_brought_forward_to_play(
    where: str, beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("croupier.ledger.sql.MIGRATIONS", MIGRATIONS[:1])
        old = at(where, beside)
        moved = tuple(
            Movement("t1", sequence, number, "cage", "inventory", sequence * 10 + number)
            for sequence in (2, 1, 3)
            for number in (2, 1)
        )
        whole = batch(entry(1, command="a"), entry(2), movements=moved)
        old.store.write([whole, batch(entry(3, command="b"))])
        old.close()
    for looked in (1, len(MIGRATIONS)):  # before and after
        view = reading(where, beside)
        assert [each.sequence for each in view.store.read("t1")] == [1, 2, 3]
        assert [each.cents for each in view.store.movements("t1")] == [11, 12, 21, 22, 31, 32]
        ((done,),) = view.view._rows("SELECT max(version) FROM migrations", ())
        assert done == looked
        view.close()
        new = at(where, beside)
        assert new.store.find("t1", "b") == (entry(3, command="b"),)
        with pytest.raises(Fenced):
            new.store.write([batch(entry(4, command="a"))])
        new.close()


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Nothing of the kind. " * 100)
    with pytest.raises(Refused, match=r"notes\.txt cannot be opened as a ledger"):
        Ledger.at(path)
    with pytest.raises(Refused, match="cannot be opened as a ledger"):
        Ledger.at(tmp_path / "no" / "such" / "folder" / "evening.db")


def test_a_database_that_does_not_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="The database cannot be opened") as refused:
        Ledger.at("postgresql://u:s3cret@127.0.0.1:9/none", beside=tmp_path / "evening")
    assert "s3cret" not in str(refused.value)


# --- when the disk or the line fails ----------------------------------------------------------


def test_a_full_disk_leaves_the_file_as_it_was(in_file: Ledger) -> None:
    store: Any = in_file.store
    store.write([batch(entry(1, command="a"))])
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    big = replace(entry(2, command="b"), event="x" * 100_000)
    with pytest.raises(Unwritten, match="full"):
        store.write([batch(big)])
    assert list(store.read("t1")) == [entry(1, command="a")]
    store._writer.execute(f"PRAGMA max_page_count = {pages + 100}")
    store.write([batch(big)])
    assert store.head("t1") == big


def test_a_broken_connection_is_made_anew(postgres: str, beside: Path) -> None:
    ledger = at(postgres, beside)
    ledger.store.write([batch(entry(1, command="a"))])
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(Unwritten, match="The database cannot be written"):
        ledger.store.write([batch(entry(2, command="b"))])
    with pytest.raises(Refused, match="The database cannot be read"):
        ledger.store.head("t1")
    ledger.store.write([batch(entry(2, command="b"))])
    assert ledger.store.head("t1") == entry(2, command="b")
    ledger.close()


def test_sqlite_syncs_at_every_commit(in_file: Ledger) -> None:
    store: Any = in_file.store
    assert store._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_sqlite_syncs_few_and_small_pages(in_file: Ledger) -> None:
    """All of a page goes to the disk with a commit, whatever little of it has changed."""
    store: Any = in_file.store
    log = store.path.with_name(f"{store.path.name}-wal")
    pages: dict[bool, list[int]] = {False: [], True: []}
    for sequence in range(1, 61):
        paid = sequence % 2 == 0
        moved = (Movement("t1", sequence, 1, "cage", "inventory", 5),) if paid else ()
        before = log.stat().st_size
        store.write([batch(entry(sequence, command=f"c{sequence}"), movements=moved)])
        pages[paid].append((log.stat().st_size - before) // (24 + 2048))
    assert median(pages[False]) == 3  # the entry, its key, its command's id
    assert median(pages[True]) == 4  # and what moved


def test_postgres_syncs_at_every_commit(postgres: str, beside: Path) -> None:
    ledger = at(postgres, beside)
    store: Any = ledger.store
    assert store._rows("SHOW synchronous_commit", ()) == [("on",)]
    assert store._rows("SHOW fsync", ()) == [("on",)]
    ledger.close()
