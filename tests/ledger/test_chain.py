"""Whatever is done to a chain of entries, the first that does not fit is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from forger import hashed
from helpers import PIK_IT
from ledger_driver import at, opened
from msgspec.structs import replace

from croupier.ledger.chain import Broken, Head, follow
from croupier.ledger.entry import Entry

Chain = list[Entry]


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Chain:
    """The entries of a real opening."""
    path: Path = tmp_path_factory.mktemp("chain") / "evening.db"
    ledger = at(path, path)
    opened(ledger, {"rulebook": PIK_IT})
    entries = list(ledger.store.read("t1"))
    ledger.close()
    return entries


def test_a_chain_as_it_was_written_is_whole(chain: Chain) -> None:
    assert len(chain) == 5
    assert list(follow(chain, "t1", Head())) == chain
    assert list(follow(chain[2:], "t1", Head.of(chain[1]))) == chain[2:]


def changed(place: int, **fields: str | int) -> Callable[[Chain], Chain]:
    return lambda chain: [
        replace(entry, **fields) if n == place else entry for n, entry in enumerate(chain)
    ]


def rewritten(place: int, **fields: str | int) -> Callable[[Chain], Chain]:
    """Changed, with a hash that fits."""
    return lambda chain: [
        hashed(replace(entry, **fields)) if n == place else entry for n, entry in enumerate(chain)
    ]


@pytest.mark.parametrize(
    ("tamper", "entry"),
    [
        (changed(2, actor="player Eve"), 3),
        (changed(2, time="2025-03-14T21:00:00.000000Z"), 3),
        (changed(2, event='{"type":"RoundEnded","number":1,"clause":""}'), 3),
        (changed(2, command=""), 3),
        (changed(2, command_id="other"), 3),
        (changed(2, hash="0" * 64), 3),
        (changed(2, previous="0" * 64), 3),
        (changed(2, sequence=9), 3),
        (changed(2, table="t2"), 3),
        (rewritten(2, actor="player Eve"), 4),  # the next no longer follows
        (rewritten(4, time="2024-01-01T00:00:00.000000Z"), 5),
        (lambda chain: [*chain[:1], *chain[2:]], 2),  # one taken out
        (lambda chain: chain[1:], 1),  # the first taken off
        (lambda chain: [chain[0], chain[2], chain[1], *chain[3:]], 2),  # two exchanged
        (lambda chain: [*chain[:3], chain[2], *chain[3:]], 4),  # one doubled
    ],
)
def test_the_first_entry_that_does_not_fit_is_named(
    chain: Chain, tamper: Callable[[Chain], Chain], entry: int
) -> None:
    with pytest.raises(Broken) as broken:
        list(follow(tamper(chain), "t1", Head()))
    assert broken.value.sequence == entry
    assert f"broken at entry {entry}" in str(broken.value)


def test_a_chain_alone_does_not_see_that_its_end_is_missing(chain: Chain) -> None:
    """Which is what checkpoints are for."""
    assert list(follow(chain[:-1], "t1", Head())) == chain[:-1]
