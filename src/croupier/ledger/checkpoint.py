"""Signed checkpoints: so far the chain had come, by a key the database does not hold.

They are kept in the store and, a line each, in a file beside it that is only ever appended to; a
copy of that file elsewhere shows any later cutting or rewriting. What is signed:

    croupier checkpoint 2\\n{"hash":"...","refusal":"...","refusals":3,"sequence":57,"table":...}

with the number and the hash of the table's last refusal. Format 1 signed no refusals; checkpoints
of that format stay valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.ledger.chain import Head, RefusalHead
from croupier.ledger.entry import canonical
from croupier.ledger.keys import Keys
from croupier.ledger.outside import DISK, TAIL, Disk

LABEL_1 = b"croupier checkpoint 1\n"
LABEL_2 = b"croupier checkpoint 2\n"
NO_REFUSALS = RefusalHead()


class Checkpoint(Struct, frozen=True, gc=False):
    table: str
    sequence: int
    hash: str  # of the entry of that sequence
    time: str  # of that entry
    key: str  # the id of the signing key
    signature: str  # Ed25519, 64 bytes in hexadecimal
    refusals: int = 0  # the number of the last refusal
    refusal: str = ""  # its hash; empty in format 1


def signed(keys: Keys, table: str, head: Head, refused: RefusalHead = NO_REFUSALS) -> Checkpoint:
    unsigned = Checkpoint(
        table, head.sequence, head.hash, head.time, keys.signing, "", refused.number, refused.hash
    )
    return replace(unsigned, signature=keys.sign(_message(unsigned)).hex())


class Verifies(Protocol):
    """Whatever knows public keys by their ids."""

    def verify(self, key: str, signature: bytes, message: bytes) -> bool: ...


def genuine(keys: Verifies, checkpoint: Checkpoint) -> bool:
    """Whether one of these keys signed exactly this."""
    try:
        signature = bytes.fromhex(checkpoint.signature)
    except ValueError:
        return False
    return keys.verify(checkpoint.key, signature, _message(checkpoint))


def _message(checkpoint: Checkpoint) -> bytes:
    content: dict[str, str | int] = {
        "hash": checkpoint.hash,
        "sequence": checkpoint.sequence,
        "table": checkpoint.table,
        "time": checkpoint.time,
    }
    if not checkpoint.refusal:
        return LABEL_1 + canonical(content)
    content |= {"refusal": checkpoint.refusal, "refusals": checkpoint.refusals}
    return LABEL_2 + canonical(content)


class Witness:
    """The file beside the database. A crash may leave its last line torn; a torn line witnesses
    nothing, and what it was about to say is said again."""

    def __init__(self, path: Path, disk: Disk = DISK) -> None:
        self.path = path
        self.followers: list[Callable[[Sequence[Checkpoint]], None]] = []  # second witnesses
        self._disk = disk

    def add(self, checkpoints: Sequence[Checkpoint]) -> None:
        for follower in self.followers:
            follower(checkpoints)
        lines = b"".join(canonical(each) + b"\n" for each in checkpoints)
        if lines:
            self._disk.append(self.path, b"\n" + lines if self._torn() else lines)

    def _torn(self) -> bool:
        """Looked at every time: it may be another process that died in the middle of a line."""
        size = self._disk.size(self.path)
        return size > 0 and self._disk.part(self.path, size - 1, 1) != b"\n"

    def all(self) -> Iterator[Checkpoint]:
        if self._disk.size(self.path):
            yield from _read(self._disk.read(self.path).split(b"\n"))

    def latest(self, table: str) -> Checkpoint | None:
        """The last word on a table, looked for from the end of the file."""
        return next((each for each in self.backwards() if each.table == table), None)

    def backwards(self) -> Iterator[Checkpoint]:
        """From the end of the file, a part at a time."""
        end = self._disk.size(self.path)
        rest = b""
        while end:
            start = max(0, end - TAIL)
            lines = (self._disk.part(self.path, start, end - start) + rest).split(b"\n")
            rest = lines.pop(0) if start else b""
            yield from _read(reversed(lines))
            end = start


def _read(lines: Iterable[bytes]) -> Iterator[Checkpoint]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Checkpoint)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
