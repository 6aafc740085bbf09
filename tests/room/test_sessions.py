"""How long a session lives, and what a ticket opens."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor

import pytest
from room_door import PASSWORD, Door

from croupier.room.door.people import Person
from croupier.room.door.roles import Role
from croupier.room.door.sessions import Session


@pytest.fixture
def ada(door: Door) -> Person:
    return door.people.add("Ada", PASSWORD, Role.SUPERVISOR)


def test_a_token_is_256_bits_and_only_its_hash_is_kept(door: Door, ada: Person) -> None:
    token, session = door.sessions.begin(ada)
    assert len(urlsafe_b64decode(token + "=")) == 32
    kept = repr(door.sessions.register.look("SELECT * FROM sessions"))
    assert session.id in kept
    assert token not in kept
    assert door.sessions.find(session.id) is None


def test_a_token_finds_its_session_and_another_finds_none(door: Door, ada: Person) -> None:
    token, session = door.sessions.begin(ada)
    assert (session.name, session.role, session.guest) == ("Ada", Role.SUPERVISOR, False)
    assert door.sessions.find(token) == session
    for wrong in ("", "x", token[:-1], token + "x", "' OR '1'='1", "ÿ"):
        assert door.sessions.find(wrong) is None


def test_each_session_has_a_token_of_its_own_against_forgery(door: Door, ada: Person) -> None:
    begun = [door.sessions.begin(ada) for _ in range(5)]
    assert len({token for token, _ in begun} | {session.csrf for _, session in begun}) == 10


@pytest.mark.parametrize(
    ("guest", "just", "over"),
    [(False, 30 * 60 - 1, 30 * 60), (True, 24 * 3600 - 1, 24 * 3600)],
    ids=["named: 30 minutes", "guest: 24 hours"],
)
def test_an_idle_session_ends(door: Door, guest: bool, just: int, over: int) -> None:
    person = door.people.guest() if guest else door.people.add("Ada", PASSWORD, Role.PLAYER)
    token, _ = door.sessions.begin(person)
    door.watch.wait(seconds=just)
    assert door.sessions.find(token) is not None
    door.watch.wait(seconds=over)
    assert door.sessions.find(token) is None
    door.watch.wait(seconds=-over)
    assert door.sessions.find(token) is None, "an ended session came back"


@pytest.mark.parametrize(
    ("guest", "hours", "step"), [(False, 12, 15), (True, 7 * 24, 12 * 60)], ids=["named", "guest"]
)
def test_a_busy_session_ends_too_some_day(door: Door, guest: bool, hours: int, step: int) -> None:
    person = door.people.guest() if guest else door.people.add("Ada", PASSWORD, Role.PLAYER)
    token, _ = door.sessions.begin(person)
    for _ in range(hours * 60 // step - 1):
        door.watch.wait(minutes=step)
        assert door.sessions.find(token) is not None
    door.watch.wait(minutes=step - 1)
    assert door.sessions.find(token) is not None
    door.watch.wait(minutes=1)
    assert door.sessions.find(token) is None


def test_a_session_that_is_over_does_not_end_the_others(door: Door, ada: Person) -> None:
    (first, session), (second, _) = door.sessions.begin(ada), door.sessions.begin(ada)
    door.sessions.end(session)
    assert door.sessions.find(first) is None
    assert door.sessions.find(second) is not None


def test_a_new_password_ends_every_session_of_that_person_only(door: Door, ada: Person) -> None:
    bea = door.people.add("Bea", PASSWORD, Role.PLAYER)
    of_ada = [door.sessions.begin(ada)[0] for _ in range(3)]
    of_bea, _ = door.sessions.begin(bea)
    door.logins.change_password("Ada", PASSWORD, "a royal flush", "192.0.2.1")
    assert [door.sessions.find(each) for each in of_ada] == [None] * 3
    assert door.sessions.find(of_bea) is not None


def test_a_socket_learns_that_its_session_is_over(door: Door, ada: Person) -> None:
    _, session = door.sessions.begin(ada)
    assert door.sessions.living(session.id) == session
    door.sessions.end(session)
    assert door.sessions.living(session.id) is None


def test_a_socket_that_only_listens_is_idle_and_one_that_plays_is_not(
    door: Door, ada: Person
) -> None:
    (_, listens), (_, plays) = door.sessions.begin(ada), door.sessions.begin(ada)
    for _ in range(29):
        door.watch.wait(minutes=1)
        assert door.sessions.living(listens.id) is not None
        assert door.sessions.renew(plays.id) is not None
    door.watch.wait(minutes=1)
    assert door.sessions.living(listens.id) is None
    assert door.sessions.living(plays.id) is not None


# --- tickets --------------------------------------------------------------------------------


@pytest.fixture
def session(door: Door, ada: Person) -> Session:
    return door.sessions.begin(ada)[1]


def test_a_ticket_opens_once(door: Door, session: Session) -> None:
    ticket = door.sessions.ticket(session)
    assert door.sessions.redeem(ticket) == session
    assert door.sessions.redeem(ticket) is None
    assert door.sessions.redeem("") is None


def test_a_ticket_used_by_many_at_once_opens_for_one(door: Door, session: Session) -> None:
    ticket = door.sessions.ticket(session)
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(door.sessions.redeem, [ticket] * 16))
    assert sum(each is not None for each in opened) == 1


def test_a_ticket_is_good_for_less_than_thirty_seconds(door: Door, session: Session) -> None:
    early, late = door.sessions.ticket(session), door.sessions.ticket(session)
    door.watch.wait(seconds=29.9)
    assert door.sessions.redeem(early) == session
    door.watch.wait(seconds=0.1)
    assert door.sessions.redeem(late) is None


def test_a_ticket_dies_with_its_session(door: Door, session: Session) -> None:
    ticket = door.sessions.ticket(session)
    door.sessions.end(session)
    assert door.sessions.redeem(ticket) is None


def test_only_the_hash_of_a_ticket_is_kept_and_old_ones_are_swept(
    door: Door, session: Session
) -> None:
    ticket = door.sessions.ticket(session)
    assert ticket not in repr(door.sessions.register.look("SELECT * FROM tickets"))
    door.watch.wait(minutes=5)
    door.sessions.ticket(session)
    assert len(door.sessions.register.look("SELECT * FROM tickets")) == 1
