"""What the processes of one room say to each other. The ledger tells them everything else: this is
what it does not hold, and nobody's money depends on."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec
from msgspec import Struct

from croupier.room.pace import Stand


class Word(Struct, frozen=True, tag_field="type", tag=str.lower):
    """``by`` is the process that says it."""

    by: str


class Hello(Word, frozen=True, tag=str.lower):
    """A process has come, and wants to know how the clocks stand."""


class Bye(Word, frozen=True, tag=str.lower):
    """A process goes, and its tables are free."""


class Beat(Word, frozen=True, tag=str.lower):
    """A process is well; said every second."""


class Present(Word, frozen=True, tag=str.lower):
    """Which processes there are."""

    processes: list[str]


class Wrote(Word, frozen=True, tag=str.lower):
    """How far a process has written, by table."""

    versions: dict[str, int]


class Named(Word, frozen=True, tag=str.lower):
    """A guest has become a named player, whose tables the guest's are now."""

    guest: str
    name: str


class At(Word, frozen=True):
    """Something about one table."""

    table: str


class Here(At, frozen=True, tag=str.lower):
    """Which seated players are connected to this process, and how many people watch there; said
    again every second."""

    names: list[str]
    watching: int = 0


class Ready(At, frozen=True, tag=str.lower):
    name: str
    rounds: int  # played so far: the word may come after the round it was for


class Pause(At, frozen=True, tag=str.lower):
    """Whether it is, or will be once a device is about to work."""

    paused: bool
    at: str = ""


class Purse(At, frozen=True, tag=str.lower):
    """A player took chips to the table, or from it."""

    name: str


class Watched(At, frozen=True, tag=str.lower):
    """Somebody begins to watch here, and wants to know how the clocks stand."""


class Clocks(At, frozen=True, tag=str.lower):
    """How they stand at this version, for whoever wants to know, and for whoever deals next."""

    version: int
    stand: Stand


class Closing(At, frozen=True, tag=str.lower):
    """The table is to be closed when no round is in play. Its owner does it."""

    who: str  # such as "owner Ann"
    reason: str


class Closed(At, frozen=True, tag=str.lower):
    """The table is closed."""


AnyWord = (
    Hello
    | Bye
    | Beat
    | Present
    | Wrote
    | Named
    | Here
    | Ready
    | Pause
    | Purse
    | Watched
    | Clocks
    | Closing
    | Closed
)

_decoder: msgspec.json.Decoder[AnyWord] = msgspec.json.Decoder(AnyWord)


def spoken(word: AnyWord) -> str:
    return msgspec.json.encode(word).decode()


def heard(payload: str | bytes) -> AnyWord | None:
    """None for what another version of us may say."""
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError:
        return None


class Others(Protocol):
    """The other processes of the room, if there are any."""

    @property
    def me(self) -> str: ...

    def say(self, word: AnyWord) -> None: ...

    def wrote(self, table: str, version: int) -> None: ...

    def spending(self, name: str) -> AbstractAsyncContextManager[None]: ...
