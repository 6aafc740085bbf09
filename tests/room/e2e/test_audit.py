"""Finished rounds in a browser: watched again, checked there, and not to be cheated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_driver import DESK, PHONE, TABLET, Visiting, Visitor, violations
from forger import sql
from playwright.sync_api import Browser, Page, Route, expect
from room_driver import Running, play_together, running

from croupier.ledger.proof import prove
from croupier.ledger.proof_result import Result
from croupier.ledger.round_file import read_story
from croupier.room.door.roles import Role

Data = dict[str, Any]
TABLE = "uth-1"
WORDS = "rabbit’s foot"
ROUND = f"/audit/{TABLE}/2"
MANY = 21  # rounds at another table: more than a page of them
AGREES = "The round was dealt as promised. Not checked here: payments."


@pytest.fixture(scope="module", autouse=True)
def played(room: Running) -> None:
    """Two rounds of three players who added words, and many of one."""
    rng = random.Random(2)
    players = [room.guest().connect() for _ in range(3)]
    for seat, each in enumerate(players, 2):
        each.look(TABLE)
        each.sit(TABLE, seat, 900_00)
    players[0].do(TABLE, "AddEntropy", entropy=WORDS)
    for _ in range(2):
        play_together(players, TABLE, rng)
    one = room.guest().connect()
    one.look("ride-1")
    one.sit("ride-1", 1, 900_00)
    for _ in range(MANY):
        one.bet("ride-1")
        one.play("ride-1")
    for each in (*players, one):
        each.disconnect()


def watching(visitor: Visitor, path: str = ROUND) -> Page:
    page = visitor.go(path)
    expect(page.locator(".scrubber .count")).to_contain_text("/")
    return page


def verified(page: Page, press: str = "Verify the shuffle in this browser") -> str:
    page.get_by_role("button", name=press).click()
    verdict = page.locator("#check .verdict[data-agrees]")
    expect(verdict).to_be_visible()
    return verdict.inner_text()


# --- choosing and watching ------------------------------------------------------------------


def test_nobody_finds_a_door_and_is_in_with_one_press(visitor: Visiting) -> None:
    page = visitor().go("/audit")
    assert violations(page) == []
    page.get_by_role("button", name="Come in as a guest").click()
    expect(page.locator("#round h2")).to_contain_text("Round")
    expect(page.locator("#ledger")).to_be_hidden()


def test_rounds_are_chosen_from_pages_of_them(visitor: Visiting) -> None:
    page = watching(visitor().come_in(), "/audit")
    page.get_by_label("Table", exact=True).select_option("ride-1")
    lines = page.locator(".rounds li")
    expect(lines).to_have_count(20)
    expect(page.locator("#round h2")).to_have_text(f"Round {MANY} at table ride-1")
    page.get_by_role("button", name="Older rounds").click()
    expect(lines).to_have_count(MANY)
    expect(page.get_by_role("button", name="Older rounds")).to_be_hidden()
    lines.last.get_by_role("link").click()
    expect(page.locator("#round h2")).to_have_text("Round 1 at table ride-1")
    assert page.url.endswith("/audit/ride-1/1")
    before = page.locator(".count").inner_text()
    page.keyboard.press("ArrowRight")  # the felt follows, wherever one is on the page
    expect(page.locator(".count")).not_to_have_text(before)
    page.go_back()
    expect(page.locator("#round h2")).to_have_text(f"Round {MANY} at table ride-1")


def test_a_round_that_is_not_there_is_a_sentence(visitor: Visiting) -> None:
    guest = visitor().come_in()
    page = guest.go(f"/audit/{TABLE}/77")
    expect(page.get_by_role("alert")).to_contain_text("has not been dealt")
    expect(page.locator(".rounds li")).to_have_count(2)
    guest.troubles.clear()  # browsers write every 404 down


def test_a_round_is_scrubbed_with_the_mouse(visitor: Visiting) -> None:
    page = watching(visitor().come_in())
    page.get_by_role("button", name="First step").click()
    expect(page.locator(".count")).to_contain_text("1 /")
    expect(page.locator("#felt .card")).to_have_count(0)
    steps = page.locator("#story li")
    page.locator("input[type=range]").click()  # its middle
    assert 1 < int(page.locator(".count").inner_text().split()[0]) < steps.count()
    assert page.locator("#felt .card").count() > 5
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".count")).to_have_text(f"{steps.count()} / {steps.count()}")
    expect(page.locator(".now")).to_contain_text("is revealed")
    page.locator("#story li", has_text="Seat 3 shows").get_by_role("button").first.click()
    expect(page.locator(".now")).to_contain_text("Seat 3 shows")
    shown = page.locator('[data-place="seat 3"] .card')
    expect(shown.first).not_to_have_attribute("data-card", "??")
    page.locator(".now .cite").click()
    expect(page.locator(".clause-card")).to_be_visible()


def test_a_round_is_scrubbed_with_the_keyboard(visitor: Visiting) -> None:
    page = watching(visitor(reduced_motion="reduce").come_in())
    count = page.locator(".count")
    page.keyboard.press("Home")
    expect(count).to_contain_text("1 /")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("4 /")
    page.keyboard.press("ArrowLeft")
    expect(count).to_contain_text("3 /")
    page.get_by_label("Step of the round").focus()
    page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("4 /")
    page.keyboard.press("End")
    last = count.inner_text()
    assert last.split(" / ")[0] == last.split(" / ")[1]
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    expect(count).to_contain_text("3 /")  # it began again, and goes on by itself
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()


def test_cards_are_on_the_felt_only_once_they_were_turned_up(visitor: Visiting) -> None:
    page = watching(visitor().come_in())
    steps = page.locator("#story li")
    names = [steps.nth(at).inner_text() for at in range(steps.count())]
    shows = next(at for at, words in enumerate(names) if "The dealer shows" in words)
    page.get_by_role("button", name="First step").click()
    for _ in range(shows - 1):
        page.keyboard.press("ArrowRight")
    dealer = page.locator('[data-place="dealer"] .card:not(.cover)')
    assert {card.get_attribute("data-card") for card in dealer.all()} == {"??"}
    page.keyboard.press("ArrowRight")
    expect(dealer.first).not_to_have_attribute("data-card", "??")


# --- checking -------------------------------------------------------------------------------


def test_the_shuffle_is_verified_in_the_browser(visitor: Visiting) -> None:
    page = watching(visitor().come_in())
    assert verified(page) == AGREES
    lines = page.locator(".checks li")
    assert [each.get_attribute("data-agrees") for each in lines.all()] == [*["true"] * 8, "null"]
    expect(lines.nth(1)).to_contain_text(WORDS)
    expect(page.locator(".fifty-two li")).to_have_count(52)


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("Seed", None, ["seed", "cut", "cards"]),
        ("Seed", "12", ["seed"]),
        ("Words of", "rabbits foot", ["words", "cut", "cards"]),
        ("Words of", "x" * 65, ["words"]),
    ],
)
def test_a_visitor_alters_seed_or_words_and_is_told_what_does_not_agree(
    visitor: Visiting, field: str, value: str | None, named: list[str]
) -> None:
    page = watching(visitor().come_in())
    page.get_by_text("Check it yourself").click()
    place = page.get_by_label(field)
    seed = place.input_value()
    place.fill(seed[:-1] + ("0" if seed[-1] != "0" else "1") if value is None else value)
    verdict = verified(page, "Check with these")
    assert verdict.startswith("The round does not agree:")
    # By chance alone a wrong order may cut as deep: one time in 33.
    assert [name for name in named if name != "cut" and name not in verdict] == []
    assert verified(page, "As recorded") == AGREES


def altered(part: str, data: Data) -> None:
    """Somebody between the ledger and the browser, or the house itself, changes one thing."""
    proved, steps = data["proof"], data["steps"]
    turn = next(step for step in steps if step["event"]["event"] == "HandRevealed")
    match part:
        case "seed":
            proved["shuffle"]["seed"] = "00" * 32
        case "promise left out":
            proved["shuffle"] = None
        case "promise":
            proved["shuffle"]["commitment"] = "00" * 32
        case "words":
            proved["shuffle"]["entropy"] = []
        case "cut":
            proved["shuffle"]["cuts"][0] += 1
        case "cards":
            first, second = turn["event"]["cards"].split()
            turn["event"]["cards"] = f"{second} {first}"
        case "cards of a view":
            positions = turn["view"]["round"]["positions"]
            seat = next(each for each in positions if each["seat"] == turn["event"]["seat"])
            seat["cards"].reverse()
        case "steps":
            settled = next(step for step in steps if step["event"]["event"] == "WagerSettled")
            settled["event"]["win"] += 100
        case "chain":
            entry = proved["entries"][3]
            entry["actor"] = "somebody else"
        case "chain without an entry":
            del proved["entries"][3]
        case "signature":
            signed = proved["checkpoint"]
            signed["signature"] = f"{int(signed['signature'], 16) ^ 1:0128x}"
        case "steps without entries":
            proved["entries"] = None
        case "signature by another key":
            proved["keys"] = dict.fromkeys(proved["keys"], "11" * 32)


@pytest.mark.parametrize(
    "part",
    [
        *("seed", "promise", "promise left out", "words", "cut", "cards", "cards of a view"),
        *("steps", "steps without entries"),
        *("chain", "chain without an entry", "signature", "signature by another key"),
    ],
)
def test_whatever_was_altered_on_the_way_is_named(visitor: Visiting, part: str) -> None:
    def alter(route: Route) -> None:
        data = route.fetch().json()
        altered(part, data)
        route.fulfill(json=data)

    guest = visitor().come_in()
    guest.page.route("**/api/tables/*/rounds/*", alter)
    verdict = verified(watching(guest))
    assert verdict.startswith("The round does not agree:")
    assert part.split()[0] in verdict


def test_without_a_secure_connection_nothing_is_pretended(visitor: Visiting) -> None:
    guest = visitor().come_in()
    hidden = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
    guest.page.add_init_script(hidden)
    page = watching(guest)
    expect(page.locator("#check .verdict")).to_contain_text("secure connection")
    expect(page.get_by_role("button", name="Verify the shuffle")).to_be_disabled()
    expect(page.locator(".checks li")).to_have_count(0)


def test_the_file_is_one_that_croupier_verify_checks(
    room: Running, visitor: Visiting, tmp_path: Path
) -> None:
    page = watching(visitor().come_in())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the round").click()
    assert saved.value.suggested_filename == f"{TABLE}-round-2.json"
    saved.value.save_as(tmp_path / "round.json")
    told = read_story(tmp_path / "round.json")
    assert (told.table, told.round) == (TABLE, 2)
    trusted = {public.hex(): "ours" for public in room.room.ledger.keys.public.values()}
    assert {check.result for check in prove(told, trusted)} == {Result.AGREES}


# --- the ledger, for auditors ---------------------------------------------------------------


def test_an_auditor_sees_how_the_ledger_stands_and_every_hand(visitor: Visiting) -> None:
    page = watching(visitor().come_in(Role.AUDITOR))
    expect(page.locator("#ledger .verdict")).to_contain_text("Everything agrees")
    box = page.locator(".standing details", has_text=TABLE)
    expect(box.locator('.parts [data-agrees="true"]')).to_have_count(5)
    box.locator("summary").click()
    expect(box.locator(".accounts tfoot")).to_contain_text("$0")
    expect(box.locator(".facts")).to_contain_text("Public key")
    page.get_by_role("button", name="Audit from the first entry").click()
    expect(page.locator("#ledger .verdict")).to_contain_text("Everything agrees")
    page.get_by_role("button", name="Last step").click()
    hands = page.locator("#felt .hand .card")
    assert hands.count() >= 8
    assert "??" not in {card.get_attribute("data-card") for card in hands.all()}


@pytest.fixture
def tampered(tmp_path: Path, chromium: Browser) -> Iterator[tuple[Visitor, int]]:
    """A room of its own, and an entry somebody changed in its database."""
    with running(tmp_path) as room:
        one = room.guest().connect()
        one.look("ride-1")
        one.sit("ride-1", 1)
        one.bet("ride-1")
        one.play("ride-1")
        one.disconnect()
        file = room.room.settings.where
        at_table = "FROM entries WHERE table_id = 'ride-1'"
        ((entry,),) = sql(file, f"SELECT min(sequence) {at_table} AND event LIKE '%WagerSettled%'")
        change = "UPDATE entries SET event = replace(event, '\"win\":', '\"win\":1')"
        sql(file, f"{change} WHERE table_id = 'ride-1' AND sequence = ?", entry)
        page = chromium.new_page(viewport={"width": DESK[0], "height": DESK[1]})
        visitor = Visitor(room, page).come_in(Role.AUDITOR)
        yield visitor, int(entry)
        page.close()


def test_an_entry_somebody_changed_is_named_in_red(tampered: tuple[Visitor, int]) -> None:
    visitor, entry = tampered
    page = visitor.go("/audit/ride-1/1")
    findings = page.locator(".findings li")
    expect(findings.first).to_contain_text(f"Table ride-1, entry {entry} (chain)")
    expect(page.locator("#ledger .verdict")).to_contain_text("finding")
    bad = page.evaluate("getComputedStyle(document.querySelector('#wrong')).color")
    assert findings.first.evaluate("(node) => getComputedStyle(node).color") == bad
    box = page.locator('.standing details[data-holds="false"]')
    expect(box).to_have_count(1)
    expect(box).to_contain_text("ride-1")
    expect(box.locator('[data-agrees="false"]').first).to_contain_text("chain")
    expect(page.locator("#round h2")).to_contain_text("Round 1")
    verdict = verified(page)
    assert "chain" in verdict
    assert violations(page) == []


# --- everybody, everywhere ------------------------------------------------------------------


@pytest.mark.parametrize("felt", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_the_page_is_for_everybody_on_every_screen(
    visitor: Visiting, size: tuple[int, int], felt: str
) -> None:
    page = watching(visitor(size, color_scheme=felt).come_in(Role.AUDITOR))
    assert page.locator("html").get_attribute("data-felt") == felt
    expect(page.locator("#ledger .verdict")).to_contain_text("Everything agrees")
    verified(page)
    page.get_by_text("Check it yourself").click()
    page.locator(".standing summary").first.click()
    expect(page.locator(".accounts")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
