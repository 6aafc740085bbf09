"""What the room writes down for whoever runs it: a line of JSON for each thing, on stderr."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import msgspec

from croupier.ledger.entry import stamp
from croupier.room.door.guard import log as refusals


class Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": stamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name == refusals.name:  # whose message is a line of JSON already
            line |= msgspec.json.decode(record.getMessage())
        else:
            line["event"] = record.getMessage()
        if record.exc_info:
            line["trouble"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def write(level: str) -> None:
    """From now on, everything from this level on: ours, and the server's."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    everything = logging.getLogger()
    everything.addHandler(handler)
    everything.setLevel(level.upper())
