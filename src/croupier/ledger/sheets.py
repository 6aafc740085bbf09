"""The files of an export: lines of JSON, CSV, or Parquet."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from croupier.law.refused import Refused
from croupier.ledger.columns import Column

Row = tuple[Any, ...]

# A spreadsheet runs a cell that begins so as a formula, also behind quotes and spaces, and also
# where the sign is a full-width one.
FORMULA = re.compile(r"""['"\s]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]""")
QUOTE = "'"  # makes the cell text


class Sheet(Protocol):
    """A file that takes rows."""

    def add(self, row: Row) -> None: ...

    def close(self) -> None: ...


class Lines:
    """JSON, one object a line."""

    def __init__(self, path: Path, columns: Iterable[Column]) -> None:
        self._names = [each.name for each in columns]
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def add(self, row: Row) -> None:
        told = dict(zip(self._names, row, strict=True))
        self._file.write(json.dumps(told, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class Commas:
    """CSV with a header. True and false are 1 and 0, what is missing is empty, and text that a
    spreadsheet would run as a formula has an apostrophe in front."""

    def __init__(self, path: Path, columns: Iterable[Column]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([each.name for each in columns])

    def add(self, row: Row) -> None:
        self._writer.writerow(map(_cell, row))

    def close(self) -> None:
        self._file.close()


def _cell(value: Any) -> Any:
    """Only text is changed: a negative number stays a number."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and FORMULA.match(value):
        return QUOTE + value
    return value


def as_written(cell: str) -> str:
    """The text a cell of a text column was made from."""
    return cell[1:] if cell.startswith(QUOTE) and FORMULA.match(cell[1:]) else cell


Maker = Callable[[Path, Sequence[Column]], Sheet]


def maker(form: str) -> Maker:
    """What writes files of this format."""
    match form:
        case "jsonl":
            return Lines
        case "csv":
            return Commas
        case "parquet":
            try:
                from croupier.ledger.sheets_parquet import Parquet
            except ImportError:
                sentence = "Parquet needs pyarrow: pip install 'croupier[export]'."
                raise Refused(sentence) from None
            return Parquet
    raise Refused(f"The formats are jsonl, csv and parquet, not {form!r}.")
