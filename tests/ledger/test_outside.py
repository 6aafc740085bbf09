"""Files that a library opens by name are created private, and never opened by us."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

from croupier.ledger.outside import make_private

# Another process asks who would keep it from locking the file for itself alone.
HOLDER = """
import fcntl, struct, sys
ask = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
with open(sys.argv[1], "r+b") as file:
    kind, _, _, _, holder = struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, ask))
print(0 if kind == fcntl.F_UNLCK else holder)
"""


def holder(path: Path) -> int:
    ran = subprocess.run(
        [sys.executable, "-c", HOLDER, str(path)], capture_output=True, text=True, check=True
    )
    return int(ran.stdout)


def test_a_database_that_is_in_use_keeps_its_locks(tmp_path: Path) -> None:
    """Without them, another process takes the log for its own and resets it: entries are lost."""
    path = tmp_path / "ledger.db"
    make_private(path)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE t (x)")
    assert holder(path)
    make_private(path)
    assert holder(path)
    database.close()


def test_a_new_file_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "new"
    make_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    make_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
