"""The owner's page, one-time links, and one's own account, in a browser."""

from __future__ import annotations

import re
import secrets

import pytest
from browser_driver import DESK, PHONE, AtTable, Visiting, Visitor, too_wide, violations
from playwright.sync_api import Page, expect
from room_driver import PASSWORD, Running

from croupier.room.door.roles import Role

NEW = "a royal flush"


def fresh(word: str) -> str:
    """A name nobody has: the room is one for all tests of the file."""
    return f"{word} {''.join(secrets.choice('aeknrtz') for _ in range(8))}"


def manage(page: Page, name: str, *presses: str) -> Page:
    page.get_by_role("button", name=f"Manage {name}").click()
    for press in presses:
        page.get_by_role("button", name=press).click()
    return page


def state_of(page: Page, name: str) -> str:
    return page.locator(f"tr[data-name='{name}']").get_attribute("data-state") or ""


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_an_owner_makes_an_account_and_its_person_sets_the_password(
    visitor: Visiting, size: tuple[int, int]
) -> None:
    owner, person, name = visitor(size), visitor(size), fresh("Pat")
    page = owner.come_in(Role.OWNER).go("/")
    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("Name").first.fill(name)
    page.get_by_label("Role").first.select_option("supervisor")
    page.get_by_role("button", name="Make the account").click()
    link = page.get_by_label(f"One-time link for {name}").input_value()
    expect(page.locator(f"tr[data-name='{name}']")).to_be_visible()
    assert too_wide(page) == 0
    assert violations(page) == []

    person.page.goto(link)
    expect(person.page.get_by_text(f"For the account {name}")).to_be_visible()
    assert "#" not in person.page.url
    assert violations(person.page) == []
    person.page.get_by_label("New password").fill(NEW)
    person.page.get_by_label("Once more").fill(NEW)
    person.page.get_by_role("button", name="Set the password").click()
    expect(person.page.get_by_text("You are here as supervisor")).to_be_visible()
    assert too_wide(person.page) == 0

    manage(page, name, "Disable", "Disable: press again")
    expect(page.get_by_role("button", name="Enable")).to_be_visible()
    assert violations(page) == []
    assert too_wide(page) == 0
    person.page.reload()
    expect(person.page.get_by_role("button", name="Play as a guest")).to_be_visible()
    assert state_of(page, name) == "disabled"


def test_what_the_room_refuses_is_said_in_the_dialog(visitor: Visiting, room: Running) -> None:
    owner, people = visitor(), room.room.people
    page = owner.come_in(Role.OWNER).go("/accounts")
    for each in people.listed():
        if each.role is Role.OWNER and each.name != owner.me["name"]:
            people.change_role(each.name, Role.AUDITOR, by="test")
    manage(page, owner.me["name"], "Delete", "Delete: press again")
    expect(page.get_by_role("alert").filter(has_text="last owner")).to_be_visible()
    owner.troubles.clear()  # the browser writes down that it was refused


def test_an_owner_works_by_keyboard_alone(visitor: Visiting, room: Running) -> None:
    name = fresh("Kit")
    room.room.people.add(name, PASSWORD, Role.PLAYER)
    owner = visitor()
    page = owner.come_in(Role.OWNER).go("/accounts")
    expect(page.locator(f"tr[data-name='{name}']")).to_be_visible()
    keys = AtTable(owner, "")
    keys.tab_to(f"Manage {name}").key("Enter")
    keys.tab_to("Delete").key("Enter", "Enter")
    expect(page.locator(f"tr[data-name='{name}'][data-state='deleted']")).to_be_visible()


def test_others_do_not_see_the_page(visitor: Visiting) -> None:
    page = visitor().come_in(Role.SUPERVISOR).go("/")
    expect(page.get_by_role("link", name="Floor")).to_be_visible()
    expect(page.get_by_role("link", name="Accounts")).to_have_count(0)
    page.goto(page.url + "accounts")
    expect(page.get_by_role("heading", name="The owner's page")).to_be_visible()
    expect(page.locator("table.accounts")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_guest_takes_a_name_and_keeps_the_chips(visitor: Visiting, size: tuple[int, int]) -> None:
    guest, name = visitor(size), fresh("Gus")
    page = guest.come_in().go("/")
    expect(page.get_by_text("you lose your chips when you log out")).to_be_visible()
    page.get_by_role("button", name=guest.me["name"]).click()
    assert violations(page) == []
    dialog = page.get_by_role("dialog", name="Your account")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Take this name").click()
    expect(page.get_by_role("button", name=name)).to_be_visible()
    expect(page.locator(".bank")).to_have_text("$1,000")
    assert too_wide(page) == 0


def test_a_guest_with_a_seat_stands_up_first(visitor: Visiting) -> None:
    guest = visitor()
    at = guest.at("uth-1").sit()
    at.page.get_by_role("button", name=guest.me["name"]).click()
    dialog = at.page.get_by_role("dialog", name="Your account")
    dialog.get_by_label("Name").fill(fresh("Sid"))
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Take this name").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Stand up from table uth-1 before you take a name."
    )
    guest.troubles.clear()


def test_everybody_changes_their_own_password_and_learns_of_failed_log_ins(
    visitor: Visiting, room: Running
) -> None:
    name = fresh("Ned")
    room.room.people.add(name, PASSWORD, Role.AUDITOR)
    for _ in range(2):
        room.client().post("/api/login", json={"name": name, "password": "wrong"})
    person = visitor()
    page = person.go("/")
    log_in(person, name, PASSWORD)
    expect(page.locator(".seated")).to_contain_text("2 failed log-ins since your last visit")
    page.get_by_role("button", name=re.compile(name)).click()
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password is changed")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Play as a guest")).to_be_visible()
    log_in(person, name, NEW)
    expect(page.get_by_text("You are here as auditor")).to_be_visible()


def log_in(person: Visitor, name: str, password: str) -> None:
    page = person.page
    page.get_by_text("I have an account").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
