"""A commitment binds seed, table and number, and tells nothing else."""

from __future__ import annotations

from hashlib import sha256

import pytest

from croupier.law.refused import Refused
from croupier.ledger.commitment import commit, name_of, verify

SEED = bytes(range(32))
TABLE = "Tisch 1 ü"
# Computed with Web Crypto from the layout alone, in JavaScript.
COMMITMENT = "1427db212ded8c769193346dbf6622ce9d756651bb7967d417c1b24f7fc57ee1"


def test_the_layout_is_byte_for_byte_the_one_documented() -> None:
    name = b"\x00\x00\x00\x12croupier shuffle 1\x00\x00\x00\x0aTisch 1 \xc3\xbc\x00\x00\x00\x017"
    assert name_of(TABLE, 7) == name
    assert commit(SEED, TABLE, 7) == sha256(SEED + name).hexdigest() == COMMITMENT


def test_what_was_promised_verifies() -> None:
    assert verify(COMMITMENT, SEED, TABLE, 7)


def test_nothing_else_verifies() -> None:
    other_seeds = [
        bytes(b ^ (1 << bit) if i == place else b for i, b in enumerate(SEED))
        for place in range(32)
        for bit in range(8)
    ]
    assert not any(verify(COMMITMENT, seed, TABLE, 7) for seed in other_seeds)
    assert not verify(COMMITMENT, SEED, "Tisch 1 u", 7)
    assert not verify(COMMITMENT, SEED, TABLE, 8)
    for wrong in ("", COMMITMENT[:-1], COMMITMENT.upper(), "ü" * 64):
        assert not verify(wrong, SEED, TABLE, 7)


def test_table_and_number_cannot_be_read_two_ways() -> None:
    """Digits at the end of a table's id are not digits of the number."""
    assert commit(SEED, "table 1", 1) != commit(SEED, "table ", 11)
    names = {name_of(table, n) for table in ("", "1", "11", "111") for n in (1, 11, 111)}
    assert len(names) == 12


def test_a_seed_of_another_size_and_a_shuffle_before_the_first_are_refused() -> None:
    with pytest.raises(Refused, match="A seed has 32 bytes, not 31"):
        commit(SEED[:31], TABLE, 7)
    with pytest.raises(Refused, match="numbered from 1; there is no shuffle 0"):
        commit(SEED, TABLE, 0)
