"""Whatever the umask, nobody but its owner can read what a room writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command import croupier
from room_driver import Running, running
from two_rooms import Several, wait_until

from croupier.ledger.outside import make_private, open_private, private_folder


@contextmanager
def umask(value: int) -> Iterator[None]:
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    found = [folder, *folder.rglob("*")]
    return {str(each.relative_to(folder.parent)): each.stat().st_mode & 0o777 for each in found}


def wider(found: dict[str, int]) -> list[str]:
    """Those others may look into."""
    return [name for name, mode in found.items() if mode & 0o077]


def play(room: Running) -> None:
    player = room.guest().connect()
    player.look("uth-1")
    player.sit("uth-1", 1)
    player.bet("uth-1")
    player.play("uth-1")
    player.disconnect()


@pytest.mark.parametrize("value", [0o000, 0o022])
def test_every_file_of_a_room_is_its_owners(tmp_path: Path, value: int) -> None:
    data = tmp_path / "some" / "where" / "room"
    with umask(value):
        with running(data) as room:
            play(room)
            during = modes(tmp_path / "some")
            files = [name.rpartition("/")[2] for name in during]
            assert {"croupier.db", "croupier.db-wal", "croupier.db-shm"} <= set(files)
            assert {"croupier.db.lock", "croupier.db.checkpoints", "croupier.db.keys"} <= set(files)
        out = tmp_path / "some" / "exported"
        ran = croupier("export", "--store", str(data / "croupier.db"), "--out", str(out))
        assert ran.code == 0
        for form in ("csv", "parquet"):
            again = ("--store", str(data / "croupier.db"), "--out", str(out), "--format", form)
            assert croupier("export", *again).code == 0
    assert wider(during) == []
    assert wider(modes(tmp_path / "some")) == []


def test_every_file_of_several_processes_is_their_owners(tmp_path: Path) -> None:
    data = tmp_path / "room"
    with umask(0o000):
        room = Several(data)
        try:
            wait_until(lambda: bool(room.started))
            during = modes(data)
        finally:
            room.close()
    assert {"room/croupier.db.neighbours", "room/croupier.db.queue"} <= set(during)
    assert wider(during) == []


def test_a_umask_that_takes_everything_away_does_not_lock_the_owner_out(tmp_path: Path) -> None:
    with umask(0o777):
        private_folder(tmp_path / "a" / "b")
        make_private(tmp_path / "a" / "b" / "file")
    found = modes(tmp_path / "a")
    assert found == {"a": 0o700, "a/b": 0o700, "a/b/file": 0o600}


def test_a_file_that_is_there_keeps_its_mode_and_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    path.chmod(0o640)
    os.close(open_private(path, os.O_RDWR | os.O_CREAT))
    assert path.read_text() == "mine"
    assert path.stat().st_mode & 0o777 == 0o640
