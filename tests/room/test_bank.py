"""Chips outside the tables: what is granted, taken to tables and brought back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from room_driver import running

from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.room.bank import Bank, at_tables
from croupier.room.door.register import Register
from croupier.room.door.roles import Role
from croupier.room.floor import Room
from croupier.room.settings import Settings
from croupier.table import commands as c
from croupier.table import events as e

ANN = c.player("ann")


@pytest.fixture
def bank() -> Bank:
    return Bank({"ann": 1_000_00}.__getitem__, lambda name: 0)


def test_what_goes_to_a_table_is_gone_until_it_comes_back(
    register: Register, where: str, tmp_path: Path
) -> None:
    """By the ledger's own books, in either kind of database."""
    ledger = Ledger.at(where, beside=tmp_path / "ledger")
    bank = Bank({"Ann": 1_000_00, "Bob": 50_00}.__getitem__, at_tables(register))
    for name in ("left", "right"):
        table = Keeper.open(ledger, name, {"rulebook": "nj-let-it-ride"}, 100_000_00)
        table.subscribe(lambda answer, _: bank.follow(answer.events))
        assert bank.holds("Ann") == (1_000_00 if name == "left" else 500_00)
        table.execute(c.SitDown(c.player("Ann"), 1, 300_00), "sit")
        table.execute(c.BuyChips(c.player("Ann"), 200_00), "buy")
    assert bank.holds("Ann") == 0
    table.execute(c.StandUp(c.player("Ann"), 1), "stand")
    assert bank.holds("Ann") == 500_00
    assert bank.holds("Bob") == 50_00
    ledger.close()


def test_a_balance_read_while_chips_move_is_not_kept() -> None:
    """Whoever reads in a thread may have read what was before."""
    reads = iter((0, 400_00))

    def taken(name: str) -> int:
        read = next(reads)
        if not read:
            here.follow([e.PlayerSat(1, name, 400_00)])  # just behind what was read
        return read

    here = Bank({"ann": 1_000_00}.__getitem__, taken)
    assert here.holds("ann") == 1_000_00
    assert here.holds("ann") == 600_00
    assert here.holds("ann") == 600_00  # and that was kept


@pytest.mark.parametrize(("chips", "enough"), [(999_99, True), (1_000_00, True), (1_000_01, False)])
def test_nobody_takes_more_to_a_table_than_there_is(bank: Bank, chips: int, enough: bool) -> None:
    for command in (c.SitDown(ANN, 1, chips), c.BuyChips(ANN, chips)):
        if enough:
            bank.check(command)
        else:
            with pytest.raises(Refused, match=r"you have \$1,000"):
                bank.check(command)


def test_two_tables_cannot_spend_the_same_chips(tmp_path: Path) -> None:
    """Both are asked at once, before either has answered."""

    async def both() -> tuple[list[str], int]:
        room = Room(Settings(data=tmp_path))
        room.start()
        name = room.people.guest().name
        do = {"name": "SitDown", "seat": 1, "chips": 800_00}
        answers = await asyncio.gather(
            *(
                room.host(table).perform(do, "at once", name, Role.PLAYER)
                for table in ("uth-1", "ride-1", "pikit-1")
            )
        )
        held = room.bank.holds(name)
        await room.stop()
        return [each.refused.code if each.refused else "" for each in answers], held

    assert asyncio.run(both()) == (["", "NOT_ENOUGH_CHIPS", "NOT_ENOUGH_CHIPS"], 200_00)


def test_the_bank_is_what_the_ledger_says_when_the_room_opens_again(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        player = first.guest().connect()
        player.look("ride-1")
        player.sit("ride-1", 1, 400_00)
        player.bet("ride-1")
        player.play("ride-1")
        player.look("uth-1")
        player.sit("uth-1", 1, 100_00)
        player.do("ride-1", "StandUp", seat=1)
        player.sync()
        held = player.tables["ride-1"]["view"]["you"]["bank"]
        assert held == first.room.bank.holds(player.name)
        player.disconnect()
    with running(tmp_path) as second:
        assert second.room.bank.holds(player.name) == held
