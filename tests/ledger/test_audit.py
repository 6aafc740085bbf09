"""An audit agrees with what was honestly kept, and names what an insider with every key forged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from engine_driver import HOUSES, ONE_DECK, TWO_DECKS, plain_order
from forger import chained, entries_of, put, signed_again, sql
from helpers import CARIBBEAN, NJ_UTH, PIK_IT, RIDE
from ledger_driver import KeptEvening, at, happenings, opened
from msgspec.structs import replace

from croupier.cards.card import DECK
from croupier.law.refused import Refused
from croupier.ledger import discrepancy
from croupier.ledger.audit import Report, audit
from croupier.ledger.entry import Entry, text
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.reading import reading
from croupier.ledger.records import AddEntropy, ShuffleCommitted, ShuffleRevealed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player

HOUSE = {"rulebook": RIDE, **ONE_DECK}


def looked_at(where: str | Path, beside: Path, table: str = "") -> Report:
    ledger = reading(where, beside)
    try:
        return audit(ledger, table)
    finally:
        ledger.close()


def told(report: Report) -> list[str]:
    return [str(each) for each in report.discrepancies]


# --- what was honestly kept -----------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSES)
def test_an_unruly_evening_of_every_house_agrees(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path, snapshot_every=20, checkpoint_every=7)
    evening = opened(ledger, HOUSES[name])
    evening.unruly(3)
    evening.keeper.flush()
    report = looked_at(path, path)
    assert told(report) == []
    assert report.unchecked == []
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised
    assert report.entries == evening.keeper.head.sequence
    assert report.rounds == evening.table.rounds
    assert report.promised == shuffles.promised.number
    assert report.outstanding == 1 + len(shuffles.lying)
    assert report.revealed == report.promised - report.outstanding
    assert report.snapshots == report.entries // 20
    ledger.close()


def test_the_summary_adds_up_over_several_tables(where: str, beside: Path) -> None:
    ledger = at(where, beside, snapshot_every=25)
    evenings = [
        opened(ledger, {"rulebook": book, **TWO_DECKS}, name=book, seed=seed)
        for seed, book in enumerate((NJ_UTH, CARIBBEAN, PIK_IT))
    ]
    for evening in evenings:
        evening.rounds(2)
    ledger.close()
    report = looked_at(where, beside)
    assert told(report) == []
    assert (report.tables, report.rounds) == (3, 6)
    assert report.entries == sum(evening.keeper.head.sequence for evening in evenings)
    assert report.commands == sum(len(evening.commands) for evening in evenings) + 3
    ((moved,),) = sql(where, "SELECT sum(cents) FROM movements")
    assert report.moved == moved
    one = looked_at(where, beside, PIK_IT)
    assert (one.tables, one.rounds, one.entries) == (1, 2, evenings[2].keeper.head.sequence)


def test_players_words_in_the_shuffle_agree(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE)
    for name in ("p1", "p4"):
        evening.do(AddEntropy(player(name), f"{name} was here"))
    evening.rounds(1)
    report = looked_at(beside, beside)
    assert (told(report), report.revealed) == ([], 1)


def test_a_table_of_real_devices_promises_nothing(beside: Path, in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE, physical=True)
    evening.dealer.shuffle = lambda cards: plain_order(evening.rng)
    evening.dealer.cut = lambda: 20
    evening.rounds(2)
    report = looked_at(beside, beside)
    assert (told(report), report.rounds, report.promised) == ([], 2, 0)


def test_a_table_resumed_after_its_keys_were_replaced_agrees(beside: Path) -> None:
    ledger = at(beside, beside, checkpoint_every=10)
    opened(ledger, HOUSE).rounds(1)
    ledger.keys.rotate_signing()
    ledger.keys.rotate_sealing()
    ledger.close()
    ledger = at(beside, beside, seed=2, checkpoint_every=10)
    evening = KeptEvening(Keeper.resume(ledger, "t1"))
    evening.commands = [c.PressLockOut(c.DEALER)] * 1_000  # so that ids go on
    evening.rounds(1)
    ledger.close()
    report = looked_at(beside, beside)
    assert (told(report), report.rounds) == ([], 2)


def test_a_table_at_work_is_audited_as_it_was_when_the_audit_began(
    where: str, beside: Path
) -> None:
    ledger = at(where, beside)
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    entries = evening.keeper.head.sequence
    view = reading(where, beside)
    evening.rounds(2)
    report = audit(view)
    assert (told(report), report.entries, report.rounds) == ([], entries, 1)
    view.close()
    assert looked_at(where, beside).rounds == 3
    ledger.close()


def test_an_audit_writes_nothing_and_makes_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    opened(ledger, HOUSE).rounds(1)
    ledger.close()
    shutil.rmtree(tmp_path / "evening.db.keys")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    looked_at(path, path)
    after = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() <= {"evening.db-shm", "evening.db-wal"}  # a log
    assert after.get("evening.db-wal", b"") == b""  # that is empty
    assert not (tmp_path / "evening.db.keys").exists()


# --- keys that are missing ------------------------------------------------------------------


@pytest.fixture
def kept(beside: Path) -> Path:
    """Two finished rounds, and a third under way."""
    ledger = at(beside, beside, snapshot_every=30, checkpoint_every=10)
    opened(ledger, HOUSE).rounds(2).until("choose")
    ledger.close()
    return beside


def keys_of(path: Path, beginning: str) -> list[Path]:
    return sorted(path.with_name(f"{path.name}.keys").glob(f"{beginning}*"))


def test_without_the_sealing_key_the_rest_is_checked_and_it_says_so(kept: Path) -> None:
    (key,) = keys_of(kept, "sealing")
    key.unlink()
    report = looked_at(kept, kept)
    assert told(report) == []
    (sentence,) = report.unchecked
    assert sentence.startswith("Table t1 was not replayed. The sealing key ")
    assert (report.rounds, report.promised, report.revealed) == (2, 4, 2)
    assert report.moved == looked_at(kept, kept).moved > 0


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE entries SET actor = 'nobody' WHERE sequence = 9", "entry 9: In the chain"),
        ("UPDATE checkpoints SET time = 'now' WHERE sequence < 20", "is not genuine"),
        ("UPDATE entries SET moved = '' WHERE sequence = 3", "player:p1 would owe"),
    ],
)
def test_without_the_sealing_key_tampering_is_still_named(
    kept: Path, statement: str, sentence: str
) -> None:
    (key,) = keys_of(kept, "sealing")
    key.unlink()
    sql(kept, statement)
    assert sentence in "\n".join(told(looked_at(kept, kept)))


def test_without_the_sealing_key_a_false_seed_is_still_named(kept: Path) -> None:
    (key,) = keys_of(kept, "sealing")
    key.unlink()
    forge(kept, ShuffleRevealed, lambda revealed: replace(revealed, seed="00" * 32))
    (sentence,) = told(looked_at(kept, kept))
    assert sentence.endswith("The seed of shuffle 1 is not the one promised.")


def test_checkpoints_of_a_key_that_is_missing_are_not_trusted(kept: Path) -> None:
    for key in keys_of(kept, "signing"):
        key.unlink()
    (sentence,) = told(looked_at(kept, kept))
    assert "checkpoints are signed by" in sentence
    assert "a key that is not ours to check" in sentence


# --- what an insider forged, with hashes and signatures that fit -----------------------------


def forge(
    path: Path, kind: type, change: Callable[[e.Event], e.Event | None], *, fitting: bool = True
) -> int:
    """Change the first event of a kind, and everything that follows from it in the chain."""
    entries = entries_of(path)
    at = next(n for n, entry in enumerate(entries) if isinstance(entry.happening(), kind))
    changed = change(entries[at].happening())  # type: ignore[arg-type]
    entries[at : at + 1] = [replace(entries[at], event=text(changed))] if changed else []
    put(path, chained(entries) if fitting else entries)
    if fitting:
        signed_again(path, path)
    sql(path, "DELETE FROM snapshots")
    return at + 1


@pytest.mark.parametrize(
    ("kind", "change", "sentence"),
    [
        (
            e.WagerSettled,
            lambda ev: replace(ev, result="won", win=ev.win + 100),
            "By the rules",
        ),
        (e.WagersPlaced, lambda ev: replace(ev, coupon=500), "By the rules coupon of WagersPlaced"),
        (
            e.HandRevealed,
            lambda ev: replace(ev, hand="a royal flush"),
            "not 'a royal flush'",
        ),
        (e.CommunityRevealed, lambda ev: replace(ev, card="As"), "By the rules card"),
        (e.DeckCut, lambda ev: replace(ev, cards=ev.cards + 1), "By the rules cards of DeckCut"),
        (e.RoundEnded, lambda ev: replace(ev, number=7), "By the rules number of RoundEnded is 1"),
        (e.PlayerSat, lambda ev: replace(ev, chips=ev.chips + 1), "By the rules chips"),
        (e.HandsDealt, lambda ev: replace(ev, places=ev.places[::-1]), "By the rules places"),
        (ShuffleRevealed, lambda ev: replace(ev, seed="00" * 32), "seed of ShuffleRevealed"),
        (ShuffleRevealed, lambda ev: replace(ev, round=9), "round of ShuffleRevealed"),
        (ShuffleCommitted, lambda ev: replace(ev, commitment="0" * 64), "commitment"),
        (e.StubRacked, lambda ev: e.CardBurned(ev.clause), "this is StubRacked, not CardBurned"),
    ],
)
def test_a_forged_event_is_named_though_hashes_and_signatures_fit(
    kept: Path, kind: type, change: Callable[[e.Event], e.Event], sentence: str
) -> None:
    entry = forge(kept, kind, change)
    report = looked_at(kept, kept)
    named = [each for each in report.discrepancies if each.sequence == entry]
    assert sentence in "\n".join(str(each) for each in named)


def test_a_forged_payment_is_named_once_and_the_replay_goes_on(kept: Path) -> None:
    """The event, the movement it should have brought, and nothing else."""
    entry = forge(kept, e.PlayerSat, lambda ev: replace(ev, chips=30_000_00))
    assert told(looked_at(kept, kept)) == [
        f"Table t1, entry {entry}: By the rules chips of PlayerSat is 2000000, not 3000000.",
        f"Table t1, entry {entry}: The store moves 2000000 cents from 'cage' to 'player:p1', "
        "which nothing calls for.",
        f"Table t1, entry {entry}: The store does not move $30,000 from cage to player:p1.",
    ]


def test_a_whole_command_that_the_table_would_have_refused_is_named(kept: Path) -> None:
    """A player sits down where another sits, with everything in its place."""
    entries = entries_of(kept)
    last = entries[-1]
    sits = c.SitDown(player("Eve"), 1, 100_00)
    forged = Entry(
        *("t1", last.sequence + 1, last.time, "player Eve", "forged", text(sits)),
        *(text(e.PlayerSat(1, "Eve", 100_00)), last.hash),
    )
    put(kept, chained([*entries, forged]))
    signed_again(kept, kept)
    (sentence,) = told(looked_at(kept, kept))[:1]
    assert "This cannot have happened (ValueError: the table refuses it:" in sentence


def test_an_event_left_out_is_named_though_the_numbers_are_closed_up(kept: Path) -> None:
    """The seals are bound to their places, so what is moved up does not open."""
    entries = entries_of(kept)
    at = next(n for n, each in enumerate(entries) if isinstance(each.happening(), e.PlayerSat))
    left = [replace(each, sequence=n) for n, each in enumerate(entries[:at] + entries[at + 1 :], 1)]
    put(kept, chained(left))
    sql(kept, "DELETE FROM snapshots")
    signed_again(kept, kept)
    assert "does not open; it was altered" in "\n".join(told(looked_at(kept, kept)))


def test_a_deck_that_is_not_the_promised_one_is_named(kept: Path) -> None:
    """Sealed with the right key in the right place."""
    ledger = at(kept, kept)
    entries = entries_of(kept)
    at_ = next(n for n, each in enumerate(entries) if isinstance(each.happening(), e.DeckShuffled))
    sequence = entries[at_].sequence
    order = " ".join(map(str, DECK))
    shuffled, asked = entries[at_].happening(), entries[at_].request()
    assert isinstance(shuffled, e.DeckShuffled)
    assert isinstance(asked, c.ShuffleDeck)
    seal = ledger.sealer.sealed
    entries[at_] = replace(
        entries[at_],
        event=text(seal(replace(shuffled, order=order), "t1", sequence, "event")),
        command=text(seal(replace(asked, order=order), "t1", sequence, "command")),
    )
    ledger.close()
    put(kept, chained(entries))
    signed_again(kept, kept)
    sentences = told(looked_at(kept, kept))
    assert f"entry {sequence}: This cannot have happened" in sentences[0]
    assert "not the order that was committed to" in sentences[0]


def test_a_promise_that_is_never_kept_is_counted_and_named(kept: Path) -> None:
    """Taken out of the end of the ledger, where nothing follows."""
    entries = entries_of(kept)
    upto = max(n for n, each in enumerate(entries) if isinstance(each.happening(), ShuffleRevealed))
    put(kept, entries[:upto])
    for name in ("checkpoints", "snapshots"):
        sql(kept, f"DELETE FROM {name} WHERE sequence > ?", upto)
    signed_again(kept, kept)
    sentences = told(looked_at(kept, kept))
    assert sentences == [f"Table t1, entry {upto}: By the rules ShuffleRevealed comes next."]


def test_the_replay_goes_on_behind_an_entry_that_cannot_be_read(kept: Path) -> None:
    """It is lost at entry 5, finds its footing at the snapshot, and sees the forgery behind it."""
    entries = entries_of(kept)
    snapshots = [row[0] for row in sql(kept, "SELECT sequence FROM snapshots")]
    forged = next(
        n
        for n, each in enumerate(entries)
        if n > min(snapshots) and isinstance(each.happening(), e.WagerSettled)
    )
    settled = entries[forged].happening()
    assert isinstance(settled, e.WagerSettled)
    sql(kept, "UPDATE entries SET event = '{}' WHERE sequence = 5")
    more = text(replace(settled, win=settled.win + 1))
    sql(kept, "UPDATE entries SET event = ? WHERE sequence = ?", more, forged + 1)
    named = {each.sequence for each in looked_at(kept, kept).discrepancies}
    assert {5, forged + 1} <= named


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE entries SET actor = 'Eve' WHERE sequence = 9", "entry 9: In the chain its hash"),
        ("DELETE FROM entries WHERE sequence = 9", "entry 10: In the chain entry 9 should stand"),
        (
            'UPDATE entries SET moved = \'[["cage","inventory",1]]\' WHERE sequence = 3',
            "entry 3: The store moves 1 cents",
        ),
        ("UPDATE checkpoints SET hash = 'x'", "The signature of a checkpoint in the store"),
        ("UPDATE snapshots SET state = 'x'", "The snapshot: What is sealed at t1|"),
        ("DELETE FROM checkpoints", "The store lacks a checkpoint the witness file has."),
    ],
)
def test_tampering_in_either_kind_of_database_is_named(
    where: str, beside: Path, statement: str, sentence: str
) -> None:
    ledger = at(where, beside, snapshot_every=10, checkpoint_every=10)
    opened(ledger, HOUSE).rounds(1)
    ledger.close()
    assert told(looked_at(where, beside)) == []
    sql(where, statement)
    assert sentence in "\n".join(told(looked_at(where, beside)))


def test_a_ledger_broken_all_over_is_told_in_part(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discrepancy, "MOST", 10)
    sql(kept, "UPDATE entries SET actor = 'nobody'")
    *some, last = told(looked_at(kept, kept))
    assert len(some) == 10
    assert (
        last
        == f"Table t1: {len(entries_of(kept)) - 10} more discrepancies are not told one by one."
    )


# --- refusals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", ["code = 'NO'", "command = 'Win'", "fingerprint = 'x'", "time = '1'", "clause = ''"]
)
def test_a_refusal_the_table_cannot_have_given_is_named(
    beside: Path, in_file: Ledger, change: str
) -> None:
    evening = opened(in_file, HOUSE)
    assert evening.send(c.StandUp(player("p9"), 1)).refused
    evening.keeper.flush()
    assert looked_at(beside, beside).refusals == 1
    assert told(looked_at(beside, beside)) == []
    sql(beside, f"UPDATE refusals SET {change}")
    first, second = told(looked_at(beside, beside))
    assert first == "Table t1: The refusal of command '4' is none the table gives."
    assert second.startswith("Table t1: Refusal 1 (command '4' of player p9) was altered")


# --- nothing to audit -----------------------------------------------------------------------


def test_a_ledger_without_tables_is_refused(where: str, beside: Path) -> None:
    at(where, beside).close()
    with pytest.raises(Refused, match="has no tables"):
        looked_at(where, beside)


def test_a_table_nobody_opened_is_refused(kept: Path) -> None:
    with pytest.raises(Refused, match="no table t9"):
        looked_at(kept, kept, "t9")


def test_a_ledger_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no ledger at"):
        reading(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_no_ledger_is_refused(tmp_path: Path, postgres: str) -> None:
    sql(tmp_path / "other.db", "CREATE TABLE entries (a)")
    with pytest.raises(Refused, match="holds no ledger"):
        reading(tmp_path / "other.db")
    with pytest.raises(Refused, match="holds no ledger"):
        reading(postgres, tmp_path / "beside")


def test_a_ledger_of_a_newer_croupier_is_refused(kept: Path) -> None:
    sql(kept, "INSERT INTO migrations VALUES (99, 'later')")
    with pytest.raises(Refused, match="written by a newer Croupier"):
        reading(kept)


def test_the_events_the_audit_compares_are_those_of_the_ledger(kept: Path) -> None:
    """That the fixture has what the forgeries are made on."""
    ledger = at(kept, kept)
    kinds = {type(each) for each in happenings(ledger)}
    assert {e.WagerSettled, e.CommunityRevealed, ShuffleRevealed} <= kinds
    assert json.loads(entries_of(kept)[0].event)["house"]["rulebook"] == RIDE
    ledger.close()
