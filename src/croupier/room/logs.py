"""What the room writes to stderr for whoever runs it: a line of JSON for each event.

Clients can cause lines, so lines are limited: in length, in number for one kind and address, and in
number for one level. A line says how many were left out. Session tokens are never written.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

import msgspec

from croupier.ledger.entry import stamp
from croupier.room.door.buckets import Buckets
from croupier.room.door.guard import log as refusals
from croupier.room.limits import Limits

REPORT_SECONDS = 10.0  # between two reports of what was left out
LONGEST_KIND = 80  # characters
MOST_KINDS = 100  # counted apart in a report
CUT = "..."
# 256 random bits as sessions, tickets and CSRF tokens are written; and passwords in addresses.
_TOKEN = re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])")
_PASSWORD = re.compile(r"(\w+://[^\s:/@]+:)[^\s@]+@")

log = logging.getLogger("croupier.room.logs")


class Lines(logging.Formatter):
    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__()
        self.limits = limits or Limits()

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": stamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        message = record.getMessage()
        if record.name == refusals.name and len(message) <= self.limits.log_bytes:
            line |= msgspec.json.decode(message)  # a line of JSON already
        else:
            line["event"] = self._cut(message)
        if record.exc_info:
            trouble = self.formatException(record.exc_info)
            kept = self.limits.log_traceback
            line["trouble"] = trouble if len(trouble) <= kept else CUT + trouble[-kept:]
        return without_secrets(msgspec.json.encode(line).decode())

    def _cut(self, message: str) -> str:
        most = self.limits.log_bytes
        return message if len(message) <= most else message[:most] + CUT


def without_secrets(line: str) -> str:
    return _PASSWORD.sub(r"\1***@", _TOKEN.sub("***", line))


class Limiter(logging.Filter):
    """Lets through so many lines of one kind about one address, and so many of one level.

    The kind of a line is its format string, so that its values make no difference; refusals name
    theirs. Errors have an allowance of their own: nobody hides one behind a flood of warnings."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.clock = clock
        self._kinds = Buckets(limits.log_kind, clock)
        self._levels = Buckets(limits.log_all, clock)
        self._left_out: Counter[str] = Counter()
        self._reported = clock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == log.name:  # the report itself
            return True
        if record.name.startswith("uvicorn"):
            record.args = _without_query(record.args)
        kind = str(getattr(record, "kind", record.msg)).partition("\n")[0][:LONGEST_KIND]
        who = f"{record.name} {kind} {_address(record)}"
        if self._kinds.take(who) or self._levels.take(record.levelname):
            named = f"{record.name}: {kind}"
            known = named in self._left_out or len(self._left_out) < MOST_KINDS
            self._left_out[named if known else "others"] += 1
            return False
        return True

    def report(self) -> None:
        """Say what was left out, if it is time to. The server calls this every second."""
        now = self.clock()
        if not self._left_out or now - self._reported < REPORT_SECONDS:
            return
        kinds = ", ".join(f"{kind!r} {count}" for kind, count in self._left_out.most_common(5))
        total = self._left_out.total()
        self._left_out.clear()
        self._reported = now
        log.warning("%d lines were left out: %s", total, kinds)


def _address(record: logging.LogRecord) -> str:
    """Whom a line is about: what the line says, or the first value of uvicorn's lines."""
    if found := getattr(record, "address", ""):
        return str(found)
    if record.name.startswith("uvicorn") and isinstance(record.args, tuple) and record.args:
        return str(record.args[0]).rpartition(":")[0]
    return ""


def _without_query(
    args: tuple[object, ...] | dict[str, object] | object,
) -> tuple[object, ...] | dict[str, object] | None:
    """A query can hold a one-time token."""
    if isinstance(args, tuple):
        return tuple(each.partition("?")[0] if isinstance(each, str) else each for each in args)
    return args if isinstance(args, dict) else None


def report() -> None:
    """Of every limiter there is, what it left out."""
    for handler in logging.getLogger().handlers:
        for each in handler.filters:
            if isinstance(each, Limiter):
                each.report()


def write(level: str, limits: Limits | None = None) -> None:
    """From now on, everything from this level on: ours, and the server's from info on. At debug
    the server's own loggers would write headers and frames, with cookies and tickets in them."""
    limits = limits or Limits()
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(limits))
    handler.addFilter(Limiter(limits))
    everything = logging.getLogger()
    everything.addHandler(handler)
    everything.setLevel(max(logging.getLevelNamesMapping()[level.upper()], logging.INFO))
    logging.getLogger("croupier").setLevel(level.upper())
