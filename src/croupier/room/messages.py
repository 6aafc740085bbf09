"""What is said on the socket, both ways: typed, one JSON object a frame, tagged by ``type``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Raw, Struct, field

from croupier.law.refused import Refused
from croupier.ledger.draft import LONGEST_ID
from croupier.ledger.records import AddEntropy
from croupier.room.door.roles import COMMANDS, Role, may
from croupier.room.public import sentence_of
from croupier.room.troubles import plain
from croupier.table import commands as c
from croupier.table.refused import Refused as Ruled

SUBPROTOCOL = "croupier.1"
VERSION = 1
LONGEST = 16 * 1024  # bytes of a frame that comes in

Data = dict[str, Any]


# --- from the client ------------------------------------------------------------------------


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    pass


class Hello(Said, frozen=True, tag=str.lower):
    ticket: str


class Watch(Said, frozen=True, tag=str.lower):
    table: str
    after: int | None = None  # the version the client has


class Unwatch(Said, frozen=True, tag=str.lower):
    table: str


class Command(Said, frozen=True, tag=str.lower):
    id: str
    table: str
    do: Data


class Preview(Said, frozen=True, tag=str.lower):
    """What would be ruled? Nothing happens."""

    id: str
    table: str
    do: Data


class Ready(Said, frozen=True, tag=str.lower):
    table: str


class Pause(Said, frozen=True, tag=str.lower):
    table: str
    at: Literal["", "shuffler", "shoe"] = ""  # when this device is next about to work


class Resume(Said, frozen=True, tag=str.lower):
    table: str


class Act(Said, frozen=True, tag=str.lower):
    """Do for a stalled seat what the clock would do; between rounds, free the seat."""

    id: str
    table: str
    seat: int


class Ping(Said, frozen=True, tag=str.lower):
    n: int


AnySaid = Hello | Watch | Unwatch | Command | Preview | Ready | Pause | Resume | Act | Ping


class Named(Struct, frozen=True):
    id: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)] | None = None


_named = msgspec.json.Decoder(Named)
_decoder: msgspec.json.Decoder[AnySaid] = msgspec.json.Decoder(AnySaid)


def understood(frame: str) -> AnySaid:
    """The message in a frame; one sentence where there is none."""
    if len(frame.encode(errors="replace")) > LONGEST:
        raise Refused(f"A message has at most {LONGEST:,} bytes.")
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Refused(f"That is no message of {SUBPROTOCOL}: {wrong}.") from None


def id_of(frame: str) -> str | None:
    """The id of a message, understood or not."""
    try:
        return _named.decode(frame).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


# --- from the server ------------------------------------------------------------------------


class Told(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class No(Struct, frozen=True):
    """Why something was refused."""

    code: str
    sentence: str
    clause: str | None = None


class Welcome(Told, frozen=True, tag=str.lower):
    name: str
    role: str
    version: int = VERSION


class Shown(Told, frozen=True, tag="table"):
    """A table as it stands."""

    table: str
    version: int
    view: Data
    options: list[Data]
    clocks: Data
    commitment: Data | None


class Happened(Told, frozen=True, tag=str.lower):
    """What one command brought about."""

    table: str
    since: int = field(name="from")
    version: int
    time: str
    actor: str
    events: Raw  # written once for all who are told
    view: Data
    options: list[Data]
    clocks: Data


class Answer(Told, frozen=True, tag=str.lower):
    id: str
    table: str
    version: int
    refused: No | None = None


class Trouble(Told, frozen=True, tag=str.lower):
    """No answer: the store failed, and whether the command was kept is not known yet. Sent again
    with the same id it is answered once the store is back."""

    id: str
    table: str
    sentence: str


class Previewed(Told, frozen=True, tag="preview"):
    id: str
    events: list[Data]
    refused: No | None = None


class Closed(Told, frozen=True, tag=str.lower):
    """The table is closed for good; nothing more is told of it."""

    table: str
    sentence: str


class Pong(Told, frozen=True, tag=str.lower):
    n: int


class Error(Told, frozen=True, tag=str.lower):
    """``id`` is that of the message, where it had one."""

    sentence: str
    id: str | None = None


encoded = msgspec.json.Encoder().encode


# --- commands -------------------------------------------------------------------------------

_KINDS: dict[str, type[c.Command]] = {
    name: AddEntropy if name == "AddEntropy" else getattr(c, name) for name in COMMANDS
}


def command_of(do: Data, role: Role, name: str) -> c.Command:
    """The table's command in a message. Who gives it, the session says."""
    given = dict(do)
    kind = _KINDS.get(str(given.pop("name", "")))
    if kind is None:
        raise Refused("There is no such command.", code="NO_SUCH_COMMAND")
    called = kind.__name__
    if not may(role, called):
        raise Refused(f"{called} is not for the {role}.", code="NOT_THIS_ROLE")
    if unknown := sorted(set(given) - set(kind.__struct_fields__) | set(given) & {"by"}):
        raise Refused(f"{called} has no {unknown[0]!r}.", code="MALFORMED")
    by = c.player(name) if role is Role.PLAYER else c.SUPERVISOR
    try:
        command = msgspec.convert({**given, "by": by, "type": called}, kind)
        encoded(command)  # whole numbers as large as a ledger can write
    except (msgspec.ValidationError, OverflowError, UnicodeError) as wrong:
        raise Refused(f"{called}: {wrong}.", code="MALFORMED") from None
    return command


def no(refused: Refused | Ruled) -> No:
    if isinstance(refused, Ruled):
        return No(str(refused.code), refused.sentence, refused.clause or None)
    refused = plain(refused)
    clause = refused.clause.id if refused.clause else None
    return No(refused.code or "REFUSED", sentence_of(refused), clause)


class Viewer(Protocol):
    """Somebody who watches."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> Role: ...

    def tell(self, message: Told) -> None: ...

    def close(self, code: int, sentence: str) -> None:
        """Close this viewer's socket and say why."""
