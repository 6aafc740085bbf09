"""What a store promises, of both stores alike."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
import pytest
from engine_driver import ONE_DECK
from forger import made_older, sql
from helpers import RIDE
from ledger_driver import at, opened
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.accounts import Transfer
from croupier.ledger.audit import Report, audit
from croupier.ledger.chain import RefusalHead
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.entry import Entry
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.schema import MIGRATIONS
from croupier.ledger.sql import PAGE
from croupier.ledger.store import (
    Batch,
    Fenced,
    NotWritten,
    Remembered,
    Snapshot,
    Store,
    StoreTrouble,
    Unread,
    Unwritten,
)
from croupier.table import commands as c
from croupier.table.commands import player

HOUSE = {"rulebook": RIDE, **ONE_DECK}
FILLED = '{"type":"InventoryFilled","amount":100}'


MOVED = '[["cage","inventory",500]]'


def entry(sequence: int, *, table: str = "t1", command: str = "", moved: str = "") -> Entry:
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
        moved=moved,
    )


def batch(*entries: Entry, **more: Any) -> Batch:
    return Batch(entries=entries, **more)


def refusal(command_id: str, code: str = "NO_ROUND", number: int = 1) -> Remembered:
    time = "2025-03-14T20:00:00.000000Z"
    said = (time, "dealer", "Settle", "f", code, "", "NJ 1")
    return Remembered("t1", command_id, *said, number=number, previous="p", hash=f"h{number}")


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
    assert list(store.refusals("t1")) == []


def test_tables_are_kept_apart(store: Store) -> None:
    store.write([batch(entry(1, command="a")), batch(entry(1, table="t2", command="a"))])
    assert store.tables() == ["t1", "t2"]
    assert list(store.read("t2")) == [entry(1, table="t2", command="a")]


def test_a_long_history_is_read_page_by_page_and_complete(store: Store) -> None:
    many = 2 * PAGE + 1
    entries = [entry(n, moved=MOVED if n % 2 else "") for n in range(1, many + 1)]
    store.write([batch(*entries)])
    assert list(store.read("t1")) == entries
    assert list(store.read("t1", after=5)) == entries[5:]


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
@pytest.mark.parametrize("more", [(), (entry(2),)])
def test_a_command_that_was_refused_does_not_act_afterwards(
    store: Store, others: int, money: bool, more: tuple[Entry, ...]
) -> None:
    """Alone or among many, in one statement or in several."""
    store.write([Batch(refusals=(refusal("a"),))])
    moved = MOVED if money else ""
    group = [batch(entry(1, table=f"x{n}", command="a")) for n in range(others)]
    group.insert(others // 2, batch(entry(1, command="a", moved=moved), *more))
    with pytest.raises(Fenced):
        store.write(group)
    assert store.tables() == []
    assert list(store.read("t1")) == []
    store.write([each for each in group if each.entries[0].table != "t1"])
    assert len(store.tables()) == others
    assert store.find("t1", "a") == refusal("a")


def test_of_a_write_that_is_fenced_nothing_is_left(store: Store, ledger: Ledger) -> None:
    store.write([batch(entry(1, command="a"))])
    whole = batch(
        entry(1, table="t2", command="a", moved=MOVED),
        refusals=(refusal("x"),),
        checkpoints=(Checkpoint("t2", 1, "h", "time", "key", "signature"),),
        snapshots=(Snapshot("t2", 1, "h", "state"),),
    )
    with pytest.raises(Fenced):
        store.write([whole, batch(entry(1, command="b"))])
    assert store.tables() == ["t1"]
    assert store.find("t1", "x") is None
    for left in (store.read("t2"), store.checkpoints("t2"), store.snapshots("t2")):
        assert list(left) == []
    assert ledger.witness is not None
    assert list(ledger.witness.all()) == []


def test_money_checkpoints_and_snapshots_are_kept_with_their_batch(store: Store) -> None:
    checkpoints = [Checkpoint("t1", n, f"h{n}", "time", "key", "s") for n in (1, 2)]
    snapshots = [Snapshot("t1", n, f"h{n}", "state") for n in (1, 2)]
    store.write(
        [
            batch(
                entry(1, command="a", moved=MOVED),
                checkpoints=tuple(checkpoints[:1]),
                snapshots=tuple(snapshots[:1]),
            )
        ]
    )
    store.write(
        [batch(entry(2, command="b"), checkpoints=checkpoints[1:], snapshots=snapshots[1:])]
    )
    assert [each.transfers() for each in store.read("t1")] == [
        (Transfer("cage", "inventory", 5_00),),
        (),
    ]
    assert list(store.checkpoints("t1")) == checkpoints
    assert list(store.checkpoints("t1", after=1)) == checkpoints[1:]
    assert list(store.snapshots("t1")) == snapshots[::-1]


@pytest.mark.parametrize("second", [refusal("a", "NOT_THIS_STEP", 2), refusal("b", number=1)])
def test_a_refusal_has_one_place_and_one_command(store: Store, second: Remembered) -> None:
    store.write([Batch(refusals=(refusal("a"),))])
    with pytest.raises(Fenced):
        store.write([Batch(refusals=(second,))])
    assert list(store.refusals("t1")) == [refusal("a")]


def test_refusals_are_read_by_number_page_by_page(store: Store) -> None:
    assert store.last_refusal("t1") == RefusalHead()
    rows = [refusal(f"c{n}", number=n) for n in range(1, PAGE + 3)]
    store.write([Batch(refusals=tuple(rows[::-1]))])
    assert list(store.refusals("t1")) == rows
    assert store.last_refusal("t1") == RefusalHead(rows[-1].number, rows[-1].hash)


def test_what_was_moved_can_be_asked_for_row_by_row(ledger: Ledger) -> None:
    store: Any = ledger.store
    both = '[["player:Zoë \\"Q\\"","layout",1500],["cage","layout",10]]'
    store.write([batch(entry(1, command="a", moved=MOVED), entry(2), entry(3, moved=both))])
    store.write([batch(entry(1, table="t2", command="a"))])
    rows = store._rows("SELECT * FROM movements ORDER BY sequence, number", ())
    assert rows == [
        ("t1", 1, 1, "cage", "inventory", 500),
        ("t1", 3, 1, 'player:Zoë "Q"', "layout", 1500),
        ("t1", 3, 2, "cage", "layout", 10),
    ]


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


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_a_store_of_an_older_version_is_read_as_it_is_and_brought_forward_to_play(
    where: str, beside: Path, version: int
) -> None:
    """Two tables, of which one plays, with a name that JSON has to escape."""
    ledger = at(where, beside, snapshot_every=30)
    opened(ledger, HOUSE, name="t2")
    evening = opened(ledger, HOUSE).rounds(1)
    evening.send(c.SitDown(player('Zoë "Q" \\'), 6, 500_00))
    evening.until("choose")
    written = {name: list(ledger.store.read(name)) for name in ("t1", "t2")}
    ledger.close()
    before = audited(where, beside)
    made_older(where, version, beside)
    for looked in (version, len(MIGRATIONS)):
        view = reading(where, beside)
        ((done,),) = view.view._rows("SELECT max(version) FROM migrations", ())
        assert done == looked
        assert view.store.tables() == ["t1", "t2"]
        assert {name: list(view.store.read(name)) for name in written} == written
        assert view.store.head("t1") == written["t1"][-1]
        assert view.store.entry("t1", 9) == written["t1"][8]
        assert view.store.find("t1", written["t1"][8].command_id)
        assert view.view.first("t1", '{"type":"RoundEnded"') > 9
        view.close()
        assert audited(where, beside) == before
        new = at(where, beside)
        assert {name: list(new.store.read(name)) for name in written} == written
        assert Keeper.resume(new, "t1").table == evening.table
        again = replace(written["t1"][0], sequence=len(written["t1"]) + 1)
        with pytest.raises(Fenced):
            new.store.write([batch(again)])
        new.close()


def audited(where: str, beside: Path) -> Report:
    view = reading(where, beside)
    report = audit(view)
    view.close()
    assert report.discrepancies == []
    return report


def test_money_whose_entry_is_gone_is_named_and_not_brought_forward(
    where: str, beside: Path
) -> None:
    ledger = at(where, beside)
    opened(ledger, HOUSE)
    ledger.close()
    made_older(where, 3, beside)
    astray = ("t1", 999, 1, "player:Eve", "cage", 5_00)
    sql(where, "INSERT INTO movements VALUES (?, ?, ?, ?, ?, ?)", *astray)
    view = reading(where, beside)
    (wrong,) = audit(view).discrepancies
    assert str(wrong) == "Table t1, entry 999: Money was moved by an entry that is not there."
    view.close()
    with pytest.raises(Refused, match="its rows do not fit together, and an audit says which"):
        at(where, beside)
    assert astray in sql(where, "SELECT * FROM movements")


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


def test_a_broken_connection_is_replaced_before_it_is_used(postgres: str, beside: Path) -> None:
    ledger = at(postgres, beside)
    ledger.store.write([batch(entry(1, command="a"))])
    for sequence in (2, 3):
        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        ledger.store.write([batch(entry(sequence, command=f"c{sequence}"))])
        assert ledger.store.head("t1") == entry(sequence, command=f"c{sequence}")
    ledger.close()


def test_a_connection_that_breaks_amid_a_write_leaves_its_outcome_unknown(
    postgres: str, beside: Path
) -> None:
    ledger = at(postgres, beside)
    store: Any = ledger.store
    heard: list[StoreTrouble] = []
    store.on_trouble = heard.append
    with pytest.raises(Unwritten) as raised:
        store._commit([("SELECT pg_terminate_backend(pg_backend_pid())", ())])
    assert type(raised.value) is Unwritten
    assert raised.value.code == "OUTCOME_UNKNOWN"
    assert heard == [raised.value]
    store.write([batch(entry(1, command="a"))])
    ledger.close()


def test_what_the_server_refuses_is_known_not_to_be_written(postgres: str, beside: Path) -> None:
    ledger = at(postgres, beside)
    store: Any = ledger.store
    store._commit([("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", ())])
    with pytest.raises(NotWritten, match="read-only"):
        store.write([batch(entry(1, command="a"))])
    store.write([batch(entry(1, command="a"))])  # on a new connection
    ledger.close()


def test_what_a_client_is_told_of_a_failing_store_names_nothing(in_file: Ledger) -> None:
    store: Any = in_file.store
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NotWritten) as full:
        store.write([batch(replace(entry(1, command="b"), event="x" * 100_000))])
    assert str(store.path) in str(full.value)
    assert full.value.sentence == (
        "The room cannot save right now. Your last action was not carried out; try again in a "
        "moment."
    )
    with pytest.raises(Unread) as unread:
        store._rows("SELECT * FROM nothing", ())
    assert "nothing" in str(unread.value)
    assert unread.value.sentence == (
        "The room cannot read its records right now; try again in a moment."
    )


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
        before = log.stat().st_size
        moved = MOVED if paid else ""
        store.write([batch(entry(sequence, command=f"c{sequence}", moved=moved))])
        pages[paid].append((log.stat().st_size - before) // (24 + 2048))
    assert median(pages[False]) == 3  # the entry, its key, its command's id
    assert median(pages[True]) == 3  # what it moves is in it


def test_postgres_syncs_at_every_commit(postgres: str, beside: Path) -> None:
    ledger = at(postgres, beside)
    store: Any = ledger.store
    assert store._rows("SHOW synchronous_commit", ()) == [("on",)]
    assert store._rows("SHOW fsync", ()) == [("on",)]
    ledger.close()


# --- what players took to tables --------------------------------------------------------------


def sat(sequence: int, cents: int, *, table: str = "t1", who: str = "Zoë") -> Entry:
    moved = f'[["cage","player:{who}",{cents}]]'
    return entry(sequence, table=table, command=f"sit {sequence}", moved=moved)


def left(sequence: int, cents: int, *, table: str = "t1", who: str = "Zoë") -> Entry:
    moved = f'[["player:{who}","cage",{cents}]]'
    return entry(sequence, table=table, command=f"leave {sequence}", moved=moved)


def test_what_a_player_took_to_tables_is_kept_up_with_every_write(store: Store) -> None:
    assert store.taken("Zoë") == 0
    store.write([batch(sat(1, 500))])
    store.write([batch(sat(1, 70, table="t2")), batch(sat(2, 30), sat(3, 9, who="Ann"))])
    store.write([batch(left(4, 250))])
    assert store.taken("Zoë") == 350
    assert store.taken("Ann") == 9
    assert store.taken("zoë") == 0


def test_a_fenced_write_takes_nothing(store: Store) -> None:
    store.write([batch(sat(1, 500))])
    with pytest.raises(Fenced):
        store.write([batch(sat(1, 70))])
    assert store.taken("Zoë") == 500


def test_a_coupon_is_nobodys_purse(store: Store) -> None:
    store.write([batch(entry(1, command="a", moved='[["cage","layout",500]]'))])
    assert store.taken("layout") == 0


def test_several_stores_add_to_one_purse(where: str, beside: Path) -> None:
    first, second = at(where, beside), at(where, beside)
    first.store.write([batch(sat(1, 500))])
    second.store.write([batch(sat(1, 70, table="t2"))])
    first.store.write([batch(left(2, 20))])
    assert first.store.taken("Zoë") == second.store.taken("Zoë") == 550
    first.close()
    second.close()


@pytest.mark.parametrize("version", range(1, 5))
def test_the_purses_of_an_older_store_are_made_from_its_history(
    where: str, beside: Path, version: int
) -> None:
    ledger = at(where, beside)
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    assert evening.send(c.StandUp(player("p1"), 1)).refused is None
    names = [*evening.table.players, "p1"]
    before = {name: ledger.store.taken(name) for name in names}
    ledger.close()
    assert before["p1"] != 0
    assert before["p2"] == evening.chips
    made_older(where, version, beside)
    ledger = at(where, beside)
    assert {name: ledger.store.taken(name) for name in names} == before
    ledger.close()
