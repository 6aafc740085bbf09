"""The promise made before the bets: which seed the next shuffle will use, without telling it.

A **field** is the length of some bytes, as four bytes with the highest first, then the bytes. The
**name** of a shuffle is three fields: the text ``croupier shuffle 1``, the table's id in UTF-8, and
the number of the shuffle in decimal digits. No two shuffles of a house have the same name, and no
bytes can be read as two names.

    commitment = SHA-256(seed (32 bytes) | name)        in 64 hexadecimal digits, lower case

Players' own entropy comes later and is no part of it: it goes into the shuffle (see ``shuffle``).
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

from croupier.law.refused import Refused
from croupier.ledger.generator import checked_seed

LABEL = b"croupier shuffle 1"


def commit(seed: bytes, table: str, shuffle: int) -> str:
    """What is shown before the bets. It binds seed, table and number, and hides the seed."""
    return sha256(checked_seed(seed) + name_of(table, shuffle)).hexdigest()


def verify(commitment: str, seed: bytes, table: str, shuffle: int) -> bool:
    """Whether the revealed seed is the one that was promised for this shuffle of this table."""
    return compare_digest(commitment.encode(), commit(seed, table, shuffle).encode())


def name_of(table: str, shuffle: int) -> bytes:
    """The name of a shuffle, in bytes."""
    if shuffle < 1:
        raise Refused(f"Shuffles are numbered from 1; there is no shuffle {shuffle}.")
    return field(LABEL) + field(table.encode()) + field(b"%d" % shuffle)


def field(data: bytes) -> bytes:
    """Bytes with their length in front, so that fields in a row can be told apart."""
    return len(data).to_bytes(4, "big") + data
