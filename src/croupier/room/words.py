"""What the processes of one room say to each other. The ledger tells them everything else: this is
what it does not hold, and nobody's money depends on."""

from __future__ import annotations

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


class At(Word, frozen=True):
    """Something about one table."""

    table: str


class Here(At, frozen=True, tag=str.lower):
    """Who of the seated is connected to this process; said again every second."""

    names: list[str]


class Ready(At, frozen=True, tag=str.lower):
    name: str
    rounds: int  # played so far: the word may come after the round it was for


class Pause(At, frozen=True, tag=str.lower):
    """Whether it is, or will be once a device is about to work."""

    paused: bool
    at: str = ""


class Clocks(At, frozen=True, tag=str.lower):
    """How they stand, for a process that said hello."""

    to: str
    stand: Stand


AnyWord = Hello | Bye | Here | Ready | Pause | Clocks

_decoder: msgspec.json.Decoder[AnyWord] = msgspec.json.Decoder(AnyWord)


def spoken(word: AnyWord) -> str:
    return msgspec.json.encode(word).decode()


def heard(payload: str) -> AnyWord | None:
    """None for what another version of us may say."""
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError:
        return None
