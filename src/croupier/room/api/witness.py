"""This room as a witness of other rooms: it keeps their signed checkpoints, and never changes them.

It is off unless the room is told whose checkpoints to keep. Anybody may send and read; what counts
is the signature, which is checked against the public keys given for the name.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint, genuine
from croupier.ledger.keys import KEY_BYTES, PublicKeys, key_id
from croupier.ledger.second_witness import AT_ONCE, Heads, Message, Page
from croupier.room.api.endpoints import Served
from croupier.room.door.buckets import Buckets, Rate
from croupier.room.door.guard import address
from croupier.room.settings import Settings

FILE = "witnessed.db"
PAGE = 500
MOST = 2_000_000  # checkpoints kept in all, about a gigabyte
LONGEST = 128  # characters of any field
RATE = Rate(5, 50)  # messages of one address

Kind = TypeVar("Kind")


class After(Struct, frozen=True):
    after: Annotated[int, Meta(ge=0)] = 0


class Received(Struct, frozen=True):
    kept: int  # of those sent, the ones that were new


def pinned_keys(said: tuple[str, ...]) -> dict[str, PublicKeys]:
    """Read what ``--witness-for`` says: NAME=PUBLIC KEY in hexadecimal, once for each key."""
    found: dict[str, dict[str, bytes]] = {}
    for each in said:
        name, _, key = each.partition("=")
        try:
            public = bytes.fromhex(key)
        except ValueError:
            public = b""
        if not name.isalnum() or not name.isascii() or len(public) != KEY_BYTES:
            raise Refused(
                f"--witness-for {each!r} is not NAME=KEY, a name of letters and digits and a "
                f"public key of {2 * KEY_BYTES} hexadecimal digits."
            )
        found.setdefault(name, {})[key_id(public)] = public
    return {name: PublicKeys(keys) for name, keys in found.items()}


class Archive:
    """Checkpoints in a SQLite file of their own, added and never changed."""

    def __init__(self, path: Path, *, most: int = MOST) -> None:
        self._path = path
        self._most = most
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with self._opened() as file:
            file.execute(
                "CREATE TABLE IF NOT EXISTS witnessed (number INTEGER PRIMARY KEY, "
                "witness TEXT NOT NULL, table_id TEXT NOT NULL, sequence BIGINT NOT NULL, "
                "checkpoint TEXT NOT NULL, UNIQUE (witness, table_id, sequence, checkpoint))"
            )

    def add(self, name: str, checkpoints: list[Checkpoint]) -> int:
        """Returns how many were new."""
        insert = "INSERT OR IGNORE INTO witnessed VALUES (NULL, ?, ?, ?, ?)"
        with self._opened() as file:
            ((many,),) = file.execute("SELECT coalesce(max(number), 0) FROM witnessed")
            if many + len(checkpoints) > self._most:
                raise Refused("This witness has no more room.", code="FULL")
            before = file.total_changes
            for each in checkpoints:
                line = msgspec.json.encode(each).decode()
                file.execute(insert, (name, each.table, each.sequence, line))
            return file.total_changes - before

    def heads(self, name: str) -> dict[str, int]:
        statement = (
            "SELECT table_id, max(sequence) FROM witnessed WHERE witness = ? GROUP BY table_id"
        )
        with self._opened() as file:
            return dict(file.execute(statement, (name,)).fetchall())

    def page(self, name: str, after: int) -> Page:
        statement = (
            "SELECT number, checkpoint FROM witnessed WHERE witness = ? AND number > ? "
            f"ORDER BY number LIMIT {PAGE}"
        )
        with self._opened() as file:
            rows = file.execute(statement, (name, after)).fetchall()
        found = [msgspec.json.decode(line, type=Checkpoint) for _, line in rows]
        return Page(found, rows[-1][0] if len(rows) == PAGE else 0)

    def _opened(self) -> _Transaction:
        return _Transaction(self._path)


class _Transaction:
    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, timeout=5)
        self._file.execute("PRAGMA synchronous = FULL")

    def __enter__(self) -> sqlite3.Connection:
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with closing(self._file):
            if kind is None:
                self._file.commit()


def served(settings: Settings) -> list[Served]:
    desk = Desk(settings)
    path = "/api/witness/{name}"
    return [
        Served(
            "POST",
            path,
            desk.receive,
            "Keep signed checkpoints of another room.",
            gives=Received,
            takes=Message,
            refuses=(404,),
        ),
        Served(
            "GET",
            path,
            desk.page,
            "The checkpoints kept for another room.",
            gives=Page,
            asks=After,
            refuses=(404,),
        ),
        Served(
            "GET",
            f"{path}/heads",
            desk.heads,
            "The last checkpoint kept of each of its tables.",
            gives=Heads,
            refuses=(404,),
        ),
    ]


class Desk:
    def __init__(self, settings: Settings) -> None:
        self._keys = pinned_keys(settings.witness_for)
        self._archive = Archive(settings.data / FILE) if self._keys else None
        self._rate = Buckets(RATE)

    async def receive(self, request: Request, message: Message) -> Received:
        name, keys, archive = self._found(request)
        if len(message.checkpoints) > AT_ONCE:
            raise Refused(f"At most {AT_ONCE} checkpoints are sent at once.", code="TOO_LONG")
        return Received(
            await self._read(lambda: self._keep(name, keys, archive, message.checkpoints))
        )

    def _keep(
        self, name: str, keys: PublicKeys, archive: Archive, checkpoints: list[Checkpoint]
    ) -> int:
        for each in checkpoints:
            short = all(len(text) <= LONGEST for text in astuple(each) if isinstance(text, str))
            if not short or not 0 < each.sequence < 1 << 62 or not genuine(keys, each):
                raise Refused(
                    "A checkpoint is not signed by a key that is pinned here.", code="NOT_GENUINE"
                )
        return archive.add(name, checkpoints)

    async def page(self, request: Request, asked: After) -> Page:
        name, _, archive = self._found(request)
        return await self._read(lambda: archive.page(name, asked.after))

    async def heads(self, request: Request) -> Heads:
        name, _, archive = self._found(request)
        return Heads(await self._read(lambda: archive.heads(name)))

    def _found(self, request: Request) -> tuple[str, PublicKeys, Archive]:
        if self._rate.take(address(request.scope)):
            raise Refused("Too many requests: wait a little.", code="TOO_FAST")
        name = request.path_params["name"]
        if name not in self._keys or self._archive is None:
            raise Refused("This room keeps no checkpoints of that name.", code="NO_SUCH_WITNESS")
        return name, self._keys[name], self._archive

    async def _read(self, work: Callable[[], Kind]) -> Kind:
        """Away from the event loop: it waits for the disk."""
        try:
            return await run_in_threadpool(work)
        except sqlite3.Error:
            raise Refused("The checkpoints cannot be kept or read now.", code="UNREAD") from None
