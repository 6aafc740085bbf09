"""People with browsers of their own, in a room that is open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Locator, Page, WebSocket, expect
from room_driver import PASSWORD, Running

from croupier.room.door.roles import Role

PHONE, TABLET, DESK = (390, 844), (768, 1024), (1440, 900)
TABLES = ("uth-1", "uth-2", "caribbean-1", "ride-1", "pikit-1")  # what a new room opens with
PATIENCE = 60_000  # milliseconds for whatever a page is to show
NOBODY_YET = "status of 401"  # every page asks who is there, and browsers write the answer down
CUT_OFF = "net::ERR_INTERNET_DISCONNECTED"  # the same with a network that is not there
expect.set_options(timeout=PATIENCE)

# What the page waits for: a decision, three cards to be picked, or the next round's bets.
ASKED = """() => {
    const controls = document.querySelector(".controls");
    if (!controls || controls.inert) return "";
    if (document.querySelector(".felt[data-over] .results .sum")) return "over";
    if (controls.querySelector("[data-pick]")) return "pick";
    return controls.querySelector("[data-choice]") ? "choose" : "";
}"""
FOCUSED = """() => {
    const at = document.activeElement;
    return at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
}"""


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, room: Running, page: Page) -> None:
        self.room = room
        self.page = page
        self.troubles: list[str] = []
        self.frames: list[str] = []  # everything the socket brought
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._complained)
        page.on("websocket", self._listen)

    def _complained(self, said: ConsoleMessage) -> None:
        if said.type == "error" and NOBODY_YET not in said.text and CUT_OFF not in said.text:
            self.troubles.append(said.text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def go(self, path: str) -> Page:
        self.page.goto(self.room.origin + path)
        return self.page

    def come_in(self, role: Role = Role.PLAYER) -> Visitor:
        """As a guest, or as somebody of the house with an account of his own."""
        request = self.page.request
        headers = {"Origin": self.room.origin}
        if role is Role.PLAYER:
            answer = request.post(self.room.origin + "/api/guest", data={}, headers=headers)
        else:
            name = self.room.staff(role).name
            said = {"name": name, "password": PASSWORD}
            answer = request.post(self.room.origin + "/api/login", data=said, headers=headers)
        assert answer.ok, answer.text()
        self.me: dict[str, Any] = answer.json()
        return self

    def prefer(self, **settings: str) -> Visitor:
        """Settings as this person left them the last time."""
        kept = json.dumps(json.dumps(settings))
        self.page.add_init_script(f"localStorage.setItem('croupier.settings', {kept})")
        return self

    def at(self, table: str) -> AtTable:
        """Come in as a guest and watch a table."""
        self.come_in().go(f"/table/{table}")
        return AtTable(self, table)


class AtTable:
    """Somebody at a table. What is done is done with the mouse, unless it says otherwise."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.table = table

    # --- what is seen -----------------------------------------------------------------------------

    @property
    def cards(self) -> list[str]:
        return self.codes(".place .hand .card:not(.cover)")

    def codes(self, where: str) -> list[str]:
        found = self.page.locator(where).all()
        return [card.get_attribute("data-card") or "" for card in found]

    @property
    def seat(self) -> int:
        return int(self.page.evaluate("table.seat"))

    @property
    def chips(self) -> int:
        """Cents this player has at the table, as the server says."""
        return int(self.page.evaluate("table.view.you.chips"))

    def spot(self, wager: str, seat: int = 0) -> Locator:
        whose = f".seat[data-seat='{seat}']" if seat else ".place"
        return self.page.locator(f"{whose} .spot[data-wager='{wager}']")

    def laid(self, wager: str, seat: int = 0) -> str:
        """What lies on a betting area."""
        return self.spot(wager, seat).locator(".sum").inner_text()

    @property
    def choices(self) -> list[str]:
        return self.page.locator(".choosing button").all_inner_texts()

    @property
    def log(self) -> list[str]:
        """Every line of the log, without its clause."""
        lines = "[...document.querySelectorAll('.lines p')].map((p) => p.firstChild.textContent)"
        found: list[str] = self.page.evaluate(lines)
        return found

    @property
    def net(self) -> int:
        """Cents won or lost, as the page says when the round is over."""
        words = self.page.locator(".results .sum .how").inner_text()
        dollars, cents = re.fullmatch(r"[+-]?\$([\d,]+)(?:\.(\d\d))?", words).groups()  # type: ignore[union-attr]
        size = int(dollars.replace(",", "")) * 100 + int(cents or 0)
        return -size if words.startswith("-") else size

    def until_asked(self) -> str:
        """Wait until this player is asked: "choose", "pick", or "over"."""
        asked = self.page.wait_for_function(ASKED).json_value()
        assert isinstance(asked, str)
        return asked

    # --- what is done -----------------------------------------------------------------------------

    def sit(self, seat: int = 0) -> AtTable:
        name = f"Sit down at seat {seat}" if seat else "Take a seat"
        self.page.get_by_role("button", name=name).click()
        return self.until_open()

    def until_open(self) -> AtTable:
        """Wait until bets are open to this seat."""
        expect(self.page.locator(".place .spot[data-open]").first).to_be_visible()
        return self

    def lay(self, *wagers: str) -> AtTable:
        """A chip on each of these areas, or on every one there is."""
        spots = [self.spot(name) for name in wagers]
        for spot in spots or self.page.locator(".place .spot[data-open]").all():
            spot.click()
        return self

    def deal(self) -> AtTable:
        self.page.get_by_role("button", name="Deal").click()
        return self

    def play(self, press: Press | None = None) -> AtTable:
        """Decide until the round is over: the first choice each time, or as one likes."""
        while self.answer(press) != "over":
            pass
        return self

    def answer(self, press: Press | None = None) -> str:
        """Wait to be asked, decide, and see that it was heard."""
        asked = self.until_asked()
        if asked != "over":
            before = self.page.evaluate("table.view.version")
            (press or AtTable.decide)(self, asked)
            self.page.wait_for_function("before => table.view.version > before", arg=before)
        return asked

    def decide(self, asked: str) -> None:
        if asked == "pick":
            for card in (1, 3, 5):
                self.page.locator(f"[data-pick='{card}']").click()
            self.page.get_by_role("button", name="Turn these three").click()
        else:
            self.page.locator("[data-choice]").first.click()

    # --- with the keyboard alone ------------------------------------------------------------------

    def key(self, *keys: str) -> AtTable:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def tab_to(self, name: str) -> AtTable:
        for _ in range(80):
            if str(self.page.evaluate(FOCUSED)).strip().startswith(name):
                return self
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no {name!r} within reach of the keyboard")

    def decide_by_key(self, asked: str) -> None:
        if asked == "pick":
            self.key("1", "3", "5", "Enter")
        else:
            letter = self.page.locator("[data-choice]").first.get_attribute("aria-keyshortcuts")
            self.key(str(letter))

    def say(self, words: str) -> AtTable:
        """Type a line and send it."""
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")
        return self


Press = Callable[[AtTable, str], None]
Visiting = Callable[..., Visitor]


def told(frames: list[str]) -> list[str]:
    """The sentences of everything that happened at a table, as the socket brought them."""
    messages = [json.loads(frame) for frame in frames]
    return [
        each["sentence"]
        for message in messages
        if message["type"] == "happened"
        for each in message["events"]
    ]


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']} at {node['target']}"
        for each in found
        for node in each["nodes"]
    ]


def too_wide(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
