"""Where a ledger is, and where it is when nobody says where."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from croupier.ledger.checkpoint import Witness

FILE = "croupier.db"


class Place(Struct, frozen=True):
    """Where a ledger is or is to be, and what is beside it."""

    where: str  # a path, sqlite:///path or postgresql://...
    base: Path  # keys and checkpoints lie here with .keys and .checkpoints added

    @property
    def keys(self) -> Path:
        return self.base.with_name(f"{self.base.name}.keys")

    @property
    def witness(self) -> Witness:
        from croupier.ledger.checkpoint import Witness

        return Witness(self.base.with_name(f"{self.base.name}.checkpoints"))


def default_place() -> Path:
    """``croupier.db`` in the user's data directory."""
    home = Path.home()
    if sys.platform == "darwin":
        data = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        data = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return data / "croupier" / FILE
