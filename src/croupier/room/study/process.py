"""The room's end of a worker process: start it, ask it, suspend it, end it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

from croupier.room.study import worker
from croupier.room.study.messages import LENGTH, LONGEST, Ready, Reply, frame, reply_in
from croupier.room.study.scheduler import Job

# One question is one thread: the kernels of a worker must not spread over the tables' cores.
ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ENDED = 5.0  # seconds that a killed process is waited for

Heard = Callable[["Worker", Reply | None], None]  # None: it has ended


class Worker:
    """``heard`` is called in the event loop with each reply, and once when the process ends."""

    def __init__(self, questions: str, heard: Heard) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        worker.__name__,
                        str(os.getpid()),
                        questions,
                    ],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_environment(),
                    start_new_session=True,  # Ctrl-C in a terminal is for the room to decide
                )
            except OSError:
                ours.close()
                raise
        self.ready = False
        self.job: Job | None = None
        self.idle_since = 0.0
        self.houses: set[bytes] = set()  # that it has worked on: it keeps what it computed
        self._heard = heard
        self._writer: asyncio.StreamWriter | None = None
        self._ending = False
        self._reading = asyncio.get_running_loop().create_task(self._read(ours))

    @property
    def id(self) -> int:
        return self._process.pid

    @property
    def idle(self) -> bool:
        return self.ready and self.job is None and not self._ending

    @property
    def alive(self) -> bool:
        return not self._ending

    async def _read(self, line: socket.socket) -> None:
        reader, self._writer = await asyncio.open_connection(sock=line)
        with suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
            while True:
                length = int.from_bytes(await reader.readexactly(LENGTH), "big")
                if length > LONGEST:
                    raise ValueError("too long an answer")
                reply = reply_in(await reader.readexactly(length))
                self.ready |= isinstance(reply, Ready)
                if not self._ending:
                    self._heard(self, reply)
        self._writer.close()
        if not self._ending:
            self.kill()
            self._heard(self, None)

    def ask(self, job: Job) -> None:
        assert self._writer
        self.job = job
        self._writer.write(frame(job.key))

    def suspend(self) -> bool:
        """False where the system cannot suspend a process."""
        if sys.platform == "win32":
            return False
        self._process.send_signal(signal.SIGSTOP)
        return True

    def resume(self) -> None:
        if sys.platform != "win32":
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Nothing is heard of it after this."""
        self._ending = True
        self._process.kill()

    async def ended(self) -> None:
        """Once it is killed and gone."""
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, ENDED)
        with suppress(asyncio.CancelledError):
            await self._reading


def _environment() -> dict[str, str]:
    path = os.pathsep.join(each for each in sys.path if each)
    return {**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": path}
