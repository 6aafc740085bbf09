"""The shuffle: exactly uniform, and the same for everybody who computes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product

import pytest

from croupier.cards.card import DECK, Card, cards, spell
from croupier.law.refused import Refused
from croupier.ledger import shuffle as module
from croupier.ledger.shuffle import (
    LEAST_CUT,
    MOST_CUT,
    cut_depth,
    deck_order,
    sampler,
    shuffled,
)
from croupier.table import equipment

SEED = bytes(range(32))
TABLE = "Tisch 1 ü"
LUCK = (b"luck", "ü".encode())
# Computed with Web Crypto from the documented layout alone, in JavaScript.
ALONE = (
    "9d Kc 7c Jd Ad 5s Qd 4h 7h Qh Qc Qs 3c 8d 9c Ks 4d Kh 9h Ah Jc As Jh 6d 5h 4c Ac Th 5d Tc 3h "
    "8c Td 3s Js 7s Kd 9s 5c 6c 6s 4s 6h 7d 8s 2d 2h 2c 2s 3d Ts 8h"
)
WITH_LUCK = (
    "8d 2d 6s 9d 4s 3h 9c 2s 7c Ad Qs Th Qc 2h 3d 6d 5c 7h 4c Kd 9h 5s 8h 5d 4h Ts 8c Qd As 7s 8s "
    "Jd Kc Jh Qh Td Ah Tc 9s 2c Ac 6h Js Kh 7d 3c 4d Ks 5h 6c 3s Jc"
)


class PassedOver(Exception):
    """The sampler asked for a second byte."""


def one_byte(byte: int) -> Callable[[int], bytes]:
    """A generator of this byte alone."""
    answers = iter([bytes([byte])])

    def generate(_: int) -> bytes:
        for answer in answers:
            return answer
        raise PassedOver

    return generate


def test_of_all_bytes_each_number_takes_the_same_share_and_fewer_than_n_are_passed_over() -> None:
    for n in range(1, 257):
        drawn: Counter[int] = Counter()
        passed_over = 0
        for byte in range(256):
            try:
                drawn[sampler(one_byte(byte))(n)] += 1
            except PassedOver:
                passed_over += 1
        assert drawn == dict.fromkeys(range(n), 256 // n)
        assert passed_over == 256 % n


def test_after_a_byte_passed_over_the_next_decides() -> None:
    below = sampler(lambda _: bytes([255, 254, 253, 7, 255, 8]))
    assert [below(51), below(52), below(52)] == [254 % 51, 7, 8]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_of_all_draws_each_order_comes_exactly_once(size: int) -> None:
    deck = DECK[:size]
    choices = [range(n) for n in range(size, 1, -1)]
    orders = [shuffled(deck, scripted(draws)) for draws in product(*choices)]
    assert sorted(orders) == sorted(permutations(deck))


def scripted(numbers: tuple[int, ...]) -> Callable[[int], int]:
    """Draws written down; each is one of the numbers it was asked for."""
    left: Iterator[int] = iter(numbers)

    def below(n: int) -> int:
        number = next(left)
        assert number < n
        return number

    return below


def test_the_order_is_the_one_another_program_computes() -> None:
    assert spell(deck_order(SEED, TABLE, 7)) == ALONE
    assert spell(deck_order(SEED, TABLE, 7, LUCK)) == WITH_LUCK


def test_so_is_the_cut() -> None:
    assert cut_depth(SEED, TABLE, 7) == 16
    assert cut_depth(SEED, TABLE, 7, LUCK) == 36


def test_it_does_not_matter_how_the_cards_lay_before() -> None:
    assert deck_order(SEED, TABLE, 7, cards=cards(WITH_LUCK)) == cards(ALONE)
    assert cut_depth(SEED, TABLE, 7, cards=reversed(DECK)) == 16


def test_every_input_changes_the_order() -> None:
    orders = {
        deck_order(SEED, TABLE, 7),
        deck_order(bytes(32), TABLE, 7),
        deck_order(SEED, "Tisch 2 ü", 7),
        deck_order(SEED, TABLE, 8),
        deck_order(SEED, TABLE, 7, LUCK),
        deck_order(SEED, TABLE, 7, LUCK[::-1]),
        deck_order(SEED, TABLE, 7, [b"".join(LUCK)]),
        deck_order(SEED, TABLE, 7, [*LUCK, b""]),
    }
    assert len(orders) == 8
    assert all(sorted(order) == list(DECK) for order in orders)


def test_a_part_of_a_deck_is_shuffled_too() -> None:
    few: tuple[Card, ...] = cards("As Kd 2c")
    assert sorted(deck_order(SEED, TABLE, 7, cards=few)) == sorted(few)


def test_cuts_fall_from_ten_to_forty_two_cards_and_on_each() -> None:
    depths = {cut_depth(SEED, TABLE, shuffle) for shuffle in range(1, 1_001)}
    assert depths == set(range(10, 43))
    assert equipment.LEAST_CUT == LEAST_CUT
    assert DECK[MOST_CUT:] == DECK[-LEAST_CUT:]  # as many remain below as are at least lifted


def test_a_recut_draws_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """From draws 0, 1, 2 ...: 51 shuffle the deck, the 52nd cuts it, the 53rd cuts it again."""

    def counting(*_: object) -> Callable[[int], int]:
        asked = iter(range(1_000))
        return lambda n: next(asked) % n

    monkeypatch.setattr(module, "draws", counting)
    assert cut_depth(SEED, TABLE, 7) == 10 + 51 % 33
    assert cut_depth(SEED, TABLE, 7, cut=2) == 10 + 52 % 33
    assert cut_depth(SEED, TABLE, 7, cut=3) == 10 + 53 % 33


def test_a_player_adds_at_most_64_bytes() -> None:
    assert len(deck_order(SEED, TABLE, 7, [b"x" * 63])) == 52
    assert len(deck_order(SEED, TABLE, 7, [b"x" * 64])) == 52
    with pytest.raises(Refused, match="at most 64 bytes of entropy, not 65"):
        deck_order(SEED, TABLE, 7, [b"x" * 65])
    with pytest.raises(Refused, match="at most 64 bytes of entropy, not 66"):
        deck_order(SEED, TABLE, 7, ["ü".encode() * 33])


def test_a_seed_of_another_size_is_refused() -> None:
    with pytest.raises(Refused, match="A seed has 32 bytes, not 16"):
        deck_order(bytes(16), TABLE, 7)
