"""Who hands batches to the store: each by itself, or many tables' together under one sync."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
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

    def submit(self, batch: Batch) -> Future[None]:
        """The same without waiting."""

    def close(self) -> None: ...


class Alone:
    """Each batch in a transaction of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, batch: Batch) -> None:
        self._store.write([batch])

    def submit(self, batch: Batch) -> Future[None]:
        written: Future[None] = Future()
        _write(self._store, [(batch, _telling(written))])
        return written

    def close(self) -> None:
        pass


class Group:
    """A thread that commits whatever has come in while it was syncing, all at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._closed = False
        self._door = Lock()  # nothing comes in behind the last
        self._thread = Thread(target=self._run, name="ledger writer", daemon=True)
        self._thread.start()

    def write(self, batch: Batch) -> None:
        waiting, wrong = Lock(), []  # a lock is all one thread needs to wait for another
        waiting.acquire()

        def done(error: BaseException | None) -> None:
            wrong.append(error)
            waiting.release()

        self._put(batch, done)
        waiting.acquire()
        if error := wrong[0]:
            raise error

    def submit(self, batch: Batch) -> Future[None]:
        written: Future[None] = Future()
        written.set_running_or_notify_cancel()  # whoever stops waiting does not stop the writing
        self._put(batch, _telling(written))
        return written

    def _put(self, batch: Batch, done: Done) -> None:
        with self._door:
            if not self._closed:
                self._jobs.put((batch, done))
                return
        done(Unwritten("The ledger is closed."))

    def close(self) -> None:
        """Write what is waiting, then stop."""
        with self._door:
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        going_on = True
        while going_on:
            jobs: list[Job] = []
            job = self._jobs.get()
            while job is not None:
                jobs.append(job)
                if len(jobs) == MOST or self._jobs.empty():
                    break
                job = self._jobs.get()
            going_on = job is not None
            if jobs:
                _write(self._store, jobs)


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


def _telling(written: Future[None]) -> Done:
    def done(error: BaseException | None) -> None:
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)

    return done
