"""Keys pinned on first use."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from croupier.law.refused import Refused
from croupier.ledger.known_keys import check, default_path, fingerprint, pin, pinned

ONE, OTHER = fingerprint(b"one"), fingerprint(b"other")


def test_a_key_is_new_once_then_known_and_another_is_a_change(tmp_path: Path) -> None:
    path = tmp_path / "data" / "known_keys"
    assert check("atlantic", ONE, path) == "new"
    assert not path.exists()
    pin("atlantic", ONE, path)
    assert check("atlantic", ONE, path) == "known"
    assert check("atlantic", OTHER, path) == "changed"
    assert check("pacific", ONE, path) == "new"
    pin("atlantic", OTHER, path)
    assert pinned(path) == {"atlantic": OTHER}


def test_only_the_owner_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "data" / "known_keys"
    pin("room at https://x.example:8700", ONE, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert pinned(path) == {"room at https://x.example:8700": ONE}


def test_many_at_once_lose_no_line_and_leave_no_part(tmp_path: Path) -> None:
    path = tmp_path / "known_keys"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: pin(f"room {n}", ONE, path), range(40)))
    assert len(pinned(path)) == 40
    assert sorted(each.name for each in tmp_path.iterdir()) == ["known_keys", "known_keys.lock"]


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 501, "\x1b[31m"])
def test_a_name_that_does_not_fit_on_a_line_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match="printable"):
        pin(name, ONE, tmp_path / "known_keys")


@pytest.mark.parametrize("said", ["", "abc", "g" * 64, ONE.upper()])
def test_what_is_no_fingerprint_is_refused(tmp_path: Path, said: str) -> None:
    with pytest.raises(Refused, match="hexadecimal"):
        pin("atlantic", said, tmp_path / "known_keys")


@pytest.mark.parametrize("line", [b"nothing\n", b"abc atlantic\n", b"\xff\xfe\n"])
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "known_keys").write_bytes(line)
    with pytest.raises(Refused, match="known_keys"):
        check("atlantic", ONE, tmp_path / "known_keys")


def test_it_lies_in_the_users_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_path().name == "known_keys"
