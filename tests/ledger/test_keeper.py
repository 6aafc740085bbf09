"""A keeper: a command acts once, what is told is on the disk, and nothing is lost."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from engine_driver import AUTOMATED_SHOE, ONE_DECK
from helpers import ALL_BOOKS, NJ_UTH, RIDE
from ledger_driver import KeptEvening, Ticking, at, happenings, opened, table_events
from msgspec.structs import replace

from croupier.cards.card import DECK, spell
from croupier.law.refused import Refused as Misuse
from croupier.ledger.accounts import carried, standing
from croupier.ledger.chain import Broken, Head, follow
from croupier.ledger.checkpoint import genuine
from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Batch, Fenced, Store, Unwritten
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, SUPERVISOR, player
from croupier.table.evolve import fold
from croupier.table.state import Table

HOUSE = {"rulebook": NJ_UTH, **ONE_DECK}
SIT = c.SitDown(player("Ann"), 1, 500_00)


# --- opening ----------------------------------------------------------------------------------


def test_a_table_is_opened_once(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "Table 1", HOUSE, 1_000_00)
    assert keeper.table.inventory == 1_000_00
    assert ledger.store.tables() == ["Table 1"]
    with pytest.raises(Misuse, match="a table Table 1 in this ledger already"):
        Keeper.open(ledger, "Table 1", HOUSE, 1_000_00)


def test_a_table_that_was_never_opened_cannot_be_resumed(in_file: Ledger) -> None:
    with pytest.raises(Misuse, match="no table t9"):
        Keeper.resume(in_file, "t9")


@pytest.mark.parametrize("name", ["", " t", "a|b", "a/b", "x" * 65, "t\n1", "Zoë"])
def test_a_name_nobody_could_read_or_seal_under_is_refused(in_file: Ledger, name: str) -> None:
    with pytest.raises(Misuse, match="no name for a table"):
        Keeper.open(in_file, name, HOUSE, 0)


@pytest.mark.parametrize(
    ("house", "inventory", "sentence"),
    [
        ({"rulebook": "no such book"}, 0, "rulebook"),
        ({"rulebook": NJ_UTH, "positions": 6.5}, 0, "whole number"),
        (HOUSE, -1, "less than nothing"),
        (HOUSE, 10**16, "No account may hold more"),
    ],
)
def test_a_house_or_an_inventory_that_cannot_be_is_refused_and_nothing_written(
    in_file: Ledger, house: dict[str, Any], inventory: int, sentence: str
) -> None:
    with pytest.raises(Misuse, match=sentence):
        Keeper.open(in_file, "t1", house, inventory)
    assert in_file.store.tables() == []


# --- a command acts once ----------------------------------------------------------------------


def test_the_same_command_again_gets_the_same_answer_and_acts_once(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    first = keeper.execute(SIT, "id 1")
    assert first.events == (e.PlayerSat(1, "Ann", 500_00),)
    state, head = keeper.kept, keeper.head
    assert keeper.execute(SIT, "id 1") == first
    assert (keeper.kept, keeper.head) == (state, head)
    assert keeper.execute(c.BuyChips(player("Ann"), 5_00), "id 2").events
    assert keeper.execute(SIT, "id 1") == first


def test_every_answer_is_the_same_from_another_process(where: str, beside: Path) -> None:
    one = at(where, beside)
    evening = opened(one, HOUSE)
    evening.rounds(1)
    evening.send(c.Settle(DEALER, 1))  # refused
    evening.do(c.BuyChips(player("p1"), 1_00))  # and remembered with this
    sent = [
        (str(n), command, evening.keeper.execute(command, str(n)))
        for n, command in enumerate(evening.commands, 1)
    ]
    one.close()
    other = at(where, beside, seed=2)
    keeper = Keeper.resume(other, "t1")
    head = keeper.head
    for command_id, command, answer in sent:
        assert keeper.execute(command, command_id) == answer
    assert keeper.head == head
    other.close()


def test_two_processes_given_the_same_command_act_once(where: str, beside: Path) -> None:
    """Whether it could be done twice or not."""
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", HOUSE, 1_000_00)
    second = Keeper.resume(other, "t1")
    answer = first.execute(SIT, "id 1")
    assert second.execute(SIT, "id 1") == answer
    assert second.kept == first.kept
    buy = c.BuyChips(player("Ann"), 5_00)
    answer = first.execute(buy, "id 2")
    assert second.execute(buy, "id 2") == answer
    assert second.kept == first.kept
    assert second.table.players == {"Ann": 505_00}
    one.close()
    other.close()


def test_what_was_refused_once_stays_refused_when_it_could_be_done(
    where: str, beside: Path
) -> None:
    """Whoever refused it: this keeper, an earlier one, or one in another process."""
    one, other = at(where, beside), at(where, beside, seed=2)
    first, second = Keeper.open(one, "t1", HOUSE, 1_000_00), Keeper.resume(other, "t1")
    buy = c.BuyChips(player("Ann"), 5_00)
    assert first.execute(buy, "too early").refused
    refused = first.execute(buy, "too early")
    assert refused.refused
    first.execute(SIT, "id 1")
    for keeper in (first, second, Keeper.resume(one, "t1")):
        assert keeper.execute(buy, "too early") == refused
        assert keeper.table.players == {"Ann": 500_00}
    assert second.execute(buy, "in time").events
    one.close()
    other.close()


def test_an_id_given_to_another_command_is_refused(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    keeper.execute(SIT, "id 1")
    keeper.execute(c.Settle(DEALER, 1), "id 2")
    for command_id in ("id 1", "id 2", "open"):
        with pytest.raises(Misuse, match="given to another command"):
            keeper.execute(c.SitDown(player("Bob"), 2, 500_00), command_id)
    assert keeper.table.seats[1] == ""


def test_a_shuffle_is_recognised_though_its_order_is_stored_sealed(in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE)
    evening.rounds(1)
    number = next(n for n, x in enumerate(evening.commands, 1) if isinstance(x, c.ShuffleDeck))
    shuffle = evening.commands[number - 1]
    again = evening.keeper.execute(shuffle, str(number))
    assert any(isinstance(x, e.DeckShuffled) for x in again.events)
    with pytest.raises(Misuse, match="another command"):
        evening.keeper.execute(c.ShuffleDeck(DEALER, "red", spell(DECK)), str(number))


@pytest.mark.parametrize(
    ("command", "command_id"),
    [
        (SIT, ""),
        (SIT, "x" * 65),
        (SIT, "a\nb"),
        (c.SitDown(player("A\x00nn"), 1, 5_00), "id"),
        (c.SitDown(player("\udc80"), 1, 5_00), "id"),
        (c.SitDown(player("Ann"), 1, 10**30), "id"),
        (c.SitDown(player("Ann"), 1, 10**16), "id"),
        (c.ReceiveDeck(DEALER, "red", "As " * 10_000), "id"),
    ],
)
def test_what_no_store_could_keep_is_refused_and_changes_nothing(
    ledger: Ledger, command: c.Command, command_id: str
) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    before = keeper.kept
    with pytest.raises(Misuse):
        keeper.execute(command, command_id)
    assert keeper.kept == before
    assert keeper.execute(SIT, "id").events


# --- refusals ---------------------------------------------------------------------------------


def test_a_refusal_is_remembered_though_the_table_has_moved_on(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    buy = c.BuyChips(player("Ann"), 5_00)
    answer = keeper.execute(buy, "early")
    assert answer.refused is not None
    assert answer.refused.code is Refusal.ONLY_SEATED_PLAYERS_WAGER
    general = replace(answer.refused, sentence="Only seated players wager.")
    again = replace(answer, refused=general)  # the code is kept, not what was said of the command
    assert keeper.execute(buy, "early") == again  # from memory
    keeper.execute(SIT, "sit")
    assert keeper.execute(buy, "early") == again  # from the store
    assert Keeper.resume(ledger, "t1").execute(buy, "early") == again
    assert keeper.execute(buy, "late").events == (e.ChipsBought("Ann", 5_00),)
    (kept,) = ledger.store.refusals("t1")
    assert (kept.actor, kept.command, kept.code) == ("player Ann", "BuyChips", answer.refused.code)


# --- what is told is on the disk --------------------------------------------------------------


class Faulty:
    """A real store that fails before or after it has written, when told to."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.fails = ""

    def write(self, batches: list[Batch]) -> None:
        if self.fails == "before":
            raise Unwritten("The disk is full.")
        self.store.write(batches)
        if self.fails == "after":
            raise Unwritten("The line went dead.")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.fixture
def faulty(ledger: Ledger) -> Faulty:
    store = Faulty(ledger.store)
    ledger.writer._store = store  # type: ignore[attr-defined]
    return store


def test_when_nothing_could_be_written_nothing_has_happened(ledger: Ledger, faulty: Faulty) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    told: list[Answer] = []
    keeper.subscribe(lambda answer, _: told.append(answer))
    before = keeper.kept, keeper.head
    faulty.fails = "before"
    with pytest.raises(Unwritten):
        keeper.execute(SIT, "sit")
    assert (keeper.kept, keeper.head) == before
    assert told == []
    faulty.fails = ""
    assert keeper.execute(SIT, "sit").events
    assert len(told) == 1


def test_when_nobody_knows_whether_it_was_written_asking_again_tells(
    ledger: Ledger, faulty: Faulty
) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    before = keeper.kept
    faulty.fails = "after"
    with pytest.raises(Unwritten):
        keeper.execute(SIT, "sit")
    assert keeper.kept == before
    faulty.fails = ""
    assert keeper.execute(SIT, "sit").events == (e.PlayerSat(1, "Ann", 500_00),)
    assert keeper.table.seats[0] == "Ann"
    assert keeper.execute(c.BuyChips(player("Ann"), 1_00), "buy").events
    assert keeper.table.players == {"Ann": 501_00}


def test_a_checkpoint_the_witness_missed_is_told_it_later(ledger: Ledger) -> None:
    evening = opened(ledger, HOUSE)
    witness: Any = ledger.witness
    works = witness._disk

    class Full(type(works)):  # type: ignore[misc]
        def append(self, path: Path, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    witness._disk = Full()
    with pytest.raises(Unwritten, match="No space left"):
        evening.rounds(1)
    last = str(len(evening.commands))
    witness._disk = works
    answer = evening.keeper.execute(evening.commands[-1], last)
    assert any(isinstance(x, e.RoundEnded) for x in answer.events)
    assert list(witness.all()) == list(ledger.store.checkpoints("t1"))
    assert evening.table.rounds == 1


def test_subscribers_are_told_in_order_once_it_is_on_the_disk(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    told: list[int] = []

    def subscriber(answer: Answer, table: Table) -> None:
        stored = ledger.store.find("t1", answer.command_id)
        assert isinstance(stored, tuple)
        assert table is keeper.table
        told.append(answer.first)

    end = keeper.subscribe(subscriber)
    for n in range(3):
        keeper.execute(c.FillInventory(SUPERVISOR, 1_00), f"fill {n}")
    keeper.execute(c.FillInventory(SUPERVISOR, 1_00), "fill 1")  # again: nothing to tell
    end()
    keeper.execute(c.FillInventory(SUPERVISOR, 1_00), "fill 4")
    assert told == [3, 4, 5]


def test_a_keeper_fenced_off_reads_what_the_other_wrote(where: str, beside: Path) -> None:
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", HOUSE, 1_000_00)
    second = Keeper.resume(other, "t1")
    first.execute(SIT, "sit")
    with pytest.raises(Fenced):
        second.execute(c.SitDown(player("Bob"), 1, 5_00), "bob")
    assert second.kept == first.kept
    taken = second.execute(c.SitDown(player("Bob"), 1, 5_00), "bob")
    assert taken.refused is not None
    assert taken.refused.code is Refusal.SEAT_IS_TAKEN
    second.execute(c.SitDown(player("Bob"), 2, 5_00), "bob 2")
    with pytest.raises(Fenced):
        first.execute(c.BuyChips(player("Ann"), 5_00), "buy")
    assert first.execute(c.BuyChips(player("Ann"), 5_00), "buy").events
    list(follow(one.store.read("t1"), "t1", Head()))
    one.close()
    other.close()


# --- what is written --------------------------------------------------------------------------


def test_entries_tell_who_asked_what_and_carry_the_command_once(ledger: Ledger) -> None:
    evening = opened(ledger, HOUSE)
    evening.rounds(1)
    evening.keeper.execute(c.BuyChips(player("p1"), 5_00), "own id", actor="clerk 7 for p1")
    entries = list(follow(ledger.store.read("t1"), "t1", Head()))
    firsts = [entry for entry in entries if entry.command]
    assert len(firsts) == len(evening.commands) + 2  # the opening, and the clerk's
    requests = [ledger.sealer.request(entry) for entry in firsts]
    assert requests[1:-1] == evening.commands
    assert firsts[1].actor == "player p1"
    assert {x.actor for x in firsts if "ShuffleDeck" in x.command} == {"dealer"}
    assert firsts[-1].actor == "clerk 7 for p1"
    for entry in entries:
        assert entry.actor
        assert entry.command_id
    assert fold(table_events(ledger)) == evening.table


def test_time_never_goes_back(in_file: Ledger) -> None:
    clock = in_file.clock
    assert isinstance(clock, Ticking)
    keeper = Keeper.open(in_file, "t1", HOUSE, 1_000_00)
    for n, jump in enumerate((0, -7_200, 30, -86_400, 100_000)):
        clock.now += timedelta(seconds=jump)
        keeper.execute(c.FillInventory(SUPERVISOR, 1_00), f"fill {n}")
    times = [entry.time for entry in in_file.store.read("t1")]
    assert times == sorted(times)
    assert times[-1] > times[-2] == times[3]


def test_movements_are_kept_with_their_entries_and_lead_to_the_tables_own_accounts(
    ledger: Ledger,
) -> None:
    evening = opened(ledger, {"rulebook": RIDE, **ONE_DECK})
    evening.rounds(2)
    entries = list(ledger.store.read("t1"))
    balances = carried({}, tuple(moved for entry in entries for moved in entry.transfers()))
    assert {k: v for k, v in balances.items() if v} == {
        k: v for k, v in standing(evening.table).items() if v
    }
    placed = [entry for entry in entries if '"type":"WagersPlaced"' in entry.event]
    assert placed
    assert all(entry.moved for entry in placed)


def test_checkpoints_are_signed_at_the_end_of_rounds_and_every_so_many_entries(
    where: str, beside: Path
) -> None:
    ledger = at(where, beside, checkpoint_every=10)
    evening = opened(ledger, HOUSE)
    evening.rounds(2)
    entries = {entry.sequence: entry for entry in ledger.store.read("t1")}
    checkpoints = list(ledger.store.checkpoints("t1"))
    for each in checkpoints:
        assert genuine(ledger.keys, each)
        assert each.hash == entries[each.sequence].hash
    signed = {each.sequence for each in checkpoints}
    ends = {n + 1 for n, x in entries.items() if '"type":"RoundEnded"' in x.event}
    assert len(ends) == 2
    assert ends <= signed
    assert all(any(tens <= n < tens + 12 for n in signed) for tens in range(10, len(entries), 10))
    assert ledger.witness is not None
    assert list(ledger.witness.all()) == checkpoints
    ledger.close()


# --- going on after a crash -------------------------------------------------------------------


@pytest.mark.parametrize("way", [ONE_DECK, AUTOMATED_SHOE], ids=["shoe", "automated"])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_table_cut_off_after_any_command_goes_on_exactly_there(
    tmp_path: Path, book: str, way: dict[str, Any]
) -> None:
    """After each command the files are copied as a crash would leave them, and opened."""
    path, copy = tmp_path / "evening.db", tmp_path / "copy.db"
    ledger = at(path, path, snapshot_every=25)
    evening = opened(ledger, {"rulebook": book, **way})
    while evening.table.rounds < 1:
        evening.step()
        for suffix in ("", "-wal", ".checkpoints"):
            source = path.with_name(path.name + suffix)
            if source.exists():
                shutil.copyfile(source, copy.with_name(copy.name + suffix))
        shutil.copytree(f"{path}.keys", f"{copy}.keys", dirs_exist_ok=True)
        found = at(copy, copy)
        again = Keeper.resume(found, "t1")
        assert again.kept == evening.keeper.kept
        assert again.head == evening.keeper.head
        last = str(len(evening.commands))
        assert again.execute(evening.commands[-1], last) == evening.keeper.execute(
            evening.commands[-1], last
        )
        found.close()
        for suffix in ("", "-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    ledger.close()


def test_a_round_begun_by_one_process_is_ended_by_another_as_the_first_would_have(
    where: str, beside: Path, tmp_path: Path
) -> None:
    path = tmp_path / "undisturbed.db"
    whole = at(path, path)
    undisturbed = opened(whole, HOUSE)
    undisturbed.rounds(2)
    one = at(where, beside)
    evening = opened(one, HOUSE)
    rng = evening.rng
    while evening.table.rounds < 2:
        evening.step()
        if len(evening.commands) % 7 == 0:  # another process takes over
            state = one.entropy, one.clock
            one.close()
            one = at(where, beside)
            one.entropy, one.clock = state
            one.sealer._entropy = state[0]
            said = evening.commands
            evening = KeptEvening(Keeper.resume(one, "t1"))
            evening.rng, evening.commands = rng, said
    assert list(happenings(one)) == list(happenings(whole))
    assert evening.keeper.kept == undisturbed.keeper.kept
    one.close()
    whole.close()


def test_a_tampered_tail_stops_the_table(in_file: Ledger) -> None:
    evening = opened(in_file, HOUSE)
    evening.step()
    store: Any = in_file.store
    store._writer.execute("UPDATE entries SET actor = 'player Eve' WHERE sequence = 4")
    with pytest.raises(Broken, match="broken at entry 4"):
        Keeper.resume(in_file, "t1")
