"""The table for everyone: axe finds nothing and nothing is cut off, at every size, in both rooms,
while one bets, decides and is paid. And a newcomer is quickly in a game."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from browser_driver import DESK, PHONE, TABLET, AtTable, Visiting, too_wide, violations
from playwright.sync_api import expect

QUIETLY = {"reduced_motion": "reduce"}


def looked_at(player: AtTable, *felts: str) -> None:
    """In the evening and by day."""
    page = player.page
    for felt in felts or ("dark", "light"):
        page.evaluate("felt => { document.documentElement.dataset.felt = felt }", felt)
        assert violations(page) == [], felt
    assert too_wide(page) <= 0


@pytest.mark.parametrize(
    ("table", "size"),
    [("uth-1", PHONE), ("ride-1", TABLET), ("caribbean-1", DESK), ("pikit-1", DESK)],
)
def test_every_stage_is_for_everyone(visitor: Visiting, table: str, size: tuple[int, int]) -> None:
    player = visitor(size, **QUIETLY).prefer(coach="before").at(table).sit().lay()
    looked_at(player)
    player.deal().until_asked()
    looked_at(player)
    player.play()
    looked_at(player)


def test_every_page_of_the_panel_is_for_everyone(visitor: Visiting) -> None:
    player = visitor(PHONE, **QUIETLY).at("uth-2").sit().lay().deal().play()
    felts = ("dark", "light", "dark", "light")
    for name, felt in zip(("Rules", "Evening", "Coach", "Shuffle"), felts, strict=True):
        player.page.get_by_role("tab", name=name).click()
        looked_at(player, felt)
    player.page.get_by_role("tab", name="Evening").click()
    replay = player.page.get_by_role("link", name="Round 1, replayed")
    assert replay.get_attribute("href") == "/audit/uth-2/1"
    player.page.get_by_role("button", name="Settings").click()
    looked_at(player, "dark")


def test_who_comes_straight_to_a_table_finds_a_door(visitor: Visiting) -> None:
    newcomer = visitor(TABLET, **QUIETLY)
    page = newcomer.go("/table/uth-2")
    door = page.get_by_role("dialog", name="Come in")
    expect(door).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_url(newcomer.room.origin + "/")
    newcomer.go("/table/uth-2")
    door.get_by_role("button", name="Play as a guest").click()
    AtTable(newcomer, "uth-2").sit()
    assert page.locator("header.top").count() == 1


def test_a_newcomer_goes_from_the_lobby_to_cards_over_no_other_page(visitor: Visiting) -> None:
    newcomer = visitor()
    went: list[str] = []
    newcomer.page.on("framenavigated", lambda frame: went.append(urlsplit(frame.url).path))
    page = newcomer.go("/")
    page.get_by_role("link", name="Play at table uth-1").click()
    page.wait_for_url("**/table/uth-1")
    player = AtTable(newcomer, "uth-1").sit().lay("ante").deal()
    expect(page.locator(".place .hand .card")).to_have_count(2)
    assert player.until_asked() == "choose"
    assert went == ["/", "/table/uth-1"]


def test_over_plain_http_a_round_is_played_all_the_same(visitor: Visiting) -> None:
    """A browser keeps some things for pages that came securely."""
    gone = "Object.defineProperty(Crypto.prototype, '{}', {{ value: undefined }})"
    newcomer = visitor(DESK, **QUIETLY)
    for name in ("randomUUID", "subtle"):
        newcomer.page.add_init_script(gone.format(name))
    player = newcomer.at("uth-2")
    assert player.page.evaluate("crypto.randomUUID ?? crypto.subtle ?? null") is None
    player.sit().lay().deal().play()
