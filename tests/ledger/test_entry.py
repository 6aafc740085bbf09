"""An entry and its hash, computed a second way: by Python's own json."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

from msgspec.structs import replace

from croupier.ledger.entry import (
    GENESIS,
    Entry,
    canonical,
    chained,
    digest,
    fingerprint,
    stamp,
    text,
)
from croupier.ledger.records import AddEntropy, ShuffleRevealed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import player

PLACED = e.WagersPlaced(2, {"trips": 5_00, "ante": 10_00, "blind": 10_00}, 0, "NJ 19:47-32.6(a)")
ENTRY = Entry(
    table="t1",
    sequence=7,
    time="2025-03-14T20:00:07.000001Z",
    actor='player "Zoë"',
    command_id="abc",
    command="",
    event=text(PLACED),
    previous=GENESIS,
)
HASHED = ENTRY.__struct_fields__[: ENTRY.__struct_fields__.index("hash")]


def test_the_hash_is_sha_256_over_sorted_json_without_spaces_of_the_fields_before_it() -> None:
    fields = {name: getattr(ENTRY, name) for name in HASHED}
    written = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert digest(ENTRY) == hashlib.sha256(written.encode()).hexdigest()
    assert chained(*fields.values()) == replace(ENTRY, hash=digest(ENTRY))


def test_every_field_is_in_the_hash_but_what_follows_from_the_event() -> None:
    assert set(ENTRY.__struct_fields__) - set(HASHED) == {"hash", "moved"}
    for name in HASHED:
        value = getattr(ENTRY, name)
        other = value + 1 if isinstance(value, int) else value + "x"
        assert digest(replace(ENTRY, **{name: other})) != digest(ENTRY)


def test_wagers_keep_the_order_in_which_they_were_named() -> None:
    again = ENTRY.happening()
    assert again == PLACED
    assert isinstance(again, e.WagersPlaced)
    assert list(again.wagers) == ["trips", "ante", "blind"]


def test_events_records_and_commands_are_told_apart_when_read() -> None:
    revealed = ShuffleRevealed(1, "00", 1)
    assert replace(ENTRY, event=text(revealed)).happening() == revealed
    for command in (AddEntropy(player("Ann"), "my words"), c.SitDown(player("Ann"), 1, 5_00)):
        assert replace(ENTRY, command=text(command)).request() == command
    assert ENTRY.request() is None


def test_a_clock_that_jumps_back_does_not_take_the_ledger_with_it() -> None:
    noon = datetime(2025, 3, 14, 12, 0, 0, 5, tzinfo=UTC)
    first = stamp(noon)
    assert first == "2025-03-14T12:00:00.000005Z"
    assert stamp(noon - timedelta(hours=1), first) == first
    assert stamp(noon + timedelta(microseconds=1), first) == "2025-03-14T12:00:00.000006Z"


def test_times_are_utc_wherever_the_clock_hangs_and_have_microseconds_even_when_they_are_none() -> (
    None
):
    there = timezone(timedelta(hours=-5))
    assert stamp(datetime(2025, 3, 14, 7, 0, tzinfo=there)) == "2025-03-14T12:00:00.000000Z"


def test_a_fingerprint_does_not_look_at_the_order_of_wagers() -> None:
    one = c.PlaceWagers(player("Ann"), 1, {"ante": 5_00, "blind": 5_00})
    same = c.PlaceWagers(player("Ann"), 1, {"blind": 5_00, "ante": 5_00})
    other = c.PlaceWagers(player("Ann"), 1, {"blind": 5_00, "ante": 5_01})
    assert fingerprint(one) == fingerprint(same) != fingerprint(other)
    assert canonical(one) == canonical(same)
