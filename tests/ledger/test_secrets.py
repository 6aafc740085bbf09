"""Nobody who reads the database's files learns a card before it is turned.

Rounds are played, and in the middle of one the raw bytes of every file are searched: the tables,
the log written ahead, whatever PostgreSQL keeps in its folder, the checkpoints.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from engine_driver import ONE_DECK, TWO_DECKS
from helpers import CARIBBEAN, NJ_UTH
from ledger_driver import KeptEvening, at, happenings, opened

from croupier.cards.card import read_exact
from croupier.ledger.records import ShuffleCommitted
from croupier.table import events as e

WINDOW = 9  # cards in a row; more than are ever turned up one after another
HOUSES = {
    "shuffled by hand": {"rulebook": NJ_UTH, **ONE_DECK},
    "two decks": {"rulebook": CARIBBEAN, **TWO_DECKS},
    "pre-shuffled": {"rulebook": NJ_UTH, **ONE_DECK, "preshuffled": True},
}


def of_a_deck(order: str) -> Iterator[bytes]:
    """How a part of a deck could lie in a file: spelled one way or another, or in numbers. Parts
    stand next to each other, so twice as many cards in a row always hold one."""
    deck = read_exact(order)
    for start in range(0, len(deck) - WINDOW, WINDOW):
        part = deck[start : start + WINDOW]
        for joint in (" ", "", ",", ", ", '","', '", "'):
            yield joint.join(map(str, part)).encode()
            yield joint.join(each.pretty for each in part).encode()
            yield joint.join(str(int(each)) for each in part).encode()
        yield bytes(part)
        yield bytes(each + 1 for each in part)
    for joint in (" ", ""):
        yield b64encode(joint.join(map(str, deck)).encode())[:-4]
        yield joint.join(map(str, deck)).encode().hex().encode()
    yield bytes(deck).hex().encode()
    yield b64encode(bytes(deck))[:-4]


def of_a_seed(seed: str) -> Iterator[bytes]:
    raw = bytes.fromhex(seed)
    yield from (raw, raw[::-1], seed.encode(), seed.upper().encode())
    yield from (b64encode(raw)[:-4], urlsafe_b64encode(raw)[:-4], b64encode(seed.encode())[:-4])
    yield str(int(seed, 16)).encode()


def found(files: bytes, evening: KeptEvening) -> list[str]:
    """What can be read of the decks that lie on the table and of the seeds not revealed yet."""
    shuffles = evening.keeper.kept.shuffles
    assert shuffles.promised is not None
    open_now = [*shuffles.lying.values(), shuffles.promised]
    told = [f"seed {s.number}" for s in open_now for x in of_a_seed(s.seed) if x in files]
    orders = [s.order() for s in open_now]
    orders += [
        event.order
        for event in happenings(evening.keeper.ledger)
        if isinstance(event, e.DeckShuffled)
    ]
    return told + [f"deck {n}" for n, o in enumerate(orders) for x in of_a_deck(o) if x in files]


def all_bytes(folder: Path, since: float = 0) -> bytes:
    """Every file in a folder written since, but for the keys; long empty spaces left out."""
    files = [each for each in folder.rglob("*") if each.is_file() and each.suffix != ".key"]
    written = [each.read_bytes() for each in files if each.stat().st_mtime >= since]
    return re.sub(rb"\0{64,}", b"\0" * 64, b"".join(written))


def play(evening: KeptEvening) -> None:
    """Two rounds, and a third until the players are to decide."""
    evening.rounds(2)
    evening.until("choose")
    assert evening.table.now.dealt


@pytest.mark.parametrize("name", HOUSES)
def test_the_files_of_sqlite_hold_no_deck_and_no_seed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path, snapshot_every=10)
    evening = opened(ledger, HOUSES[name])
    play(evening)
    assert list(ledger.store.snapshots("t1"))
    names = {each.name for each in tmp_path.iterdir()}
    assert {"evening.db", "evening.db-wal", "evening.db.checkpoints"} <= names
    read = all_bytes(tmp_path)
    assert b"HandRevealed" in read  # that a search finds what is there
    assert found(read, evening) == []
    ledger.close()


def test_the_folder_of_postgres_holds_no_deck_and_no_seed(
    server: Any, postgres: str, tmp_path: Path
) -> None:
    began = time.time() - 1
    # With entropy of its own: the folder has the seeds that other tests have revealed.
    ledger = at(postgres, tmp_path / "evening", seed=52, snapshot_every=10)
    evening = opened(ledger, HOUSES["shuffled by hand"])
    play(evening)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CHECKPOINT")  # everything from memory into the files
    read = all_bytes(Path(server.pgdata), began)
    assert b"HandRevealed" in read
    assert found(read, evening) == []
    ledger.close()


def test_the_search_would_find_a_deck_and_a_seed(tmp_path: Path) -> None:
    """Each way of writing one, put among other bytes."""
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    evening = opened(ledger, HOUSES["shuffled by hand"])
    evening.until("choose")
    (lying,) = evening.keeper.kept.shuffles.lying.values()
    for planted in (
        lying.order().encode(),
        lying.order().replace(" ", "").encode(),
        ",".join(str(int(x)) for x in read_exact(lying.order())).encode(),
        bytes(read_exact(lying.order())),
        lying.seed.encode(),
        bytes.fromhex(lying.seed),
        b64encode(bytes.fromhex(lying.seed)),
    ):
        assert found(b"\x00 some page " + planted + b" \x00", evening)
    ledger.close()


def test_a_seed_is_in_the_clear_only_once_it_is_revealed(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    ledger = at(path, path)
    evening = opened(ledger, HOUSES["shuffled by hand"])
    first = next(each for each in happenings(ledger) if isinstance(each, ShuffleCommitted))
    evening.until("choose")
    assert first.seed.encode() not in (tmp_path / "evening.db-wal").read_bytes()
    evening.rounds(1)
    assert first.seed.encode() in (tmp_path / "evening.db-wal").read_bytes()
    ledger.close()
