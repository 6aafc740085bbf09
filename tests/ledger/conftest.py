"""The two stores, each the real thing: SQLite in a file, and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_driver import at

from croupier.ledger.ledger import Ledger


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger may be opened, once for each kind of store."""
    if request.param == "sqlite":
        return str(tmp_path / "evening.db")
    dsn: str = request.getfixturevalue("postgres")
    return dsn


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
