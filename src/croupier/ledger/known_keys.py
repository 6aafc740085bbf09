"""Public keys a stranger checks signatures with: those in a file, those given, those pinned.

A file brings its own public key, so a genuine signature alone only shows that the file was not
changed after somebody signed it. Who that was is known only if the key is: the reader gives it, or
it was pinned when the first file of that room was verified. The pins are lines of JSON in the
user's data directory, one key each, and are only ever appended to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.keys import KEY_BYTES, PublicKeys, key_id
from croupier.ledger.outside import DISK, Disk
from croupier.ledger.place import default_place

FILE = "known-keys"
GROUP = 8  # digits of a fingerprint between spaces
LARGEST_KEY_FILE = 1024  # bytes


def default_path() -> Path:
    return default_place().with_name(FILE)


def fingerprint(public: bytes) -> str:
    """What two people compare: the SHA-256 of the key, in groups of digits."""
    digits = sha256(public).hexdigest()
    return " ".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def exact_hex(digits: str, size: int) -> bytes | None:
    """Bytes from lower-case hexadecimal of exactly this size; None for anything else. One value
    then has one spelling, so a changed letter is a change."""
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        return None
    return data if len(data) == size and data.hex() == digits else None


def read_keys(keys: Mapping[str, str]) -> PublicKeys:
    """The public keys of a file, by their ids. A key under another id is left out."""
    read = {key: exact_hex(digits, KEY_BYTES) for key, digits in keys.items()}
    return PublicKeys({key: data for key, data in read.items() if data and key_id(data) == key})


def given_key(text: str) -> str:
    """A public key from the command line: 64 hexadecimal digits, or a file that holds them."""
    digits = text
    if exact_hex(text.lower(), KEY_BYTES) is None:
        path = Path(text)
        try:
            with path.open("rb") as file:
                digits = file.read(LARGEST_KEY_FILE).decode("ascii", "replace").strip()
        except OSError as error:
            sentence = f"{text} is neither a public key in hexadecimal nor a file that can be read"
            raise Refused(f"{sentence}: {error.strerror}.") from None
    if exact_hex(digits.lower(), KEY_BYTES) is None:
        raise Refused(f"{text} does not hold a public key of {2 * KEY_BYTES} hexadecimal digits.")
    return digits.lower()


class Pin(Struct, frozen=True):
    room: str
    key: str  # in hexadecimal
    since: str  # when it was pinned


class KnownKeys:
    """The pins of one user, by the name the user gives a room."""

    def __init__(self, path: Path, disk: Disk = DISK) -> None:
        self.path = path
        self._disk = disk

    def of(self, room: str) -> list[Pin]:
        """The keys pinned for this room, oldest first."""
        return [pin for pin in self._all() if pin.room == room]

    def pin(self, room: str, keys: Iterable[str], now: str) -> None:
        known = {pin.key for pin in self.of(room)}
        lines = [msgspec.json.encode(Pin(room, key, now)) for key in keys if key not in known]
        if not lines:
            return
        try:
            self._disk.folder(self.path.parent)
            self._disk.append(self.path, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            raise Refused(f"{self.path} cannot be written: {error.strerror}.") from None

    def _all(self) -> list[Pin]:
        """Every pin. A line that cannot be read is an error: to skip it would drop a pin, and a
        changed key would look like a first one."""
        try:
            if not self._disk.size(self.path):
                return []
            lines = self._disk.read(self.path).splitlines()
            return [msgspec.json.decode(line, type=Pin) for line in lines if line.strip()]
        except OSError as error:
            raise Refused(f"{self.path} cannot be read: {error.strerror}.") from None
        except (msgspec.MsgspecError, UnicodeError):
            raise Refused(
                f"{self.path} is damaged; the keys pinned there cannot be read."
            ) from None
