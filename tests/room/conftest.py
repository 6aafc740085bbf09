"""The room's register in both kinds of database, each the real thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from room_door import Door

from croupier.room.door.register import Register, open_register


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
def door(register: Register, tmp_path: Path) -> Door:
    return Door(register, tmp_path / "keys")


@pytest.fixture
def in_file(tmp_path: Path) -> Iterator[Door]:
    """A door whose register is in SQLite, where the kind of database makes no difference."""
    opened = open_register(str(tmp_path / "room.db"))
    yield Door(opened, tmp_path / "keys")
    opened.close()
