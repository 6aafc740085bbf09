"""Whole rounds without a mouse: by keys, and by typing."""

from __future__ import annotations

import pytest
from browser_driver import TABLES, AtTable, Visiting
from playwright.sync_api import expect

FIRST = {"ride-1": "Bet 1"}  # the area a keyboard comes to first, else the ante
QUIETLY = {"reduced_motion": "reduce"}

HEAR_POINTERS = """
    globalThis.pointed = 0;
    for (const type of ["pointerdown", "mousedown", "touchstart"])
        addEventListener(type, () => globalThis.pointed++, true);
"""


@pytest.mark.parametrize("table", TABLES)
def test_a_whole_round_with_no_mouse_at_all(visitor: Visiting, table: str) -> None:
    newcomer = visitor(**QUIETLY)
    newcomer.page.add_init_script(HEAR_POINTERS)
    player = newcomer.at(table)
    expect(player.page.get_by_role("button", name="Take a seat")).to_be_visible()
    player.tab_to("Take a seat").key("Enter").until_open()
    before = player.chips
    player.tab_to(FIRST.get(table, "Ante")).key("ArrowUp").tab_to("Deal").key("Enter")
    player.play(AtTable.decide_by_key)
    assert player.net == player.chips - before
    assert player.page.evaluate("pointed") == 0


def test_a_whole_round_by_typing(visitor: Visiting) -> None:
    player = visitor(**QUIETLY).at("uth-1")
    expect(player.page.get_by_role("button", name="Take a seat")).to_be_visible()
    player.say("sit 6 300").until_open().say("bet 10 trips 5")
    expect(player.page.locator("#answer")).to_have_text("ante $10, blind $10, trips $5. Say deal.")
    player.say("deal")

    def typed(player: AtTable, asked: str) -> None:
        player.say(str(player.page.locator("[data-choice]").first.get_attribute("data-choice")))

    player.play(typed)
    assert player.net == player.chips - 300_00
