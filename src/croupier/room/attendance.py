"""Who is at a table through other processes: seated players who are connected, and spectators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

from croupier.ledger.records import Happening
from croupier.table.events import PlayerSat

HEARD_WITHIN = 5.0  # seconds for which another process's word counts; it is said every second
JUST_SAT = 2.0  # seconds within which that word comes

Now = Callable[[], float]


class Attendance:
    def __init__(self, *, now: Now = monotonic) -> None:
        self._now = now
        self._elsewhere: dict[str, tuple[list[str], float]] = {}  # by process, until when
        self._watching: dict[str, float] = {}  # processes where somebody watches, until when
        self._sat: dict[str, float] = {}  # until when somebody who just sat counts as there

    def heard(self, process: str, names: list[str], watching: int = 0) -> None:
        self._elsewhere[process] = (names, self._now() + HEARD_WITHIN)
        self._watching[process] = self._now() + HEARD_WITHIN if watching else 0.0

    def follow(self, happened: Iterable[Happening]) -> None:
        for each in happened:
            if isinstance(each, PlayerSat):
                self._sat[each.player] = self._now() + JUST_SAT

    def gone(self, process: str) -> None:
        """A process is gone, and everybody connected to it."""
        self._elsewhere.pop(process, None)
        self._watching.pop(process, None)

    def watched_elsewhere(self) -> bool:
        now = self._now()
        return any(until > now for until in self._watching.values())

    def elsewhere(self, name: str) -> bool:
        now = self._now()
        return self._sat.get(name, now) > now or any(
            name in names and until > now for names, until in self._elsewhere.values()
        )

    def wait(self) -> float | None:
        """Seconds until a word no longer counts; None where there is none. One that has just run
        out is told of once more: whoever looked a moment ago may have found that it counts."""
        now = self._now()
        ends = [*self._sat.values(), *(until for _, until in self._elsewhere.values())]
        self._elsewhere = {key: word for key, word in self._elsewhere.items() if word[1] > now}
        self._sat = {name: until for name, until in self._sat.items() if until > now}
        return max(0.0, min(ends) - now) if ends else None
