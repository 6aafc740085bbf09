"""Who hands batches to the store: each by itself, or many tables' together under one sync."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Protocol

from croupier.ledger.store import Batch, Fenced, Store, Unwritten

MOST = 256  # batches in one transaction

Done = Callable[[BaseException | None], None]
Job = tuple[Batch, Done, AbstractEventLoop | None]


class Writer(Protocol):
    def write(self, batch: Batch) -> None:
        """Return when the batch is on the disk; else Fenced or Unwritten."""

    def submit(self, batch: Batch, done: Done, loop: AbstractEventLoop | None = None) -> None:
        """The same without waiting: ``done`` is called with what went wrong, in this loop, else
        from any thread."""

    def close(self) -> None: ...


class Alone:
    """Each batch in a transaction of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, batch: Batch) -> None:
        self._store.write([batch])

    def submit(self, batch: Batch, done: Done, loop: AbstractEventLoop | None = None) -> None:
        _write(self._store, [(batch, done, loop)])

    def close(self) -> None:
        pass


class Group:
    """Whoever comes when nobody writes, writes at once; whatever comes in meanwhile is committed
    all together, by a thread that takes over. An event loop hands over what came up in one turn of
    it: were the thread to begin with the first, the two would keep each other from running."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: deque[Job] = deque()
        self._turns: defaultdict[AbstractEventLoop, list[Job]] = defaultdict(list)
        self._busy = False  # somebody writes, or has handed on to the thread
        self._closed = False
        self._door = Lock()
        self._begin: SimpleQueue[bool] = SimpleQueue()  # what the thread waits for
        self._thread = Thread(target=self._run, name="ledger writer", daemon=True)
        self._thread.start()

    def write(self, batch: Batch) -> None:
        with self._door:
            free = not (self._busy or self._closed)
            if free:
                self._busy = True
        if free:  # nobody writes
            try:
                self._store.write([batch])
            finally:
                with self._door:
                    if self._jobs:  # the thread writes what has come in since
                        self._begin.put(True)
                    else:
                        self._busy = False
            return
        waiting = Lock()  # all one thread needs to wait for another
        waiting.acquire()
        wrong: list[BaseException | None] = []

        def done(error: BaseException | None) -> None:
            wrong.append(error)
            waiting.release()

        self._comes([(batch, done, None)])
        waiting.acquire()
        if error := wrong[0]:
            raise error

    def submit(self, batch: Batch, done: Done, loop: AbstractEventLoop | None = None) -> None:
        if loop is None:
            self._comes([(batch, done, None)])
            return
        turn = self._turns[loop]
        turn.append((batch, done, loop))
        if len(turn) == 1:
            loop.call_soon(self._turned, loop)

    def _turned(self, loop: AbstractEventLoop) -> None:
        self._comes(self._turns.pop(loop, []))

    def _hand_over(self) -> None:
        """What the loops have not come to yet."""
        for loop in tuple(self._turns):
            self._turned(loop)

    def _comes(self, jobs: list[Job]) -> None:
        """They wait for the thread, and it for them."""
        with self._door:
            if not self._closed:
                self._jobs += jobs
                if not self._busy:
                    self._busy = True
                    self._begin.put(True)
                return
        _tell(jobs, Unwritten("The ledger is closed."))

    def close(self) -> None:
        """Write what is waiting, then stop."""
        self._hand_over()
        with self._door:
            self._closed = True
        self._begin.put(False)
        self._thread.join()
        self._commit()  # of somebody who was writing alone when the thread was told to stop

    def _run(self) -> None:
        while self._begin.get():
            self._commit()

    def _commit(self) -> None:
        while jobs := self._waiting():
            _write(self._store, jobs)

    def _waiting(self) -> list[Job]:
        with self._door:
            jobs = [self._jobs.popleft() for _ in range(min(MOST, len(self._jobs)))]
            self._busy = bool(jobs)
        return jobs


def _write(store: Store, jobs: list[Job]) -> None:
    """Together; where one of them is fenced, each for itself, so that the others do not suffer.
    Whatever goes wrong, nobody is left waiting."""
    try:
        store.write([batch for batch, _, _ in jobs])
    except BaseException as error:
        if isinstance(error, Fenced) and len(jobs) > 1:
            for job in jobs:
                _write(store, [job])
            return
        _tell(jobs, error)
    else:
        _tell(jobs, None)


def _tell(jobs: list[Job], error: BaseException | None) -> None:
    """All who wait in one loop in a single call: were it woken for each, it and the writer would
    keep each other from running."""
    waiting: defaultdict[AbstractEventLoop | None, list[Done]] = defaultdict(list)
    for _, done, loop in jobs:
        waiting[loop].append(done)
    for loop, told in waiting.items():
        if loop is None:
            _call(told, error)
        else:
            with suppress(RuntimeError):  # the loop has ended, and with it whoever waited
                loop.call_soon_threadsafe(_call, told, error)


def _call(told: list[Done], error: BaseException | None) -> None:
    for done in told:
        done(error)
