"""https: with a certificate that is given, and with one made for the local network."""

from __future__ import annotations

import json
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from msgspec.structs import replace
from raw_socket import eventually, is_closed, raw
from room_driver import PATIENCE, UNHURRIED, Running, free_port, running
from websockets.sync.client import connect

from croupier.law.refused import Refused
from croupier.room import tls
from croupier.room.settings import Settings

COMMAND = "import typer; from croupier.cli.room import room; typer.run(room)"


def trusting(data: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=data / tls.CERTIFICATE)


def prepared(data: Path, **more: object) -> Settings:
    settings = Settings(data=data, tls_local=True, **more)  # type: ignore[arg-type]
    tls.prepare(settings)
    return settings


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Running]:
    prepared(tmp_path)
    limits = replace(UNHURRIED, header_seconds=1, connections_address=20)
    with running(tmp_path, limits=limits, tls_local=True) as opened:
        yield opened


def play(origin: str, data: Path) -> httpx2.Response:
    """Come in as a guest and open a socket, both over TLS; how the guest was answered."""
    trust = trusting(data)
    with httpx2.Client(base_url=origin, verify=trust, timeout=PATIENCE) as client:
        came = client.post("/api/guest", json={}, headers={"Origin": origin})
        headers = {"X-Croupier-CSRF": came.json()["csrf"]}
        ticket = client.post("/api/ticket", json={}, headers=headers).json()["ticket"]
    with connect(
        origin.replace("https", "wss") + "/ws",
        ssl=trust,
        origin=origin,  # type: ignore[arg-type]
        subprotocols=["croupier.1"],  # type: ignore[list-item]
        open_timeout=PATIENCE,
    ) as line:
        line.send(json.dumps({"type": "hello", "ticket": ticket}))
        assert json.loads(line.recv(PATIENCE))["type"] == "welcome"
        line.send(json.dumps({"type": "watch", "table": "uth-1", "after": None}))
        assert json.loads(line.recv(PATIENCE))["type"] == "table"
    return came


def test_requests_and_sockets_over_tls(room: Running, tmp_path: Path) -> None:
    origin = room.origin.replace("http", "https")
    came = play(origin, tmp_path)
    assert "; Secure" in came.headers["Set-Cookie"]
    assert origin.replace("https", "wss") in came.headers["Content-Security-Policy"]
    assert "http:" not in came.headers["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in came.headers, "others on this machine need no TLS"
    assert all(each.startswith("https://") for each in room.room.settings.allowed())


def test_without_tls_nothing_is_answered(room: Running) -> None:
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{room.origin}/health")


def test_a_plain_origin_is_refused_over_tls(room: Running, tmp_path: Path) -> None:
    answer = httpx2.post(
        room.origin.replace("http", "https") + "/api/guest",
        json={},
        headers={"Origin": room.origin},
        verify=trusting(tmp_path),
    )
    assert answer.status_code == 403


def test_a_handshake_that_is_never_finished_is_closed_and_counted(
    room: Running, tmp_path: Path
) -> None:
    silent = [raw(room) for _ in range(20)]
    eventually(lambda: len(room.server.state._open) == 20, "they are not counted")
    with raw(room) as refused, pytest.raises(OSError, match=r".*"):
        trusting(tmp_path).wrap_socket(refused, server_hostname="127.0.0.1")
    eventually(lambda: all(map(is_closed, silent)), "they are still open")
    eventually(lambda: not room.server.state._open, "they are still counted")
    play(room.origin.replace("http", "https"), tmp_path)


def test_nonsense_instead_of_a_handshake_harms_nobody(room: Running, tmp_path: Path) -> None:
    for sent in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff", b"\x00" * 100):
        with raw(room) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            eventually(lambda line=line: is_closed(line), "it is still open")  # type: ignore[misc]
    eventually(lambda: not room.server.state._open, "they are still counted")
    play(room.origin.replace("http", "https"), tmp_path)


# --- the certificate that is made here ------------------------------------------------------


def made(data: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((data / tls.CERTIFICATE).read_bytes())


def test_a_certificate_is_made_once_for_every_name_and_its_key_is_private(tmp_path: Path) -> None:
    settings = prepared(tmp_path / "data", host="0.0.0.0")
    names = made(settings.data).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    found = {str(each.value) for each in names.value}
    assert found == set(tls.hosts("0.0.0.0"))
    assert {"127.0.0.1", "localhost", socket.gethostname().lower()} <= found
    for file in (tls.CERTIFICATE, tls.KEY):
        assert stat.S_IMODE((settings.data / file).stat().st_mode) == 0o600
    before = (settings.data / tls.CERTIFICATE).read_bytes()
    prepared(settings.data, host="0.0.0.0")
    assert (settings.data / tls.CERTIFICATE).read_bytes() == before
    der = ssl.PEM_cert_to_DER_cert(before.decode())
    assert tls.fingerprint(settings).replace(":", "").lower() == sha256(der).hexdigest()


def test_a_certificate_is_renewed_when_names_change_or_its_end_is_near(tmp_path: Path) -> None:
    settings = prepared(tmp_path)
    first = made(tmp_path).serial_number
    prepared(tmp_path, host="localhost")
    assert made(tmp_path).serial_number == first, "the names are the same"
    prepared(tmp_path, host="0.0.0.0")
    second = made(tmp_path).serial_number
    assert second != first
    settings = replace(settings, host="0.0.0.0")
    tls._make_local(settings, datetime.now(UTC) + tls.LIFE - tls.RENEWED - timedelta(days=1))
    assert made(tmp_path).serial_number == second
    tls._make_local(settings, datetime.now(UTC) + tls.LIFE - tls.RENEWED + timedelta(days=1))
    assert made(tmp_path).serial_number != second


def test_a_lost_or_broken_certificate_is_made_again(tmp_path: Path) -> None:
    settings = prepared(tmp_path)
    (tmp_path / tls.KEY).unlink()
    tls.prepare(settings)
    (tmp_path / tls.CERTIFICATE).write_text("nothing")
    tls.prepare(settings)
    assert tls.fingerprint(settings)


# --- a certificate that is given ------------------------------------------------------------


def test_a_certificate_that_is_given_is_used(tmp_path: Path) -> None:
    prepared(tmp_path / "made")
    given = {
        "tls_cert": tmp_path / "made" / tls.CERTIFICATE,
        "tls_key": tmp_path / "made" / tls.KEY,
    }
    with running(tmp_path / "room", **given) as room:
        came = play(room.origin.replace("http", "https"), tmp_path / "made")
        assert came.headers["Strict-Transport-Security"]


def test_files_that_cannot_be_used_are_refused_in_a_sentence(tmp_path: Path) -> None:
    prepared(tmp_path / "a")
    prepared(tmp_path / "b")
    cert, key = tmp_path / "a" / tls.CERTIFICATE, tmp_path / "a" / tls.KEY
    text = tmp_path / "text"
    text.write_text("nothing")
    for files in [
        (tmp_path / "none", key),
        (cert, tmp_path / "none"),
        (text, key),
        (cert, text),
        (cert, tmp_path / "b" / tls.KEY),
        (cert, cert),
        (tmp_path, key),
    ]:
        with pytest.raises(Refused) as refused:
            tls.prepare(Settings(data=tmp_path, tls_cert=files[0], tls_key=files[1]))
        assert "\n" not in refused.value.sentence
        assert refused.value.sentence.endswith(".")


# --- as a process ---------------------------------------------------------------------------


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_command_serves_tls_and_prints_the_fingerprint(tmp_path: Path, processes: str) -> None:
    port = free_port()
    where = ("--data", tmp_path, "--port", str(port), "--no-browser", "--tls-local")
    with subprocess.Popen(
        [sys.executable, "-u", "-c", COMMAND, *where, "--processes", processes],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            told = [process.stdout.readline() for _ in range(2)]
            assert told[0] == f"The room is open at https://127.0.0.1:{port}/\n"
            der = ssl.PEM_cert_to_DER_cert((tmp_path / tls.CERTIFICATE).read_text())
            assert told[1].split()[-1].replace(":", "").lower() == sha256(der).hexdigest()
            for _ in range(4):
                play(f"https://127.0.0.1:{port}", tmp_path)
        finally:
            process.terminate()
            process.wait(3 * PATIENCE)
