"""Whatever is done to the files of a ledger, the audit names it, or the file is refused.

The attacker here has the database and the file of checkpoints, but no key. (``test_audit`` has the
one with every key.) Entries behind the last checkpoint are the only thing such an attacker can cut
off unseen; the test that says so shows where that begins.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import string
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from engine_driver import ONE_DECK
from forger import CHECKPOINT, ENTRY, ENTRY_COLUMNS, chained, entries_of, put, sql
from helpers import RIDE
from ledger_driver import at, opened
from msgspec.json import encode
from msgspec.structs import astuple, replace

from croupier.law.refused import Refused
from croupier.ledger.accounts import Transfer
from croupier.ledger.audit import Report, audit
from croupier.ledger.chain import Head, flaw
from croupier.ledger.checkpoint import signed
from croupier.ledger.entry import canonical
from croupier.ledger.keys import Keys
from croupier.ledger.reading import reading
from croupier.table import commands as c
from croupier.table.commands import player

READ = (  # all that the audit reads
    *(f"SELECT * FROM {name} ORDER BY 1, 2" for name in ("entries", "checkpoints")),
    *(f"SELECT * FROM {name} ORDER BY 1, 2" for name in ("snapshots", "refusals")),
    "SELECT version FROM migrations ORDER BY 1",
)
Rows = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One round of a real table and the beginning of the next, with some of everything."""
    path: Path = tmp_path_factory.mktemp("honest") / "evening.db"
    ledger = at(path, path, snapshot_every=20, checkpoint_every=10)
    evening = opened(ledger, {"rulebook": RIDE, **ONE_DECK})
    assert evening.send(c.StandUp(player("p9"), 1)).refused
    evening.rounds(1).until("choose")
    ledger.close()
    assert found(path) == []
    return path


@pytest.fixture
def copy(honest: Path, tmp_path: Path) -> Path:
    """The same to be tampered with."""
    shutil.copytree(honest.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / honest.name


def looked_at(path: Path) -> Report:
    ledger = reading(path)
    try:
        return audit(ledger)
    finally:
        ledger.close()


def found(path: Path) -> list[str]:
    """What the audit names; or the one sentence with which the file is refused."""
    try:
        return [str(each) for each in looked_at(path).discrepancies]
    except Refused as refused:
        return [str(refused)]


def named(path: Path) -> set[int]:
    return {each.sequence for each in looked_at(path).discrepancies}


def altered(text: str, place: int) -> str:
    """Another character where this one was."""
    return text[:place] + "~" + text[place + 1 :]


# --- entries --------------------------------------------------------------------------------


def test_every_character_of_every_field_of_every_entry_is_held_by_the_chain(honest: Path) -> None:
    head, changes = Head(), 0
    for entry in entries_of(honest):
        assert flaw(entry, "t1", head) == ""
        for name in set(entry.__struct_fields__) - {"moved"}:  # which follows from the event
            value = getattr(entry, name)
            others = (
                [value + 1, value - 1, -value]
                if isinstance(value, int)
                else [altered(value, place) for place in range(len(value))] + [value + " "]
            )
            for other in others:
                assert flaw(replace(entry, **{name: other}), "t1", head)
                changes += 1
        head = Head.of(entry)
    assert changes > 20_000


def anew(honest: Path, copy: Path) -> None:
    """Put the honest files back."""
    for each in (honest, witness_of(honest)):
        shutil.copy(each, copy.parent)


def witness_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.checkpoints")


def change_a_character(path: Path, sequence: int, column: str, rng: random.Random) -> None:
    ((value,),) = sql(path, f"SELECT {column} FROM entries WHERE sequence = ?", sequence)
    other = altered(str(value), rng.randrange(len(str(value)))) if value else "x"
    sql(path, "DROP INDEX commands")  # which would not let a command stand twice
    sql(path, f"UPDATE entries SET {column} = ? WHERE sequence = ?", other, sequence)


def test_a_character_of_any_column_of_an_entry_in_the_file_is_named(
    honest: Path, copy: Path
) -> None:
    rng = random.Random(1)
    for entry in entries_of(honest):
        column = ENTRY_COLUMNS[entry.sequence % len(ENTRY_COLUMNS)]
        change_a_character(copy, entry.sequence, column, rng)
        assert found(copy), f"{column} of {entry.sequence}"
        if column not in ("table_id", "sequence"):
            assert entry.sequence in named(copy), f"{column} of {entry.sequence}"
        anew(honest, copy)


@pytest.mark.slow
def test_a_character_of_every_column_of_every_entry_in_the_file_is_named(
    honest: Path, copy: Path
) -> None:
    rng = random.Random(2)
    for entry in entries_of(honest):
        for column in ENTRY_COLUMNS:
            change_a_character(copy, entry.sequence, column, rng)
            assert found(copy), f"{column} of {entry.sequence}"
            anew(honest, copy)


def test_an_entry_that_is_dropped_is_named(honest: Path, copy: Path) -> None:
    entries = entries_of(honest)
    last_signed = checkpoints_of(honest)[-1]
    for entry in entries:
        sql(copy, "DELETE FROM entries WHERE sequence = ?", entry.sequence)
        behind = entry.sequence == len(entries)  # nothing in the chain follows it
        assert found(copy) or (behind and entry.sequence > last_signed), entry.sequence
        if not behind:
            assert entry.sequence + 1 in named(copy)
        anew(honest, copy)


def test_entries_that_changed_places_are_named(honest: Path, copy: Path) -> None:
    for first in range(1, len(entries_of(honest)), 3):
        change = "UPDATE entries SET sequence = ? WHERE sequence = ?"
        for to, at_ in ((-1, first), (first, first + 1), (first + 1, -1)):
            sql(copy, change, to, at_)
        assert {first, first + 1} <= named(copy)
        anew(honest, copy)


def test_an_entry_that_is_put_in_again_is_named(copy: Path) -> None:
    last = entries_of(copy)[-1]
    again = chained([*entries_of(copy), replace(last, sequence=last.sequence + 1, command_id="x")])
    sql(copy, ENTRY, *astuple(again[-1]))
    assert last.sequence + 1 in named(copy)


def checkpoints_of(path: Path) -> list[int]:
    return [row[0] for row in sql(path, "SELECT sequence FROM checkpoints ORDER BY sequence")]


def cut_off(path: Path, after: int) -> None:
    """Everything behind an entry, in every table, as a thorough attacker would."""
    for name in ("entries", "checkpoints", "snapshots"):
        sql(path, f"DELETE FROM {name} WHERE sequence > ?", after)


def test_an_end_that_was_cut_off_is_named_up_to_the_last_checkpoint(
    honest: Path, copy: Path
) -> None:
    last_signed = checkpoints_of(honest)[-1]
    entries = entries_of(honest)
    assert last_signed < len(entries)
    for length in range(1, len(entries)):
        cut_off(copy, length)
        if length < last_signed:
            assert f"but the ledger ends at {length}." in "\n".join(found(copy))
        elif length + 1 < len(entries) and entries[length].command:
            assert found(copy) == []  # between two commands, behind the last word of the witness
        anew(honest, copy)


def test_a_table_that_was_taken_out_whole_is_named(copy: Path) -> None:
    cut_off(copy, 0)
    sql(copy, "DELETE FROM refusals")
    first, *balances = found(copy)
    assert first == "Table t1: The witness file knows this table; the store does not."
    assert len(balances) == 3
    assert all("the balance was lowered" in each for each in balances)


def rewritten(path: Path, sequence: int) -> None:
    """An entry changed, and every hash behind it made to fit."""
    entries = entries_of(path)
    changed = replace(entries[sequence - 1], actor="player Eve")
    put(path, chained([*entries[: sequence - 1], changed, *entries[sequence:]]))


def test_a_suffix_rewritten_with_hashes_that_fit_is_named_by_the_checkpoints(copy: Path) -> None:
    signed_at = checkpoints_of(copy)
    rewritten(copy, 12)
    sql(copy, "DELETE FROM snapshots")
    assert named(copy) == {sequence for sequence in signed_at if sequence >= 12}
    assert all("says that another entry stood here" in each for each in found(copy))


def test_the_witness_names_it_when_the_stores_checkpoints_were_taken_out(copy: Path) -> None:
    rewritten(copy, 12)
    sql(copy, "DELETE FROM snapshots")
    sql(copy, "DELETE FROM checkpoints")
    sentences = "\n".join(found(copy))
    assert "says that another entry stood here" in sentences
    assert "The store lacks a checkpoint the witness file has." in sentences


def test_checkpoints_signed_by_the_attackers_own_key_are_not_trusted(
    copy: Path, tmp_path: Path
) -> None:
    """Store and witness agree with each other and with the chain; only the key is not ours."""
    rewritten(copy, 12)
    sql(copy, "DELETE FROM snapshots")
    own = Keys(tmp_path / "attacker.keys")
    stood = checkpoints_of(copy)
    made = [signed(own, "t1", Head.of(e)) for e in entries_of(copy) if e.sequence in stood]
    sql(copy, "DELETE FROM checkpoints")
    for each in made:
        sql(copy, CHECKPOINT, *astuple(each))
    witness_of(copy).write_bytes(b"".join(canonical(each) + b"\n" for each in made))
    (sentence,) = found(copy)
    assert f"checkpoints are signed by {own.signing}, a key that is not ours" in sentence


def test_a_snapshot_does_not_follow_a_rewritten_entry(copy: Path) -> None:
    rewritten(copy, 12)
    assert any("A snapshot was taken of another entry" in each for each in found(copy))


# --- movements, snapshots, checkpoints -------------------------------------------------------


MOVED_OTHERWISE: dict[str, Callable[[Transfer], object]] = {
    "a cent more": lambda each: [(each.source, each.target, each.cents + 1)],
    "a cent less": lambda each: [(each.source, each.target, each.cents - 1)],
    "from another": lambda each: [("player:Eve", each.target, each.cents)],
    "to another": lambda each: [(each.source, "player:Eve", each.cents)],
    "twice": lambda each: [each, each],
    "and more": lambda each: [each, ("inventory", "player:Eve", 1)],
    "the other way": lambda each: [(each.source, each.target, -each.cents)],
    "in words": lambda each: [(each.source, each.target, str(each.cents))],
    "to nobody": lambda each: [(each.source, each.cents)],
    "nothing": lambda each: [],
    "not a list": lambda each: {"cents": each.cents},
}


@pytest.mark.parametrize("change", MOVED_OTHERWISE)
def test_money_that_was_moved_otherwise_is_named(honest: Path, copy: Path, change: str) -> None:
    moving = [entry for entry in entries_of(honest) if entry.moved]
    for entry in moving[:: max(1, len(moving) // 6)]:
        first, *rest = entry.transfers()
        altered = encode(MOVED_OTHERWISE[change](first)).decode()
        if rest and altered.startswith("[["):
            altered = altered.removesuffix("]") + "," + encode(rest).decode().removeprefix("[")
        sql(copy, "UPDATE entries SET moved = ? WHERE sequence = ?", altered, entry.sequence)
        assert entry.sequence in named(copy)
        anew(honest, copy)


@pytest.mark.parametrize("moved", ["", " ", "[", "nothing", "[[]]", "5", "null", b"\xff"])
def test_money_that_is_gone_or_cannot_be_read_is_named(
    honest: Path, copy: Path, moved: str | bytes
) -> None:
    for entry in entries_of(honest):
        if entry.moved:
            sql(copy, "UPDATE entries SET moved = ? WHERE sequence = ?", moved, entry.sequence)
            assert entry.sequence in named(copy)
            anew(honest, copy)


def test_money_that_was_put_in_or_is_written_otherwise_is_named(honest: Path, copy: Path) -> None:
    """Also where it says the same: what a player holds is looked up by how it is written."""
    for entry in entries_of(honest):
        moved = entry.moved.replace(",", ", ") if entry.moved else '[["inventory","player:p1",100]]'
        sql(copy, "UPDATE entries SET moved = ? WHERE sequence = ?", moved, entry.sequence)
        assert entry.sequence in named(copy)
        anew(honest, copy)


@pytest.mark.parametrize(
    "change",
    [
        "state = substr(state, 1, 60) || 'AAAA' || substr(state, 65)",
        "state = 'x'",
        "state = ''",
        "hash = state",
        "sequence = sequence + 1",
        "table_id = 't2'",
    ],
)
def test_a_snapshot_that_was_altered_is_named(copy: Path, change: str) -> None:
    sql(copy, f"UPDATE snapshots SET {change} WHERE sequence > 30")
    assert found(copy)


def test_a_snapshot_of_another_state_is_named_though_it_opens(copy: Path) -> None:
    """Sealed with the right key and put in the right place; snapshots may be missing, not wrong."""
    from croupier.ledger import snapshot
    from croupier.ledger.keeper import Keeper

    ledger = at(copy, copy)
    kept = Keeper.resume(ledger, "t1").kept
    (last, hash_) = sql(copy, "SELECT sequence, hash FROM snapshots ORDER BY sequence DESC")[0]
    richer = replace(kept, table=replace(kept.table, inventory=kept.table.inventory + 1))
    forged = snapshot.sealed(ledger.sealer, richer, last, hash_)
    ledger.close()
    sql(copy, "UPDATE snapshots SET state = ? WHERE sequence = ?", forged.state, last)
    assert found(copy) == [f"Table t1, entry {last}: The snapshot is not the table as it was."]
    sql(copy, "DELETE FROM snapshots")
    assert found(copy) == []


@pytest.mark.parametrize(
    "change",
    [
        "hash = '0'",
        "time = '0'",
        "signing_key = '0'",
        "signature = ''",
        "signature = upper(signature)",  # the same bytes, but not what the witness took down
        "signature = substr(signature, 1, 127) || 'x'",
        "sequence = sequence + 1",
        "table_id = 't2'",
    ],
)
def test_a_checkpoint_that_was_altered_is_named(honest: Path, copy: Path, change: str) -> None:
    for sequence in checkpoints_of(honest):
        sql(copy, f"UPDATE checkpoints SET {change} WHERE sequence = ?", sequence)
        assert found(copy), sequence
        anew(honest, copy)


def test_a_checkpoint_that_is_gone_is_named(honest: Path, copy: Path) -> None:
    for sequence in checkpoints_of(honest):
        sql(copy, "DELETE FROM checkpoints WHERE sequence = ?", sequence)
        assert named(copy) == {sequence}
        anew(honest, copy)


# --- the witness file -----------------------------------------------------------------------


def test_every_byte_of_the_witness_file_is_held(honest: Path, copy: Path) -> None:
    """But for the line feed at its very end, which says nothing."""
    lines = witness_of(honest).read_bytes()
    rng = random.Random(3)
    places = rng.sample(range(len(lines) - 1), 100)
    for place in places:
        other = rng.choice([byte for byte in string.printable.encode() if byte != lines[place]])
        changed = lines[:place] + bytes([other]) + lines[place + 1 :]
        witness_of(copy).write_bytes(changed)
        assert found(copy) or read_again(copy) == read_again(honest), place


def read_again(path: Path) -> set[bytes]:
    """What the witness file says, however it is written."""
    ledger = reading(path)
    said = {canonical(each) for each in ledger.witness.all()} if ledger.witness else set()
    ledger.close()
    return said


def test_a_line_of_the_witness_file_that_is_gone_is_named(honest: Path, copy: Path) -> None:
    lines = witness_of(honest).read_bytes().splitlines(keepends=True)
    for at_, sequence in enumerate(checkpoints_of(honest)):
        witness_of(copy).write_bytes(b"".join(lines[:at_] + lines[at_ + 1 :]))
        assert named(copy) == {sequence}


@pytest.mark.parametrize("left", [None, b"", b"\n\n", b"nothing\n"])
def test_a_witness_file_that_says_nothing_is_named(copy: Path, left: bytes | None) -> None:
    if left is None:
        witness_of(copy).unlink()
    else:
        witness_of(copy).write_bytes(left)
    (sentence,) = found(copy)
    assert "evening.db.checkpoints knows none of its" in sentence


def test_the_order_and_torn_lines_of_the_witness_file_make_no_difference(copy: Path) -> None:
    lines = witness_of(copy).read_bytes().splitlines(keepends=True)
    witness_of(copy).write_bytes(b"".join([*lines[::-1], lines[0][:50] + b"\n", lines[0]]))
    assert found(copy) == []


# --- the bytes of the file ------------------------------------------------------------------


def content(file: bytes) -> list[Rows] | None:
    """Every row that anybody reads, or nothing where they cannot all be read."""
    try:
        # A statement that was kept would not look at the declarations in another file.
        with closing(sqlite3.connect(":memory:", cached_statements=0)) as memory:
            memory.deserialize(file)
            return [memory.execute(statement).fetchall() for statement in READ]
    except (sqlite3.Error, UnicodeError):
        return None


def with_small_pages(path: Path) -> None:
    """The same database in one file, with as little unused room in it as can be."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = DELETE")  # else its pages stay as they are
        file.execute("PRAGMA page_size = 512")
        file.execute("VACUUM")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table just opened, with its deck shuffled and a wager made: few and small pages."""
    path: Path = tmp_path_factory.mktemp("small") / "evening.db"
    ledger = at(path, path, snapshot_every=8, checkpoint_every=4)
    evening = opened(ledger, {"rulebook": RIDE, **ONE_DECK})
    assert evening.send(c.StandUp(player("p9"), 1)).refused
    while not evening.table.round:
        evening.step()
    ledger.close()
    with_small_pages(path)
    assert found(path) == []
    return path


def flips(path: Path, places: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """The file with one byte after another turned over, and put back again."""
    whole = path.read_bytes()
    with path.open("r+b", buffering=0) as file:
        for place in places:
            turned = bytes([whole[place] ^ 0xFF])
            file.seek(place)
            file.write(turned)
            yield place, whole[:place] + turned + whole[place + 1 :]
            file.seek(place)
            file.write(whole[place : place + 1])


def see_every_flip(
    path: Path, places: Iterable[int], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """Each flip is named or refused, or it changed nothing that anybody reads."""
    honest = content(path.read_bytes())
    assert honest
    keys = Keys(path.with_name(f"{path.name}.keys"))  # read once: no flip is in them
    monkeypatch.setattr("croupier.ledger.reading.Keys", lambda *_, **__: keys)
    told = unread = 0
    for place, flipped in flips(path, places):
        if content(flipped) == honest:
            unread += 1
        else:
            assert found(path), f"byte {place}"
            told += 1
    assert found(path) == []
    return told, unread


def test_a_byte_turned_over_anywhere_in_the_file_is_named_or_changes_nothing(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(small.parent, tmp_path, dirs_exist_ok=True)
    path = tmp_path / small.name
    written = [place for place, byte in enumerate(path.read_bytes()) if byte]
    rng = random.Random(4)
    places = rng.sample(written, 300) + rng.sample(range(path.stat().st_size), 100)
    told, unread = see_every_flip(path, places, monkeypatch)
    assert told + unread == 400
    assert told > 250


@pytest.mark.slow
def test_every_byte_of_the_file_turned_over_is_named_or_changes_nothing(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(small.parent, tmp_path, dirs_exist_ok=True)
    path = tmp_path / small.name
    size = path.stat().st_size
    told, unread = see_every_flip(path, range(size), monkeypatch)
    assert told + unread == size
