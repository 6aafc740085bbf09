"""Sealing: what nobody may read before its time is stored encrypted, bound to its place.

    sealed:<key id>:<base64 of nonce (12 bytes) | ciphertext | tag (16 bytes)>

The cipher is ChaCha20-Poly1305. The associated data is the place, its parts joined by ``|``, such
as ``t1|57|event.order``: moved to another entry or field, a sealed text does not open.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TypeVar

from cryptography.exceptions import InvalidTag
from msgspec import Struct
from msgspec.structs import replace

from croupier.law.refused import Refused
from croupier.ledger.entry import Entry
from croupier.ledger.keys import Keys
from croupier.ledger.outside import ENTROPY, Entropy
from croupier.ledger.records import Happening, secrets_of
from croupier.table.commands import Command

MARK = "sealed"
NONCE_BYTES = 12

Thing = TypeVar("Thing", bound=Struct)


class Sealer:
    def __init__(self, keys: Keys, entropy: Entropy = ENTROPY) -> None:
        self.keys = keys
        self._entropy = entropy

    def seal(self, data: bytes, place: str) -> str:
        key = self.keys.sealing
        nonce = self._entropy(NONCE_BYTES)
        sealed = self.keys.cipher(key).encrypt(nonce, data, place.encode())
        return f"{MARK}:{key}:{b64encode(nonce + sealed).decode()}"

    def open(self, sealed: str, place: str) -> bytes:
        mark, _, rest = sealed.partition(":")
        key, _, blob = rest.partition(":")
        try:
            data = b64decode(blob, validate=True)
            if mark != MARK:
                raise ValueError
            return self.keys.cipher(key).decrypt(
                data[:NONCE_BYTES], data[NONCE_BYTES:], place.encode()
            )
        except (ValueError, InvalidTag):
            raise Refused(f"What is sealed at {place} does not open; it was altered.") from None

    # --- whole events, records and commands -------------------------------------------------

    def sealed(self, thing: Thing, table: str, sequence: int, part: str) -> Thing:
        """The same with its secret fields sealed; ``part`` is "event" or "command"."""
        names = secrets_of(type(thing))
        if not names:
            return thing
        return replace(
            thing,
            **{
                name: self.seal(getattr(thing, name).encode(), place(table, sequence, part, name))
                for name in names
            },
        )

    def opened(self, thing: Thing, table: str, sequence: int, part: str) -> Thing:
        names = secrets_of(type(thing))
        if not names:
            return thing
        return replace(
            thing,
            **{
                name: self.open(getattr(thing, name), place(table, sequence, part, name)).decode()
                for name in names
            },
        )

    # --- whole entries ----------------------------------------------------------------------

    def happening(self, entry: Entry) -> Happening:
        """What happened, in the clear."""
        return self.opened(entry.happening(), entry.table, entry.sequence, "event")

    def request(self, entry: Entry) -> Command | None:
        """The command an entry begins to answer, in the clear."""
        request = entry.request()
        if request is None:
            return None
        return self.opened(request, entry.table, entry.sequence, "command")


def place(table: str, sequence: int, part: str, name: str) -> str:
    return f"{table}|{sequence}|{part}.{name}"
