"""Logging in: what guessing costs, and that it keeps nobody out."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from room_door import PASSWORD, Door

from croupier.law.refused import Refused
from croupier.ledger.administration import AccountUnlocked
from croupier.room.door import attempts
from croupier.room.door.attempts import TooSoon
from croupier.room.door.logins import STRANGER
from croupier.room.door.register import open_register
from croupier.room.door.roles import Role

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"
NEW = "a royal flush"


def refused(door: Door, name: str, password: str, address: str = HOME, device: str = "") -> str:
    with pytest.raises(Refused) as caught:
        door.logins.log_in(name, password, address, device)
    return caught.value.sentence


def strangers(door: Door, name: str, times: int) -> list[str]:
    """Wrong passwords, each from another address."""
    return [refused(door, name, "wrong", f"203.0.113.{each}") for each in range(times)]


def test_a_wrong_name_and_a_wrong_password_get_one_sentence_and_the_same_work(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    guest = door.people.guest().name
    cases = (("Ada", "wrong"), ("Nobody", PASSWORD), (guest, ""), ("a\x00b", PASSWORD))
    for asked, (name, password) in enumerate(cases, 1):
        assert refused(door, name, password, f"192.0.2.{asked}") == STRANGER
        assert door.hasher.asked == asked


def test_the_fourth_attempt_has_to_wait_twice_as_long_each_time(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    assert strangers(door, "Ada", 3) == [STRANGER] * 3
    for seconds in (5, 10, 20, 40, 80, 160, 300, 300, 300):
        waiting = refused(door, "ada", PASSWORD, ELSEWHERE)
        assert waiting == f"Too many failed log-ins: wait {seconds} seconds."
        door.watch.wait(seconds=seconds - 1)
        assert refused(door, "Ada", PASSWORD, ELSEWHERE).endswith("wait 1 second.")
        door.watch.wait(seconds=1)
        assert refused(door, "Ada", "wrong", f"203.0.113.{seconds}") == STRANGER
    door.watch.wait(seconds=300)
    assert door.logins.log_in("Ada", PASSWORD, ELSEWHERE)


def test_asking_while_one_has_to_wait_makes_the_wait_no_longer_and_hashes_nothing(
    door: Door,
) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    strangers(door, "Ada", 3)
    worked = door.hasher.asked
    for _ in range(20):
        assert "wait 5 seconds" in refused(door, "Ada", "wrong", ELSEWHERE)
    assert door.hasher.asked == worked
    door.watch.wait(seconds=5)
    assert door.logins.log_in("Ada", PASSWORD, ELSEWHERE)


def test_a_name_that_does_not_exist_has_to_wait_too(in_file: Door) -> None:
    assert strangers(in_file, "Nobody", 3) == [STRANGER] * 3
    assert "wait 5 seconds" in refused(in_file, "Nobody", "wrong", ELSEWHERE)


def test_an_address_has_to_wait_longer_whatever_names_it_tries(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    for name in ("Bea", "Cy", "Dee"):
        assert refused(door, name, "wrong") == STRANGER
    assert "wait 10 seconds" in refused(door, "Ada", PASSWORD)
    assert door.logins.log_in("Ada", PASSWORD, ELSEWHERE)


def test_an_address_does_not_buy_new_guesses_by_logging_in_as_itself(in_file: Door) -> None:
    in_file.people.add("Eve", PASSWORD, Role.PLAYER)
    for name in ("Ada", "Bea"):
        assert refused(in_file, name, "wrong") == STRANGER
    assert in_file.logins.log_in("Eve", PASSWORD, HOME)
    assert refused(in_file, "Cy", "wrong") == STRANGER
    assert "wait 10 seconds" in refused(in_file, "Dee", "wrong")


def test_failures_are_forgotten_after_an_hour_without_one(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(3):
        strangers(in_file, "Ada", 2)
        in_file.watch.wait(hours=1)
    assert strangers(in_file, "Ada", 3) == [STRANGER] * 3


def test_many_guesses_at_once_are_still_three(where: str, tmp_path: Path) -> None:
    """At several processes too, each over connections of its own."""
    registers = [open_register(where) for _ in range(4)]
    doors = [Door(each, tmp_path / "keys") for each in registers]
    doors[0].people.add("Ada", PASSWORD, Role.PLAYER)
    with ThreadPoolExecutor(8) as pool:
        said = list(
            pool.map(lambda n: refused(doors[n % 4], "Ada", "wrong", f"192.0.2.{n}"), range(24))
        )
    assert said.count(STRANGER) == 3
    assert sum(door.hasher.asked for door in doors) == 3
    for each in registers:
        each.close()


@pytest.mark.parametrize(("which", "most"), [("name", 295), ("address", 104)])
def test_guesses_of_a_day_are_few(in_file: Door, which: str, most: int) -> None:
    """As docs/ACCOUNTS.md says. Whoever guesses tries again as soon as it is allowed."""
    in_file.people.add("Ada", PASSWORD, Role.OWNER)
    start, guesses = in_file.watch.now, 0
    while in_file.watch.now - start < timedelta(days=1):
        name = "Ada" if which == "name" else f"Somebody {guesses}"
        address = HOME if which == "address" else f"2001:db8:{guesses:x}::/64"
        try:
            in_file.logins.log_in(name, "wrong", address)
        except TooSoon as soon:
            in_file.watch.wait(seconds=soon.seconds)
        except Refused:
            guesses += 1
    assert guesses == most


# --- known devices ------------------------------------------------------------------------------


def test_strangers_cannot_keep_somebody_out_of_a_known_device(door: Door) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    device = door.logins.log_in("Ann", PASSWORD, HOME).device
    for _ in range(12):
        strangers(door, "Ann", 3)
        refused(door, "Ann", "wrong", HOME)  # from her own address too
        assert "wait" in refused(door, "Ann", PASSWORD, HOME)
        device = door.logins.log_in("Ann", PASSWORD, HOME, device).device
        door.watch.wait(minutes=5)


def test_a_device_is_known_for_its_names_only(door: Door) -> None:
    for name in ("Ada", "Bea", "Eve"):
        door.people.add(name, PASSWORD, Role.PLAYER)
    device = door.logins.log_in("Ada", PASSWORD, HOME).device
    device = door.logins.log_in("Bea", PASSWORD, HOME, device).device
    for name in ("Ada", "Bea", "Eve"):
        strangers(door, name, 3)
    device = door.logins.log_in("Ada", PASSWORD, ELSEWHERE, device).device
    device = door.logins.log_in("Bea", PASSWORD, ELSEWHERE, device).device
    assert "wait" in refused(door, "Eve", PASSWORD, ELSEWHERE, device)


def test_a_known_device_has_a_count_of_its_own(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    device = door.logins.log_in("Ada", PASSWORD, HOME).device
    for _ in range(3):
        assert refused(door, "Ada", "wrong", HOME, device) == STRANGER
    assert "wait 5 seconds" in refused(door, "Ada", PASSWORD, HOME, device)
    assert door.logins.log_in("Ada", PASSWORD, ELSEWHERE)


def test_the_token_of_a_device_is_new_after_each_log_in_and_only_its_hash_is_kept(
    door: Door,
) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    first = door.logins.log_in("Ada", PASSWORD, HOME).device
    second = door.logins.log_in("Ada", PASSWORD, HOME, first).device
    assert first != second
    rows = door.register.look("SELECT * FROM devices")
    assert len(rows) == 1
    assert first not in repr(rows)
    assert second not in repr(rows)
    strangers(door, "Ada", 3)
    assert "wait" in refused(door, "Ada", PASSWORD, HOME, first)


def test_a_new_password_makes_every_other_device_unknown(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    other = door.logins.log_in("Ada", PASSWORD, HOME).device
    here = door.logins.change_password("Ada", PASSWORD, NEW, HOME).device
    strangers(door, "Ada", 3)
    assert "wait" in refused(door, "Ada", NEW, ELSEWHERE, other)
    assert door.logins.log_in("Ada", NEW, ELSEWHERE, here)


def test_devices_are_few_and_forgotten_after_half_a_year(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(25):
        device = in_file.logins.log_in("Ada", PASSWORD, HOME).device
        in_file.watch.wait(minutes=1)
    assert len(in_file.register.look("SELECT * FROM devices")) == 20
    in_file.watch.wait(days=180)
    strangers(in_file, "Ada", 3)
    assert "wait" in refused(in_file, "Ada", PASSWORD, ELSEWHERE, device)


# --- what is stored, and what staff learn ---------------------------------------------------------


def test_what_failed_is_kept_as_counts_and_names_as_hashes(door: Door) -> None:
    for _ in range(3):
        refused(door, "Bea's secret", "wrong")
    kept = door.register.look("SELECT who, failures FROM attempts")
    assert sorted(failures for _, failures in kept) == [3, 3]
    assert "bea" not in repr(kept).lower()
    door.watch.wait(hours=1)
    refused(door, "Ada", "wrong")
    assert len(door.register.look("SELECT who FROM attempts")) == 2


def test_the_counts_stay_few_whoever_tries(in_file: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST_ROWS", 10)
    for each in range(40):
        refused(in_file, f"Name {each}", "wrong", f"198.51.100.{each}")
        in_file.watch.wait(seconds=61)
        assert (
            len(in_file.register.look("SELECT * FROM attempts")) <= 10 + 5
        )  # those of one moment go together


def test_failed_log_ins_are_told_at_the_next_visit(door: Door) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    device = door.logins.log_in("Ann", PASSWORD, HOME).device
    for _ in range(4):
        strangers(door, "Ann", 1)
        door.watch.wait(minutes=5)
    assert door.logins.seen("Ann")["Ann"].failed == 4
    arrival = door.logins.log_in("Ann", PASSWORD, HOME, device)
    assert arrival.failed == 4
    token, _ = door.sessions.begin(arrival.person, arrival.failed)
    session = door.sessions.find(token)
    assert session
    assert session.failed == 4
    assert door.logins.log_in("Ann", PASSWORD, HOME, arrival.device).failed == 0


def test_a_log_in_that_had_to_wait_is_no_failed_one(door: Door) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    strangers(door, "Ann", 3)
    refused(door, "Ann", PASSWORD)
    assert door.logins.seen("Ann")["Ann"].failed == 3


def test_the_log_tells_of_staff_accounts_under_attack_and_of_no_others(
    in_file: Door, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "croupier.room.accounts")
    in_file.people.add("Ann", PASSWORD, Role.OWNER)
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    strangers(in_file, "Ada", 3)
    strangers(in_file, "Ann", 2)
    assert caplog.records == []
    assert refused(in_file, "Ann", "wrong", ELSEWHERE) == STRANGER
    for _ in range(50):
        refused(in_file, "Ann", "wrong", ELSEWHERE)
    (line,) = [json.loads(each.getMessage()) for each in caplog.records]
    assert (line["name"], line["failures"], line["wait"]) == ("Ann", 3, 5)
    assert line["address"] == ELSEWHERE


def test_the_owner_sees_who_was_seen_when_and_clears_the_waits(door: Door) -> None:
    door.people.add("Ann", PASSWORD, Role.OWNER)
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    ada = door.logins.log_in("Ada", PASSWORD, HOME)
    door.sessions.begin(ada.person)
    for _ in range(3):
        refused(door, "Ada", "wrong", HOME, ada.device)
    strangers(door, "Ada", 3)
    seen = door.logins.seen("Ann", "Ada")
    assert (seen["Ann"].seen, seen["Ann"].wait, seen["Ann"].sessions) == ("", 0, 0)
    assert seen["Ada"].seen.startswith("2025-03-14T20:00")
    assert (seen["Ada"].failed, seen["Ada"].wait, seen["Ada"].sessions) == (6, 5, 1)
    door.logins.unlock("ada", by="owner Ann")
    assert door.said()[-1] == ("owner Ann", AccountUnlocked("Ada"))
    assert door.logins.seen("Ada")["Ada"].wait == 0
    assert door.logins.log_in("Ada", PASSWORD, HOME, ada.device)


def test_a_session_in_use_is_the_last_time_somebody_was_seen(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    token, _ = door.sessions.begin(door.logins.log_in("Ada", PASSWORD, HOME).person)
    door.watch.wait(minutes=20)
    assert door.sessions.find(token)
    assert door.logins.seen("Ada")["Ada"].seen.startswith("2025-03-14T20:20")


# --- changing one's password ------------------------------------------------------------------


def test_a_changed_password_replaces_the_old_one(door: Door) -> None:
    door.people.add("Ada", PASSWORD, Role.PLAYER)
    door.logins.change_password("Ada", PASSWORD, NEW, HOME)
    assert refused(door, "Ada", PASSWORD) == STRANGER
    assert door.logins.log_in("Ada", NEW, HOME)


def test_guessing_the_old_password_is_guessing(in_file: Door) -> None:
    in_file.people.add("Ada", PASSWORD, Role.PLAYER)
    for _ in range(3):
        with pytest.raises(Refused, match=STRANGER):
            in_file.logins.change_password("Ada", "wrong", NEW, HOME)
    assert "wait" in refused(in_file, "Ada", PASSWORD)
