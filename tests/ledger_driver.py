"""Evenings kept in a ledger: the table's own driver for the tests, with a keeper underneath."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine_driver import Evening, Submission

from croupier.ledger.keeper import Answer, Keeper
from croupier.ledger.ledger import Ledger
from croupier.ledger.records import Happening
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.commands import DEALER, DEVICE, SUPERVISOR, player
from croupier.table.options import candidates
from croupier.table.state import Table

BEGAN = datetime(2025, 3, 14, 20, 0, tzinfo=UTC)
RARE = (c.RemoveDeck, c.RemoveDevice, c.ChangeMethod, c.SpreadDeck, c.StandUp)


class Ticking:
    """A clock that goes on a second each time somebody looks."""

    def __init__(self) -> None:
        self.now = BEGAN

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def at(where: str | Path, beside: Path, *, seed: int = 1, **more: Any) -> Ledger:
    """A ledger with a ticking clock, and entropy that is the same on every run."""
    entropy: Callable[[int], bytes] = random.Random(seed).randbytes
    return Ledger.at(where, beside=beside, clock=Ticking(), entropy=entropy, **more)


class KeptEvening(Evening):
    """Players at a keeper's table; each command has the next number as its id."""

    def __init__(
        self,
        keeper: Keeper,
        *,
        seats: Sequence[int] = (1, 2, 4),
        seed: int = 1,
        chips: int = 20_000_00,
    ) -> None:
        self.keeper = keeper
        self.rng = random.Random(seed)
        self.dealer = keeper.dealer
        self.seats = tuple(seats)
        self.chips = chips
        self.enough = min(2_000_00, chips // 2)
        self.commands: list[c.Command] = []

    @property
    def table(self) -> Table:  # type: ignore[override]
        return self.keeper.table

    def send(self, command: c.Command) -> Answer:
        """Say it, lawful or not."""
        self.commands.append(command)
        return self.keeper.execute(command, str(len(self.commands)))

    def do(self, command: c.Command) -> tuple[Any, ...]:
        answer = self.send(command)
        assert answer.refused is None, f"{command} {answer.refused}"
        return answer.events

    def anything(self) -> c.Command:
        """Something that somebody might say now, lawful or not, but for the table's end."""
        who = self.rng.choice((DEALER, SUPERVISOR, DEVICE, player("p1"), player("p2")))
        made = [x for x in candidates(self.table, who) if not isinstance(x, c.CloseTable)]
        kinds = sorted({type(each).__name__ for each in made})
        kind = self.rng.choice(kinds)
        command = self.rng.choice([each for each in made if type(each).__name__ == kind])
        rare = isinstance(command, RARE) and self.rng.random() < 0.9
        return self.anything() if rare else command

    def unruly(self, rounds: int) -> None:
        """Play so many rounds with all sorts of things said in between."""
        until = self.table.rounds + rounds
        while self.table.rounds < until:
            command = self.anything() if self.rng.random() < 0.15 else self.next()
            if self.send(command).refused and self.table.round is None and self.rng.random() < 0.2:
                self.put_right()

    def put_right(self) -> None:
        """What a floor supervisor does when devices and methods no longer fit together."""
        for device in ("shuffler", "shoe"):
            self.send(c.RemoveDevice(SUPERVISOR, device))
        house = self.table.house
        if house.shuffling == "automated":
            self.send(c.InstallDevice(SUPERVISOR, "shuffler"))
        if house.dealing == "automated shoe":
            self.send(c.InstallDevice(SUPERVISOR, "shoe"))
        self.send(c.ChangeMethod(SUPERVISOR, house.shuffling, house.dealing))
        for seat in self.seats:
            if not self.table.seats[seat - 1]:
                self.send(c.SitDown(player(f"p{seat}"), seat, self.chips))


def opened(
    ledger: Ledger, house: Submission, *, name: str = "t1", seed: int = 1, **more: Any
) -> KeptEvening:
    """A new table with three players at it."""
    evening = KeptEvening(Keeper.open(ledger, name, house, 1_000_000_00, **more), seed=seed)
    evening.arrive()
    return evening


def happenings(ledger: Ledger, name: str = "t1") -> Iterator[Happening]:
    """All that happened at a table, secrets in the clear."""
    for entry in ledger.store.read(name):
        yield ledger.sealer.happening(entry)


def table_events(ledger: Ledger, name: str = "t1") -> list[e.Event]:
    return [each for each in happenings(ledger, name) if isinstance(each, e.Event)]
