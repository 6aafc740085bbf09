"""The fair shuffle: from a seed to the order of a deck, so that anyone can compute it again.

    material = seed (32 bytes) | name of the shuffle | a field for each player's entropy, in order

``commitment`` says what a field and a name are. The material instantiates HMAC_DRBG; its bytes are
asked for 32 at a time. In full, where H is HMAC-SHA-256 and | puts bytes in a row:

    start:  K = 32 bytes 00, V = 32 bytes 01
            K = H(K, V | 00 | material), V = H(K, V)
            K = H(K, V | 01 | material), V = H(K, V)
    block:  V = H(K, V), which are the next 32 bytes; then K = H(K, V | 00), V = H(K, V)

Bytes are taken singly, first to last. A number below n is the next byte modulo n; a byte at or past
the last whole multiple of n in 256 is passed over, so each number is equally likely. Cards begin in
the order of their numbers, 2c 2d 2h 2s 3c ... As, at places 0 to 51. For n = 52, 51, ... 2 a number
below n is drawn, and the card at that place changes places with the card at place n - 1. Place 0 is
the top of the deck. The cut comes next: 10 plus a number below 33 is how many cards are lifted from
the top. A recut draws again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from croupier.cards.card import DECK, Card
from croupier.law.refused import Refused
from croupier.ledger.commitment import field, name_of
from croupier.ledger.generator import BLOCK_BYTES, Generator

MOST_ENTROPY = 64  # bytes of one player's contribution
LEAST_CUT, MOST_CUT = 10, 42  # part of the layout above, so not read from elsewhere

Below = Callable[[int], int]  # gives a number from 0 to n - 1


def deck_order(
    seed: bytes,
    table: str,
    shuffle: int,
    entropy: Sequence[bytes] = (),
    cards: Iterable[Card] = DECK,
) -> tuple[Card, ...]:
    """The order after the shuffle, top card first, however the cards lay before."""
    return shuffled(sorted(cards), draws(seed, table, shuffle, entropy))


def cut_depth(
    seed: bytes,
    table: str,
    shuffle: int,
    entropy: Sequence[bytes] = (),
    cards: Iterable[Card] = DECK,
    cut: int = 1,
) -> int:
    """How many cards are lifted from the top of that order; cut 2 is the first recut."""
    below = draws(seed, table, shuffle, entropy)
    shuffled(sorted(cards), below)
    return [LEAST_CUT + below(MOST_CUT - LEAST_CUT + 1) for _ in range(cut)][-1]


def draws(seed: bytes, table: str, shuffle: int, entropy: Sequence[bytes]) -> Below:
    """The numbers this shuffle is made from."""
    added = b"".join(field(checked_entropy(each)) for each in entropy)
    return sampler(Generator(seed, name_of(table, shuffle), added).generate)


def checked_entropy(entropy: bytes) -> bytes:
    """What a player adds, refused where it is too long."""
    if len(entropy) > MOST_ENTROPY:
        raise Refused(f"A player adds at most {MOST_ENTROPY} bytes of entropy, not {len(entropy)}.")
    return entropy


def sampler(generate: Callable[[int], bytes]) -> Below:
    """Numbers without bias from bytes without bias."""
    left: list[int] = []

    def below(n: int) -> int:
        limit = 256 - 256 % n
        while True:
            if not left:
                left.extend(reversed(generate(BLOCK_BYTES)))
            byte = left.pop()
            if byte < limit:
                return byte % n

    return below


def shuffled(cards: Iterable[Card], below: Below) -> tuple[Card, ...]:
    """Fisher and Yates: every order comes from exactly one sequence of draws."""
    order = list(cards)
    for n in range(len(order), 1, -1):
        place = below(n)
        order[place], order[n - 1] = order[n - 1], order[place]
    return tuple(order)
