"""Random tokens. The database holds their hashes only, so that reading it opens nothing."""

from __future__ import annotations

from hashlib import sha256

TOKEN = 32  # bytes


def hashed(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()
