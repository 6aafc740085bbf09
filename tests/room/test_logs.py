"""What the room writes down: lines of JSON, whatever happened."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from raw_socket import ask, eventually
from room_driver import PATIENCE, free_port, running
from two_rooms import Process

from croupier.room import logs, socket
from croupier.room.door import guard
from croupier.room.door.buckets import Rate
from croupier.room.limits import Limits
from croupier.room.public import BROKEN

Line = dict[str, Any]


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """Where everything from info on is written."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(logging.getLogger("croupier"), "level", logging.NOTSET)
    monkeypatch.setattr("sys.stderr", StringIO())
    logs.write("info")
    assert isinstance(sys.stderr, StringIO)
    return sys.stderr


def lines(stderr: StringIO) -> list[Line]:
    return [json.loads(line) for line in stderr.getvalue().splitlines()]


def test_each_thing_is_one_line_with_time_level_and_where_it_came_from(stderr: StringIO) -> None:
    logging.getLogger("croupier.room").warning("table %s\nis in trouble", 'uth-1 "x"')
    logging.getLogger("uvicorn.error").info("Started")
    logging.getLogger("uvicorn.error").debug("not this")
    first, second = lines(stderr)
    assert first["event"] == 'table uth-1 "x"\nis in trouble'
    assert (first["level"], first["logger"]) == ("warning", "croupier.room")
    assert first["time"].endswith("Z")
    assert (second["level"], second["event"]) == ("info", "Started")


def test_a_refusal_keeps_its_fields(stderr: StringIO) -> None:
    guard.note("POST /api/tables", "FORBIDDEN", None, "192.0.2.1")
    (line,) = lines(stderr)
    assert line["event"] == "refused"
    assert (line["action"], line["code"]) == ("POST /api/tables", "FORBIDDEN")
    assert (line["role"], line["address"]) == ("nobody", "192.0.2.1")
    assert line["level"] == "warning"


def test_trouble_is_told_with_where_it_happened(stderr: StringIO) -> None:
    try:
        dict[str, int]()["nothing"]
    except KeyError:
        logging.getLogger("croupier.room").exception("trouble")
    (line,) = lines(stderr)
    assert line["event"] == "trouble"
    assert "KeyError: 'nothing'" in line["trouble"]
    assert __file__ in line["trouble"]


# --- lines that clients cause ---------------------------------------------------------------


def test_a_line_has_so_many_bytes(stderr: StringIO) -> None:
    most = Limits().log_bytes
    logging.getLogger("croupier.room").warning("%s", "x" * 100_000)
    guard.note("GET /api/" + "y" * 15_000, "WHO_ARE_YOU", None, "192.0.2.1")
    try:
        raise RuntimeError("z" * 100_000)
    except RuntimeError:
        logging.getLogger("croupier.room").exception("trouble")
    first, second, third = stderr.getvalue().splitlines()
    assert len(first) < most + 200
    assert len(second) < 500
    assert len(third) < Limits().log_traceback + 500
    assert all(json.loads(line) for line in (first, second, third))


class Now:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


class Kept(logging.Handler):
    """What comes through the limiter."""

    def __init__(self, limiter: logs.Limiter) -> None:
        super().__init__()
        self.addFilter(limiter)
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.written.append(record.getMessage())


def limited(now: Now, **more: Rate) -> tuple[logging.Logger, logs.Limiter, list[str]]:
    """A logger of its own behind the limiter, and what comes through."""
    limiter = logs.Limiter(Limits(**more), now)
    handler = Kept(limiter)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    return logger, limiter, handler.written


def test_lines_of_one_kind_are_limited_and_those_of_another_are_not() -> None:
    now = Now()
    logger, _, written = limited(now, log_kind=Rate(1, 3), log_all=Rate(100, 100))
    for number in range(10):
        logger.warning("flood %d", number)
    logger.warning("something else")
    assert written == ["flood 0", "flood 1", "flood 2", "something else"]
    now.time = 2
    for number in range(10, 20):
        logger.warning("flood %d", number)
    assert written[4:] == ["flood 10", "flood 11"]


def test_lines_about_one_address_do_not_silence_another() -> None:
    logger, _, written = limited(Now(), log_kind=Rate(1, 2), log_all=Rate(100, 100))
    for _ in range(5):
        logger.warning("refused", extra={"kind": "refused", "address": "192.0.2.1"})
    logger.warning("refused", extra={"kind": "refused", "address": "192.0.2.2"})
    assert len(written) == 3


def test_many_addresses_are_limited_together_and_hide_no_error() -> None:
    logger, _, written = limited(Now(), log_kind=Rate(1, 2), log_all=Rate(1, 10))
    for number in range(100):
        logger.warning("refused", extra={"kind": "refused", "address": f"192.0.2.{number}"})
    logger.error("the disk is full")
    assert len(written) == 11
    assert written[-1] == "the disk is full"


def test_a_line_says_how_many_were_left_out(caplog: pytest.LogCaptureFixture) -> None:
    now = Now()
    logger, limiter, _ = limited(now, log_kind=Rate(1, 2), log_all=Rate(100, 100))
    for _ in range(50):
        logger.warning("flood")
    limiter.report()
    assert not caplog.records, "not at once"
    now.time = logs.REPORT_SECONDS
    limiter.report()
    limiter.report()
    (told,) = caplog.records
    assert told.getMessage() == "48 lines were left out: 'test: flood' 48"


def test_a_thousand_hostile_frames_write_twenty_lines_and_hide_no_other_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their words look like a path of the machine, so each is answered with another sentence and
    logged as an error. A socket would end after ten of the first kind."""
    monkeypatch.setattr(socket, "MOST_WRONG", 10**9)
    limits = Limits()
    kept = Kept(logs.Limiter(limits, Now()))
    monkeypatch.setattr(logging.getLogger(), "handlers", [kept])
    with running(tmp_path) as room:
        player = room.guest().connect()
        for number in range(500):
            path = f"/srv/room/{number}.db"
            player.say("watch", table=path)
            do = {"name": "SitDown", path: 1}
            player.say("command", id=str(number), table="uth-1", do=do)
            error, answer = player.hear(), player.hear()
            assert (error["type"], error["sentence"]) == ("error", BROKEN)
            assert (answer["type"], answer["refused"]["sentence"]) == ("answer", BROKEN)
        player.disconnect()
        logging.getLogger("croupier.room").error("the disk is full")
    told = [each for each in kept.written if each.startswith("not told to a client")]
    assert len(told) == limits.log_kind.at_once
    assert [each for each in kept.written if "/srv/room" in each] == told
    assert "the disk is full" in kept.written


SECRETS = [
    f"Cookie: croupier_session={'A' * 43}",
    f'{{"type":"hello","ticket":"{"b-_9" * 10}xyz"}}',
    "postgresql://croupier:hunter2@db.example/room",
]


@pytest.mark.parametrize("text", SECRETS)
def test_tokens_and_passwords_are_not_written(stderr: StringIO, text: str) -> None:
    logging.getLogger("croupier.room").warning("heard %s", text)
    (line,) = lines(stderr)
    assert "***" in line["event"]
    assert not any(each in line["event"] for each in ("A" * 43, "b-_9b-_9", "hunter2"))


def test_a_query_is_not_written(stderr: StringIO) -> None:
    logging.getLogger("uvicorn.access").info(
        '%s - "%s %s HTTP/%s" %d', "192.0.2.1:5", "GET", "/reset?token=secret", "1.1", 200
    )
    (line,) = lines(stderr)
    assert line["event"] == '192.0.2.1:5 - "GET /reset HTTP/1.1" 200'


COMMAND = "import typer; from croupier.cli.room import room; typer.run(room)"


class Debugged(Process):
    """A room in another process that logs all it can."""

    def __init__(self, data: Path) -> None:
        port = free_port()
        super().__init__(port)
        self.file = data / "stderr"
        where = ("--data", str(data), "--port", str(port), "--no-browser")
        with self.file.open("wb") as stderr:
            self.popen = subprocess.Popen(
                [sys.executable, "-u", "-c", COMMAND, *where, "--log-level", "debug"],
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert self.popen.stdout
        self.password = ""
        for told in self.popen.stdout:
            if "password" in told:
                self.password = told.split()[-1]
            if "Write it down" in told:
                break

    def send_signal(self, number: int) -> None:
        self.popen.send_signal(number)

    def close(self) -> None:
        self.popen.kill()
        self.popen.wait(PATIENCE)
        assert self.popen.stdout
        self.popen.stdout.close()

    def log(self) -> str:
        return self.file.read_text("utf-8")


def test_at_debug_no_cookie_ticket_token_or_password_is_written(tmp_path: Path) -> None:
    room = Debugged(tmp_path)
    try:
        player = room.guest()
        tickets = [player.ticket()]
        player.ticket = lambda: tickets[0]  # type: ignore[method-assign]
        player.connect()
        player.look("uth-1")
        player.disconnect()
        owner = room.client()
        said = {"name": "owner", "password": room.password}
        csrf = owner.post("/api/login", json=said).json()["csrf"]
        owner.post("/api/login", json={"name": "owner", "password": "a wrong guess"})
        owner.get("/api/me", params={"token": tickets[0]})
        eventually(lambda: "WRONG_CREDENTIALS" in room.log(), "nothing is logged")
        written = room.log()
        secrets = [
            *(player.me["csrf"], csrf, room.password, "a wrong guess", *tickets),
            *(each.cookies[guard.COOKIE] for each in (player.client, owner)),
        ]
        assert all(secrets)
        assert not [each for each in secrets if each in written]
    finally:
        room.close()


def test_a_flood_without_an_account_writes_a_few_lines(tmp_path: Path) -> None:
    room = Debugged(tmp_path)
    try:
        before = len(room.log())
        long = "GET /api/" + "x" * 15_000 + f" HTTP/1.1\nHost: {room.at}\nConnection: close\n\n"
        bad = f"GET / HTTP/1.1\nHost: {room.at}\nTransfer-Encoding: x\n\n"
        for request in [long, bad, long.replace(room.at, "evil.example")] * 100:
            assert ask(room, request)
        assert len(room.log()) - before < 300 * 500, "of 3,000,000 bytes in requests"
        assert len(room.log().splitlines()) < 150
    finally:
        room.close()
