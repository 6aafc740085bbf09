"""A reload, or a network that goes away, in the middle of a round: it goes on where it was."""

from __future__ import annotations

import pytest
from browser_driver import AtTable, Visiting
from playwright.sync_api import expect

QUIETLY = {"reduced_motion": "reduce"}
FORGET = "sessionStorage.clear()"  # as on another device


def standing(player: AtTable) -> dict[str, object]:
    """Everything of the round that a player has before his eyes."""
    page = player.page
    return {
        "cards": player.cards,
        "dealer": player.codes(".dealers .card:not(.cover)"),
        "community": player.codes(".centre .card"),
        "wagers": page.locator(".place .spot").all_inner_texts(),
        "choices": player.choices,
        "results": page.locator(".results li").all_inner_texts(),
    }


def narrated(log: list[str]) -> list[str]:
    """What was told of the round so far."""
    began = next(at for at, line in enumerate(log) if " wagers " in line)
    return [line for line in log[began:] if not line.startswith("Your turn: ")]


@pytest.mark.parametrize("table", ["uth-1", "pikit-1", "ride-1"])
def test_a_reload_in_the_middle_of_a_round_shows_it_as_it_was(
    visitor: Visiting, table: str
) -> None:
    player = visitor(**QUIETLY).at(table).sit()
    before = player.chips
    player.lay().deal().answer()
    assert player.until_asked() == "choose"
    stood, log = standing(player), player.log
    player.page.reload()
    assert player.until_asked() == "choose"
    assert standing(player) == stood
    assert narrated(player.log) == narrated(log)
    player.play()
    assert player.net == player.chips - before


@pytest.mark.parametrize("table", ["pikit-1", "ride-1"])
def test_what_was_settled_before_one_came_counts_in_the_result(
    visitor: Visiting, table: str
) -> None:
    player = visitor(**QUIETLY).at(table).sit()
    before = player.chips
    player.lay().deal().answer()
    assert player.until_asked() == "choose"
    assert player.page.locator(".results li[data-how]").count() > 0
    player.page.evaluate(FORGET)
    player.page.reload()
    assert player.until_asked() == "choose"
    assert player.page.locator(".results li[data-how]").count() > 0
    player.play()
    assert player.net == player.chips - before


def test_a_lost_network_comes_back_to_the_same_round(visitor: Visiting) -> None:
    newcomer = visitor(**QUIETLY)
    player = newcomer.at("caribbean-1").sit()
    before = player.chips
    assert player.lay().deal().until_asked() == "choose"
    stood = standing(player)
    newcomer.page.context.set_offline(True)
    line = newcomer.page.locator(".top .line")
    expect(line).to_have_attribute("aria-label", "connecting")
    player.decide("choose")  # sent when there is a line again
    assert standing(player) == stood
    newcomer.page.context.set_offline(False)
    expect(line).to_have_attribute("aria-label", "connected")
    player.play()
    assert player.net == player.chips - before
    chosen = [line for line in player.log if line.startswith(f"Seat {player.seat} folds")]
    assert len(chosen) == 1


def test_rounds_played_without_us_are_told_when_the_network_is_back(visitor: Visiting) -> None:
    lost, there = (visitor(**QUIETLY).at("uth-2").sit(seat) for seat in (1, 2))
    lost.page.context.set_offline(True)
    expect(lost.page.locator(".top .line")).to_have_attribute("aria-label", "connecting")
    there.lay("ante").deal().play()
    lost.page.context.set_offline(False)
    lost.page.wait_for_function("() => table.view.rounds === 1")
    told = [line for line in there.log if line.startswith("Seat 2")]
    assert len(told) > 2
    assert [line for line in lost.log if line.startswith("Seat 2")] == told
