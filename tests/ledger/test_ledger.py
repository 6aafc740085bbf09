"""Where a ledger is opened, what lies beside it, and what shows that it was cut off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from engine_driver import ONE_DECK
from helpers import NJ_UTH
from ledger_driver import at, opened

from croupier.law.refused import Refused
from croupier.ledger.chain import Head, follow
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.postgres import PostgresStore
from croupier.ledger.sqlite import SqliteStore
from croupier.table import commands as c
from croupier.table.commands import SUPERVISOR

HOUSE = {"rulebook": NJ_UTH, **ONE_DECK}


def test_a_path_opens_sqlite_with_its_keys_and_checkpoints_beside_it(tmp_path: Path) -> None:
    for where in (tmp_path / "a.db", f"sqlite:///{tmp_path / 'a.db'}", str(tmp_path / "a.db")):
        ledger = Ledger.at(where)
        assert isinstance(ledger.store, SqliteStore)
        assert ledger.keys.folder == tmp_path / "a.db.keys"
        assert ledger.witness is not None
        assert ledger.witness.path == tmp_path / "a.db.checkpoints"
        ledger.close()


def test_postgres_is_opened_by_its_dsn_and_needs_a_place_for_keys(
    postgres: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match="needs a place on disk for its keys"):
        Ledger.at(postgres)
    ledger = Ledger.at(postgres, beside=tmp_path / "atlantic")
    assert isinstance(ledger.store, PostgresStore)
    assert ledger.keys.folder == tmp_path / "atlantic.keys"
    ledger.close()


def test_with_the_real_clock_and_entropy_it_works_too(tmp_path: Path) -> None:
    ledger = Ledger.at(tmp_path / "a.db")
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    assert Keeper.resume(ledger, "t1").kept == evening.keeper.kept
    seeds = {evening.keeper.kept.shuffles.promised.seed}  # type: ignore[union-attr]
    other = Keeper.open(ledger, "t2", HOUSE, 0)
    assert other.kept.shuffles.promised is not None
    assert other.kept.shuffles.promised.seed not in seeds
    ledger.close()


def test_without_its_keys_a_ledger_does_not_open_and_no_table_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    ledger = at(path, path)
    opened(ledger, HOUSE)
    ledger.close()
    shutil.rmtree(f"{path}.keys")
    with pytest.raises(Refused, match="sealing key"):
        Keeper.resume(at(path, path, seed=2), "t1")


# --- what a chain does not see ----------------------------------------------------------------


def test_a_ledger_cut_off_is_seen_by_its_witness(ledger: Ledger) -> None:
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    keeper = Keeper.resume(ledger, "t1")
    store: Any = ledger.store
    store._commit([("DELETE FROM entries WHERE sequence > ?", (keeper.head.sequence - 5,))])
    list(follow(ledger.store.read("t1"), "t1", Head()))  # the chain sees nothing
    with pytest.raises(Refused, match="it was cut off, or an old copy was put back"):
        Keeper.resume(ledger, "t1")


def test_an_old_copy_put_back_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    ledger = at(path, path)
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    ledger.close()
    shutil.copyfile(path, tmp_path / "old.db")
    ledger = at(path, path, seed=2)
    evening = type(evening)(Keeper.resume(ledger, "t1"), seed=9)
    evening.commands = [c.FillInventory(SUPERVISOR, 1)] * 1_000  # ids go on
    evening.rounds(1)
    ledger.close()
    shutil.copyfile(tmp_path / "old.db", path)
    with pytest.raises(Refused, match="old copy was put back"):
        Keeper.resume(at(path, path), "t1")


def test_a_checkpoint_nobody_of_ours_signed_frightens_nobody(in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE)
    evening.rounds(1)
    assert in_file.witness is not None
    last = in_file.witness.latest("t1")
    assert last is not None
    with in_file.witness.path.open("ab") as file:
        line = in_file.witness.path.read_bytes().splitlines()[-1]
        file.write(line.replace(b'"sequence":', b'"sequence":9') + b"\n")
    assert Keeper.resume(in_file, "t1").kept == evening.keeper.kept


# --- kill -9 ----------------------------------------------------------------------------------

PLAY = """
import sys
from pathlib import Path
from ledger_driver import KeptEvening
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger

where, beside, group = sys.argv[1], Path(sys.argv[2]), sys.argv[3] == "group"
ledger = Ledger.at(where, beside=beside, group=group)
evening = KeptEvening(Keeper.open(ledger, "t1", {house}, 1_000_000_00))
evening.keeper.subscribe(lambda answer, table: print(answer.command_id, answer.first, flush=True))
evening.arrive()
evening.rounds(1_000_000)
"""


@pytest.mark.parametrize("group", ["alone", "group"])
def test_what_was_acknowledged_before_kill_9_is_there_afterwards(
    where: str, beside: Path, group: str
) -> None:
    tests = str(Path(__file__).resolve().parents[1])
    program = PLAY.replace("{house}", repr(HOUSE))
    process = subprocess.Popen(
        [sys.executable, "-c", program, where, str(beside), group],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": tests},
    )
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().split() for _ in range(150)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    acknowledged += [line.split() for line in process.stdout if line.endswith("\n")]
    ledger = Ledger.at(where, beside=beside)
    keeper = Keeper.resume(ledger, "t1")
    for command_id, first in acknowledged:
        found = ledger.store.find("t1", command_id)
        assert isinstance(found, tuple)
        assert found[0].sequence == int(first)
    answered = {entry.command_id for entry in ledger.store.read("t1")} - {"open"}
    assert len(answered) - len(acknowledged) in (0, 1)  # one may have been on its way
    assert keeper.table.rounds >= 3
    keeper.execute(c.FillInventory(SUPERVISOR, 1), "after")
    list(follow(ledger.store.read("t1"), "t1", Head()))
    ledger.close()
