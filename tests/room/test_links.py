"""One-time links with which somebody sets a password."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from room_door import PASSWORD, Door

from croupier.law.refused import Refused
from croupier.room.door.links import PAGE
from croupier.room.door.logins import STRANGER
from croupier.room.door.register import open_register
from croupier.room.door.roles import Role

HOME, NEW = "192.0.2.1", "a royal flush"
GONE = "has been used or is too old"


def token_of(link: str) -> str:
    assert link.startswith(PAGE)
    return link.removeprefix(PAGE)


@pytest.fixture
def token(door: Door) -> str:
    door.people.add("Ada", PASSWORD, Role.SUPERVISOR)
    return token_of(door.links.reset("ada", by="owner Ann"))


def test_a_reset_voids_the_password_at_once_and_ends_every_session(door: Door) -> None:
    ada = door.people.add("Ada", PASSWORD, Role.SUPERVISOR)
    session, _ = door.sessions.begin(ada)
    door.links.reset("Ada", by="owner Ann")
    assert door.sessions.find(session) is None
    with pytest.raises(Refused, match=STRANGER):
        door.logins.log_in("Ada", PASSWORD, HOME)
    assert [who for who, _ in door.said()] == ["room", "owner Ann"]


def test_a_link_sets_a_password_once(door: Door, token: str) -> None:
    assert door.links.whose(token)[0] == "Ada"
    assert door.links.use(token, NEW).name == "Ada"
    assert door.logins.log_in("Ada", NEW, HOME)
    assert door.said()[-1][0] == "link of Ada"
    for again in (door.links.whose, lambda used: door.links.use(used, "another good one")):
        with pytest.raises(Refused, match=GONE):
            again(token)
    assert door.logins.log_in("Ada", NEW, HOME)


def test_a_password_that_is_refused_leaves_the_link_as_it_was(door: Door, token: str) -> None:
    with pytest.raises(Refused, match="12 to 256"):
        door.links.use(token, "short")
    assert door.links.use(token, NEW)


def test_a_link_is_good_for_less_than_a_day(door: Door, token: str) -> None:
    door.watch.wait(hours=23, minutes=59)
    assert door.links.whose(token)
    door.watch.wait(minutes=1)
    with pytest.raises(Refused, match=GONE):
        door.links.use(token, NEW)


def test_a_new_link_voids_the_one_before(door: Door, token: str) -> None:
    newer = token_of(door.links.reset("Ada", by="owner Ann"))
    with pytest.raises(Refused, match=GONE):
        door.links.use(token, NEW)
    assert door.links.use(newer, NEW)


def test_a_new_password_voids_the_link(door: Door, token: str) -> None:
    door.people.set_password("Ada", NEW, by="machine")
    with pytest.raises(Refused, match=GONE):
        door.links.use(token, "another good one")


def test_only_the_hash_of_a_link_is_kept(door: Door, token: str) -> None:
    assert len(token) == 43
    assert token not in repr(door.register.look("SELECT * FROM links"))


@pytest.mark.parametrize("change", ["disable", "delete"])
def test_a_link_opens_no_account_that_is_closed(door: Door, token: str, change: str) -> None:
    getattr(door.people, change)("Ada", by="owner Ann")
    with pytest.raises(Refused):
        door.links.use(token, NEW)


def test_a_link_used_by_many_at_once_sets_one_password(where: str, tmp_path: Path) -> None:
    registers = [open_register(where) for _ in range(4)]
    doors = [Door(each, tmp_path / "keys") for each in registers]
    doors[0].people.add("Ada", PASSWORD, Role.PLAYER)
    token = token_of(doors[0].links.reset("Ada", by="owner Ann"))

    def use(at: int) -> str:
        password = f"a royal flush {at}"
        try:
            doors[at].links.use(token, password)
        except Refused as refused:
            if GONE not in refused.sentence:
                raise
            return ""
        return password

    with ThreadPoolExecutor(4) as pool:
        (password,) = [each for each in pool.map(use, range(4)) if each]
    assert doors[0].logins.log_in("Ada", password, HOME)
    for each in registers:
        each.close()
