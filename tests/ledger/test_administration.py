"""The administration chain: it begins with the keys, goes on in order, and is signed at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from forger import sql
from ledger_driver import at
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.administration import (
    AccountAdded,
    AccountDeleted,
    AccountDisabled,
    AccountEnabled,
    AccountUnlocked,
    AdminEvent,
    Administration,
    ChipsGranted,
    GuestNamed,
    KeyAdded,
    PasswordChanged,
    Plan,
    RoleChanged,
    SessionsEnded,
    Standing,
    TableDelisted,
    TableListed,
    TablePlanned,
    admin_event,
)
from croupier.ledger.audit import audit
from croupier.ledger.chain import Head, follow
from croupier.ledger.checkpoint import genuine, signed
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import Ledger
from croupier.ledger.sql import ROOM, SqlStore
from croupier.ledger.store import Fenced

ANN = AccountAdded("Ann", "player", False, "x")


def administration(ledger: Ledger) -> Administration:
    assert isinstance(ledger.store, SqlStore)
    return Administration(ledger.store, ledger.keys, clock=ledger.clock, entropy=ledger.entropy)


def events(ledger: Ledger) -> list[AdminEvent]:
    entries = list(follow(ledger.store.read(ROOM), ROOM, Head()))
    return [admin_event(entry) for entry in entries]


def wrong(ledger: Ledger) -> list[str]:
    return [str(each) for each in audit(ledger).discrepancies]


def test_the_chain_begins_with_the_keys_that_are_there(ledger: Ledger) -> None:
    old = ledger.keys.signing
    new = ledger.keys.rotate_signing()
    administration(ledger).record("room", [ANN])
    first, second, third = events(ledger)
    assert [first, second] == [KeyAdded(key, ledger.keys.public[key].hex()) for key in (old, new)]
    assert third == ANN
    administration(ledger).record("room", [ChipsGranted("Ann", 5_00)])
    assert len(events(ledger)) == 4  # and with nothing else, whoever goes on
    assert wrong(ledger) == []


def test_every_record_is_signed_and_witnessed_at_once(ledger: Ledger) -> None:
    desk = administration(ledger)
    for n in range(3):
        desk.record("room", [replace(ANN, name=f"Ann {n}"), ChipsGranted(f"Ann {n}", 5_00)])
        last = list(ledger.store.checkpoints(ROOM))[-1]
        assert last.sequence == 3 + 2 * n
        assert genuine(ledger.keys, last)
        assert ledger.witness
        assert ledger.witness.latest(ROOM) == last


def test_a_new_key_is_recorded_under_the_old_one(ledger: Ledger) -> None:
    desk = administration(ledger)
    desk.record("room", [ANN])
    old = ledger.keys.signing
    new = desk.rotate_signing("owner Olga")
    assert ledger.keys.signing == new != old
    assert events(ledger)[-1] == KeyAdded(new, ledger.keys.public[new].hex())
    assert list(ledger.store.checkpoints(ROOM))[-1].key == old
    desk.record("room", [ChipsGranted("Ann", 5_00)])
    assert list(ledger.store.checkpoints(ROOM))[-1].key == new
    assert wrong(ledger) == []


def test_a_rotation_that_died_halfway_is_a_note_and_can_be_done_again(in_file: Ledger) -> None:
    desk = administration(in_file)
    desk.record("room", [ANN])
    lost = in_file.keys.draw_signing()
    desk.record("room", [KeyAdded(lost.id, lost.public.hex())])  # and then the power fails
    report = audit(in_file)
    assert report.discrepancies == []
    assert report.notes == [
        f"The signing key {lost.id} was recorded, but is not in the folder of keys. It has signed "
        "nothing."
    ]
    again = administration(in_file)
    again.rotate_signing("room")
    again.record("room", [ChipsGranted("Ann", 5_00)])
    assert wrong(in_file) == []


def test_a_key_that_somebody_put_into_the_folder_is_not_used(
    in_file: Ledger, tmp_path: Path
) -> None:
    administration(in_file).record("room", [ANN])
    own = in_file.keys.signing
    for each in Keys(tmp_path / "eve").folder.glob("signing-*"):
        shutil.copy(each, in_file.keys.folder / each.name.replace("-0001-", "-0002-"))
    started = Keys(in_file.keys.folder)
    assert started.signing != own
    assert isinstance(in_file.store, SqlStore)
    Administration(in_file.store, started, entropy=in_file.entropy)
    assert started.signing == own
    assert signed(started, "t1", Head()).key == own


def test_a_folder_without_any_key_of_the_chain_is_refused(in_file: Ledger, tmp_path: Path) -> None:
    administration(in_file).record("room", [ANN])
    assert isinstance(in_file.store, SqlStore)
    with pytest.raises(Refused, match="None of the signing keys"):
        Administration(in_file.store, Keys(tmp_path / "eve"), entropy=in_file.entropy)


def test_what_the_witness_missed_is_told_at_the_next_start(in_file: Ledger) -> None:
    """Also in the middle: of two processes the one that wrote first may have died."""
    desk = administration(in_file)
    for n in range(4):
        desk.record("room", [replace(ANN, name=f"Ann {n}")])
    assert in_file.witness
    lines = in_file.witness.path.read_bytes().splitlines(keepends=True)
    for gone in (1, 3):
        in_file.witness.path.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
        assert wrong(in_file)
        administration(in_file)
        assert wrong(in_file) == []
    before = in_file.witness.path.read_bytes()
    administration(in_file)
    assert in_file.witness.path.read_bytes() == before


def test_a_witness_that_cannot_write_fails_no_record_and_is_told_with_the_next(
    in_file: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = administration(in_file)
    desk.record("room", [ANN])
    assert in_file.witness

    def full(checkpoints: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(in_file.witness, "add", full)
    desk.record("room", [ChipsGranted("Ann", 5_00)])
    monkeypatch.undo()
    assert wrong(in_file)
    desk.record("room", [ChipsGranted("Ann", 5_00)])
    assert wrong(in_file) == []


def test_a_chain_that_was_cut_off_is_not_gone_on_with(in_file: Ledger) -> None:
    administration(in_file).record("room", [ANN])
    for name in ("entries", "checkpoints"):
        sql(in_file.keys.folder.with_name("evening.db"), f"DELETE FROM {name}")
    with pytest.raises(Refused, match="the chain was cut off, or an old copy was put back"):
        administration(in_file)


def test_of_a_change_that_conflicts_nothing_is_left(ledger: Ledger) -> None:
    desk = administration(ledger)
    desk.record("room", [ANN])
    before = events(ledger)
    taken = ("INSERT INTO migrations VALUES (1, 'x')", ())
    with pytest.raises(Fenced):
        desk.record("room", [ChipsGranted("Ann", 5_00)], taken)
    assert events(ledger) == before
    desk.record("room", [ChipsGranted("Ann", 5_00)])
    assert len(events(ledger)) == 3


@pytest.fixture
def several(where: str, beside: Path) -> Iterator[list[Ledger]]:
    ledgers = [at(where, beside, seed=seed) for seed in range(1, 4)]
    yield ledgers
    for each in ledgers:
        each.close()


def test_several_that_start_together_begin_one_chain(several: list[Ledger]) -> None:
    """Each a store of its own, as several processes have."""
    desks = [administration(each) for each in several]

    def enter(n: int) -> None:
        desks[n % 3].record("room", [replace(ANN, name=f"Ann {n}")])

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(enter, range(12)))
    found = events(several[0])
    assert [type(each) for each in found].count(KeyAdded) == 1
    assert isinstance(found[0], KeyAdded)
    assert {each.name for each in found[1:]} == {f"Ann {n}" for n in range(12)}  # type: ignore[attr-defined]
    assert wrong(several[0]) == []


# --- the fold ---------------------------------------------------------------------------------


def folded(*told: AdminEvent) -> Standing:
    standing = Standing()
    for sequence, event in enumerate(told, 1):
        assert standing.see(event, sequence) == ""
    return standing


def test_accounts_as_the_chain_has_them() -> None:
    standing = folded(
        ANN,
        AccountAdded("Sam", "player", False, "y"),
        RoleChanged("Sam", "supervisor"),
        PasswordChanged("Sam", "z"),
        AccountDisabled("Ann"),
        AccountEnabled("Ann"),
        AccountUnlocked("Ann"),
        SessionsEnded("Ann"),
        ChipsGranted("Ann", 10_00),
        ChipsGranted("Ann", -3_00),
        AccountDeleted("Sam"),
    )
    ann, sam = standing.accounts["Ann"], standing.accounts["Sam"]
    assert (ann.role, ann.state, ann.password) == ("player", "active", "x")
    assert (sam.role, sam.state, sam.password) == ("supervisor", "deleted", "")
    assert standing.granted == {"Ann": 7_00}


def test_tables_as_the_chain_has_them() -> None:
    standing = folded(
        TablePlanned("t1", "Ann", 30, 15),
        TableListed("t1", "ab"),
        TablePlanned("t2", "", 20, 0),
        TableListed("t2", "cd"),
        TableDelisted("t1", "closed"),
        TableListed("t2", "cd"),  # two processes may say so at their start
    )
    assert standing.plans == {"t2": Plan("", 20, 0)}
    assert standing.listed == {"t1": "ab", "t2": "cd"}


@pytest.mark.parametrize(("tables", "opener"), [(True, "Ada"), (False, "Guest 7")])
def test_a_guest_who_takes_a_name_takes_the_tables_along(tables: bool, opener: str) -> None:
    """Chains from before this was recorded leave them with the guest, as their rows do."""
    standing = folded(
        TablePlanned("t1", "Guest 7", 30, 15),
        TablePlanned("t2", "Guest 77", 30, 15),
        GuestNamed("Guest 7", "Ada", tables),
    )
    assert standing.plans == {"t1": Plan(opener, 30, 15), "t2": Plan("Guest 77", 30, 15)}


def test_an_older_entry_of_a_named_guest_can_be_read() -> None:
    event = msgspec.json.decode('{"type":"GuestNamed","guest":"G","name":"A"}', type=GuestNamed)
    assert event == GuestNamed("G", "A", tables=False)


@pytest.mark.parametrize(
    "told",
    [
        (ANN, ANN),
        (RoleChanged("Ann", "owner"),),
        (AccountUnlocked("Ann"),),
        (SessionsEnded("Ann"),),
        (TableListed("t1", "ab"), TableListed("t1", "cd")),
        (KeyAdded("0" * 16, "ab" * 32),),
        (KeyAdded("0" * 16, "no hexadecimal"),),
    ],
)
def test_what_cannot_follow_is_told(told: tuple[AdminEvent, ...]) -> None:
    standing = Standing()
    assert [standing.see(event, n) for n, event in enumerate(told, 1)][-1] != ""
