"""A player who went away in the middle of a hand: the others play on, and the seat is freed."""

from __future__ import annotations

from pathlib import Path

import pytest
from room_driver import running


@pytest.mark.parametrize(
    ("table", "verbs"), [("uth-1", ["check", "check", "fold"]), ("pikit-1", ["fold"])]
)
def test_the_house_plays_an_absent_hand_to_its_end_and_frees_the_seat(
    tmp_path: Path, table: str, verbs: list[str]
) -> None:
    """Without a time limit for decisions, as the room is by default."""
    with running(tmp_path, absent_seconds=1) as room:
        gone, watching = room.guest().connect(), room.guest().connect()
        gone.look(table)
        assert watching.look(table)["clocks"]["absent_seconds"] == 1
        gone.sit(table, 2, 300_00)
        gone.bet(table)
        gone.until_may(table, "Choose")
        gone.disconnect()
        watching.until(lambda heard: any(_left(heard, gone.name)))
        told = [
            (each["event"], happened["actor"])
            for happened in watching.heard
            for each in happened.get("events", ())
        ]
        chosen = [(ev["verb"], actor) for ev, actor in told if ev["event"] == "ChoiceMade"]
        system = f"system for {gone.name}: absent"
        assert chosen == [(verb, system) for verb in verbs]
        assert watching.heard[-1]["actor"] == system
        settled = {ev["wager"]: ev for ev, _ in told if ev["event"] == "WagerSettled"}
        assert settled["ante"]["result"] == "lost"
        net = sum(-ev["amount"] if ev["result"] == "lost" else ev["win"] for ev in settled.values())
        # What he did not lose came back to him, and what a bonus may have won before he folded.
        assert room.room.bank.holds(gone.name) == 1_000_00 + net
        assert room.room.host(table).table.seats[1] == ""
        watching.disconnect()


def _left(heard: dict[str, object], name: str) -> list[bool]:
    events = heard.get("events", ())
    assert isinstance(events, list | tuple)
    return [
        each["event"]["player"] == name for each in events if each["event"]["event"] == "PlayerLeft"
    ]
