"""Checkpoints: what is signed, and the file that witnesses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from croupier.ledger.chain import Head, RefusalHead
from croupier.ledger.checkpoint import Checkpoint, Witness, genuine, signed
from croupier.ledger.keys import Keys
from croupier.ledger.outside import TAIL, Disk

HEAD = Head(57, "ab" * 32, "2025-03-14T20:00:07.000001Z")


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


def test_the_signature_is_over_the_bytes_that_are_documented(keys: Keys) -> None:
    checkpoint = signed(keys, "t1", HEAD, RefusalHead(3, "ef" * 32))
    message = (
        "croupier checkpoint 2\n"
        f'{{"hash":"{HEAD.hash}","refusal":"{"ef" * 32}","refusals":3,"sequence":57,'
        f'"table":"t1","time":"{HEAD.time}"}}'
    )
    public = Ed25519PublicKey.from_public_bytes(keys.public[checkpoint.key])
    public.verify(bytes.fromhex(checkpoint.signature), message.encode())
    assert genuine(keys, checkpoint)


def test_a_checkpoint_of_format_1_stays_genuine(keys: Keys) -> None:
    content = f'{{"hash":"{HEAD.hash}","sequence":57,"table":"t1","time":"{HEAD.time}"}}'
    signature = keys.sign(f"croupier checkpoint 1\n{content}".encode()).hex()
    old = Checkpoint("t1", 57, HEAD.hash, HEAD.time, keys.signing, signature)
    assert genuine(keys, old)
    assert not genuine(keys, replace(old, refusals=1, refusal="ef" * 32))


def test_the_refusals_cannot_be_taken_out_of_a_checkpoint(keys: Keys) -> None:
    checkpoint = signed(keys, "t1", HEAD, RefusalHead(3, "ef" * 32))
    assert not genuine(keys, replace(checkpoint, refusals=0, refusal=""))


@pytest.mark.parametrize(
    "change",
    [
        {"refusals": 1},
        {"refusal": "cd" * 32},
        {"table": "t2"},
        {"sequence": 58},
        {"hash": "cd" * 32},
        {"time": "2025-03-14T20:00:08.000001Z"},
        {"key": "0" * 16},
        {"signature": "00" * 64},
        {"signature": "no hexadecimal"},
    ],
)
def test_with_anything_changed_it_is_not_genuine(keys: Keys, change: dict[str, str]) -> None:
    assert not genuine(keys, replace(signed(keys, "t1", HEAD), **change))


def test_one_signed_by_other_keys_is_not_genuine(keys: Keys, tmp_path: Path) -> None:
    assert not genuine(keys, signed(Keys(tmp_path / "others"), "t1", HEAD))


def test_one_signed_before_rotation_stays_genuine(keys: Keys) -> None:
    old = signed(keys, "t1", HEAD)
    keys.rotate_signing()
    assert genuine(keys, old)
    assert signed(keys, "t1", HEAD).key != old.key


# --- the witness ----------------------------------------------------------------------------


def numbered(keys: Keys, count: int, table: str = "t1") -> list[Checkpoint]:
    return [signed(keys, table, replace(HEAD, sequence=n)) for n in range(1, count + 1)]


def test_the_witness_keeps_every_checkpoint_on_a_line_of_json(keys: Keys, tmp_path: Path) -> None:
    witness = Witness(tmp_path / "checkpoints")
    assert list(witness.all()) == []
    assert witness.latest("t1") is None
    made = numbered(keys, 3)
    witness.add(made[:1])
    Witness(tmp_path / "checkpoints").add(made[1:])
    assert list(witness.all()) == made
    lines = (tmp_path / "checkpoints").read_text().splitlines()
    assert [json.loads(line)["sequence"] for line in lines] == [1, 2, 3]


def test_the_latest_of_a_table_is_found_however_far_back(keys: Keys, tmp_path: Path) -> None:
    witness = Witness(tmp_path / "checkpoints")
    first, *others = numbered(keys, 500)
    witness.add([replace(first, table="t2"), *others])
    assert (tmp_path / "checkpoints").stat().st_size > 2 * TAIL
    assert witness.latest("t1") == others[-1]
    assert witness.latest("t2") == replace(first, table="t2")
    assert witness.latest("t3") is None


def test_a_torn_last_line_witnesses_nothing_and_spoils_nothing(keys: Keys, tmp_path: Path) -> None:
    path = tmp_path / "checkpoints"
    made = numbered(keys, 3)
    Witness(path).add(made[:2])
    whole = path.read_bytes()
    for length in range(2, len(whole) // 2, 9):
        path.write_bytes(whole[:-length])
        witness = Witness(path)
        assert witness.latest("t1") == made[0]
        witness.add(made[2:])
        assert list(witness.all()) == [made[0], made[2]]


class Failing(Disk):
    """A disk that stops halfway through a line, until it is mended."""

    broken = True

    def append(self, path: Path, data: bytes) -> None:
        super().append(path, data[:40] if self.broken else data)
        if self.broken:
            raise OSError("No space left on device")


def test_a_line_torn_while_writing_is_ended_before_the_next(keys: Keys, tmp_path: Path) -> None:
    made = numbered(keys, 2)
    disk = Failing()
    witness = Witness(tmp_path / "checkpoints", disk)
    with pytest.raises(OSError, match="No space"):
        witness.add(made[:1])
    disk.broken = False
    witness.add(made[1:])
    assert list(witness.all()) == made[1:]
