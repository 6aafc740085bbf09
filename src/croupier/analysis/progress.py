"""How far a long calculation has come, told as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, TypeVar

from croupier.analysis.many import on_all_cores

Made = TypeVar("Made")
Tell = Callable[[str, int, int], None]  # what is being done, how many steps are done, of how many


def silent(what: str, done: int, steps: int) -> None:
    """For those who do not ask."""


def run_telling(
    tell: Tell, what: str, calls: Iterable[tuple[Callable[..., Any], tuple[Any, ...]]]
) -> None:
    """Run calls on all cores and tell of each that is done."""
    steps = list(calls)
    lock = Lock()
    done = 0

    def step(function: Callable[..., Any], *arguments: Any) -> None:
        nonlocal done
        function(*arguments)
        with lock:
            done += 1
            tell(what, done, len(steps))

    on_all_cores((step, (function, *arguments)) for function, arguments in steps)


def made_once(make: Callable[[Tell], Made]) -> Callable[[Tell], Made]:
    """A thing that takes long to make, made at the first call and kept for the process."""
    kept: list[Made] = []

    def known(tell: Tell = silent) -> Made:
        if not kept:
            kept.append(make(tell))
        return kept[0]

    return known
