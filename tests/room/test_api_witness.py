"""A room that keeps the checkpoints of another."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from engine_driver import ONE_DECK
from forger import sql
from helpers import RIDE
from ledger_driver import at, opened
from msgspec.structs import replace
from room_driver import Running, running

from croupier.law.refused import Refused
from croupier.ledger.audit import audit
from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint, signed
from croupier.ledger.evidence import evidence
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.second_witness import AT_ONCE, SecondWitness, target
from croupier.room.api.witness import FILE, PAGE, Archive, pinned_keys

HOUSE = {"rulebook": RIDE, **ONE_DECK}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Of the other room."""
    return Keys(Path(tmp_path_factory.mktemp("other")) / "house.db.keys")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, keys: Keys) -> Iterator[Running]:
    kept = (f"atlantic={keys.public[keys.signing].hex()}",)
    with running(Path(tmp_path_factory.mktemp("room")), witness_for=kept) as there:
        yield there


@pytest.fixture
def ledger(keys: Keys) -> Iterator[Ledger]:
    path = keys.folder.with_name("house.db")
    there = at(path, path, checkpoint_every=5)
    yield there
    there.close()


def url(room: Running, name: str = "atlantic") -> str:
    return f"{room.origin}/api/witness/{name}"


def post(room: Running, *checkpoints: Checkpoint, name: str = "atlantic") -> tuple[int, str]:
    said = {"checkpoints": msgspec.to_builtins(checkpoints)}
    answer = room.client().post(url(room, name), json=said)
    return answer.status_code, answer.json().get("error", {}).get("code", "")


def some(keys: Keys, sequence: int = 7, table: str = "t7") -> Checkpoint:
    return signed(keys, table, Head(sequence, "ab" * 32, "2025-03-14T20:00:00.000000Z"))


def test_checkpoints_of_another_room_are_kept_and_hold_against_a_cut_tail(
    room: Running, ledger: Ledger
) -> None:
    evening = opened(ledger, HOUSE).rounds(2)
    there = target(url(room))
    second = SecondWitness(ledger.store, there)
    assert second.send()
    assert second.lag() == 0
    assert there.heads()["t1"] == list(ledger.store.checkpoints("t1"))[-1].sequence
    again = SecondWitness(ledger.store, there)  # after a restart nothing is sent twice
    assert again.send()
    evidenced = evidence(url(room))
    assert {each for each in evidenced.said if each.table == "t1"} == set(
        ledger.store.checkpoints("t1")
    )
    path = ledger.keys.folder.with_name("house.db")
    looked = reading(path)
    report = audit(looked, witnesses=[replace(evidenced, said=of_t1(evidenced.said))])
    looked.close()
    assert report.discrepancies == []
    end = 10
    for name in ("entries", "checkpoints", "snapshots"):
        sql(path, f"DELETE FROM {name} WHERE sequence > ?", end)
    looked = reading(path)
    report = audit(looked, witnesses=[replace(evidenced, said=of_t1(evidenced.said))])
    looked.close()
    assert any(f"the ledger ends at {end}" in str(each) for each in report.discrepancies)
    assert evening.table.rounds == 2


def of_t1(said: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
    return tuple(each for each in said if each.table == "t1")


def test_what_a_pinned_key_did_not_sign_is_not_kept(
    room: Running, keys: Keys, tmp_path: Path
) -> None:
    eve = Keys(tmp_path / "eve")
    genuine = some(keys, table="t8")
    for wrong in (
        some(eve, table="t8"),
        replace(genuine, sequence=8),
        replace(genuine, signature="00" * 64),
        replace(genuine, signature="no hexadecimal"),
        replace(genuine, key=eve.signing),
        replace(genuine, table="x" * 200),
    ):
        assert post(room, genuine, wrong) == (422, "NOT_GENUINE")
    assert "t8" not in target(url(room)).heads()  # all or nothing


def test_the_same_is_kept_once_and_another_at_the_same_place_too(room: Running, keys: Keys) -> None:
    first = some(keys, table="t9")
    other = signed(keys, "t9", Head(7, "cd" * 32, first.time))
    for each in (first, first, other, first):
        assert post(room, each)[0] == 200
    kept = [each for each in target(url(room)).all() if each.table == "t9"]
    assert kept == [first, other]  # a key that signed twice at one place is evidence too


def test_too_many_at_once_and_too_long_are_refused(room: Running, keys: Keys) -> None:
    assert post(room, *[some(keys)] * (AT_ONCE + 1)) == (422, "TOO_LONG")
    assert room.client().post(url(room), content=b"x" * 100_000).status_code == 413
    assert room.client().post(url(room), content=b"{").status_code == 400


def test_a_name_nobody_pinned_is_not_there(room: Running, keys: Keys) -> None:
    assert post(room, some(keys), name="pacific") == (404, "NO_SUCH_WITNESS")
    assert room.client().get(url(room, "pacific")).status_code == 404


def test_a_room_that_was_not_told_to_keeps_nothing(tmp_path: Path, keys: Keys) -> None:
    with running(tmp_path) as closed:
        assert post(closed, some(keys)) == (404, "NO_SUCH_WITNESS")
        assert not (tmp_path / FILE).exists()


def test_many_are_read_page_by_page(tmp_path: Path, keys: Keys) -> None:
    archive = Archive(tmp_path / FILE)
    one = some(keys)
    many = [replace(one, sequence=n) for n in range(1, PAGE + 4)]
    assert archive.add("atlantic", many) == PAGE + 3
    assert archive.add("atlantic", many) == 0
    assert archive.add("pacific", many[:1]) == 1
    first = archive.page("atlantic", 0)
    rest = archive.page("atlantic", first.next)
    assert first.checkpoints + rest.checkpoints == many
    assert rest.next == 0
    assert archive.heads("atlantic") == {"t7": PAGE + 3}
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_the_archive_is_bounded(tmp_path: Path, keys: Keys) -> None:
    archive = Archive(tmp_path / FILE, most=5)
    one = some(keys)
    archive.add("atlantic", [replace(one, sequence=n) for n in range(5)])
    with pytest.raises(Refused, match="no more room"):
        archive.add("atlantic", [replace(one, sequence=9)])
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        assert file.execute("SELECT count(*) FROM witnessed").fetchone() == (5,)


@pytest.mark.parametrize("said", ["", "atlantic", "atlantic=xy", "a b=" + "ab" * 32, "a=" + "ab"])
def test_an_option_that_names_no_key_is_refused(said: str) -> None:
    with pytest.raises(Refused, match="--witness-for"):
        pinned_keys((said,))
