"""A round on a phone, with fingers."""

from __future__ import annotations

from browser_driver import PHONE, AtTable, Visiting, too_wide

IN_THE_HAND = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def tapped(player: AtTable, asked: str) -> None:
    if asked == "pick":
        for card in (2, 3, 4):
            player.page.locator(f"[data-pick='{card}']").tap()
        player.page.get_by_role("button", name="Turn these three").tap()
    else:
        player.page.locator("[data-choice]").last.tap()
    assert too_wide(player.page) <= 0


def test_a_whole_round_with_touch(visitor: Visiting) -> None:
    player = visitor(PHONE, **IN_THE_HAND).at("pikit-1")
    page = player.page
    page.get_by_role("button", name="Take a seat").tap()
    player.until_open()
    before = player.chips
    player.spot("ante").tap()
    assert player.laid("5 card bonus") == player.laid("ante")
    page.get_by_role("button", name="Deal").tap()
    player.play(tapped)
    assert player.net == player.chips - before
    assert too_wide(page) <= 0


def test_a_long_press_takes_a_chip_away(visitor: Visiting) -> None:
    player = visitor(PHONE, **IN_THE_HAND).at("uth-1")
    player.page.get_by_role("button", name="Take a seat").tap()
    player.until_open()
    for _ in range(2):
        player.spot("ante").tap()
    assert player.laid("ante") == "$10"
    player.spot("ante").scroll_into_view_if_needed()
    box = player.spot("ante").bounding_box()
    assert box
    finger = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    touch = player.page.context.new_cdp_session(player.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": finger})
    player.page.wait_for_function(
        "() => document.querySelector('.place [data-wager=ante] .sum').textContent === '$5'"
    )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert player.laid("ante") == "$5"
