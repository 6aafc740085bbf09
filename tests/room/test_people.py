"""Accounts and guests, and what the chain and the register hold of them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from engine_driver import HOUSES
from forger import made_older, sql
from helpers import RIDE
from ledger_driver import opened
from room_door import PASSWORD, Door

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    AccountAdded,
    AccountDeleted,
    AccountDisabled,
    ChipsGranted,
    GuestNamed,
    PasswordChanged,
    digest_of,
)
from croupier.ledger.audit import audit
from croupier.ledger.catalogue import catalogue_of
from croupier.ledger.keeper import Keeper
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.sql import TAKEN
from croupier.room.door.links import Links
from croupier.room.door.logins import STRANGER
from croupier.room.door.people import State
from croupier.room.door.register import MIGRATIONS, SCHEMA, VERSIONS, Register, open_register
from croupier.room.door.roles import Role
from croupier.room.plans import Planned, Plans
from croupier.table import commands as c

HOME = "192.0.2.1"


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
    assert door.logins.log_in("Ada", PASSWORD, HOME).person == made
    assert door.people.granted("Ada") == 1_000_000


@pytest.mark.parametrize("role", [Role.SUPERVISOR, Role.AUDITOR, Role.OWNER])
def test_the_staff_has_no_chips(in_file: Door, role: Role) -> None:
    in_file.people.add("Sam", PASSWORD, role)
    assert in_file.logins.log_in("Sam", PASSWORD, HOME).person.role is role
    assert in_file.people.granted("Sam") == 0


def test_a_name_is_taken_however_it_is_written(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    with pytest.raises(Refused, match="taken"):
        door.people.add("aDA", PASSWORD, Role.OWNER)
    assert door.logins.log_in("ADA", PASSWORD, HOME).person.name == "Ada"


@pytest.mark.parametrize(
    "name", ["", " Ada", "Ada ", "Guest 7", "guest", "a" * 33, "A\x00b", "a:b", "<b>", "A\nb", "_"]
)
def test_a_name_that_would_mislead_is_refused(in_file: Door, name: str) -> None:
    with pytest.raises(Refused, match="A name has"):
        in_file.people.add(name, PASSWORD, Role.PLAYER)


@pytest.mark.parametrize("name", ["A", "a" * 32, "Zoë O'Neil-Smith", "李", "J. R"])
def test_a_name_people_have_is_good(in_file: Door, name: str) -> None:
    assert in_file.people.add(name, PASSWORD, Role.PLAYER).name == name


def test_the_accounts_are_listed_without_guests(door: Door) -> None:
    door.people.guest()
    door.people.add("Bea", PASSWORD, Role.AUDITOR)
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    assert [each.name for each in door.people.listed()] == ["Bea", "Ada"]  # staff first
    assert [each.guest for each in door.people.listed(guests=True)] == [True]
    assert [each.name for each in door.people.listed("a")] == ["Ada"]


def test_the_database_holds_no_password(tmp_path: Path) -> None:
    register = open_register(str(tmp_path / "room.db"))
    Door(register, tmp_path / "keys").people.add("Ada", PASSWORD, Role.PLAYER)
    ((kept,),) = register.look("SELECT password FROM people")
    register.close()
    assert kept.startswith("$argon2id$")
    assert PasswordHasher().verify(kept, PASSWORD)
    written = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())
    assert PASSWORD.encode() not in written


# --- the first start and the register -------------------------------------------------------


def test_the_first_start_makes_an_owner_and_tells_the_password_once(door: Door) -> None:
    password = door.people.first_start()
    assert password is not None
    assert len(password) >= 20
    assert door.logins.log_in("owner", password, HOME).person.role is Role.OWNER
    assert door.people.first_start() is None


def test_processes_that_start_together_make_one_owner(where: str, tmp_path: Path) -> None:
    Keys(tmp_path / "keys")

    def start(_: int) -> str | None:
        register = open_register(where)
        try:
            return Door(register, tmp_path / "keys").people.first_start()
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
    Door(first, tmp_path / "keys").people.add("Ada", PASSWORD, Role.SUPERVISOR)
    first.close()
    second = open_register(where)
    again = Door(second, tmp_path / "keys").logins.log_in("Ada", PASSWORD, HOME)
    assert again.person.role is Role.SUPERVISOR
    assert list(ledger.store.tables()) == []
    second.close()
    ledger.close()


ADA = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
OLD_PEOPLE = (
    ("ada", "Ada", "supervisor", ADA, "2024-01-01T00:00:00.000000Z"),
    ("lan", "lan", "player", ADA, "2024-01-02T00:00:00.000000Z"),
    ("ian", "Ian", "player", ADA, "2024-01-03T00:00:00.000000Z"),
    ("guest 7", "Guest 7", "player", "", "2024-01-04T00:00:00.000000Z"),
)


def older_register(where: str, version: int) -> None:
    """The room's tables as an earlier version made them, with a few people in them."""
    for statement in (VERSIONS, *chain.from_iterable(MIGRATIONS[:version])):
        sql(where, statement)
    for number in range(1, version + 1):
        sql(where, "INSERT INTO people_migrations VALUES (?, ?)", number, "")
    for row in OLD_PEOPLE:
        sql(where, "INSERT INTO people VALUES (?, ?, ?, ?, ?)", *row)
    for name, cents in (("lan", 1_000_000), ("Guest 7", 100_000)):
        sql(where, "INSERT INTO grants VALUES (?, ?, ?)", name, "", cents)


OLD_INDEXES = (
    "CREATE INDEX movements_out ON movements (source) WHERE target = 'cage'",
    "CREATE INDEX movements_in ON movements (target) WHERE source = 'cage'",
)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_register_still_finds_what_players_hold_when_it_is_brought_forward(
    where: str, tmp_path: Path, version: int
) -> None:
    ledger = Ledger.at(where, beside=tmp_path / "beside")
    keeper = Keeper.open(ledger, "t", {"rulebook": RIDE}, 0)
    for seat, name in enumerate(("p1", 'Zoë "Q" \\', "p"), 1):
        keeper.execute(c.SitDown(c.player(name), seat, seat * 100_00), f"sit {seat}")
    keeper.execute(c.BuyChips(c.player("p1"), 50_00), "buy")
    keeper.execute(c.StandUp(c.player("p"), 3), "stand")
    ledger.close()
    older_register(where, version)
    made_older(where, 3, tmp_path / "beside")
    for index in OLD_INDEXES if version > 1 else ():
        sql(where, index)
    new = open_register(where)
    taken = new.taken
    assert [taken(name) for name in ("p1", 'Zoë "Q" \\', "p", "1", "p%", "Ada")] == [
        150_00,
        200_00,
        *(0, 0, 0, 0),
    ]
    assert Door(new, tmp_path / "keys").logins.log_in("Ada", PASSWORD, HOME)
    new.close()


def at_the_cage(register: Register) -> list[object]:
    return [name for name in catalogue_of(register).indexes if name == "at_the_cage"]


def test_an_index_that_nothing_reads_is_dropped_and_both_versions_audit_clean(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger.at(where, beside=tmp_path / "beside")
    Keeper.open(ledger, "t", {"rulebook": RIDE}, 100_00)
    with monkeypatch.context() as before:
        before.setattr("croupier.room.door.register.MIGRATIONS", MIGRATIONS[:6])
        with closing(open_register(where)) as older:
            assert at_the_cage(older) == ["at_the_cage"]
    assert audit(ledger, room=SCHEMA).discrepancies == []
    register = open_register(where)
    assert at_the_cage(register) == []
    assert audit(ledger, room=SCHEMA).discrepancies == []
    sql(where, "DELETE FROM people_migrations WHERE version > 6")
    (said,) = audit(ledger, room=SCHEMA).discrepancies
    assert "The index at_the_cage on entries is missing" in str(said)
    register.close()
    ledger.close()


def test_what_players_took_to_tables_is_what_the_movements_say(where: str, tmp_path: Path) -> None:
    ledger, register = Ledger.at(where, beside=tmp_path / "beside"), open_register(where)
    for name in (each for each in HOUSES if "coupons" in each):
        evening = opened(ledger, HOUSES[name], name=name.replace(",", ""))
        evening.unruly(3)
        evening.send(c.StandUp(c.player("p2"), 2))
    taken = register.taken
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
    """However long the ledger: it is one row."""
    register = open_register(str(tmp_path / "room.db"))
    (plan,) = register.look(f"EXPLAIN QUERY PLAN {TAKEN}", "a")
    assert plan[-1].startswith("SEARCH purses USING INDEX")
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


# --- an older store ---------------------------------------------------------------------------


@pytest.fixture
def older(where: str, tmp_path: Path) -> str:
    Ledger.at(where, beside=tmp_path / "beside").close()
    older_register(where, 3)
    return where


def test_the_accounts_of_an_older_store_are_added_to_the_chain_once(
    older: str, tmp_path: Path
) -> None:
    Keys(tmp_path / "keys")

    def start(_: int) -> None:
        register = open_register(older)
        Door(register, tmp_path / "keys")
        register.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(6)))
    register = open_register(older)
    door = Door(register, tmp_path / "keys")
    assert door.said() == [
        ("migration", AccountAdded("Ada", "supervisor", False, digest_of(ADA))),
        ("migration", AccountAdded("lan", "player", False, digest_of(ADA))),
        ("migration", AccountAdded("Ian", "player", False, digest_of(ADA))),
        ("migration", AccountAdded("Guest 7", "player", True, "")),
        ("migration", ChipsGranted("Guest 7", 100_000)),
        ("migration", ChipsGranted("lan", 1_000_000)),
    ]
    register.close()


def test_accounts_of_an_older_store_that_look_alike_keep_working(
    older: str, tmp_path: Path
) -> None:
    register = open_register(older)
    door = Door(register, tmp_path / "keys")
    for name in ("lan", "Ian", "Ada"):
        assert door.logins.log_in(name, PASSWORD, HOME).person.name == name
    guest = door.people.find("Guest 7")
    assert guest
    assert guest.guest
    with pytest.raises(Refused, match="looks like"):
        door.people.add("1an", PASSWORD, Role.PLAYER)
    register.close()


def succeeded(codes: str, change: Callable[[], object]) -> bool:
    """Whether it was done; a refusal has one of these codes."""
    try:
        change()
    except Refused as refused:
        if refused.code not in codes.split():
            raise
        return False
    return True


# --- changes, and what the chain says of them ---------------------------------------------------


def test_a_name_that_looks_like_another_is_refused(door: Door) -> None:
    door.people.add("Emma", PASSWORD, Role.PLAYER)
    for name in ("E m m a", "Ernrna", "EMMA", "E.mma"):
        with pytest.raises(Refused, match=r"taken\."):
            door.people.add(name, PASSWORD, Role.PLAYER)
    with pytest.raises(Refused, match="The name Ernma looks like Emma, which is taken"):
        door.people.add("Ernma", PASSWORD, Role.PLAYER)


def test_two_who_take_names_that_look_alike_at_once_get_one_account(door: Door) -> None:
    def take(name: str) -> bool:
        return succeeded("NAME_TAKEN", lambda: door.people.add(name, PASSWORD, Role.PLAYER))

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(take, ("Emma", "Ernrna", "EM MA", "emma")))
    assert sum(made) == 1


def test_every_change_of_an_account_is_in_the_chain_with_who_did_it(door: Door) -> None:
    by = "owner Ann"
    door.people.add("Ann", PASSWORD, Role.OWNER)
    door.people.add("Ada", PASSWORD, Role.PLAYER, by=by)
    door.people.change_role("Ada", Role.AUDITOR, by=by)
    door.people.disable("Ada", by=by)
    door.people.enable("ada", by=by)
    door.people.set_password("Ada", "a royal flush", by="auditor Ada")
    door.people.delete("Ada", by=by)
    kinds = [(who, type(event).__name__) for who, event in door.said()]
    assert kinds == [
        ("room", "AccountAdded"),
        (by, "AccountAdded"),
        (by, "ChipsGranted"),
        (by, "RoleChanged"),
        (by, "PasswordChanged"),  # a player's password is too short for the staff
        (by, "AccountDisabled"),
        (by, "AccountEnabled"),
        ("auditor Ada", "PasswordChanged"),
        (by, "AccountDeleted"),
    ]


def test_the_chain_knows_the_digest_of_every_stored_password(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    door.people.set_password("Ada", "a royal flush", by="player Ada")
    ((stored,),) = door.register.look("SELECT password FROM people WHERE name = 'Ada'")
    assert door.said()[-1] == ("player Ada", PasswordChanged("Ada", digest_of(stored)))


def test_a_deleted_account_keeps_its_name_and_nothing_personal(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    arrival = door.logins.log_in("Ada", PASSWORD, HOME)
    token, _ = door.sessions.begin(arrival.person)
    Links(door.people).make(arrival.person)
    door.people.delete("Ada", by="owner Ann")
    assert door.sessions.find(token) is None
    rows = door.register.look("SELECT name, password, state FROM people")
    assert rows == [("Ada", "", "deleted")]
    for table in ("sessions", "devices", "visits", "links"):
        assert door.register.look(f"SELECT * FROM {table}") == []
    assert door.people.granted("Ada") == 1_000_000
    with pytest.raises(Refused, match="taken"):
        door.people.add("ada", PASSWORD, Role.PLAYER)
    with pytest.raises(Refused, match="There is no account"):
        door.people.enable("Ada", by="owner Ann")
    with pytest.raises(Refused, match=STRANGER):
        door.logins.log_in("Ada", PASSWORD, HOME)
    with pytest.raises(Refused, match=STRANGER):
        door.logins.log_in("Ada", "", HOME)


@pytest.mark.parametrize("change", ["disable", "delete", "role", "password"])
def test_sessions_end_at_once_when_an_account_changes(door: Door, change: str) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    ada = door.people.add("Ada", PASSWORD, Role.SUPERVISOR)
    token, session = door.sessions.begin(ada)
    assert door.sessions.find(token)
    match change:
        case "role":
            door.people.change_role("Ada", Role.OWNER, by="owner Ann")
        case "password":
            door.people.set_password("Ada", "a royal flush", by="owner Ann")
        case _:
            getattr(door.people, change)("Ada", by="owner Ann")
    assert door.sessions.find(token) is None
    assert door.sessions.living(session.id) is None
    assert door.register.look("SELECT * FROM sessions") == []


def test_a_disabled_account_is_told_so_only_with_the_right_password(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    door.people.disable("Ada", by="owner Ann")
    with pytest.raises(Refused, match=STRANGER):
        door.logins.log_in("Ada", "wrong", HOME)
    with pytest.raises(Refused, match="disabled"):
        door.logins.log_in("Ada", PASSWORD, HOME)
    door.people.enable("Ada", by="owner Ann")
    assert door.logins.log_in("Ada", PASSWORD, HOME)


@pytest.mark.parametrize("change", ["disable", "delete", "role"])
def test_the_last_owner_stays(door: Door, change: str) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    door.people.add("Bob", PASSWORD, Role.OWNER)
    acts = {
        "disable": lambda name: door.people.disable(name, by="owner Ann"),
        "delete": lambda name: door.people.delete(name, by="owner Ann"),
        "role": lambda name: door.people.change_role(name, Role.AUDITOR, by="owner Ann"),
    }
    acts[change]("Bob")
    before = door.said()
    with pytest.raises(Refused, match="Ann is the room's last owner: make another one first"):
        acts[change]("Ann")
    assert door.said() == before
    ann = door.people.find("Ann")
    assert ann
    assert (ann.role, ann.state) == (Role.OWNER, State.ACTIVE)


def test_owners_who_remove_each_other_at_once_leave_one(where: str, tmp_path: Path) -> None:
    """Each from a process of its own, over a connection of its own."""
    registers = [open_register(where) for _ in range(4)]
    doors = [Door(each, tmp_path / "keys") for each in registers]
    names = [f"Owner {letter}" for letter in "WXYZ"]
    for name in names:
        doors[0].people.add(name, PASSWORD, Role.OWNER)

    def remove(at: int) -> None:
        with suppress(Refused):
            doors[at].people.disable(names[at], by="test")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(remove, range(4)))
    owners = registers[0].look("SELECT name FROM people WHERE state = 'active'")
    assert len(owners) == 1
    disabled = [event for _, event in doors[0].said() if isinstance(event, AccountDisabled)]
    assert len(disabled) == 3
    for each in registers:
        each.close()


def test_an_account_is_changed_once_by_those_who_change_it_at_once(
    where: str, tmp_path: Path
) -> None:
    registers = [open_register(where) for _ in range(4)]
    doors = [Door(each, tmp_path / "keys") for each in registers]
    doors[0].people.add("Ada", PASSWORD, Role.PLAYER)

    def disable(door: Door) -> bool:
        return succeeded("CHANGED DISABLED", lambda: door.people.disable("Ada", by="test"))

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(disable, doors)) == 1
    assert sum(isinstance(event, AccountDisabled) for _, event in doors[0].said()) == 1
    for each in registers:
        each.close()


def test_what_makes_no_sense_is_refused_in_a_sentence(in_file: Door) -> None:
    people, guest = in_file.people, in_file.people.guest().name
    people.add("Ada", PASSWORD, Role.PLAYER)
    for change, sentence in (
        (lambda: people.enable("Ada", by=""), "not disabled"),
        (lambda: people.change_role("Ada", Role.PLAYER, by=""), "a player already"),
        (lambda: people.change_role(guest, Role.OWNER, by=""), "is a guest"),
        (lambda: people.set_password(guest, "a royal flush", by=""), "is a guest"),
        (lambda: people.disable("Nobody", by=""), "There is no account 'Nobody'"),
        (lambda: people.disable("a\x00b", by=""), "There is no account"),
    ):
        with pytest.raises(Refused, match=sentence):
            change()


# --- a guest takes a name ---------------------------------------------------------------------


def test_a_guest_takes_a_name_and_the_chips_along(door: Door) -> None:
    guest = door.people.guest()
    token, _ = door.sessions.begin(guest)
    ada = door.people.take_name(guest, "Ada", PASSWORD, 70_000)
    assert (ada.name, ada.guest, ada.role) == ("Ada", False, Role.PLAYER)
    assert door.people.granted("Ada") == 70_000
    assert door.people.granted(guest.name) == 100_000 - 70_000
    assert door.sessions.find(token) is None
    assert door.logins.log_in("Ada", PASSWORD, HOME).person == ada
    gone = door.people.find(guest.name)
    assert gone
    assert gone.state is State.DELETED
    ((stored,),) = door.register.look("SELECT password FROM people WHERE name = 'Ada'")
    assert door.said()[2:] == [
        (f"player {guest.name}", event)
        for event in (
            AccountAdded("Ada", "player", False, digest_of(stored)),
            ChipsGranted("Ada", 70_000),
            GuestNamed(guest.name, "Ada", tables=True),
            ChipsGranted(guest.name, -70_000),
            AccountDeleted(guest.name),
        )
    ]


def test_a_guest_takes_the_open_tables_along(door: Door) -> None:
    guest, other = door.people.guest(), door.people.guest()
    plans = Plans(door.register, door.chain)
    for table, opener in (("t1", guest.name), ("t2", other.name)):
        plans.add(table, Planned(20, 45, opener), f"player {opener}")
    door.people.take_name(guest, "Ada", PASSWORD, 100_000)
    assert plans.all() == {"t1": Planned(20, 45, "Ada"), "t2": Planned(20, 45, other.name)}


def test_a_guest_takes_one_name_however_often_it_is_asked(door: Door) -> None:
    guest = door.people.guest()

    def take(name: str) -> bool:
        return succeeded("CHANGED", lambda: door.people.take_name(guest, name, PASSWORD, 100_000))

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(take, ("Ada", "Bea", "Cyrus", "Eve"))) == 1
    ((chips,),) = door.register.look("SELECT sum(cents) FROM grants")
    assert int(chips) == 100_000


def test_a_named_player_takes_no_other_name(in_file: Door) -> None:
    ada = in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    with pytest.raises(Refused, match="You have a name already"):
        in_file.people.take_name(ada, "Bea", PASSWORD, 0)
