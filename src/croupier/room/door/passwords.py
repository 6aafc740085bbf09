"""Passwords: what is accepted as one, and how it is stored and compared.

A password is normalised as RFC 8265 says (its OpaqueString): every space is U+0020 and the text is
in Unicode's normalization form C, so that the same keys give the same password on every system.
Passwords stored before that rule are also compared as they were typed.
"""

from __future__ import annotations

import gzip
import secrets
import unicodedata
from functools import cache
from importlib.resources import files

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.law.refused import Refused
from croupier.room.door.roles import Role

SHORTEST = {Role.PLAYER: 8}  # characters
SHORTEST_OF_STAFF = 12
LONGEST = 256
FEWEST_DIFFERENT = 4  # characters
FEWEST_OWN = 6  # letters and digits that are neither the name nor a word of the room
MOST_AROUND = 4  # digits and signs around a common password leave it a common one
SHORTEST_NAME = 3  # shorter names are in many good passwords

COMMON = "common_passwords.txt.gz"
WORDS = ("password", "croupier", "casino", "poker", "table", "dealer", "guest", *Role)


def normal(password: str) -> str:
    spaced = (" " if unicodedata.category(each) == "Zs" else each for each in password)
    return unicodedata.normalize("NFC", "".join(spaced))


def check(password: str, name: str, role: Role) -> str:
    """The password in its normal form, or a refusal in one sentence."""
    plain = normal(password)
    shortest = SHORTEST.get(role, SHORTEST_OF_STAFF)
    if not shortest <= len(plain) <= LONGEST:
        raise _bad(f"The password of {role.one} has {shortest} to {LONGEST} characters.")
    if len(set(plain.casefold())) < FEWEST_DIFFERENT or _common(plain.casefold()):
        raise _bad("This password is one of those that are tried first: choose another.")
    if _borrowed(plain.casefold(), name.casefold()):
        raise _bad("A password needs more than the account's name and words of the room.")
    return plain


def _bad(sentence: str) -> Refused:
    return Refused(sentence, code="BAD_PASSWORD")


def _common(password: str) -> bool:
    if password in common():
        return True
    start = next((at for at, each in enumerate(password) if each.isalpha()), 0)
    end = next((at for at, each in enumerate(reversed(password)) if each.isalpha()), 0)
    core = password[start : len(password) - end]
    return start + end <= MOST_AROUND and core in common()


def _borrowed(password: str, name: str) -> bool:
    """Whether hardly anything is left without the name and the room's words."""
    for word in sorted((name, *name.split(), *WORDS), key=len, reverse=True):
        if len(word) >= SHORTEST_NAME:
            password = password.replace(word, " ")
    return sum(each.isalnum() for each in password) < FEWEST_OWN


@cache
def common() -> frozenset[str]:
    """The passwords that are tried first. Their origin and licence are in the file."""
    data = files("croupier.room.door").joinpath(COMMON).read_bytes()
    lines = gzip.decompress(data).decode().splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def _bytes(password: str) -> bytes:
    return password.encode(errors="surrogatepass")


class Passwords:
    """Hashes and compares. Both are slow on purpose: call them from a thread."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._nobodys = self._hasher.hash(secrets.token_hex())  # compared when a name is unknown

    def hashed(self, password: str) -> str:
        return self._hasher.hash(_bytes(normal(password)))

    def unusable(self) -> str:
        """The hash of a password that nobody knows."""
        return self._hasher.hash(secrets.token_hex())

    def fits(self, hashed: str, password: str) -> bool:
        """As much work for an unknown name, or a guest who has none, as for an account."""
        forms = dict.fromkeys((normal(password), password))
        compared = [self._verified(hashed or self._nobodys, form) for form in forms]
        return any(compared)

    def _verified(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, _bytes(password))
        except (Argon2Error, InvalidHashError):
            return False
