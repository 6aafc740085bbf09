"""The lobby in a browser."""

from __future__ import annotations

from browser_driver import Visiting, violations
from playwright.sync_api import expect


def test_a_newcomer_is_at_a_table_with_one_press(visitor: Visiting) -> None:
    newcomer = visitor()
    page = newcomer.go("/")
    expect(page.locator("#tables li")).to_have_count(5)
    assert violations(page) == []
    page.get_by_role("link", name="Play at table uth-1").click()
    page.wait_for_url("**/table/uth-1")
    expect(page.locator("#felt")).to_be_visible()
