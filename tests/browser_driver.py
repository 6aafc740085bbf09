"""People with browsers of their own, in a room that is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page
from room_driver import PASSWORD, Running

from croupier.room.roles import Role

PHONE, TABLET, DESK = (390, 844), (768, 1024), (1440, 900)
PATIENCE = 15_000  # milliseconds for whatever a page is to show
NOBODY_YET = "status of 401"  # every page asks who is there, and browsers write the answer down


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, room: Running, page: Page) -> None:
        self.room = room
        self.page = page
        self.troubles: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._complained)

    def _complained(self, said: ConsoleMessage) -> None:
        if said.type == "error" and NOBODY_YET not in said.text:
            self.troubles.append(said.text)

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


Visiting = Callable[..., Visitor]


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']} at {node['target']}"
        for each in found
        for node in each["nodes"]
    ]
