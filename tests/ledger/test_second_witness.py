"""A second witness: it gets everything in the end, holds up nobody, and may be behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from engine_driver import ONE_DECK
from forger import sql
from helpers import RIDE
from ledger_driver import at, opened

from croupier.law.refused import Refused
from croupier.ledger.administration import AccountAdded, Administration
from croupier.ledger.audit import Report, audit
from croupier.ledger.checkpoint import Checkpoint, Witness
from croupier.ledger.evidence import evidence
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.second_witness import AT_ONCE, FileTarget, SecondWitness, target
from croupier.ledger.sql import ROOM

HOUSE = {"rulebook": RIDE, **ONE_DECK}


class Unreliable:
    """A target that is away when told to."""

    name = "The witness elsewhere"

    def __init__(self) -> None:
        self.away = False
        self.sent: list[list[Checkpoint]] = []

    def heads(self) -> dict[str, int]:
        self._there()
        return {each.table: each.sequence for part in self.sent for each in part}

    def add(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._there()
        self.sent.append(list(checkpoints))

    def all(self) -> Iterable[Checkpoint]:
        return [each for part in self.sent for each in part]

    def _there(self) -> None:
        if self.away:
            raise OSError("no route to host")


def stored(ledger: Ledger, table: str = "t1") -> list[Checkpoint]:
    return list(ledger.store.checkpoints(table))


def test_it_gets_every_checkpoint_of_every_table_and_of_the_room(in_file: Ledger) -> None:
    administration = Administration(in_file.store, in_file.keys, entropy=in_file.entropy)  # type: ignore[arg-type]
    administration.record("room", [AccountAdded("Ann", "player", False, "x")])
    opened(in_file, HOUSE).rounds(2)
    there = Unreliable()
    second = SecondWitness(in_file.store, there)
    assert second.lag() == 3
    assert second.send()
    assert second.lag() == 0
    assert set(there.all()) == {*stored(in_file), *stored(in_file, ROOM)}


def test_what_was_missed_is_sent_when_the_witness_is_there_again(in_file: Ledger) -> None:
    there = Unreliable()
    second = SecondWitness(in_file.store, there)
    assert in_file.witness
    in_file.witness.followers.append(second.heard)
    evening = opened(in_file, HOUSE).rounds(1)
    assert second.send()
    there.away = True
    evening.rounds(3)  # nobody at the table notices
    assert not second.send()
    assert "no route" in second.trouble
    assert second.lag() == len(stored(in_file)) - 1
    there.away = False
    assert second.send()
    assert second.trouble == ""
    assert list(there.all()) == stored(in_file)


def test_a_long_gap_is_sent_in_parts_and_memory_holds_names_only(in_file: Ledger) -> None:
    there = Unreliable()
    second = SecondWitness(in_file.store, there)
    ledger = in_file
    ledger.checkpoint_every = 1
    opened(ledger, HOUSE).rounds(3)
    many = len(stored(ledger))
    assert many > AT_ONCE
    for _ in range(100):
        second.heard(stored(ledger))
    assert second._waiting == {"t1", ROOM}
    assert second.send()
    assert all(len(part) <= AT_ONCE for part in there.sent)
    assert list(there.all()) == stored(ledger)


def test_the_thread_sends_by_itself(in_file: Ledger, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "copy.checkpoints"
    copy.parent.mkdir()
    second = in_file.also_tell(str(copy))
    opened(in_file, HOUSE).rounds(2)
    for _ in range(2_000):
        if second.lag() == 0 and stored(in_file):
            break
        second._wake.set()
        second._thread.join(0.01)
    assert set(Witness(copy).all()) == set(stored(in_file))


def test_a_folder_that_is_not_there_fails_no_table(in_file: Ledger, tmp_path: Path) -> None:
    second = in_file.also_tell(str(tmp_path / "nowhere" / "copy"))
    opened(in_file, HOUSE).rounds(1)
    second.close()
    assert not second.send() or second.lag() == len(stored(in_file))


@pytest.mark.parametrize("url", ["http://", "https://x", "https://x/api/witness/a?b=1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Refused, match="HOST"):
        target(url)


# --- the audit with further witnesses -----------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A ledger, a witness elsewhere, and an older copy of that."""
    path, copy, older = (tmp_path / name for name in ("evening.db", "copy", "older"))
    ledger = at(path, path, checkpoint_every=10)
    ledger.also_tell(str(copy)).close()
    second = SecondWitness(ledger.store, FileTarget(copy))
    assert ledger.witness
    ledger.witness.followers.append(second.heard)
    evening = opened(ledger, HOUSE).rounds(1)
    assert second.send()
    older.write_bytes(copy.read_bytes())
    evening.rounds(2)
    assert second.send()
    ledger.close()
    return path, copy, older


def looked_at(path: Path, *witnesses: Path) -> Report:
    ledger = reading(path)
    try:
        return audit(ledger, witnesses=[evidence(str(each)) for each in witnesses])
    finally:
        ledger.close()


def test_a_whole_copy_and_an_older_one_raise_no_alarm(kept: tuple[Path, Path, Path]) -> None:
    path, copy, older = kept
    report = looked_at(path, copy, older)
    assert report.discrepancies == []
    (note,) = report.notes
    assert note.startswith(f"The witness {older} lags by ")


def cut(path: Path) -> int:
    """The end of the ledger and of its own witness, as somebody with both would."""
    lines = path.with_name(f"{path.name}.checkpoints").read_bytes().splitlines(keepends=True)
    ((middle,),) = sql(path, "SELECT min(sequence) FROM checkpoints")
    for name in ("entries", "checkpoints", "snapshots"):
        sql(path, f"DELETE FROM {name} WHERE sequence > ?", middle)
    path.with_name(f"{path.name}.checkpoints").write_bytes(lines[0])
    return int(middle)


def test_a_tail_cut_from_store_and_witness_is_named_by_the_second_one(
    kept: tuple[Path, Path, Path],
) -> None:
    path, copy, older = kept
    end = cut(path)
    assert looked_at(path).discrepancies == []  # nothing here knows better
    for each in (copy, older):
        said = [str(found) for found in looked_at(path, each).discrepancies]
        assert said
        assert all(f"A signed checkpoint in The witness {each} stands here" in x for x in said)
        assert all(f"the ledger ends at {end}" in x for x in said)


def test_a_table_the_store_has_lost_is_named_by_the_second_witness(
    kept: tuple[Path, Path, Path],
) -> None:
    path, copy, _ = kept
    for name in ("entries", "checkpoints", "snapshots", "refusals", "purses"):
        sql(path, f"DELETE FROM {name}")
    path.with_name(f"{path.name}.checkpoints").unlink()
    (said,) = looked_at(path, copy).discrepancies
    assert str(said) == f"Table t1: The witness {copy} knows this table; the store does not."


def test_a_copy_signed_by_other_keys_is_named(
    kept: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    path, _, _ = kept
    other = at(tmp_path / "other.db", tmp_path / "other.db", seed=9)
    opened(other, HOUSE).rounds(1)
    other.close()
    report = looked_at(path, tmp_path / "other.db.checkpoints")
    assert any("a key that is not ours to check" in str(each) for each in report.discrepancies)


def test_a_witness_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no witness file"):
        evidence(str(tmp_path / "nothing"))
