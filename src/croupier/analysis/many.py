"""Kernels on all cores: they let go of the interpreter, so threads will do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_all_cores(calls: Iterable[tuple[Callable[..., Any], tuple[Any, ...]]]) -> None:
    """Run calls that write to separate places; an error in one is raised here."""
    with ThreadPoolExecutor(cores()) as pool:
        for future in [pool.submit(function, *arguments) for function, arguments in calls]:
            future.result()


def parts(total: int, count: int) -> list[tuple[int, int]]:
    """``total`` things in about ``count`` runs from start to stop."""
    edges = [total * n // count for n in range(count + 1)]
    return [(a, b) for a, b in pairwise(edges) if a < b]
