"""Who hands batches to the store: each by itself, or many tables' together under one sync."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Protocol

from croupier.ledger.store import Batch, Fenced, Store, Unwritten

MOST = 256  # batches in one transaction

Done = Callable[[BaseException | None], None]
Job = tuple[Batch, Done]


class Writer(Protocol):
    def write(self, batch: Batch) -> None:
        """Return when the batch is on the disk; else Fenced or Unwritten."""

    def submit(self, batch: Batch, done: Done) -> None:
        """The same without waiting: ``done`` is called, from any thread, with what went wrong."""

    def close(self) -> None: ...


class Alone:
    """Each batch in a transaction of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, batch: Batch) -> None:
        self._store.write([batch])

    def submit(self, batch: Batch, done: Done) -> None:
        _write(self._store, [(batch, done)])

    def close(self) -> None:
        pass


class Group:
    """Whoever comes when nobody writes, writes at once; whatever comes in meanwhile is committed
    all together, by a thread that takes over."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: deque[Job] = deque()
        self._busy = False  # somebody writes, or has handed on to the thread
        self._closed = False
        self._door = Lock()
        self._begin: SimpleQueue[bool] = SimpleQueue()  # what the thread waits for
        self._thread = Thread(target=self._run, name="ledger writer", daemon=True)
        self._thread.start()

    def write(self, batch: Batch) -> None:
        waiting = Lock()  # all one thread needs to wait for another
        waiting.acquire()
        wrong: list[BaseException | None] = []

        def done(error: BaseException | None) -> None:
            wrong.append(error)
            waiting.release()

        if self._comes(batch, done, at_once=True):
            try:
                self._store.write([batch])
            finally:
                self._hand_on()
            return
        waiting.acquire()
        if error := wrong[0]:
            raise error

    def submit(self, batch: Batch, done: Done) -> None:
        self._comes(batch, done, at_once=False)

    def _comes(self, batch: Batch, done: Done, *, at_once: bool) -> bool:
        """Whether the one who comes may write at once, because nobody does; else it waits."""
        with self._door:
            if not self._closed:
                free, self._busy = not self._busy, True
                if free and at_once:
                    return True
                self._jobs.append((batch, done))
                if free:
                    self._begin.put(True)
                return False
        done(Unwritten("The ledger is closed."))
        return False

    def _hand_on(self) -> None:
        """Done with one's own: the thread writes what has come in since."""
        with self._door:
            if self._jobs:
                self._begin.put(True)
            else:
                self._busy = False

    def close(self) -> None:
        """Write what is waiting, then stop."""
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
        store.write([batch for batch, _ in jobs])
    except BaseException as error:
        if isinstance(error, Fenced) and len(jobs) > 1:
            for job in jobs:
                _write(store, [job])
            return
        for _, done in jobs:
            done(error)
    else:
        for _, done in jobs:
            done(None)
