"""Keys pinned on first use."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.law.refused import Refused
from croupier.ledger.known_keys import KnownKeys, default_path, read_keys

ONE, OTHER = "11" * 32, "22" * 32
NOW = "2026-01-01T00:00:00Z"


def test_keys_are_pinned_by_room_once_and_in_order(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path / "data" / "known-keys")
    assert known.of("atlantic") == []
    assert not known.path.exists()
    known.pin("atlantic", [ONE], NOW)
    known.pin("atlantic", [ONE, OTHER], NOW)
    known.pin("pacific", [OTHER], NOW)
    assert [pin.key for pin in known.of("atlantic")] == [ONE, OTHER]
    assert [pin.key for pin in known.of("pacific")] == [OTHER]


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path / "known-keys")
    known.pin("room at https://x.example:8700", [ONE], NOW)
    assert known.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("line", [b"nothing\n", b'{"room":"a"}\n', b"\xff\xfe\n"])
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "known-keys").write_bytes(line)
    with pytest.raises(Refused, match="known-keys"):
        KnownKeys(tmp_path / "known-keys").of("atlantic")


def test_a_key_under_an_id_that_is_not_its_own_is_left_out() -> None:
    assert read_keys({"0" * 16: ONE, "short": "11"}).public == {}


def test_it_lies_in_the_users_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_path().name == "known-keys"
