"""Backups: one moment of either store, restored into either, whole or not at all; an older copy is
noticed, and accepted only by somebody who says so."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from command import croupier
from forger import made_older
from helpers import NJ_UTH
from ledger_driver import KeptEvening, at, opened
from postgres_server import fresh_schema
from room_driver import running

from croupier.cli.place_options import schemas
from croupier.law.refused import Refused
from croupier.ledger.archive import Archive
from croupier.ledger.audit import audit
from croupier.ledger.backup import backup, backup_keys
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.losses import accepted
from croupier.ledger.place import FILE, Place
from croupier.ledger.reading import reading
from croupier.ledger.restoring import Lost, Restored, accept_copy, restore_backup
from croupier.ledger.schema import MIGRATIONS

HOUSE = {"rulebook": NJ_UTH}


class Kept:
    """A ledger with an evening in it, and what was written out of it."""

    def __init__(self, where: str, folder: Path) -> None:
        self.place = Place(where, folder / FILE)
        self.folder = folder
        self.file, self.keys = folder / "evening.backup", folder / "evening.keys"
        self.ledger = at(where, self.place.base)
        self.evening: KeptEvening = opened(self.ledger, HOUSE)

    def play(self, rounds: int) -> None:
        self.evening.unruly(rounds)
        self.evening.keeper.flush()

    def backup(self, file: Path | None = None) -> dict[str, int]:
        view = reading(self.place.where, self.place.base)
        try:
            return backup(view.view, schemas(), file or self.file)
        finally:
            view.close()

    def restore(self, place: Place, **more: Any) -> Restored:
        if not self.keys.exists():
            backup_keys(self.place.keys, self.keys)
        return restore_backup(self.file, place, schemas(), keys=self.keys, **more)


@pytest.fixture
def evening(where: str, tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(where, tmp_path)
    yield kept
    kept.ledger.close()


@pytest.fixture
def in_a_file(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(str(tmp_path / FILE), tmp_path)
    yield kept
    kept.ledger.close()


@pytest.fixture(params=["sqlite", "postgres"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place, once for each kind of store."""
    base = tmp_path / "elsewhere" / FILE
    base.parent.mkdir()
    if request.param == "sqlite":
        return Place(str(base), base)
    return Place(fresh_schema(request.getfixturevalue("server")), base)


@contextmanager
def looking(place: Place) -> Iterator[Ledger]:
    looked = reading(place.where, place.base)
    try:
        yield looked
    finally:
        looked.close()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# --- there and back -------------------------------------------------------------------------


def test_either_store_is_restored_into_either_as_it_was_at_one_moment(
    evening: Kept, elsewhere: Place
) -> None:
    evening.play(3)
    then = evening.evening.keeper.kept
    rows = evening.backup()
    evening.play(1)  # it goes on, and is not in the backup
    done = evening.restore(elsewhere)
    assert done.rows == {table: many for table, many in rows.items() if many}
    assert rows["entries"] > 50
    assert (done.losses, done.report.discrepancies, done.report.unchecked) == ([], [], [])
    assert done.report.rounds == 3
    again = at(elsewhere.where, elsewhere.base)
    assert Keeper.resume(again, "t1").kept == then
    again.close()


def test_a_backup_made_during_play_is_one_moment(tmp_path: Path, where: str) -> None:
    data = tmp_path / "room"
    store = where if where.startswith("postgres") else ""
    over = Event()
    with running(data, store=store) as room:
        player = room.guest().connect()
        player.look("uth-1")
        player.sit("uth-1", 1)

        def play() -> None:
            while not over.is_set():
                player.bet("uth-1")
                player.play("uth-1")
                player.until_may("uth-1", "PlaceWagers")

        playing = Thread(target=play)
        playing.start()
        try:
            for number in range(3):
                at_ = ("--store", store) if store else ()
                out = tmp_path / f"{number}.backup"
                ran = croupier("backup", "--out", str(out), "--data", str(data), *at_)
                assert ran.code == 0, ran.err
        finally:
            over.set()
            playing.join(60)
        player.disconnect()
        keys = tmp_path / "keys"
        backup_keys(Place(where, data / FILE).keys, keys)
    for number in range(3):
        to = tmp_path / f"restored-{number}"
        file = str(tmp_path / f"{number}.backup")
        ran = croupier("restore", file, "--data", str(to), "--keys", str(keys))
        assert ran.code == 0, ran.out + ran.err
        assert "everything agrees" in ran.out
        with running(to) as room, room.client() as client:  # and it opens
            assert client.get("/health").json()["tables"] == 5


def test_nobody_who_was_logged_in_is_so_after_a_restore(tmp_path: Path) -> None:
    with running(tmp_path / "room") as room:
        room.guest()
        out = str(tmp_path / "out")
        assert croupier("backup", "--out", out, "--data", str(tmp_path / "room")).code == 0
    text = gzip.decompress(Path(out).read_bytes()).decode()
    assert '"table":"people"' in text
    for gone in ("sessions", "tickets", "links", "devices"):
        assert f'"table":"{gone}"' not in text


def test_a_backup_holds_no_key_and_no_file_can_be_read_by_others(in_a_file: Kept) -> None:
    in_a_file.play(1)
    before = os.umask(0)
    try:
        in_a_file.backup()
        place = Place(*[in_a_file.folder / "new" / FILE] * 2)
        in_a_file.restore(Place(str(place.base), place.base))
    finally:
        os.umask(before)
    text = gzip.decompress(in_a_file.file.read_bytes())
    for key in in_a_file.place.keys.glob("*.key"):
        assert key.read_bytes() not in text
    assert mode(in_a_file.file) == mode(in_a_file.keys) == mode(place.base) == 0o600
    assert mode(place.base.parent) == mode(place.keys) == 0o700
    assert {mode(each) for each in place.keys.iterdir()} == {0o600}


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_a_store_of_an_older_version_is_restored_and_brought_forward(
    evening: Kept, elsewhere: Place, version: int
) -> None:
    evening.play(1)
    then = evening.evening.keeper.kept
    evening.ledger.close()
    made_older(evening.place.where, version, evening.place.base)
    evening.backup()
    assert Archive(evening.file).header.versions == {"migrations": version}
    assert evening.restore(elsewhere).report.discrepancies == []
    again = at(elsewhere.where, elsewhere.base)
    assert Keeper.resume(again, "t1").kept == then
    again.close()


# --- nothing is overwritten, and nothing half done --------------------------------------------


def test_nothing_that_is_there_is_overwritten(evening: Kept, elsewhere: Place) -> None:
    evening.play(1)
    evening.file.write_text("mine")
    with pytest.raises(Refused, match="is there already"):
        evening.backup()
    assert evening.file.read_text() == "mine"
    evening.file.unlink()
    evening.backup()
    with pytest.raises(Refused, match="already"):
        evening.restore(evening.place)
    evening.restore(elsewhere)
    with pytest.raises(Refused, match="already"):
        evening.restore(elsewhere)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_log_of_another_file_is_not_applied_to_the_restored_one(
    ending: str, in_a_file: Kept
) -> None:
    in_a_file.play(1)
    in_a_file.backup()
    base = in_a_file.folder / "new.db"
    base.with_name(f"new.db{ending}").write_bytes(b"of another database")
    with pytest.raises(Refused, match=f"new.db{ending} is there already"):
        in_a_file.restore(Place(str(base), base))
    assert not base.exists()


def test_a_damaged_backup_restores_nothing(in_a_file: Kept, elsewhere: Place) -> None:
    in_a_file.play(1)
    in_a_file.backup()
    whole = in_a_file.file.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    middle = len(lines) // 2
    altered = lines[middle].replace(b"1", b"2", 1)
    for wrong in (
        whole[:-20],
        whole[: len(whole) // 2],
        b"not a backup",
        b"",
        gzip.compress(b"".join(lines[:-1])),
        gzip.compress(b"".join([*lines[:middle], *lines[middle + 1 :]])),
        gzip.compress(b"".join([*lines[:middle], altered, *lines[middle + 1 :]])),
        gzip.compress(b"".join([*lines, b"more\n"])),
        gzip.compress(lines[0].replace(b'"version":1', b'"version":9') + b"".join(lines[1:])),
    ):
        in_a_file.file.write_bytes(wrong)
        with pytest.raises(Refused):
            in_a_file.restore(elsewhere)
        assert list(elsewhere.base.parent.iterdir()) == []
    in_a_file.file.write_bytes(whole)
    in_a_file.restore(elsewhere)


def test_a_backup_of_a_newer_croupier_is_refused(in_a_file: Kept, elsewhere: Place) -> None:
    in_a_file.backup()
    lines = gzip.decompress(in_a_file.file.read_bytes()).splitlines(keepends=True)
    header = json.loads(lines[0])
    header["versions"]["migrations"] = 99
    in_a_file.file.write_bytes(gzip.compress(json.dumps(header).encode() + b"\n"))
    with pytest.raises(Refused):
        in_a_file.restore(elsewhere)


def test_without_its_keys_a_backup_is_not_restored(in_a_file: Kept, elsewhere: Place) -> None:
    in_a_file.backup()
    with pytest.raises(Refused, match="give their backup with --keys"):
        restore_backup(in_a_file.file, elsewhere, schemas())
    assert list(elsewhere.base.parent.iterdir()) == []


# --- an older copy ----------------------------------------------------------------------------


def test_an_older_backup_is_restored_in_place_only_by_whoever_accepts_the_loss(
    in_a_file: Kept,
) -> None:
    in_a_file.play(2)
    kept = in_a_file.evening.keeper.head
    in_a_file.backup()
    in_a_file.play(2)
    in_a_file.ledger.close()
    last = in_a_file.place.witness.latest("t1")
    assert last
    in_a_file.place.base.unlink()
    with pytest.raises(Lost) as refused:
        in_a_file.restore(in_a_file.place)
    sentence = (
        f"Table t1 ends at entry {kept.sequence}, but entry {last.sequence} was signed: "
        f"{kept.sequence + 1} to {last.sequence} are lost"
    )
    assert str(refused.value).startswith(sentence)
    assert "--accept-loss" in str(refused.value)
    assert not in_a_file.place.base.exists()
    done = in_a_file.restore(in_a_file.place, accept_loss=True)
    assert [str(each) for each in done.losses] == [f"{sentence}."]
    assert done.report.discrepancies == []
    assert len(done.report.restored) == 1
    goes_on(in_a_file, sentence)


def goes_on(kept: Kept, sentence: str) -> None:
    """The table opens and is played at; the audit names the loss, and nothing else."""
    for seed in (5, 6):
        again = at(kept.place.where, kept.place.base, seed=seed)
        keeper = Keeper.resume(again, "t1")
        evening = KeptEvening(keeper, seed=seed)
        evening.commands = [None] * (1_000 * seed)  # type: ignore[list-item]  # ids of its own
        evening.unruly(3)
        keeper.flush()
        again.close()
        with looking(kept.place) as looked:
            report = audit(looked)
        assert report.discrepancies == []
        assert [each.split("; accepted ")[0] for each in report.restored] == [sentence]


def test_an_older_copy_put_back_by_hand_is_refused_until_it_is_accepted(
    in_a_file: Kept,
) -> None:
    in_a_file.play(2)
    in_a_file.ledger.close()
    shutil.copy(in_a_file.place.base, in_a_file.folder / "copy")
    in_a_file.ledger = at(in_a_file.place.where, in_a_file.place.base, seed=2)
    in_a_file.evening = KeptEvening(Keeper.resume(in_a_file.ledger, "t1"), seed=3)
    in_a_file.evening.commands = [None] * 1_000  # type: ignore[list-item]
    in_a_file.play(2)
    in_a_file.ledger.close()
    shutil.copy(in_a_file.folder / "copy", in_a_file.place.base)
    opened_again = at(in_a_file.place.where, in_a_file.place.base)
    with pytest.raises(Refused, match=r"`croupier restore --accept-loss` records it"):
        Keeper.resume(opened_again, "t1")
    opened_again.close()
    with pytest.raises(Lost):
        accept_copy(in_a_file.place, schemas())
    done = accept_copy(in_a_file.place, schemas(), accept_loss=True)
    assert done.report.discrepancies == []
    goes_on(in_a_file, str(done.losses[0]).removesuffix("."))
    assert accept_copy(in_a_file.place, schemas()).losses == []  # nothing is left to accept


def test_a_table_the_copy_does_not_know_is_lost_whole(in_a_file: Kept) -> None:
    in_a_file.play(1)
    in_a_file.backup()
    later = opened(in_a_file.ledger, HOUSE, name="t2")
    later.unruly(1)
    later.keeper.flush()
    in_a_file.ledger.close()
    in_a_file.place.base.unlink()
    with pytest.raises(Lost, match=r"Table t2 is not there, but entry \d+ was signed: 1 to"):
        in_a_file.restore(in_a_file.place)
    done = in_a_file.restore(in_a_file.place, accept_loss=True)
    assert done.report.discrepancies == []


def test_a_copy_of_the_witness_file_tells_at_another_place(
    in_a_file: Kept, elsewhere: Place, tmp_path: Path
) -> None:
    in_a_file.play(1)
    in_a_file.backup()
    in_a_file.play(1)
    copy = tmp_path / "witness"
    shutil.copy(in_a_file.place.witness.path, copy)
    with pytest.raises(Lost, match="are lost"):
        in_a_file.restore(elsewhere, witnesses=[copy])
    assert list(elsewhere.base.parent.iterdir()) == []
    done = in_a_file.restore(elsewhere, witnesses=[copy], accept_loss=True)
    assert len(done.losses) == 1
    assert done.report.discrepancies == []


def test_a_loss_that_none_of_our_keys_signed_excuses_nothing(in_a_file: Kept) -> None:
    in_a_file.play(1)
    in_a_file.backup()
    in_a_file.play(1)
    in_a_file.ledger.close()
    in_a_file.place.base.unlink()
    in_a_file.restore(in_a_file.place, accept_loss=True)
    notes = in_a_file.place.witness.path.with_suffix(".restored")
    assert mode(notes) == 0o600
    note = json.loads(notes.read_text())
    for changed in (
        {"kept": note["kept"] - 1},
        {"accepted": "2999-01-01T00:00:00.000000Z"},
        {"signature": "00" * 64},
        {"key": "0" * 16},
        {"table": "t2"},
    ):
        notes.write_text(json.dumps({**note, **changed}) + "\n")
        with looking(in_a_file.place) as looked:
            assert accepted(looked.witness, looked.keys) == []
            assert audit(looked).discrepancies != []
    notes.unlink()
    with looking(in_a_file.place) as looked:
        assert audit(looked).discrepancies != []
