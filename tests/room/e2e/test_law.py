"""The law in a browser: found as one types, passed on by its address, shown with an example."""

from __future__ import annotations

import re

import pytest
from browser_driver import DESK, PHONE, TABLET, Visiting, violations
from playwright.sync_api import expect

from croupier.law.clause import books, clause

EVERY = sum(len(book.clauses) for book in books())
PUSH = "NJ 19:47-32.10(h)3"
HASH = "#NJ%2019%3A47-32.10(h)3"


def test_clauses_are_found_by_words_number_and_filter(visitor: Visiting) -> None:
    page = visitor().go("/law")
    shown = page.locator(".clause:visible")
    expect(shown).to_have_count(EVERY)
    page.keyboard.press("/")
    page.keyboard.type("32.10(h)3")
    expect(shown).to_have_count(1)
    expect(shown).to_have_attribute("href", HASH)
    expect(page.locator("#count")).to_have_text("1 clause")
    page.locator("#q").fill("")
    page.get_by_label("Book", exact=True).select_option(label="Pik-It Poker")
    expect(shown).to_have_count(len(books()[-1].clauses))
    page.get_by_label("Status", exact=True).select_option(label="Physical")
    physical = [each for each in books()[-1] if each.disposition == "physical"]
    expect(shown).to_have_count(len(physical))


def test_a_search_asks_nobody_and_makes_no_row_again(visitor: Visiting) -> None:
    """Which is why the list keeps up with whoever types."""
    page = visitor().go("/law")
    expect(page.locator(".clause").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    changed = page.evaluate(
        """() => {
            const q = document.querySelector("#q");
            const seen = new MutationObserver(() => {});
            const within = { subtree: true, childList: true, attributes: true };
            seen.observe(document.querySelector("#list"), within);
            for (const words of ["a", "an", "ant", "ante", "ante b"]) {
                q.value = words;
                q.dispatchEvent(new Event("input"));
            }
            const what = ({ type, attributeName }) => attributeName ?? type;
            return [...new Set(seen.takeRecords().map(what))];
        }"""
    )
    assert changed == ["hidden"]
    assert asked == []


def test_a_clause_is_opened_by_keyboard_and_has_an_address_of_its_own(visitor: Visiting) -> None:
    page = visitor().go("/law")
    page.locator("#q").fill("equal hands push")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    opened = page.locator("#clause")
    expect(opened.locator("h2")).to_have_text(PUSH)
    expect(opened.locator(".says")).to_have_text(clause(PUSH).says)
    expect(page).to_have_url(re.compile(re.escape(HASH) + "$"))
    expect(opened.locator(".story .cited")).to_contain_text("pushed")
    expect(opened.locator(".story .card")).to_have_count(9)
    expect(opened).to_contain_text("src/croupier/games/ultimate_texas_holdem.py")
    expect(opened.get_by_role("heading", name="Held by")).to_be_visible()
    opened.get_by_role("link", name="MA UTH 10(h)(3)").first.click()
    expect(opened.locator("h2")).to_have_text("MA UTH 10(h)(3)")


def test_an_address_that_was_passed_on_opens_its_clause(visitor: Visiting) -> None:
    page = visitor().go(f"/law{HASH}")
    expect(page.locator("#clause h2")).to_have_text(PUSH)
    expect(page.locator(".clause[aria-current]")).to_be_in_viewport()
    expect(page.locator("#clause .decided").first).to_contain_text("U1")
    wrong = visitor().go("/law#NJ%201")
    expect(wrong.locator("#clause")).to_contain_text("There is no clause NJ 1.")


def test_a_citation_at_a_table_leads_to_its_page(visitor: Visiting) -> None:
    page = visitor().come_in().go("/table/uth-1")
    page.get_by_role("tab", name="Rules").click()
    cited = page.locator("#page-rules .cite").first
    full_id = cited.inner_text()
    cited.click()
    box = page.get_by_role("dialog", name="Clause")
    expect(box).to_contain_text(clause(full_id).says)
    box.get_by_role("link").click()
    expect(page.locator("#clause h2")).to_have_text(full_id)


@pytest.mark.parametrize("felt", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_the_law_is_fit_for_every_screen(
    visitor: Visiting, size: tuple[int, int], felt: str
) -> None:
    page = visitor(size, color_scheme=felt).go("/law")
    expect(page.locator(".clause").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#q").fill("32.10")  # axe looks at every row for long
    assert violations(page) == []
    page.goto(page.url + HASH)
    expect(page.locator("#clause .story")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
