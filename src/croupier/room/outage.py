"""Whether the room's store can be used.

The stores report every failure here. From then on nothing is asked of the store but a small write
every quarter of a second, by a thread of its own; when that succeeds the tables go on. So a store
that is away is noticed once, is not waited for again and again, and is written to the log twice:
when it fails, and when it is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Protocol

from croupier.law.refused import Refused
from croupier.ledger.store import NotWritten, StoreTrouble, Unwritten
from croupier.room.door.register import Register
from croupier.room.door.roles import Role
from croupier.room.messages import Answer, No, Trouble, no

EVERY = 0.25  # seconds between two tries
TRIAL = 1.0  # seconds without a failure before the outage is over
AFTER_TROUBLE = 1.0  # seconds before a table goes on after any other error
MOST_UNKNOWN = 10_000  # commands whose outcome is unknown that are remembered

# A real write, of a row that is in every store, which changes nothing.
PROBE = "UPDATE migrations SET applied = applied WHERE version = 1"
PROBE_READ = "SELECT version FROM migrations WHERE version = 1"

log = logging.getLogger("croupier.room.store")

Probe = Callable[[], None]


def probe_of(register: Register) -> Probe:
    """A read and a write, through the connections of the room's own tables."""

    def probe() -> None:
        register.look(PROBE_READ)
        register.change((PROBE, ()))

    return probe


class Host(Protocol):
    """A table's, as far as it is needed here."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    def perform(
        self, do: dict[str, Any], command_id: str, name: str, role: Role
    ) -> Coroutine[Any, Any, Answer]: ...


def refusal(wrong: Refused) -> No:
    """As an answer tells it. A failing store refuses nothing: its error is raised again."""
    if isinstance(wrong, StoreTrouble):
        raise wrong
    return no(wrong)


class Outage:
    """``failed`` may be called from any thread; so may this call ``on_change`` when the store is
    lost or back. The rest is for the event loop."""

    def __init__(self, probe: Probe, *, every: float = EVERY, trial: float = TRIAL) -> None:
        self.on_change: Callable[[], object] | None = None
        self._probe = probe
        self._every, self._trial = every, trial
        self._lock = Lock()
        self._closed = Event()
        self._since: float | None = None  # when the outage began; None without one
        self._down = False  # whether nothing may be asked of the store
        self._failures = 0  # so far, to see whether there were more
        self._unknown: set[tuple[str, str]] = set()
        self._forgot = False  # whether there were too many of them to remember

    @property
    def down(self) -> bool:
        """Whether the store is away: nothing is written, and nobody should try."""
        return self._down

    @property
    def over(self) -> bool:
        """Whether the store works, and has for a while."""
        return self._since is None

    def failed(self, trouble: StoreTrouble) -> None:
        """The store could not be reached, read or written."""
        with self._lock:
            self._failures += 1
            lost, self._down = not self._down, True
            first = self._since is None and not self._closed.is_set()
            if first:
                self._since = monotonic()
        if lost:
            self._changed()
        if first:
            log.error("the store cannot be used: %s", trouble)
            Thread(target=self._watch, name="store probe", daemon=True).start()

    def _changed(self) -> None:
        if self.on_change:
            self.on_change()

    # --- what a player asks ---------------------------------------------------------------------

    async def perform(
        self, host: Host, do: dict[str, Any], command_id: str, name: str, role: Role
    ) -> Answer | Trouble:
        """A command's answer. While the store is away it is not tried. Where the store fails amid
        it, nobody knows whether it was kept: that is no answer, and the same id can be sent again
        until there is one."""
        try:
            if self._down:
                sent_before = self._forgot or (host.name, command_id) in self._unknown
                raise (Unwritten if sent_before else NotWritten)("The store is away.")
            return await host.perform(do, command_id, name, role)
        except NotWritten as wrong:
            return Answer(command_id, host.name, host.version, no(wrong))
        except StoreTrouble:
            self._remember(host.name, command_id)
            return Trouble(command_id, host.name, Unwritten.public)

    def _remember(self, table: str, command_id: str) -> None:
        if len(self._unknown) < MOST_UNKNOWN:
            self._unknown.add((table, command_id))
        else:
            self._forgot = True

    # --- what the house does --------------------------------------------------------------------

    async def recover(self, table: str, error: Exception) -> None:
        """Wait before the house acts again after an error."""
        if isinstance(error, StoreTrouble) and self._down:
            await self.back()
            return
        log.error("table %s is in trouble", table, exc_info=error)
        await asyncio.sleep(AFTER_TROUBLE)

    async def back(self) -> None:
        """Return when the store may be asked again."""
        while self._down:
            await asyncio.sleep(self._every / 2)

    def close(self) -> None:
        self._closed.set()

    def _watch(self) -> None:
        """Until the store has worked for a while."""
        while not self._closed.wait(self._every):
            if not self._works():
                continue
            with self._lock:
                self._down, before = False, self._failures
            self._changed()
            if self._closed.wait(self._trial):
                return
            with self._lock:
                if self._failures > before:
                    continue
                lasted = monotonic() - (self._since or 0)
                self._since = None
                self._unknown.clear()
                self._forgot = False
            log.warning("the store can be used again after %.1f seconds", lasted)
            return

    def _works(self) -> bool:
        try:
            self._probe()
        except Exception:  # whatever it is, the store does not work
            return False
        return True


NEVER = Outage(lambda: None)  # for tables whose store reports to nobody
