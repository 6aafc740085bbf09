"""The lobby in a browser, and the house one writes there."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from browser_driver import DESK, PHONE, TABLET, Visiting, violations
from playwright.sync_api import Page, expect

from croupier.games.registry import RULEBOOKS
from croupier.room.door.roles import Role

WORKED_OUT = 60_000  # milliseconds: kernels may have to be compiled


def no_sideways(page: Page) -> bool:
    fits: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return fits


def writing(page: Page, book: str) -> Page:
    """At the form of a house under this book, when it has been judged and priced."""
    page.get_by_label("A table of", exact=True).select_option(book)
    page.get_by_role("button", name="Write its house rules").click()
    expect(page.locator(".prices dd").first).to_be_visible(timeout=WORKED_OUT)
    return page


def test_a_newcomer_is_at_a_table_with_one_press(visitor: Visiting) -> None:
    newcomer = visitor()
    page = newcomer.go("/")
    expect(page.locator("#tables li")).to_have_count(5)
    assert violations(page) == []
    page.get_by_role("link", name="Play at table uth-1").click()
    page.wait_for_url("**/table/uth-1")
    expect(page.locator("#felt")).to_be_visible()


def test_a_table_tells_its_law_its_limits_and_what_it_pays(visitor: Visiting) -> None:
    page = visitor().go("/")
    card = page.locator('#tables li[data-id="uth-2"]')
    expect(card).to_contain_text("Massachusetts")
    expect(card).to_contain_text("$5 to $500")
    expect(card).to_contain_text("6 free")
    royal = card.get_by_role("row", name="Royal flush 500 to 1")
    expect(royal).to_be_hidden()
    card.get_by_text("Pay tables", exact=True).click()
    expect(royal).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_lobby_and_form_are_for_everybody_on_every_screen(
    visitor: Visiting, size: tuple[int, int], scheme: str
) -> None:
    page = visitor(size, color_scheme=scheme).come_in().go("/")
    assert no_sideways(page)
    writing(page, "nj-let-it-ride")
    page.get_by_label("Positions", exact=True).fill("99")
    expect(page.locator('[data-slot="positions"]')).to_be_visible()
    assert violations(page) == []
    assert no_sideways(page)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_book_has_its_form_and_its_preset_is_lawful(visitor: Visiting, book: str) -> None:
    page = visitor().come_in().go("/")
    page.get_by_label("A table of", exact=True).select_option(book)
    page.get_by_role("button", name="Write its house rules").click()
    expect(page.locator(".verdict")).to_have_text("Lawful")
    expect(page.get_by_role("button", name="Open this table")).to_be_enabled()
    assert violations(page) == []


def test_a_line_below_the_law_is_told_beside_it_and_closes_the_house(visitor: Visiting) -> None:
    page = writing(visitor().come_in(Role.OWNER).go("/"), "nj-let-it-ride")
    line = page.locator('[data-key="pay.three-card.straight"]')
    line.get_by_role("textbox").fill("2 to 1")
    expect(line).to_contain_text("The law pays no less than 6 to 1")
    expect(line.get_by_role("button", name="Clause NJ 19:47-18.11(e)")).to_be_visible()
    expect(line.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    opens = page.get_by_role("button", name="Open this table")
    expect(opens).to_be_disabled()
    expect(page.locator("#why-not")).to_contain_text("no less than 6 to 1")
    line.get_by_role("textbox").fill("6 to 1")
    expect(opens).to_be_enabled()
    expect(line.get_by_role("textbox")).not_to_have_attribute("aria-invalid", "true")


def test_the_edge_follows_the_line_one_changes(visitor: Visiting) -> None:
    """Of 22,100 hands of three cards 52 are three of a kind: each unit more costs 52/22100."""
    page = writing(visitor().come_in(Role.OWNER).go("/"), "nj-let-it-ride")
    edge = page.locator('[data-edge="three-card"]')
    expect(edge).to_have_text("2.3167 %")
    three = page.locator('[data-key="pay.three-card.three-of-a-kind"]').get_by_role("textbox")
    was = int(three.input_value().split()[0])
    three.fill(f"{was + 5} to 1")
    after = Fraction(128, 5525) - 5 * Fraction(52, 22_100)
    expect(edge).to_have_text(f"{float(100 * after):.4f} %")
    expect(page.locator(f'.prices summary[title="{after}"]')).to_have_count(1)
    three.fill(f"{was + 50} to 1")
    expect(page.locator(".prices .players")).to_contain_text("the player's edge")
    expect(page.locator('[data-slot="pay.three-card"]')).to_contain_text("favours the player")
    expect(page.get_by_role("button", name="Open this table")).to_be_enabled()


def test_another_pay_table_brings_its_lines(visitor: Visiting) -> None:
    page = writing(visitor().come_in(Role.OWNER).go("/"), "nj-let-it-ride")
    page.get_by_label("Three card: pay table").select_option("B")
    straight = page.locator('[data-key="pay.three-card.straight"]').get_by_role("textbox")
    expect(straight).to_have_value("5 to 1")
    expect(page.locator(".verdict")).to_have_text("Lawful")
    expect(page.locator('[data-edge="three-card"]')).to_have_text("5.5747 %")


def test_what_is_not_offered_is_neither_asked_nor_priced(visitor: Visiting) -> None:
    page = writing(visitor().come_in().go("/"), "nj-let-it-ride")
    page.get_by_role("checkbox", name="Three card").uncheck()
    expect(page.locator('[data-pay="three-card"]')).to_have_count(0)
    expect(page.locator(".prices dt")).to_have_text(["Bet 1, bet 2 and bet 3", "Let it ride bonus"])


def test_a_house_is_written_and_opened_by_keyboard_alone(visitor: Visiting) -> None:
    page = writing(visitor().come_in(Role.OWNER).go("/"), "nj-let-it-ride")
    page.get_by_label("Name of the house").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("The Blue Room")
    page.get_by_label("Each bet, minimum, in dollars").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("25")
    expect(page.get_by_role("button", name="Open this table")).to_be_enabled()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/ride-*")
    expect(page.locator("#felt")).to_be_visible()
    opened = page.request.get(page.url.replace("/table/", "/api/tables/")).json()
    assert opened["house"] == "The Blue Room"
    assert opened["limits"]["main"] == [2_500, 50_000]


def test_what_the_room_refuses_to_open_is_said_beside_the_button(visitor: Visiting) -> None:
    page = writing(visitor().come_in(Role.OWNER).go("/"), "nj-let-it-ride")
    page.get_by_label("Chips in the tray, in dollars").fill("many")
    opens = page.get_by_role("button", name="Open this table")
    expect(opens).to_be_enabled()
    opens.click()
    expect(page.locator("#why-not")).to_contain_text("in dollars, such as 100000")


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_player_is_offered_what_a_player_may_set_and_opens_it(
    visitor: Visiting, book: str
) -> None:
    page = visitor().come_in().go("/")
    expect(page.locator("#opening")).to_contain_text(
        "Tables opened by players use the printed pay tables and the room's limits. "
        "Staff can open any lawful table."
    )
    page.get_by_label("A table of", exact=True).select_option(book)
    page.get_by_role("button", name="Write its house rules").click()
    expect(page.locator(".verdict")).to_have_text("Lawful")
    expect(page.get_by_label("Chips in the tray, in dollars")).to_have_count(0)
    expect(page.locator(".pay input, .range input, [data-key^='progressive.']")).to_have_count(0)
    page.get_by_role("button", name="Open this table").click()
    page.wait_for_url("**/table/*")
    expect(page.locator("#felt")).to_be_visible()
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("button", name="Close table").click()
    page.get_by_role("button", name="Really close table").click()
    expect(page.locator(".main")).to_contain_text("This table was closed.")


def test_a_player_chooses_among_printed_pay_tables(visitor: Visiting) -> None:
    page = writing(visitor().come_in().go("/"), "nj-let-it-ride")
    page.get_by_label("Three card: pay table").select_option("B")
    expect(page.locator('[data-pay="three-card"]')).to_contain_text("5 to 1")
    expect(page.locator('[data-edge="three-card"]')).to_have_text("5.5747 %")


def test_a_table_is_closed_from_the_lobby_by_its_opener_and_by_staff(visitor: Visiting) -> None:
    player, boss, other = visitor().come_in(), visitor().come_in(Role.SUPERVISOR), visitor()
    page = player.go("/")
    page.get_by_role("button", name="Open as it is").click()
    page.wait_for_url("**/table/*")
    table = page.url.rpartition("/")[2]
    page = player.go("/")
    mine = page.locator(f'#tables li[data-id="{table}"]')
    expect(mine).to_contain_text(f"opened by {player.me['name']}")
    expect(page.get_by_role("button", name=re.compile("^Close table"))).to_have_count(1)
    other.come_in().go("/")
    expect(other.page.locator("#tables li").first).to_be_visible()
    expect(other.page.get_by_role("button", name=re.compile("^Close table"))).to_have_count(0)
    boss.go("/")
    boss.page.get_by_role("button", name=f"Close table {table}", exact=True).click()
    boss.page.get_by_role("button", name=f"Really close table {table}").click()
    expect(boss.page.locator(f'#tables li[data-id="{table}"]')).to_have_count(0)
    expect(mine).to_have_count(0)


def test_two_decks_want_a_device_and_get_it(visitor: Visiting) -> None:
    page = writing(visitor().come_in().go("/"), "nj-let-it-ride")
    page.get_by_label("Decks", exact=True).select_option("2")
    expect(page.locator('[data-slot="decks"]')).to_contain_text("needs an automated")
    page.get_by_label("Shuffling").select_option("automated")
    expect(page.locator(".verdict")).to_have_text("Lawful")


def test_a_house_is_taken_along_to_its_mathematics(visitor: Visiting) -> None:
    page = writing(visitor().come_in().go("/"), "nj-let-it-ride")
    page.get_by_label("Name of the house").fill("The Green Room")
    page.get_by_label("Three card: pay table").select_option("B")
    page.get_by_role("button", name="Study its mathematics").click()
    page.wait_for_url("**/mathematics?house=mine")
    expect(page.locator(".hero")).to_contain_text("The Green Room", timeout=WORKED_OUT)
    expect(page.get_by_role("row", name="Three card bonus 5.5747 %").first).to_be_visible()


def test_an_auditor_opens_no_table(visitor: Visiting) -> None:
    page = visitor().come_in(Role.AUDITOR).go("/")
    expect(page.get_by_text("You are here as auditor")).to_be_visible()
    expect(page.get_by_text("A table of your own")).to_have_count(0)


def test_whoever_leaves_is_at_the_door_again(visitor: Visiting) -> None:
    page = visitor().come_in().go("/")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()
