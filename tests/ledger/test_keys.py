"""Keys: made once, kept apart, replaced without losing what the old ones did."""

from __future__ import annotations

import stat
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.law.refused import Refused
from croupier.ledger.keys import Keys
from croupier.ledger.outside import Disk


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_first_start_makes_keys_that_only_their_owner_may_read(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "keys")
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    made = list((tmp_path / "keys").iterdir())
    assert sorted(path.name for path in made) == [
        f"sealing-0001-{keys.sealing}.key",
        f"signing-0001-{keys.signing}.key",
        f"signing-0001-{keys.signing}.pub",
    ]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}


def test_an_id_is_the_beginning_of_the_hash_of_the_public_key(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    public = bytes.fromhex((tmp_path / f"signing-0001-{keys.signing}.pub").read_text())
    assert sha256(public).hexdigest()[:16] == keys.signing
    Ed25519PublicKey.from_public_bytes(public).verify(keys.sign(b"so be it"), b"so be it")


def test_another_start_takes_the_same_keys_and_writes_nothing(tmp_path: Path) -> None:
    first = Keys(tmp_path)
    before = files(tmp_path)
    second = Keys(tmp_path)
    assert files(tmp_path) == before
    assert (second.sealing, second.signing) == (first.sealing, first.signing)
    assert second.verify(first.signing, first.sign(b"word"), b"word")


def test_two_ledgers_have_different_keys(tmp_path: Path) -> None:
    assert Keys(tmp_path / "a").signing != Keys(tmp_path / "b").signing


def test_after_rotation_old_signatures_and_seals_still_hold(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    old_signing, old_sealing, word = keys.signing, keys.sealing, keys.sign(b"word")
    hidden = keys.cipher(old_sealing).encrypt(b"n" * 12, b"deck", b"place")
    keys.rotate_signing()
    keys.rotate_sealing()
    for now in (keys, Keys(tmp_path)):
        assert now.signing != old_signing
        assert now.sealing != old_sealing
        assert now.verify(old_signing, word, b"word")
        assert not now.verify(now.signing, word, b"word")
        assert now.cipher(old_sealing).decrypt(b"n" * 12, hidden, b"place") == b"deck"


def test_a_replaced_private_half_may_be_destroyed(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    old, word = keys.signing, keys.sign(b"word")
    keys.rotate_signing()
    (tmp_path / f"signing-0001-{old}.key").unlink()
    again = Keys(tmp_path)
    assert again.verify(old, word, b"word")
    assert again.signing == keys.signing


def test_without_the_private_half_in_use_nothing_is_signed(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    (tmp_path / f"signing-0001-{keys.signing}.key").unlink()
    with pytest.raises(Refused, match="no private half"):
        Keys(tmp_path).sign(b"word")


def test_a_key_that_is_not_here_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="sealing key 0123 is not in"):
        Keys(tmp_path).cipher("0123")
    assert not Keys(tmp_path).verify("0123", b"x" * 64, b"word")


def test_keys_another_process_has_made_are_found_when_they_are_met(tmp_path: Path) -> None:
    here, there = Keys(tmp_path), Keys(tmp_path)
    sealing, signing = there.rotate_sealing(), there.rotate_signing()
    assert here.verify(signing, there.sign(b"word"), b"word")
    sealed = there.cipher(sealing).encrypt(bytes(12), b"card", b"place")
    assert here.cipher(sealing).decrypt(bytes(12), sealed, b"place") == b"card"
    assert (here.sealing, here.signing) == (sealing, signing), "nobody goes on with the old ones"


@pytest.mark.parametrize("content", ["", "zz", "00" * 31, "11" * 32])
def test_a_file_that_does_not_hold_its_key_is_refused(tmp_path: Path, content: str) -> None:
    keys = Keys(tmp_path)
    (tmp_path / f"sealing-0001-{keys.sealing}.key").write_text(content)
    with pytest.raises(Refused, match=f"sealing-0001-{keys.sealing}"):
        Keys(tmp_path)


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    disk = Disk()
    disk.create(tmp_path / "key", b"first")
    with pytest.raises(FileExistsError):
        disk.create(tmp_path / "key", b"second")
    assert (tmp_path / "key").read_bytes() == b"first"
