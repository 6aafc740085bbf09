"""How the room answers over HTTP: JSON, and one shape for everything it refuses."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from croupier.law.refused import Refused
from croupier.ledger.store import StoreTrouble
from croupier.room.door.attempts import TooSoon
from croupier.room.public import sentence_of
from croupier.room.troubles import plain

# What a refusal's code means to HTTP; any other is something that cannot be done as asked.
STATUS = {
    "BAD_REQUEST": 400,
    "WRONG_CREDENTIALS": 401,
    "NOT_YOURS": 403,
    "NAME_TAKEN": 409,
    "WAIT": 429,
    "BUSY": 503,
    "DAMAGED": 503,
    "ROOM_FULL": 503,
}
OTHERWISE = 422


def answer(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refusal(
    status: int,
    code: str,
    sentence: str,
    clause: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    said = {"error": {"code": code, "sentence": sentence, "clause": clause}}
    return Response(msgspec.json.encode(said), status, headers, media_type="application/json")


def refused(why: Refused) -> Response:
    """A refusal from further in. A store that fails is our trouble, not the asker's."""
    why = plain(why)
    if isinstance(why, StoreTrouble):
        return refusal(503, why.code, why.sentence)
    clause = why.clause.id if why.clause else None
    headers = {"Retry-After": str(why.seconds)} if isinstance(why, TooSoon) else None
    status = STATUS.get(why.code, OTHERWISE)
    return refusal(status, why.code or "REFUSED", sentence_of(why), clause, headers)
