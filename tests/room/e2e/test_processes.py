"""A room in two processes at one address: browsers never notice which of them answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_driver import Visiting
from playwright.sync_api import expect
from two_rooms import Several, several

QUIETLY = {"reduced_motion": "reduce"}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    with several(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


def test_a_round_goes_on_through_many_reloads(visitor: Visiting) -> None:
    player = visitor(**QUIETLY).at("uth-1").sit()
    before = player.chips
    assert player.lay().deal().until_asked() == "choose"
    cards = player.cards
    for _ in range(6):
        player.page.reload()
        assert player.until_asked() == "choose"
        assert player.cards == cards
    player.play()
    assert player.net == player.chips - before


def test_three_at_a_table_see_each_others_bets_and_end_the_round_together(
    visitor: Visiting,
) -> None:
    players = [visitor(**QUIETLY).at("ride-1").sit(seat) for seat in (1, 2, 3)]
    rail = visitor(**QUIETLY).at("ride-1")
    before = [player.chips for player in players]
    for player in players:
        player.lay("bet 1").deal()
    for seat in (1, 2, 3):
        expect(rail.spot("bet 1", seat=seat).locator(".sum")).to_have_text("$5")
    for player in players * 2:
        assert player.answer() == "choose"
    for player, chips in zip(players, before, strict=True):
        assert player.until_asked() == "over"
        assert player.net == player.chips - chips
