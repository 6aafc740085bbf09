"""The page of mathematics in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser_driver import DESK, PHONE, TABLET, Visiting, violations
from playwright.sync_api import Page, expect

WORKED_OUT = 120_000  # milliseconds: kernels may have to be compiled
HOLDEM = "/mathematics?house=book:nj-ultimate-texas-holdem"
RIDE = "/mathematics?house=book:nj-let-it-ride"


def worked_out(page: Page) -> Page:
    expect(page.locator("#ways .rule").first).to_be_visible(timeout=WORKED_OUT)
    expect(page.locator("#progress")).to_be_hidden()
    return page


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_sheet_is_for_everybody_on_every_screen(
    visitor: Visiting, size: tuple[int, int], scheme: str
) -> None:
    visiting = visitor(size, color_scheme=scheme).come_in()
    page = worked_out(visiting.go(RIDE + "&beside=table:ride-1"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_sheet_says_the_edge_exactly_and_draws_what_it_counts(visitor: Visiting) -> None:
    page = worked_out(visitor().come_in().go(RIDE))
    expect(page.locator(".hero")).to_contain_text("3.5057 %")
    expect(page.locator("#edge-exact")).to_have_text("37963/1082900")
    # Three wagers can be made by themselves, and each has its outcomes and its funnel drawn.
    expect(page.locator(".drawing svg")).to_have_count(6)
    expect(page.locator(".drawing .win").first).to_be_attached()
    expect(page.locator(".drawing .loss").first).to_be_attached()
    rule = page.locator("#ways .rule").first
    expect(rule).to_contain_text("The first bet")
    expect(rule).to_contain_text("Loses nothing against best play")
    expect(page.get_by_role("row", name="Always withdraw")).to_contain_text("37.2723 %")


def test_the_opening_chart_tells_the_worth_of_each_of_its_169_classes(visitor: Visiting) -> None:
    page = visitor().come_in().go(HOLDEM)
    expect(page.locator("#progress")).to_contain_text("Counting every deal")
    cells = page.locator(".chart13 [role=gridcell]")
    expect(cells).to_have_count(169, timeout=WORKED_OUT)
    expect(page.locator("#edge-exact")).to_have_text("50643648973/2317817502000")
    expect(page.locator('[data-hand="AA"]')).to_have_attribute("data-best", "4x")
    expect(page.locator('[data-hand="32o"]')).to_have_attribute("data-best", "check")
    worth = page.locator(".worth")
    page.locator('[data-hand="K5o"]').hover()
    expect(worth).to_contain_text("K5o (12 hands): play 4x")
    page.locator('[data-hand="AA"]').focus()
    page.keyboard.press("ArrowDown")
    expect(worth).to_contain_text("AKo (12 hands)")
    page.keyboard.press("ArrowRight")
    expect(worth).to_contain_text("KK (6 hands)")


def test_a_way_that_takes_long_is_counted_on_demand(visitor: Visiting) -> None:
    page = worked_out(visitor().come_in().go(HOLDEM))
    row = page.get_by_role("row", name="Always raise")
    row.get_by_role("button", name="Count Always raise").click()
    expect(row).to_contain_text("40.7047 %", timeout=WORKED_OUT)
    assert violations(page) == []


def test_two_houses_stand_side_by_side(visitor: Visiting) -> None:
    visiting = visitor().come_in()
    headers = {"X-Croupier-CSRF": visiting.me["csrf"], "Origin": visiting.room.origin}
    house = {"rulebook": "nj-let-it-ride", "name": "The Mean House", "pay": {"three-card": "B"}}
    said = {"house": house, "id": "mean"}
    at = visiting.room.origin + "/api/tables"
    assert visiting.page.request.post(at, data=said, headers=headers).ok
    page = worked_out(visiting.go(RIDE))
    expect(page.locator("#compare")).to_be_empty()
    page.get_by_label("Compared with").select_option("table:mean")
    differs = page.locator("#compare .differs").filter(has_text="Edge")
    expect(differs).to_contain_text("2.3167 %")
    expect(differs).to_contain_text("5.5747 %")
    expect(differs).to_contain_text("+3.2579 %")
    setting = page.get_by_role("row", name="pay.three-card.straight")
    expect(setting).to_contain_text("6 to 1")
    expect(setting.get_by_role("button", name="Clause NJ 19:47-18.11(e)")).to_be_visible()
    page.get_by_label("The house").select_option("book:nj-pik-it-poker")
    expect(page.locator("#compare")).to_be_empty()
    worked_out(page)


@pytest.mark.parametrize(("words", "begins"), [("HTML", b"<!doc"), ("PDF", b"%PDF-")])
def test_the_sheet_is_taken_along(visitor: Visiting, words: str, begins: bytes) -> None:
    page = worked_out(visitor().come_in().go(RIDE))
    with page.expect_download(timeout=WORKED_OUT) as taken:
        page.get_by_role("button", name=f"Download the PAR sheet as {words}").click()
    assert taken.value.suggested_filename == f"par-book-nj-let-it-ride.{words.lower()}"
    assert Path(taken.value.path()).read_bytes().startswith(begins)


def test_whoever_is_not_in_the_room_finds_a_door(visitor: Visiting) -> None:
    page = visitor().go(RIDE)
    assert violations(page) == []
    page.get_by_role("button", name="Come in as a guest").click()
    expect(page.locator(".hero")).to_contain_text("Let It Ride", timeout=WORKED_OUT)
