"""Refusals in the ledger: few, chained, signed, and without what was refused."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from engine_driver import ONE_DECK
from forger import made_older, sql
from helpers import RIDE
from ledger_driver import at, opened
from msgspec.structs import replace

from croupier.ledger.chain import RefusalHead
from croupier.ledger.checkpoint import genuine
from croupier.ledger.keeper import Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.refusals import (
    AT_ONCE,
    MOST_ACTORS,
    MOST_WAITING,
    SECONDS_EACH,
    SENTENCES,
    Quota,
    Waiting,
    after,
    refusal_digest,
    sentence_of,
)
from croupier.ledger.store import Fenced, Remembered
from croupier.rules.refusals import Refusal
from croupier.table import commands as c
from croupier.table.commands import DEALER, player

HOUSE = {"rulebook": RIDE, **ONE_DECK}
SIT = c.SitDown(player("Ann"), 1, 500_00)
NOON = datetime(2025, 3, 14, 12, tzinfo=UTC)


def refuse(keeper: Keeper, command_id: str, who: str = "Eve") -> None:
    assert keeper.execute(c.BuyChips(player(who), 5_00), command_id).refused


def kept(ledger: Ledger) -> list[Remembered]:
    return list(ledger.store.refusals("t1"))


def see_chained(rows: list[Remembered]) -> None:
    head = RefusalHead()
    for row in rows:
        assert row == after(head, row)
        head = RefusalHead(row.number, row.hash)


def test_every_code_has_a_sentence_of_its_own() -> None:
    assert set(SENTENCES) == set(Refusal)
    assert len(set(SENTENCES.values())) == len(SENTENCES)
    for sentence in SENTENCES.values():
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_a_refusal_is_kept_without_what_was_refused(ledger: Ledger) -> None:
    keeper = Keeper.open(ledger, "t1", HOUSE, 1_000_00)
    offensive = c.PlaceWagers(player("Eve"), 1, {"<script>alert(1)</script>": 5_00})
    assert keeper.execute(offensive, "x").refused
    keeper.flush()
    (row,) = kept(ledger)
    assert "script" not in str(row)
    assert row.sentence == ""
    assert row.code in SENTENCES
    assert row.clause
    assert sentence_of(row) == SENTENCES[row.code]


def test_refusals_are_chained_and_the_next_checkpoint_signs_the_last(ledger: Ledger) -> None:
    evening = opened(ledger, HOUSE)
    for n in range(3):
        refuse(evening.keeper, f"a{n}")
    evening.rounds(1)
    for n in range(2):
        refuse(evening.keeper, f"b{n}")
    evening.rounds(1)
    rows = kept(ledger)
    assert [row.number for row in rows] == [1, 2, 3, 4, 5]
    see_chained(rows)
    checkpoints = list(ledger.store.checkpoints("t1"))
    assert all(genuine(ledger.keys, each) for each in checkpoints)
    last = checkpoints[-1]
    assert (last.refusals, last.refusal) == (5, rows[-1].hash)
    assert 3 in {each.refusals for each in checkpoints}


@pytest.mark.parametrize("name", Remembered.__struct_fields__[:-1])
def test_the_hash_is_over_every_field(name: str) -> None:
    row = after(RefusalHead(), Remembered("t", "id", "time", "who", "Buy", "f", "CODE", "", "NJ"))
    value = getattr(row, name)
    other = value + 1 if isinstance(value, int) else f"{value}x"
    assert refusal_digest(replace(row, **{name: other})) != row.hash


# --- a flood ----------------------------------------------------------------------------------


def test_of_a_flood_some_are_kept_and_the_others_are_counted(in_file: Ledger) -> None:
    keeper = Keeper.open(in_file, "t1", HOUSE, 1_000_00)
    clock = in_file.clock = StandingClock()
    for n in range(1_000):
        refuse(keeper, f"flood {n}")
    keeper.flush()
    assert len(kept(in_file)) == AT_ONCE
    clock.now += timedelta(seconds=SECONDS_EACH)
    for n in range(50):
        refuse(keeper, f"more {n}")
    keeper.flush()
    rows = kept(in_file)
    assert len(rows) == AT_ONCE + 1
    assert [row.omitted for row in rows] == [0] * AT_ONCE + [1_000 - AT_ONCE]
    refuse(keeper, "another", who="Ann")  # has a bucket of her own
    keeper.flush()
    assert kept(in_file)[-1].omitted == 49
    see_chained(kept(in_file))


class StandingClock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def test_a_flood_by_many_does_not_pile_up_in_memory(in_file: Ledger) -> None:
    keeper = Keeper.open(in_file, "t1", HOUSE, 1_000_00)
    for n in range(3 * MOST_WAITING):
        refuse(keeper, f"flood {n}", who=f"Eve {n}")
    assert len(keeper._refusals.rows()) == MOST_WAITING
    keeper.execute(SIT, "sit")
    assert keeper._refusals.rows() == ()
    assert len(kept(in_file)) == MOST_WAITING


def test_the_buckets_are_bounded_and_strangers_share_one() -> None:
    quota = Quota()
    for n in range(MOST_ACTORS):
        assert quota.take(f"actor {n}", NOON)
    taken = sum(quota.take(f"stranger {n}", NOON) for n in range(10 * AT_ONCE))
    assert taken == AT_ONCE
    assert len(quota._buckets) == MOST_ACTORS + 1
    later = NOON + timedelta(seconds=AT_ONCE * SECONDS_EACH)
    assert quota.take("one more", later)  # the full ones are forgotten
    assert len(quota._buckets) == 1


def test_a_clock_that_is_put_back_gives_nothing() -> None:
    quota = Quota()
    assert [quota.take("Eve", NOON) for _ in range(AT_ONCE + 1)].count(True) == AT_ONCE
    assert not quota.take("Eve", NOON - timedelta(days=1))


def test_a_command_that_was_accepted_acts_once_though_refusals_are_dropped(
    in_file: Ledger,
) -> None:
    in_file.clock = StandingClock()
    keeper = Keeper.open(in_file, "t1", HOUSE, 1_000_00)
    for n in range(2 * AT_ONCE):
        refuse(keeper, f"early {n}")
    assert keeper.execute(c.SitDown(player("Eve"), 2, 500_00), "sit").events
    dropped = f"early {2 * AT_ONCE - 1}"
    buy = c.BuyChips(player("Eve"), 5_00)
    first = keeper.execute(buy, dropped)
    assert first.events
    assert keeper.execute(buy, dropped) == first
    assert keeper.table.players["Eve"] == 505_00
    assert keeper.execute(buy, "early 0").refused  # that one was kept


# --- several processes ------------------------------------------------------------------------


def test_two_keepers_write_one_chain(where: str, beside: Path) -> None:
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", HOUSE, 1_000_00)
    second = Keeper.resume(other, "t1")
    for n in range(4):
        refuse(first, f"first {n}")
        refuse(second, f"second {n}")
        first.flush()
        second.flush()
    refuse(first, "same")
    refuse(second, "same")
    first.flush()
    second.flush()
    rows = kept(one)
    assert len(rows) == 9
    see_chained(rows)
    one.close()
    other.close()


def test_refusals_of_another_process_do_not_hold_up_a_command(where: str, beside: Path) -> None:
    one, other = at(where, beside), at(where, beside, seed=2)
    first = Keeper.open(one, "t1", HOUSE, 1_000_00)
    second = Keeper.resume(other, "t1")
    refuse(second, "second 1")
    second.flush()
    refuse(first, "first 1")  # chained behind nothing, which the store fences
    assert first.execute(SIT, "sit").events
    assert first.execute(c.BuyChips(player("Ann"), 5_00), "buy").events
    refuse(second, "second 2")
    second.flush()
    refuse(first, "first 2")
    buy = c.BuyChips(player("Ann"), 5_00)
    assert asyncio.run(first.perform(buy, "buy again")).events
    first.flush()
    rows = kept(one)
    assert [row.command_id for row in rows] == ["second 1", "first 1", "second 2", "first 2"]
    see_chained(rows)
    one.close()
    other.close()


def test_when_the_store_stays_fenced_the_command_fails_once(in_file: Ledger) -> None:
    """Without refusals there is nothing to leave out."""
    keeper = Keeper.open(in_file, "t1", HOUSE, 1_000_00)

    class Closed:
        def write(self, batch: object) -> None:
            raise Fenced("Another process has written.")

        def close(self) -> None:
            pass

    in_file.writer = Closed()  # type: ignore[assignment]
    refuse(keeper, "x")
    with pytest.raises(Fenced):
        keeper.execute(SIT, "sit")


# --- older stores -----------------------------------------------------------------------------


@pytest.mark.parametrize("version", [1, 4])
def test_refusals_of_an_older_store_are_chained_when_it_is_opened(
    where: str, beside: Path, version: int
) -> None:
    ledger = at(where, beside)
    for name in ("t1", "t2"):
        keeper = Keeper.open(ledger, name, HOUSE, 1_000_00)
        for n in range(5):
            refuse(keeper, f"{name} {n}")
        keeper.flush()
    ledger.close()
    made_older(where, version, beside)
    sql(where, "UPDATE refusals SET sentence = 'No.'")
    ledger = at(where, beside)
    for name in ("t1", "t2"):
        rows = list(ledger.store.refusals(name))
        assert [row.command_id for row in rows] == [f"{name} {n}" for n in range(5)]
        assert {sentence_of(row) for row in rows} == {"No."}
        see_chained(rows)
    keeper = Keeper.resume(ledger, "t1")
    refuse(keeper, "new")
    keeper.flush()
    see_chained(list(ledger.store.refusals("t1")))
    again = keeper.execute(c.Settle(DEALER, 1), "other")
    assert again.refused
    ledger.close()


def test_nothing_waits_at_first() -> None:
    waiting = Waiting()
    assert waiting.rows() == ()
    assert "x" not in waiting
    assert waiting.head == RefusalHead()
