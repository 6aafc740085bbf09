"""A worker process: it reads a question from its socket, answers it, and reads the next.

Run as ``python -m croupier.room.study.worker PARENT MODULE``, with the socket as standard input.
``MODULE.QUESTIONS`` is the closed list of functions it calls.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from croupier.law.refused import Refused
from croupier.room.study.messages import (
    LENGTH,
    Answered,
    Broken,
    Ready,
    Refusal,
    ask_in,
    framed,
)

NICENESS = 10  # so that tables win the core
MOST_MEMORY = 4 * 1024**3  # bytes of address space; a question that needs more fails alone
PR_SET_PDEATHSIG = 1
LONGEST_REPORT = 500  # characters

Question = Callable[..., bytes]


def main() -> None:
    parent, module = int(sys.argv[1]), sys.argv[2]
    die_with(parent)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    limit_memory()
    known = importlib.import_module(module)
    with socket.socket(fileno=os.dup(0)) as line:
        line.sendall(framed(Ready()))
        warm_up(line, getattr(known, "WARM_UP", ()))
        serve(line, known.QUESTIONS)


def die_with(parent: int) -> None:
    """End when the room ends, however it ends, even while this process is stopped."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we asked
        sys.exit(0)


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on this system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def warm_up(line: socket.socket, steps: Iterable[Callable[[], object]]) -> None:
    """Load kernels while nobody asks."""
    for step in steps:
        if select.select([line], [], [], 0)[0]:
            return
        step()


def serve(line: socket.socket, questions: Mapping[str, Question]) -> None:
    while (length := _exactly(line, LENGTH)) is not None:
        asked = _exactly(line, int.from_bytes(length, "big"))
        if asked is None:
            return
        line.sendall(framed(answer(asked, questions)))


def answer(asked: bytes, questions: Mapping[str, Question]) -> Answered | Refusal | Broken:
    """Whatever goes wrong is an answer as well."""
    try:
        ask = ask_in(asked)
        return Answered(questions[ask.name](**ask.given), memory())
    except Refused as refused:
        clause = refused.clause.id if refused.clause else None
        return Refusal(refused.sentence, refused.code, clause, memory())
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__} in {last.name}, line {last.lineno}: {error}"
        return Broken(what[:LONGEST_REPORT], memory())


def memory() -> int:
    """Bytes this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as said:
            return int(said.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _exactly(line: socket.socket, count: int) -> bytes | None:
    """So many bytes; None when the room has closed the line."""
    read: list[Any] = []
    while count:
        part = line.recv(min(count, 1 << 16))
        if not part:
            return None
        read.append(part)
        count -= len(part)
    return b"".join(read)


if __name__ == "__main__":
    main()
