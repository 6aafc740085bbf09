"""The study: questions come in, the scheduler orders them, worker processes answer them.

Workers are processes, because the mathematics would otherwise hold the interpreter lock of the
tables. A question that must yield keeps its worker suspended, so that its work is not lost; only
when too many are suspended is one of them started again from the beginning.

There is one worker more than questions under way, up to a bound, so that a question that goes first
does not wait for a process to start.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from time import monotonic

import msgspec
from msgspec import Struct

from croupier.law.clause import Clause, clause
from croupier.law.refused import Refused
from croupier.room.study import questions as known
from croupier.room.study.cache import Cache
from croupier.room.study.messages import Answered, Ask, Broken, Ready, Refusal, Reply, ask_in
from croupier.room.study.process import Worker
from croupier.room.study.scheduler import Job, Limits, Scheduler, State

WARM_AFTER = 0.5  # seconds after the start at which workers are started
CACHE_BYTES = 16 * 1024 * 1024
LEAST_WORKERS = 2  # one to work, and one for somebody who must not wait
RETRY_SECONDS = (1.0, 30.0)  # before a process that did not start is tried again: at first, at most
MOST_HOUSES = 16  # of which a worker keeps what it computed

log = logging.getLogger("croupier.room.study")


def limits_for(processes: int) -> Limits:
    """Of one of the processes of a room. On one core or two, questions take turns, so that they
    leave a core to the tables and an honest question is not slowed down by another."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Limits(running=2 if processes == 1 and (cores or 1) > 2 else 1)


class Waiter(Struct, eq=False):
    """One request that waits for an answer."""

    person: str
    topic: str
    answer: asyncio.Future[bytes]


class Study:
    """``questions`` is the module with the closed list of questions that workers answer."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        questions: str = known.__name__,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.limits = limits or Limits()
        self.scheduler = Scheduler(self.limits, clock)
        self.cache = Cache(CACHE_BYTES)
        self.workers: list[Worker] = []
        self._questions = questions
        self._clock = clock
        self._waiters: dict[Job, list[Waiter]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._failed_starts = 0
        self._start_after = 0.0
        self._closed = False
        self._ending: set[asyncio.Task[None]] = set()

    # --- from start to stop ---------------------------------------------------------------------

    def start(self) -> None:
        """Begin to warm workers soon: not while the room opens."""
        asyncio.get_running_loop().call_later(WARM_AFTER, self._staff)

    async def stop(self) -> None:
        """End every process; whoever waits is told."""
        self._closed = True
        if self._timer:
            self._timer.cancel()
        for job in list(self.scheduler):
            self._refuse(job, "The room is closing.", "CLOSING")
        for worker in list(self.workers):
            self._end(worker)
        if self._ending:
            await asyncio.gather(*self._ending)

    # --- asking ---------------------------------------------------------------------------------

    async def answer(self, ask: Ask, person: str, address: str, topic: str = "") -> bytes:
        """The answer to a question. With a topic, a newer question of the same person on the same
        topic takes the place of one that still waits."""
        key = ask.key()
        kept = self.cache.get(key)
        if kept is not None:
            return kept
        if self._closed:
            raise Refused("The room is closing.", code="CLOSING")
        if topic:
            self._supersede(person, topic)
        if not self.scheduler.admits(person, address):
            most = self.limits.per_person
            sentence = f"You have {most} questions waiting already: wait for an answer first."
            raise Refused(sentence, code="QUEUE_FULL")
        job = self.scheduler.ask(key, person, address)
        waiter = Waiter(person, topic, asyncio.get_running_loop().create_future())
        self._waiters.setdefault(job, []).append(waiter)
        self._pump()
        try:
            return await waiter.answer
        except asyncio.CancelledError:
            self._leave(job, waiter)
            raise

    def _supersede(self, person: str, topic: str) -> None:
        for job in self.scheduler.within(State.WAITING):
            for waiter in list(self._waiters.get(job, ())):
                if (waiter.person, waiter.topic) == (person, topic):
                    self._leave(job, waiter)
                    sentence = "A newer question has taken the place of this one."
                    _fail(waiter, Refused(sentence, code="SUPERSEDED"))

    def _leave(self, job: Job, waiter: Waiter) -> None:
        """A question nobody waits for is dropped, with its worker if it has one."""
        waiters = self._waiters.get(job, [])
        if waiter not in waiters:
            return
        waiters.remove(waiter)
        self.scheduler.leave(job, waiter.person)
        if not waiters:
            self._drop(job)
            self._pump()

    # --- running --------------------------------------------------------------------------------

    def _pump(self) -> None:
        """Do whatever is due now, and come back when something else will be."""
        if self._closed:
            return
        for late in self.scheduler.out_of_time():
            self._out_of_time(late)
        while self._run_next() or self._preempt():
            pass
        while needed := self.scheduler.to_give_up():
            self._give_up(needed)
        while last := self.scheduler.overflow():
            self._refuse(last, "The room has too many questions: ask again later.", "BUSY")
        self._staff()
        self._wake()

    def _run_next(self) -> bool:
        job = self.scheduler.next()
        if job is None:
            return False
        if job.state is State.SUSPENDED:
            self._worker_of(job).resume()
        else:
            worker = self._idle_worker(job)
            if worker is None:
                return False
            worker.ask(job)
        self.scheduler.run(job)
        return True

    def _preempt(self) -> bool:
        """Also while the worker for the other question is still starting, to leave it the core."""
        job = self.scheduler.to_preempt()
        if job is None:
            return False
        if self._worker_of(job).suspend():
            self.scheduler.suspend(job)
        else:
            self._give_up(job)
        return True

    def _give_up(self, job: Job) -> None:
        """Its worker is needed."""
        self._end(self._worker_of(job))
        job.restarts += 1
        if job.restarts > self.limits.restarts:
            self._refuse(job, "Many people ask: ask again when the room is quieter.", "BUSY")
        else:
            self.scheduler.requeue(job)

    def _out_of_time(self, job: Job) -> None:
        if job.state is State.WAITING:
            self._refuse(job, "Many people ask: ask again when the room is quieter.", "BUSY")
        else:
            self._refuse(job, "This question takes too long to work out.", "TOO_LONG_TO_ANSWER")

    def _worker_of(self, job: Job) -> Worker:
        return next(worker for worker in self.workers if worker.job is job)

    def _idle_worker(self, job: Job) -> Worker | None:
        """Preferably one that has worked on the same house."""
        idle = [worker for worker in self.workers if worker.idle]
        if not idle:
            return None
        house = _house(job)
        chosen = max(idle, key=lambda worker: house in worker.houses)
        if len(chosen.houses) >= MOST_HOUSES:
            chosen.houses.clear()
        chosen.houses.add(house)
        return chosen

    def _wake(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        wake_in = self.scheduler.wake_in()
        if wake_in is None and len(self.workers) > LEAST_WORKERS:
            wake_in = self.limits.idle_seconds  # some of them may go then
        if wake_in is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wake_in + 0.001, self._pump)

    # --- workers --------------------------------------------------------------------------------

    def _staff(self) -> None:
        """Start and end processes, so that one is idle or about to be. They start one after
        another, because a start takes seconds of a core."""
        if self._closed:
            return
        now = self._clock()
        under_way = self.scheduler.within(State.RUNNING, State.SUSPENDED)
        wanted = max(LEAST_WORKERS, len(under_way) + 1)
        for worker in [each for each in self.workers if each.idle]:
            if len(self.workers) > wanted and now - worker.idle_since >= self.limits.idle_seconds:
                self._end(worker)
        starting = any(not worker.ready for worker in self.workers)
        if len(self.workers) < wanted and now >= self._start_after and not starting:
            try:
                self.workers.append(Worker(self._questions, self._heard))
            except OSError as error:
                self._not_started(error.strerror or str(error))
        if not self.workers:
            self._nobody_answers()

    def _not_started(self, why: str) -> None:
        log.error("a worker of the study did not start: %s", why)
        at_first, at_most = RETRY_SECONDS
        wait = min(at_most, at_first * 2**self._failed_starts)
        self._failed_starts += 1
        self._start_after = self._clock() + wait

    def _nobody_answers(self) -> None:
        for job in self.scheduler.within(State.WAITING):
            self._refuse(job, "Nothing can be worked out just now: try again.", "NO_WORKER")

    def _heard(self, worker: Worker, reply: Reply | None) -> None:
        match reply:
            case None:
                self._died(worker)
            case Ready():
                self._failed_starts = 0
                worker.idle_since = self._clock()
            case _:
                self._answered(worker, reply)
        self._pump()

    def _answered(self, worker: Worker, reply: Answered | Refusal | Broken) -> None:
        job, worker.job = worker.job, None
        worker.idle_since = self._clock()
        if job is None:
            return
        if job.state is State.SUSPENDED:  # it had answered just before
            worker.resume()
        if reply.memory > self.limits.worker_memory:
            self._end(worker)
        match reply:
            case Answered():
                self.cache.put(job.key, reply.content)
                for waiter in self._close(job):
                    if not waiter.answer.done():
                        waiter.answer.set_result(reply.content)
            case Refusal():
                self._fail(job, Refused(reply.sentence, _clause(reply.clause), reply.code))
            case Broken():
                log.error("a question failed: %s", reply.what)
                self._refuse(job, "This question could not be answered.", "UNANSWERED")

    def _died(self, worker: Worker) -> None:
        """It costs its question one retry, or one sentence."""
        if not worker.ready:
            self._not_started("it ended at once")
        job = worker.job
        self._end(worker)
        if job is None:
            return
        log.error("a worker of the study ended while it worked on a question")
        job.deaths += 1
        if job.deaths > self.limits.deaths:
            self._refuse(job, "This question could not be answered.", "UNANSWERED")
        else:
            self.scheduler.requeue(job)

    def _end(self, worker: Worker) -> None:
        worker.job = None
        worker.kill()
        self.workers.remove(worker)
        task = asyncio.get_running_loop().create_task(worker.ended())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    # --- ending a question ----------------------------------------------------------------------

    def _drop(self, job: Job) -> None:
        for worker in list(self.workers):
            if worker.job is job:
                self._end(worker)
        self._close(job)

    def _close(self, job: Job) -> list[Waiter]:
        self.scheduler.end(job)
        return self._waiters.pop(job, [])

    def _refuse(self, job: Job, sentence: str, code: str) -> None:
        self._fail(job, Refused(sentence, code=code))

    def _fail(self, job: Job, why: Refused) -> None:
        waiters = list(self._waiters.get(job, []))
        self._drop(job)
        for waiter in waiters:
            _fail(waiter, why)


def _fail(waiter: Waiter, why: Refused) -> None:
    if not waiter.answer.done():
        waiter.answer.set_exception(Refused(why.sentence, why.clause, why.code))


def _clause(id: str | None) -> Clause | None:
    return clause(id) if id else None


def _house(job: Job) -> bytes:
    return msgspec.json.encode(ask_in(job.key).given.get("house"))
