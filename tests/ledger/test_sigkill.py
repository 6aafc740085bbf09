"""A hundred real kills of a real process: nothing acknowledged is lost, nothing acts twice."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path

from helpers import ALL_BOOKS
from process_driver import READY, serve, template

from croupier.ledger.audit import audit
from croupier.ledger.crowd import WAYS, Crowd
from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.kept import Kept, evolve
from croupier.ledger.ledger import Ledger
from croupier.ledger.surveillance import watched
from croupier.table.commands import Command

KILLS = 100
STARTING = 0.05  # seconds in which every tenth process is killed before it is ready
LONGEST_LIFE = 0.12  # seconds after that, for the others


class Player:
    """Everybody at one table, in the process that stays alive: what was sent, and what was said."""

    def __init__(self, name: str, kept: Kept, rng: random.Random) -> None:
        self.name = name
        self.kept = kept
        self.sequence = 0
        self.sent: dict[str, Command] = {}
        self.answers: dict[str, Answer] = {}
        self.waiting = ""  # the id of the command under way
        self.again = ""  # of an old one, sent once more
        self.crowd = Crowd(lambda: self.kept, rng, unruly=0.03)
        self.rng = rng

    def say(self, pipe: Connection) -> None:
        """The next command, or once more the one nobody answered; and an old one now and then."""
        if not self.waiting:
            self.waiting = f"{self.name}-{len(self.sent) + 1}"
            self.sent[self.waiting] = self.crowd.next()
        pipe.send((self.name, self.waiting, self.sent[self.waiting]))
        acted = [each for each in self.answers if not self.answers[each].refused]
        if acted and self.rng.random() < 0.1:
            again = self.rng.choice(acted)
            pipe.send((self.name, again, self.sent[again]))

    def hear(self, command_id: str, answer: Answer | str) -> bool:
        """Whether it was the answer we waited for."""
        assert isinstance(answer, Answer), answer
        if command_id != self.waiting:
            assert answer == self.answers[command_id]
            return False
        if not answer.refused:
            assert answer.first == self.sequence + 1  # none lost before it, none doubled
            for happening in answer.events:
                self.kept = evolve(self.kept, happening)
            self.sequence += len(answer.events)
        self.answers[command_id] = answer
        self.waiting = ""
        return True


def heard(pipe: Connection, seconds: float) -> Iterator[tuple[str, str, object]]:
    """What comes out of the pipe for so long, or until it breaks."""
    until = time.monotonic() + seconds
    with suppress(EOFError, ConnectionError):
        while pipe.poll(max(0.0, until - time.monotonic())):
            yield pipe.recv()


def test_a_hundred_kills_lose_nothing_that_was_acknowledged_and_double_nothing(
    tmp_path: Path,
) -> None:
    rng = random.Random(9)
    where = tmp_path / "evening.db"
    ledger = Ledger.at(where)
    players = {}
    for name, book in zip("abcde", ALL_BOOKS, strict=True):
        house = {"rulebook": book, **rng.choice(WAYS)}
        opened = Keeper.open(ledger, name, house, 1_000_000_00)
        players[name] = Player(name, opened.kept, rng)
        players[name].sequence = opened.head.sequence
    ledger.close()
    met: Counter[str] = Counter()

    with template() as start:
        for number in range(KILLS):
            process, pipe = start(serve, where)
            patience = rng.uniform(0, STARTING) if number % 10 == 0 else 60.0
            for _, _, heads in islice(heard(pipe, patience), 1):
                assert isinstance(heads, dict)
                for player in players.values():
                    extra = heads[player.name] - player.sequence
                    assert extra >= 0, f"{player.name} lost {-extra} entries"
                    met["written, but never told"] += extra > 0
                    player.say(pipe)
                for name, command_id, said in heard(pipe, rng.uniform(0, LONGEST_LIFE)):
                    if players[name].hear(command_id, said):  # type: ignore[arg-type]
                        players[name].say(pipe)
                    else:
                        met["repeated"] += 1
            os.kill(process, signal.SIGKILL)
            for name, command_id, said in heard(pipe, 60.0):  # what it said before it died
                if name != READY:
                    players[name].hear(command_id, said)  # type: ignore[arg-type]
            pipe.close()
            met["kills"] += 1

    ledger = Ledger.at(where)
    for player in players.values():
        keeper = Keeper.resume(ledger, player.name)
        if player.waiting:
            player.hear(player.waiting, keeper.execute(player.sent[player.waiting], player.waiting))
        assert (keeper.head.sequence, keeper.kept) == (player.sequence, player.kept)
        eye = watched(ledger, player.name)
        acted = [each for each in player.answers.values() if not each.refused]
        for answer in acted:
            eye.confirm(answer)
        assert len(eye.answers) == len(acted) + 1  # the opening
        met["commands"] += len(acted)
        met["rounds"] += eye.rounds
        met["cents moved"] += eye.money
    report = audit(ledger)
    ledger.close()
    assert report.discrepancies == []
    print(dict(met), "lost: 0, doubled: 0")
    assert met["kills"] == KILLS
    assert met["commands"] > 300, met
