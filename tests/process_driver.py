"""Keepers in processes of their own, to be killed, or set against each other.

They are forked from one that has played a round of every game, so that a new one is at work at
once. Run as a script, this file is that one.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any

from croupier.games.registry import RULEBOOKS
from croupier.law.refused import Refused
from croupier.ledger.crowd import Crowd
from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.store import Fenced, Unwritten
from croupier.table.commands import Command

READY = "ready"

Start = Callable[..., tuple[int, Connection]]  # what to do and with what; the process and its pipe


@contextmanager
def template() -> Iterator[Start]:
    """Gives what starts processes; they end when killed, or by themselves."""
    with Listener(family="AF_UNIX") as listener:
        address = str(listener.address)
        with subprocess.Popen([sys.executable, __file__, address]) as running:
            with listener.accept() as pipe:
                assert pipe.recv() == READY

                def start(work: Callable[..., None], *args: Any) -> tuple[int, Connection]:
                    pipe.send((work.__name__, args))
                    return pipe.recv(), listener.accept()

                yield start
            running.wait(10)


def main(address: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    warm_up()
    with Client(address) as pipe:
        pipe.send(READY)
        while True:
            try:
                work, args = pipe.recv()
            except EOFError:
                return
            process = os.fork()
            if process == 0:
                at_work(address, globals()[work], args)
            pipe.send(process)


def at_work(address: str, work: Callable[..., None], args: tuple[Any, ...]) -> None:
    try:
        with Client(address) as pipe:
            work(pipe, *args)
    except EOFError:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def warm_up() -> None:
    """A round of every game: what is read or compiled once is read and compiled now."""
    with TemporaryDirectory() as folder:
        ledger = Ledger.at(Path(folder) / "warm.db")
        for book in RULEBOOKS:
            keeper = Keeper.open(ledger, book, {"rulebook": book}, 1_000_000_00)
            crowd = Crowd(lambda kept=keeper: kept.kept, random.Random(1), unruly=0)  # type: ignore[misc]
            while not keeper.table.rounds:
                keeper.execute(crowd.next(), str(keeper.head.sequence))
        ledger.close()


# --- many tables, a thread each, under one group commit -------------------------------------


def serve(pipe: Connection, where: Path) -> None:
    """Take (table, id, command), give (table, id, answer or what went wrong)."""
    ledger = Ledger.at(where, group=True, checkpoint_every=50, snapshot_every=150)
    writing = Lock()
    waiting: dict[str, SimpleQueue[tuple[str, Command]]] = {}

    def keep(keeper: Keeper) -> None:
        while True:
            command_id, command = waiting[keeper.name].get()
            answer: Answer | str
            try:
                answer = keeper.execute(command, command_id)
            except Refused as refused:
                answer = str(refused)
            with writing:
                pipe.send((keeper.name, command_id, answer))

    keepers = [Keeper.resume(ledger, name) for name in ledger.store.tables()]
    pipe.send((READY, "", {keeper.name: keeper.head.sequence for keeper in keepers}))
    for keeper in keepers:
        waiting[keeper.name] = SimpleQueue()
        Thread(target=keep, args=(keeper,), daemon=True).start()
    while True:
        table, command_id, command = pipe.recv()
        waiting[table].put((command_id, command))


# --- one table, and whoever else owns it ----------------------------------------------------


def contend(pipe: Connection, where: str, beside: Path, table: str, me: str, count: int) -> None:
    """Say so many things at a table, then give every answer, and how often we were fenced."""
    ledger = Ledger.at(where, beside=beside)
    keeper = Keeper.resume(ledger, table)
    crowd = Crowd(lambda: keeper.kept, random.Random(me), unruly=0)
    pipe.send(READY)
    pipe.recv()
    answers, fenced = [], 0
    for number in range(count):
        command_id = f"{me}{number}"
        command = crowd.next()
        while True:
            try:
                answers.append(keeper.execute(command, command_id))
                break
            except (Fenced, Unwritten) as refused:  # written elsewhere, or locked for too long
                fenced += isinstance(refused, Fenced)
    pipe.send((answers, fenced))
    ledger.close()


if __name__ == "__main__":
    main(sys.argv[1])
