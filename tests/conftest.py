"""PostgreSQL for whichever tests need it, and the order in which files are handed to workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from postgres_server import fresh_schema, started

# A shell has what it starts in the background ignore Ctrl-C, and so would all that tests start and
# interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def own_data_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keys that tests pin stay out of the user's own data directory."""
    before = os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))
    yield
    if before is None:
        del os.environ["XDG_DATA_HOME"]
    else:
        os.environ["XDG_DATA_HOME"] = before


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    """Started when the first test needs it."""
    with started() as running:
        yield running


@pytest.fixture
def postgres(server: Any) -> str:
    return fresh_schema(server)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long proofs and browsers first, in turn: the ones compute and the others wait, and no worker
    is left with them at the end."""
    browsers = dict.fromkeys(item.path for item in items if "e2e" in item.path.parts)
    proofs = dict.fromkeys(item.path for item in items if item.get_closest_marker("slow"))
    turn = {path: place for some in (browsers, proofs) for place, path in enumerate(some)}
    items.sort(key=lambda item: turn.get(item.path, len(turn)))
