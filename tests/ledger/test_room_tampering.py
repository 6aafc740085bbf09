"""What somebody does to a room behind its back, and the sentence with which the audit names it.

The attacker has the database, the file of checkpoints and the folder of keys. Where it says so,
nothing beside the ledger can know better, and a second witness or the pinned key names it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from engine_driver import ONE_DECK
from forger import CHECKPOINT, ENTRY, chained, entries_of, sql
from helpers import RIDE
from ledger_driver import KeptEvening, at, opened
from msgspec.json import decode
from msgspec.structs import astuple, replace

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    AccountAdded,
    Administration,
    ChipsGranted,
    KeyAdded,
    RoleChanged,
    TableListed,
    TablePlanned,
    digest_of,
)
from croupier.ledger.audit import audit
from croupier.ledger.chain import Head, RefusalHead
from croupier.ledger.checkpoint import Checkpoint, signed
from croupier.ledger.entry import Entry, canonical, text
from croupier.ledger.entry import chained as in_chain
from croupier.ledger.evidence import evidence
from croupier.ledger.keeper import Keeper
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.refusals import after
from croupier.ledger.second_witness import FileTarget, SecondWitness
from croupier.ledger.sql import ROOM, Change
from croupier.ledger.store import Remembered
from croupier.room.door.register import SCHEMA, Register, open_register
from croupier.table import commands as c
from croupier.table.commands import player

HOUSE = {"rulebook": RIDE, **ONE_DECK}
FILE = "house.db"
BY = "owner Olga"
NOW = "2025-03-14T20:00:00.000000Z"


# --- a room -------------------------------------------------------------------------------------


def account(name: str, role: str, chips: int = 0) -> tuple[list[object], list[Change]]:
    password = f"hash of {name}"
    people = "INSERT INTO people (folded, name, role, password, came) VALUES (?, ?, ?, ?, ?)"
    events: list[object] = [AccountAdded(name, role, False, digest_of(password))]
    changes: list[Change] = [(people, (name.casefold(), name, role, password, NOW))]
    if chips:
        events.append(ChipsGranted(name, chips))
        changes.append(("INSERT INTO grants VALUES (?, ?, ?)", (name, NOW, chips)))
    return events, changes


def enter(administration: Administration, name: str, role: str, chips: int = 0) -> None:
    events, changes = account(name, role, chips)
    administration.record(BY, events, *changes)  # type: ignore[arg-type]


def open_table(
    ledger: Ledger, administration: Administration, name: str, by: str, seed: int
) -> KeptEvening:
    row = ("INSERT INTO plans VALUES (?, ?, ?, ?)", (name, 30, 15, by))
    administration.record(BY, [TablePlanned(name, by, 30, 15)], row)
    evening = opened(ledger, HOUSE, name=name, seed=seed)
    first = ledger.store.entry(name, 1)
    assert first
    administration.record(BY, [TableListed(name, first.hash)])
    return evening


def refuse(keeper: Keeper, *ids: str) -> None:
    for each in ids:
        assert keeper.execute(c.BuyChips(player("Eve"), 5_00), each).refused


def furnish(where: str | Path, beside: Path) -> None:
    """Accounts, two tables, refusals, and two signing keys that were both used."""
    ledger = at(where, beside, checkpoint_every=10, snapshot_every=40)
    register: Register = open_register(str(where), clock=ledger.clock)
    register.witness = ledger.witness
    administration = Administration(
        register, ledger.keys, clock=ledger.clock, entropy=ledger.entropy
    )
    enter(administration, "Olga", "owner")
    enter(administration, "Ann", "player", 10_000_00)
    one = open_table(ledger, administration, "t1", "Ann", 1)
    two = open_table(ledger, administration, "t2", "", 2)
    refuse(one.keeper, "r1", "r2", "r3")
    refuse(two.keeper, "r1")
    one.rounds(1)
    two.rounds(1)
    administration.rotate_signing(BY)
    enter(administration, "Sam", "supervisor")
    refuse(one.keeper, "r4")
    one.rounds(1)
    two.rounds(1)
    administration.record(
        BY,
        [RoleChanged("Sam", "auditor")],
        ("UPDATE people SET role = 'auditor' WHERE name = 'Sam'", ()),
    )
    second = SecondWitness(ledger.store, FileTarget(beside.with_name("second")))
    assert second.send()
    ledger.close()
    register.close()


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("honest") / FILE
    furnish(path, path)
    assert named(path, pin=True) == []
    return path


@pytest.fixture
def copy(honest: Path, tmp_path: Path) -> Path:
    """At the same place: the key is pinned for the place."""
    shutil.copytree(honest.parent, tmp_path, dirs_exist_ok=True)
    known = tmp_path / "known_keys"
    known.write_text(known.read_text().replace(str(honest.parent), str(tmp_path)))
    return tmp_path / FILE


def named(
    where: str | Path, beside: Path | None = None, *, second: bool = False, pin: bool = False
) -> list[str]:
    """What the audit names, or the sentence with which the ledger is refused."""
    base = beside or Path(where)
    try:
        ledger = reading(where, base)
    except Refused as refused:
        return [str(refused)]
    try:
        witnesses = [evidence(str(base.with_name("second")))] if second else []
        known = base.with_name("known_keys") if pin else None
        report = audit(ledger, witnesses=witnesses, room=SCHEMA, known=known)
        return [str(each) for each in report.discrepancies]
    finally:
        ledger.close()


# --- what is done to it -------------------------------------------------------------------------


def statement(*statements: str) -> Callable[[Path], None]:
    def tamper(path: Path) -> None:
        for each in statements:
            sql(path, each)

    return tamper


def witness_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.checkpoints")


def witness_without(path: Path, unwanted: Callable[[Checkpoint], bool]) -> None:
    kept = []
    for line in witness_of(path).read_bytes().splitlines(keepends=True):
        if not unwanted(decode(line, type=Checkpoint)):
            kept.append(line)
    witness_of(path).write_bytes(b"".join(kept))


def delete_table(path: Path) -> None:
    for name in ("entries", "checkpoints", "snapshots", "refusals"):
        sql(path, f"DELETE FROM {name} WHERE table_id = 't2'")
    sql(path, "DELETE FROM plans WHERE table_id = 't2'")
    witness_without(path, lambda each: each.table == "t2")


def cut(path: Path, table: str, after: int, *, also_witness: bool = False) -> None:
    for name in ("entries", "checkpoints", "snapshots"):
        sql(path, f"DELETE FROM {name} WHERE table_id = ? AND sequence > ?", table, after)
    if also_witness:
        witness_without(path, lambda each: each.table == table and each.sequence > after)


def middle(path: Path, table: str) -> int:
    """A checkpoint in the middle of a table's life, behind its last refusal."""
    rows = sql(path, "SELECT sequence FROM checkpoints WHERE table_id = ? ORDER BY 1", table)
    return int(rows[len(rows) * 3 // 4][0])


def cut_table(path: Path) -> None:
    cut(path, "t1", middle(path, "t1"))


def cut_table_and_witness(path: Path) -> None:
    cut(path, "t1", middle(path, "t1"), also_witness=True)


def role_given_back(path: Path) -> None:
    ((last,),) = sql(path, "SELECT max(sequence) FROM entries WHERE table_id = ?", ROOM)
    cut(path, ROOM, last - 1)
    sql(path, "UPDATE people SET role = 'supervisor' WHERE name = 'Sam'")


def role_given_back_thoroughly(path: Path) -> None:
    role_given_back(path)
    ((last,),) = sql(path, "SELECT max(sequence) FROM entries WHERE table_id = ?", ROOM)
    witness_without(path, lambda each: each.table == ROOM and each.sequence > last)


def no_administration(path: Path) -> None:
    cut(path, ROOM, 0, also_witness=True)


def refusals_of(path: Path, table: str = "t1") -> list[Remembered]:
    found = sql(path, "SELECT * FROM refusals WHERE table_id = ? ORDER BY number", table)
    return [Remembered(*row) for row in found]


def rewrite_refusals(path: Path) -> None:
    """One is given to another player, and every hash is made to fit."""
    rows, head = refusals_of(path), RefusalHead()
    sql(path, "DELETE FROM refusals WHERE table_id = 't1'")
    for row in rows:
        row = after(head, replace(row, actor="player Ann"))
        head = RefusalHead(row.number, row.hash)
        sql(path, f"INSERT INTO refusals VALUES ({', '.join('?' * 13)})", *astuple(row))


def swap_refusals(path: Path) -> None:
    for to, number in ((-1, 1), (1, 2), (2, -1)):
        sql(path, "UPDATE refusals SET number = ? WHERE number = ?", to, number)


def keys_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.keys")


def signing(path: Path, number: int, kind: str = "pub") -> Path:
    (found,) = keys_of(path).glob(f"signing-{number:04}-*.{kind}")
    return found


def add_public_key(path: Path) -> None:
    (made,) = Keys(path.with_name("eve")).folder.glob("signing-*.pub")
    shutil.copy(made, keys_of(path) / made.name)


def add_private_key(path: Path) -> None:
    (made,) = Keys(path.with_name("eve")).folder.glob("signing-*.key")
    shutil.copy(made, keys_of(path) / made.name.replace("-0001-", "-0009-"))


def rename_keys(path: Path) -> None:
    """The first becomes the second and the other way round."""
    for kind in ("key", "pub"):
        one, two = signing(path, 1, kind), signing(path, 2, kind)
        one.rename(one.with_name(one.name.replace("-0001-", "-0003-")))
        two.rename(two.with_name(two.name.replace("-0002-", "-0001-")))


def swap_contents(path: Path) -> None:
    one, two = signing(path, 1), signing(path, 2)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)


def remove_key(path: Path) -> None:
    for kind in ("key", "pub"):
        signing(path, 1, kind).unlink()


def exchange_keys(path: Path) -> None:
    """Everything signed again with the attacker's own key, which the chain now begins with."""
    for each in keys_of(path).glob("signing-*"):
        each.unlink()
    own = Keys(keys_of(path))
    entries = entries_of(path)
    room = [e for e in entries if e.table == ROOM and '"KeyAdded"' not in e.event]
    added = text(KeyAdded(own.signing, own.public[own.signing].hex()))
    begun = replace(room[0], event=added)
    room = chained(replace(e, sequence=n) for n, e in enumerate([begun, *room], 1))
    tables = [e for e in entries if e.table != ROOM]
    sql(path, "DELETE FROM entries WHERE table_id = ?", ROOM)
    for entry in room:
        sql(path, ENTRY, *astuple(entry))
    stood = {(t, s) for t, s in sql(path, "SELECT table_id, sequence FROM checkpoints")}
    made = [signed(own, ROOM, Head.of(e)) for e in room]
    for each in tables:
        if (each.table, each.sequence) in stood:
            (before,) = sql(
                path,
                "SELECT refusals, refusal FROM checkpoints WHERE table_id = ? AND sequence = ?",
                each.table,
                each.sequence,
            )
            made.append(signed(own, each.table, Head.of(each), RefusalHead(*before)))
    sql(path, "DELETE FROM checkpoints")
    for checkpoint in made:
        sql(path, CHECKPOINT, *astuple(checkpoint))
    witness_of(path).write_bytes(b"".join(canonical(each) + b"\n" for each in made))


def forged(path: Path, event: RoleChanged | KeyAdded) -> Entry:
    last = [entry for entry in entries_of(path) if entry.table == ROOM][-1]
    return in_chain(ROOM, last.sequence + 1, last.time, BY, "x", "", text(event), last.hash)


def append_to_the_chain(path: Path) -> None:
    """A chain needs no key to be gone on with; a signature does."""
    sql(path, ENTRY, *astuple(forged(path, RoleChanged("Ann", "owner"))))
    sql(path, "UPDATE people SET role = 'owner' WHERE name = 'Ann'")


def append_own_key(path: Path) -> None:
    own = Keys(path.with_name("eve"))
    entry = forged(path, KeyAdded(own.signing, own.public[own.signing].hex()))
    sql(path, ENTRY, *astuple(entry))
    checkpoint = signed(own, ROOM, Head.of(entry))
    sql(path, CHECKPOINT, *astuple(checkpoint))
    with witness_of(path).open("ab") as file:
        file.write(canonical(checkpoint) + b"\n")
    for each in own.folder.glob("signing-*"):
        shutil.copy(each, keys_of(path) / each.name.replace("-0001-", "-0003-"))


def forge_a_table(path: Path) -> None:
    """A table of real devices needs no seeds, so anybody can play at it alone."""
    elsewhere = path.with_name("elsewhere.db")
    ledger = at(elsewhere, elsewhere, seed=5)
    keeper = Keeper.open(ledger, "t9", HOUSE, 1_000_00, physical=True)
    keeper.execute(c.SitDown(player("Eve"), 1, 100_00), "sit")
    ledger.close()
    for entry in entries_of(elsewhere):
        sql(path, ENTRY, *astuple(entry))
    sql(path, "INSERT INTO purses VALUES ('Eve', 10000)")


def rewrite_the_beginning(path: Path) -> None:
    entries = [entry for entry in entries_of(path) if entry.table == "t2"]
    made = chained([replace(entries[0], actor="player Eve"), *entries[1:]])
    sql(path, "DELETE FROM entries WHERE table_id = 't2'")
    for entry in made:
        sql(path, ENTRY, *astuple(entry))


def alter_the_chain(path: Path) -> None:
    sql(path, "UPDATE entries SET actor = 'owner Eve' WHERE table_id = ? AND sequence = 4", ROOM)


def halve_the_witness(path: Path) -> None:
    lines = witness_of(path).read_bytes().splitlines(keepends=True)
    witness_of(path).write_bytes(b"".join(lines[: len(lines) // 2]))


def remove_the_witness(path: Path) -> None:
    witness_of(path).unlink()


ANN = "WHERE name = 'Ann'"
BACK = "behind the room's back"

# The name of each, what is done, and what the audit must say of it.
TAMPERINGS: dict[str, tuple[Callable[[Path], None], str]] = {
    # balances
    "a grant added": (
        statement(f"INSERT INTO grants VALUES ('Ann', '{NOW}', 100000000)"),
        r"Ann was granted \$10,000 by the administration chain, and \$1,010,000 .* was raised",
    ),
    "a grant raised": (
        statement(f"UPDATE grants SET cents = cents * 2 {ANN}"),
        r"Ann was granted \$10,000 .* and \$20,000 by the room's table: the balance was raised",
    ),
    "a grant to somebody unknown": (
        statement(f"INSERT INTO grants VALUES ('Eve', '{NOW}', 500)"),
        r"Eve was granted \$0 .* and \$5 .*: the balance was raised",
    ),
    "a grant deleted": (
        statement(f"DELETE FROM grants {ANN}"),
        r"Ann was granted \$10,000 .* and \$0 .*: the balance was lowered",
    ),
    "a purse that says less was taken": (
        statement("UPDATE purses SET taken = 0 WHERE name = 'p1'"),
        r"p1 took \$\S+ to tables by the movements, and \$0 by .*: the balance was raised",
    ),
    "a purse deleted": (
        statement("DELETE FROM purses WHERE name = 'p1'"),
        r"p1 took \$\S+ to tables .*: the balance was raised",
    ),
    "a purse invented": (
        statement("INSERT INTO purses VALUES ('Eve', -500000)"),
        r"Eve took \$0 to tables by the movements, and -\$5,000 .*: the balance was raised",
    ),
    # accounts
    "a role changed": (
        statement(f"UPDATE people SET role = 'owner' {ANN}"),
        r"The role of Ann is owner in the room's table, and player by .*: it was changed",
    ),
    "a password hash replaced": (
        statement(f"UPDATE people SET password = 'of Eve' {ANN}"),
        r"The password hash of Ann is not the one in the administration chain: it was replaced",
    ),
    "an account added": (
        statement(
            "INSERT INTO people (folded, name, role, password, came) "
            f"VALUES ('eve', 'Eve', 'owner', 'x', '{NOW}')"
        ),
        f"The account Eve was added {BACK}",
    ),
    "an account deleted": (
        statement(f"DELETE FROM people {ANN}"),
        f"The account Ann is not in the room's table: it was deleted {BACK}",
    ),
    "an account renamed": (
        statement(f"UPDATE people SET name = 'Eve' {ANN}"),
        f"The account Eve was added {BACK}",
    ),
    # tables and plans
    "a table deleted, and its lines in the witness": (
        delete_table,
        "The table t2 was opened in this room, but is gone: it was deleted",
    ),
    "a table begun again": (
        rewrite_the_beginning,
        "The table t2 does not begin with the entry it was opened with",
    ),
    "a table nobody opened": (
        forge_a_table,
        "The table t9 is in the store, but nobody opened it in this room",
    ),
    "a table with another opener": (
        statement("UPDATE plans SET opened_by = 'Eve' WHERE table_id = 't1'"),
        "Table t1 was opened by Ann, not by Eve, as its plan says: it was changed",
    ),
    "a table of the room given to a player": (
        statement("UPDATE plans SET opened_by = 'Eve' WHERE table_id = 't2'"),
        "Table t2 was opened by the room, not by Eve",
    ),
    "other clocks": (
        statement("UPDATE plans SET decision_seconds = 600 WHERE table_id = 't1'"),
        "The clocks of table t1 are not those it was opened with",
    ),
    "a plan deleted": (
        statement("DELETE FROM plans WHERE table_id = 't1'"),
        "The plan of table t1 is gone: it was deleted",
    ),
    "a plan added": (
        statement("INSERT INTO plans VALUES ('t8', 30, 15, 'Eve')"),
        "There is a plan of table t8, which nobody made in this room",
    ),
    # refusals
    "a refusal deleted": (
        statement("DELETE FROM refusals WHERE table_id = 't1' AND number = 2"),
        "Table t1: Refusal 2 is missing: deleted, or moved elsewhere",
    ),
    "the last refusal deleted": (
        statement("DELETE FROM refusals WHERE table_id = 't1' AND number = 4"),
        "counts 4 refusals, but only 3 are kept: the last ones were deleted",
    ),
    "all refusals deleted": (
        statement("DELETE FROM refusals"),
        "Table t2: A signed checkpoint counts 1 refusals, but only 0 are kept",
    ),
    "a refusal given to another player": (
        statement("UPDATE refusals SET actor = 'player Ann' WHERE number = 2"),
        r"Refusal 2 \(command 'r2' of player Ann\) was altered",
    ),
    "a refusal moved to another table": (
        statement(
            "UPDATE refusals SET table_id = 't2', number = 2 WHERE table_id = 't1' AND number = 3"
        ),
        "Table t1: Refusal 3 is missing: deleted, or moved elsewhere",
    ),
    "a refusal with another code": (
        statement("UPDATE refusals SET code = 'NO_ROUND' WHERE number = 1"),
        r"Refusal 1 \(command 'r1' of player Eve\) was altered",
    ),
    "refusals reordered": (swap_refusals, "Table t1: Refusal 1 does not follow the one before it"),
    "refusals rewritten with hashes that fit": (
        rewrite_refusals,
        "Table t1, entry .*: A signed checkpoint says that refusal 4 was another",
    ),
    "a count of refusals changed": (
        statement("UPDATE refusals SET omitted = 5000 WHERE number = 1"),
        r"Refusal 1 \(command 'r1' of player Eve\) was altered",
    ),
    # the database
    "an index dropped": (
        statement("DROP INDEX commands"),
        "The index commands on entries is missing: it was dropped",
    ),
    "an index of the room dropped": (
        statement("DROP INDEX people_named"),
        "The index people_named on people is missing: it was dropped",
    ),
    "an index replaced by one that is not unique": (
        statement("DROP INDEX commands", "CREATE INDEX commands ON entries (command_id, table_id)"),
        "The index commands on entries is not the one that belongs there",
    ),
    "an index added": (
        statement("CREATE UNIQUE INDEX eve ON entries (table_id, time, sequence)"),
        "There is an index eve on entries",
    ),
    "a trigger added": (
        statement(
            "CREATE TRIGGER eve AFTER INSERT ON refusals "
            "BEGIN DELETE FROM refusals WHERE actor = 'player Eve'; END"
        ),
        "There is a trigger eve on refusals, which does not belong there",
    ),
    "a view added": (
        statement("CREATE VIEW eve AS SELECT * FROM people"),
        "There is a view eve, which does not belong there",
    ),
    "a view replaced": (
        statement("DROP VIEW movements", "CREATE VIEW movements AS SELECT 1 AS cents"),
        "The view movements shows something else than it should",
    ),
    "a table of the database dropped": (
        statement("DROP TABLE purses"),
        "The table purses of the database is missing",
    ),
    "a column added": (
        statement("ALTER TABLE people ADD COLUMN eve TEXT"),
        "The table people is not declared as it should be",
    ),
    "a version lowered": (
        statement("DELETE FROM migrations WHERE version = 5"),
        "says that its version is 4, but its tables are those of version 5: the version was",
    ),
    "a version left out": (
        statement("DELETE FROM migrations WHERE version = 2"),
        "The versions in migrations are 1, 3, 4, 5: one was changed, added or removed",
    ),
    "a version raised": (
        statement("INSERT INTO migrations VALUES (6, 'x')"),
        "was written by a newer Croupier: its schema is version 6",
    ),
    # keys
    "a public key added": (add_public_key, "chain does not name: it was added"),
    "a private key added": (add_private_key, "chain does not name: it was added"),
    "keys with other numbers": (rename_keys, "signing keys in the folder have changed places"),
    "keys with each other's content": (swap_contents, "does not hold the key it is named after"),
    "a key removed": (remove_key, "is not in the folder of keys: it was removed"),
    "a key recorded by itself": (
        append_own_key,
        "The key .* is added, but no key from before has signed that",
    ),
    # tails, checkpoints, witnesses
    "the end of a table cut off": (cut_table, r"stands here, but the ledger ends at \d+"),
    "the end of the administration chain cut off": (
        role_given_back,
        r"Administration, entry \d+: A signed checkpoint stands here, but the ledger ends at \d+",
    ),
    "an entry of the administration chain altered": (
        alter_the_chain,
        "Administration, entry 4: In the chain its hash is not that of its content",
    ),
    "the administration chain gone on with, without a key": (
        append_to_the_chain,
        r"Administration, entry \d+: No key of the room has signed this entry",
    ),
    "checkpoints deleted": (
        statement("DELETE FROM checkpoints WHERE table_id = 't1'"),
        "The store lacks a checkpoint the witness file has",
    ),
    "half of the witness cut off": (
        halve_the_witness,
        "The witness file lacks a checkpoint the store has",
    ),
    "the witness removed": (remove_the_witness, "knows none of its"),
}

# Whoever has every file beside the ledger too leaves no trace there.
ONLY_ELSEWHERE: dict[str, tuple[Callable[[Path], None], str]] = {
    "the end of a table and of the witness cut off": (
        cut_table_and_witness,
        r"A signed checkpoint in The witness .*second stands here, but the ledger ends at \d+",
    ),
    "the end of the administration chain and of the witness cut off": (
        role_given_back_thoroughly,
        r"Administration, entry \d+: A signed checkpoint in The witness .*second stands here",
    ),
    "the whole administration chain removed": (
        no_administration,
        r"Administration, entry \d+: A signed checkpoint in The witness .* the ledger ends at 0",
    ),
    "all keys exchanged and everything signed again": (
        exchange_keys,
        "a key that is not ours to check",
    ),
}


def says(sentences: list[str], wanted: str) -> bool:
    return any(re.search(wanted, each) for each in sentences)


@pytest.mark.parametrize("name", TAMPERINGS)
def test_the_audit_names_what_was_done(copy: Path, name: str) -> None:
    tamper, wanted = TAMPERINGS[name]
    tamper(copy)
    found = named(copy)
    assert says(found, wanted), found


@pytest.mark.parametrize("name", ONLY_ELSEWHERE)
def test_a_second_witness_names_what_nothing_here_can(copy: Path, name: str) -> None:
    tamper, wanted = ONLY_ELSEWHERE[name]
    tamper(copy)
    assert not says(named(copy), wanted)
    found = named(copy, second=True)
    assert says(found, wanted), found


def test_exchanged_keys_are_named_by_the_pinned_one(copy: Path) -> None:
    assert named(copy, pin=True) == []
    exchange_keys(copy)
    assert named(copy) == []
    (found,) = named(copy, pin=True)
    assert "The keys were exchanged." in found


def test_an_honest_room_is_clean_in_every_way(copy: Path) -> None:
    assert named(copy) == named(copy, second=True) == named(copy, pin=True) == []


def test_without_the_rooms_schema_its_tables_raise_no_alarm(copy: Path) -> None:
    ledger = reading(copy)
    assert audit(ledger).discrepancies == []
    ledger.close()


# --- the same in PostgreSQL ---------------------------------------------------------------------

# What is done, and how it is undone. The sentence is that of the same name above.
IN_POSTGRES: dict[str, tuple[str, str]] = {
    "an index dropped": (
        "DROP INDEX commands",
        "CREATE UNIQUE INDEX commands ON entries (command_id, table_id) WHERE command <> ''",
    ),
    "an index replaced by one that is not unique": (
        "ALTER INDEX refusals_in_order RENAME TO commands_before; "
        "ALTER INDEX commands RENAME TO refusals_in_order; "
        "ALTER INDEX commands_before RENAME TO commands",
        "ALTER INDEX refusals_in_order RENAME TO commands_before; "
        "ALTER INDEX commands RENAME TO refusals_in_order; "
        "ALTER INDEX commands_before RENAME TO commands",
    ),
    "a role changed": (
        f"UPDATE people SET role = 'owner' {ANN}",
        f"UPDATE people SET role = 'player' {ANN}",
    ),
    "a password hash replaced": (
        f"UPDATE people SET password = 'of Eve' {ANN}",
        f"UPDATE people SET password = 'hash of Ann' {ANN}",
    ),
    "a grant raised": (
        f"UPDATE grants SET cents = cents * 2 {ANN}",
        f"UPDATE grants SET cents = cents / 2 {ANN}",
    ),
    "a purse invented": (
        "INSERT INTO purses VALUES ('Eve', -500000)",
        "DELETE FROM purses WHERE name = 'Eve'",
    ),
    "a view added": ("CREATE VIEW eve AS SELECT * FROM people", "DROP VIEW eve"),
    "a column added": (
        "ALTER TABLE people ADD COLUMN eve TEXT",
        "ALTER TABLE people DROP COLUMN eve",
    ),
    "a table with another opener": (
        "UPDATE plans SET opened_by = 'Eve' WHERE table_id = 't1'",
        "UPDATE plans SET opened_by = 'Ann' WHERE table_id = 't1'",
    ),
    "a refusal deleted": (
        "UPDATE refusals SET number = 99 WHERE table_id = 't1' AND number = 2",
        "UPDATE refusals SET number = 2 WHERE number = 99",
    ),
    "a version lowered": (
        "DELETE FROM migrations WHERE version = 5",
        f"INSERT INTO migrations VALUES (5, '{NOW}')",
    ),
    "a table of the database dropped": (
        "ALTER TABLE purses RENAME TO eve",
        "ALTER TABLE eve RENAME TO purses",
    ),
}
ONLY_POSTGRES: dict[str, tuple[str, str, str]] = {
    "a trigger": (
        "CREATE FUNCTION eve() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql; "
        "CREATE TRIGGER eve BEFORE INSERT ON refusals EXECUTE FUNCTION eve()",
        "DROP FUNCTION eve CASCADE",
        "There is a trigger eve on refusals",
    ),
    "a rule": (
        "CREATE RULE eve AS ON DELETE TO grants DO INSTEAD NOTHING",
        "DROP RULE eve ON grants",
        "There is a trigger eve on grants",
    ),
    "a policy": (
        "ALTER TABLE refusals ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE refusals DISABLE ROW LEVEL SECURITY",
        "A policy of the database may hide rows of the table refusals",
    ),
    "a condition more": (
        "ALTER TABLE grants ADD CONSTRAINT eve CHECK (name <> 'Ann' OR cents > 0)",
        "ALTER TABLE grants DROP CONSTRAINT eve",
        "The table grants is not declared as it should be",
    ),
}


def test_in_postgres_the_same_is_named(postgres: str, beside: Path) -> None:
    furnish(postgres, beside)
    assert named(postgres, beside, second=True) == []
    every = {name: (*both, TAMPERINGS[name][1]) for name, both in IN_POSTGRES.items()}
    for name, (change, back, wanted) in {**every, **ONLY_POSTGRES}.items():
        sql(postgres, change)
        found = named(postgres, beside)
        assert says(found, wanted), (name, found)
        sql(postgres, back)
        assert named(postgres, beside) == [], name
