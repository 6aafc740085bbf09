"""The study with real worker processes: who is answered next, what is kept, and what ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from study_questions import CLAUSE

from croupier.games.registry import RULEBOOKS
from croupier.house.submission import default_house, read_data
from croupier.law.refused import Refused
from croupier.room.api.answers import refused
from croupier.room.study.messages import Ask
from croupier.room.study.scheduler import Limits, State
from croupier.room.study.study import Study
from croupier.room.study.worker import NICENESS

PATIENCE = 60  # seconds until something that must happen has happened


@asynccontextmanager
async def open_study(limits: Limits | None = None) -> AsyncIterator[Study]:
    study = Study(limits, questions="study_questions")
    try:
        yield study
    finally:
        await study.stop()


class Log:
    """Where questions write down that they were begun."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "log"

    @property
    def lines(self) -> list[str]:
        return self.path.read_text("utf-8").splitlines() if self.path.exists() else []

    def ask(self, name: str, label: str) -> Ask:
        return Ask(name, {"log": str(self.path), "label": label})

    def release(self) -> None:
        Path(f"{self.path}.release").touch()


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


def ask(
    study: Study, question: Ask, person: str = "a", address: str = "", topic: str = ""
) -> asyncio.Task[bytes]:
    answer = study.answer(question, person, address or person, topic)
    return asyncio.create_task(asyncio.wait_for(answer, PATIENCE))


async def code_of(task: asyncio.Task[bytes]) -> str:
    with pytest.raises(Refused) as refused:
        await asyncio.wait_for(task, PATIENCE)
    assert refused.value.sentence.endswith(".")
    return refused.value.code


def living(process: int) -> bool:
    """A process that has ended and is not yet collected does not live."""
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# --- who is answered ------------------------------------------------------------------------


def test_an_honest_question_is_answered_while_ten_people_flood_the_study(log: Log) -> None:
    """Not one of the flood's questions ends before it."""

    async def flood() -> None:
        async with open_study(Limits(slice_seconds=0.05)) as study:
            asked = [
                ask(study, log.ask("hold", f"{person} {number}"), f"flooder {person}")
                for person in range(10)
                for number in range(4)
            ]
            await until(lambda: len(log.lines) >= 2)
            begun = len(log.lines)
            answer = await asyncio.wait_for(ask(study, log.ask("note", "honest")), PATIENCE)
            assert msgspec.json.decode(answer) == "honest"
            # At most what was on its way to a worker already came before it.
            assert log.lines.index("honest") <= begun + study.limits.running
            assert not any(task.done() and not task.exception() for task in asked)
            log.release()
            codes = {
                each.code if isinstance(each, Refused) else ""
                for each in await asyncio.gather(*asked, return_exceptions=True)
            }
            assert codes <= {"", "BUSY"}

    asyncio.run(flood())


def test_a_question_that_was_suspended_goes_on_where_it_was(log: Log) -> None:
    async def run() -> None:
        async with open_study(Limits(running=1, slice_seconds=0.05)) as study:
            long = ask(study, log.ask("hold", "long"), "a")
            await until(lambda: log.lines == ["long"])
            await ask(study, log.ask("note", "short"), "b")
            log.release()
            assert await asyncio.wait_for(long, PATIENCE) == b'"long"'
            assert log.lines == ["long", "short"]

    asyncio.run(run())


def test_when_too_many_are_suspended_one_begins_again_and_at_last_is_refused(log: Log) -> None:
    async def run() -> None:
        limits = Limits(running=1, suspended=0, restarts=1, slice_seconds=0.05)
        async with open_study(limits) as study:
            long = ask(study, log.ask("hold", "long"), "a")
            await until(lambda: log.lines == ["long"])
            await ask(study, log.ask("note", "1"), "b")
            await until(lambda: log.lines == ["long", "1", "long"])
            await ask(study, log.ask("note", "2"), "c")
            assert await code_of(long) == "BUSY"

    asyncio.run(run())


def test_identical_questions_are_worked_out_once_and_kept(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            asked = [ask(study, log.ask("hold", "same"), person) for person in "abcab"]
            await until(lambda: log.lines)
            log.release()
            assert set(await asyncio.gather(*asked)) == {b'"same"'}
            assert await ask(study, log.ask("hold", "same"), "d") == b'"same"'
            assert log.lines == ["same"]
            assert not list(study.scheduler)

    asyncio.run(run())


def test_the_cache_holds_only_so_many_bytes(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            study.cache.most_bytes = 8 * 250
            for number in range(20):
                await ask(study, log.ask("note", f"{number:0>30}"))
                assert study.cache.bytes <= study.cache.most_bytes
            await ask(study, log.ask("note", f"{19:0>30}"))
            assert len(log.lines) == 20
            await ask(study, log.ask("note", f"{0:0>30}"))
            assert len(log.lines) == 21
            await ask(study, log.ask("note", "x" * 1_000))
            await ask(study, log.ask("note", "x" * 1_000))
            assert len(log.lines) == 23  # larger than an eighth of it

    asyncio.run(run())


def test_a_person_has_five_questions_outstanding_and_others_are_not_concerned(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            asked = [ask(study, log.ask("hold", f"{number}")) for number in range(5)]
            await asyncio.sleep(0)
            assert await code_of(ask(study, log.ask("note", "sixth"))) == "QUEUE_FULL"
            assert await ask(study, log.ask("note", "mine"), "b") == b'"mine"'
            log.release()
            assert len(set(await asyncio.gather(*asked))) == 5

    asyncio.run(run())


def test_of_what_waits_on_one_topic_only_the_newest_of_each_person_is_worked_out(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            first = ask(study, log.ask("hold", "first"), "a", topic="edge")
            await until(lambda: log.lines == ["first"])
            second = ask(study, log.ask("note", "second"), "a", topic="edge")
            other = ask(study, log.ask("note", "other"), "a", topic="par")
            await asyncio.sleep(0)
            third = ask(study, log.ask("note", "third"), "a", topic="edge")
            assert await code_of(second) == "SUPERSEDED"
            log.release()
            assert [await each for each in (first, other, third)]
            assert "second" not in log.lines

    asyncio.run(run())


def test_a_question_that_nobody_waits_for_any_more_is_dropped(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            gone = ask(study, log.ask("hold", "gone"))
            stays = ask(study, log.ask("hold", "gone"), "b")
            await until(lambda: log.lines)
            (worker,) = [each for each in study.workers if each.job]
            gone.cancel()
            await asyncio.sleep(0)
            assert worker in study.workers
            stays.cancel()
            await until(lambda: not living(worker.id))
            assert not list(study.scheduler)

    asyncio.run(run())


# --- what goes wrong ------------------------------------------------------------------------


def test_a_refusal_keeps_its_sentence_its_code_and_its_clause() -> None:
    async def run() -> None:
        async with open_study() as study:
            with pytest.raises(Refused, match=r"It has no price\.") as why:
                await ask(study, Ask("refuse", {}))
            assert why.value.code == "NO_PRICE"
            assert why.value.clause
            assert why.value.clause.id == CLAUSE

    asyncio.run(run())


@pytest.mark.parametrize("question", ["fail", "exhaust", "no such question"])
def test_an_unexpected_exception_is_one_sentence_and_nothing_of_it_gets_out(
    question: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with open_study() as study:
            with pytest.raises(Refused) as why:
                await ask(study, Ask(question, {}))
            assert (why.value.sentence, why.value.code) == (
                "This question could not be answered.",
                "UNANSWERED",
            )
            assert await ask(study, Ask("note", {"log": os.devnull, "label": "x"})) == b'"x"'

    asyncio.run(run())
    (line,) = caplog.records
    assert "Error" in line.getMessage()
    assert "\n" not in line.getMessage()


def test_a_question_whose_worker_is_killed_is_tried_once_more(log: Log) -> None:
    async def run() -> None:
        async with open_study() as study:
            asked = ask(study, log.ask("hold", "x"))
            for tried in (1, 2):
                await until(lambda: len(log.lines) == tried)  # noqa: B023
                (worker,) = [each for each in study.workers if each.job]
                os.kill(worker.id, signal.SIGKILL)
                if tried == 1:
                    assert not asked.done()
            assert await code_of(asked) == "UNANSWERED"
            assert await ask(study, log.ask("note", "y")) == b'"y"'
            assert log.lines == ["x", "x", "y"]

    asyncio.run(run())


def test_a_question_that_takes_too_long_is_given_up_with_its_worker(log: Log) -> None:
    async def run() -> None:
        async with open_study(Limits(run_seconds=0.2)) as study:
            asked = ask(study, log.ask("hold", "x"))
            await until(lambda: log.lines)
            (worker,) = [each for each in study.workers if each.job]
            assert await code_of(asked) == "TOO_LONG_TO_ANSWER"
            await until(lambda: not living(worker.id))

    asyncio.run(run())


def test_a_worker_that_does_not_start_is_told_in_a_sentence() -> None:
    async def run() -> None:
        study = Study(questions="no_such_module_anywhere")
        assert await code_of(ask(study, Ask("x", {}))) == "NO_WORKER"
        assert await code_of(ask(study, Ask("x", {}))) == "NO_WORKER"  # at once: it is not tried
        await study.stop()

    asyncio.run(run())


def test_a_system_that_starts_no_process_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")

    async def run() -> None:
        async with open_study() as study:
            assert await code_of(ask(study, Ask("x", {}))) == "NO_WORKER"

    asyncio.run(run())


def test_every_refusal_of_the_study_has_its_status() -> None:
    for code, status in (
        ("QUEUE_FULL", 429),
        ("SUPERSEDED", 422),
        *((code, 503) for code in ("BUSY", "CLOSING", "NO_WORKER", "UNANSWERED")),
        ("TOO_LONG_TO_ANSWER", 503),
    ):
        assert refused(Refused("Why not.", code=code)).status_code == status


# --- processes ------------------------------------------------------------------------------


def test_workers_are_started_when_needed_up_to_a_bound_and_yield_to_the_tables(log: Log) -> None:
    async def run() -> None:
        async with open_study(Limits(slice_seconds=0.05)) as study:
            assert study.workers == []
            asked = [ask(study, log.ask("hold", f"{n}"), f"{n}") for n in range(8)]
            most = study.limits.running + study.limits.suspended + 1
            for _ in range(100):
                await asyncio.sleep(0.01)
                assert len(study.workers) <= most
            await until(lambda: len(log.lines) >= 2)
            busy = next(worker for worker in study.workers if worker.job)
            mine = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, busy.id) == min(19, mine + NICENESS)
            log.release()
            await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(run())


def test_a_worker_that_holds_too_much_memory_is_replaced(log: Log) -> None:
    async def run() -> None:
        async with open_study(Limits(worker_memory=1)) as study:
            await ask(study, log.ask("note", "1"))
            first = {worker.id for worker in study.workers}
            await ask(study, log.ask("note", "2"))
            assert {worker.id for worker in study.workers} != first

    asyncio.run(run())


def test_closing_leaves_no_process_and_nobody_waiting(log: Log) -> None:
    """Also not one that is suspended."""

    async def run() -> list[int]:
        async with open_study(Limits(slice_seconds=0.05)) as study:
            asked = [ask(study, log.ask("hold", f"{n}"), f"{n}") for n in range(4)]
            await until(lambda: study.scheduler.within(State.SUSPENDED))
            processes = [worker.id for worker in study.workers]
            assert all(map(living, processes))
        assert {await code_of(each) for each in asked} <= {"CLOSING", "BUSY"}
        assert await code_of(ask(study, log.ask("note", "late"))) == "CLOSING"
        return processes

    assert not any(map(living, asyncio.run(run())))


ABANDON = """
import asyncio, os, sys
from croupier.room.study.messages import Ask
from croupier.room.study.study import Study

async def run():
    study = Study(questions="study_questions")
    asyncio.create_task(study.answer(Ask("hold", {"log": sys.argv[1], "label": "x"}), "a", "a"))
    while not os.path.exists(sys.argv[1]):
        await asyncio.sleep(0.01)
    workers = [each for each in study.workers if each.job]
    workers[0].suspend()
    print(*(each.id for each in study.workers), flush=True)
    await asyncio.sleep(600)

asyncio.run(run())
"""


def test_workers_end_with_a_room_that_is_killed_even_while_they_are_suspended(log: Log) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ABANDON, str(log.path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as room:
        assert room.stdout
        processes = [int(each) for each in room.stdout.readline().split()]
        assert processes
        assert all(map(living, processes))
        room.kill()
    deadline = time.monotonic() + PATIENCE
    while any(map(living, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_house_that_goes_to_a_worker_as_data_is_the_same_house() -> None:
    for book in RULEBOOKS:
        house = default_house(book)
        source = msgspec.json.decode(msgspec.json.encode(house.source))
        assert read_data(source).terms() == house.terms()


def test_workers_that_nobody_needs_any_more_are_ended_but_for_two(log: Log) -> None:
    async def run() -> None:
        async with open_study(Limits(idle_seconds=0.2)) as study:
            asked = [ask(study, log.ask("hold", f"{n}"), f"{n}") for n in range(2)]
            await until(lambda: len(log.lines) == 2)
            await until(lambda: len(study.workers) == 3)
            log.release()
            await asyncio.gather(*asked)
            await until(lambda: len(study.workers) == 2)

    asyncio.run(run())
