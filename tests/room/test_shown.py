"""What a view says of money: whoever comes late knows what a settled wager left."""

from __future__ import annotations

from pathlib import Path

import pytest
from room_driver import Data, running


def left(settled: Data) -> int:
    """Up or down by one settled wager, from its event alone."""
    if settled["result"] == "lost":
        return -int(settled["amount"])
    gone = settled["amount"] if settled["swept"] and settled["result"] == "won" else 0
    return int(settled["win"] - gone)


@pytest.mark.parametrize("table", ["uth-2", "caribbean-1", "ride-1", "pikit-1"])
def test_a_view_tells_what_each_settled_wager_left(tmp_path: Path, table: str) -> None:
    with running(tmp_path) as room:
        player = room.guest().connect()
        player.look(table)
        player.sit(table, 1)
        for _ in range(6):
            at = len(player.heard)
            player.bet(table, optional=True)
            player.play(table, lambda choices: choices[-1])
            settled: dict[str, int] = {}
            seen = 0
            for message in player.heard[at:]:
                for each in message.get("events", ()):
                    if each["event"]["event"] == "WagerSettled":
                        settled[each["event"]["wager"]] = left(each["event"])
                if message["type"] == "happened" and message["view"]["round"]:
                    nets = message["view"]["round"]["positions"][0]["nets"]
                    assert nets == settled
                    seen = max(seen, len(nets))
            assert seen > 0
