"""Accounts, guests, and what happens to those who guess."""

from __future__ import annotations

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from engine_driver import HOUSES
from forger import made_older, sql
from helpers import RIDE
from ledger_driver import opened
from room_door import PASSWORD, Door

from croupier.law.refused import Refused
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.room.bank import MOVED, at_tables
from croupier.room.door.people import CLOSED, STRANGER, People
from croupier.room.door.register import MIGRATIONS, Register, open_register
from croupier.room.door.roles import Role
from croupier.table import commands as c

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


def refused(door: Door, name: str, password: str, address: str = HOME) -> str:
    with pytest.raises(Refused) as caught:
        door.people.log_in(name, password, address)
    return caught.value.sentence


def test_a_guest_has_a_number_and_chips(door: Door) -> None:
    guest = door.people.guest()
    assert guest.name.removeprefix("Guest ").isdecimal()
    assert (guest.role, guest.guest) == (Role.PLAYER, True)
    assert door.people.find(guest.name) == guest
    assert door.people.granted(guest.name) == 100_000


def test_no_two_guests_share_a_name(in_file: Door) -> None:
    names = [in_file.people.guest().name for _ in range(300)]
    assert len(set(names)) == 300


def test_a_named_player_logs_in_and_has_more_chips(door: Door) -> None:
    made = door.people.add("Ada", PASSWORD, Role.PLAYER)
    assert door.people.log_in("Ada", PASSWORD, HOME) == made
    assert door.people.granted("Ada") == 1_000_000


@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.AUDITOR, Role.OWNER])
def test_the_staff_has_no_chips(in_file: Door, role: Role) -> None:
    in_file.people.add("Sam", PASSWORD, role)
    assert in_file.people.log_in("Sam", PASSWORD, HOME).role is role
    assert in_file.people.granted("Sam") == 0


def test_a_name_is_taken_however_it_is_written(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    with pytest.raises(Refused, match="taken"):
        door.people.add("aDA", PASSWORD, Role.OWNER)
    assert door.people.log_in("ADA", PASSWORD, HOME).name == "Ada"


@pytest.mark.parametrize(
    "name", ["", " Ada", "Ada ", "Guest 7", "guest", "a" * 33, "A\x00b", "a:b", "<b>", "A\nb", "_"]
)
def test_a_name_that_would_mislead_is_refused(in_file: Door, name: str) -> None:
    with pytest.raises(Refused, match="A name has"):
        in_file.people.add(name, PASSWORD, Role.PLAYER)


@pytest.mark.parametrize("name", ["A", "a" * 32, "Zoë O'Neil-Smith", "李", "J. R"])
def test_a_name_people_have_is_good(in_file: Door, name: str) -> None:
    assert in_file.people.add(name, PASSWORD, Role.PLAYER).name == name


@pytest.mark.parametrize(("length", "good"), [(7, False), (8, True), (256, True), (257, False)])
def test_a_password_has_8_to_256_characters(in_file: Door, length: int, good: bool) -> None:
    if good:
        assert in_file.people.add("Ada", "x" * length, Role.PLAYER)
    else:
        with pytest.raises(Refused, match="8 to 256"):
            in_file.people.add("Ada", "x" * length, Role.PLAYER)


def test_the_accounts_are_listed_without_guests(door: Door) -> None:
    door.people.guest()
    door.people.add("Bea", PASSWORD, Role.AUDITOR)
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    assert [each.name for each in door.people.everybody()] == ["Ada", "Bea"]


def test_the_database_holds_no_password(tmp_path: Path) -> None:
    register = open_register(str(tmp_path / "room.db"))
    People(register).add("Ada", PASSWORD, Role.PLAYER)
    ((kept,),) = register.look("SELECT password FROM people")
    register.close()
    assert kept.startswith("$argon2id$")
    assert PasswordHasher().verify(kept, PASSWORD)
    written = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert PASSWORD.encode() not in written


# --- guessing -------------------------------------------------------------------------------


def test_a_wrong_name_and_a_wrong_password_get_one_sentence_and_the_same_work(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    guest = door.people.guest().name
    cases = (("Ada", "wrong"), ("Nobody", PASSWORD), (guest, ""), ("a\x00b", PASSWORD))
    for asked, (name, password) in enumerate(cases, 1):
        assert refused(door, name, password, f"192.0.2.{asked}") == STRANGER
        assert door.hasher.asked == asked


def test_the_third_failure_closes_an_account_and_the_second_does_not(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    for tried in (1, 2):
        assert refused(door, "Ada", "wrong", f"192.0.2.{tried}") == STRANGER
    assert door.people.log_in("Ada", PASSWORD, ELSEWHERE)
    for tried in (1, 2, 3):
        assert refused(door, "ada", "wrong", f"203.0.113.{tried}") == STRANGER
    assert refused(door, "Ada", PASSWORD, ELSEWHERE) == CLOSED


def test_a_name_that_does_not_exist_closes_too(in_file: Door) -> None:
    for tried in (1, 2, 3):
        assert refused(in_file, "Nobody", "wrong", f"192.0.2.{tried}") == STRANGER
    assert refused(in_file, "Nobody", "wrong", ELSEWHERE) == CLOSED


def test_the_third_failure_closes_an_address_for_every_name(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    for name in ("Bea", "Cy", "Dee"):
        assert refused(door, name, "wrong") == STRANGER
    assert refused(door, "Ada", PASSWORD) == CLOSED
    assert door.people.log_in("Ada", PASSWORD, ELSEWHERE)


def test_an_address_does_not_buy_new_guesses_by_logging_in_as_itself(in_file: Door) -> None:
    in_file.people.add("Eve", PASSWORD, Role.PLAYER)
    for name in ("Ada", "Bea"):
        assert refused(in_file, name, "wrong") == STRANGER
    assert in_file.people.log_in("Eve", PASSWORD, HOME)
    assert refused(in_file, "Cy", "wrong") == STRANGER
    assert refused(in_file, "Dee", "wrong") == CLOSED


def test_what_is_closed_opens_after_thirty_minutes(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(3):
        refused(door, "Ada", "wrong")
    door.watch.wait(minutes=29, seconds=59)
    assert refused(door, "Ada", PASSWORD) == CLOSED
    door.watch.wait(seconds=1)
    assert door.people.log_in("Ada", PASSWORD, HOME)


def test_failures_further_apart_than_thirty_minutes_close_nothing(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(6):
        assert refused(in_file, "Ada", "wrong") == STRANGER
        in_file.watch.wait(minutes=15)


def test_failures_are_forgotten_when_they_no_longer_count(door: Door) -> None:
    refused(door, "Ada", "wrong")
    door.watch.wait(minutes=30)
    refused(door, "Bea", "wrong")
    kept = door.people.register.look("SELECT who FROM failures")
    assert len(kept) == 2
    assert "bea" not in repr(kept).lower()


def test_many_guesses_at_once_are_still_three(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda n: refused(in_file, "Ada", f"guess {n}"), range(24)))
    assert (said.count(STRANGER), said.count(CLOSED)) == (3, 21)


def test_a_changed_password_replaces_the_old_one(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    door.people.change_password("Ada", PASSWORD, "royal flush", HOME)
    assert refused(door, "Ada", PASSWORD) == STRANGER
    assert door.people.log_in("Ada", "royal flush", HOME)


def test_guessing_the_old_password_is_guessing(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(3):
        with pytest.raises(Refused, match=STRANGER):
            in_file.people.change_password("Ada", "wrong", "royal flush", HOME)
    assert refused(in_file, "Ada", PASSWORD) == CLOSED


# --- the first start and the register -------------------------------------------------------


def test_the_first_start_makes_an_owner_and_tells_the_password_once(door: Door) -> None:
    password = door.people.first_start()
    assert password is not None
    assert len(password) >= 20
    assert door.people.log_in("owner", password, HOME).role is Role.OWNER
    assert door.people.first_start() is None


def test_processes_that_start_together_make_one_owner(where: str) -> None:
    def start(_: int) -> str | None:
        register = open_register(where)
        try:
            return Door(register).people.first_start()
        finally:
            register.close()

    with ThreadPoolExecutor(4) as pool:
        told = [each for each in pool.map(start, range(4)) if each]
    assert len(told) == 1


def test_what_was_written_is_there_after_a_restart_beside_the_ledger(
    where: str, tmp_path: Path
) -> None:
    ledger = Ledger.at(where, beside=tmp_path / "beside")
    first = open_register(where)
    Door(first).people.add("Ada", PASSWORD, Role.SUPERVISOR)
    first.close()
    second = open_register(where)
    assert Door(second).people.log_in("Ada", PASSWORD, HOME).role is Role.SUPERVISOR
    assert list(ledger.store.tables()) == []
    second.close()
    ledger.close()


OLD_INDEXES = (
    "CREATE INDEX movements_out ON movements (source) WHERE target = 'cage'",
    "CREATE INDEX movements_in ON movements (target) WHERE source = 'cage'",
)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_register_still_finds_what_players_hold_when_it_is_brought_forward(
    where: str, tmp_path: Path, version: int
) -> None:
    ledger, old = Ledger.at(where, beside=tmp_path / "beside"), open_register(where)
    Door(old).people.add("Ada", PASSWORD, Role.PLAYER)
    keeper = Keeper.open(ledger, "t", {"rulebook": RIDE}, 0)
    for seat, name in enumerate(("p1", 'Zoë "Q" \\', "p"), 1):
        keeper.execute(c.SitDown(c.player(name), seat, seat * 100_00), f"sit {seat}")
    keeper.execute(c.BuyChips(c.player("p1"), 50_00), "buy")
    keeper.execute(c.StandUp(c.player("p"), 3), "stand")
    old.change(("DELETE FROM people_migrations WHERE version > ?", (version,)))
    ledger.close()
    old.close()
    made_older(where, 3, tmp_path / "beside")
    if version == 1:
        sql(where, "DROP TABLE plans")
    for index in OLD_INDEXES if version > 1 else ():
        sql(where, index)
    new = open_register(where)
    taken = at_tables(new)
    assert [taken(name) for name in ("p1", 'Zoë "Q" \\', "p", "1", "p%", "Ada")] == [
        150_00,
        200_00,
        *(0, 0, 0, 0),
    ]
    assert Door(new).people.log_in("Ada", PASSWORD, HOME)
    new.close()


def test_what_players_took_to_tables_is_what_the_movements_say(where: str, tmp_path: Path) -> None:
    ledger, register = Ledger.at(where, beside=tmp_path / "beside"), open_register(where)
    for name in (each for each in HOUSES if "coupons" in each):
        evening = opened(ledger, HOUSES[name], name=name.replace(",", ""))
        evening.unruly(3)
        evening.send(c.StandUp(c.player("p2"), 2))
    taken = at_tables(register)
    moved: Counter[str] = Counter()
    for source, target, cents in register.look("SELECT source, target, cents FROM movements"):
        moved[target] += cents if source == "cage" else 0
        moved[source] -= cents if target == "cage" else 0
    players = [name for name in moved if name.startswith("player:")]
    assert len(players) == 3
    assert all(moved[name] for name in players)
    assert {name: taken(name.removeprefix("player:")) for name in players} == {
        name: moved[name] for name in players
    }
    register.close()
    ledger.close()


def test_what_a_player_holds_is_looked_up_and_not_searched_for(tmp_path: Path) -> None:
    """However long the ledger: an index has the few entries that it takes."""
    register = open_register(str(tmp_path / "room.db"))
    plan = register.look(f"EXPLAIN QUERY PLAN {MOVED}", "a", "a")
    assert [row[-1] for row in plan] == ["SEARCH entries USING INDEX at_the_cage (<expr>=?)"]
    register.close()


def test_a_register_of_a_newer_croupier_is_refused(where: str, register: Register) -> None:
    newer = len(MIGRATIONS) + 1
    register.change(("INSERT INTO people_migrations VALUES (?, ?)", (newer, "")))
    with pytest.raises(Refused, match="newer Croupier"):
        open_register(where)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "room.db"
    path.write_bytes(b"This is a shopping list, and a long one. " * 40)
    with pytest.raises(Refused, match="cannot be opened"):
        open_register(str(path))


def test_a_grant_of_nothing_cannot_be_written(tmp_path: Path) -> None:
    open_register(str(tmp_path / "room.db")).close()
    with sqlite3.connect(tmp_path / "room.db") as raw, pytest.raises(sqlite3.IntegrityError):
        raw.execute("INSERT INTO grants VALUES ('Ada', '', 0)")
