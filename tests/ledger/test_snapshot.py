"""A state goes into bytes and comes back the same, whatever lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from engine_driver import HOUSES
from helpers import ALL_BOOKS, CARIBBEAN, NJ_UTH, RIDE
from ledger_driver import KeptEvening, at, opened
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger import snapshot
from croupier.ledger.chain import Broken
from croupier.ledger.entry import GENESIS, Entry, chained, text
from croupier.ledger.keeper import Keeper
from croupier.ledger.kept import Kept, fold
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import OpenTable, ShuffleCommitted
from croupier.ledger.shuffles import promise
from croupier.ledger.store import Batch
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import SUPERVISOR, player
from croupier.table.state import Table


def order_of_dicts(thing: object) -> object:
    """The same with every dict as a list, for dicts are equal in any order."""
    if isinstance(thing, msgspec.Struct):
        return [order_of_dicts(getattr(thing, name)) for name in thing.__struct_fields__]
    if isinstance(thing, dict):
        return [(key, order_of_dicts(value)) for key, value in thing.items()]
    return [order_of_dicts(each) for each in thing] if isinstance(thing, tuple) else thing


def there_and_back(kept: Kept) -> None:
    back = snapshot.decode(snapshot.encode(kept))
    assert back == kept
    assert order_of_dicts(back) == order_of_dicts(kept)
    for name in Table.__struct_fields__:
        assert type(getattr(back.table, name)) is type(getattr(kept.table, name))
    assert back.table.house.source == kept.table.house.source


class Watched(KeptEvening):
    def send(self, command: c.Command) -> Any:
        answer = super().send(command)
        there_and_back(self.keeper.kept)
        return answer


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    path: Path = tmp_path_factory.mktemp("snapshots") / "evening.db"
    return at(path, path)


@pytest.mark.parametrize("name", sorted(HOUSES))
def test_the_state_survives_at_every_step_of_every_house(quick: Ledger, name: str) -> None:
    table = name.replace(",", "")
    evening = Watched(Keeper.open(quick, table, HOUSES[name], 1_000_000_00))
    evening.arrive()
    evening.rounds(1)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_state_survives_irregularities(quick: Ledger, book: str) -> None:
    evening = Watched(Keeper.open(quick, f"unruly {book}", {"rulebook": book}, 1_000_000_00))
    evening.arrive()
    evening.unruly(2)


def test_cards_come_back_as_cards(quick: Ledger) -> None:
    evening = opened(quick, {"rulebook": NJ_UTH}, name="cards")
    evening.until("choose")
    back = snapshot.decode(snapshot.encode(evening.keeper.kept))
    assert back is not None
    assert str(back.table.now.positions[0].cards[0]) == str(evening.table.now.positions[0].cards[0])


def test_no_card_is_to_be_read_in_what_is_stored(quick: Ledger) -> None:
    evening = opened(quick, {"rulebook": NJ_UTH}, name="sealed")
    kept = evening.rounds(1).keeper.kept
    taken = snapshot.sealed(quick.sealer, kept, 9, "h")
    assert taken.state.startswith("sealed:")
    assert snapshot.opened(quick.sealer, taken) == kept


# --- opening from a snapshot ------------------------------------------------------------------


def test_opening_from_a_snapshot_and_the_rest_is_opening_from_the_beginning(
    where: str, beside: Path
) -> None:
    ledger = at(where, beside, snapshot_every=15)
    evening = opened(ledger, {"rulebook": CARIBBEAN})
    evening.rounds(2)
    taken = list(ledger.store.snapshots("t1"))
    assert [each.sequence // 15 for each in taken] == list(range(len(taken), 0, -1))
    assert len(taken) >= 4
    for each in taken:  # each is the state of its moment
        events = [
            ledger.sealer.happening(entry)
            for entry in ledger.store.read("t1")
            if entry.sequence <= each.sequence
        ]
        assert snapshot.opened(ledger.sealer, each) == fold(events)
    again = Keeper.resume(ledger, "t1")
    assert again.kept == evening.keeper.kept
    assert order_of_dicts(again.kept) == order_of_dicts(evening.keeper.kept)
    assert again.head == evening.keeper.head
    ledger.close()


def forge(ledger: Ledger, **changes: object) -> None:
    """Put another snapshot in the place of the last, as somebody at the database could."""
    store: Any = ledger.store
    last = next(store.snapshots("t1"))
    forged = replace(last, **changes)
    store._writer.execute(
        "UPDATE snapshots SET hash = ?, state = ? WHERE sequence = ?",
        (forged.hash, forged.state, last.sequence),
    )


@pytest.fixture
def with_snapshot(beside: Path) -> Ledger:
    ledger = at(beside, beside, snapshot_every=10)
    opened(ledger, {"rulebook": RIDE}).rounds(1)
    return ledger


def test_a_snapshot_that_was_altered_is_not_believed(with_snapshot: Ledger) -> None:
    last = next(iter(with_snapshot.store.snapshots("t1")))
    forge(with_snapshot, state=last.state[:-8] + "AAAAAAA=")
    with pytest.raises(Refused, match="does not open"):
        Keeper.resume(with_snapshot, "t1")


def test_a_snapshot_of_another_moment_is_not_believed(with_snapshot: Ledger) -> None:
    last, before, *_ = with_snapshot.store.snapshots("t1")
    forge(with_snapshot, state=before.state)
    with pytest.raises(Refused, match="does not open"):
        Keeper.resume(with_snapshot, "t1")
    forge(with_snapshot, state=last.state, hash="0" * 64)
    with pytest.raises(Broken):
        Keeper.resume(with_snapshot, "t1")


def test_a_snapshot_under_other_declarations_is_passed_over(
    with_snapshot: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = Keeper.resume(with_snapshot, "t1").kept
    monkeypatch.setattr(snapshot, "SHAPE", "another")
    assert snapshot.decode(snapshot.encode(now)) == now
    read: list[int] = []
    entries = with_snapshot.store.read
    monkeypatch.setattr(
        with_snapshot.store,
        "read",
        lambda table, after: read.append(after) or entries(table, after),
    )
    assert Keeper.resume(with_snapshot, "t1").kept == now
    assert read == [0]  # from the beginning


LONG = 20_000


def test_of_a_table_with_a_long_life_only_what_is_behind_the_snapshot_is_read(
    beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An inventory filled very often, a cent each; written as a keeper would."""
    ledger = at(beside, beside)
    entries: list[Entry] = []
    opening = OpenTable(SUPERVISOR, {"rulebook": NJ_UTH}, 0)
    promised = promise("t1", 1, ledger.entropy)
    hash_before = GENESIS
    for n in range(1, LONG + 1):
        event: e.Event | ShuffleCommitted = e.InventoryFilled(1)
        if n <= 2:
            event = e.TableOpened("t1", opening.house, 0) if n == 1 else promised
        command = "" if n == 2 else text(opening if n == 1 else c.FillInventory(SUPERVISOR, 1))
        stored = text(ledger.sealer.sealed(event, "t1", n, "event"))
        then = "2025-03-14T20:00:00.000000Z"
        entry = chained("t1", n, then, "s", str(n), command, stored, hash_before)
        entries.append(entry)
        hash_before = entry.hash
    ledger.store.write([Batch(entries=tuple(entries))])
    keeper = Keeper.resume(ledger, "t1")
    while not list(ledger.store.snapshots("t1")):
        keeper.execute(c.FillInventory(SUPERVISOR, 1), f"last {keeper.head.sequence}")
    keeper.execute(c.SitDown(player("Ann"), 1, 5_00), "sit")
    (newest, *_) = ledger.store.snapshots("t1")
    read, entries_read = ledger.store.read, []

    def counted(*which: Any) -> Iterator[Entry]:
        for entry in read(*which):
            entries_read.append(entry.sequence)
            yield entry

    monkeypatch.setattr(ledger.store, "read", counted)
    again = Keeper.resume(ledger, "t1")
    assert again.kept == keeper.kept
    assert again.head.sequence > LONG
    assert again.table.inventory == again.head.sequence - 3
    assert entries_read == list(range(newest.sequence + 1, again.head.sequence + 1)) != []
    ledger.close()
