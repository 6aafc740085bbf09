"""The floor plan, in both kinds of database."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.room.door.register import Register
from croupier.room.plans import LONGEST_CLOCK, MOST_EACH, Planned, Plans


@pytest.fixture
def plans(register: Register) -> Plans:
    return Plans(register)


def test_a_plan_is_read_as_it_was_made(plans: Plans) -> None:
    plan = Planned(7, 30, "Ann")
    assert plans.add("uth-1", plan)
    assert plans.of("uth-1") == plan
    assert plans.of("uth-2") is None
    plans.drop("uth-1")
    assert plans.of("uth-1") is None


def test_a_name_is_given_once(plans: Plans) -> None:
    assert plans.add("uth-1", Planned(7, 30, "Ann"))
    assert not plans.add("uth-1", Planned(8, 40, "Bob"))
    assert plans.of("uth-1") == Planned(7, 30, "Ann")


@pytest.mark.parametrize(
    ("seconds", "fine"), [(-1, False), (0, True), (LONGEST_CLOCK, True), (LONGEST_CLOCK + 1, False)]
)
def test_a_clock_runs_for_at_most_ten_minutes(plans: Plans, seconds: int, fine: bool) -> None:
    for plan in (Planned(seconds, 0), Planned(0, seconds)):
        if fine:
            plans.admit(plan)
        else:
            with pytest.raises(Refused, match="A clock runs"):
                plans.admit(plan)


def test_nobody_opens_more_than_three_tables(plans: Plans, where: str, tmp_path: Path) -> None:
    """Only tables that are there count: a name may be taken by a process that then died."""
    plan = Planned(0, 0, "Ann")
    ledger = Ledger.at(where, beside=tmp_path / "ledger")
    for number in range(MOST_EACH):
        plans.admit(plan)
        assert plans.add(f"never opened {number}", plan)
        assert plans.add(f"t{number}", plan)
        Keeper.open(ledger, f"t{number}", {"rulebook": "nj-let-it-ride"}, 100_00)
    with pytest.raises(Refused, match="Nobody opens more than 3"):
        plans.admit(plan)
    plans.admit(Planned(0, 0, "Bob"))
    ledger.close()
