"""The order of questions: by compute time used recently, under a clock that the test sets."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.room.study.scheduler import FORGOTTEN, Job, Limits, Scheduler, State

LIMITS = Limits()
SLICE = LIMITS.slice_seconds
STEP = SLICE / 4  # how late a slice that has ended may be noticed


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Simulated:
    """A study without processes: a job is over when it has run for its duration."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.clock = Clock()
        self.limits = limits
        self.scheduler = Scheduler(limits, self.clock)
        self.duration: dict[Job, float] = {}
        self.began: dict[Job, float] = {}
        self.finished: list[Job] = []
        self.refused: list[Job] = []
        self.ran: Counter[str] = Counter()
        self._count = 0

    def ask(self, person: str, seconds: float, address: str = "") -> Job | None:
        if not self.scheduler.admits(person, address or person):
            return None
        self._count += 1
        job = self.scheduler.ask(str(self._count).encode(), person, address or person)
        self.duration[job] = seconds
        return job

    def decide(self) -> None:
        for job in self.scheduler.out_of_time():
            self._refuse(job)
        while True:
            if job := self.scheduler.next():
                self.scheduler.run(job)
                self.began.setdefault(job, self.clock.now)
            elif job := self.scheduler.to_preempt():
                self.scheduler.suspend(job)
            else:
                break
        while job := self.scheduler.to_give_up():
            job.restarts += 1
            if job.restarts > self.limits.restarts:
                self._refuse(job)
            else:
                self.scheduler.requeue(job)
        while last := self.scheduler.overflow():
            self._refuse(last)
        running = self.scheduler.within(State.RUNNING)
        assert len(running) <= self.limits.running
        assert len(self.scheduler.within(State.SUSPENDED)) <= self.limits.suspended
        assert len(self.scheduler.within(State.WAITING)) <= self.limits.waiting

    def until(self, then: float) -> None:
        while self.clock.now < then:
            self.decide()
            wake = self.scheduler.wake_in()
            ends = [self._left(job) for job in self.scheduler.within(State.RUNNING)]
            waits = [*ends, then - self.clock.now, *([] if wake is None else [wake + 0.001])]
            passed = max(0.0, min(waits))
            for job in self.scheduler.within(State.RUNNING):
                self.ran.update({next(iter(job.askers)): passed})  # type: ignore[dict-item]
            self.clock.now += passed
            for job in self.scheduler.within(State.RUNNING):
                if self._left(job) <= 1e-9:
                    self.scheduler.end(job)
                    self.finished.append(job)

    def _left(self, job: Job) -> float:
        return self.duration[job] - job.used - (self.clock.now - job.resumed_at)

    def _refuse(self, job: Job) -> None:
        self.scheduler.end(job)
        self.refused.append(job)


# --- the order ------------------------------------------------------------------------------


def test_the_person_who_has_used_less_goes_first() -> None:
    study = Simulated(Limits(running=1))
    study.ask("often", 5)
    study.until(5.1)
    again, seldom = study.ask("often", 1), study.ask("seldom", 1)
    assert study.scheduler.next() is seldom
    assert seldom
    assert again
    assert study.scheduler.order(seldom) < study.scheduler.order(again)


def test_to_ask_again_and_again_what_is_refused_is_no_use() -> None:
    study = Simulated(Limits(running=1, per_person=1))
    study.ask("a", 0.1)
    study.ask("b", 0.1)
    for _ in range(50):
        assert study.ask("b", 0.1) is None
    study.until(1)
    assert study.scheduler.people.of("b") > 2 > study.scheduler.people.of("a")


def test_compute_time_is_forgotten() -> None:
    study = Simulated()
    study.ask("a", 8)
    study.until(8.5)
    used = study.scheduler.people.of("a")
    study.clock.now += LIMITS.half_life
    assert abs(study.scheduler.people.of("a") - used / 2) < FORGOTTEN
    study.clock.now += 100 * LIMITS.half_life
    study.ask("b", 1)
    assert len(study.scheduler.people) == 1


def test_new_guests_of_one_address_do_not_pass_a_person_of_another() -> None:
    """None of them has used anything, and each asks one question only."""
    study = Simulated()
    for number in range(20):
        study.ask(f"guest {number}", 10, address="there")
    study.decide()
    honest = study.ask("honest", 0.1, address="here")
    assert honest
    study.until(SLICE + STEP)
    assert honest in study.finished


def test_a_person_with_one_question_goes_before_persons_with_several() -> None:
    study = Simulated()
    for number in range(10):
        for _ in range(LIMITS.per_person):
            study.ask(f"flooder {number}", 10)
    study.decide()
    honest = study.ask("honest", 0.1)
    assert honest
    study.until(SLICE + STEP)
    assert honest in study.finished


def test_one_question_of_a_person_runs_at_a_time() -> None:
    study = Simulated()
    jobs = [study.ask("a", 1) for _ in range(3)]
    study.decide()
    assert [job.state for job in jobs if job] == [State.RUNNING, State.WAITING, State.WAITING]


def test_equals_go_in_the_order_they_came() -> None:
    study = Simulated(Limits(running=1))
    jobs = [study.ask(name, 0.1) for name in "abcd"]
    study.until(1)
    assert study.finished == jobs


# --- one question of several people ---------------------------------------------------------


def test_the_same_question_is_one_job_with_the_best_of_their_places() -> None:
    study = Simulated(Limits(running=1))
    study.ask("often", 20)
    study.until(20.1)
    scheduler = study.scheduler
    job = scheduler.ask(b"same", "often", "there")
    before = scheduler.order(job)
    assert scheduler.ask(b"same", "seldom", "here") is job
    assert scheduler.order(job) < before
    scheduler.leave(job, "often")
    assert list(job.askers) == ["seldom"]


def test_those_who_wait_for_one_question_pay_for_it_together() -> None:
    study = Simulated()
    scheduler = study.scheduler
    job = scheduler.ask(b"same", "a", "a")
    scheduler.ask(b"same", "b", "b")
    scheduler.run(job)
    study.clock.now += 4
    scheduler.end(job)
    assert scheduler.people.of("a") == scheduler.people.of("b") == 2


def test_the_same_question_twice_counts_twice() -> None:
    scheduler = Simulated().scheduler
    for _ in range(LIMITS.per_person):
        assert not scheduler.full("a")
        job = scheduler.ask(b"same", "a", "a")
    assert scheduler.full("a")
    scheduler.leave(job, "a")
    assert not scheduler.full("a")
    scheduler.end(job)
    assert not scheduler._of_person
    assert not scheduler._of_address


# --- bounds ---------------------------------------------------------------------------------


def test_a_person_has_so_many_questions_outstanding_and_no_more() -> None:
    study = Simulated()
    jobs = [study.ask("a", 1) for _ in range(10)]
    assert [job is not None for job in jobs] == [True] * 5 + [False] * 5
    study.decide()
    assert study.ask("a", 1) is None
    study.until(1.01)
    assert study.ask("a", 1)


def test_of_too_many_the_last_in_the_order_goes() -> None:
    study = Simulated(Limits(waiting=10))
    for number in range(8):
        for _ in range(5):
            study.ask(f"flooder {number}", 30)
    study.decide()
    honest = study.ask("honest", 1)
    study.decide()
    assert honest not in study.refused
    assert len(study.refused) == 40 - 2 - 10 + 1


def test_a_question_has_only_so_much_time() -> None:
    study = Simulated()
    long = study.ask("a", 10_000)
    study.until(LIMITS.run_seconds + 1)
    assert study.refused == [long]


def test_a_question_waits_only_so_long() -> None:
    study = Simulated(Limits(running=1, slice_seconds=1_000))
    study.ask("a", 100)
    study.decide()
    waiting = study.ask("b", 1)
    study.until(LIMITS.wait_seconds + 1)
    assert study.refused == [waiting]


def test_people_with_several_questions_do_not_interrupt_each_other() -> None:
    """Each interruption may cost a worker. Somebody with one question interrupts them all."""
    study = Simulated(Limits(running=1))
    for number in range(10):
        for _ in range(2):
            study.ask(f"flooder {number}", 10)
    study.until(4)
    (flooded,) = study.began
    honest = study.ask("honest", 0.1)
    study.until(4 + STEP)
    assert honest in study.finished
    study.until(4 + 2 * STEP)
    assert list(study.began) == [flooded, honest]  # what was suspended goes on, nothing is started


def test_new_guests_of_one_address_do_not_interrupt_each_other() -> None:
    study = Simulated(Limits(running=1))
    study.ask("guest", 10, address="there")
    study.until(10.1)
    for number in range(5):
        study.ask(f"guest {number}", 4, address="there")
    study.until(12)
    assert len(study.began) == 2
    honest = study.ask("honest", 0.1, address="here")
    study.until(12 + STEP)
    assert honest in study.finished


# --- preemption -----------------------------------------------------------------------------


def test_a_question_is_not_interrupted_within_its_slice() -> None:
    study = Simulated(Limits(running=1))
    study.ask("a", 10)
    study.decide()
    study.ask("b", 0.1)
    study.clock.now += SLICE * 0.99
    assert study.scheduler.to_preempt() is None
    study.clock.now += SLICE * 0.02
    assert study.scheduler.to_preempt() is not None


def test_a_suspended_question_goes_on_where_it_was() -> None:
    study = Simulated(Limits(running=1))
    long, short = study.ask("a", 10), None
    study.decide()
    short = study.ask("b", 0.5)
    study.until(10.6)
    assert study.finished == [short, long]
    assert long
    assert long.restarts == 0


def test_three_long_questions_of_three_people_all_get_their_answers() -> None:
    """They take turns; nobody's work is lost."""
    study = Simulated()
    jobs = [study.ask(name, 15) for name in "abc"]
    study.until(40)
    assert set(study.finished) == set(jobs)
    assert all(job.restarts == 0 for job in jobs if job)


def test_without_others_nobody_is_interrupted() -> None:
    study = Simulated()
    jobs = [study.ask("a", 50), study.ask("b", 50)]
    study.until(50.1)
    assert set(study.finished) == set(jobs)


# --- under any mix --------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(
    flooders=st.integers(1, 12),
    longest=st.sampled_from([0.3, 5.0, 60.0]),
    first=st.floats(0.0, 20.0),
    takes=st.floats(0.001, 0.2),
    one_address=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_an_honest_question_begins_within_a_second(
    flooders: int, longest: float, first: float, takes: float, one_address: bool, seed: int
) -> None:
    """Next to any number of people who always have as many questions outstanding as they may."""
    study, rng = Simulated(), random.Random(seed)
    address = "one address" if one_address else ""
    asks = [first, first + 20]
    honest: list[tuple[float, Job]] = []
    while asks or study.clock.now < honest[-1][0] + 2:
        for number in range(flooders):
            for _ in range(LIMITS.per_person):
                study.ask(f"flooder {number}", rng.uniform(0.01, longest), address)
        if asks and study.clock.now >= asks[0]:
            asks.pop(0)
            job = study.ask("honest", takes)
            assert job
            honest.append((study.clock.now, job))
        study.until(study.clock.now + 0.2)
    for at, job in honest:
        assert job in study.finished
        assert study.began[job] - at <= SLICE + STEP + 0.01


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_happens_every_question_ends_and_nothing_is_left_counted(
    data: st.DataObject,
) -> None:
    study = Simulated(Limits(waiting=6))
    for _ in range(data.draw(st.integers(1, 40))):
        match data.draw(st.sampled_from(("ask", "join", "leave", "die", "wait"))):
            case "ask":
                person = data.draw(st.sampled_from("abcd"))
                study.ask(person, data.draw(st.floats(0.01, 20)), data.draw(st.sampled_from("xy")))
            case "join" if jobs := list(study.scheduler):
                job = data.draw(st.sampled_from(jobs))
                study.scheduler.ask(job.key, data.draw(st.sampled_from("abcd")), "z")
            case "leave" if jobs := list(study.scheduler):
                job = data.draw(st.sampled_from(jobs))
                study.scheduler.leave(job, data.draw(st.sampled_from(sorted(job.askers))))
                if not job.askers:
                    study._refuse(job)
            case "die" if jobs := study.scheduler.within(State.RUNNING):
                study.scheduler.requeue(data.draw(st.sampled_from(jobs)))
            case _:
                study.until(study.clock.now + data.draw(st.floats(0.0, 5.0)))
        study.decide()
    study.until(study.clock.now + 2 * LIMITS.total_seconds)
    assert list(study.scheduler) == []
    assert not study.scheduler._of_person
    assert not study.scheduler._of_address


def test_people_who_ask_alike_get_alike() -> None:
    study, rng = Simulated(Limits(running=1)), random.Random(7)
    while study.clock.now < 300:
        for person in "abc":
            while study.ask(person, rng.uniform(0.1, 2)):
                pass
        study.until(study.clock.now + 0.5)
    shares = [study.ran[person] / sum(study.ran.values()) for person in "abc"]
    assert all(0.25 < share < 0.45 for share in shares), shares
