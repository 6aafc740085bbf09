"""PostgreSQL for whichever tests need it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from postgres_server import fresh_schema, started


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    """Started when the first test needs it."""
    with started() as running:
        yield running


@pytest.fixture
def postgres(server: Any) -> str:
    return fresh_schema(server)
