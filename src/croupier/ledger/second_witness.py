"""A second witness: checkpoints also kept elsewhere, in a file on another mount or by another room.

Whoever can change the database and the files beside it cannot change what lies elsewhere, so a cut
or rewritten ledger is found. Sending never holds up a table: a thread sends what the store has and
the witness lacks, and tries again later when that fails.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Protocol
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint, Witness
from croupier.ledger.discrepancy import ROOM
from croupier.ledger.store import Store

AT_ONCE = 50  # checkpoints in one message
LONGEST_ANSWER = 1 << 20  # bytes
PATIENCE = 10.0  # seconds for an answer
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds until the next try
WEB = ("http://", "https://")

log = logging.getLogger("croupier.witness")


class Message(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room is told."""

    checkpoints: list[Checkpoint]


class Heads(Struct, frozen=True):
    """The last sequence a witness has of each table."""

    heads: dict[str, int]


class Page(Struct, frozen=True):
    checkpoints: list[Checkpoint]
    next: int  # ask for what is after this; 0: there is no more


class Target(Protocol):
    name: str

    def heads(self) -> dict[str, int]: ...

    def add(self, checkpoints: Sequence[Checkpoint]) -> None: ...

    def all(self) -> Iterable[Checkpoint]: ...


class FileTarget:
    """A file that is only appended to, a line for each checkpoint."""

    def __init__(self, path: Path) -> None:
        self.name = f"The witness {path}"
        self._witness = Witness(path)

    def heads(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for each in self._witness.all():
            found[each.table] = max(each.sequence, found.get(each.table, 0))
        return found

    def add(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._witness.add(checkpoints)

    def all(self) -> Iterable[Checkpoint]:
        if not self._witness.path.is_file():
            raise Refused(f"There is no witness file {self._witness.path}.")
        return self._witness.all()


class RoomTarget:
    """Another room, at ``https://host/api/witness/NAME``. It knows our public key by that name."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if not parts.hostname or "/api/witness/" not in parts.path or parts.query:
            raise Refused(f"The witness {url} is no address such as https://HOST/api/witness/NAME.")
        self.name = f"The witness {url}"
        self._url = url.rstrip("/")

    def heads(self) -> dict[str, int]:
        return msgspec.json.decode(self._ask("/heads"), type=Heads).heads

    def add(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._ask("", msgspec.json.encode(Message(list(checkpoints))))

    def all(self) -> Iterable[Checkpoint]:
        after = 0
        while True:
            try:
                page = msgspec.json.decode(self._ask(f"?after={after}"), type=Page)
            except (OSError, msgspec.MsgspecError) as error:
                raise Refused(f"{self.name} cannot be read: {error}.") from None
            yield from page.checkpoints
            if page.next <= after:
                return
            after = page.next

    def _ask(self, more: str, body: bytes | None = None) -> bytes:
        request = Request(self._url + more, data=body)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=PATIENCE) as answer:
            said: bytes = answer.read(LONGEST_ANSWER + 1)
        if len(said) > LONGEST_ANSWER:
            raise URLError("the answer is too long")
        return said


def target(where: str) -> Target:
    """A file or an address."""
    return RoomTarget(where) if where.startswith(WEB) else FileTarget(Path(where))


class SecondWitness:
    """Sends to one target. What waits is the names of tables, so that a witness which is away for
    long takes no memory; their checkpoints are read from the store when it is there again."""

    def __init__(
        self, store: Store, target: Target, *, pause: Callable[[float], bool] | None = None
    ) -> None:
        """``pause`` waits so many seconds, less when it is woken; True: go on."""
        self.target = target
        self.trouble = ""  # why the last attempt failed; empty when it did not
        self._store = store
        self._heads: dict[str, int] | None = None  # as far as the target has them
        self._waiting: set[str] = {ROOM, *store.tables()}  # it may lack some from before
        self._lock = Lock()
        self._wake = Event()
        self._closed = False
        self._pause = pause or self._wait
        self._thread = Thread(target=self._run, name="second witness", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def heard(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Never waits and never fails: it is called by whoever writes for a table."""
        with self._lock:
            self._waiting.update(each.table for each in checkpoints)
        self._wake.set()

    def lag(self) -> int:
        """How many checkpoints the store has and the witness does not."""
        with self._lock:
            heads, waiting = dict(self._heads or {}), set(self._waiting)
        return sum(
            sum(1 for _ in self._store.checkpoints(table, heads.get(table, 0))) for table in waiting
        )

    def close(self) -> None:
        """What is not sent is sent after the next start."""
        self._closed = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    # --- the thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._closed:
            if self.send():
                pause = FIRST_PAUSE
                self._wake.wait()
                self._wake.clear()
            else:
                self._pause(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _wait(self, seconds: float) -> bool:
        self._wake.clear()
        return self._wake.wait(seconds)

    def send(self) -> bool:
        """Send what the target lacks. Returns whether it now has everything."""
        try:
            if self._heads is None:
                self._heads = self.target.heads()
            while table := self._next():
                self._send(table)
        except (OSError, Refused, msgspec.MsgspecError, ValueError) as error:
            if not self.trouble:  # once, not at every try
                log.warning("%s cannot be reached: %s", self.target.name, error)
            self.trouble = str(error)
            return False
        self.trouble = ""
        return True

    def _next(self) -> str:
        with self._lock:
            return next(iter(self._waiting), "") if not self._closed else ""

    def _send(self, table: str) -> None:
        assert self._heads is not None
        while True:
            with self._lock:
                self._waiting.discard(table)
            part: list[Checkpoint] = []
            try:
                for each in self._store.checkpoints(table, self._heads.get(table, 0)):
                    part.append(each)
                    if len(part) == AT_ONCE:
                        break
                if not part:
                    return
                self.target.add(part)
            except BaseException:
                with self._lock:
                    self._waiting.add(table)
                raise
            with self._lock:
                self._heads[table] = part[-1].sequence
