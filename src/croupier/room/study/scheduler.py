"""Which question runs next: that of the person who has used the least compute time recently.

The scheduler is a pure data structure. It starts no process and reads no clock but the one it is
given. ``study`` asks it what to run, what to suspend and what to give up.

Compute time decays with a half-life. A person's level is the number of times the time slice has
doubled into it: 0 below one slice, 1 below two, 2 below four, and so on. Questions are ordered by
the level of the person, then by how many questions the person and the address have outstanding,
then by the compute time of the address and of the person, then by arrival. So somebody who asks one
question at a time goes before many new guests who have asked several, or who share an address.

A running question yields after one slice if somebody waits who has used less than half as much and
has asked nothing else. So people who ask constantly do not interrupt each other: each interruption
takes the idle worker, which should be there for somebody who asks seldom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from math import log2

from msgspec import Struct

Clock = Callable[[], float]

FORGOTTEN = 0.001  # seconds of compute time that are no longer kept


class Limits(Struct, frozen=True):
    """Bounds of one study."""

    running: int = 2  # questions at a time
    suspended: int = 1  # questions that keep their worker while others run
    per_person: int = 5  # questions outstanding: one under way, the others waiting
    waiting: int = 64  # questions in all
    slice_seconds: float = 0.7  # that a question may run while others wait
    run_seconds: float = 120.0  # that a question may run
    wait_seconds: float = 60.0  # after which a question that does not run is given up
    total_seconds: float = 300.0  # after which any question is given up
    ask_seconds: float = 0.05  # that asking counts for, also when it is refused
    address_part: float = 0.25  # of an address's compute time, that counts for each person there
    half_life: float = 30.0  # of compute time used
    restarts: int = 2  # of a question that lost its worker to another
    worker_memory: int = 1024**3  # bytes; a worker that holds more after an answer is replaced
    idle_seconds: float = 300.0  # after which a worker beyond two is ended
    deaths: int = 1  # of a worker under a question, after which the question is tried again


class State(Enum):
    WAITING = auto()
    RUNNING = auto()
    SUSPENDED = auto()
    OVER = auto()


@dataclass(eq=False, slots=True)
class Job:
    """One question, and the people who wait for its answer."""

    key: bytes
    number: int
    asked_at: float
    askers: dict[str, str] = field(default_factory=dict)  # person: address
    times: Counter[str] = field(default_factory=Counter)  # how often each person asked it
    state: State = State.WAITING
    resumed_at: float = 0.0
    used: float = 0.0  # seconds it has run in this worker
    restarts: int = 0
    deaths: int = 0


class Usage:
    """Compute time per person or address, decaying."""

    def __init__(self, clock: Clock, half_life: float) -> None:
        self._clock = clock
        self._half_life = half_life
        self._used: dict[str, tuple[float, float]] = {}  # seconds, as of when

    def of(self, name: str) -> float:
        if name not in self._used:
            return 0.0
        seconds, then = self._used[name]
        return float(seconds * 0.5 ** ((self._clock() - then) / self._half_life))

    def add(self, name: str, seconds: float) -> None:
        self._used[name] = (self.of(name) + seconds, self._clock())

    def forget(self) -> None:
        """Drop everybody whose compute time has decayed to nothing."""
        for name in [name for name in self._used if self.of(name) < FORGOTTEN]:
            del self._used[name]

    def __len__(self) -> int:
        return len(self._used)


Order = tuple[int, int, int, float, float, int]


class Scheduler:
    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self.clock = clock
        self.people = Usage(clock, limits.half_life)
        self.addresses = Usage(clock, limits.half_life)
        self._jobs: dict[bytes, Job] = {}
        self._of_person: Counter[str] = Counter()  # questions outstanding
        self._of_address: Counter[str] = Counter()
        self._count = 0

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs.values())

    def within(self, *states: State) -> list[Job]:
        return [job for job in self if job.state in states]

    # --- asking ---------------------------------------------------------------------------------

    def admits(self, person: str, address: str) -> bool:
        """Somebody wants to ask: not if as many questions are outstanding as one may have. Each
        attempt counts, so that it is no use to ask again and again what was refused."""
        self.people.add(person, self.limits.ask_seconds)
        self.addresses.add(address, self.limits.ask_seconds)
        return not self.full(person)

    def full(self, person: str) -> bool:
        return self._of_person[person] >= self.limits.per_person

    def ask(self, key: bytes, person: str, address: str) -> Job:
        """The job for a question: a new one, or the one that answers the same question already."""
        job = self._jobs.get(key)
        if job is None:
            self._count += 1
            job = self._jobs[key] = Job(key, self._count, self.clock())
            self.people.forget()
            self.addresses.forget()
        else:
            self._charge(job)  # what ran so far was for those who asked before
        job.askers.setdefault(person, address)
        job.times[person] += 1
        self._count_outstanding(job, person, 1)
        return job

    def leave(self, job: Job, person: str) -> None:
        """One of this person's requests no longer waits for the answer."""
        if job.state is State.OVER:
            return
        self._charge(job)
        self._count_outstanding(job, person, -1)
        job.times[person] -= 1
        if not job.times[person]:
            del job.times[person], job.askers[person]

    def _count_outstanding(self, job: Job, person: str, more: int) -> None:
        for counter, name in (
            (self._of_person, person),
            (self._of_address, job.askers[person]),
        ):
            counter[name] += more
            if not counter[name]:
                del counter[name]

    def overflow(self) -> Job | None:
        """The last waiting job in the order, if more wait than may."""
        waiting = self.within(State.WAITING)
        return max(waiting, key=self.order) if len(waiting) > self.limits.waiting else None

    # --- deciding -------------------------------------------------------------------------------

    def next(self) -> Job | None:
        """What to start or resume now: nothing while as much runs as may."""
        if len(self.within(State.RUNNING)) >= self.limits.running:
            return None
        return self.best()

    def best(self) -> Job | None:
        """The first in the order of all that could run. A suspended job goes on before another is
        started, unless somebody waits for whom it would be suspended again: each start takes a
        worker that should stay idle for the next such person."""
        waiting = min(self._startable(), key=self.order, default=None)
        suspended = min(self.within(State.SUSPENDED), key=self.order, default=None)
        if waiting and suspended:
            return waiting if self._yields(suspended, waiting) else suspended
        return waiting or suspended

    def to_preempt(self) -> Job | None:
        """A running job that has had its slice while somebody waits who has used much less."""
        running = self.within(State.RUNNING)
        if len(running) < self.limits.running:
            return None
        ripe = [job for job in running if self._slice_left(job) <= 0]
        worst = max(ripe, key=self.order, default=None)
        best = self.best() if worst else None
        return worst if best and worst and self._yields(worst, best) else None

    def to_give_up(self) -> Job | None:
        """The suspended job whose worker is needed, if more are suspended than may be."""
        suspended = self.within(State.SUSPENDED)
        if len(suspended) <= self.limits.suspended:
            return None
        return max(suspended, key=self.order)

    def out_of_time(self) -> list[Job]:
        """Jobs that have run too long or waited too long."""
        return [job for job in self if self._time_left(job) <= 0]

    def wake_in(self) -> float | None:
        """Seconds until something may be due: a slice or a time limit."""
        due = [self._time_left(job) for job in self]
        if self.best():
            slices = [self._slice_left(job) for job in self.within(State.RUNNING)]
            # A slice that is over, with nobody to preempt for, is looked at again a little later.
            due += [left if left > 0 else self.limits.slice_seconds / 4 for left in slices]
        return max(0.0, min(due)) if due else None

    # --- what happened --------------------------------------------------------------------------

    def run(self, job: Job) -> None:
        job.state, job.resumed_at = State.RUNNING, self.clock()

    def suspend(self, job: Job) -> None:
        self._charge(job)
        job.state = State.SUSPENDED

    def requeue(self, job: Job) -> None:
        """It lost its worker and starts from the beginning."""
        self._charge(job)
        job.state, job.used = State.WAITING, 0.0

    def end(self, job: Job) -> None:
        self._charge(job)
        for person, times in job.times.items():
            self._count_outstanding(job, person, -times)
        job.state = State.OVER
        del self._jobs[job.key]

    # --- the order ------------------------------------------------------------------------------

    def order(self, job: Job) -> Order:
        """Smaller goes first. A job that several people wait for has the best of their places."""
        return min(self._order(job, person) for person in job.askers)

    def _order(self, job: Job, person: str) -> Order:
        used, address = self._used_by(job, person), job.askers[person]
        return (
            self._level(used),
            self._of_person[person],
            self._of_address[address],
            self.addresses.of(address) + self._share(job),
            used,
            job.number,
        )

    def _used_by(self, job: Job, person: str) -> float:
        """Compute time of a person, with this job's so far, and a part of the address's: new guests
        of one address do not interrupt each other."""
        address = self.addresses.of(job.askers[person]) * self.limits.address_part
        return self.people.of(person) + self._share(job) + address

    def _level(self, used: float) -> int:
        slices = used / self.limits.slice_seconds
        return 0 if slices < 1 else 1 + int(log2(slices))

    def _startable(self) -> list[Job]:
        """Waiting jobs of people for whom nothing is under way."""
        active = _people(self.within(State.RUNNING, State.SUSPENDED))
        return [job for job in self.within(State.WAITING) if job.askers.keys() - active]

    def _yields(self, job: Job, other: Job) -> bool:
        used = min(self._used_by(job, person) for person in job.askers)
        return any(
            self._of_person[person] == 1 and 2 * self._used_by(other, person) < used
            for person in other.askers
        )

    # --- time -----------------------------------------------------------------------------------

    def _elapsed(self, job: Job) -> float:
        return self.clock() - job.resumed_at if job.state is State.RUNNING else 0.0

    def _share(self, job: Job) -> float:
        return self._elapsed(job) / max(1, len(job.askers))

    def _slice_left(self, job: Job) -> float:
        return self.limits.slice_seconds - self._elapsed(job)

    def _time_left(self, job: Job) -> float:
        age = self.clock() - job.asked_at
        if job.state is State.WAITING:
            return min(self.limits.wait_seconds, self.limits.total_seconds) - age
        left = self.limits.run_seconds - job.used - self._elapsed(job)
        return min(left, self.limits.total_seconds - age)

    def _charge(self, job: Job) -> None:
        """Charge what ran since it was last charged to those who wait for it, in equal parts."""
        share, elapsed = self._share(job), self._elapsed(job)
        for person, address in job.askers.items():
            self.people.add(person, share)
            self.addresses.add(address, share)
        job.used += elapsed
        if job.state is State.RUNNING:
            job.resumed_at = self.clock()


def _people(jobs: Iterable[Job]) -> set[str]:
    return {person for job in jobs for person in job.askers}
