"""The owner's account management, one's own password and name, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from room_door import PASSWORD, Browser, Door, code
from room_driver import running

from croupier.law.refused import Refused
from croupier.ledger.administration import AccountDisabled, AccountUnlocked, SessionsEnded
from croupier.room.api.people import DEVICE_COOKIE, Seat
from croupier.room.door.guard import COOKIE
from croupier.room.door.people import Person
from croupier.room.door.roles import Role
from croupier.table.commands import SitDown, player

NEW = "a royal flush"


class Staffed:
    """A room with its owner's browser and as many others as one likes."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.app = door.app()
        self.people = door.people
        self.people.add("Ann", PASSWORD, Role.OWNER)
        self.owner = self.browser()
        assert self.owner.say("/api/login", name="Ann", password=PASSWORD).status_code == 200

    def browser(self, address: str = "192.0.2.1") -> Browser:
        return Browser(self.app, address=address)

    def act(self, name: str, act: str, **body: Any) -> Any:
        answer = self.owner.say(f"/api/accounts/{name}/{act}", **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def account(self, name: str) -> Any:
        listed = self.owner.get("/api/accounts").json()
        (found,) = [each for each in listed if each["name"] == name]
        return found


@pytest.fixture
def room(in_file: Door) -> Staffed:
    return Staffed(in_file)


@pytest.fixture
def ada(room: Staffed) -> Person:
    return room.people.add("Ada", PASSWORD, Role.PLAYER)


def test_the_list_says_what_an_owner_needs_to_know(room: Staffed, ada: Person) -> None:
    stranger = room.browser("198.51.100.7")
    for _ in range(3):
        stranger.say("/api/login", name="Ada", password="wrong")
    assert room.account("Ada") == {
        "name": "Ada",
        "role": "player",
        "state": "active",
        "guest": False,
        "came": "2025-03-14T20:00:00.000000Z",
        "seen": "",
        "failed": 3,
        "wait": 5,
        "sessions": 0,
    }
    ann = room.account("Ann")
    assert (ann["seen"], ann["sessions"]) == ("2025-03-14T20:00:00.000000Z", 1)
    assert "argon2" not in room.owner.get("/api/accounts").text


def test_guests_are_listed_when_asked_for_and_names_are_looked_for(
    room: Staffed, ada: Person
) -> None:
    guest = room.people.guest().name
    listed = room.owner.get("/api/accounts", params={"guests": "true"}).json()
    assert [each["name"] for each in listed] == [guest]
    listed = room.owner.get("/api/accounts", params={"like": "AD"}).json()
    assert [each["name"] for each in listed] == ["Ada"]
    room.act(guest, "disable")
    assert room.people.find(guest).state == "disabled"  # type: ignore[union-attr]


def test_an_account_is_made_with_a_password_or_with_a_link(room: Staffed) -> None:
    made = room.owner.say("/api/accounts", name="Sam", role="supervisor", password=PASSWORD)
    assert (made.status_code, made.json()["link"]) == (201, "")
    made = room.owner.say("/api/accounts", name="Pat", role="auditor")
    link = made.json()["link"]
    token = link.removeprefix("/password#")
    pat = room.browser("198.51.100.7")
    assert pat.say("/api/link", token=token).json()["name"] == "Pat"
    weak = pat.say("/api/link/password", token=token, password="short")
    assert (weak.status_code, code(weak)) == (422, "BAD_PASSWORD")
    me = pat.say("/api/link/password", token=token, password=NEW).json()
    assert (me["name"], me["role"]) == ("Pat", "auditor")
    assert pat.get("/api/me").json()["name"] == "Pat"
    used = pat.say("/api/link/password", token=token, password=NEW)
    assert (used.status_code, code(used)) == (404, "NO_SUCH_LINK")
    assert [who for who, _ in room.door.said()[1:]] == ["owner Ann", "owner Ann", "link of Pat"]


def test_a_name_that_looks_like_another_is_refused(room: Staffed, ada: Person) -> None:
    answer = room.owner.say("/api/accounts", name="A.D.A", role="player", password=PASSWORD)
    assert (answer.status_code, code(answer)) == (409, "NAME_TAKEN")


@pytest.mark.parametrize("act", ["disable", "delete", "role", "reset", "end-sessions"])
def test_what_is_done_to_an_account_logs_it_out_and_closes_its_sockets(
    room: Staffed, ada: Person, act: str
) -> None:
    browser = room.browser()
    assert browser.say("/api/login", name="Ada", password=PASSWORD).status_code == 200
    room.act("ada", act, **({"role": "auditor"} if act == "role" else {}))
    assert browser.get("/api/me").status_code == 401
    assert room.door.connections.closed == ["Ada"]


def test_what_the_owner_does_is_in_the_chain_with_the_owners_name(
    room: Staffed, ada: Person
) -> None:
    room.act("Ada", "disable")
    assert room.door.said()[-1] == ("owner Ann", AccountDisabled("Ada"))
    room.act("ada", "unlock")
    assert room.door.said()[-1] == ("owner Ann", AccountUnlocked("Ada"))
    room.act("ada", "end-sessions")
    assert room.door.said()[-1] == ("owner Ann", SessionsEnded("Ada"))
    assert room.act("Ada", "enable")["account"]["state"] == "active"
    assert room.act("Ada", "delete")["account"]["state"] == "deleted"
    assert [who for who, _ in room.door.said()[-2:]] == ["owner Ann"] * 2


def test_a_reset_gives_a_link_once_and_voids_the_password(room: Staffed, ada: Person) -> None:
    link = room.act("Ada", "reset")["link"]
    browser = room.browser()
    assert browser.say("/api/login", name="Ada", password=PASSWORD).status_code == 401
    assert link.partition("#")[2] not in room.owner.get("/api/accounts").text
    token = link.partition("#")[2]
    assert browser.say("/api/link/password", token=token, password=NEW).status_code == 200
    assert browser.say("/api/login", name="Ada", password=NEW).status_code == 200


def test_a_player_who_joins_the_staff_sets_a_longer_password(room: Staffed, ada: Person) -> None:
    given = room.act("Ada", "role", role="supervisor")
    assert given["account"]["role"] == "supervisor"
    browser = room.browser()
    assert browser.say("/api/login", name="Ada", password=PASSWORD).status_code == 401
    token = given["link"].partition("#")[2]
    assert code(browser.say("/api/link/password", token=token, password="x7 lemons")) == (
        "BAD_PASSWORD"
    )
    assert browser.say("/api/link/password", token=token, password=NEW).status_code == 200
    given = room.act("Ada", "role", role="auditor")
    assert given["link"] == ""
    assert browser.say("/api/login", name="Ada", password=NEW).status_code == 200


def test_nobody_at_a_table_joins_the_staff(room: Staffed, ada: Person) -> None:
    room.door.seats = (Seat("uth-1", 2),)
    answer = room.owner.say("/api/accounts/Ada/role", role="supervisor")
    assert (answer.status_code, code(answer)) == (422, "SEATED")
    assert "uth-1" in answer.json()["error"]["sentence"]


@pytest.mark.parametrize(
    ("act", "body"), [("disable", {}), ("delete", {}), ("role", {"role": "auditor"})]
)
def test_the_last_owner_stays(room: Staffed, act: str, body: dict[str, str]) -> None:
    answer = room.owner.say(f"/api/accounts/Ann/{act}", **body)
    assert (answer.status_code, code(answer)) == (422, "LAST_OWNER")
    assert room.owner.get("/api/me").status_code == 200


def test_an_account_that_is_not_there_is_not_found(room: Staffed) -> None:
    for act in ("disable", "enable", "delete", "reset", "unlock", "end-sessions"):
        answer = room.owner.say(f"/api/accounts/Nobody/{act}")
        assert (answer.status_code, code(answer)) == (404, "NO_SUCH_ACCOUNT")


# --- waiting ------------------------------------------------------------------------------------


def test_whoever_has_to_wait_is_told_how_long(room: Staffed, ada: Person) -> None:
    stranger = room.browser("198.51.100.7")
    for _ in range(3):
        assert stranger.say("/api/login", name="Ada", password="wrong").status_code == 401
    answer = stranger.say("/api/login", name="Ada", password=PASSWORD)
    assert (answer.status_code, code(answer)) == (429, "WAIT")
    assert answer.headers["Retry-After"] == "10"
    room.act("Ada", "unlock")
    assert (
        room.browser("203.0.113.9").say("/api/login", name="Ada", password=PASSWORD).status_code
        == 200
    )


def test_the_owner_comes_in_with_a_known_browser_while_strangers_guess(room: Staffed) -> None:
    assert room.owner.say("/api/logout").status_code == 204
    for each in range(20):
        room.browser(f"203.0.113.{each}").say("/api/login", name="Ann", password="wrong")
    elsewhere = room.browser("198.51.100.7").say("/api/login", name="Ann", password=PASSWORD)
    assert code(elsewhere) == "WAIT"
    came = room.owner.say("/api/login", name="Ann", password=PASSWORD)
    assert came.status_code == 200
    assert came.json()["failed"] == 3
    assert room.owner.get("/api/me").json()["failed"] == 3


def test_the_cookie_of_a_device_is_for_http_only_and_for_this_site_only(room: Staffed) -> None:
    answer = room.browser().say("/api/login", name="Ann", password=PASSWORD)
    cookies = [each for each in answer.headers.get_list("set-cookie") if DEVICE_COOKIE in each]
    parts = {each.strip().lower() for each in cookies[0].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/api/", "max-age=15552000"} <= parts
    guest = room.browser().say("/api/guest")
    assert DEVICE_COOKIE not in guest.headers["set-cookie"]


# --- one's own account ------------------------------------------------------------------------


def test_a_guest_takes_a_name_in_the_middle_of_a_visit(room: Staffed) -> None:
    browser = room.browser()
    guest = browser.say("/api/guest").json()
    token = browser.cookies[COOKIE]
    bad = browser.say("/api/name", name="Ann", password=PASSWORD)
    assert (bad.status_code, code(bad)) == (409, "NAME_TAKEN")
    me = browser.say("/api/name", name="Bea", password=PASSWORD).json()
    assert (me["name"], me["guest"], me["bank"]) == ("Bea", False, 100_000)
    assert browser.get("/api/me").json()["name"] == "Bea"
    assert room.door.sessions.find(token) is None
    assert room.people.granted(guest["name"]) == 0
    assert room.door.named == [(guest["name"], "Bea")]
    again = browser.say("/api/name", name="Cy", password=PASSWORD)
    assert (again.status_code, code(again)) == (422, "NOT_A_GUEST")


def test_a_guest_at_a_table_stands_up_first(room: Staffed) -> None:
    browser = room.browser()
    browser.say("/api/guest")
    room.door.seats = (Seat("uth-1", 2),)
    answer = browser.say("/api/name", name="Bea", password=PASSWORD)
    assert (answer.status_code, code(answer)) == (422, "SEATED")
    assert answer.json()["error"]["sentence"] == (
        "Stand up from table uth-1 before you take a name."
    )


def test_a_guest_has_no_password_to_change(room: Staffed) -> None:
    browser = room.browser()
    browser.say("/api/guest")
    assert code(browser.say("/api/password", old="", new=NEW)) == "A_GUEST"


def test_logging_out_closes_the_sockets_of_that_session(room: Staffed, ada: Person) -> None:
    browser = room.browser()
    browser.say("/api/login", name="Ada", password=PASSWORD)
    session = room.door.sessions.find(browser.cookies[COOKIE])
    assert session
    browser.say("/api/logout")
    assert room.door.connections.closed == [session.id]


def test_a_new_password_closes_the_sockets_of_every_session(room: Staffed, ada: Person) -> None:
    browser = room.browser()
    browser.say("/api/login", name="Ada", password=PASSWORD)
    assert browser.say("/api/password", old=PASSWORD, new=NEW).status_code == 200
    assert room.door.connections.closed[0] == "Ada"


# --- in a room with tables ----------------------------------------------------------------------


def test_a_guest_takes_along_what_was_won_and_lost_at_the_tables(tmp_path: Path) -> None:
    with running(tmp_path) as room:
        guest = room.guest().connect()
        guest.watch("uth-1")
        guest.sit("uth-1", 1, 200_00)
        body = {"name": "Bea", "password": PASSWORD}
        assert code(guest.post("/api/name", body)) == "SEATED"
        guest.bet("uth-1")
        guest.play("uth-1")
        guest.do("uth-1", "StandUp", seat=1)
        had = room.room.bank.holds(guest.name)
        me = guest.post("/api/name", body).json()
        assert (me["name"], me["bank"]) == ("Bea", had)
        # The old name has nothing left to spend, whoever still holds its socket.
        assert room.room.bank.holds(guest.name) == 0
        with pytest.raises(Refused, match="you have \\$0"):
            room.room.bank.check(SitDown(player(guest.name), 1, 10_00))
