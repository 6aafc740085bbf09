"""The figures for whoever watches over the room: they count what happened, and name nobody."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from room_driver import PATIENCE, Player, Running, free_port, running

from croupier.law.refused import Refused
from croupier.room import metrics
from croupier.room.door.roles import Role

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Path(tmp_path_factory.mktemp("room"))) as opened:
        yield opened


@cache
def owner(room: Running) -> Player:
    return room.staff(Role.OWNER)


def figures(room: Running) -> Figures:
    answer = owner(room).client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def grown(before: Figures, after: Figures, name: str, **labels: str) -> float:
    key = name, frozenset(labels.items())
    return after.get(key, 0) - before.get(key, 0)


def test_sockets_are_counted_while_they_are_open(room: Running) -> None:
    before = figures(room)
    guests = [room.guest().connect() for _ in range(3)]
    assert grown(before, figures(room), "croupier_sockets") == 3
    for guest in guests:
        guest.disconnect()
    deadline = time.monotonic() + PATIENCE
    while grown(before, figures(room), "croupier_sockets"):
        assert time.monotonic() < deadline, "closed sockets are counted on"
        time.sleep(0.01)


def test_a_table_that_is_opened_is_counted(room: Running) -> None:
    before = figures(room)
    opened = room.guest().post("/api/tables", {"house": {"rulebook": "nj-let-it-ride"}})
    assert opened.status_code == 201
    assert grown(before, figures(room), "croupier_tables") == 1


def test_rounds_and_commands_are_counted_and_timed_once(room: Running) -> None:
    player = room.guest().connect()
    player.look("caribbean-1")
    before = figures(room)
    player.sit("caribbean-1", 1)
    player.bet("caribbean-1")
    player.play("caribbean-1")
    player.settle("caribbean-1")
    refused = player.ask("caribbean-1", "StandUp", seat=2)
    assert refused
    after = figures(room)
    assert grown(before, after, "croupier_rounds_total") == 1
    for name in ("SitDown", "PlaceWagers", "Choose"):
        assert grown(before, after, "croupier_commands_total", command=name, refused="") == 1
    code = refused["code"]
    assert grown(before, after, "croupier_commands_total", command="StandUp", refused=code) == 1
    answered = sum(after[key] - before.get(key, 0) for key in after if "commands_total" in key[0])
    assert grown(before, after, "croupier_command_seconds_count") == answered
    assert grown(before, after, "croupier_command_seconds_sum") > 0
    player.disconnect()


def test_frames_nobody_understood_are_counted(room: Running) -> None:
    player = room.guest().connect()
    before = figures(room)
    for frame in ("?", "{}", '{"type":"watch","table":"nowhere"}'):
        player.send(frame)
    player.sync()
    assert grown(before, figures(room), "croupier_misunderstood_total") == 3
    player.disconnect()


def test_a_command_that_does_not_exist_adds_no_figure_of_its_own(room: Running) -> None:
    """Else anybody could fill the room's memory with names."""
    player = room.guest().connect()
    before = set(figures(room))
    for number in range(20):
        player.ask("uth-1", f"Command{number}")
    assert set(figures(room)) == before
    player.disconnect()


def test_no_figure_names_a_person_or_a_card(room: Running) -> None:
    player = room.guest().connect()
    player.look("uth-1")
    player.sit("uth-1", 1)
    text = owner(room).client.get("/metrics").text
    assert player.name not in text
    assert player.me["csrf"] not in text
    player.disconnect()


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.OWNER, 200),
        (Role.SUPERVISOR, 200),
        (Role.AUDITOR, 403),
        (Role.PLAYER, 403),
        (Role.NOBODY, 401),
    ],
)
def test_the_figures_are_for_owners_and_supervisors(room: Running, role: Role, status: int) -> None:
    client = room.client() if role is Role.NOBODY else room.staff(role).client
    assert client.get("/metrics").status_code == status
    assert client.head("/metrics").status_code == status
    assert client.post("/metrics").status_code == 405


def test_the_figures_are_served_to_this_machine_on_a_port_of_their_own() -> None:
    port = free_port()
    with metrics.served(port):
        text = httpx2.get(f"http://127.0.0.1:{port}/metrics").text
        assert "croupier_commands_total" in text
        with pytest.raises(Refused, match=f"--metrics-port {port} cannot be listened at"):
            metrics.served(port).__enter__()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port)).close()


def test_without_a_port_nothing_is_served() -> None:
    with metrics.served(0):
        pass
