"""What is accepted as a password, and how it is compared."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher
from room_door import PASSWORD, CountingHasher, Door

from croupier.law.refused import Refused
from croupier.room.door.passwords import Passwords, check, common, normal
from croupier.room.door.roles import Role

GOOD = "q7 lemon tangent"


@pytest.mark.parametrize(
    ("role", "length", "good"),
    [
        *((Role.PLAYER, length, good) for length, good in ((7, 0), (8, 1), (256, 1), (257, 0))),
        *((Role.OWNER, length, good) for length, good in ((11, 0), (12, 1), (256, 1), (257, 0))),
        *((Role.SUPERVISOR, length, good) for length, good in ((11, 0), (12, 1))),
        *((Role.AUDITOR, length, good) for length, good in ((11, 0), (12, 1))),
    ],
)
def test_a_password_is_long_enough_for_its_role(role: Role, length: int, good: int) -> None:
    password = (GOOD * 17)[:length]
    if good:
        assert check(password, "Ada", role) == password
    else:
        shortest = 8 if role is Role.PLAYER else 12
        with pytest.raises(Refused, match=f"The password of {role.one} has {shortest} to 256"):
            check(password, "Ada", role)


@pytest.mark.parametrize(
    "password",
    [
        *("password", "12345678", "qwertyui", "PassWord", "iloveyou", "Password1", "!password!"),
        *("dragon99", "password1234", "xxxxxxxxxxxx", "121212121212", "aaaabbbb", "zzzzzzzz"),
    ],
)
def test_common_passwords_are_refused(password: str) -> None:
    with pytest.raises(Refused, match="tried first"):
        check(password, "Ada", Role.PLAYER)


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Cornelius", "cornelius"),
        ("Cornelius", "Cornelius2024"),
        ("Cornelius", "corneliuscornelius"),
        ("Mary Ann", "maryann12345"),
        ("Ada", "croupier2024"),
        ("Ada", "Croupier Casino 1"),
        ("Ada", "owner-password-7"),
        ("Ada", "ada-poker-99"),
    ],
)
def test_the_name_and_the_rooms_words_are_no_password(name: str, password: str) -> None:
    with pytest.raises(Refused, match="needs more than the account's name"):
        check(password, name, Role.PLAYER)


@pytest.mark.parametrize(
    "password",
    [
        *("a royal flush", PASSWORD, "correct horse battery", "ada lovelace 1", "кот и собака"),
        *("pøker-nights-at-8", "three poker nights", "Tr0ub4dor&3"),
    ],
)
def test_other_passwords_are_good(password: str) -> None:
    assert check(password, "Ada", Role.PLAYER) == password


def test_the_list_has_thousands_of_passwords_and_no_comments() -> None:
    assert len(common()) > 20_000
    assert not any(each.startswith("#") or " " in each for each in common())
    assert sum(len(each) >= 8 for each in common()) > 10_000


def test_the_same_keys_give_the_same_password_on_every_system(in_file: Door) -> None:
    composed, apart = "pi\u00f1a colada x", "pin\u0303a\u00a0colada\u2003x"
    assert normal(composed) == normal(apart)
    in_file.people.add("Ada", apart, Role.PLAYER)
    assert in_file.logins.log_in("Ada", composed, "192.0.2.1")
    assert in_file.logins.log_in("Ada", apart, "192.0.2.1")


def test_a_password_stored_before_it_was_normalised_still_fits() -> None:
    typed = "pin\u0303a colada"
    stored = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(typed)
    assert Passwords(CountingHasher()).fits(stored, typed)


def test_an_unknown_name_costs_as_much_work_as_a_known_one() -> None:
    for password in ("plain", "pin\u0303a"):
        work = []
        for stored in (CountingHasher().hash("something else"), ""):
            hasher = CountingHasher()
            assert not Passwords(hasher).fits(stored, password)
            work.append(hasher.asked)
        assert work[0] == work[1] > 0
