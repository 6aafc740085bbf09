"""Files that are whole or not there: written under another name, synced, then renamed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from croupier.law.refused import Refused
from croupier.ledger.outside import sync

PART = "part"  # how a file ends that is not whole yet


def part_of(path: Path) -> Path:
    """Where the file is written meanwhile, beside its final place."""
    return path.with_name(f".{path.name}.{os.getpid()}.{PART}")


def write_whole(path: Path, data: bytes) -> None:
    part = part_of(path)
    try:
        part.write_bytes(data)
        sync(part)
        part.replace(path)
        sync(path.parent)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
