"""HMAC_DRBG with SHA-256, the deterministic generator of NIST SP 800-90A (10.1.2).

Whoever knows what went in can compute what comes out; whoever does not can guess nothing. It
draws no entropy of its own: seeds come from the operating system, and never from a clock.
"""

from __future__ import annotations

import secrets
from hmac import digest

from croupier.law.refused import Refused

SEED_BYTES = 32  # 256 bits: the generator's full strength, and room for all 52! orders
BLOCK_BYTES = 32  # what one HMAC gives
MOST_BYTES = 1 << 16  # of one request
MOST_REQUESTS = 1 << 48  # between seeds


def fresh_seed() -> bytes:
    """A seed nobody knows yet, from the operating system's entropy."""
    return secrets.token_bytes(SEED_BYTES)


def checked_seed(seed: bytes) -> bytes:
    """The seed, refused where it is too short for the generator's strength or too long for ours."""
    if len(seed) != SEED_BYTES:
        raise Refused(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    return seed


class Generator:
    """A key and a value, both replaced after every request. To make one is to *instantiate* it."""

    __slots__ = ("_key", "_requests", "_value")

    def __init__(self, entropy: bytes, nonce: bytes, personalization: bytes = b"") -> None:
        self._key = bytes(BLOCK_BYTES)
        self._value = b"\x01" * BLOCK_BYTES
        self._update(checked_seed(entropy) + nonce + personalization)
        self._requests = 0

    def reseed(self, entropy: bytes) -> None:
        """Mix fresh entropy in; what was drawn before tells nothing about what follows."""
        self._update(checked_seed(entropy))
        self._requests = 0

    def generate(self, count: int) -> bytes:
        """The next bytes. Two requests give other bytes than one for both."""
        if not 1 <= count <= MOST_BYTES:
            raise Refused(f"One request gives 1 to {MOST_BYTES:,} bytes, not {count:,}.")
        if self._requests == MOST_REQUESTS:
            raise Refused("The generator has answered all it may and must be reseeded.")
        blocks = []
        for _ in range(-(-count // BLOCK_BYTES)):
            self._value = digest(self._key, self._value, "sha256")
            blocks.append(self._value)
        self._update()
        self._requests += 1
        return b"".join(blocks)[:count]

    def _update(self, data: bytes = b"") -> None:
        for mark in (b"\x00", b"\x01") if data else (b"\x00",):
            self._key = digest(self._key, self._value + mark + data, "sha256")
            self._value = digest(self._key, self._value, "sha256")
