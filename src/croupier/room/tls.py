"""TLS: a certificate that is given, or one for the local network that is made and kept here.

Browsers offer Web Crypto only over https, or on the machine itself. A certificate made here is
signed by nobody: whoever connects compares its fingerprint with the one printed at the start.
"""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from croupier.law.refused import Refused
from croupier.room.reach import hosts
from croupier.room.settings import Settings

CERTIFICATE, KEY = "tls-local.crt", "tls-local.key"
LIFE = timedelta(days=397)  # browsers accept no longer
RENEWED = timedelta(days=30)  # before it ends
BEFORE = timedelta(hours=1)  # clocks of other machines may be behind


def prepare(settings: Settings) -> None:
    """See that there is a certificate that can be used, where TLS is wanted."""
    now = datetime.now(UTC)
    if settings.tls_local:
        settings.make_data()
        _make_local(settings, now)
    if settings.tls:
        context(settings)
        ends = _read(_files(settings)[0]).not_valid_after_utc
        if ends < now:
            raise Refused(f"The certificate {_files(settings)[0]} ended on {ends:%Y-%m-%d}.")


def fingerprint(settings: Settings) -> str:
    found = _read(_files(settings)[0]).fingerprint(hashes.SHA256())
    return ":".join(f"{byte:02X}" for byte in found)


def _read(certificate: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(certificate.read_bytes())
    except ValueError:
        raise Refused(f"{certificate} is no certificate in PEM.") from None


def context(settings: Settings) -> ssl.SSLContext:
    certificate, key = _files(settings)
    for file in (certificate, key):
        if not file.is_file():
            raise Refused(f"There is no file {file}.")
    made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        made.load_cert_chain(certificate, key, password=_no_password)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        why = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise Refused(
            f"The certificate {certificate} with the key {key} cannot be used: {why}."
        ) from None
    return made


def _no_password() -> str:
    raise ValueError("the key has a password; give one without")


def _files(settings: Settings) -> tuple[Path, Path]:
    if settings.tls_cert and settings.tls_key:
        return settings.tls_cert, settings.tls_key
    return settings.data / CERTIFICATE, settings.data / KEY


def names(settings: Settings) -> list[str]:
    return sorted(hosts(settings.host))


def _make_local(settings: Settings, now: datetime) -> None:
    certificate, key = _files(settings)
    if key.is_file() and _fits(certificate, names(settings), now):
        return
    private = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Croupier on the local network")])
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    signed = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now - BEFORE + LIFE)
        .add_extension(x509.SubjectAlternativeName(list(map(_name, names(settings)))), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(usage, False)
        .sign(private, hashes.SHA256())
    )
    secret = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(key, secret)
    _write(certificate, signed.public_bytes(Encoding.PEM))


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _fits(certificate: Path, wanted: list[str], now: datetime) -> bool:
    """Whether the certificate made last has these names, and is good for a while."""
    try:
        read = x509.load_pem_x509_certificate(certificate.read_bytes())
        found = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    there = sorted(str(each.value) for each in found)
    return there == wanted and read.not_valid_after_utc - now > RENEWED


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, for its owner alone."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        new.replace(path)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
