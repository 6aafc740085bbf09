"""The floor plan, in both kinds of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    Administration,
    KeyAdded,
    TableDelisted,
    TableListed,
    TablePaused,
    TablePlanned,
    admin_event,
)
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.sql import ROOM
from croupier.room.door.register import Register
from croupier.room.plans import LONGEST_CLOCK, MOST_EACH, PLAYERS_CLOCK, Planned, Plans

BY = "player Ann"
USUAL = Planned(20, 45)


@pytest.fixture
def ledger(where: str, tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger.at(where, beside=tmp_path / "ledger")
    yield opened
    opened.close()


@pytest.fixture
def plans(register: Register, ledger: Ledger) -> Plans:
    return Plans(register, Administration(register, ledger.keys, entropy=ledger.entropy))


def chain(ledger: Ledger) -> list[tuple[str, object]]:
    """Who did what, after the keys that the chain begins with."""
    done = [(each.actor, admin_event(each)) for each in ledger.store.read(ROOM)]
    assert done[0][0] == "room"
    assert isinstance(done[0][1], KeyAdded)
    return done[1:]


def test_a_plan_is_read_as_it_was_made_and_is_in_the_chain(plans: Plans, ledger: Ledger) -> None:
    plan = Planned(17, 30, "Ann")
    assert plans.add("uth-1", plan, BY)
    assert plans.of("uth-1") == plan
    assert plans.all() == {"uth-1": plan}
    assert plans.of("uth-2") is None
    plans.listed("uth-1", "ab12", BY)
    plans.delist("uth-1", "owner Bob", "closed")
    assert plans.of("uth-1") is None
    assert chain(ledger) == [
        (BY, TablePlanned("uth-1", "Ann", 17, 30)),
        (BY, TableListed("uth-1", "ab12")),
        ("owner Bob", TableDelisted("uth-1", "closed")),
    ]


def test_an_id_is_given_once_also_after_the_table_is_closed(plans: Plans, ledger: Ledger) -> None:
    assert plans.add("uth-1", Planned(7, 30, "Ann"), BY)
    assert not plans.add("uth-1", Planned(8, 40, "Bob"), BY)
    assert plans.of("uth-1") == Planned(7, 30, "Ann")
    plans.delist("uth-1", BY, "closed")
    assert not plans.add("uth-1", Planned(8, 40, "Bob"), BY)
    assert len(chain(ledger)) == 2, "what was refused is not in the chain"


@pytest.mark.parametrize(
    "alike", ["UTH-1", "uth 1", "uth.1", "uth_1", "uth1", "Uth--1", "uth-l", "uth-I"]
)
def test_ids_that_look_alike_are_refused(plans: Plans, alike: str) -> None:
    assert plans.add("uth-1", Planned(0, 0), BY)
    assert not plans.add(alike, Planned(0, 0), BY)
    assert plans.add("uth-2", Planned(0, 0), BY)


def test_the_id_of_a_table_that_could_not_be_opened_is_free_again(plans: Plans) -> None:
    assert plans.add("uth-1", Planned(0, 0), BY)
    plans.drop("uth-1", BY)
    assert plans.add("UTH 1", Planned(0, 0), BY)


@pytest.mark.parametrize(
    ("seconds", "fine"), [(-1, False), (0, True), (LONGEST_CLOCK, True), (LONGEST_CLOCK + 1, False)]
)
def test_a_clock_runs_for_at_most_ten_minutes(plans: Plans, seconds: int, fine: bool) -> None:
    for plan in (Planned(seconds, 0), Planned(0, seconds)):
        if fine:
            plans.admit(plan, USUAL)
        else:
            with pytest.raises(Refused, match="A clock runs"):
                plans.admit(plan, USUAL)


@pytest.mark.parametrize(
    ("seconds", "fine"),
    [
        (0, False),
        (PLAYERS_CLOCK[0] - 1, False),
        (PLAYERS_CLOCK[0], True),
        (PLAYERS_CLOCK[-1], True),
        (PLAYERS_CLOCK[-1] + 1, False),
    ],
)
def test_a_players_table_has_clocks(plans: Plans, seconds: int, fine: bool) -> None:
    for plan in (Planned(seconds, 30, "Ann"), Planned(30, seconds, "Ann")):
        if fine:
            plans.admit(plan, USUAL)
        else:
            with pytest.raises(Refused, match="a clock runs for 10 to 120"):
                plans.admit(plan, USUAL)
        plans.admit(plan, Planned(plan.betting_seconds, plan.decision_seconds))  # the room's own


def opened(ledger: Ledger, name: str) -> None:
    Keeper.open(ledger, name, {"rulebook": "nj-let-it-ride"}, 100_00)


def test_nobody_has_more_than_three_tables_open(plans: Plans, ledger: Ledger) -> None:
    """Only tables that are there count: a process may die before it opens what it planned."""
    plan = Planned(20, 20, "Ann")
    for number in range(MOST_EACH):
        plans.admit(plan, USUAL)
        assert plans.add(f"never opened {number}", plan, BY)
        assert plans.add(f"t{number}", plan, BY)
        opened(ledger, f"t{number}")
    with pytest.raises(Refused, match="You already have 3 tables open"):
        plans.admit(plan, USUAL)
    plans.admit(Planned(20, 20, "Bob"), USUAL)
    plans.admit(Planned(20, 20), USUAL)
    plans.delist("t0", BY, "closed")
    plans.admit(plan, USUAL)


def test_players_have_so_many_tables_open_and_no_more(
    plans: Plans, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.room.plans.MOST_OF_PLAYERS", 2)
    for number, name in enumerate(("Ann", "Bob", "")):
        assert plans.add(f"t{number}", Planned(20, 20, name), BY)
        opened(ledger, f"t{number}")
    with pytest.raises(Refused, match="2 tables open in this room"):
        plans.admit(Planned(20, 20, "Cid"), USUAL)
    plans.admit(Planned(20, 20), USUAL)  # the room's own


# --- at the start ---------------------------------------------------------------------------

BOSS = """INSERT INTO people (folded, name, role, password, came)
    VALUES ('boss', 'Boss', 'owner', 'x', '')"""


def test_tables_the_chain_does_not_know_are_adopted_once(
    plans: Plans, ledger: Ledger, register: Register
) -> None:
    """Of an older store: one with a plan and one without, and one a member of staff opened."""
    register.change(
        (BOSS, ()),
        ("INSERT INTO plans VALUES ('a', 30, 40, 'Ann')", ()),
        ("INSERT INTO plans VALUES ('c', 30, 40, 'Boss')", ()),
    )
    tables = dict.fromkeys("abc", False)
    for _ in range(2):
        plans.adopt(tables, lambda name: f"hash of {name}", USUAL, "room")
    assert [event for _, event in chain(ledger)] == [
        TablePlanned("a", "Ann", 30, 40),
        TableListed("a", "hash of a"),
        TablePlanned("b", "", 20, 45),
        TableListed("b", "hash of b"),
        TablePlanned("c", "", 30, 40),
        TableListed("c", "hash of c"),
    ]
    assert plans.all() == {"a": Planned(30, 40, "Ann"), "b": USUAL, "c": Planned(30, 40)}
    assert not plans.add("A", USUAL, BY)


def test_a_crash_between_two_entries_is_made_good(plans: Plans, ledger: Ledger) -> None:
    """One table was planned and opened, another listed and closed, and then nothing."""
    assert plans.add("half open", USUAL, BY)
    assert plans.add("half closed", USUAL, BY)
    plans.listed("half closed", "hash of half closed", BY)
    before = len(chain(ledger))
    tables = {"half open": False, "half closed": True}
    plans.adopt(tables, lambda name: f"hash of {name}", USUAL, "room")
    assert [event for _, event in chain(ledger)[before:]] == [
        TableListed("half open", "hash of half open"),
        TableDelisted("half closed", "It was closed."),
    ]
    assert plans.all() == {"half open": USUAL}


def test_older_tables_that_look_alike_are_all_adopted(plans: Plans) -> None:
    plans.adopt({"uth-1": False, "UTH-1": False}, lambda name: "", USUAL, "room")
    assert plans.all() == {"uth-1": USUAL, "UTH-1": USUAL}


def test_the_chain_says_what_is_planned_open_closed_and_paused(plans: Plans) -> None:
    for name in ("a", "b"):
        plans.add(name, USUAL, BY)
        plans.listed(name, "", BY)
        plans.record(BY, TablePaused(name, "shoe"))
    plans.delist("b", BY, "closed")
    found = plans.history()
    assert (found.planned, found.listed, found.delisted) == ({"a", "b"}, {"a", "b"}, {"b"})
    assert found.paused == {"a": "shoe"}
