"""The audit over HTTP: whether the chain, the signatures and the books hold."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from msgspec import Struct
from starlette.requests import Request

from croupier.ledger.chain import Head
from croupier.ledger.checkpoint import Checkpoint
from croupier.ledger.entry import stamp
from croupier.room.api.auditing import ABOUT, Audited, Auditor, Finding
from croupier.room.api.endpoints import Served
from croupier.room.floor import Room
from croupier.rules.money import Cents

COUNTS = (
    *("entries", "commands", "rounds", "moved", "promised", "revealed", "outstanding"),
    *("checkpoints", "since"),
)


class Asked(Struct, frozen=True):
    full: Literal["0", "1"] = "0"  # from the first entry, whatever was audited before


class Status(Struct, frozen=True, kw_only=True):
    """What an audit says of one table: each part holds, or a finding says what does not."""

    table: str
    holds: bool
    chain: bool
    signatures: bool
    shuffles: bool
    books: bool
    rules: bool
    entries: int
    commands: int
    rounds: int
    moved: Cents
    promised: int
    revealed: int
    outstanding: int  # shuffles promised and not yet revealed
    checkpoints: int
    since: int  # the entry behind which this look began; the others were audited before
    head: Head
    last: Checkpoint | None  # the last signed
    public_key: str  # of the key that signed it, in hexadecimal
    findings: list[Finding]
    unchecked: str


class Whole(Struct, frozen=True):
    time: str
    holds: bool
    tables: list[Status]
    findings: list[Missing]


class Missing(Struct, frozen=True):
    """What concerns no table that is there."""

    table: str
    sentence: str


class Details(Status, frozen=True, kw_only=True):
    time: str
    balances: dict[str, Cents]  # every account; together they are nothing
    keys: dict[str, str]  # our public signing keys by their ids


def served(room: Room) -> list[Served]:
    here = Audit(room)
    return [
        Served("GET", "/api/audit", here.audit, "Every table audited", Whole, asks=Asked),
        Served("GET", "/api/audit/{table}", here.table, "One table audited", Details, asks=Asked),
    ]


class Audit:
    def __init__(self, room: Room) -> None:
        self.room = room
        self._auditor = Auditor(room.settings)
        self._one = asyncio.Lock()  # two audits of one moment would say the same

    async def audit(self, request: Request, asked: Asked) -> Whole:
        async with self._one:
            full = asked.full == "1"
            tables, whole = await asyncio.to_thread(self._auditor.audit, full=full)
        told = [Status(**self._status(name, each)) for name, each in tables.items()]
        missing = [Missing(each.table, each.sentence) for each in whole]
        holds = not missing and all(each.holds for each in told)
        return Whole(self._now(), holds, told, missing)

    async def table(self, request: Request, asked: Asked) -> Details:
        name, full = request.path_params["table"], asked.full == "1"
        async with self._one:
            found = await asyncio.to_thread(self._auditor.table, name, full=full)
        keys = {key: public.hex() for key, public in self.room.ledger.keys.public.items()}
        return Details(
            **self._status(name, found), time=self._now(), balances=found.balances(), keys=keys
        )

    def _now(self) -> str:
        return stamp(self.room.ledger.clock())

    def _status(self, name: str, found: Audited) -> dict[str, Any]:
        key = self.room.ledger.keys.public.get(found.last.key, b"") if found.last else b""
        return {
            "table": name,
            "holds": not found.findings and not found.unchecked,
            **{about: found.holds(about) for about in ABOUT},
            **{count: getattr(found, count) for count in COUNTS},
            "head": found.head,
            "last": found.last,
            "public_key": key.hex(),
            "findings": list(found.findings),
            "unchecked": found.unchecked,
        }
