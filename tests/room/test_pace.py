"""The clocks of a table, on a clock that goes on when it is told to."""

from __future__ import annotations

from pathlib import Path

import ledger_driver
import pytest

from croupier.ledger.keeper import Answer, Keeper
from croupier.room.pace import Pace, to_decide
from croupier.table import commands as c
from croupier.table.state import Table


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Evening:
    """A kept table that its pace follows."""

    def __init__(
        self, folder: Path, betting: int = 20, decision: int = 10, absent: int = 0, idle: int = 0
    ) -> None:
        self.clock = Clock()
        self.pace = Pace(betting, decision, absent, idle_seconds=idle, now=self.clock)
        ledger = ledger_driver.at(folder / "ledger.db", folder / "ledger.db")
        house = {"rulebook": "nj-caribbean-stud", "positions": 3}
        self.keeper = Keeper.open(ledger, "t", house, 100_000_00)
        self.keeper.subscribe(self._follow)
        self.commands = 0
        self.here: set[str] = set()
        self.pace.begin(self.keeper.table, None)

    def _follow(self, answer: Answer, table: Table) -> None:
        dealers = self.keeper.dealer.next_command(table, close_bets=False)
        self.attend()
        self.pace.follow(answer.events, table, None if dealers else to_decide(table))

    def do(self, command: c.Command) -> None:
        self.commands += 1
        answer = self.keeper.execute(command, str(self.commands))
        assert answer.refused is None, answer.refused

    def sit(self, name: str, seat: int) -> None:
        self.here.add(name)
        self.do(c.SitDown(c.player(name), seat, 500_00))
        self.deal()

    def bet(self, name: str, seat: int) -> None:
        self.do(c.PlaceWagers(c.player(name), seat, {"ante": 5_00}))

    def deal(self, *, close_bets: bool = False) -> None:
        while self.keeper.deal(close_bets=close_bets):
            pass

    def attend(self) -> bool:
        return self.pace.attend(self.keeper.table, self.here.__contains__)

    def closes(self) -> bool:
        self.attend()
        return self.pace.closes(self.keeper.table, self.here.__contains__)


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    made = Evening(tmp_path)
    made.sit("ann", 1)
    made.sit("bob", 2)
    return made


def test_bets_close_when_everybody_has_wagered_and_is_ready(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.pace.ready.add("ann")
    assert not evening.closes()
    evening.bet("bob", 2)
    assert not evening.closes()
    evening.pace.ready.add("bob")
    assert evening.closes()


def test_who_says_ready_without_a_wager_sits_the_round_out(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.pace.ready |= {"ann", "bob"}
    assert evening.closes()
    evening.bet("bob", 2)  # changed his mind
    assert not evening.closes()


def test_nobody_waits_for_a_player_who_is_not_there_or_let_the_last_round_pass(
    evening: Evening,
) -> None:
    evening.bet("ann", 1)
    evening.pace.ready.add("ann")
    evening.here.discard("bob")
    assert evening.closes()
    evening.here.add("bob")
    assert not evening.closes()
    evening.deal(close_bets=True)
    assert evening.pace.passed == {"bob"}
    assert evening.pace.ready == set()
    evening.do(c.Choose(c.player("ann"), 1, "fold"))
    evening.deal()
    evening.bet("ann", 1)
    evening.pace.ready.add("ann")
    assert evening.closes()


def test_a_wager_taken_back_is_no_longer_ready(evening: Evening) -> None:
    evening.here.discard("bob")
    evening.bet("ann", 1)
    evening.pace.ready.add("ann")
    evening.do(c.TakeBackWagers(c.player("ann"), 1))
    evening.bet("ann", 1)
    assert not evening.closes()


def test_the_betting_clock_runs_from_the_first_wager(evening: Evening) -> None:
    assert evening.pace.wait() is None
    evening.bet("ann", 1)
    evening.clock.now += 15
    evening.bet("bob", 2)
    assert evening.pace.wait() == 5
    assert not evening.closes()
    evening.clock.now += 4.9
    assert not evening.closes()
    evening.clock.now += 0.1
    assert evening.closes()


def test_without_a_betting_clock_bets_stay_open(tmp_path: Path) -> None:
    evening = Evening(tmp_path, betting=0)
    evening.sit("ann", 1)
    evening.bet("ann", 1)
    evening.clock.now += 10_000
    assert not evening.closes()
    assert evening.pace.shown()["betting_ends"] is None


def test_the_decision_clock_begins_anew_with_each_player(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.bet("bob", 2)
    evening.deal(close_bets=True)
    evening.clock.now += 9.9
    assert evening.pace.late(evening.keeper.table) is None
    evening.clock.now += 0.1
    assert evening.pace.late(evening.keeper.table) == c.Choose(c.player("ann"), 1, "fold")
    evening.do(c.Choose(c.player("ann"), 1, "fold"))
    assert evening.pace.wait() == 10
    evening.clock.now += 10
    assert evening.pace.late(evening.keeper.table) == c.Choose(c.player("bob"), 2, "fold")


def test_time_stands_still_while_the_table_is_paused(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.clock.now += 15
    evening.pace.pause()
    evening.clock.now += 1_000
    assert evening.pace.wait() is None
    assert not evening.closes()
    assert evening.pace.shown()["betting_ends"] is None
    evening.pace.resume()
    assert evening.pace.wait() == 5
    evening.clock.now += 5
    assert evening.closes()


def test_nobody_who_is_ready_begins_a_round_at_a_paused_table(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.pace.ready |= {"ann", "bob"}
    evening.pace.pause()
    assert not evening.closes()
    evening.pace.resume()
    assert evening.closes()


# --- who went away --------------------------------------------------------------------------


@pytest.fixture
def patient(tmp_path: Path) -> Evening:
    """No clock but that for the absent: two minutes. Ann and Bob have cards, and Ann went away."""
    made = Evening(tmp_path, betting=0, decision=0, absent=120)
    for seat, name in enumerate(("ann", "bob"), 1):
        made.sit(name, seat)
        made.bet(name, seat)
    made.deal(close_bets=True)
    made.here.discard("ann")
    made.attend()
    return made


def test_the_house_acts_for_a_player_who_went_away(patient: Evening) -> None:
    pace, table = patient.pace, patient.keeper.table
    assert pace.wait() == 120
    patient.clock.now += 119.9
    assert pace.absent(table) is None
    patient.clock.now += 0.1
    assert pace.absent(table) == c.Choose(c.player("ann"), 1, "fold")
    assert pace.late(table) is None


def test_who_comes_back_in_time_decides_for_himself(patient: Evening) -> None:
    patient.clock.now += 119
    patient.here.add("ann")
    patient.attend()
    patient.here.discard("ann")
    patient.attend()
    patient.clock.now += 119
    assert patient.pace.absent(patient.keeper.table) is None


def test_nobody_acts_for_a_player_who_is_there(patient: Evening) -> None:
    patient.clock.now += 120
    patient.do(c.Choose(c.player("ann"), 1, "fold"))
    patient.clock.now += 10_000
    assert patient.pace.absent(patient.keeper.table) is None  # it is for Bob to decide


def test_a_seat_is_given_up_when_its_player_stays_away(patient: Evening) -> None:
    patient.clock.now += 600
    patient.do(c.Choose(c.player("ann"), 1, "fold"))
    assert patient.pace.absent(patient.keeper.table) is None  # not while she has cards
    patient.do(c.Choose(c.player("bob"), 2, "fold"))
    patient.deal()
    patient.attend()
    leave = patient.pace.absent(patient.keeper.table)
    assert leave == c.StandUp(c.player("ann"), 1)
    patient.do(leave)
    patient.attend()
    assert patient.pace.absent(patient.keeper.table) is None
    assert patient.keeper.table.seats[:2] == ("", "bob")


def test_bets_do_not_wait_for_a_wager_whose_player_went_away(tmp_path: Path) -> None:
    evening = Evening(tmp_path, betting=0, absent=120)
    for seat, name in enumerate(("ann", "bob"), 1):
        evening.sit(name, seat)
        evening.bet(name, seat)
    evening.pace.ready.add("bob")
    evening.here.discard("ann")
    assert not evening.closes()
    evening.clock.now += 119
    assert not evening.closes()
    evening.clock.now += 1
    assert evening.closes()


def test_without_a_time_for_the_absent_they_are_waited_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path, betting=0, decision=0)
    evening.sit("ann", 1)
    evening.here.clear()
    evening.attend()
    evening.clock.now += 1_000_000
    assert evening.pace.absent(evening.keeper.table) is None
    assert evening.pace.wait() is None


def test_a_moment_that_comes_just_after_the_house_looked_is_not_missed(patient: Evening) -> None:
    patient.clock.now += 119.9999
    assert patient.pace.absent(patient.keeper.table) is None
    patient.clock.now += 0.0002
    assert patient.pace.wait() == 0
    assert patient.pace.absent(patient.keeper.table)


def test_a_pause_does_not_count_as_absence(patient: Evening) -> None:
    patient.pace.pause()
    patient.clock.now += 1_000
    assert patient.pace.absent(patient.keeper.table) is None
    patient.pace.resume()
    patient.clock.now += 119
    assert patient.pace.absent(patient.keeper.table) is None
    patient.clock.now += 1
    assert patient.pace.absent(patient.keeper.table)


# --- from one process to another ------------------------------------------------------------


def test_clocks_go_on_where_another_process_had_them(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.pace.ready.add("ann")
    evening.clock.now += 15
    later = Pace(20, 10, now=evening.clock)
    later.attend(evening.keeper.table, evening.here.__contains__)
    later.follow((), evening.keeper.table, None)
    assert later.wait() == 20
    later.take_over(evening.pace.stand())
    assert later.wait() == 5
    assert later.ready == {"ann"}
    evening.pace.pause()
    later.take_over(evening.pace.stand())
    assert later.paused
    evening.clock.now += 100
    later.resume()
    assert later.wait() == 5


def test_what_is_posted_names_every_clock_that_runs() -> None:
    assert Pace(0, 0, idle_seconds=0).posted() == []
    betting, decision, absent, idle = Pace(20, 30, 120).posted()
    assert "20 seconds after the first wager" in betting
    assert "30 seconds while others wait" in decision
    assert "alone at the table is not timed" in decision
    assert "120 seconds" in absent
    assert "600 seconds the seat is given up" in absent
    assert "10 minutes" in idle


# --- clocks run only while somebody waits ---------------------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Evening:
    made = Evening(tmp_path)
    made.sit("ann", 1)
    return made


def test_a_player_alone_is_timed_neither_betting_nor_deciding(alone: Evening) -> None:
    alone.bet("ann", 1)
    assert alone.pace.wait() is None
    alone.clock.now += 10_000
    assert not alone.closes()
    alone.deal(close_bets=True)
    alone.clock.now += 10_000
    alone.attend()
    assert alone.pace.late(alone.keeper.table) is None
    assert alone.pace.shown()["decision_ends"] is None


def test_the_decision_clock_starts_with_its_full_time_when_somebody_sits_down(
    alone: Evening,
) -> None:
    alone.bet("ann", 1)
    alone.deal(close_bets=True)
    alone.clock.now += 10_000
    alone.here.add("bob")
    alone.do(c.SitDown(c.player("bob"), 2, 500_00))
    assert alone.pace.wait() == 10
    alone.clock.now += 9.9
    assert alone.pace.late(alone.keeper.table) is None
    alone.clock.now += 0.1
    assert alone.pace.late(alone.keeper.table) == c.Choose(c.player("ann"), 1, "fold")


def test_the_clocks_stop_when_nobody_waits_any_more(evening: Evening) -> None:
    evening.bet("ann", 1)
    assert evening.pace.wait() == 20
    evening.here.discard("bob")
    assert evening.attend(), "a viewer would notice"
    assert evening.pace.wait() is None
    evening.here.add("bob")
    assert evening.attend()
    assert not evening.attend()
    evening.pace.ready |= {"ann", "bob"}
    evening.deal(close_bets=True)
    assert evening.pace.wait() == 10
    evening.do(c.StandUp(c.player("bob"), 2))  # he has no cards
    assert evening.pace.wait() is None


def test_the_decision_clock_runs_for_a_player_who_is_not_connected(evening: Evening) -> None:
    evening.bet("ann", 1)
    evening.here.discard("ann")
    evening.deal(close_bets=True)
    assert evening.pace.wait() == 10


# --- seats without wagers -------------------------------------------------------------------


@pytest.fixture
def full(tmp_path: Path) -> Evening:
    made = Evening(tmp_path, idle=600)
    for seat, name in enumerate(("ann", "bob"), 1):
        made.sit(name, seat)
        made.clock.now += 1
    return made


def test_a_seat_without_wagers_is_given_up_when_no_seat_is_free(full: Evening) -> None:
    full.clock.now += 10_000
    assert full.pace.idle(full.keeper.table) is None  # one is free
    full.sit("cid", 3)
    given_up = full.pace.idle(full.keeper.table)
    assert given_up == c.StandUp(c.player("ann"), 1)  # the longest without a wager
    full.do(given_up)
    assert full.pace.idle(full.keeper.table) is None  # bob may stay


def test_ten_minutes_begin_when_one_sits_down_and_after_each_round(full: Evening) -> None:
    full.sit("cid", 3)
    assert full.pace.idle(full.keeper.table) is None
    assert full.pace.wait() == 598
    full.clock.now += 500
    full.bet("ann", 1)
    full.deal(close_bets=True)
    full.clock.now += 99
    assert full.pace.idle(full.keeper.table) == c.StandUp(c.player("bob"), 2)
    full.do(c.StandUp(c.player("bob"), 2))
    full.sit("dan", 2)
    full.clock.now += 1
    full.do(c.Choose(c.player("ann"), 1, "fold"))
    full.deal()
    full.clock.now += 501
    assert full.pace.idle(full.keeper.table) == c.StandUp(c.player("cid"), 3)
    full.do(c.StandUp(c.player("cid"), 3))
    full.sit("eve", 3)
    full.clock.now += 97
    assert full.pace.idle(full.keeper.table) is None
    full.clock.now += 1
    assert full.pace.idle(full.keeper.table) == c.StandUp(c.player("dan"), 2)


def test_one_player_who_holds_every_seat_keeps_them(tmp_path: Path) -> None:
    evening = Evening(tmp_path, idle=600)
    evening.sit("ann", 1)
    evening.clock.now += 10_000
    evening.pace.idle(evening.keeper.table)
    assert evening.pace.wait() is None
