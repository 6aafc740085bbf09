"""A bar for what takes longer than a moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.analysis.progress import Tell

PATIENCE = 1.0  # seconds


@contextmanager
def bar() -> Iterator[Tell]:
    """On standard error, if that is a terminal, once a second has passed; a line for each part of
    the work, moved by the work itself."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    started = time.perf_counter()
    console = Console(stderr=True)
    lines = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
    )
    tasks: dict[str, Any] = {}

    def tell(what: str, done: int, steps: int) -> None:
        if not console.is_terminal or time.perf_counter() - started < PATIENCE:
            return
        lines.start()
        if what not in tasks:
            tasks[what] = lines.add_task(what, total=steps)
        lines.update(tasks[what], completed=done, total=steps)

    try:
        yield tell
    finally:
        if tasks:
            lines.stop()
