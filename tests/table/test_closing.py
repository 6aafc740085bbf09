"""A table is closed for good: its money goes to the cage, and every command is refused."""

from __future__ import annotations

import msgspec
import pytest
from engine_driver import COUPONS, HOUSES, Evening, player
from helpers import ALL_BOOKS, CARIBBEAN, NJ_UTH

from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR
from croupier.table.decide import decide
from croupier.table.evolve import fold
from croupier.table.narrate import sentence
from croupier.table.options import candidates, options
from croupier.table.refused import Refused
from croupier.table.view import RAILBIRD, view

CLOSE = c.CloseTable(SUPERVISOR)
EVERYBODY = (DEALER, SUPERVISOR, DEVICE, player("p1"))


def emptied(evening: Evening) -> Evening:
    for seat in evening.seats:
        evening.do(c.StandUp(player(f"p{seat}"), seat))
    return evening


@pytest.mark.parametrize("name", sorted(HOUSES))
def test_all_money_goes_to_the_cage(name: str) -> None:
    evening = emptied(Evening(HOUSES[name], rich=True).arrive().rounds(3))
    before = evening.table
    evening.do(CLOSE)
    table = evening.table
    assert evening.log[-1] == e.TableClosed(before.inventory, before.drop_box, before.meter)
    assert (table.inventory, table.drop_box, table.meter, table.cage) == (0, 0, 0, 0)
    assert table.players == {}
    assert table.closed
    assert fold(evening.log) == table


def test_the_drop_box_goes_to_the_cage_too() -> None:
    evening = Evening({"rulebook": NJ_UTH, **COUPONS}, seats=(1,))
    evening.arrive()
    while not evening.table.drop_box:
        if evening.table.round is None:
            placed = {"ante": 5_00, "blind": 5_00}
            evening.do(c.PlaceWagers(player("p1"), 1, placed, coupon=5_00))
        evening.step()
    while evening.table.round:
        evening.step()
    emptied(evening).do(CLOSE)
    assert (evening.table.drop_box, evening.table.cage) == (0, 0)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_closed_table_refuses_everything_in_one_sentence(book: str) -> None:
    evening = Evening({"rulebook": book})
    evening.do(CLOSE)
    for who in EVERYBODY:
        assert options(evening.table, who) == []
        for command in candidates(evening.table, who):
            answer = decide(evening.table, command)
            assert isinstance(answer, Refused)
            assert answer.code is Refusal.TABLE_IS_CLOSED
            assert answer.sentence == "This table is closed."
    assert evening.dealer.next_command(evening.table, close_bets=True) is None


def test_only_a_supervisor_closes_between_rounds_with_nobody_seated() -> None:
    evening = Evening({"rulebook": CARIBBEAN})
    assert CLOSE in options(evening.table, SUPERVISOR)
    for who in (DEALER, DEVICE, player("p1")):
        answer = evening.ask(c.CloseTable(who))
        assert isinstance(answer, Refused)
        assert answer.code is Refusal.NOT_THIS_ROLE
    evening.arrive()
    answer = evening.ask(CLOSE)
    assert isinstance(answer, Refused)
    assert answer.code is Refusal.PLAYERS_ARE_SEATED
    assert answer.sentence == "A table closes when all players have left; p1 is still seated."
    answer = evening.until("deal").ask(CLOSE)
    assert isinstance(answer, Refused)
    assert answer.code is Refusal.ROUND_IN_PROGRESS


def test_a_view_says_whether_the_table_is_closed() -> None:
    evening = Evening({"rulebook": NJ_UTH})
    assert view(evening.table, RAILBIRD)["closed"] is False
    evening.do(CLOSE)
    assert view(evening.table, RAILBIRD)["closed"] is True
    assert sentence(evening.log[-1]) == "The table closes; $1,000,000 goes to the cage."


def test_the_command_and_the_event_are_read_back_as_written() -> None:
    assert msgspec.json.decode(msgspec.json.encode(CLOSE), type=c.AnyCommand) == CLOSE
    closed = e.TableClosed(1, 2, 3)
    assert msgspec.json.decode(msgspec.json.encode(closed), type=e.AnyEvent) == closed
