"""The file a backup is written to: one moment of a store, whichever database it is in.

It is gzip of lines of JSON, so that other programs can read it:

    {"format":"croupier backup","version":1,"made":...,"versions":{"migrations":4,...}}
    {"table":"entries","columns":["table_id","sequence",...]}
    ["uth-1",1,...]                                            a row, and so on
    {"end":{"entries":1234,...},"sha256":"..."}

The last line counts the rows of each table and holds the SHA-256 of all lines before it, so that a
copy that is cut short or altered by accident is noticed. It is no signature: the entries in it are
chained and signed as they are in the store.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.outside import open_private, sync

FORMAT, VERSION = "croupier backup", 1
LONGEST_LINE = 1 << 26  # bytes; a row is a few kilobytes, a snapshot some more
COMPRESSION = 6

Cell = str | int | None
CELLS = {str, int, type(None)}
Row = list[Cell]


class Header(Struct, frozen=True):
    format: str
    version: int
    made: str  # UTC
    versions: dict[str, int]  # of each group of tables, by the name of its table of versions


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    columns: list[str]


class End(Struct, frozen=True, forbid_unknown_fields=True):
    end: dict[str, int]
    sha256: str


_encode = msgspec.json.Encoder().encode
_row = msgspec.json.Decoder(Row).decode


class ArchiveWriter:
    """A new file of mode 0600. It has its name only once it is whole and on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f".{path.name}.part")
        self._rows: dict[str, int] = {}
        self._sum = sha256()
        if path.exists():
            raise Refused(f"{path} is there already, and is not overwritten.")
        try:
            self._part.unlink(missing_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self._raw: BinaryIO = os.fdopen(open_private(self._part, flags), "wb")
        except OSError as error:
            raise self._unwritten(error) from None
        self._file = gzip.GzipFile("", "wb", COMPRESSION, self._raw, mtime=0)

    def header(self, made: str, versions: dict[str, int]) -> None:
        self._line(_encode(Header(FORMAT, VERSION, made, versions)))

    def table(self, name: str, columns: list[str], rows: Iterable[Sequence[Cell]]) -> None:
        self._line(_encode(Section(name, columns)))
        written = 0
        for row in rows:
            if not set(map(type, row)) <= CELLS:
                raise Refused(f"The table {name} holds what no table of ours does: audit it first.")
            self._line(_encode(row))
            written += 1
        self._rows[name] = written

    def finish(self) -> dict[str, int]:
        """Sync it and give it its name; the rows of each table."""
        self._line(_encode(End(self._rows, self._sum.hexdigest())))
        try:
            self._file.close()
            self._raw.flush()
            os.fsync(self._raw.fileno())
            self._raw.close()
            os.link(self._part, self.path)  # unlike a rename, it overwrites nothing
            self._part.unlink()
            sync(self.path.parent)
        except FileExistsError:
            raise Refused(f"{self.path} is there already, and is not overwritten.") from None
        except OSError as error:
            raise self._unwritten(error) from None
        return self._rows

    def discard(self) -> None:
        """Leave nothing behind. After ``finish`` there is nothing to discard."""
        self._raw.close()
        self._part.unlink(missing_ok=True)

    def _line(self, line: bytes) -> None:
        self._sum.update(line + b"\n")
        try:
            self._file.write(line + b"\n")
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> Refused:
        return Refused(f"{self.path} cannot be written: {error.strerror or error}.")


class Archive:
    """A backup that is there. Each pass reads the file from its beginning, a line at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with gzip.open(path) as file:
                self.header = msgspec.json.decode(file.readline(LONGEST_LINE), type=Header)
        except (OSError, EOFError, zlib.error, msgspec.MsgspecError):
            raise Refused(f"{path} is no backup, or cannot be read.") from None
        if self.header.format != FORMAT:
            raise Refused(f"{path} is no backup.")
        if self.header.version > VERSION:
            raise Refused(f"{path} was written by a newer Croupier.")

    def rows(self) -> Iterator[tuple[Section, Row]]:
        """Every row with its table; Refused at the end if the file is not whole."""
        try:
            yield from self._rows()
        except (OSError, EOFError, zlib.error, msgspec.MsgspecError):
            raise self._damaged() from None

    def _rows(self) -> Iterator[tuple[Section, Row]]:
        counted: dict[str, int] = {}
        read = sha256()
        section: Section | None = None
        with gzip.open(self.path) as file:
            read.update(file.readline(LONGEST_LINE))
            while line := file.readline(LONGEST_LINE):
                if line.startswith(b"["):
                    if section is None:
                        raise self._damaged()
                    counted[section.table] += 1
                    yield section, _row(line)
                elif line.startswith(b'{"end"'):
                    end = msgspec.json.decode(line, type=End)
                    if end.end != counted or end.sha256 != read.hexdigest() or file.read(1):
                        raise self._damaged()
                    return
                else:
                    section = msgspec.json.decode(line, type=Section)
                    counted[section.table] = 0
                read.update(line)
        raise self._damaged()

    def _damaged(self) -> Refused:
        return Refused(f"{self.path} is damaged or not whole; nothing was restored from it.")
