"""Where others find a room: addresses that are told, and origins that are let in."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx2
import pytest
from room_driver import running

from croupier.room.reach import EVERYWHERE, hosts, origin
from croupier.room.settings import Settings


def test_a_room_at_one_address_is_found_there_and_at_home() -> None:
    assert hosts("192.0.2.7") == ("192.0.2.7", "127.0.0.1", "localhost")
    assert hosts("127.0.0.1") == ("127.0.0.1", "localhost")


@pytest.mark.parametrize("host", sorted(EVERYWHERE))
def test_a_room_that_listens_everywhere_is_found_at_the_machines_own_names(host: str) -> None:
    found = hosts(host)
    assert host not in found
    assert {"127.0.0.1", "localhost", socket.gethostname().lower()} <= set(found)


def test_an_address_with_colons_is_put_in_brackets() -> None:
    assert origin("::1", 8700) == "http://[::1]:8700"
    assert origin("192.0.2.7", 8700) == "http://192.0.2.7:8700"


def test_friends_come_in_by_every_address_that_is_told(tmp_path: Path) -> None:
    with running(tmp_path, host="0.0.0.0") as room:
        for each in room.room.settings.allowed():
            came = httpx2.post(f"{room.origin}/api/guest", json={}, headers={"Origin": each})
            assert came.status_code == 200
        stranger = {"Origin": "http://elsewhere.example"}
        assert httpx2.post(f"{room.origin}/api/guest", json={}, headers=stranger).status_code == 403


def test_more_origins_may_be_named() -> None:
    assert Settings(origins=("https://tables.example",)).allowed()[-1] == "https://tables.example"
