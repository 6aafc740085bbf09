"""What the room writes down: lines of JSON, whatever happened."""

from __future__ import annotations

import json
import logging
import sys
from io import StringIO
from typing import Any

import pytest

from croupier.room import logs
from croupier.room.door import guard

Line = dict[str, Any]


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """Where everything from info on is written."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
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
