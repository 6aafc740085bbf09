"""Keys pinned on first use: which signing key a ledger or a room had when it was first seen.

The file lies in the user's data directory, away from every ledger, so that whoever changes a
ledger and its keys does not change it too. A line holds a fingerprint, a space and a name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Literal

from croupier.law.refused import Refused
from croupier.ledger.place import default_place

FILE = "known_keys"
LONGEST_NAME = 500
DIGITS = 64  # of a fingerprint, hexadecimal

Standing = Literal["known", "new", "changed"]


def default_path() -> Path:
    return default_place().with_name(FILE)


def fingerprint(public: bytes) -> str:
    """SHA-256 of a public key. A key's id is its first 16 digits."""
    return sha256(public).hexdigest()


def pinned(path: Path | None = None) -> dict[str, str]:
    """Every name with its fingerprint."""
    path = path or default_path()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"The known keys in {path} cannot be read: {error}.") from None
    known: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        found, _, name = line.partition(" ")
        if not name or not _is_fingerprint(found):
            raise Refused(f"Line {number} of {path} is not a known key.")
        known[name] = found
    return known


def check(name: str, fingerprint: str, path: Path | None = None) -> Standing:
    """Whether this is the key that was pinned under the name. Writes nothing."""
    before = pinned(path).get(name)
    if before is None:
        return "new"
    return "known" if before == fingerprint else "changed"


def pin(name: str, fingerprint: str, path: Path | None = None) -> None:
    """Pin the key, also in place of another: ``check`` first."""
    path = path or default_path()
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise Refused(f"The name of a known key has 1 to {LONGEST_NAME} printable characters.")
    if not _is_fingerprint(fingerprint):
        raise Refused(f"A fingerprint has {DIGITS} hexadecimal digits.")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path):
            _replace(path, {**pinned(path), name: fingerprint})
    except OSError as error:
        raise Refused(f"The known keys in {path} cannot be written: {error}.") from None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time: two that pin at once must not lose each other's line."""
    descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            from fcntl import LOCK_EX, flock
        except ImportError:  # not on every system; the file is replaced whole all the same
            pass
        else:
            flock(descriptor, LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(path: Path, known: dict[str, str]) -> None:
    """The whole file at once, readable by its owner only."""
    lines = "".join(f"{found} {name}\n" for name, found in sorted(known.items()))
    with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:  # such a file has mode 0600 from the start
            part.write(lines.encode())
            part.flush()
            os.fsync(part.fileno())
            os.replace(part.name, path)
        except BaseException:
            os.unlink(part.name)
            raise


def _is_fingerprint(text: str) -> bool:
    return len(text) == DIGITS and not text.strip("0123456789abcdef")
