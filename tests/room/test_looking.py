"""Rounds and shuffles are found in the middle of a ledger, without reading all of it."""

from __future__ import annotations

from pathlib import Path

from engine_driver import TWO_DECKS
from helpers import RIDE
from ledger_driver import at, opened

from croupier.ledger.reading import reading
from croupier.room.api.looking import looking

KINDS = {
    "RoundEnded": '{"type":"RoundEnded","number":',
    "ShuffleCommitted": '{"type":"ShuffleCommitted","shuffle":',
}


def test_what_is_numbered_is_found_where_a_search_of_everything_finds_it(
    where: str, tmp_path: Path
) -> None:
    """Both kinds of database; one table's rounds are not another's."""
    beside = tmp_path / "beside"
    ledger = at(where, beside)
    evenings = {
        name: opened(ledger, {"rulebook": RIDE, **TWO_DECKS}, name=name, seed=seed)
        for seed, name in enumerate(("t1", "t2"))
    }
    evenings["t1"].unruly(9)
    evenings["t2"].rounds(2)
    looked, everything = looking(ledger), reading(where, beside)
    for name in evenings:
        for beginning in KINDS.values():
            for number in range(14):
                event = f"{beginning}{number},"
                assert looked.view.first(name, event) == everything.view.first(name, event)
    assert looked.view.first("t1", f"{KINDS['RoundEnded']}9,") > 0
    assert looked.view.first("t1", f"{KINDS['RoundEnded']}10,") == 0
    assert looked.view.first("nowhere", f"{KINDS['RoundEnded']}1,") == 0
    everything.close()
    ledger.close()
