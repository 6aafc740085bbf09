"""PostgreSQL for whichever tests need it, and the order in which files are handed to workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
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


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all the processes of a session."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="module")
def solved_once(shared_folder: Path) -> Iterator[None]:
    """For tests of what solutions say: each is calculated once in a session."""
    from solved_games import share

    with pytest.MonkeyPatch.context() as patch:
        share(shared_folder / "solved", patch)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long proofs and browsers first, in turn: the ones compute and the others wait, and no worker
    is left with them at the end."""
    browsers = dict.fromkeys(item.path for item in items if "e2e" in item.path.parts)
    proofs = dict.fromkeys(item.path for item in items if item.get_closest_marker("slow"))
    turn = {path: place for some in (browsers, proofs) for place, path in enumerate(some)}
    items.sort(key=lambda item: turn.get(item.path, len(turn)))
