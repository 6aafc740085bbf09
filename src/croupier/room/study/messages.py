"""What a room and its workers say to each other: plain data, each with its length before it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

LENGTH = 4  # bytes that say how long a message is
LONGEST = 64 * 1024 * 1024  # bytes of an answer


class Ask(Struct, frozen=True):
    """A question by the name of its function, and plain data for it."""

    name: str
    given: dict[str, Any]

    def key(self) -> bytes:
        """Equal questions have equal keys."""
        return msgspec.json.encode(self, order="sorted")


class Answered(Struct, frozen=True, tag=True):
    content: bytes
    memory: int  # bytes the worker holds


class Refusal(Struct, frozen=True, tag=True):
    """One sentence for the person who asked."""

    sentence: str
    code: str
    clause: str | None
    memory: int


class Broken(Struct, frozen=True, tag=True):
    """An unexpected exception, for the log."""

    what: str
    memory: int


class Ready(Struct, frozen=True, tag=True):
    pass


Reply = Answered | Refusal | Broken | Ready


def framed(message: Struct) -> bytes:
    return frame(msgspec.msgpack.encode(message))


def frame(content: bytes) -> bytes:
    return len(content).to_bytes(LENGTH, "big") + content


_reply: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)
reply_in = _reply.decode
ask_in = msgspec.json.Decoder(Ask).decode
