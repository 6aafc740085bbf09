"""Is a room's place in order? Each check is one finding: ok, a warning, or a problem with what to
do about it. Nothing is changed."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import socket
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import Literal

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.checkpoint import Checkpoint, genuine
from croupier.ledger.entry import stamp
from croupier.ledger.keys import Keys
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.losses import accepted
from croupier.ledger.outside import Clock, utc
from croupier.ledger.place import Place
from croupier.ledger.reading import Reading, SqliteReading, Untouched, reading
from croupier.ledger.schema import MIGRATIONS

Level = Literal["ok", "warning", "problem"]

OLDEST_SQLITE = (3, 38)  # JSON built in
BUILT = datetime(2025, 1, 1, tzinfo=UTC)  # no clock is right that says less
EXPIRES = timedelta(days=14)  # before a certificate ends
AHEAD = timedelta(seconds=5)  # an entry may be this much later than our clock
LEAST_FREE, LITTLE_FREE = 64 << 20, 1 << 30  # bytes
NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph", "glusterfs")
ENDINGS = ("", "-wal", "-shm", ".lock", ".queue", ".neighbours", ".checkpoints", ".restored")
EXTRAS = {"room": "croupier[room]", "postgres": "croupier[postgres]"}


class Finding(Struct, frozen=True):
    level: Level
    about: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.level:8}{self.about:10}{self.sentence}"


class Checkup:
    """``host`` and ``port`` are where the room is to listen, with this certificate if any."""

    def __init__(
        self,
        place: Place,
        host: str = "127.0.0.1",
        port: int = 8700,
        *,
        certificate: Path | None = None,
        private_key: Path | None = None,
        clock: Clock = utc,
    ) -> None:
        self.place = place
        self.host, self.port = host, port
        self.certificate, self.private_key = certificate, private_key
        self.clock = clock
        self.in_postgres = place.where.startswith(POSTGRES)
        self.path = Path(place.where.removeprefix(SQLITE))
        self.folder = place.base.parent
        self.running = False  # whether a room is open here, once that is known
        self._view: Reading | None = None

    def findings(self) -> Iterator[Finding]:
        """Everything, in an order in which a later check may rest on an earlier one."""
        checks: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
            ("versions", self._versions),
            ("place", self._place),
            ("modes", self._modes),
            ("disk", self._disk),
            ("store", self._store),
            ("keys", self._keys),
            ("clock", self._clock),
            ("lock", self._lock),
            ("port", self._port),
            ("tls", self._tls),
        )
        try:
            for about, check in checks:
                try:
                    yield from check()
                except Refused as refused:
                    yield Finding("problem", about, str(refused))
                except OSError as error:
                    yield Finding("problem", about, f"This cannot be checked: {error}.")
        finally:
            if self._view:
                self._view.close()

    # --- the machine ----------------------------------------------------------------------------

    def _versions(self) -> Iterator[Finding]:
        about = "versions"
        told = f"Croupier {_installed('croupier')}, Python {platform.python_version()}"
        told = f"{told}, SQLite {sqlite3.sqlite_version}"
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            oldest = ".".join(map(str, OLDEST_SQLITE))
            yield Finding("problem", about, f"{told}: SQLite {oldest} or later is needed.")
        else:
            yield Finding("ok", about, f"{told}.")
        wanted = ["room", "postgres"] if self.in_postgres else ["room"]
        missing = 0
        for name, least, extra in (found := list(_requirements(wanted))):
            version = _installed(name)
            if _numbers(version) >= _numbers(least) and version:
                continue
            missing += 1
            wrong = f"is {version}, older than {least}" if version else "is not installed"
            how = f"pip install --upgrade '{EXTRAS.get(extra, 'croupier')}'"
            yield Finding("problem", about, f"{name} {wrong}: {how}.")
        if not missing:
            yield Finding("ok", about, f"All {len(found)} libraries are there.")

    def _place(self) -> Iterator[Finding]:
        about = "place"
        if not self.folder.is_dir():
            sentence = f"{self.folder} is not there; the first start of a room makes it."
            yield Finding("warning", about, sentence)
            return
        if os.name == "posix" and os.geteuid() == 0:
            sentence = "This runs as root: give the room a user of its own."
            yield Finding("warning", about, sentence)
        if not os.access(self.folder, os.W_OK | os.X_OK):
            yield Finding("problem", about, f"{self.folder} cannot be written by this user.")
        kind = _file_system(self.folder)
        if kind in NETWORK and not self.in_postgres:
            sentence = f"{self.folder} is on {kind}: SQLite needs a local disk."
            yield Finding("problem", about, sentence)
        else:
            yield Finding("ok", about, f"The data is in {self.folder}.")

    def _modes(self) -> Iterator[Finding]:
        about, wide = "modes", 0
        for path, folder in self._files():
            found = stat.S_IMODE(path.stat().st_mode)
            wanted = 0o700 if folder else 0o600
            if os.name == "posix" and found & ~wanted:
                wide += 1
                sentence = f"{path} has mode {found:04o}: chmod {wanted:o} {path}"
                yield Finding("problem", about, sentence)
        if not wide:
            yield Finding("ok", about, "Nobody else can read the files.")

    def _files(self) -> Iterator[tuple[Path, bool]]:
        """Those that are there, and whether each is a folder."""
        base, keys = self.place.base, self.place.keys
        if self.folder.is_dir() and self.folder != Path():
            yield self.folder, True
        for ending in ENDINGS:
            if (path := base.with_name(base.name + ending)).is_file():
                yield path, False
        if self.folder.is_dir():
            yield from ((each, False) for each in sorted(self.folder.glob("*.backup")))
        if keys.is_dir():
            yield keys, True
            yield from ((each, False) for each in sorted(keys.iterdir()))

    def _disk(self) -> Iterator[Finding]:
        there = next(
            each for each in (self.folder, *self.folder.absolute().parents) if each.is_dir()
        )
        free = shutil.disk_usage(there).free
        size = 0 if self.in_postgres or not self.path.is_file() else self.path.stat().st_size
        told = f"{free / 1e9:.1f} GB are free"
        if free < LEAST_FREE:
            yield Finding("problem", "disk", f"{told}: make room before the store cannot write.")
        elif free < max(LITTLE_FREE, 2 * size):
            yield Finding("warning", "disk", f"{told}, little for the store and a backup of it.")
        else:
            yield Finding("ok", "disk", f"{told}.")

    # --- the store ------------------------------------------------------------------------------

    def _store(self) -> Iterator[Finding]:
        about = "store"
        if not self.in_postgres and not self.path.exists():
            sentence = "There is no ledger yet; the first start of a room makes it."
            yield Finding("warning", about, sentence)
            return
        view = self._view = reading(self.place.where, self.place.base)
        ((done,),) = view.view.stream("SELECT max(version) FROM migrations")
        tables = len(view.store.tables())
        if done < len(MIGRATIONS):
            sentence = f"Its schema is version {done}; the room brings it to {len(MIGRATIONS)}."
            yield Finding("warning", about, f"{sentence} Make a backup first.")
        else:
            sentence = f"It opens: {tables} tables, schema version {done}."
            yield Finding("ok", about, sentence)
        if isinstance(view.view, SqliteReading):
            wrong = [str(row[0]) for row in view.view.stream("PRAGMA quick_check(1)")]
            if wrong != ["ok"]:
                sentence = f"The file is damaged ({wrong[0]}): restore a backup."
                yield Finding("problem", about, sentence)
        yield self._writable(view)

    def _writable(self, view: Reading) -> Finding:
        """By asking, not by writing."""
        try:
            if isinstance(view.view, SqliteReading):
                with sqlite3.connect(self.path.resolve().as_uri() + "?mode=rw", uri=True) as file:
                    file.execute("BEGIN IMMEDIATE")
                    file.rollback()
            else:
                ((only,),) = view.view.stream("SELECT pg_is_in_recovery()")
                if only:
                    return Finding("problem", "store", "The database is a standby: name the other.")
                ((may,),) = view.view.stream("SELECT has_table_privilege('entries', 'INSERT')::int")
                if not may:
                    sentence = "This user may not write to the database: grant it."
                    return Finding("problem", "store", sentence)
        except sqlite3.Error as error:
            return Finding("problem", "store", f"{self.path} cannot be written: {error}.")
        return Finding("ok", "store", "It can be written.")

    def _keys(self) -> Iterator[Finding]:
        about, folder = "keys", self.place.keys
        if self._view is None and not folder.is_dir():
            yield Finding("ok", about, "There are none yet; the first start of a room makes them.")
            return
        if not folder.is_dir() or not any(folder.glob("*.key")):
            sentence = f"There are none in {folder}: no table can be opened. Restore them."
            yield Finding("problem", about, sentence)
            return
        keys = Keys(folder, disk=Untouched())
        if not any(folder.glob(f"signing-*-{keys.signing}.key")):
            sentence = f"The signing key {keys.signing} has no private half: nothing can be signed."
            yield Finding("problem", about, sentence)
        strangers = {each.key for each in self._last()} - keys.public.keys()
        forged = [each for each in self._last() if not genuine(keys, each)]
        if strangers:
            named = ", ".join(sorted(strangers))
            sentence = f"Checkpoints are signed by {named}, of which no key is here: restore it."
            yield Finding("problem", about, sentence)
        elif forged:
            sentence = f"A checkpoint of table {forged[0].table} is not genuine: audit the ledger."
            yield Finding("problem", about, sentence)
        else:
            yield Finding("ok", about, f"They fit the checkpoints; {keys.signing} signs.")
        for loss in accepted(self.place.witness, keys):
            yield Finding("warning", about, str(loss))

    def _last(self) -> Iterator[Checkpoint]:
        """The last checkpoint of each table."""
        if self._view is None:
            return
        last = "SELECT table_id, max(sequence) FROM checkpoints GROUP BY table_id"
        for table, sequence in list(self._view.view.stream(last)):
            yield from self._view.store.checkpoints(table, sequence - 1)

    # --- time, and who else is there --------------------------------------------------------------

    def _clock(self) -> Iterator[Finding]:
        about, now = "clock", self.clock()
        ticks = [time.monotonic() for _ in range(1_000)]
        if now < BUILT:
            yield Finding("problem", about, f"It says {stamp(now)}: set it.")
        elif ticks != sorted(ticks):
            yield Finding("problem", about, "The monotonic clock runs backwards.")
        elif (last := self._last_entry()) > stamp(now + AHEAD):
            sentence = f"It says {stamp(now)}, but the last entry is of {last}: set it."
            yield Finding("problem", about, sentence)
        else:
            yield Finding("ok", about, f"It says {stamp(now)} UTC.")

    def _last_entry(self) -> str:
        if self._view is None:
            return ""
        store = self._view.store
        heads = [store.head(name) for name in store.tables()]
        return max((head.time for head in heads if head), default="")

    def _lock(self) -> Iterator[Finding]:
        if self.in_postgres:
            from croupier.ledger.postgres import DEALING

            rooms = next(self._view.view.stream(DEALING))[0] if self._view else 0
            self.running = bool(rooms)
            yield Finding("ok", "lock", f"{rooms} processes deal at tables of this database.")
            return
        self.running = _held(self.place.base.with_name(f"{self.place.base.name}.lock"))
        told = "A room is open here." if self.running else "No room is open here."
        yield Finding("ok", "lock", told)

    def _port(self) -> Iterator[Finding]:
        at = f"{self.host}:{self.port}"
        try:
            with socket.create_server((self.host, self.port)):
                yield Finding("ok", "port", f"{at} is free.")
        except OSError as error:
            if error.errno == errno.EADDRINUSE and self.running:
                yield Finding("ok", "port", f"Somebody listens at {at}; a room is open.")
            else:
                reason = error.strerror or error
                sentence = f"Nobody can listen at {at}: {reason}. Choose another with --port."
                yield Finding("problem", "port", sentence)

    def _tls(self) -> Iterator[Finding]:
        from cryptography import x509

        if self.private_key:
            mode = stat.S_IMODE(self.private_key.stat().st_mode)
            if os.name == "posix" and mode & 0o077:
                sentence = f"{self.private_key} has mode {mode:04o}: chmod 600 {self.private_key}"
                yield Finding("problem", "tls", sentence)
        if not self.certificate:
            return
        try:
            first = x509.load_pem_x509_certificate(self.certificate.read_bytes())
        except ValueError:
            yield Finding("problem", "tls", f"{self.certificate} holds no certificate.")
            return
        ends = first.not_valid_after_utc
        left = ends - self.clock()
        told = f"The certificate is valid until {ends:%Y-%m-%d}"
        if left < timedelta():
            yield Finding("problem", "tls", f"{told}: renew it.")
        elif left < EXPIRES:
            yield Finding("warning", "tls", f"{told}: renew it soon.")
        else:
            yield Finding("ok", "tls", f"{told}.")


def _held(path: Path) -> bool:
    """Whether a room holds the lock of a SQLite file."""
    if not path.is_file():
        return False
    lock = sqlite3.connect(path.resolve().as_uri() + "?mode=rw", uri=True, timeout=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
        lock.rollback()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    finally:
        lock.close()
    return False


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _requirements(extras: list[str]) -> Iterator[tuple[str, str, str]]:
    """The libraries this Croupier asks for: name, least version, and the extra it belongs to."""
    for line in metadata.requires("croupier") or ():
        text, _, marker = line.partition(";")
        if "platform" in marker and os.name != "posix":
            continue
        extra = marker.partition("extra ==")[2].strip(" \"'")
        if extra and extra not in extras:
            continue
        name, _, least = text.partition(">=")
        yield name.partition("[")[0].strip(), least.strip(), extra


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _file_system(folder: Path) -> str:
    """The kind of the file system a folder is on; empty where the system does not say."""
    try:
        lines = Path("/proc/self/mountinfo").read_text().splitlines()
    except OSError:
        return ""
    best, kind, here = -1, "", str(folder.resolve())
    for line in lines:
        before, _, after = line.partition(" - ")
        point = before.split()[4]
        inside = here == point or here.startswith(point.rstrip("/") + "/")
        if inside and len(point) > best:
            best, kind = len(point), after.split()[0]
    return kind
