"""Where a ledger lies when nobody says where."""

from __future__ import annotations

import os
import sys
from pathlib import Path

FILE = "croupier.db"


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
