"""The laboratory: output and decks through the functions of production, and their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import msgspec
import numpy as np

from croupier.cards.card import Card
from croupier.ledger.finding import Verdict, judged
from croupier.ledger.generator import MOST_BYTES, Generator, checked_seed, fresh_seed
from croupier.ledger.lab_decks import TESTS, Decks
from croupier.ledger.lab_programs import Opinion, opinions
from croupier.ledger.lab_raw import raw_findings
from croupier.ledger.shuffle import deck_order

TABLE = "laboratory"

Seeds = Callable[[], bytes]  # a new seed every time, as production draws one for every shuffle


class Report(msgspec.Struct, frozen=True):
    """What our tests say, and beside them other people's programs."""

    tested: str
    verdict: Verdict
    opinions: tuple[Opinion, ...] = ()

    @property
    def passed(self) -> bool:
        return self.verdict.passed and not any(opinion.failed for opinion in self.opinions)


def seeds_from(seed: bytes | None) -> Seeds:
    """Seeds of the operating system, or those that follow from one, to repeat a test."""
    if seed is None:
        return fresh_seed
    source = Generator(checked_seed(seed), TABLE.encode())
    return lambda: source.generate(len(seed))


def raw_output(seeds: Seeds) -> Iterator[bytes]:
    """Output without end; every request is followed by fresh entropy."""
    generator = Generator(seeds(), TABLE.encode())
    while True:
        yield generator.generate(MOST_BYTES)
        generator.reseed(seeds())


def raw_bytes(count: int, seeds: Seeds) -> Iterator[bytes]:
    """The first so many bytes of it, in pieces."""
    for piece in raw_output(seeds):
        yield piece[:count]
        count -= len(piece)
        if count <= 0:
            return


def shuffled_decks(seeds: Seeds) -> Iterator[tuple[Card, ...]]:
    """Decks without end, each shuffled from a seed of its own, as at a table."""
    shuffle = 0
    while True:
        shuffle += 1
        yield deck_order(seeds(), TABLE, shuffle)


def examine_decks(count: int, seeds: Seeds) -> Report:
    """The seven tests on so many decks."""
    rows = b"".join(bytes(deck) for deck in islice(shuffled_decks(seeds), count))
    return Report(
        f"{count:,} decks", judged_decks(np.frombuffer(rows, np.uint8).reshape(count, -1))
    )


def judged_decks(decks: Decks) -> Verdict:
    """The verdict on decks, wherever they come from."""
    return judged([test(decks) for test in TESTS])


def examine_raw(count: int, seeds: Seeds, *, alone: bool) -> Report:
    """The three tests on so many bytes; unless alone, other people's programs too."""
    sample = b"".join(raw_bytes(count, seeds))
    told = () if alone else opinions(sample, raw_output(seeds))
    return Report(f"{count:,} bytes", judged(raw_findings(sample)), told)
