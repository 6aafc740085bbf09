"""Sealed texts open in their own place with their own key, and nowhere else."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from croupier.cards.card import DECK, spell
from croupier.law.refused import Refused
from croupier.ledger.keys import Keys
from croupier.ledger.records import ShuffleCommitted
from croupier.ledger.seal import Sealer
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER

ORDER = spell(reversed(DECK))
SHUFFLED = e.DeckShuffled("red", ORDER, False, "NJ 19:47-32.4(a)")


@pytest.fixture
def sealer(tmp_path: Path) -> Sealer:
    return Sealer(Keys(tmp_path))


@pytest.mark.parametrize(
    ("thing", "field"),
    [
        (SHUFFLED, "order"),
        (e.DeckReceived("red", ORDER, True, "NJ 19:47-32.3(a)"), "cards"),
        (ShuffleCommitted(1, "ab" * 32, "cd" * 32), "seed"),
        (c.ShuffleDeck(DEALER, "red", ORDER), "order"),
        (c.ReceiveDeck(DEALER, "red", ORDER, True), "cards"),
    ],
)
def test_what_is_secret_is_sealed_and_opens_again(
    sealer: Sealer, thing: e.Event, field: str
) -> None:
    sealed = sealer.sealed(thing, "t1", 5, "event")
    assert getattr(sealed, field).startswith(f"sealed:{sealer.keys.sealing}:")
    assert getattr(thing, field) not in str(sealed)
    assert sealer.opened(sealed, "t1", 5, "event") == thing


def test_what_is_not_secret_is_left_as_it_is(sealer: Sealer) -> None:
    cut = e.DeckCut("red", 20, "NJ 19:47-32.4(c)1iii")
    assert sealer.sealed(cut, "t1", 5, "event") is cut
    assert sealer.opened(cut, "t1", 5, "event") is cut


def test_the_layout_of_a_sealed_text_is_as_documented(sealer: Sealer, tmp_path: Path) -> None:
    sealed = sealer.sealed(SHUFFLED, "t1", 57, "event").order
    mark, key, blob = sealed.split(":")
    secret = bytes.fromhex((tmp_path / f"sealing-0001-{key}.key").read_text())
    data = b64decode(blob)
    opened = ChaCha20Poly1305(secret).decrypt(data[:12], data[12:], b"t1|57|event.order")
    assert (mark, opened.decode()) == ("sealed", ORDER)
    assert len(data) == 12 + len(ORDER) + 16


def test_the_same_text_is_never_sealed_alike(sealer: Sealer) -> None:
    assert sealer.seal(b"deck", "here") != sealer.seal(b"deck", "here")


@pytest.mark.parametrize("place", [("t2", 5, "event"), ("t1", 6, "event"), ("t1", 5, "command")])
def test_moved_elsewhere_it_does_not_open(sealer: Sealer, place: tuple[str, int, str]) -> None:
    sealed = sealer.sealed(SHUFFLED, "t1", 5, "event")
    with pytest.raises(Refused, match="does not open"):
        sealer.opened(sealed, *place)


def test_with_any_byte_altered_it_does_not_open(sealer: Sealer) -> None:
    head, _, blob = sealer.seal(b"deck", "here").rpartition(":")
    data = b64decode(blob)
    for n in range(len(data)):
        altered = data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :]
        with pytest.raises(Refused, match="does not open"):
            sealer.open(f"{head}:{b64encode(altered).decode()}", "here")


@pytest.mark.parametrize("text", ["", "sealed", "sealed:x", "Ah Kd", "sealed:%s:%%%%", "open:%s:"])
def test_what_was_never_sealed_does_not_open(sealer: Sealer, text: str) -> None:
    with pytest.raises(Refused):
        sealer.open(text.replace("%s", sealer.keys.sealing), "here")


def test_under_a_new_key_the_old_seals_open_and_new_ones_name_it(sealer: Sealer) -> None:
    old = sealer.seal(b"deck", "here")
    key = sealer.keys.rotate_sealing()
    new = sealer.seal(b"deck", "here")
    assert sealer.open(old, "here") == sealer.open(new, "here") == b"deck"
    assert new.startswith(f"sealed:{key}:")
    assert not old.startswith(f"sealed:{key}:")
