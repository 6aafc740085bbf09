"""croupier doctor: a place in order, and each thing that is not."""

from __future__ import annotations

import json
import os
import shutil
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command import Ran, croupier
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from helpers import NJ_UTH
from ledger_driver import opened
from room_driver import free_port, running

from croupier.cli.place_options import place_of
from croupier.ledger.doctor import Checkup, Finding, _file_system, _numbers, _requirements
from croupier.ledger.ledger import Ledger
from croupier.ledger.place import FILE


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a ledger, in order."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    ledger = Ledger.at(folder / FILE)
    opened(ledger, {"rulebook": NJ_UTH}).rounds(1)
    ledger.close()
    return folder


def examined(data: Path, *more: str) -> tuple[Ran, dict[str, list[Finding]]]:
    """What is printed, and the findings by what they are about."""
    ran = croupier("doctor", "--data", str(data), "--port", str(free_port()), "--json", *more)
    found: dict[str, list[Finding]] = {}
    for each in json.loads(ran.out)["findings"]:
        found.setdefault(each["about"], []).append(Finding(**each))
    return ran, found


def problems(found: dict[str, list[Finding]]) -> list[str]:
    return [each.sentence for some in found.values() for each in some if each.level == "problem"]


def test_a_place_in_order(data: Path) -> None:
    ran = croupier("doctor", "--data", str(data), "--port", str(free_port()))
    assert ran.code == 0, ran.out
    lines = ran.out.splitlines()
    assert {line.split()[0] for line in lines} <= {"ok", "warning"}
    for about in ("versions", "place", "modes", "disk", "store", "keys", "clock", "lock", "port"):
        assert any(line.split()[1] == about for line in lines)


def test_nothing_is_changed(data: Path) -> None:
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    examined(data)
    after = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    assert {path: after[path] for path in before} == before
    assert {path.name for path in after.keys() - before.keys()} <= {f"{FILE}-wal", f"{FILE}-shm"}


def test_a_place_that_is_not_there_yet(tmp_path: Path) -> None:
    ran, found = examined(tmp_path / "none")
    assert ran.code == 0
    assert found["store"][0].level == "warning"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", [FILE, f"{FILE}.checkpoints", f"{FILE}.keys", "", "a.backup"])
def test_files_that_others_can_read_are_named(data: Path, name: str) -> None:
    path = data / name
    if not path.exists():
        path.touch()
    path.chmod(0o755 if path.is_dir() else 0o644)
    ran, found = examined(data)
    assert ran.code == 1
    (wide,) = found["modes"]
    assert wide.level == "problem"
    assert f"{path} has mode 0" in wide.sentence
    wanted = "700" if path.is_dir() else "600"
    assert f"chmod {wanted} {path}" in wide.sentence


def test_every_key_file_is_looked_at(data: Path) -> None:
    key = next((data / f"{FILE}.keys").glob("signing*.key"))
    key.chmod(0o640)
    _, found = examined(data)
    assert [str(key) in each.sentence for each in found["modes"]] == [True]


def test_keys_that_are_gone_or_anothers(data: Path, tmp_path: Path) -> None:
    keys = data / f"{FILE}.keys"
    keys.rename(tmp_path / "aside")
    ran, found = examined(data)
    assert ran.code == 1
    assert "no table can be opened" in found["keys"][0].sentence
    other = tmp_path / "other"
    other.mkdir()
    Ledger.at(other / FILE).close()
    shutil.copytree(other / f"{FILE}.keys", keys)
    keys.chmod(0o700)
    ran, found = examined(data)
    assert ran.code == 1
    assert "of which no key is here" in found["keys"][0].sentence
    shutil.rmtree(keys)
    (tmp_path / "aside").rename(keys)
    for private in keys.glob("signing*.key"):
        private.unlink()
    ran, found = examined(data)
    assert "has no private half" in found["keys"][0].sentence


def test_a_damaged_file(data: Path) -> None:
    path = data / FILE
    with path.open("r+b") as file:
        file.seek(2048)
        file.write(os.urandom(8192))
    ran, found = examined(data)
    assert ran.code == 1
    assert problems(found)


def test_a_newer_schema(data: Path) -> None:
    import sqlite3

    with sqlite3.connect(data / FILE) as file:
        file.execute("INSERT INTO migrations VALUES (99, 'then')")
    ran, found = examined(data)
    assert ran.code == 1
    assert "newer Croupier" in found["store"][0].sentence


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (datetime(1970, 1, 2, tzinfo=UTC), "set it"),
        (datetime(2025, 2, 1, tzinfo=UTC), "but the last entry is of"),
    ],
)
def test_a_clock_that_is_wrong(data: Path, now: datetime, said: str) -> None:
    found = list(Checkup(place_of("", data), port=free_port(), clock=lambda: now).findings())
    (clock,) = [each for each in found if each.about == "clock"]
    assert clock.level == "problem"
    assert said in clock.sentence


def test_a_port_that_is_taken(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = croupier("doctor", "--data", str(data), "--port", port)
    assert ran.code == 1
    assert f"Nobody can listen at 127.0.0.1:{port}" in ran.out


def test_a_room_that_is_open(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as room:
        port = room.at.rpartition(":")[2]
        ran = croupier("doctor", "--data", str(data), "--port", port)
        assert ran.code == 0, ran.out
        assert "A room is open here." in ran.out
        assert "Somebody listens at" in ran.out
        assert room.guest().me["name"]  # and it goes on


def test_a_ledger_in_postgres(postgres: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, store=postgres):
        ran, found = examined(data, "--store", postgres)
        assert ran.code == 0, ran.out
        assert "5 tables" in found["store"][0].sentence
    gone = "postgresql://nobody@127.0.0.1:9/none"
    ran, found = examined(data, "--store", gone)
    assert ran.code == 1
    assert "cannot be opened" in found["store"][0].sentence


def certificate(folder: Path, days: int) -> tuple[Path, Path]:
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "room.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=400))
        .not_valid_after(now + timedelta(days=days))
        .sign(key, None)
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    private.chmod(0o600)
    return cert, private


@pytest.mark.parametrize(("days", "level"), [(90, "ok"), (3, "warning"), (-1, "problem")])
def test_a_certificate_that_ends(data: Path, tmp_path: Path, days: int, level: str) -> None:
    cert, key = certificate(tmp_path, days)
    _, found = examined(data, "--tls-cert", str(cert), "--tls-key", str(key))
    assert [each.level for each in found["tls"]] == [level]
    key.chmod(0o644)
    _, found = examined(data, "--tls-cert", str(cert), "--tls-key", str(key))
    assert found["tls"][0].level == "problem"
    assert f"chmod 600 {key}" in found["tls"][0].sentence
    cert.write_text("nothing")
    _, found = examined(data, "--tls-cert", str(cert))
    assert "holds no certificate" in found["tls"][0].sentence


def test_what_libraries_are_asked_for() -> None:
    asked = {name: extra for name, _, extra in _requirements(["room", "postgres"])}
    assert asked["starlette"] == "room"
    assert asked["psycopg"] == "postgres"
    assert asked["numpy"] == ""
    assert "pytest" not in asked
    assert _numbers("3.10.2") > _numbers("3.9")


def test_where_a_folder_is(tmp_path: Path) -> None:
    assert _file_system(Path("/proc")) == "proc"
    assert _file_system(tmp_path)
