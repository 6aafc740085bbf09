"""The file of a round, read as strictly as it can be: nothing in it goes unread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

from croupier.law.refused import Refused
from croupier.ledger.entry import canonical
from croupier.ledger.replay import FORMAT, OLD_FORMAT, Story

LARGEST = 64 << 20  # bytes


def read_story(path: Path) -> Story:
    """A round from a file, as ``croupier replay --json`` and the room write it."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > LARGEST:
        raise Refused(f"{path} is larger than {LARGEST >> 20} MB; that is no round of play.")
    return story_in(data, str(path))


def story_in(data: bytes, name: str = "This") -> Story:
    try:
        told = msgspec.json.decode(data, type=Story)
        plain = json.loads(data, object_pairs_hook=_each_once)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused(f"{name} is not a round of play: {error}.") from None
    if told.format not in (FORMAT, OLD_FORMAT):
        formats = f"{FORMAT!r} or {OLD_FORMAT!r}"
        raise Refused(f"{name} is of the format {told.format!r}, not {formats}.")
    if told.format == FORMAT and canonical(plain) != canonical(to_builtins(told)):
        raise Refused(f"{name} is not a round of play: it holds more or less than such a file has.")
    if not told.over:
        raise Refused(f"Round {told.round} is not over; its shuffle is not revealed yet.")
    return told


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in it")
    return found
