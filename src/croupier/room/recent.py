"""What happened at a table lately, for clients that were away for a moment or ask twice."""

from __future__ import annotations

from collections import OrderedDict, deque

from msgspec import Raw, Struct

from croupier.law.refused import Refused
from croupier.ledger.kept import Kept
from croupier.room.limits import Limits
from croupier.room.messages import Happened, No
from croupier.room.shown import Data

VIEW_BYTES = 3_500  # of a message beside its events: a view and its options at a full table
ANSWERS = 2_000  # remembered so that the same command gets the same answer


class Moment(Struct, frozen=True, gc=False):
    """One command and how the table stood after it."""

    since: int  # the version before
    version: int
    time: str
    actor: str
    lines: Raw  # JSON: written once for all who are told
    kept: Kept
    clocks: Data
    at_rest: bool  # else the dealer goes on at once, and nobody is asked anything

    def told(self, table: str, view: Data, options: list[Data]) -> Happened:
        """To one who sees this of it."""
        return Happened(
            table,
            self.since,
            self.version,
            self.time,
            self.actor,
            self.lines,
            view,
            options,
            self.clocks,
        )


class Recent:
    def __init__(self, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        self._bytes = limits.replay_bytes
        self._moments: deque[Moment] = deque(maxlen=limits.replay_moments)

    def add(self, moment: Moment) -> None:
        self._moments.append(moment)

    def clear(self) -> None:
        """From here on there is a gap."""
        self._moments.clear()

    def since(self, after: int | None, version: int) -> list[Moment] | None:
        """What happened from one version to another. None where that is more than is remembered
        or replayed, or where ``after`` is no version that was ever told."""
        if after is None or after > version:
            return None
        missed = [moment for moment in self._moments if moment.since >= after]
        reaches = missed[0].since if missed else version
        size = sum(memoryview(moment.lines).nbytes + VIEW_BYTES for moment in missed)
        return missed if reaches == after and size <= self._bytes else None


class Answers:
    """To players and supervisors."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, No | None]] = OrderedDict()

    def add(self, command_id: str, said: str, refused: No | None) -> None:
        self._known[command_id] = (said, refused)
        if len(self._known) > ANSWERS:
            self._known.popitem(last=False)

    def knows(self, command_id: str, said: str) -> bool:
        """Whether this very command was answered; ``said`` is its fingerprint."""
        if command_id in self._known and self._known[command_id][0] != said:
            raise Refused(f"The id {command_id!r} was given to another command before.")
        return command_id in self._known

    def of(self, command_id: str) -> No | None:
        """Why it was refused; None where it was not."""
        return self._known[command_id][1]
