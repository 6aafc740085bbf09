"""The keys of a ledger: one to seal secrets, one to sign checkpoints, and those they replaced.

They lie in a folder of their own, one file each, made at the first start and never overwritten:

    sealing-0001-<id>.key    32 bytes in hexadecimal
    signing-0001-<id>.key    an Ed25519 private key, 32 bytes in hexadecimal
    signing-0001-<id>.pub    its public key, 32 bytes in hexadecimal

The highest number is the one in use. An id is the first 16 hexadecimal digits of the SHA-256 of
the public key, or of the sealing key. Once a signing key is replaced, its private half may be
destroyed; public and sealing keys are kept for as long as the ledger is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.outside import DISK, ENTROPY, Disk, Entropy

KEY_BYTES = 32
SEALING, SIGNING = "sealing", "signing"


class NewKey(Struct, frozen=True):
    id: str
    public: bytes
    secret: bytes


class PublicKeys:
    """Keys that signatures are checked with, by their ids."""

    def __init__(self, public: Mapping[str, bytes]) -> None:
        self.public = dict(public)

    def verify(self, key: str, signature: bytes, message: bytes) -> bool:
        try:
            public = Ed25519PublicKey.from_public_bytes(self.public[key])
            public.verify(signature, message)
        except (KeyError, ValueError, InvalidSignature):
            return False
        return True


class Keys:
    """Every key there is, by its id, and which are in use."""

    def __init__(self, folder: Path, *, entropy: Entropy = ENTROPY, disk: Disk = DISK) -> None:
        self.folder = folder
        self.public: dict[str, bytes] = {}
        self.sealing = self.signing = ""  # the ids of those in use
        self._private: dict[str, Ed25519PrivateKey] = {}
        self._places: dict[str, int] = {}  # the numbers of the signing keys
        self._allowed: frozenset[str] | None = None  # the signing keys that may be used; None: all
        self._entropy = entropy
        self._disk = disk
        self._ciphers: dict[str, ChaCha20Poly1305] = {}
        self._numbers = {SEALING: 0, SIGNING: 0}
        disk.folder(folder)
        self._look()
        if not self._numbers[SEALING]:
            self.rotate_sealing()
        if not self._numbers[SIGNING]:
            self.rotate_signing()

    # --- using them -------------------------------------------------------------------------

    def cipher(self, key: str) -> ChaCha20Poly1305:
        if key not in self._ciphers:
            self._look()
        if key not in self._ciphers:
            raise Refused(f"The sealing key {key} is not in {self.folder}.")
        return self._ciphers[key]

    def sign(self, message: bytes) -> bytes:
        signer = self._private.get(self.signing)
        if signer is None:
            raise Refused(f"The signing key {self.signing} in {self.folder} has no private half.")
        return signer.sign(message)

    def verify(self, key: str, signature: bytes, message: bytes) -> bool:
        if key not in self.public:
            self._look()
        return PublicKeys(self.public).verify(key, signature, message)

    def in_order(self) -> list[str]:
        """The ids of the signing keys, the oldest first."""
        return sorted(self._places, key=lambda key: self._places[key])

    def allow_only(self, keys: Iterable[str]) -> None:
        """Sign with the newest of these keys. One that somebody put into the folder is not used
        just because it is there."""
        self._allowed = frozenset(keys)
        self._choose()
        if not self.signing:
            raise Refused(
                f"None of the signing keys in {self.folder} is named by the administration chain."
            )

    # --- replacing them ---------------------------------------------------------------------

    def rotate_sealing(self) -> str:
        """Seal with a new key from now on; what was sealed stays under the old one."""
        return self._make(SEALING)

    def rotate_signing(self) -> str:
        """Sign with a new key from now on; old signatures are still verified."""
        return self._make(SIGNING)

    def draw_signing(self) -> NewKey:
        """A new signing key that is in no folder yet, so that it can be recorded first."""
        secret = self._entropy(KEY_BYTES)
        public = _public(secret)
        return NewKey(key_id(public), public, secret)

    def take_signing(self, new: NewKey) -> str:
        """Put it into the folder and sign with it from now on."""
        if self._allowed is not None:
            self._allowed |= {new.id}
        return self._keep(SIGNING, new.id, new.secret)

    def _make(self, use: str) -> str:
        if use == SIGNING:
            return self.take_signing(self.draw_signing())
        secret = self._entropy(KEY_BYTES)
        return self._keep(use, key_id(secret), secret)

    def _keep(self, use: str, key: str, secret: bytes) -> str:
        name = f"{use}-{self._numbers[use] + 1:04}-{key}.key"
        self._disk.create(self.folder / name, secret.hex().encode())
        self._load(name)
        return key

    # --- reading them -----------------------------------------------------------------------

    def _look(self) -> None:
        """Also later: another process may have made a new one."""
        for name in self._disk.names(self.folder):
            self._load(name)

    def _load(self, name: str) -> None:
        stem, _, kind = name.partition(".")
        use, _, rest = stem.partition("-")
        number, _, key = rest.partition("-")
        if use not in self._numbers or not number.isdigit() or kind not in ("key", "pub"):
            return  # not ours
        data = self._read(name)
        public = _public(data) if use == SIGNING and kind == "key" else data
        if key_id(public) != key:
            raise Refused(f"{self.folder / name} does not hold the key it is named after.")
        newest = int(number) > self._numbers[use]
        self._numbers[use] = max(int(number), self._numbers[use])
        if use == SEALING:
            self._ciphers[key] = ChaCha20Poly1305(data)
            if newest:
                self.sealing = key
            return
        self.public[key] = public
        self._places.setdefault(key, int(number))
        if kind == "key":
            self._private[key] = Ed25519PrivateKey.from_private_bytes(data)
        self._choose()
        if kind == "key" and f"{stem}.pub" not in self._disk.names(self.folder):
            self._disk.create(self.folder / f"{stem}.pub", public.hex().encode())

    def _choose(self) -> None:
        usable = [key for key in self._places if self._allowed is None or key in self._allowed]
        self.signing = max(usable, key=lambda key: self._places[key], default="")

    def _read(self, name: str) -> bytes:
        try:
            data = bytes.fromhex(self._disk.read(self.folder / name).decode())
        except ValueError:
            data = b""
        if len(data) != KEY_BYTES:
            raise Refused(f"{self.folder / name} is not a key of {KEY_BYTES} bytes.")
        return data


def _public(private: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def key_id(key: bytes) -> str:
    return sha256(key).hexdigest()[:16]
