"""A frame nobody understands still has its id, so that whoever sent it knows which it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from room_driver import running

from croupier.ledger.draft import LONGEST_ID
from croupier.room.messages import id_of


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ('{"type": "command", "id": "a1"}', "a1"),
        ('{"type": "nonsense", "id": "a1", "more": [1, {"id": 2}]}', "a1"),
        (f'{{"id": "{"x" * LONGEST_ID}"}}', "x" * LONGEST_ID),
        (f'{{"id": "{"x" * (LONGEST_ID + 1)}"}}', None),
        ('{"type": "ping", "n": "one"}', None),
        ('{"id": 7}', None),
        ('{"id": null}', None),
        ('["id"]', None),
        ("{", None),
        ("", None),
        ("[" * 5_000, None),
    ],
)
def test_the_id_of_a_frame(frame: str, said: str | None) -> None:
    assert id_of(frame) == said


def test_an_error_carries_the_id_of_the_message(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        player = room.guest().connect()
        player.say("command", id="b2", table="nowhere", do={})
        assert player.hear() == {
            "type": "error",
            "sentence": "There is no table 'nowhere'.",
            "id": "b2",
        }
        player.say("command", id="b3", table="uth-1")
        assert player.hear()["id"] == "b3"
        player.send("nothing")
        assert player.hear()["id"] is None
        player.disconnect()
