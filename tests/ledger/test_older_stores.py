"""A store of before the administration chain: read as it is, brought forward, audited."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from forger import sql
from ledger_driver import KeptEvening

from croupier.ledger.administration import (
    AccountAdded,
    AdminEvent,
    Administration,
    ChipsGranted,
    TableListed,
    TablePlanned,
    digest_of,
)
from croupier.ledger.audit import Report, audit
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.refusals import sentence_of
from croupier.ledger.sql import ROOM
from croupier.room.door.register import SCHEMA, open_register
from croupier.table import commands as c
from croupier.table.commands import player

STORE = Path(__file__).parent / "stores" / "version-4"
TABLE = "Anns table"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    shutil.copytree(STORE, tmp_path, dirs_exist_ok=True)
    return tmp_path / "croupier.db"


def audited(path: Path) -> Report:
    ledger = reading(path)
    try:
        return audit(ledger, room=SCHEMA)
    finally:
        ledger.close()


def test_it_is_audited_as_it_is(path: Path) -> None:
    report = audited(path)
    assert report.discrepancies == []
    assert (report.tables, report.rounds, report.checkpoints, report.refusals) == (6, 3, 3, 8)
    assert reading(path).view.schema_version == 4


def test_brought_forward_it_says_the_same_and_goes_on(path: Path) -> None:
    before = audited(path)
    ledger = Ledger.at(path)
    evening = KeptEvening(Keeper.resume(ledger, TABLE), seats=(1,), chips=500_00)
    assert ledger.store.taken("p1") == 500_00
    rows = list(ledger.store.refusals(TABLE))
    assert [row.number for row in rows] == list(range(1, 9))
    assert all(sentence_of(row) == row.sentence != "" for row in rows)
    ledger.close()
    assert audited(path) == before
    ledger = Ledger.at(path)
    evening = KeptEvening(Keeper.resume(ledger, TABLE), seats=(1,), chips=500_00)
    evening.commands = [c.StandUp(player("x"), 1)] * 1_000  # their ids are used
    assert evening.send(c.StandUp(player("p9"), 1)).refused
    evening.rounds(1)
    ledger.close()
    report = audited(path)
    assert report.discrepancies == []
    assert report.refusals == 9


def test_a_room_begins_its_chain_there_with_what_it_finds(path: Path) -> None:
    register, ledger = open_register(str(path)), Ledger.at(path)
    register.witness = ledger.witness
    desk = Administration(register, ledger.keys, entropy=ledger.entropy)
    found: list[AdminEvent] = [
        AccountAdded(name, role, not password, digest_of(password))
        for name, role, password in register.look("SELECT name, role, password FROM people")
    ]
    found += [
        ChipsGranted(name, cents) for name, cents in register.look("SELECT name, cents FROM grants")
    ]
    plans = "SELECT table_id, opened_by, betting_seconds, decision_seconds FROM plans"
    found += [TablePlanned(*row) for row in register.look(plans)]
    firsts = "SELECT table_id, hash FROM entries WHERE sequence = 1 AND table_id <> ?"
    found += [TableListed(*row) for row in register.look(firsts, ROOM)]
    desk.record("migration", found)
    register.close()
    ledger.close()
    report = audited(path)
    assert report.discrepancies == []
    assert report.administration == len(found) + 1  # and the key
    sql(path, "UPDATE people SET role = 'owner' WHERE name = 'Ann'")
    (said,) = audited(path).discrepancies
    assert "The role of Ann is owner" in str(said)
