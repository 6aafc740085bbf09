"""croupier accounts, on the machine of a room."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command import Ran, croupier
from room_driver import PASSWORD, running

from croupier.ledger.administration import admin_event
from croupier.ledger.sql import ROOM
from croupier.room.door.register import open_register
from croupier.room.floor import Room
from croupier.room.settings import Settings

NEW = "a royal flush"


class Machine:
    """A room's data, and the command run beside it."""

    def __init__(self, data: Path, store: str) -> None:
        self.data, self.store = data, store

    @property
    def options(self) -> list[str]:
        return ["--data", str(self.data), *(["--store", self.store] if self.store else [])]

    def __call__(self, *args: str) -> Ran:
        return croupier("accounts", *args, *self.options)

    def did(self, *args: str) -> str:
        ran = self(*args)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.out

    def refused(self, *args: str) -> str:
        ran = self(*args)
        assert (ran.code, ran.out) == (2, ""), ran
        assert ran.err.count("\n") == 1
        return ran.err

    def chain(self) -> list[tuple[str, str]]:
        register = open_register(self.store or str(self.data / "croupier.db"))
        found = [(e.actor, type(admin_event(e)).__name__) for e in register.read(ROOM)]
        register.close()
        return found


@pytest.fixture(params=["sqlite", "postgres"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    store = "" if request.param == "sqlite" else request.getfixturevalue("postgres")
    Room(Settings(data=tmp_path / "data", store=store)).close()
    return Machine(tmp_path / "data", store)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_the_whole_life_of_an_account(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, f"{PASSWORD}\n")
    assert machine.did("create", "Sam", "--role", "supervisor") == "Sam is a supervisor.\n"
    assert machine.did("role", "sam", "auditor") == "Sam is an auditor.\n"
    assert machine.did("disable", "Sam") == "Sam is disabled.\n"
    (owner, sam) = json.loads(machine.did("list", "--json"))
    assert (owner["name"], sam["name"]) == ("owner", "Sam")
    assert (sam["role"], sam["state"], sam["failed"]) == ("auditor", "disabled", 0)
    assert machine.did("enable", "Sam") == "Sam is enabled.\n"
    assert "logged out" in machine.did("end-sessions", "Sam")
    assert "Nobody has to wait" in machine.did("unlock", "Sam")
    assert machine.did("delete", "Sam", "--yes") == "Sam is deleted.\n"
    acts = [what for who, what in machine.chain() if who.startswith("machine")]
    assert acts == [
        "AccountAdded",
        "RoleChanged",
        "AccountDisabled",
        "AccountEnabled",
        "SessionsEnded",
        "AccountUnlocked",
        "AccountDeleted",
    ]


def test_a_lost_owner_password_is_reset_while_the_room_is_open(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(machine.data, store=machine.store) as room:
        said = machine.did("reset", "owner").splitlines()
        password = said[1].removeprefix("The password is ")
        login = {"name": "owner", "password": password}
        client = room.client()
        assert client.post("/api/login", json=login).json()["role"] == "owner"
        typed(monkeypatch, f"{NEW}\n")
        machine.did("reset", "owner", "--password", "ask")
        assert client.get("/api/me").status_code == 401
        login = {"name": "owner", "password": NEW}
        me = client.post("/api/login", json=login).json()
        # The room goes on writing the chain where the command stopped.
        made = client.post(
            "/api/accounts",
            json={"name": "Ada", "role": "player"},
            headers={"X-Croupier-CSRF": me["csrf"]},
        )
        assert made.status_code == 201
    assert [who for who, what in machine.chain() if what == "AccountAdded"] == [
        "room",
        "owner owner",
    ]


def test_a_link_from_the_machine_opens_once(machine: Machine) -> None:
    with running(machine.data, store=machine.store) as room:
        said = machine.did("reset", "owner", "--password", "link", "--address", room.origin)
        token = said.splitlines()[1].removeprefix(f"{room.origin}/password#")
        client = room.client()
        body = {"token": token, "password": NEW}
        assert client.post("/api/link/password", json=body).json()["name"] == "owner"
        assert room.client().post("/api/link/password", json=body).status_code == 404


def test_a_new_account_gets_a_random_password_or_a_link(machine: Machine) -> None:
    said = machine.did("create", "Ada", "--password", "random").splitlines()
    assert len(said[1].removeprefix("The password is ")) == 20
    assert "/password#" in machine.did("create", "Bea", "--password", "link")
    assert "/password#" in machine.did("role", "Ada", "supervisor")


def test_what_cannot_be_done_is_one_sentence(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "last owner" in machine.refused("disable", "owner")
    assert "There is no account 'Nobody'" in machine.refused("enable", "Nobody")
    typed(monkeypatch, "short\n")
    assert "8 to 256 characters" in machine.refused("create", "Ada")
    typed(monkeypatch, "")
    assert "give --yes" in machine.refused("delete", "owner")
    elsewhere = Machine(tmp_path / "elsewhere", "")
    assert "There is no room here" in elsewhere.refused("list")
    assert not (tmp_path / "elsewhere").exists()


def test_a_password_is_typed_twice_and_not_shown(tmp_path: Path) -> None:
    Room(Settings(data=tmp_path / "data")).close()
    command = [sys.executable, "-m", "croupier", "accounts", "create", "Ada"]
    mine, theirs = pty.openpty()
    ran = subprocess.Popen(
        [*command, "--data", str(tmp_path / "data")],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    for prompt in (b"Password: ", b"Again: "):
        while not shown.endswith(prompt):
            shown += os.read(mine, 1_000)
        os.write(mine, PASSWORD.encode() + b"\n")
    while b"Ada is a player." not in shown:
        shown += os.read(mine, 1_000)
    assert ran.wait(30) == 0
    os.close(mine)
    assert PASSWORD.encode() not in shown
