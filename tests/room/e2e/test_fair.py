"""The browser's own shuffle and deal against ours: the same for every seed and every round."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from browser_driver import Visiting
from engine_driver import HOUSES
from ledger_driver import at, opened

from croupier.cards.card import spell
from croupier.ledger.commitment import commit
from croupier.ledger.records import AddEntropy
from croupier.ledger.shuffle import cut_depth, deck_order
from croupier.room.api.looking import looking
from croupier.room.api.round_told import replayed
from croupier.table.commands import player

# A house of each game; two of them deal stacks.
UNRULY = [
    "nj-ultimate-texas-holdem, manual shoe",
    "nj-caribbean-stud, automated shoe",
    "nj-let-it-ride, automated shoe",
    "nj-pik-it-poker, stack last, second alternative",
]
PROVE = """async (round) => {
    const { prove } = await import("/static/audit/proof.js");
    const { checks, agrees } = await prove(round);
    return { agrees, failed: checks.filter((each) => each.agrees === false) };
}"""
DECK = """async (asked) => {
    const { bytes, commitment, deck } = await import("/static/lib/fair.js");
    return Promise.all(asked.map(async ([seed, table, shuffle, words]) => ({
        commitment: await commitment(bytes(seed), table, shuffle),
        ...(await deck(bytes(seed), table, shuffle, words, 3)),
    })));
}"""


def test_the_browser_shuffles_as_we_do(visitor: Visiting) -> None:
    """Hundreds of seeds, names and words, as documented in docs/FAIR.md."""
    rng = random.Random(11)
    asked = [
        (
            rng.randbytes(32).hex(),
            rng.choice(["t1", "Table 7", "uth-1"]),
            rng.randint(1, 10**6),
            [rng.choice(["", "a", "wörds", "♠♥", "x" * 64]) for _ in range(rng.randint(0, 4))],
        )
        for _ in range(200)
    ]
    found = visitor().go("/audit").evaluate(DECK, asked)
    for (seed, table, number, words), ours in zip(asked, found, strict=True):
        raw, added = bytes.fromhex(seed), [each.encode() for each in words]
        assert ours["commitment"] == commit(raw, table, number)
        assert " ".join(ours["order"]) == spell(deck_order(raw, table, number, added))
        depths = [cut_depth(raw, table, number, added, cut=cut) for cut in (1, 2, 3)]
        assert ours["cuts"] == depths


@pytest.mark.parametrize("house", UNRULY)
def test_the_browser_deals_every_round_as_the_table_did(
    visitor: Visiting, tmp_path: Path, house: str
) -> None:
    """Also after recuts, exposed cards and hands of a wrong number."""
    ledger = at(tmp_path / "evening.db", tmp_path / "evening.db")
    evening = opened(ledger, HOUSES[house], seed=len(house))
    page = visitor().go("/audit")
    for number in (1, 2):
        evening.send(AddEntropy(player("p1"), f"wörds {number}"))
        evening.unruly(1)
        told = replayed(looking(ledger), "t1", number, hands=True)
        assert told.proof.shuffle
        found = page.evaluate(PROVE, json.loads(msgspec.json.encode(told)))
        assert found == {"agrees": True, "failed": []}
    ledger.close()
