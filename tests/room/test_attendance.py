"""Who is there, by the word of other processes, on a clock that goes on when it is told to."""

from __future__ import annotations

import pytest

from croupier.room.attendance import Attendance
from croupier.table.events import PlayerSat


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def attendance(clock: Clock) -> Attendance:
    return Attendance(now=clock)


def test_a_word_counts_for_five_seconds(attendance: Attendance, clock: Clock) -> None:
    attendance.heard("left", ["ann"])
    assert attendance.elsewhere("ann")
    assert not attendance.elsewhere("bob")
    assert attendance.wait() == 5
    clock.now += 4.9
    assert attendance.elsewhere("ann")
    clock.now += 0.1
    assert not attendance.elsewhere("ann")
    assert attendance.wait() == 0, "whoever looked just before must look again"
    assert attendance.wait() is None


def test_each_process_speaks_for_itself(attendance: Attendance) -> None:
    attendance.heard("left", ["ann"])
    attendance.heard("right", ["ann", "bob"])
    attendance.heard("right", [])
    assert attendance.elsewhere("ann")
    assert not attendance.elsewhere("bob")
    attendance.gone("left")
    assert not attendance.elsewhere("ann")


def test_who_just_sat_is_there_before_anybody_says_so(attendance: Attendance, clock: Clock) -> None:
    attendance.follow([PlayerSat(1, "ann", 100_00)])
    assert attendance.elsewhere("ann")
    clock.now += 2
    assert not attendance.elsewhere("ann")
